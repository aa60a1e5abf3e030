//! Axioms about minimum and maximum.
//!
//! A map that keeps the order takes the greatest value to the greatest image: the high bits, a
//! flip of the sign that changes between the two orders. Of values that are compared by a high
//! part first, the greatest has the greatest high part, and of the low parts that stand beside it
//! the greatest one. The greatest is less than something where all values are.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, FEW, Form, FormId, Forms};
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::order::Concern;
use crate::property::Property;
use crate::word::Word;

/// Values are compared one by one where there are not more pairs.
const PAIRS: usize = 1 << 10;

impl Forms {
    /// The order that an extreme goes by: whether it is the greatest, and of which numbers.
    pub(crate) fn order_of(&self, id: FormId) -> Option<(bool, Numbers)> {
        match self.form(id).operator {
            Operator::Extreme { greatest, of } => Some((greatest, of)),
            _ => None,
        }
    }

    /// It is the number whose only bit is the highest one.
    pub(crate) fn is_sign(&self, word: &Word, width: u32) -> bool {
        width > 1 && word.constant(width) == Some(1 << (width - 1))
    }

    /// An extreme by the order of another one, where it is that, too: numbers without a sign are
    /// ordered alike in all ways. And where that is so.
    pub(crate) fn reordered(
        &mut self,
        id: FormId,
        like: FormId,
    ) -> Result<Option<(FormId, Bdd)>, Exhausted> {
        let (Some((greatest, of)), Some((other, by))) = (self.order_of(id), self.order_of(like))
        else {
            return Ok(None);
        };
        let wrong = self.diagrams.has(BrokenLaw::OrdersAgree);
        if greatest != other || of == by {
            return Ok(None);
        }
        let form = self.form(id).clone();
        let (mut any, mut certain) = (Bdd::FALSE, Bdd::TRUE);
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            any = self.diagrams.or(any, word.bit(0))?;
            let positive = self.has_property(part, Property::Positive)?;
            let positive = self.diagrams.or(!word.bit(0), positive)?;
            if !wrong {
                certain = self.diagrams.and(certain, positive)?;
            }
        }
        if certain == Bdd::FALSE {
            return Ok(None);
        }
        let operator = Operator::Extreme { greatest, of: by };
        let neutral = self.diagrams.word_equal(&form.rest, &form.operator.neutral(form.width))?;
        let rest = operator.neutral(form.width);
        let rest = self.diagrams.word_ite(neutral, &rest, &form.rest, form.width)?;
        // What is neutral counts for nothing beside a part, else a rest is a number as others are, which has no
        // others to be compared with where no part counts.
        let positive = self.diagrams.or(!any, !form.rest.bit(form.width - 1))?;
        let counts = self.diagrams.ite(neutral, any, positive)?;
        let certain = self.diagrams.and(certain, counts)?;
        let again = self.intern(Form { operator, rest, ..form })?;
        Ok(Some((again, certain)))
    }

    /// The least of the greatest and of a value that is the same for all lanes: the greatest of the
    /// least of each and of that value. And the greatest of the least. Of one value it is the
    /// greatest of the least, whichever way it is limited on both sides.
    pub(crate) fn distributed_extreme(
        &mut self,
        operator: Operator,
        a: FormId,
        b: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        let (Operator::Extreme { greatest, .. }, Some(opposite)) =
            (operator, operator.opposite_extreme())
        else {
            return Ok(None);
        };
        for (many, limit) in [(a, b), (b, a)] {
            if let Some(limited) = self.chosen_extreme_limited(operator, many, limit)? {
                return Ok(Some(limited));
            }
            let form = self.form(many);
            let single = greatest && form.parts.len() < 2;
            if single || form.operator != opposite || !self.limits_each(limit)? {
                continue;
            }
            let form = self.form(many).clone();
            let alone = self.of_word(form.rest.clone(), form.width)?;
            let alone = match self.diagrams.has(BrokenLaw::RestNotLimited) {
                true => alone,
                false => self.combine(operator, alone, limit)?,
            };
            let absent = self.of_word(opposite.neutral(form.width), form.width)?;
            let mut values = vec![alone];
            for (atom, word) in &form.parts {
                let part = self.of_atom(*atom)?;
                let limited = self.combine(operator, part, limit)?;
                values.push(self.ite(word.bit(0), limited, absent)?);
            }
            return self.gathered(opposite, &values).map(Some);
        }
        Ok(None)
    }

    /// One of a few values, some of which are opposite extremes, limited one by one.
    fn chosen_extreme_limited(
        &mut self,
        operator: Operator,
        many: FormId,
        limit: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        let Some(opposite) = operator.opposite_extreme() else { return Ok(None) };
        let Some(selection) = self.selection(many)? else { return Ok(None) };
        let is_opposite = |(atom, _): &(AtomId, Bdd)| match *self.atom(*atom) {
            Atom::Form(inner) => self.form(inner).operator == opposite,
            _ => false,
        };
        let few = selection.chosen.len() <= FEW;
        if !few || !selection.chosen.iter().any(is_opposite) || !self.limits_each(limit)? {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (atom, here) in selection.chosen {
            let value = self.of_atom(atom)?;
            values.push((here, self.combine(operator, value, limit)?));
        }
        if selection.any != Bdd::TRUE && !self.diagrams.has(BrokenLaw::OthersNotLimited) {
            let rest = self.of_word(selection.rest, self.form(many).width)?;
            values.push((!selection.any, self.combine(operator, rest, limit)?));
        }
        self.one_of(&values).map(Some)
    }

    /// What limits each part of an extreme as well as the whole: what is the same for all lanes, or
    /// payloads as they are.
    fn limits_each(&mut self, limit: FormId) -> Result<bool, Exhausted> {
        if self.concern_of(limit) == Concern::None {
            return Ok(true);
        }
        let Some(selection) = self.selection(limit)? else { return Ok(false) };
        let is_plain = |atom| !matches!(self.atom(atom), Atom::Form(_) | Atom::Unit(..));
        Ok(selection.chosen.into_iter().all(|(atom, _)| is_plain(atom)))
    }

    /// A value that is limited on one side and then on the other, as one that is limited the other way
    /// round: `operator` comes last.
    pub(crate) fn limited_last(
        &mut self,
        form: &Form,
        operator: Operator,
    ) -> Result<Option<Form>, Exhausted> {
        if operator.opposite_extreme() != Some(form.operator) {
            return Ok(None);
        }
        // One part takes part in every state: otherwise the form would be a choice.
        let [(atom, word)] = form.parts.as_slice() else { return Ok(None) };
        let Atom::Form(inner) = *self.atom(*atom) else { return Ok(None) };
        let inner = self.form(inner).clone();
        let [(part, inner_word)] = inner.parts.as_slice() else { return Ok(None) };
        if inner.operator != operator || word.as_flag(2) != Some(Bdd::TRUE) {
            return Ok(None);
        }
        let width = form.width;
        let limit = self.of_word(form.rest.clone(), width)?;
        let part = self.of_atom(*part)?;
        let limited = self.combine(form.operator, part, limit)?;
        let limited = self.as_atom(limited);
        let rest = match self.diagrams.has(BrokenLaw::RestNotLimited) {
            true => inner.rest.clone(),
            false => form.operator.apply(&mut self.diagrams, &inner.rest, &form.rest, width)?,
        };
        Ok(Some(Form { operator, width, parts: vec![(limited, inner_word.clone())], rest }))
    }

    /// Beside the number that no other outdoes nothing counts.
    pub(crate) fn without_outdone(&mut self, mut form: Form) -> Result<Form, Exhausted> {
        let Operator::Extreme { greatest, of } = form.operator else { return Ok(form) };
        let wrong = self.diagrams.has(BrokenLaw::NeutralOutdoes);
        let last = Operator::Extreme { greatest: greatest == wrong, of }.neutral(form.width);
        let outdone = self.diagrams.word_equal(&form.rest, &last)?;
        if outdone == Bdd::FALSE {
            return Ok(form);
        }
        let mut parts = Vec::new();
        for (atom, word) in form.parts {
            let word = self.diagrams.word_ite(outdone, &Word::zero(), &word, 2)?;
            if !word.is_zero() {
                parts.push((atom, word));
            }
        }
        form.parts = parts;
        Ok(form)
    }

    /// An extreme whose sign bit is flipped: by the other order, that of the values with flipped
    /// sign bits. Of magnitudes with a sign it is the opposite extreme.
    pub(crate) fn turned(&mut self, id: FormId) -> Result<Option<FormId>, Exhausted> {
        let Some((mut greatest, of)) = self.order_of(id) else { return Ok(None) };
        let form = self.form(id).clone();
        let width = form.width;
        let sign = Word::number(1 << (width - 1), width);
        let kept = self.diagrams.has(BrokenLaw::OrderKept);
        let of = match of {
            Numbers::Unsigned => Numbers::signed(!kept),
            Numbers::Signed => Numbers::signed(kept),
            Numbers::Magnitude => {
                greatest = greatest == self.diagrams.has(BrokenLaw::NegationKeepsOrder);
                of
            }
        };
        let operator = Operator::Extreme { greatest, of };
        let flip = |forms: &mut Self, part| {
            let sign = forms.of_word(Word::number(1 << (width - 1), width), width)?;
            forms.combine(Operator::Sum, part, sign)
        };
        let rest = match self.order_of(id) {
            Some((_, Numbers::Magnitude)) if self.diagrams.has(BrokenLaw::NegationKeepsOrder) => {
                form.rest.clone()
            }
            _ => self.diagrams.bitwise(crate::bdd::Diagrams::xor, &form.rest, &sign, width)?,
        };
        self.through(&form, operator, width, &flip, rest).map(Some)
    }

    /// Bits of an extreme.
    pub(crate) fn extract_extreme(
        &mut self,
        id: FormId,
        high: u32,
        low: u32,
    ) -> Result<FormId, Exhausted> {
        let form = self.form(id).clone();
        let width = high - low + 1;
        if high + 1 == form.width || self.diagrams.has(BrokenLaw::AnyBitsInOrder) {
            let bits = (low..=high).map(|place| form.rest.bit(place)).collect();
            let again = |forms: &mut Self, part| forms.extract(part, high, low);
            return self.through(&form, form.operator, width, &again, Word::of(bits, width));
        }
        let below = match low {
            0 => self.low_of_extreme(id, &form, high + 1)?,
            _ => Some(self.extract(id, high, 0)?),
        };
        match below {
            Some(below) if low == 0 => Ok(below),
            // A result that is no extreme is less useful than the term itself.
            Some(below) if self.order_of(below).is_some() => self.extract(below, high, low),
            _ => self.opaque(Function::Extract { high, low }, vec![id], width),
        }
    }

    /// The low part of an extreme: the extreme of the low parts beside the extreme high part.
    fn low_of_extreme(
        &mut self,
        id: FormId,
        form: &Form,
        width: u32,
    ) -> Result<Option<FormId>, Exhausted> {
        let Operator::Extreme { greatest, of } = form.operator else { return Ok(None) };
        // Of two negative numbers the greater has the lesser low part.
        if of == Numbers::Magnitude {
            return Ok(None);
        }
        let top = form.width - 1;
        let extreme = self.extract(id, top, width)?;
        let operator = Operator::Extreme { greatest, of: Numbers::Unsigned };
        let neutral = operator.neutral(width);
        let neutral = self.of_word(neutral, width)?;
        let (mut any, mut beside) = (Bdd::FALSE, Vec::new());
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            any = self.diagrams.or(any, word.bit(0))?;
            let high = self.extract(part, top, width)?;
            let same = match self.diagrams.has(BrokenLaw::LowAlone) {
                true => Bdd::TRUE,
                false => self.equal(high, extreme)?,
            };
            let here = self.diagrams.and(word.bit(0), same)?;
            let low = self.extract(part, width - 1, 0)?;
            beside.push(self.ite(here, low, neutral)?);
        }
        // What is neutral has a neutral low part.
        let is_neutral = form.operator.neutral(form.width);
        let is_neutral = self.diagrams.word_equal(&form.rest, &is_neutral)?;
        if is_neutral != Bdd::TRUE && !self.diagrams.has(BrokenLaw::RestNotBeside) {
            let rest = self.of_word(form.rest.clone(), form.width)?;
            let high = self.extract(rest, top, width)?;
            let same = self.equal(high, extreme)?;
            let here = self.diagrams.and(!is_neutral, same)?;
            let low = self.extract(rest, width - 1, 0)?;
            beside.push(self.ite(here, low, neutral)?);
        }
        let low = self.all_of(operator, &beside)?;
        let nothing = self.of_word(Word::of(form.rest.bits(width), width), width)?;
        self.ite(any, low, nothing).map(Some)
    }

    /// Combines some values; there is at least one.
    pub(crate) fn all_of(
        &mut self,
        operator: Operator,
        values: &[FormId],
    ) -> Result<FormId, Exhausted> {
        match values {
            [] => unreachable!("nothing is combined"),
            [only] => Ok(*only),
            _ => {
                let (first, second) = values.split_at(values.len() / 2);
                let (first, second) =
                    (self.all_of(operator, first)?, self.all_of(operator, second)?);
                self.combine(operator, first, second)
            }
        }
    }

    /// `a` is less than `b`, where at least one is an extreme by that order.
    pub(crate) fn less_extreme(
        &mut self,
        a: FormId,
        b: FormId,
        of: Numbers,
    ) -> Result<Option<Bdd>, Exhausted> {
        let ordered = |forms: &Self, id| forms.order_of(id).filter(|(_, by)| *by == of);
        let (extreme, greatest, is_first) = match (ordered(self, a), ordered(self, b)) {
            (Some((greatest, _)), _) => (a, greatest, true),
            (None, Some((greatest, _))) => (b, greatest, false),
            (None, None) => return Ok(None),
        };
        let parts = |forms: &Self, id| forms.form(id).parts.len().max(1);
        if parts(self, a) * parts(self, b) > PAIRS {
            return Ok(None);
        }
        let form = self.form(extreme).clone();
        let rest = self.of_word(form.rest.clone(), form.width)?;
        let compare = |forms: &mut Self, value| match is_first {
            true => forms.less(value, b, of),
            false => forms.less(a, value, of),
        };
        // Less than the least, and the greatest less: all are. Otherwise some is.
        let all = (greatest == is_first) != self.diagrams.has(BrokenLaw::SomeForAll);
        let mut less = compare(self, rest)?;
        if form.rest == form.operator.neutral(form.width) {
            // Where some value takes part, what is neutral does not count.
            let mut any = Bdd::FALSE;
            for (_, word) in &form.parts {
                any = self.diagrams.or(any, word.bit(0))?;
            }
            less = match all {
                true => self.diagrams.or(any, less)?,
                false => self.diagrams.and(!any, less)?,
            };
        }
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            let here = compare(self, part)?;
            less = match all {
                true => {
                    let here = self.diagrams.or(!word.bit(0), here)?;
                    self.diagrams.and(less, here)?
                }
                false => {
                    let here = self.diagrams.and(word.bit(0), here)?;
                    self.diagrams.or(less, here)?
                }
            };
        }
        Ok(Some(less))
    }

    /// The parts that a value was put together from side by side.
    pub(crate) fn side_by_side(&self, id: FormId) -> Option<(FormId, FormId)> {
        self.sides(self.form(id).single_atom()?)
    }

    /// The high and the low part of an atom that was put together side by side.
    pub(crate) fn sides(&self, atom: AtomId) -> Option<(FormId, FormId)> {
        match self.atom(atom) {
            Atom::Function(Function::Concat, arguments) => Some((arguments[0], arguments[1])),
            _ => None,
        }
    }
}
