//! Maps that keep an order or turn it, taken out of extremes.
//!
//! The greatest of images by a map that keeps the order is the image of the greatest, and by one
//! that turns it that of the least. Sums of a multiple and a number are such maps where they never
//! wrap; shifts to the right and quotients by one value are in every state.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::term::Binary;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::float_map::FloatMap;
use crate::form::{Atom, AtomId, Form, FormId, Forms, sorted};
use crate::numbers::{Numbers, ones};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::property::Property;
use crate::word::Word;

/// A map of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Map {
    /// The value times `factor` and `constant` more; `turns` where greater values have lesser images.
    Affine { factor: u128, constant: u128, turns: bool },
    /// An operation with a second operand.
    By(Binary, FormId),
    /// One of floating-point numbers.
    Float(FloatMap),
    /// The value and a summand.
    Beside(FormId),
}

/// What the parts of an extreme are images of by one map, and where each takes part.
type Images = Option<(Map, Vec<(FormId, Bdd)>)>;

impl Forms {
    /// An extreme of images by one map as the image of an extreme.
    pub(crate) fn map_taken_out(&mut self, form: &Form) -> Result<Option<FormId>, Exhausted> {
        let Operator::Extreme { greatest, of } = form.operator else { return Ok(None) };
        if form.parts.len() < 2 {
            return Ok(None);
        }
        let images = match self.common_summand(form, of)? {
            None => self.common_map(form, of)?,
            images => images,
        };
        let Some((map, values)) = images else { return Ok(None) };
        let mut any = Bdd::FALSE;
        for &(_, here) in &values {
            any = self.diagrams.or(any, here)?;
        }
        let width = form.width;
        let neutral = self.diagrams.word_equal(&form.rest, &form.operator.neutral(width))?;
        if !self.diagrams.disjoint(any, !neutral)? {
            return Ok(None);
        }
        let turns = match map {
            Map::Affine { turns, .. } => turns && !self.diagrams.has(BrokenLaw::MapNotTurned),
            Map::Float(map) => map.turns() && !self.diagrams.has(BrokenLaw::FactorKeepsOrder),
            Map::By(..) | Map::Beside(_) => false,
        };
        let operator = Operator::Extreme { greatest: greatest != turns, of };
        let before = self.form(values[0].0).width;
        let extreme = self.extreme_of(operator, before, &values)?;
        let image = match map {
            Map::Affine { factor, constant, .. } => {
                let multiple = self.scaled(extreme, &Word::number(factor, width))?;
                let constant = self.of_word(Word::number(constant, width), width)?;
                self.combine(Operator::Sum, multiple, constant)?
            }
            Map::By(operation, operand) => self.binary(operation, extreme, operand, width)?,
            Map::Float(map) => self.float_image(map, extreme)?,
            Map::Beside(summand) => self.combine(Operator::Sum, extreme, summand)?,
        };
        let rest = self.of_word(form.rest.clone(), width)?;
        self.ite(any, image, rest).map(Some)
    }

    /// The map by which all parts of an extreme are images.
    fn common_map(&mut self, form: &Form, of: Numbers) -> Result<Images, Exhausted> {
        let (mut found, mut values) = (None, Vec::new());
        for (atom, word) in &form.parts {
            let here = word.bit(0);
            let Some((other, value)) = self.map_of(*atom, of, here)? else { return Ok(None) };
            let map = *found.get_or_insert(other);
            if other != map && !self.diagrams.has(BrokenLaw::AnyMap) {
                return Ok(None);
            }
            values.push((value, here));
        }
        Ok(found.map(|map| (map, values)))
    }

    /// What all parts of an extreme are sums of, none of which wraps, and what each is beside.
    fn common_summand(&mut self, form: &Form, of: Numbers) -> Result<Images, Exhausted> {
        if of == Numbers::Magnitude {
            return Ok(None);
        }
        let width = form.width;
        let limit = ones(if of == Numbers::Signed { width - 1 } else { width });
        let mut sums = Vec::new();
        for (atom, word) in &form.parts {
            let Atom::Form(inner) = *self.atom(*atom) else { return Ok(None) };
            let sum = self.form(inner);
            if sum.operator != Operator::Sum || sum.parts.len() < 2 {
                return Ok(None);
            }
            sums.push((sum.clone(), word.bit(0)));
        }
        let common = self.common_parts(&sums, width)?;
        if common.is_empty() {
            return Ok(None);
        }
        for (sum, here) in &sums {
            let most = self.most_of_sum(sum, *here)?;
            let fits = most.is_some_and(|most| most <= limit);
            if !fits && !self.diagrams.has(BrokenLaw::SummandNeverWraps) {
                return Ok(None);
            }
        }
        let mut values = Vec::new();
        for (mut sum, here) in sums {
            sum.parts.retain(|(part, _)| common.iter().all(|(other, _)| other != part));
            values.push((self.intern(sum)?, here));
        }
        let operator = Operator::Sum;
        let summand = Form { operator, width, parts: common, rest: Word::zero() };
        Ok(Some((Map::Beside(self.intern(summand)?), values)))
    }

    /// The parts that sums have in common, and how often: as often in each where it takes part. What a
    /// sum is where it does not is of no concern, and differs between lanes that know themselves active.
    fn common_parts(
        &mut self,
        sums: &[(Form, Bdd)],
        width: u32,
    ) -> Result<Vec<(AtomId, Word)>, Exhausted> {
        let atoms = sums.iter().flat_map(|(sum, _)| sum.parts.iter().map(|(atom, _)| *atom));
        let atoms: BTreeSet<AtomId> = atoms.collect();
        let mut common = Vec::new();
        for atom in atoms {
            let (mut times, mut any) = (Word::zero(), Bdd::FALSE);
            let mut alike = true;
            for (sum, here) in sums {
                let word = sum.times(atom).cloned().unwrap_or_else(Word::zero);
                let same = self.diagrams.word_equal(&times, &word)?;
                let together = self.diagrams.and(any, *here)?;
                alike = self.diagrams.disjoint(together, !same)?
                    || self.diagrams.has(BrokenLaw::SummandIsCommon)
                        && ![&word, &times].into_iter().any(Word::is_zero);
                if !alike {
                    break;
                }
                times = self.diagrams.word_ite(*here, &word, &times, width)?;
                any = self.diagrams.or(any, *here)?;
            }
            if alike && !times.is_zero() {
                common.push((atom, times));
            }
        }
        Ok(common)
    }

    /// The extreme of values, each of which takes part where its condition holds.
    fn extreme_of(
        &mut self,
        operator: Operator,
        width: u32,
        values: &[(FormId, Bdd)],
    ) -> Result<FormId, Exhausted> {
        let neutral = operator.neutral(width);
        let (mut parts, mut rest) = (BTreeMap::new(), neutral.clone());
        for &(value, here) in values {
            let inner = self.by(value, operator)?;
            for (atom, word) in &inner.parts {
                let takes_part = self.diagrams.and(word.bit(0), here)?;
                self.add_part(&mut parts, operator, width, *atom, &Word::flag(takes_part, 2))?;
            }
            let beside = self.diagrams.word_ite(here, &inner.rest, &neutral, width)?;
            rest = operator.apply(&mut self.diagrams, &rest, &beside, width)?;
        }
        self.intern(Form { operator, width, parts: sorted(parts), rest })
    }

    /// The map by which a part of an extreme is an image where it takes part, and of which value.
    fn map_of(
        &mut self,
        atom: AtomId,
        of: Numbers,
        here: Bdd,
    ) -> Result<Option<(Map, FormId)>, Exhausted> {
        match self.atom(atom).clone() {
            Atom::Form(form) if of != Numbers::Magnitude => self.affine_of(form, of, here),
            Atom::Function(Function::Float(op, format), arguments) if of == Numbers::Magnitude => {
                let Some((map, value)) = self.float_map(op, format, &arguments) else {
                    return Ok(None);
                };
                // A NaN becomes one that may be in another place.
                let number = self.has_property(value, Property::Number(map.from()))?;
                let fits = self.diagrams.disjoint(here, !number)?;
                let fits = fits || self.diagrams.has(BrokenLaw::NanIsMapped);
                Ok(fits.then_some((Map::Float(map), value)))
            }
            Atom::Function(Function::Binary(operation), arguments) => {
                let keeps = match operation {
                    Binary::ShiftRight | Binary::DivUnsigned => of == Numbers::Unsigned,
                    Binary::ShiftRightSigned => of == Numbers::Signed,
                    _ => false,
                };
                Ok(keeps.then(|| (Map::By(operation, arguments[1]), arguments[0])))
            }
            _ => Ok(None),
        }
    }

    /// A multiple of one value, and a number more, that never wraps and has no sign.
    fn affine_of(
        &mut self,
        form: FormId,
        of: Numbers,
        here: Bdd,
    ) -> Result<Option<(Map, FormId)>, Exhausted> {
        let Form { operator, width, parts, rest } = self.form(form).clone();
        let [(atom, times)] = parts.as_slice() else { return Ok(None) };
        let numbers = times.constant(width).zip(rest.constant(width));
        let (Operator::Sum, Some((factor, constant))) = (operator, numbers) else {
            return Ok(None);
        };
        // A flip of the sign is another law's.
        if self.is_sign(&rest, width) {
            return Ok(None);
        }
        let value = self.of_atom(*atom)?;
        let most = self.bound_within(value, here)?;
        // The greatest number whose order is the same of either kind.
        let limit = ones(if of == Numbers::Signed { width - 1 } else { width });
        let turns = factor > ones(width - 1);
        let negated = factor.wrapping_neg() & ones(width);
        let fits = match turns {
            true => negated.checked_mul(most).is_some_and(|less| less <= constant),
            false => {
                let image = factor.checked_mul(most).and_then(|it| it.checked_add(constant));
                image.is_some_and(|image| image <= limit)
            }
        };
        let fits = fits && most <= limit && constant <= limit;
        let fits = fits || self.diagrams.has(BrokenLaw::MapNeverWraps);
        Ok(fits.then_some((Map::Affine { factor, constant, turns }, value)))
    }
}
