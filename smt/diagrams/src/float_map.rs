//! Maps of one floating-point number that keep the order of numbers or turn it: conversions,
//! whole numbers beside them, products, quotients and sums with a constant.
//!
//! The exact results are in order, and to round keeps that order. A result that is zero has the sign
//! of the number (or, of a sum, no sign wherever the sum is not that of two zeros with signs), so the
//! bits, of which those of −0 are less than those of +0, are in order, too. A NaN is in no order.

use laneproof_semantics::term::{FloatFormat, FloatOp, Toward};

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, FormId, Forms, Selection};
use crate::numbers::ones;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::property::Property;
use crate::word::Word;

/// A map of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatMap {
    op: FloatOp,
    format: FloatFormat,
    /// The bits of the other operand.
    by: Option<u128>,
}

impl FloatMap {
    /// Greater numbers have lesser images.
    pub(crate) fn turns(self) -> bool {
        match self.op {
            FloatOp::Mul | FloatOp::Div => self.by.is_some_and(|by| by & self.format.sign() != 0),
            _ => false,
        }
    }

    /// The format of the numbers that it maps.
    pub(crate) const fn from(self) -> FloatFormat {
        self.format
    }

    /// No number but a zero has an image that is one.
    fn keeps_nonzero(self) -> bool {
        let magnitude = self.by.map(|by| by & !self.format.sign());
        match self.op {
            FloatOp::Convert(to) => widens(self.format, to),
            FloatOp::Mul => magnitude.is_some_and(|by| by >= self.format.one()),
            FloatOp::Div => magnitude.is_some_and(|by| by <= self.format.one()),
            _ => false,
        }
    }

    /// What has no sign has an image without one.
    fn keeps_sign(self) -> bool {
        match self.op {
            FloatOp::Convert(_) | FloatOp::Integral(_) => true,
            FloatOp::Mul | FloatOp::Div | FloatOp::Add => {
                self.by.is_some_and(|by| by & self.format.sign() == 0)
            }
            _ => false,
        }
    }
}

/// Every number of one format is one of the other.
fn widens(from: FloatFormat, to: FloatFormat) -> bool {
    to.exponent() >= from.exponent() && to.fraction() >= from.fraction()
}

impl Forms {
    /// The map that an operation is, of which value, if it is one that keeps or turns the order.
    pub(crate) fn float_map(
        &self,
        op: FloatOp,
        format: FloatFormat,
        arguments: &[FormId],
    ) -> Option<(FloatMap, FormId)> {
        let constant = |id: FormId| self.as_word(id)?.constant(format.width());
        let finite = |bits: u128| bits & !format.sign() < format.infinity();
        let factor = |bits: u128| finite(bits) && bits & !format.sign() != 0;
        let (by, value) = match (op, arguments) {
            (FloatOp::Convert(_) | FloatOp::Integral(_), &[value]) => (None, value),
            (FloatOp::Mul | FloatOp::Add, &[a, b]) => match (constant(a), constant(b)) {
                (Some(by), None) => (Some(by), b),
                (None, Some(by)) => (Some(by), a),
                _ => return None,
            },
            (FloatOp::Div, &[value, by]) => (Some(constant(by)?), value),
            _ => return None,
        };
        let fits = match op {
            FloatOp::Mul | FloatOp::Div => by.is_some_and(factor),
            FloatOp::Add => by.is_some_and(finite),
            _ => true,
        };
        fits.then_some((FloatMap { op, format, by }, value))
    }

    /// Where the result of an operation certainly has a property.
    pub(crate) fn image_has(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        arguments: &[FormId],
        property: Property,
    ) -> Result<Bdd, Exhausted> {
        let Some((map, value)) = self.float_map(op, format, arguments) else {
            return Ok(Bdd::FALSE);
        };
        let inherited = match property {
            Property::Number(of) if op.gives(format) == Some(of) => Property::Number(format),
            Property::Number(_) => return Ok(Bdd::FALSE),
            Property::NonZero
                if map.keeps_nonzero() || self.diagrams.has(BrokenLaw::NothingUnderflows) =>
            {
                property
            }
            // What is above zero is no zero when it is rounded up.
            Property::NonZero if op == FloatOp::Integral(Toward::Positive) => {
                let positive = self.has_property(value, Property::Positive)?;
                let nonzero = self.has_property(value, Property::NonZero)?;
                return match self.diagrams.has(BrokenLaw::AnyIsRoundedUp) {
                    true => Ok(nonzero),
                    false => self.diagrams.and(positive, nonzero),
                };
            }
            Property::Positive if map.keeps_sign() => property,
            Property::NotMinusZero
                if op == FloatOp::Integral(Toward::Negative)
                    || self.diagrams.has(BrokenLaw::NoRoundingToMinusZero) =>
            {
                property
            }
            Property::NonZero | Property::Positive | Property::NotMinusZero => {
                return Ok(Bdd::FALSE);
            }
        };
        self.has_property(value, inherited)
    }

    /// The map's image of a value.
    pub(crate) fn float_image(
        &mut self,
        map: FloatMap,
        value: FormId,
    ) -> Result<FormId, Exhausted> {
        let mut arguments = vec![value];
        if let Some(by) = map.by {
            let width = map.format.width();
            arguments.push(self.of_word(Word::number(by, width), width)?);
        }
        self.float(map.op, map.format, arguments)
    }

    /// The result of a floating-point operation.
    pub(crate) fn float(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        mut arguments: Vec<FormId>,
    ) -> Result<FormId, Exhausted> {
        if let (FloatOp::Add, &[a, b]) = (op, &arguments[..])
            && let Some(sum) = self.exact_sum(format, [a, b])?
        {
            return Ok(sum);
        }
        // Both are rounded from the same number, and a zero has the same sign.
        if let (FloatOp::Add, &[a, b]) = (op, &arguments[..])
            && a == b
        {
            let two = (format.one() + (1 << format.fraction())) & format.infinity();
            let two = self.of_word(Word::number(two, format.width()), format.width())?;
            return self.float(FloatOp::Mul, format, vec![a, two]);
        }
        if op.commutes() {
            arguments.sort_unstable();
        }
        let width = op.width(format);
        let constants: Option<Vec<u128>> =
            arguments.iter().map(|&it| self.as_word(it)?.constant(self.form(it).width)).collect();
        if let Some(constants) = constants {
            let from = arguments.last().map_or(0, |&it| self.form(it).width);
            let bits = op.of_bits(format, &constants, from);
            return self.of_word(Word::number(bits, width), width);
        }
        if let Some(number) = self.integer_back(op, format, &arguments)? {
            return Ok(number);
        }
        if let (FloatOp::Integral(toward), &[value]) = (op, &arguments[..])
            && let Some(rounded) = self.integral_of_negated(toward, format, value)?
        {
            return Ok(rounded);
        }
        if let Some((map, value)) = self.float_map(op, format, &arguments) {
            if let Some(back) = self.converted_back(op, format, value)? {
                return Ok(back);
            }
            let again = |forms: &mut Self, value| forms.float_image(map, value);
            if self.as_word(value).is_none()
                && let Some(chosen) = self.of_each(value, &again)?
            {
                return Ok(chosen);
            }
        }
        self.opaque(Function::Float(op, format), arguments, width)
    }

    /// A number whose sign is flipped, rounded to a whole one: the number rounded the other way, with the
    /// sign flipped. A NaN would come out with its own sign.
    fn integral_of_negated(
        &mut self,
        toward: Toward,
        format: FloatFormat,
        value: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        let (form, width) = (self.form(value).clone(), format.width());
        let Some(atom) = form.atom_beside_rest().filter(|_| self.is_sign(&form.rest, width)) else {
            return Ok(None);
        };
        let number = self.of_atom(atom)?;
        let certain = self.has_property(number, Property::Number(format))?;
        if certain == Bdd::FALSE {
            return Ok(None);
        }
        let other = match toward {
            _ if self.diagrams.has(BrokenLaw::RoundingNotTurned) => toward,
            Toward::Negative => Toward::Positive,
            Toward::Positive => Toward::Negative,
            Toward::Even | Toward::Zero => toward,
        };
        let rounded = self.float(FloatOp::Integral(other), format, vec![number])?;
        let sign = self.of_word(form.rest, width)?;
        let rounded = self.combine(Operator::Sum, rounded, sign)?;
        let itself = Function::Float(FloatOp::Integral(toward), format);
        let itself = self.opaque(itself, vec![value], width)?;
        self.ite(certain, rounded, itself).map(Some)
    }

    /// A number that was converted to a format that has all of its format's numbers, and back.
    fn converted_back(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        value: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        let FloatOp::Convert(to) = op else { return Ok(None) };
        let Some(atom) = self.form(value).single_atom() else { return Ok(None) };
        let Atom::Function(Function::Float(FloatOp::Convert(wide), first), arguments) =
            self.atom(atom)
        else {
            return Ok(None);
        };
        let wrong = self.diagrams.has(BrokenLaw::RoundedAndBack);
        if *first != to || *wide != format || !(widens(to, format) || wrong) {
            return Ok(None);
        }
        let number = arguments[0];
        let certain = self.has_property(number, Property::Number(to))?;
        let canonical = self.opaque(Function::Canonical(to), vec![number], to.width())?;
        self.ite(certain, number, canonical).map(Some)
    }

    /// An integer that became a floating-point number without being rounded, and back; of several
    /// numbers each.
    fn integer_back(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        arguments: &[FormId],
    ) -> Result<Option<FormId>, Exhausted> {
        let (FloatOp::ToUnsigned(width) | FloatOp::ToSigned(width), &[value]) = (op, arguments)
        else {
            return Ok(None);
        };
        let Some(Selection { chosen, any, rest }) = self.selection(value)? else {
            return Ok(None);
        };
        let (mut values, mut some) = (Vec::new(), false);
        for (atom, here) in chosen {
            let number = self.whole(op, format, atom)?;
            some |= number.is_some();
            let number = match number {
                Some(number) => number,
                None => {
                    let own = self.of_atom(atom)?;
                    self.opaque(Function::Float(op, format), vec![own], width)?
                }
            };
            values.push((here, number));
        }
        if !some {
            return Ok(None);
        }
        if any != Bdd::TRUE {
            let rest = self.of_word(rest, format.width())?;
            values.push((!any, self.float(op, format, vec![rest])?));
        }
        self.one_of(&values).map(Some)
    }

    /// The integer that an atom is as a floating-point number, where the operation gives it back.
    fn whole(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        atom: AtomId,
    ) -> Result<Option<FormId>, Exhausted> {
        let Atom::Function(Function::Float(FloatOp::FromUnsigned, of), integer) = self.atom(atom)
        else {
            return Ok(None);
        };
        let (of, integer) = (*of, integer[0]);
        let width = op.width(format);
        let signed = u32::from(matches!(op, FloatOp::ToSigned(_)));
        let most = (1 << (format.fraction() + 1)).min(ones(width - signed));
        let exact = self.bound(integer)? <= most || self.diagrams.has(BrokenLaw::IntegersAreExact);
        if of != format || !exact {
            return Ok(None);
        }
        let before = self.form(integer).width;
        let number = match before < width {
            true => self.extend(integer, false, width),
            false => self.extract(integer, width - 1, 0),
        };
        number.map(Some)
    }
}
