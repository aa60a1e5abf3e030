//! Extremes that are limited: each value by itself, or the least or greatest of all.

use laneproof_semantics::term::{Binary, Compare, FloatFormat, FloatOp, Pool, Sort, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

/// The lesser or the greater of two values.
pub(super) fn extreme(pool: &mut Pool, less: Compare, greatest: bool, [a, b]: [Term; 2]) -> Term {
    let first = pool.compare(less, a, b);
    if greatest { pool.ite(first, b, a) } else { pool.ite(first, a, b) }
}

impl Case {
    /// The least or greatest of what some lanes hold, limited by a value that is the same for all
    /// lanes; and that of the values each of which is limited, with a mistake now and then.
    pub(super) fn limited(bytes: &[u8]) -> Self {
        let mut case = Self::of(&[], 1);
        let pool = std::mem::take(&mut case.pool);
        let (member, payload) = (case.member, case.payload);
        let mut builder = Builder {
            shared: case.assertions[0],
            pool,
            member,
            payload,
            bytes: bytes.iter(),
            only: Some(Binary::Or),
        };
        let shared = builder.pool.fresh("limit", Sort::Bits(WIDTH));
        let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
        let (greatest, mistake) = (builder.next(2) == 0, builder.next(12));
        let number = u128::from(builder.next(4));
        let number = builder.pool.bits(number, WIDTH);
        let limit = if builder.next(2) == 0 { shared } else { number };
        let weakest = match (less, greatest) {
            (Compare::Less, true) => 0,
            (Compare::Less, false) => 3,
            (_, true) => 2,
            (_, false) => 1,
        };
        let start = if builder.next(3) == 0 { u128::from(builder.next(4)) } else { weakest };
        let start = builder.pool.bits(start, WIDTH);
        let first_limited = extreme(&mut builder.pool, less, !greatest, [start, limit]);
        let (mut after, mut before) = (start, if mistake == 0 { start } else { first_limited });
        for lane in 0..LANES {
            let here = builder.truth(0);
            let lane = builder.pool.bits(u128::from(lane), 32);
            let pool = &mut builder.pool;
            let value = pool.apply(payload, lane);
            let next = extreme(pool, less, greatest, [after, value]);
            after = pool.ite(here, next, after);
            let single = match mistake {
                1 => extreme(pool, less, greatest, [value, limit]),
                _ => extreme(pool, less, !greatest, [value, limit]),
            };
            before = match builder.next(3) {
                // What is left out is the weakest value instead.
                0 => {
                    let weakest = builder.pool.bits(weakest, WIDTH);
                    let single = builder.pool.ite(here, single, weakest);
                    extreme(&mut builder.pool, less, greatest, [before, single])
                }
                _ => {
                    let next = extreme(&mut builder.pool, less, greatest, [before, single]);
                    builder.pool.ite(here, next, before)
                }
            };
        }
        let after = extreme(&mut builder.pool, less, !greatest, [after, limit]);
        let equal = builder.pool.equal(after, before);
        let differ = builder.pool.not(equal);
        let some = builder.truth(0);
        case.assertions = [differ, differ, if builder.next(2) == 0 { some } else { differ }];
        case.pool = builder.pool;
        case
    }

    /// One of a few values, of which some are limited on one side, limited on the other; and each of them
    /// limited by itself, with a mistake now and then.
    pub(super) fn limited_of_chosen(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            let (greatest, mistake) = (builder.next(2) == 0, builder.next(12));
            let number = u128::from(builder.next(4));
            let limit = builder.pool.bits(number, WIDTH);
            let mut sides = [builder.pool.bits(number ^ 1, WIDTH); 2];
            sides[1] = match mistake {
                0 => sides[0],
                _ => extreme(&mut builder.pool, less, greatest, [sides[1], limit]),
            };
            for step in 0..2 + builder.next(2) {
                let (value, here) = (builder.payload(0), builder.truth(0));
                let own = u128::from(builder.next(4));
                let own = builder.pool.bits(own, WIDTH);
                // Of different kinds, so that none of them is that of the choice.
                let value = match builder.next(3) {
                    0 => value,
                    _ => extreme(&mut builder.pool, less, (step == 0) != greatest, [value, own]),
                };
                let limited = match mistake == step + 1 {
                    true => value,
                    false => extreme(&mut builder.pool, less, greatest, [value, limit]),
                };
                sides[0] = builder.pool.ite(here, value, sides[0]);
                sides[1] = builder.pool.ite(here, limited, sides[1]);
            }
            sides[0] = extreme(&mut builder.pool, less, greatest, [sides[0], limit]);
            let same = match builder.next(2) {
                0 => sides,
                _ => {
                    let other = builder.payload(0);
                    sides.map(|it| extreme(&mut builder.pool, less, !greatest, [it, other]))
                }
            };
            let equal = builder.pool.equal(same[0], same[1]);
            [builder.mostly_not(equal), builder.truth(0), builder.about_one()]
        })
    }

    /// Integers as floating-point numbers, which are equal or differ, and something about the integers.
    pub(super) fn converted(bytes: &[u8]) -> Self {
        let mut case = Self::of(&[], 1);
        let mut pool = std::mem::take(&mut case.pool);
        let (member, payload) = (case.member, case.payload);
        let shared = pool.fresh("other", Sort::Bits(WIDTH));
        let bytes = bytes.iter();
        let mut builder = Builder { pool, member, payload, shared, bytes, only: None };
        let op = [FloatOp::FromUnsigned, FloatOp::FromSigned][usize::from(builder.next(2))];
        let (a, depth) = (builder.payload(1), u32::from(builder.next(2)));
        let b = builder.payload(depth);
        let numbers = [a, b].map(|it| builder.pool.float(op, FloatFormat::Half, &[it]));
        let same = builder.pool.equal(numbers[0], numbers[1]);
        let alike = builder.pool.equal(a, b);
        let differ = builder.pool.not(same);
        case.assertions = match builder.next(3) {
            0 => [differ, alike, alike],
            1 => [same, builder.about_one(), builder.truth(0)],
            _ => [differ, builder.about_one(), builder.about_one()],
        };
        case.pool = builder.pool;
        case
    }
}
