//! Payloads behind masks that leave few bits, chosen among lanes and compared.

use laneproof_semantics::term::{Binary, Compare, Term};

use super::Case;
use super::builder::Builder;

const WIDE: u32 = 32;

/// A lane's payload in more bits, moved up by one bit or not.
fn widened(builder: &mut Builder<'_>) -> Term {
    let (value, moved) = (builder.payload(0), builder.next(4) == 0);
    let pool = &mut builder.pool;
    let value = pool.zero_extend(value, WIDE);
    let places = pool.bits(u128::from(moved), WIDE);
    pool.binary(Binary::ShiftLeft, value, places)
}

/// One of two lanes' payloads, masked before or after; or one that takes part in a conjunction.
fn key(builder: &mut Builder<'_>, mask: Term) -> Term {
    let (here, kind) = (builder.truth(0), builder.next(4));
    let [a, b] = [0, 1].map(|_| widened(builder));
    let pool = &mut builder.pool;
    match kind {
        0 => {
            let [a, b] = [a, b].map(|it| pool.binary(Binary::And, it, mask));
            pool.ite(here, a, b)
        }
        1 => {
            let ones = pool.bits(u128::from(u32::MAX), WIDE);
            let a = pool.ite(here, a, ones);
            let a = pool.binary(Binary::And, a, mask);
            pool.binary(Binary::And, a, b)
        }
        2 => pool.binary(Binary::And, a, mask),
        _ => {
            let value = pool.ite(here, a, b);
            pool.binary(Binary::And, value, mask)
        }
    }
}

impl Case {
    /// Three keys, of which the first is related to the second as the second is to the third, and the first
    /// to the third or not, with a mistake now and then.
    pub(super) fn few(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let mask = u128::from(builder.next(7)) + 1;
            let mask = builder.pool.bits(mask, WIDE);
            let [a, b, c] = [0, 1, 2].map(|_| key(builder, mask));
            let kind = builder.next(3);
            let sides = if builder.next(8) == 0 { [a, b] } else { [a, c] };
            let pool = &mut builder.pool;
            let mut related = |[a, b]: [Term; 2]| match kind {
                0 => pool.equal(a, b),
                1 => pool.compare(Compare::Less, a, b),
                _ => pool.compare(Compare::LessEqualSigned, a, b),
            };
            let [first, second, last] = [[a, b], [b, c], sides].map(&mut related);
            let last = builder.mostly_not(last);
            [first, second, last]
        })
    }
}
