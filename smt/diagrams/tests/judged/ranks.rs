//! Ranks: how many lanes hold less than each lane does, counted in two ways.

use laneproof_semantics::term::{Binary, Compare, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

/// A value beside a lane's number.
const PACKED: u32 = WIDTH + 4;

impl Builder<'_> {
    /// A payload above its lane's number.
    fn packed(&mut self, value: Term, lane: u32) -> Term {
        let wide = self.pool.zero_extend(value, PACKED);
        let four = self.pool.bits(4, PACKED);
        let wide = self.pool.binary(Binary::Mul, wide, four);
        let lane = self.pool.bits(u128::from(lane), PACKED);
        self.pool.add(wide, lane)
    }

    /// What a lane reads of another one: where that does not take part, another value.
    fn read(&mut self, value: Term, here: Term) -> Term {
        let other = self.pool.zero_extend(self.shared, self.pool.width(value));
        self.pool.ite(here, value, other)
    }

    /// The other lane comes before the own one, by values and then by numbers; said in several ways, with
    /// a mistake now and then.
    fn comes_before(&mut self, [other, own]: [u32; 2], signed: bool) -> Term {
        let [theirs, mine] = [other, own].map(|lane| self.held(lane));
        let here = self.active(other);
        let read = self.read(theirs, here);
        let order = |signed| if signed { Compare::LessSigned } else { Compare::Less };
        let less = self.pool.compare(order(signed), read, mine);
        let greater = self.pool.compare(order(signed), mine, read);
        let equal = self.pool.equal(read, mine);
        match self.next(12) {
            0..=3 if other < own => self.pool.not(greater),
            4..=6 if other < own => self.pool.or(less, equal),
            0..=6 => less,
            // By mistake the order of numbers does not count.
            7 => less,
            8 if signed => self.pool.compare(order(false), read, mine),
            _ if signed && other < own => self.pool.not(greater),
            _ if signed => less,
            _ => {
                let keys = [self.packed(theirs, other), self.packed(mine, own)];
                let read = self.read(keys[0], here);
                self.pool.compare(Compare::Less, read, keys[1])
            }
        }
    }
}

impl Case {
    /// In some lane two counts differ of the lanes that come before it.
    pub(super) fn ranks(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let signed = builder.next(3) == 0;
            let (zero, one) = (builder.pool.bits(0, WIDTH + 1), builder.pool.bits(1, WIDTH + 1));
            let mut differ = Vec::new();
            for own in 0..LANES {
                let mut counts = [zero; 2];
                for other in 0..LANES {
                    let here = builder.active(other);
                    for count in &mut counts {
                        let before = builder.comes_before([other, own], signed);
                        let counted = builder.pool.and(here, before);
                        let more = builder.pool.ite(counted, one, zero);
                        *count = builder.pool.add(*count, more);
                    }
                }
                let equal = builder.pool.equal(counts[0], counts[1]);
                differ.push(builder.pool.not(equal));
            }
            let any = builder.pool.any(differ);
            let all = builder.truth(0);
            [any, all, all]
        })
    }
}
