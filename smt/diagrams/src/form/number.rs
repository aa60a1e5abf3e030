//! Floating-point numbers: where a value is certainly no NaN, or no zero, and their order.
//!
//! The bits of floating-point numbers are ordered as a sign and a magnitude are, which is a total
//! order of all bits. Comparisons of numbers see no difference between the two zeros; of numbers
//! of which one is no zero they are that order.

use laneproof_semantics::term::{FloatFormat, FloatOp, Term};
use rustc_hash::FxHashMap;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms};
use crate::numbers::Numbers;
use crate::opaque::{Function, Relation};
use crate::operator::Operator;
use crate::property::Property;
use crate::word::Word;

/// Where properties are certain.
#[derive(Default)]
pub(crate) struct FloatFacts {
    /// Of free constants, by assertions.
    given: FxHashMap<(AtomId, Property), Bdd>,
    /// Of values, as far as that was worked out.
    derived: FxHashMap<(FormId, Property), Bdd>,
    /// Tests of numbers, and comparisons with a constant, are variables and not bits.
    pub(crate) alone: bool,
    /// Such a variable stands for what bits would say.
    pub(crate) asked: bool,
}

impl FloatFacts {
    /// More is known: what was worked out is worked out again.
    pub(crate) fn forget(&mut self) {
        self.derived.clear();
    }
}

impl Forms {
    /// Records that an atom has a property where `here` holds.
    pub(crate) fn note_property(
        &mut self,
        atom: AtomId,
        property: Property,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        self.diagrams.or_at(&mut self.facts.floats.given, (atom, property), here)?;
        self.facts.floats.derived.clear();
        Ok(())
    }

    /// Something is known of a free constant as a number: its order is more than single bits.
    pub(crate) fn is_float(&self, constant: Term) -> bool {
        self.facts.floats.given.keys().any(|(atom, _)| *self.atom(*atom) == Atom::Free(constant))
    }

    /// The atoms of which a value is one but for its sign: whether the sign is the atom's, too, and where it
    /// is that one.
    pub(crate) fn atoms_but_for_sign(
        &mut self,
        id: FormId,
    ) -> Result<Vec<(AtomId, bool, Bdd)>, Exhausted> {
        let form = self.form(id).clone();
        if let Some(atom) = self.atom_beside_sign_mask(&form) {
            return Ok(vec![(atom, false, Bdd::TRUE)]);
        }
        let only_sign = (0..form.width - 1).all(|place| form.rest.bit(place) == Bdd::FALSE);
        if form.operator != Operator::Sum || !only_sign {
            return Ok(Vec::new());
        }
        let (mut any, mut atoms) = (Bdd::FALSE, Vec::new());
        for (atom, word) in &form.parts {
            let Some(here) = word.as_flag(form.width) else { return Ok(Vec::new()) };
            if !self.diagrams.disjoint(any, here)? {
                return Ok(Vec::new());
            }
            any = self.diagrams.or(any, here)?;
            let masked = match *self.atom(*atom) {
                Atom::Form(inner) => self.atom_beside_sign_mask(&self.form(inner).clone()),
                _ => None,
            };
            let kept = masked.is_none() && form.rest.is_zero();
            atoms.push((masked.unwrap_or(*atom), kept, here));
        }
        Ok(atoms)
    }

    /// Where a value lacks a property that is not one of the sign, as one variable for each value that it may be:
    /// where bits matter for nothing else, that is all that is asked of them.
    pub(crate) fn lacks(&mut self, id: FormId, property: Property) -> Result<Bdd, Exhausted> {
        let form = self.form(id).clone();
        if form.parts.is_empty() {
            return Ok(!self.word_has(&form.rest, form.width, property)?);
        }
        let atoms = self.atoms_but_for_sign(id)?;
        if atoms.is_empty() {
            return self.lacks_as_whole(id, property);
        }
        let (mut any, mut lacks) = (Bdd::FALSE, Bdd::FALSE);
        for (atom, _, chosen) in atoms {
            let inner = self.number_within(atom, property);
            let own = match inner {
                Some(inner) => self.lacks(inner, property)?,
                None => {
                    let value = self.of_atom(atom)?;
                    self.lacks_as_whole(value, property)?
                }
            };
            any = self.diagrams.or(any, chosen)?;
            let own = self.diagrams.and(chosen, own)?;
            lacks = self.diagrams.or(lacks, own)?;
        }
        let rest = !self.word_has(&form.rest, form.width, property)?;
        let rest = self.diagrams.and(!any, rest)?;
        self.diagrams.or(lacks, rest)
    }

    fn lacks_as_whole(&mut self, id: FormId, property: Property) -> Result<Bdd, Exhausted> {
        self.facts.floats.asked = true;
        let lacks = self.opaque(Function::Lacks(property), vec![id], 1)?;
        Ok(self.bits(lacks)?.bit(0))
    }

    /// Where a value certainly has a property.
    pub(crate) fn has_property(
        &mut self,
        id: FormId,
        property: Property,
    ) -> Result<Bdd, Exhausted> {
        if let Some(&known) = self.facts.floats.derived.get(&(id, property)) {
            return Ok(known);
        }
        let form = self.form(id).clone();
        let mut certain = match form.operator {
            Operator::Sum => self.sum_has(&form, property)?,
            Operator::Extreme { .. } => self.extreme_has(&form, property)?,
            Operator::And | Operator::Or => self.masked_has(&form, property)?,
            _ => Bdd::FALSE,
        };
        if property == Property::NotMinusZero {
            for other in [Property::NonZero, Property::Positive] {
                let has = self.has_property(id, other)?;
                certain = self.diagrams.or(certain, has)?;
            }
        }
        self.facts.floats.derived.insert((id, property), certain);
        Ok(certain)
    }

    /// A value that is one of several, with its sign flipped or not.
    fn sum_has(&mut self, form: &Form, property: Property) -> Result<Bdd, Exhausted> {
        let (mut any, mut certain) = (Bdd::FALSE, Bdd::TRUE);
        for (atom, word) in &form.parts {
            let Some(here) = word.as_flag(form.width) else { return Ok(Bdd::FALSE) };
            if !self.diagrams.disjoint(any, here)? {
                return Ok(Bdd::FALSE);
            }
            any = self.diagrams.or(any, here)?;
            let has = self.atom_has(*atom, property)?;
            let has = self.diagrams.or(!here, has)?;
            certain = self.diagrams.and(certain, has)?;
        }
        let top = form.width - u32::from(!property.is_of_sign());
        for place in 0..top {
            if !self.diagrams.disjoint(any, form.rest.bit(place))? {
                return Ok(Bdd::FALSE);
            }
        }
        let rest = self.word_has(&form.rest, form.width, property)?;
        let rest = self.diagrams.or(any, rest)?;
        self.diagrams.and(certain, rest)
    }

    /// A value whose sign a mask sets or clears.
    fn masked_has(&mut self, form: &Form, property: Property) -> Result<Bdd, Exhausted> {
        if self.bits_show(form, property) {
            return Ok(Bdd::TRUE);
        }
        match self.atom_beside_sign_mask(form).filter(|_| !property.is_of_sign()) {
            Some(atom) => self.atom_has(atom, property),
            None => Ok(Bdd::FALSE),
        }
    }

    /// Some bits that masks set or clear are enough: not all of a NaN's are, a zero has none.
    fn bits_show(&self, form: &Form, property: Property) -> bool {
        let mut low = 0..form.width - 1;
        let set = self.diagrams.has(BrokenLaw::SetBitsAreNoNan);
        match property {
            Property::Number(format) => low
                .any(|place| format.infinity() >> place & 1 == 1 && self.is_bit(form, place, set)),
            Property::NonZero => low.any(|place| self.is_bit(form, place, true)),
            Property::Positive | Property::NotMinusZero => self.is_bit(form, form.width - 1, false),
        }
    }

    /// Masks set this bit, or clear it.
    fn is_bit(&self, form: &Form, place: u32, value: bool) -> bool {
        let wins = form.operator == Operator::Or;
        let rest = form.rest.bit(place) == Bdd::constant(value);
        let part = |(atom, word): &(AtomId, Word)| {
            let inner = match *self.atom(*atom) {
                Atom::Form(inner) => self.form(inner),
                _ => return false,
            };
            word.bit(0) == Bdd::TRUE && self.is_bit(inner, place, value)
        };
        match form.operator {
            Operator::And | Operator::Or if wins == value => rest || form.parts.iter().any(part),
            Operator::And | Operator::Or => rest && form.parts.iter().all(part),
            _ => form.parts.is_empty() && rest,
        }
    }

    /// The atom of which a mask changes the sign alone.
    fn atom_beside_sign_mask(&self, form: &Form) -> Option<AtomId> {
        let kept = match form.operator {
            Operator::And => Bdd::TRUE,
            Operator::Or => Bdd::FALSE,
            _ => return None,
        };
        let keeps = (0..form.width - 1).all(|place| form.rest.bit(place) == kept);
        match form.parts.as_slice() {
            [(atom, word)] if word.bit(0) == Bdd::TRUE => {
                (keeps || self.diagrams.has(BrokenLaw::AnyMaskKeepsNumbers)).then_some(*atom)
            }
            _ => None,
        }
    }

    /// The least or greatest is one of those that take part.
    fn extreme_has(&mut self, form: &Form, property: Property) -> Result<Bdd, Exhausted> {
        let (mut any, mut certain) = (Bdd::FALSE, Bdd::TRUE);
        for (atom, word) in &form.parts {
            let here = word.bit(0);
            any = self.diagrams.or(any, here)?;
            let has = self.atom_has(*atom, property)?;
            let has = self.diagrams.or(!here, has)?;
            certain = self.diagrams.and(certain, has)?;
        }
        let neutral = form.operator.neutral(form.width);
        let neutral = self.diagrams.word_equal(&form.rest, &neutral)?;
        let beside = self.diagrams.and(any, neutral)?;
        let rest = self.word_has(&form.rest, form.width, property)?;
        let rest = self.diagrams.or(beside, rest)?;
        self.diagrams.and(certain, rest)
    }

    fn word_has(&mut self, word: &Word, width: u32, property: Property) -> Result<Bdd, Exhausted> {
        let first = match property {
            Property::Number(format) if format.width() != width => return Ok(Bdd::FALSE),
            Property::Number(format) => format.fraction(),
            Property::NonZero | Property::NotMinusZero => width - 1,
            Property::Positive => return Ok(!word.bit(width - 1)),
        };
        let (mut fraction, mut exponent) = (Bdd::FALSE, Bdd::TRUE);
        for place in 0..width - 1 {
            match place < first {
                true => fraction = self.diagrams.or(fraction, word.bit(place))?,
                false => exponent = self.diagrams.and(exponent, word.bit(place))?,
            }
        }
        match property {
            Property::NonZero | Property::Positive => Ok(fraction),
            Property::NotMinusZero => self.diagrams.or(fraction, !word.bit(width - 1)),
            Property::Number(_) => Ok(!self.diagrams.and(fraction, exponent)?),
        }
    }

    fn atom_has(&mut self, atom: AtomId, property: Property) -> Result<Bdd, Exhausted> {
        let given = self.facts.floats.given.get(&(atom, property)).copied().unwrap_or(Bdd::FALSE);
        let by_limits = self.limits_give(atom, property)?;
        let mut given = self.diagrams.or(given, by_limits)?;
        if property == Property::NotMinusZero {
            for other in [Property::NonZero, Property::Positive] {
                let has = self.atom_has(atom, other)?;
                given = self.diagrams.or(given, has)?;
            }
        }
        if let Atom::Function(Function::Float(op, of), arguments) = self.atom(atom) {
            let (op, of, arguments) = (*op, *of, arguments.clone());
            // The integer 0 becomes +0.
            if matches!(op, FloatOp::FromUnsigned | FloatOp::FromSigned)
                && (property == Property::Number(of) || property == Property::NotMinusZero)
            {
                return Ok(Bdd::TRUE);
            }
            let certain = self.image_has(op, of, &arguments, property)?;
            return self.diagrams.or(given, certain);
        }
        match self.number_within(atom, property) {
            Some(inner) => {
                let certain = self.has_property(inner, property)?;
                self.diagrams.or(given, certain)
            }
            None => Ok(given),
        }
    }

    /// The value that an atom is, up to which NaN it is where that does not matter for a property.
    fn number_within(&self, atom: AtomId, property: Property) -> Option<FormId> {
        match self.atom(atom) {
            Atom::Form(inner) => Some(*inner),
            // Another NaN, the same number.
            Atom::Function(Function::Payload(of) | Function::Canonical(of), arguments) => {
                let same = match property {
                    Property::Number(format) => format == *of,
                    Property::NonZero => true,
                    Property::Positive | Property::NotMinusZero => false,
                };
                same.then_some(arguments[0])
            }
            _ => None,
        }
    }

    /// Beside a number an infinity counts for nothing in the least or greatest, where it is the one
    /// that every number outdoes.
    pub(crate) fn without_infinity(&mut self, mut form: Form) -> Result<Form, Exhausted> {
        let Operator::Extreme { greatest, of: Numbers::Magnitude } = form.operator else {
            return Ok(form);
        };
        let neutral = form.operator.neutral(form.width);
        if form.rest == neutral || form.parts.is_empty() {
            return Ok(form);
        }
        for format in FloatFormat::ALL.into_iter().filter(|it| it.width() == form.width) {
            let sign = if greatest { format.sign() } else { 0 };
            let infinity = Word::number(format.infinity() | sign, form.width);
            let mut here = self.diagrams.word_equal(&form.rest, &infinity)?;
            if here == Bdd::FALSE {
                continue;
            }
            let mut any = Bdd::FALSE;
            for (atom, word) in &form.parts {
                let has = self.atom_has(*atom, Property::Number(format))?;
                let number = self.diagrams.and(word.bit(0), has)?;
                any = self.diagrams.or(any, number)?;
            }
            if !self.diagrams.has(BrokenLaw::InfinityIsNeutral) {
                here = self.diagrams.and(here, any)?;
            }
            form.rest = self.diagrams.word_ite(here, &neutral, &form.rest, form.width)?;
        }
        Ok(form)
    }

    /// Where one of two values is certainly no zero, or none is −0, so that their order as numbers is
    /// that of their bits.
    pub(crate) fn one_is_nonzero(&mut self, a: FormId, b: FormId) -> Result<Bdd, Exhausted> {
        if self.diagrams.has(BrokenLaw::ZerosAreOrdered) {
            return Ok(Bdd::TRUE);
        }
        let mut exact = Bdd::FALSE;
        let mut plus = Bdd::TRUE;
        for id in [a, b] {
            let nonzero = self.has_property(id, Property::NonZero)?;
            exact = self.diagrams.or(exact, nonzero)?;
            let not_minus = self.has_property(id, Property::NotMinusZero)?;
            plus = self.diagrams.and(plus, not_minus)?;
        }
        self.diagrams.or(exact, plus)
    }

    /// Where `a` is less than `b`, as numbers that are no NaN, as far as that is their order as
    /// bits; and where it is.
    pub(crate) fn less_number(
        &mut self,
        mut a: FormId,
        mut b: FormId,
    ) -> Result<[Bdd; 2], Exhausted> {
        let width = self.form(a).width;
        let mut exact = self.one_is_nonzero(a, b)?;
        // No number is between the zeros.
        let zero = |forms: &Self, id| {
            forms
                .as_word(id)
                .is_some_and(|word| (0..width - 1).all(|place| word.bit(place) == Bdd::FALSE))
        };
        if zero(self, a) {
            (a, exact) = (self.of_word(Word::zero(), width)?, Bdd::TRUE);
        }
        if zero(self, b) {
            let sign = Word::number(1 << (width - 1), width);
            (b, exact) = (self.of_word(sign, width)?, Bdd::TRUE);
        }
        let less = self.less(a, b, Numbers::Magnitude)?;
        if exact == Bdd::TRUE {
            return Ok([less, exact]);
        }
        let unknown = self.relation(Relation::LessNumber, a, b);
        Ok([self.diagrams.ite(exact, less, unknown)?, exact])
    }
}
