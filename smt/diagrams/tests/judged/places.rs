//! Words that are moved by places which searches of bits find.

use laneproof_semantics::term::{Binary, Scan, Term};

use super::Case;
use super::builder::Builder;

const WIDE: u32 = 32;

/// The first or the last bit of a vector, or another number where a condition holds.
fn place(builder: &mut Builder<'_>) -> Term {
    let places = [0, 1].map(|_| {
        let mask = builder.mask(2);
        let scan = [Scan::Lowest, Scan::Highest][usize::from(builder.next(2))];
        builder.pool.scan(scan, mask)
    });
    let number = u128::from(builder.next(40));
    let number = builder.pool.bits(number, WIDE);
    let here = builder.truth(2);
    match builder.next(3) {
        0 => places[0],
        1 => builder.pool.ite(here, places[0], places[1]),
        _ => builder.pool.ite(here, number, places[0]),
    }
}

impl Case {
    /// A word moved by a place, which is a number, is the word moved by the number; with a mistake now and
    /// then.
    pub(super) fn places(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let place = place(builder);
            let word = match builder.next(4) {
                0 => builder.pool.bits(1, WIDE),
                1 => builder.pool.bits(1 << 31, WIDE),
                2 => {
                    let mask = builder.mask(1);
                    builder.pool.sign_extend(mask, WIDE)
                }
                _ => {
                    let mask = builder.mask(1);
                    builder.pool.zero_extend(mask, WIDE)
                }
            };
            let moves = [Binary::ShiftLeft, Binary::ShiftRight, Binary::ShiftRightSigned];
            let moves = moves[usize::from(builder.next(3))];
            let number = u128::from(builder.next(6));
            let found = builder.pool.bits(number, WIDE);
            let found = builder.pool.equal(place, found);
            let number = builder.pool.bits(number, WIDE);
            let [moved, right] = [place, number].map(|it| builder.pool.binary(moves, word, it));
            let same = builder.pool.equal(moved, right);
            let differ = builder.mostly_not(same);
            let other = builder.truth(1);
            [found, differ, other]
        })
    }
}
