//! Sums of bits that two values have, that one of them has, or either: those of the values; and of complements.

use laneproof_semantics::term::{Binary, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

impl Builder<'_> {
    /// The sum over the active lanes of an operation on two values of each, some times.
    fn sum_of_bits(&mut self, operation: Binary, values: &[[Term; 2]], times: u128) -> Term {
        let zero = self.pool.bits(0, WIDTH);
        let times = self.pool.bits(times, WIDTH);
        let mut sum = zero;
        for (lane, &[a, b]) in values.iter().enumerate() {
            let here = self.active(lane as u32);
            let bits = self.pool.binary(operation, a, b);
            let own = self.pool.ite(here, bits, zero);
            let own = self.pool.binary(Binary::Mul, own, times);
            sum = self.pool.binary(Binary::Add, sum, own);
        }
        sum
    }
}

impl Case {
    /// The sum of two values of each lane is not that of bits of theirs; with a mistake now and then.
    pub(super) fn sums_of_bits(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let other = builder.next(3);
            let mut values = Vec::new();
            for lane in 0..LANES {
                let second = match other {
                    0 => builder.shared,
                    by => builder.held((lane + u32::from(by)) % LANES),
                };
                values.push([builder.held(lane), second]);
            }
            let (one, times) = match builder.next(2) {
                0 => (Binary::Xor, 2),
                _ => (Binary::Or, 1),
            };
            let times = if builder.next(6) == 0 { u128::from(builder.next(4)) } else { times };
            let first = builder.sum_of_bits(one, &values, 1);
            let both = builder.sum_of_bits(Binary::And, &values, times);
            let parts = builder.pool.binary(Binary::Add, first, both);
            let whole = builder.sum_of_bits(Binary::Add, &values, 1);
            let same = builder.pool.equal(parts, whole);
            let differ = builder.mostly_not(same);
            let other = builder.truth(1);
            [differ, other, other]
        })
    }

    /// The sum of complements, some times each, is not that of the opposites less as many as are summed; with a
    /// mistake now and then.
    pub(super) fn sums_of_complements(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let times = 1 + u128::from(builder.next(3));
            let less = if builder.next(6) == 0 { u128::from(builder.next(4)) } else { times };
            let [zero, minus, less] =
                [0, 4 - times, 4 - less].map(|number| builder.pool.bits(number, WIDTH));
            let times = builder.pool.bits(times, WIDTH);
            let (mut complements, mut opposites) = (zero, zero);
            for lane in 0..LANES {
                let here = builder.active(lane);
                let held = match builder.next(4) {
                    0 => builder.shared,
                    _ => builder.held(lane),
                };
                let complement = builder.pool.bit_not(held);
                let own = builder.pool.ite(here, complement, zero);
                let own = builder.pool.binary(Binary::Mul, own, times);
                complements = builder.pool.binary(Binary::Add, complements, own);
                let own = builder.pool.binary(Binary::Mul, held, minus);
                let own = builder.pool.binary(Binary::Add, own, less);
                let own = builder.pool.ite(here, own, zero);
                opposites = builder.pool.binary(Binary::Add, opposites, own);
            }
            let same = builder.pool.equal(complements, opposites);
            [builder.mostly_not(same), builder.truth(1), builder.truth(1)]
        })
    }
}
