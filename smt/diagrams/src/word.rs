//! Bit-vectors whose bits are functions: masks, counts, lane indices, multiplicities.
//!
//! A [`Word`] lists its bits from the lowest, as many as are needed; those above the last one
//! repeat it, as the sign of a number in two's complement. So a multiplicity of 1 has two bits at
//! any width, and equal words are equal lists.

use crate::Exhausted;
use crate::bdd::{Bdd, Diagrams};
use crate::fault::BrokenLaw;
use crate::numbers::Numbers;

/// A number modulo 2^width in every state; the caller knows the width.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Word(Vec<Bdd>);

impl Word {
    /// The word with these bits, lowest first, of which there is one at least.
    pub(crate) fn of(mut bits: Vec<Bdd>, width: u32) -> Self {
        bits.truncate(width as usize);
        while let [.., before, last] = bits.as_slice()
            && before == last
        {
            bits.pop();
        }
        Self(bits)
    }

    pub(crate) fn number(value: u128, width: u32) -> Self {
        let bit = |place| Bdd::constant(value >> place & 1 == 1);
        Self::of((0..width).map(bit).collect(), width)
    }

    pub(crate) fn zero() -> Self {
        Self(vec![Bdd::FALSE])
    }

    /// 1 where `condition` holds, else 0.
    pub(crate) fn flag(condition: Bdd, width: u32) -> Self {
        Self::of(vec![condition, Bdd::FALSE], width)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0 == [Bdd::FALSE]
    }

    pub(crate) fn bit(&self, place: u32) -> Bdd {
        self.0.get(place as usize).or(self.0.last()).copied().unwrap_or(Bdd::FALSE)
    }

    /// The condition under which it is 1, if it is 0 or 1 in every state.
    pub(crate) fn as_flag(&self, width: u32) -> Option<Bdd> {
        match *self.0.as_slice() {
            [only] if width == 1 || only == Bdd::FALSE => Some(only),
            [bit, Bdd::FALSE] => Some(bit),
            _ => None,
        }
    }

    /// The condition under which all bits are set, if all are alike in every state.
    pub(crate) fn as_all_alike(&self) -> Option<Bdd> {
        match *self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The number that it is in every state, if it is the same in all.
    pub(crate) fn constant(&self, width: u32) -> Option<u128> {
        (0..width).try_fold(0, |value, place| match self.bit(place) {
            Bdd::TRUE => Some(value | 1 << place),
            Bdd::FALSE => Some(value),
            _ => None,
        })
    }

    /// The bits that are not 0 in every state, with what each counts.
    pub(crate) fn weights(&self) -> Vec<(i128, Bdd)> {
        let sign = self.0.len() - 1;
        let weight = |place: usize| {
            if place == sign { (1i128 << place).wrapping_neg() } else { 1i128 << place }
        };
        let bits = self.0.iter().enumerate().filter(|(_, bit)| **bit != Bdd::FALSE);
        bits.map(|(place, &bit)| (weight(place), bit)).collect()
    }

    /// Bits that are written out.
    pub(crate) fn length(&self) -> u32 {
        self.0.len() as u32
    }

    /// All bits of a word of this width.
    pub(crate) fn bits(&self, width: u32) -> Vec<Bdd> {
        (0..width).map(|place| self.bit(place)).collect()
    }
}

/// A bitwise operation on two truth values.
pub(crate) type Bitwise = fn(&mut Diagrams, Bdd, Bdd) -> Result<Bdd, Exhausted>;

impl Diagrams {
    pub(crate) fn bitwise(
        &mut self,
        operation: Bitwise,
        a: &Word,
        b: &Word,
        width: u32,
    ) -> Result<Word, Exhausted> {
        let mut bits = Vec::new();
        for place in 0..a.length().max(b.length()) {
            bits.push(operation(self, a.bit(place), b.bit(place))?);
        }
        Ok(Word::of(bits, width))
    }

    pub(crate) fn word_not(&mut self, a: &Word) -> Word {
        Word(a.0.iter().map(|&bit| !bit).collect())
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub(crate) fn word_ite(
        &mut self,
        condition: Bdd,
        then: &Word,
        otherwise: &Word,
        width: u32,
    ) -> Result<Word, Exhausted> {
        if then == otherwise {
            return Ok(then.clone());
        }
        let mut bits = Vec::new();
        for place in 0..then.length().max(otherwise.length()) {
            bits.push(self.ite(condition, then.bit(place), otherwise.bit(place))?);
        }
        Ok(Word::of(bits, width))
    }

    /// Sum of two words and of 1 where `carry` holds.
    pub(crate) fn word_add(
        &mut self,
        a: &Word,
        b: &Word,
        mut carry: Bdd,
        width: u32,
    ) -> Result<Word, Exhausted> {
        let mut bits = Vec::new();
        // Numbers with a sign, whose sum takes one bit more.
        for place in 0..(a.length().max(b.length()) + 1).min(width) {
            let (x, y) = (a.bit(place), b.bit(place));
            let differ = self.xor(x, y)?;
            bits.push(self.xor(differ, carry)?);
            carry = self.ite(differ, carry, x)?;
        }
        Ok(Word::of(bits, width))
    }

    pub(crate) fn word_negated(&mut self, a: &Word, width: u32) -> Result<Word, Exhausted> {
        let complement = self.word_not(a);
        self.word_add(&complement, &Word::zero(), Bdd::TRUE, width)
    }

    pub(crate) fn word_mul(&mut self, a: &Word, b: &Word, width: u32) -> Result<Word, Exhausted> {
        // The shorter one chooses; its last bit, the sign, counts for all above it.
        let (a, b) = if a.length() <= b.length() { (a, b) } else { (b, a) };
        let mut sum = Word::zero();
        for place in 0..a.length() {
            let is_sign = place + 1 == a.length() && a.length() < width;
            let shifted = shifted(b, place, width);
            let part = if is_sign { self.word_negated(&shifted, width)? } else { shifted };
            let part = self.word_ite(a.bit(place), &part, &Word::zero(), width)?;
            sum = self.word_add(&sum, &part, Bdd::FALSE, width)?;
        }
        Ok(sum)
    }

    /// Less than, of such numbers.
    pub(crate) fn word_less(
        &mut self,
        a: &Word,
        b: &Word,
        of: Numbers,
        width: u32,
    ) -> Result<Bdd, Exhausted> {
        if of == Numbers::Magnitude {
            let (a, b) = (self.word_key(a, width)?, self.word_key(b, width)?);
            return self.word_less(&a, &b, Numbers::Signed, width);
        }
        let signed = of == Numbers::Signed;
        let length = a.length().max(b.length()).min(width);
        let mut less = Bdd::FALSE;
        for place in 0..length {
            let (mut x, mut y) = (a.bit(place), b.bit(place));
            if signed && place + 1 == length && !self.has(BrokenLaw::SignForgotten) {
                (x, y) = (y, x);
            }
            let differ = self.xor(x, y)?;
            less = self.ite(differ, y, less)?;
        }
        Ok(less)
    }

    /// The number in two's complement that is ordered as a sign and a magnitude are.
    fn word_key(&mut self, a: &Word, width: u32) -> Result<Word, Exhausted> {
        let sign = a.bit(width - 1);
        let mut bits = a.bits(width);
        for bit in &mut bits[..width as usize - 1] {
            *bit = self.xor(*bit, sign)?;
        }
        Ok(Word::of(bits, width))
    }

    pub(crate) fn word_equal(&mut self, a: &Word, b: &Word) -> Result<Bdd, Exhausted> {
        let mut equal = Bdd::TRUE;
        for place in (0..a.length().max(b.length())).rev() {
            let differ = self.xor(a.bit(place), b.bit(place))?;
            equal = self.and(equal, !differ)?;
        }
        Ok(equal)
    }

    /// They are the same in every state of `within`.
    pub(crate) fn are_words_same(
        &mut self,
        within: Bdd,
        a: &Word,
        b: &Word,
    ) -> Result<bool, Exhausted> {
        for place in 0..a.length().max(b.length()) {
            let differ = self.xor(a.bit(place), b.bit(place))?;
            if !self.disjoint(within, differ)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Some bit is set.
    pub(crate) fn word_any(&mut self, a: &Word) -> Result<Bdd, Exhausted> {
        let mut any = Bdd::FALSE;
        for &bit in a.0.iter().rev() {
            any = self.or(any, bit)?;
        }
        Ok(any)
    }

    /// `a` shifted by a computed amount: to the left, or to the right with `fill` from above.
    /// An amount of the width or more leaves nothing but `fill`.
    pub(crate) fn word_shift(
        &mut self,
        a: &Word,
        amount: &Word,
        left: bool,
        fill: Bdd,
        width: u32,
    ) -> Result<Word, Exhausted> {
        let mut bits = a.bits(width);
        let stages = u32::BITS - (width - 1).leading_zeros();
        for stage in 0..stages {
            let distance = 1usize << stage;
            let chosen = amount.bit(stage);
            let before = bits.clone();
            for (place, bit) in bits.iter_mut().enumerate() {
                let from = match left {
                    true => place.checked_sub(distance),
                    false => Some(place + distance),
                };
                let moved = from.and_then(|from| before.get(from)).copied();
                let moved = moved.unwrap_or(if left { Bdd::FALSE } else { fill });
                *bit = self.ite(chosen, moved, *bit)?;
            }
        }
        let mut beyond = Bdd::FALSE;
        for place in stages..width {
            beyond = self.or(beyond, amount.bit(place))?;
        }
        let gone = if left { Bdd::FALSE } else { fill };
        for bit in &mut bits {
            *bit = self.ite(beyond, gone, *bit)?;
        }
        Ok(Word::of(bits, width))
    }

    /// The same by an amount that is one of these numbers in every state, with where it is that one.
    pub(crate) fn word_moved(
        &mut self,
        a: &Word,
        amounts: &[(u128, Bdd)],
        left: bool,
        fill: Bdd,
        width: u32,
    ) -> Result<Word, Exhausted> {
        let mut bits = vec![Bdd::FALSE; width as usize];
        for &(amount, here) in amounts {
            for (place, bit) in bits.iter_mut().enumerate() {
                let place = place as u128;
                let from = match left {
                    true => place.checked_sub(amount),
                    false => place.checked_add(amount).filter(|&it| it < u128::from(width)),
                };
                let outside = if left { Bdd::FALSE } else { fill };
                let moved = from.map_or(outside, |from| a.bit(from as u32));
                let moved = self.and(here, moved)?;
                *bit = self.or(*bit, moved)?;
            }
        }
        Ok(Word::of(bits, width))
    }

    /// How many of these bits are set, as a word of 32 bits.
    ///
    /// Each bit of the number is built from the last bit to the first, for every number of bits
    /// that may be set before: where the bits are variables in order, each step is one node.
    pub(crate) fn count(&mut self, bits: &[Bdd]) -> Result<Word, Exhausted> {
        let certain = bits.iter().filter(|&&bit| bit == Bdd::TRUE).count();
        let open: Vec<Bdd> =
            bits.iter().copied().filter(|&it| it != Bdd::TRUE && it != Bdd::FALSE).collect();
        let mut number = Vec::new();
        for place in 0..usize::BITS - bits.len().leading_zeros() {
            let mut after: Vec<Bdd> = (certain..=certain + open.len())
                .map(|count| Bdd::constant(count >> place & 1 == 1))
                .collect();
            for (before, &bit) in open.iter().enumerate().rev() {
                for count in 0..=before {
                    after[count] = self.ite(bit, after[count + 1], after[count])?;
                }
            }
            number.push(after[0]);
        }
        number.push(Bdd::FALSE);
        Ok(Word::of(number, 32))
    }

    /// Index of the first of these bits that is set, and `none` where none is: each number that
    /// it may be, and where it is that one. They are given with the index that each stands for.
    pub(crate) fn first(
        &mut self,
        bits: impl Iterator<Item = (u32, Bdd)>,
        none: u32,
    ) -> Result<Vec<(u128, Bdd)>, Exhausted> {
        let (mut places, mut nowhere) = (Vec::new(), Bdd::TRUE);
        for (index, bit) in bits {
            let here = self.and(bit, nowhere)?;
            if here != Bdd::FALSE {
                places.push((u128::from(index), here));
                if !self.has(BrokenLaw::EachIsFirst) {
                    nowhere = self.and(nowhere, !bit)?;
                }
            }
        }
        places.push((u128::from(none), nowhere));
        Ok(places)
    }

    /// The number that is one of these in every state.
    pub(crate) fn word_of_places(
        &mut self,
        places: &[(u128, Bdd)],
        width: u32,
    ) -> Result<Word, Exhausted> {
        let mut bits = Vec::new();
        for place in 0..width {
            let mut any = Bdd::FALSE;
            for (_, here) in places.iter().filter(|(number, _)| number >> place & 1 == 1) {
                any = self.or(any, *here)?;
            }
            bits.push(any);
        }
        Ok(Word::of(bits, width))
    }
}

/// Times 2^places.
pub(crate) fn shifted(a: &Word, places: u32, width: u32) -> Word {
    let low = std::iter::repeat_n(Bdd::FALSE, places as usize);
    Word::of(low.chain(a.0.iter().copied()).collect(), width)
}
