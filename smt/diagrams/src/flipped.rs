//! Bits that are flipped by a number's sign: the integers by which floating-point numbers are
//! ordered, and back.
//!
//! Such a map is one to one. It takes the order of numbers of one kind to that of another one where
//! each half of the numbers goes in order, or each in the opposite one, and so do the halves.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::number::{FORMATS, Property};
use crate::form::{Atom, Form, FormId, Forms};
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::sums::ones;
use crate::word::Word;

/// Which bits are flipped, where the highest one is not set and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flips {
    pub(crate) unset: u128,
    pub(crate) set: u128,
}

impl Flips {
    /// The same bits whatever the sign.
    const fn always(bits: u128) -> Self {
        Self { unset: bits, set: bits }
    }

    const fn by(self, sign: bool) -> u128 {
        if sign { self.set } else { self.unset }
    }

    /// What sign a number with that one gets.
    const fn sign_after(self, sign: bool, width: u32) -> bool {
        sign != (self.by(sign) >> (width - 1) & 1 == 1)
    }

    /// These first, then others by the sign that is left.
    fn then(self, next: Self, width: u32) -> Self {
        let both = |sign| self.by(sign) ^ next.by(self.sign_after(sign, width));
        Self { unset: both(false), set: both(true) }
    }

    /// Whether numbers that are ordered like `from` become numbers ordered like `to` the other way
    /// round, if they are ordered like them either way.
    fn turns(self, from: Numbers, to: Numbers, width: u32) -> Option<bool> {
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
    const fn sign_left(self, width: u32) -> Option<bool> {
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

impl Forms {
    /// A value with bits flipped by its sign.
    pub(crate) fn flipped(&mut self, id: FormId, flips: Flips) -> Result<FormId, Exhausted> {
        let id = self.put_together(id)?;
        let form = self.form(id).clone();
        let width = form.width;
        if flips.unset == flips.set {
            if flips.set == ones(width) {
                return self.complement(id);
            }
            let bits = self.of_word(Word::number(flips.set, width), width)?;
            return self.combine(Operator::Xor, id, bits);
        }
        if let Some(word) = self.as_word(id).cloned() {
            let word = self.word_flipped(&word, flips, width)?;
            return self.of_word(word, width);
        }
        let again = |forms: &mut Self, value| forms.flipped(value, flips);
        if let Some(sign) = flips.sign_left(width) {
            if let Some(chosen) = self.of_each(id, &again)? {
                return Ok(chosen);
            }
            let (operator, mask) = match sign {
                true => (Operator::Or, 1 << (width - 1)),
                false => (Operator::And, ones(width - 1)),
            };
            let mask = self.of_word(Word::number(mask, width), width)?;
            return self.combine(operator, id, mask);
        }
        if let Some((inner, first)) = self.as_flipped(id)? {
            return self.flipped(inner, first.then(flips, width));
        }
        if let Operator::Extreme { greatest, of } = form.operator {
            for to in [Numbers::Magnitude, Numbers::Unsigned, Numbers::Signed] {
                let Some(turns) = flips.turns(of, to, width) else { continue };
                let turns = turns && !self.diagrams.has(BrokenLaw::FlipsKeepOrder);
                let operator = Operator::Extreme { greatest: greatest != turns, of: to };
                // What is neutral becomes what is neutral in the other order.
                let rest = match self.diagrams.has(BrokenLaw::FlipsKeepOrder) {
                    true => operator.neutral(width),
                    false => self.word_flipped(&form.rest, flips, width)?,
                };
                return self.through(&form, operator, width, &again, rest);
            }
        }
        match self.of_each(id, &again)? {
            Some(chosen) => Ok(chosen),
            None => self.opaque(Function::Flipped(flips), vec![id], width),
        }
    }

    /// The value whose bits are flipped to give this one, and which.
    fn as_flipped(&mut self, id: FormId) -> Result<Option<(FormId, Flips)>, Exhausted> {
        let form = self.form(id);
        let width = form.width;
        let same = match form.parts.as_slice() {
            [(atom, word)] if form.operator == Operator::Xor && word.bit(0) == Bdd::TRUE => {
                form.rest.constant(width).map(|bits| (*atom, bits))
            }
            [(atom, _)] if self.is_sign(&form.rest, width) => {
                form.atom_beside_rest().map(|_| (*atom, 1 << (width - 1)))
            }
            _ => None,
        };
        if let Some((atom, bits)) = same {
            return Ok(Some((self.of_atom(atom)?, Flips::always(bits))));
        }
        let Some(atom) = form.single_atom() else { return Ok(None) };
        Ok(match self.atom(atom) {
            Atom::Function(Function::Flipped(flips), arguments) => Some((arguments[0], *flips)),
            Atom::Function(Function::Complement, arguments) => {
                Some((arguments[0], Flips::always(ones(width))))
            }
            _ => None,
        })
    }

    /// The same of bits.
    pub(crate) fn word_flipped(
        &mut self,
        word: &Word,
        flips: Flips,
        width: u32,
    ) -> Result<Word, Exhausted> {
        let sign = word.bit(width - 1);
        let [unset, set] = [flips.unset, flips.set].map(|bits| Word::number(bits, width));
        let bits = self.diagrams.word_ite(sign, &set, &unset, width)?;
        self.diagrams.bitwise(crate::bdd::Diagrams::xor, word, &bits, width)
    }

    /// A number whose sign is flipped where that is seen to set or to clear it: as a mask does it.
    pub(crate) fn with_one_sign(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let form = self.form(id);
        let (width, top) = (form.width, form.width - 1);
        let flipped = form.rest.bit(top);
        let alone = (0..top).all(|place| form.rest.bit(place) == Bdd::FALSE);
        let Some(atom) = form.atom_beside_rest() else { return Ok(id) };
        if !alone || flipped == Bdd::FALSE || flipped == Bdd::TRUE {
            return Ok(id);
        }
        let number = self.of_atom(atom)?;
        let sign = self.bits_of_atom(atom)?.bit(top);
        for format in FORMATS.into_iter().filter(|it| it.width() == width) {
            let certain = self.has_property(number, Property::Number(format))?;
            for sets in [false, true] {
                let differ = self.diagrams.xor(flipped, sign.complement_if(sets))?;
                if certain != Bdd::FALSE && self.diagrams.disjoint(certain, differ)? {
                    let top = 1 << top;
                    let (unset, set) = if sets { (top, 0) } else { (0, top) };
                    let masked = self.flipped(number, Flips { unset, set })?;
                    return self.ite(certain, masked, id);
                }
            }
        }
        Ok(id)
    }

    /// A value where a condition holds, and one payload elsewhere: a choice even where the value is put
    /// together, so that what is done to it is done to either.
    pub(crate) fn guarded(
        &mut self,
        here: Bdd,
        value: FormId,
        otherwise: FormId,
    ) -> Result<FormId, Exhausted> {
        let Some(atom) = self.form(otherwise).single_atom() else {
            return self.ite(here, value, otherwise);
        };
        if self.order_of(value).is_none() || here == Bdd::TRUE || here == Bdd::FALSE {
            return self.ite(here, value, otherwise);
        }
        let width = self.form(value).width;
        let mut parts =
            vec![(self.as_atom(value), Word::flag(here, width)), (atom, Word::flag(!here, width))];
        parts.sort_unstable_by_key(|(atom, _)| *atom);
        self.intern(Form { operator: Operator::Sum, width, parts, rest: Word::zero() })
    }

    /// What a map gives of a value that is one of several, in each state; none where it is one value.
    pub(crate) fn of_each(
        &mut self,
        id: FormId,
        map: &dyn Fn(&mut Self, FormId) -> Result<FormId, Exhausted>,
    ) -> Result<Option<FormId>, Exhausted> {
        let Some(selection) = self.selection(id)? else { return Ok(None) };
        if let [(_, here)] = selection.chosen.as_slice()
            && *here == Bdd::TRUE
        {
            return Ok(None);
        }
        let width = self.form(id).width;
        let mut values = Vec::new();
        for (atom, here) in selection.chosen {
            let value = self.of_atom(atom)?;
            values.push((here, map(self, value)?));
        }
        if selection.any != Bdd::TRUE {
            let rest = self.of_word(selection.rest, width)?;
            values.push((!selection.any, map(self, rest)?));
        }
        self.one_of(&values).map(Some)
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
