//! Choices that ask whether a value is neutral before they combine it, or whether more can change it.

use laneproof_semantics::term::{Binary, Compare, Pool, Term};

use super::builder::Builder;
use super::{Case, WIDTH};

/// Two values combined; the bitwise operations, the sum, the greatest.
fn combined(pool: &mut Pool, operation: u8, a: Term, b: Term) -> Term {
    match operation {
        0 => pool.binary(Binary::Or, a, b),
        1 => pool.binary(Binary::And, a, b),
        2 => pool.binary(Binary::Xor, a, b),
        3 => pool.add(a, b),
        _ => {
            let less = pool.compare(Compare::Less, a, b);
            pool.ite(less, b, a)
        }
    }
}

impl Case {
    /// One value after the other is combined where a condition holds and the value, or what it is combined
    /// with, is not a number, or with the sides exchanged; beside the same without that question.
    pub(super) fn neutral(bytes: &[u8]) -> Self {
        let mut case = Self::of(&[], 1);
        let pool = std::mem::take(&mut case.pool);
        let (member, payload, shared) = (case.member, case.payload, case.assertions[0]);
        let mut builder =
            Builder { pool, member, payload, shared, bytes: bytes.iter(), only: Some(Binary::Or) };
        let operation = builder.next(5);
        let absorbs = builder.next(2) == 0;
        let telling = if (operation == 1) == absorbs { 0 } else { 3 };
        let number = if builder.next(3) == 0 { builder.next(4).into() } else { telling };
        let (mut asked, mut plain) = (builder.payload(0), None);
        let began = asked;
        for _ in 0..1 + builder.next(2) {
            let depth = u32::from(builder.next(2));
            let (value, condition) = (builder.payload(depth), builder.truth(0));
            let (style, pool) = (builder.next(4), &mut builder.pool);
            let number = pool.bits(number, WIDTH);
            let same = pool.equal(if absorbs { asked } else { value }, number);
            let differs = pool.not(same);
            let whole = combined(pool, operation, asked, value);
            let before = plain.unwrap_or(began);
            let expected = combined(pool, operation, before, value);
            let (next, expected) = match style {
                0 => {
                    let both = pool.and(condition, differs);
                    (pool.ite(both, whole, asked), pool.ite(condition, expected, before))
                }
                1 => {
                    let either = pool.or(condition, differs);
                    (pool.ite(either, whole, asked), expected)
                }
                2 => {
                    let both = pool.and(condition, same);
                    (pool.ite(both, asked, whole), expected)
                }
                _ => {
                    let either = pool.or(condition, same);
                    (pool.ite(either, asked, whole), pool.ite(condition, before, expected))
                }
            };
            (asked, plain) = (next, Some(expected));
        }
        let equal = builder.pool.equal(asked, plain.unwrap_or(began));
        let differ = builder.pool.not(equal);
        case.assertions = [differ, differ, differ];
        case.pool = builder.pool;
        case
    }
}
