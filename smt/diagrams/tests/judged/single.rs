//! Single questions that random ones seldom meet: each has a state.

use std::time::{Duration, Instant};

use laneproof_diagrams::{StepLimit, has_no_state};
use laneproof_semantics::term::{Binary, FloatFormat, FloatOp, Pool, Sort, Term};

fn is_refuted(pool: &Pool, assertions: &[Term]) -> bool {
    let limit = StepLimit { steps: 1 << 16, deadline: Instant::now() + Duration::from_secs(60) };
    let answer = has_no_state(pool, assertions, limit);
    answer.expect("a small question needs few steps")
}

/// What is known of one set of lanes says nothing of another one, whichever of the two was there first.
#[test]
fn what_is_fixed_of_one_set_is_not_fixed_of_another() {
    for first in [false, true] {
        let mut pool = Pool::new();
        let member = pool.symbol("member", Sort::Bool);
        let payload = pool.symbol("payload", Sort::Bits(8));
        let lane = pool.bits(0, 32);
        if first {
            pool.apply(member, lane);
        }
        let set = pool.fresh("set", Sort::Bits(3));
        let known = pool.bit(set, lane);
        let (here, held) = (pool.apply(member, lane), pool.apply(payload, lane));
        let [one, two] = [1, 2].map(|number| pool.bits(number, 8));
        let [is_one, is_two] = [one, two].map(|number| pool.equal(held, number));
        let elsewhere = pool.not(here);
        let sides = [pool.and(here, is_one), pool.and(elsewhere, is_two)];
        let either = pool.or(sides[0], sides[1]);
        assert!(!is_refuted(&pool, &[known, either, is_two]), "member first: {first}");
    }
}

/// A number can be equal to its opposite and not be 0: that two products are equal is something else than that
/// a difference is 0, also where they are that difference and its opposite.
#[test]
fn opposites_that_are_equal_need_not_be_zero() {
    const WIDTH: u32 = 16;
    let mut pool = Pool::new();
    let member = pool.symbol("member", Sort::Bool);
    let payload = pool.symbol("payload", Sort::Bits(WIDTH));
    let lanes = [0, 1, 2].map(|lane| pool.bits(lane, 32));
    let [here, single] = [0, 1].map(|lane| pool.apply(member, lanes[lane]));
    let [x, y, z] = lanes.map(|lane| pool.apply(payload, lane));
    let [zero, one, two, minus_one] = [0, 1, 2, 0xffff].map(|number| pool.bits(number, WIDTH));
    let mut product = |condition, then, otherwise| {
        let factor = pool.ite(condition, then, otherwise);
        pool.binary(Binary::Mul, x, factor)
    };
    let first = product(here, one, y);
    let second = product(here, minus_one, z);
    let multiple = product(single, one, two);
    let equal = pool.equal(first, second);
    let is_zero = pool.equal(multiple, zero);
    let is_not = pool.not(is_zero);
    let opposites = pool.all(vec![here, single, equal, is_not]);
    // Nothing is known of lanes beforehand.
    let elsewhere = pool.not(here);
    let [is_one, is_two] = [one, two].map(|number| pool.equal(x, number));
    let nowhere = pool.all(vec![elsewhere, is_one, is_two]);
    let either = pool.or(opposites, nowhere);
    // Where x is half of the numbers that there are.
    assert!(!is_refuted(&pool, &[either]));
}

/// That two conversions give the same number is left open, by a variable that is another one's once more is
/// known of the integers.
#[test]
fn what_is_left_open_is_not_fixed() {
    for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
        let mut pool = Pool::new();
        let member = pool.symbol("member", Sort::Bool);
        let payload = pool.symbol("payload", Sort::Bits(2));
        let lane = pool.bits(0, 32);
        let (here, held) = (pool.apply(member, lane), pool.apply(payload, lane));
        let other = pool.fresh("other", Sort::Bits(2));
        let [one, two] = [1, 2].map(|number| pool.bits(number, 2));
        let chosen = pool.ite(here, two, other);
        let numbers = [chosen, other].map(|it| pool.float(op, FloatFormat::Half, &[it]));
        let equal = pool.equal(numbers[0], numbers[1]);
        // By its bits something is shifted.
        let bit = pool.binary(Binary::ShiftRight, one, other);
        let elsewhere = pool.not(here);
        let is_bit = pool.equal(held, bit);
        let said = pool.or(elsewhere, is_bit);
        assert!(!is_refuted(&pool, &[equal, here, said]), "{op:?}");
    }
}
