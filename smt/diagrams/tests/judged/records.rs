//! The first lane that holds the extreme, found in a loop and by comparing with the extreme of all.

use laneproof_semantics::term::{Compare, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

impl Builder<'_> {
    /// The first value comes before the second one: it is less, or greater.
    fn outdoes(&mut self, first: Term, second: Term, greatest: bool) -> Term {
        let [a, b] = if greatest { [second, first] } else { [first, second] };
        self.pool.compare(Compare::Less, a, b)
    }

    /// The extreme of the active lanes.
    fn extreme_of_all(&mut self, greatest: bool) -> Term {
        let neutral = if greatest { 0 } else { (1 << WIDTH) - 1 };
        let mut extreme = self.pool.bits(neutral, WIDTH);
        for lane in 0..LANES {
            let (here, value) = (self.active(lane), self.held(lane));
            let outdoes = self.outdoes(value, extreme, greatest);
            let taken = self.pool.and(here, outdoes);
            extreme = self.pool.ite(taken, value, extreme);
        }
        extreme
    }

    /// The lane that a loop over the active ones ends with, which begins with what a lane holds or with
    /// nothing, and the extreme; with a mistake now and then.
    fn lane_of_extreme(&mut self, greatest: bool, own: Option<u32>) -> [Term; 2] {
        let neutral = if greatest { 0 } else { (1 << WIDTH) - 1 };
        let mut extreme = match own {
            Some(lane) => self.held(lane),
            None => self.pool.bits(neutral, WIDTH),
        };
        let mut found = self.pool.bits(u128::from(own.unwrap_or(0)), WIDTH + 1);
        let mut any = self.pool.bool(own.is_some());
        for lane in 0..LANES {
            let (here, value) = (self.active(lane), self.held(lane));
            let number = self.pool.bits(u128::from(lane), WIDTH + 1);
            let outdoes = self.outdoes(value, extreme, greatest);
            let equal = self.pool.equal(value, extreme);
            let before = self.pool.compare(Compare::Less, number, found);
            let first = self.pool.and(equal, before);
            let mut comes = match self.next(16) {
                // By mistake the last of equal ones, or any before.
                0 => self.pool.or(outdoes, equal),
                1 => self.pool.or(outdoes, before),
                2 => {
                    let some = self.pool.and(before, here);
                    self.pool.or(outdoes, some)
                }
                3 => {
                    let other = self.active((lane + 1) % LANES);
                    let some = self.pool.and(before, other);
                    self.pool.or(outdoes, some)
                }
                _ if own.is_some() => self.pool.or(outdoes, first),
                _ => outdoes,
            };
            if own.is_none() {
                let none = self.pool.not(any);
                comes = self.pool.or(none, comes);
            }
            let taken = self.pool.and(here, comes);
            extreme = self.pool.ite(taken, value, extreme);
            found = self.pool.ite(taken, number, found);
            any = self.pool.or(any, here);
        }
        [found, extreme]
    }

    /// The first active lane that holds this.
    fn first_with(&mut self, extreme: Term) -> Term {
        let mut found = self.pool.bits(u128::from(LANES), WIDTH + 1);
        for lane in (0..LANES).rev() {
            let (here, value) = (self.active(lane), self.held(lane));
            let equal = self.pool.equal(value, extreme);
            let is_one = self.pool.and(here, equal);
            let number = self.pool.bits(u128::from(lane), WIDTH + 1);
            found = self.pool.ite(is_one, number, found);
        }
        found
    }
}

impl Case {
    /// One of two values that is less, or in some states the first, is not always the lesser one.
    pub(super) fn lesser_or_in_some_states() -> Self {
        Self::built(&[], |builder| {
            let [a, b] = [0, 1].map(|lane| builder.held(lane));
            let [one, other] = [0, 1].map(|lane| builder.active(lane));
            let less = builder.pool.compare(Compare::Less, a, b);
            let some = builder.pool.and(one, other);
            let either = builder.pool.or(less, some);
            let taken = builder.pool.ite(either, a, b);
            let lesser = builder.pool.ite(less, a, b);
            let same = builder.pool.equal(taken, lesser);
            let differ = builder.pool.not(same);
            [differ, differ, differ]
        })
    }

    /// The first lane that holds the extreme is not the one that a loop finds, or the extreme is not, in some
    /// active lane.
    pub(super) fn records(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let greatest = builder.next(2) == 0;
            let extreme = builder.extreme_of_all(greatest);
            let first = builder.first_with(extreme);
            let starts: Vec<Option<u32>> = match builder.next(2) {
                0 => vec![None],
                _ => (0..LANES).map(Some).collect(),
            };
            let of_values = builder.next(3) == 0;
            let mut differ = Vec::new();
            for own in starts {
                let [found, value] = builder.lane_of_extreme(greatest, own);
                let [one, other] = if of_values { [extreme, value] } else { [first, found] };
                let same = builder.pool.equal(one, other);
                let not = builder.pool.not(same);
                let here = match own {
                    Some(lane) => builder.active(lane),
                    None => builder.active(0),
                };
                differ.push(builder.pool.and(here, not));
            }
            let all = builder.truth(0);
            [builder.pool.any(differ), all, all]
        })
    }
}
