//! What a lane adds up in steps, as many as it holds: in each how many lanes go on.

use laneproof_semantics::term::{Binary, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

/// No lane holds a greater number.
const STEPS: u128 = (1 << WIDTH) - 1;

impl Builder<'_> {
    /// How many active lanes hold more than a number, or how many are active.
    fn going_on(&mut self, number: u128, among_all: bool) -> Term {
        let number = self.pool.bits(number, WIDTH);
        let mut of = Vec::new();
        for lane in 0..LANES {
            let (here, held) = (self.active(lane), self.held(lane));
            let more = self.pool.less(number, held);
            of.push(if among_all { here } else { self.pool.and(here, more) });
        }
        self.count(&of)
    }

    /// The sum of a lane from a step on, each time multiplied before more is added.
    fn in_steps(&mut self, own: u32, from: u128, begun: Term, factor: u128) -> Term {
        let held = self.held(own);
        let factor = self.pool.bits(factor, WIDTH + 1);
        let mut sum = begun;
        for step in from..STEPS {
            let number = self.pool.bits(step, WIDTH);
            let goes_on = self.pool.less(number, held);
            let more = self.going_on(step, false);
            let multiple = self.pool.binary(Binary::Mul, sum, factor);
            let more = self.pool.binary(Binary::Add, multiple, more);
            sum = self.pool.ite(goes_on, more, sum);
        }
        sum
    }
}

impl Case {
    /// A lane that goes on in the first step adds up something else than one that takes that step in any case; with
    /// a mistake now and then.
    pub(super) fn counted_in_steps(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let own = u32::from(builder.next(LANES as u8));
            let factor = u128::from(builder.next(4));
            let zero = builder.pool.bits(0, WIDTH + 1);
            let whole = builder.in_steps(own, 0, zero, factor);
            let among_all = builder.next(6) == 0;
            let first = builder.going_on(0, among_all);
            let peeled = builder.in_steps(own, 1, first, factor);
            let same = builder.pool.equal(whole, peeled);
            let differ = builder.mostly_not(same);
            let (number, held) = (builder.pool.bits(0, WIDTH), builder.held(own));
            let known = match builder.next(6) {
                0 => builder.truth(1),
                _ => builder.pool.less(number, held),
            };
            [differ, known, builder.truth(1)]
        })
    }
}
