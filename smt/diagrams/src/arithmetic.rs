//! Operations on two values, as far as forms follow them.

use laneproof_semantics::term::Binary;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{FEW, Form, FormId, Forms};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::{Word, shifted};

impl Forms {
    /// An operation on two values of one width.
    pub(crate) fn binary(
        &mut self,
        operation: Binary,
        a: FormId,
        b: FormId,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let constant =
            |forms: &Self, id| forms.as_word(id).is_some_and(|word| word.constant(width).is_some());
        let linear = match operation {
            Binary::Add | Binary::Sub => true,
            Binary::Mul => constant(self, a) || constant(self, b),
            Binary::ShiftLeft => constant(self, b),
            _ => false,
        };
        let (a, b) = match linear {
            true => (a, b),
            false => (self.put_together(a)?, self.put_together(b)?),
        };
        match operation {
            Binary::Add => self.combine(Operator::Sum, a, b),
            Binary::Sub => self.difference(a, b),
            Binary::Mul => match (self.as_word(a).cloned(), self.as_word(b).cloned()) {
                (_, Some(factor)) => self.scaled(a, &factor),
                (Some(factor), _) => self.scaled(b, &factor),
                (None, None) => self.combine(Operator::Product, a, b),
            },
            Binary::And | Binary::Or | Binary::Xor => self.bitwise(operation, a, b, width),
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => {
                self.shift(operation, a, b, width)
            }
            Binary::DivUnsigned | Binary::RemUnsigned => self.quotient(operation, a, b, width),
            Binary::DivSigned | Binary::RemSigned => {
                self.opaque(Function::Binary(operation), vec![a, b], width)
            }
        }
    }

    /// A quotient or a remainder of numbers without a sign. By a power of two it is the high bits or
    /// the low ones; of a place it is one number for each.
    fn quotient(
        &mut self,
        operation: Binary,
        a: FormId,
        b: FormId,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let by = self.as_word(b).and_then(|word| word.constant(width)).filter(|&it| it > 0);
        let (Some(by), is_quotient) = (by, operation == Binary::DivUnsigned) else {
            return self.opaque(Function::Binary(operation), vec![a, b], width);
        };
        if let Some(places) = self.places(a) {
            let part = |place: u128| match is_quotient {
                _ if self.diagrams.has(BrokenLaw::PlaceNotDivided) => place,
                true => place / by,
                false => place % by,
            };
            let parts: Vec<(u128, Bdd)> =
                places.iter().map(|&(place, here)| (part(place), here)).collect();
            let found = self.diagrams.word_of_places(&parts, width)?;
            return self.of_word(found, width);
        }
        if !by.is_power_of_two() {
            return self.opaque(Function::Binary(operation), vec![a, b], width);
        }
        let bits = by.trailing_zeros();
        match (is_quotient, bits) {
            (true, 0) => Ok(a),
            (false, 0) => self.of_word(Word::zero(), width),
            (true, _) if self.diagrams.has(BrokenLaw::QuotientOfAll) => Ok(a),
            (true, _) => {
                let high = self.extract(a, width - 1, bits)?;
                self.extend(high, false, width)
            }
            (false, _) => {
                let low = self.extract(a, bits - 1, 0)?;
                self.extend(low, false, width)
            }
        }
    }

    fn bitwise(
        &mut self,
        operation: Binary,
        a: FormId,
        b: FormId,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let alike = |forms: &Forms, id| forms.as_word(id).and_then(Word::as_all_alike);
        let masked = match (alike(self, a), alike(self, b)) {
            (_, Some(condition)) => Some((condition, a)),
            (Some(condition), _) => Some((condition, b)),
            (None, None) => None,
        };
        // A mask whose bits are all alike chooses.
        if let Some((condition, other)) = masked {
            let ones = self.of_word(Word::number(u128::MAX, width), width)?;
            let zero = self.of_word(Word::zero(), width)?;
            return match operation {
                Binary::And => self.ite(condition, other, zero),
                Binary::Or => self.ite(condition, ones, other),
                _ => {
                    let complement = self.complement(other)?;
                    self.ite(condition, complement, other)
                }
            };
        }
        let operator = match operation {
            Binary::And => Operator::And,
            Binary::Or => Operator::Or,
            _ => Operator::Xor,
        };
        match operator {
            Operator::And => {
                if let Some(low) = self.low_bits(a, b, width)? {
                    return Ok(low);
                }
            }
            // No carries occur.
            _ if self.are_apart(a, b)? => return self.combine(Operator::Sum, a, b),
            _ => {
                if let Some(both) = self.apart_in_some_states(operator, a, b)? {
                    return Ok(both);
                }
            }
        }
        self.combine(operator, a, b)
    }

    /// Of two values of which one is something else where a condition holds: if no bit can be set in
    /// both there, they are added there, and combined elsewhere.
    fn apart_in_some_states(
        &mut self,
        operator: Operator,
        a: FormId,
        b: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        for id in [a, b] {
            let form = self.form(id).clone();
            if form.operator != Operator::Sum || !(2..=FEW).contains(&form.parts.len()) {
                continue;
            }
            for (_, word) in &form.parts {
                let here = self.diagrams.word_any(word)?;
                if here == Bdd::TRUE || here == Bdd::FALSE {
                    continue;
                }
                let [x, y] = [self.within(a, here)?, self.within(b, here)?];
                if self.form(x).parts.is_empty() || self.form(y).parts.is_empty() {
                    continue;
                }
                if self.are_apart(x, y)? {
                    let there = self.combine(Operator::Sum, x, y)?;
                    let elsewhere = match self.diagrams.has(BrokenLaw::ApartEverywhere) {
                        true => there,
                        false => self.combine(operator, a, b)?,
                    };
                    return self.ite(here, there, elsewhere).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// A value that is that one where a condition holds.
    fn within(&mut self, id: FormId, here: Bdd) -> Result<FormId, Exhausted> {
        let Form { operator, width, parts, rest } = self.form(id).clone();
        if operator != Operator::Sum {
            return Ok(id);
        }
        let within = |(atom, word)| (atom, self.diagrams.word_within(&word, here, width));
        let parts: Vec<_> = parts.into_iter().map(within).collect();
        let parts = parts.into_iter().filter(|(_, word)| !word.is_zero()).collect();
        let rest = self.diagrams.word_within(&rest, here, width);
        self.intern(Form { operator, width, parts, rest })
    }

    /// The low bits of a sum or an extreme, which a mask keeps.
    fn low_bits(&mut self, a: FormId, b: FormId, width: u32) -> Result<Option<FormId>, Exhausted> {
        for (value, mask) in [(a, b), (b, a)] {
            let mask = self.as_word(mask).and_then(|mask| mask.constant(width));
            let Some(mask) = mask.filter(|mask| mask & mask.wrapping_add(1) == 0) else { continue };
            let several = match self.form(value).operator {
                Operator::Extreme { .. } => true,
                // Of one of several payloads the mask keeps bits of each.
                Operator::Sum => {
                    self.form(value).parts.len() > 1 && self.selection(value)?.is_none()
                }
                _ => false,
            };
            let bits = mask.trailing_ones();
            if several && bits > 0 && bits < width {
                let low = self.extract(value, bits - 1, 0)?;
                return self.extend(low, false, width).map(Some);
            }
        }
        Ok(None)
    }

    fn shift(
        &mut self,
        operation: Binary,
        a: FormId,
        b: FormId,
        width: u32,
    ) -> Result<FormId, Exhausted> {
        let left = operation == Binary::ShiftLeft;
        if let Some(word) = self.as_word(a).cloned() {
            let signed = operation == Binary::ShiftRightSigned;
            let fill = if signed { word.bit(width - 1) } else { Bdd::FALSE };
            let word = match self.places(b).map(<[_]>::to_vec) {
                Some(places) => self.diagrams.word_moved(&word, &places, left, fill, width)?,
                None => {
                    let amount = self.bits(b)?;
                    self.diagrams.word_shift(&word, &amount, left, fill, width)?
                }
            };
            return self.of_word(word, width);
        }
        let amount = self.bits(b)?;
        let constant = amount.constant(width).filter(|&it| it < u128::from(width));
        match (operation, constant) {
            (Binary::ShiftLeft, Some(places)) => {
                let factor = shifted(&Word::number(1, width), places as u32, width);
                self.scaled(a, &factor)
            }
            (Binary::ShiftLeft, None) => {
                let one = Word::number(1, width);
                let factor = self.diagrams.word_shift(&one, &amount, true, Bdd::FALSE, width)?;
                self.scaled(a, &factor)
            }
            (_, Some(0)) => Ok(a),
            (_, Some(places)) => {
                let high = self.extract(a, width - 1, places as u32)?;
                self.extend(high, operation == Binary::ShiftRightSigned, width)
            }
            (_, None) => self.opaque(Function::Binary(operation), vec![a, b], width),
        }
    }
}
