//! Numbers that are integers without rounding: their sums, their order, and where they are equal.

use laneproof_semantics::term::{FloatFormat, FloatOp};

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, FormId, Forms, Selection};
use crate::numbers::Numbers;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

impl Forms {
    /// The sum of two numbers that are integers without rounding: the sum of the integers, which is rounded
    /// as it is when it becomes a number.
    pub(crate) fn exact_sum(
        &mut self,
        format: FloatFormat,
        [a, b]: [FormId; 2],
    ) -> Result<Option<FormId>, Exhausted> {
        if self.format_of_integers([a, b]) != Some(format) {
            return Ok(None);
        }
        let (Some(a), Some(b)) = (self.integer_of(a, format)?, self.integer_of(b, format)?) else {
            return Ok(None);
        };
        let sum = self.combine(Operator::Sum, a, b)?;
        self.float(FloatOp::FromUnsigned, format, vec![sum]).map(Some)
    }

    /// Where two numbers are equal that are integers without rounding: where the integers are.
    pub(crate) fn equal_integers(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<Bdd>, Exhausted> {
        let sides = match self.compared_with_zero([a, b])? {
            None => self.integers_of(a, b)?,
            sides => sides,
        };
        let Some([a, b]) = sides else { return Ok(None) };
        self.equal(a, b).map(Some)
    }

    /// Where one of two numbers is less than the other that are integers without rounding.
    pub(crate) fn less_integers(
        &mut self,
        a: FormId,
        b: FormId,
        of: Numbers,
    ) -> Result<Option<Bdd>, Exhausted> {
        // None has a sign, so all these orders are that of the integers.
        if self.is_minus_zero(b) && of == Numbers::Magnitude {
            let atom = self.form(a).single_atom();
            let is_integer = atom.is_some_and(|atom| self.integer_at(atom).is_some());
            return Ok(is_integer.then_some(Bdd::FALSE));
        }
        let Some([a, b]) = self.integers_of(a, b)? else { return Ok(None) };
        self.less(a, b, Numbers::Unsigned).map(Some)
    }

    fn is_minus_zero(&self, id: FormId) -> bool {
        let sign = Word::number(1 << (self.form(id).width - 1), self.form(id).width);
        self.as_word(id).is_some_and(|word| *word == sign)
    }

    /// The integers that two numbers are without rounding.
    fn integers_of(&mut self, a: FormId, b: FormId) -> Result<Option<[FormId; 2]>, Exhausted> {
        let Some(format) = self.format_of_integers([a, b]) else { return Ok(None) };
        let a = self.integer_of(a, format)?;
        Ok(a.zip(self.integer_of(b, format)?).map(|(a, b)| [a, b]))
    }

    /// An integer that became a number, and zero: no other integer becomes zero, and so is it if it is
    /// rounded.
    fn compared_with_zero(&mut self, sides: [FormId; 2]) -> Result<Option<[FormId; 2]>, Exhausted> {
        let is_zero = |id: &&FormId| self.as_word(**id).is_some_and(Word::is_zero);
        let number = sides.iter().find_map(|&id| self.form(id).single_atom());
        let Some(Atom::Function(
            Function::Float(FloatOp::FromUnsigned | FloatOp::FromSigned, _),
            arguments,
        )) = number.filter(|_| sides.iter().any(|id| is_zero(&id))).map(|atom| self.atom(atom))
        else {
            return Ok(None);
        };
        let integer = arguments[0];
        let width = self.form(integer).width;
        let zero = u128::from(self.diagrams.has(BrokenLaw::OneIsZero));
        let zero = self.of_word(Word::number(zero, width), width)?;
        Ok(Some(sides.map(|id| if self.as_word(id).is_some() { zero } else { integer })))
    }

    /// The format to which all atoms of some values convert integers, if there are any.
    fn format_of_integers<const N: usize>(&self, values: [FormId; N]) -> Option<FloatFormat> {
        let mut atoms = values.iter().flat_map(|&id| &self.form(id).parts).map(|(atom, _)| *atom);
        let (format, _) = self.integer_at(atoms.next()?)?;
        atoms
            .all(|atom| self.integer_at(atom).is_some_and(|(it, _)| it == format))
            .then_some(format)
    }

    /// The integer that became the number that an atom is, and the number's format.
    fn integer_at(&self, atom: AtomId) -> Option<(FloatFormat, FormId)> {
        match self.atom(atom) {
            Atom::Function(Function::Float(FloatOp::FromUnsigned, format), arguments) => {
                Some((*format, arguments[0]))
            }
            _ => None,
        }
    }

    /// The integer that a number is without rounding.
    fn integer_of(&mut self, id: FormId, format: FloatFormat) -> Result<Option<FormId>, Exhausted> {
        let Some(Selection { chosen, any, rest }) = self.selection(id)? else { return Ok(None) };
        let (width, mut values) = (format.width(), Vec::new());
        for (atom, here) in chosen {
            let Some((_, integer)) = self.integer_at(atom) else { return Ok(None) };
            let is_rounded = self.bound_where(integer, here)? > greatest(format);
            if is_rounded && !self.diagrams.has(BrokenLaw::SumsAreRoundedOnce) {
                return Ok(None);
            }
            let number = match self.form(integer).width < width {
                true => self.extend(integer, false, width)?,
                false => self.extract(integer, width - 1, 0)?,
            };
            values.push(self.scaled(number, &Word::flag(here, width))?);
        }
        if any != Bdd::TRUE {
            let rest = self.diagrams.word_within(&rest, !any, width);
            let Some(number) = rest.constant(width).and_then(|bits| format.whole_number(bits))
            else {
                return Ok(None);
            };
            let number = Word::number(number, width);
            let number = self.diagrams.word_ite(any, &Word::zero(), &number, width)?;
            values.push(self.of_word(number, width)?);
        }
        self.total(&values).map(Some)
    }
}

/// Up to this integer a format has each.
fn greatest(format: FloatFormat) -> u128 {
    1 << (format.fraction() + 1)
}
