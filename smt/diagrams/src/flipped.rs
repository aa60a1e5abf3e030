//! Bits that are flipped by a number's sign: the integers by which floating-point numbers are
//! ordered, and back.

use laneproof_semantics::term::FloatFormat;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::flips::Flips;
use crate::form::{Atom, Form, FormId, Forms};
use crate::numbers::{Numbers, ones};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::property::Property;
use crate::word::Word;

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
        for format in FloatFormat::ALL.into_iter().filter(|it| it.width() == width) {
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
