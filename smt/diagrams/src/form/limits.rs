//! Numbers that payloads are assumed never to be below, or never above.

use rustc_hash::FxHashMap;

use super::{Atom, AtomId, Form, Forms};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::property::Property;
use crate::word::Word;

/// A number that a payload is never below, or never above, in some order.
#[derive(Clone, Copy, Debug)]
struct Limit {
    number: u128,
    /// It is never below.
    lower: bool,
    /// Where that is so.
    here: Bdd,
}

/// The limits of payloads, by their order.
#[derive(Default)]
pub(crate) struct LimitFacts {
    given: FxHashMap<(AtomId, Numbers), Vec<Limit>>,
}

/// Up to so many limits are kept of one payload.
const LIMITS: usize = 8;

impl Forms {
    /// Records that an atom is never below a number where `here` holds, or never above it.
    pub(crate) fn note_limit(
        &mut self,
        (atom, of): (AtomId, Numbers),
        number: u128,
        lower: bool,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let here = if self.diagrams.has(BrokenLaw::LimitedEverywhere) { Bdd::TRUE } else { here };
        let limits = self.facts.limits.given.entry((atom, of)).or_default();
        if let Some(same) = limits.iter_mut().find(|it| (it.number, it.lower) == (number, lower)) {
            same.here = self.diagrams.or(same.here, here)?;
        } else if limits.len() < LIMITS {
            limits.push(Limit { number, lower, here });
        }
        self.facts.floats.forget();
        Ok(())
    }

    /// The limits of an atom: those that are assumed, and the images of those of the number that it is
    /// an image of.
    fn limits_of(&mut self, atom: AtomId, of: Numbers) -> Result<Vec<Limit>, Exhausted> {
        let mut limits = self.facts.limits.given.get(&(atom, of)).cloned().unwrap_or_default();
        if of != Numbers::Magnitude || self.facts.limits.given.is_empty() {
            return Ok(limits);
        }
        let Atom::Function(Function::Float(op, format), arguments) = self.atom(atom).clone() else {
            return Ok(limits);
        };
        let Some((map, value)) = self.float_map(op, format, &arguments) else { return Ok(limits) };
        let Some(inner) = self.form(value).single_atom() else { return Ok(limits) };
        // A NaN becomes any.
        let certain = self.has_property(value, Property::Number(map.from()))?;
        for limit in self.limits_of(inner, of)? {
            let number = Word::number(limit.number, map.from().width());
            let number = self.of_word(number, map.from().width())?;
            let image = self.float_image(map, number)?;
            let width = self.form(image).width;
            let constant = self.as_word(image).and_then(|it| it.constant(width));
            let here = self.diagrams.and(limit.here, certain)?;
            if let Some(number) = constant.filter(|_| here != Bdd::FALSE) {
                limits.push(Limit { number, lower: limit.lower != map.turns(), here });
            }
        }
        Ok(limits)
    }

    /// An extreme in which a number counts for nothing beside a part that it does not outdo, and a part
    /// beside a number that it does not outdo.
    pub(crate) fn without_outdone_number(&mut self, mut form: Form) -> Result<Form, Exhausted> {
        let Operator::Extreme { greatest, of } = form.operator else { return Ok(form) };
        let neutral = form.operator.neutral(form.width);
        if form.rest == neutral || self.facts.limits.given.is_empty() {
            return Ok(form);
        }
        for (atom, word) in form.parts.clone() {
            for limit in self.limits_of(atom, of)? {
                let number = Word::number(limit.number, form.width);
                let beyond = self.outdoes(&form.rest, &number, (greatest, of), form.width)?;
                if limit.lower == greatest {
                    let here = self.diagrams.and(word.bit(0), limit.here)?;
                    let mut here = self.diagrams.and(here, !beyond)?;
                    if self.diagrams.has(BrokenLaw::NumberNeverCounts) {
                        here = Bdd::TRUE;
                    }
                    form.rest = self.diagrams.word_ite(here, &neutral, &form.rest, form.width)?;
                } else {
                    let below = self.outdoes(&number, &form.rest, (greatest, of), form.width)?;
                    let outdone = self.diagrams.and(limit.here, !below)?;
                    for (_, word) in form.parts.iter_mut().filter(|it| it.0 == atom) {
                        *word = Word::flag(self.diagrams.and(word.bit(0), !outdone)?, 2);
                    }
                }
            }
        }
        form.parts.retain(|(_, word)| !word.is_zero());
        Ok(form)
    }

    /// Where one word is beyond another one.
    fn outdoes(
        &mut self,
        a: &Word,
        b: &Word,
        (greatest, of): (bool, Numbers),
        width: u32,
    ) -> Result<Bdd, Exhausted> {
        match greatest {
            true => self.diagrams.word_less(b, a, of, width),
            false => self.diagrams.word_less(a, b, of, width),
        }
    }

    /// Where the limits of an atom say that it has a property.
    pub(crate) fn limits_give(
        &mut self,
        atom: AtomId,
        property: Property,
    ) -> Result<Bdd, Exhausted> {
        let mut certain = Bdd::FALSE;
        if self.facts.limits.given.is_empty() || matches!(property, Property::Number(_)) {
            return Ok(certain);
        }
        let sign = 1 << (self.atom_width(atom) - 1);
        for limit in self.limits_of(atom, Numbers::Magnitude)? {
            let (is_negative, is_zero) = (limit.number & sign != 0, limit.number & !sign == 0);
            let given = match property {
                Property::Positive | Property::NotMinusZero if limit.lower && !is_negative => true,
                Property::NonZero | Property::NotMinusZero => {
                    limit.lower != is_negative && !is_zero
                }
                _ => false,
            };
            if given {
                certain = self.diagrams.or(certain, limit.here)?;
            }
        }
        Ok(certain)
    }
}
