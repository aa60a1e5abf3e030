//! What stands below values of which the extreme is taken: numbers of lanes, packed below what these hold.

use laneproof_semantics::term::{Compare, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

/// A number of a lane, or none.
const BELOW: u32 = 2;

impl Builder<'_> {
    /// The value above the number.
    fn above(&mut self, value: Term, number: u128) -> Term {
        let number = self.pool.bits(number, BELOW);
        self.pool.concat(value, number)
    }

    /// The lesser of two, or the greater.
    fn outermost(&mut self, a: Term, b: Term, greatest: bool) -> Term {
        let less = self.pool.compare(Compare::Less, a, b);
        if greatest { self.pool.ite(less, b, a) } else { self.pool.ite(less, a, b) }
    }

    /// What a loop begins with: a number that counts for nothing, or for something, or what a lane holds.
    fn begin(&mut self, greatest: bool) -> Term {
        let (value, number) = match self.next(3) {
            0 if greatest => (0, 0),
            0 => ((1 << WIDTH) - 1, (1 << BELOW) - 1),
            1 => (u128::from(self.next(4)), u128::from(self.next(4))),
            _ => {
                let held = self.held(0);
                return self.above(held, 0);
            }
        };
        let value = self.pool.bits(value, WIDTH);
        self.above(value, number)
    }

    /// The extreme after each step of a loop over the active lanes.
    fn extremes_so_far(&mut self, greatest: bool) -> Vec<Term> {
        let mut so_far = vec![self.begin(greatest)];
        for lane in 0..LANES {
            let (held, mut here) = (self.held(lane), self.active(lane));
            let mut own = self.above(held, u128::from(lane));
            match self.next(8) {
                // Another set of lanes.
                2 if lane < WIDTH => {
                    let place = self.pool.bits(u128::from(lane), 32);
                    here = self.pool.bit(self.shared, place);
                }
                // A lane that does not take part holds nothing, in a step of its own.
                0 => {
                    let zero = self.pool.bits(0, WIDTH);
                    let value = self.pool.ite(here, held, zero);
                    own = self.above(value, u128::from(lane));
                }
                1 => here = self.truth(1),
                _ => {}
            }
            let before = so_far[so_far.len() - 1];
            let both = self.outermost(before, own, greatest);
            so_far.push(self.pool.ite(here, both, before));
        }
        so_far
    }

    /// The numbers below, or their complement.
    fn below(&mut self, packed: Term, complemented: bool) -> Term {
        let part = self.pool.extract(packed, BELOW - 1, 0);
        if complemented { self.pool.bit_not(part) } else { part }
    }

    /// Where no lane from this one on is active; with a mistake now and then.
    fn is_over(&mut self, from: u32) -> Term {
        if self.next(10) == 0 {
            return self.truth(1);
        }
        let mut over = self.pool.bool(true);
        for lane in from..LANES {
            let active = self.active(lane);
            let not = self.pool.not(active);
            over = self.pool.and(over, not);
        }
        over
    }
}

impl Case {
    /// What stands below the extreme in the end is not what stands below the extreme so far where no lane follows,
    /// or it is compared with what lanes hold.
    pub(super) fn packed(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let [greatest, complemented] = [0, 1].map(|_| builder.next(2) == 0);
            let so_far = builder.extremes_so_far(greatest);
            let last = so_far[LANES as usize];
            let end = builder.below(last, complemented);
            let mut chosen = end;
            for lane in (0..LANES).rev() {
                let over = builder.is_over(lane);
                let below = match builder.next(8) {
                    0 => builder.pool.bits(u128::from(lane), BELOW),
                    _ => builder.below(so_far[lane as usize], complemented),
                };
                chosen = builder.pool.ite(over, below, chosen);
            }
            let other = match builder.next(4) {
                0 => {
                    let number = u128::from(builder.next(4));
                    builder.pool.bits(number, BELOW)
                }
                // A loop that may begin with something else.
                1 => {
                    let again = builder.extremes_so_far(greatest);
                    builder.below(again[LANES as usize], complemented)
                }
                _ => end,
            };
            let same = builder.pool.equal(chosen, other);
            let differ = builder.mostly_not(same);
            let about_values = match builder.next(3) {
                0 => {
                    let (held, value) =
                        (builder.held(1), builder.pool.extract(last, WIDTH + BELOW - 1, BELOW));
                    builder.pool.equal(held, value)
                }
                _ => builder.truth(1),
            };
            let here = builder.active(0);
            [differ, about_values, here]
        })
    }
}
