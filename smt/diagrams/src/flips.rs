//! Which bits a number's sign flips, and what becomes of orders.
//!
//! Such a map is one to one. It takes the order of numbers of one kind to that of another one where
//! each half of the numbers goes in order, or each in the opposite one, and so do the halves.

use crate::numbers::{Numbers, ones};

/// Which bits are flipped, where the highest one is not set and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flips {
    pub(crate) unset: u128,
    pub(crate) set: u128,
}

impl Flips {
    /// The same bits whatever the sign.
    pub(crate) const fn always(bits: u128) -> Self {
        Self { unset: bits, set: bits }
    }

    const fn by(self, sign: bool) -> u128 {
        if sign { self.set } else { self.unset }
    }

    /// What sign a number with that one gets.
    const fn sign_after(self, sign: bool, width: u32) -> bool {
        sign != (self.by(sign) >> (width - 1) & 1 == 1)
    }

    /// The bits that become these.
    pub(crate) fn undone(self, bits: u128, width: u32) -> Option<u128> {
        let sign = |bits: u128| bits >> (width - 1) & 1 == 1;
        let from = [false, true].map(|it| (it, bits ^ self.by(it)));
        from.into_iter().find_map(|(it, from)| (sign(from) == it).then_some(from))
    }

    /// These first, then others by the sign that is left.
    pub(crate) fn then(self, next: Self, width: u32) -> Self {
        let both = |sign| self.by(sign) ^ next.by(self.sign_after(sign, width));
        Self { unset: both(false), set: both(true) }
    }

    /// Whether numbers that are ordered like `from` become numbers ordered like `to` the other way
    /// round, if they are ordered like them either way.
    pub(crate) fn turns(self, from: Numbers, to: Numbers, width: u32) -> Option<bool> {
        let low = ones(width - 1);
        let is_lower = |of: Numbers, sign: bool| sign != (of == Numbers::Unsigned);
        let descends = |of: Numbers, sign: bool| sign && of == Numbers::Magnitude;
        let mut turns = Vec::new();
        for sign in [false, true] {
            let after = self.sign_after(sign, width);
            let flipped = match self.by(sign) & low {
                0 => false,
                all if all == low => true,
                _ => return None,
            };
            turns.push(descends(from, sign) != (flipped != descends(to, after)));
            turns.push(is_lower(from, sign) != is_lower(to, after));
        }
        turns.iter().all(|it| *it == turns[0]).then_some(turns[0])
    }

    /// What is left is a number with one sign: this bit.
    pub(crate) const fn sign_left(self, width: u32) -> Option<bool> {
        let top = 1 << (width - 1);
        match (self.unset, self.set) {
            (0, set) if set == top => Some(false),
            (unset, 0) if unset == top => Some(true),
            _ => None,
        }
    }

    /// It sets or clears the sign, or takes some order to some order, but not as a flip of the same bits in all numbers does.
    pub(crate) fn is_of_numbers(self, width: u32) -> bool {
        const ALL: [Numbers; 3] = [Numbers::Unsigned, Numbers::Signed, Numbers::Magnitude];
        let some = |from| ALL.into_iter().any(|to| self.turns(from, to, width).is_some());
        self.sign_left(width).is_some() || self.unset != self.set && ALL.into_iter().any(some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 4;

    fn rank(of: Numbers, bits: u128) -> i32 {
        let low = (bits & 7) as i32;
        match (of, bits >> 3 == 1) {
            (Numbers::Unsigned, true) => 8 + low,
            (Numbers::Signed, true) => low - 8,
            (Numbers::Magnitude, true) => -low - 1,
            (_, false) => low,
        }
    }

    /// All flips of all numbers of four bits, in all orders.
    #[test]
    fn flips_take_an_order_to_another_one_where_they_are_said_to() {
        let orders = [Numbers::Unsigned, Numbers::Signed, Numbers::Magnitude];
        let mut found = 0;
        for (unset, set) in (0..16).flat_map(|unset| (0..16).map(move |set| (unset, set))) {
            let flips = Flips { unset, set };
            let image = |bits: u128| bits ^ flips.by(bits >> 3 == 1);
            for (from, to) in orders.iter().flat_map(|a| orders.iter().map(move |b| (*a, *b))) {
                let mut ways = [true; 2];
                for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
                    let before = rank(from, a) < rank(from, b);
                    ways[0] &= before == (rank(to, image(a)) < rank(to, image(b)));
                    ways[1] &= before == (rank(to, image(b)) < rank(to, image(a)));
                }
                let expected = match ways {
                    [true, false] => Some(false),
                    [false, true] => Some(true),
                    _ => None,
                };
                assert_eq!(flips.turns(from, to, WIDTH), expected, "{flips:?} {from:?} {to:?}");
                found += u32::from(expected.is_some());
            }
            for next in [Flips { unset: 8, set: 15 }, Flips { unset: 15, set: 8 }] {
                for bits in 0..16u128 {
                    let first = image(bits);
                    let second = first ^ next.by(first >> 3 == 1);
                    let sign = bits >> 3 == 1;
                    assert_eq!(bits ^ flips.then(next, WIDTH).by(sign), second);
                }
            }
        }
        assert_eq!(found, 18);
    }
}
