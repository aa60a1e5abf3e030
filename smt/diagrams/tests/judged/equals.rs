//! Which lanes hold the same, and values of which lanes choose alike.

use laneproof_semantics::term::{Binary, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

impl Builder<'_> {
    /// Two lanes hold the same; said in several ways, with a mistake now and then.
    fn hold_the_same(&mut self, [a, b]: [u32; 2]) -> Term {
        let c = self.next(LANES as u8);
        let [x, y, z] = [a, b, c.into()].map(|lane| self.held(lane));
        let same = self.pool.equal(x, y);
        let [first, second] = [self.pool.equal(x, z), self.pool.equal(z, y)];
        match self.next(12) {
            0..=4 => same,
            5..=7 => {
                let through = self.pool.and(first, second);
                self.pool.or(same, through)
            }
            8..=10 => {
                let not = self.pool.not(first);
                let through = self.pool.or(not, second);
                self.pool.and(same, through)
            }
            // By mistake another lane is asked.
            _ => first,
        }
    }

    /// The number of active lanes for which something holds.
    fn number_of(&mut self, mut holds: impl FnMut(&mut Self, u32) -> Term) -> Term {
        let mut counted = Vec::new();
        for lane in 0..LANES {
            let holds = holds(self, lane);
            let here = self.active(lane);
            counted.push(self.pool.and(here, holds));
        }
        self.count(&counted)
    }

    /// How many of these hold.
    pub(super) fn count(&mut self, of: &[Term]) -> Term {
        let (mut number, one) = (self.pool.bits(0, WIDTH + 1), self.pool.bits(1, WIDTH + 1));
        for &holds in of {
            let more = self.pool.add(number, one);
            number = self.pool.ite(holds, more, number);
        }
        number
    }

    /// The number of values that active lanes hold: that of the lanes none before which, or none after
    /// which, holds the same.
    fn number_of_values(&mut self) -> Term {
        let from_below = self.next(2) == 0;
        self.number_of(|builder, lane| {
            let others: Vec<u32> =
                if from_below { (0..lane).collect() } else { (lane + 1..LANES).collect() };
            let mut first = builder.pool.bool(true);
            for other in others {
                let (here, same) = (builder.active(other), builder.hold_the_same([other, lane]));
                let before = builder.pool.and(here, same);
                let not = builder.pool.not(before);
                first = builder.pool.and(first, not);
            }
            first
        })
    }

    /// What one of these lanes holds, by the sets they are in.
    fn of_lanes(&mut self, lanes: &[u32]) -> Term {
        let (&last, lanes) = lanes.split_last().expect("there are lanes");
        let mut value = self.held(last);
        for &lane in lanes.iter().rev() {
            let (here, own) = (self.active(lane), self.held(lane));
            value = self.pool.ite(here, own, value);
        }
        value
    }

    /// A bit of a word at a place that is a number; said in two ways, with a mistake now and then.
    fn picked(&mut self, word: Term, place: Term) -> Term {
        let (zero, one) = (self.pool.bits(0, WIDTH), self.pool.bits(1, WIDTH));
        let bit = match self.next(8) {
            0..=3 => {
                let shifted = self.pool.binary(Binary::ShiftRight, word, place);
                self.pool.binary(Binary::And, shifted, one)
            }
            4..=6 => {
                let mask = self.pool.binary(Binary::ShiftLeft, one, place);
                self.pool.binary(Binary::And, word, mask)
            }
            _ => self.pool.binary(Binary::And, word, place),
        };
        let none = self.pool.equal(bit, zero);
        self.pool.not(none)
    }
}

impl Case {
    /// Two counts differ of lanes that hold what one lane holds, or of values that lanes hold.
    pub(super) fn equals(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let counts = match builder.next(2) {
                0 => [(); 2].map(|()| builder.number_of_values()),
                _ => {
                    let own = u32::from(builder.next(LANES as u8));
                    [(); 2].map(|()| {
                        builder.number_of(|builder, lane| builder.hold_the_same([lane, own]))
                    })
                }
            };
            let equal = builder.pool.equal(counts[0], counts[1]);
            let all = builder.truth(0);
            [builder.pool.not(equal), all, all]
        })
    }

    /// Two bits differ of a value that is one for all lanes, at a place that is one for all.
    pub(super) fn one_for_all(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let value = builder.of_lanes(&[0, 1]);
            let (word, place) = match builder.next(2) {
                0 => (value, builder.shared),
                _ => (builder.shared, value),
            };
            let [one, other] = [(); 2].map(|()| builder.picked(word, place));
            let same = builder.pool.equal(one, other);
            [builder.pool.not(same), builder.truth(0), builder.truth(0)]
        })
    }
}
