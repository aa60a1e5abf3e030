//! Floating point on bit-vectors: IEEE 754, rounded to nearest with ties to even, nothing
//! flushed, every NaN result the same quiet one without sign or payload.

mod native;

use std::sync::Arc;

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use smallvec::SmallVec;

use super::width::{ones, signed};
use crate::ty::FloatFormat;

use super::{FloatNote, Node, Pool, Sort, Term};

impl FloatFormat {
    /// Bits of the exponent.
    pub const fn exponent(self) -> u32 {
        self.width() - 1 - self.fraction()
    }

    /// The bits of positive infinity: an exponent of ones.
    pub const fn infinity(self) -> u128 {
        ones(self.exponent()) << self.fraction()
    }

    /// The number one: the exponent in the middle.
    pub const fn one(self) -> u128 {
        self.infinity() >> 1 & self.infinity()
    }

    /// The sign's bit.
    pub const fn sign(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// The quiet NaN without sign or payload.
    pub const fn canonical_nan(self) -> u128 {
        self.infinity() | self.quiet()
    }

    /// The fraction's highest bit, which makes a NaN a quiet one.
    pub const fn quiet(self) -> u128 {
        1 << (self.fraction() - 1)
    }

    /// True for the bits of a NaN.
    pub const fn is_nan(self, bits: u128) -> bool {
        bits & ones(self.width() - 1) > self.infinity()
    }

    /// The NaN that any bits name: their sign and fraction, quiet where the fraction is 0.
    pub const fn nan_of(self, bits: u128) -> u128 {
        let nan = bits & ones(self.width()) | self.infinity();
        if self.is_nan(nan) { nan } else { nan | self.quiet() }
    }

    /// The greatest magnitude (without the sign's bit) that gives at most `limit` when what is
    /// behind the point is cut off.
    pub fn greatest_below(self, limit: u128) -> u128 {
        let next = limit + 1;
        let above = match self {
            Self::Half => nearest::<Half>(next, Round::TowardPositive),
            Self::Bfloat16 => nearest::<BFloat>(next, Round::TowardPositive),
            Self::Single => nearest::<Single>(next, Round::TowardPositive),
            Self::Double => nearest::<Double>(next, Round::TowardPositive),
        };
        above - 1
    }
}

/// An operation whose operands or result are of floating point. Its format is that of the
/// operands, or of the result where that alone is of floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Product of the first two and a third one added, rounded once.
    MulAdd,
    /// A whole number beside it.
    Integral(Toward),
    /// The first operand times two to the power of the second, a signed integer; rounded once.
    Scale,
    /// The value in another format.
    Convert(FloatFormat),
    /// An unsigned integer's value.
    FromUnsigned,
    /// A signed integer's value.
    FromSigned,
    /// The unsigned integer of this width toward zero; without meaning where it does not fit.
    ToUnsigned(u32),
    /// The signed integer of this width toward zero; without meaning where it does not fit.
    ToSigned(u32),
}

/// Which whole number beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Toward {
    /// The nearest, of two the even one.
    Even,
    /// Not above it.
    Negative,
    /// Not below it.
    Positive,
    /// The one that is nearer to zero.
    Zero,
}

impl FloatOp {
    /// Width of the result, in bits.
    pub const fn width(self, format: FloatFormat) -> u32 {
        match self {
            Self::Convert(to) => to.width(),
            Self::ToUnsigned(width) | Self::ToSigned(width) => width,
            _ => format.width(),
        }
    }

    /// The format of the result, if that is no integer.
    pub const fn gives(self, format: FloatFormat) -> Option<FloatFormat> {
        match self {
            Self::Convert(to) => Some(to),
            Self::ToUnsigned(_) | Self::ToSigned(_) => None,
            _ => Some(format),
        }
    }

    /// Whether the operands may change places.
    pub const fn commutes(self) -> bool {
        matches!(self, Self::Add | Self::Mul)
    }

    /// The result for these bits, the last of which are an integer of `from` bits where that operand is one.
    pub fn of_bits(self, format: FloatFormat, operands: &[u128], from: u32) -> u128 {
        apply(self, format, operands, from)
    }

    /// Whether the operand in this place is an integer.
    pub const fn takes_integer(self, place: usize) -> bool {
        match self {
            Self::FromUnsigned | Self::FromSigned => true,
            Self::Scale => place == 1,
            _ => false,
        }
    }
}

impl Pool {
    /// An operation of floating point. Of NaN operands it sees only that they are NaN.
    pub fn float(&mut self, op: FloatOp, format: FloatFormat, operands: &[Term]) -> Term {
        let mut operands: SmallVec<[Term; 3]> = operands.into();
        for (place, operand) in operands.iter_mut().enumerate() {
            if !op.takes_integer(place) {
                *operand = self.number(*operand);
            }
        }
        let known: Option<SmallVec<[u128; 3]>> =
            operands.iter().map(|&it| self.bits_of(it)).collect();
        let width = op.width(format);
        if let Some(values) = known {
            let from = operands.last().map_or(0, |&it| self.width(it));
            return self.bits(apply(op, format, &values, from), width);
        }
        if let [a, b] = operands[..]
            && let Some(exact) = self.whole_result(op, format, [a, b])
        {
            return exact;
        }
        if op.commutes() {
            operands.sort_unstable();
        }
        self.intern(Node::Float(op, format, operands.into_vec().into()), Sort::Bits(width))
    }

    /// `value`; where it is NaN, the NaN that the bits of `payload` name.
    pub fn with_payload(&mut self, format: FloatFormat, value: Term, payload: Term) -> Term {
        let value = self.number(value);
        match (self.bits_of(value), self.bits_of(payload)) {
            (Some(bits), _) if !format.is_nan(bits) => value,
            (Some(_), Some(payload)) => self.bits(format.nan_of(payload), format.width()),
            _ => self.intern(Node::Payload(format, value, payload), Sort::Bits(format.width())),
        }
    }

    /// True for a NaN.
    pub fn is_nan(&mut self, a: Term, format: FloatFormat) -> Term {
        let a = self.number(a);
        if let Some(bits) = self.bits_of(a) {
            return self.bool(format.is_nan(bits));
        }
        let magnitude = self.extract(a, format.width() - 2, 0);
        let infinity = self.bits(format.infinity(), format.width() - 1);
        let nan = self.less(infinity, magnitude);
        self.note_float(nan, FloatNote::Nan(a, format));
        nan
    }

    /// A value up to which NaN it is: what arithmetic and comparisons see of it.
    pub fn number(&self, mut term: Term) -> Term {
        while let Node::Payload(_, value, _) | Node::Canonical(_, value) = *self.node(term) {
            term = value;
        }
        term
    }

    /// `value`; where it is NaN, the quiet one without sign or payload.
    pub fn canonical(&mut self, value: Term, format: FloatFormat) -> Term {
        let value = self.number(value);
        match *self.node(value) {
            Node::Bits(bits, _) if format.is_nan(bits) => {
                self.bits(format.canonical_nan(), format.width())
            }
            // Operations give no other.
            Node::Bits(..) | Node::Float(..) => value,
            _ => self.intern(Node::Canonical(format, value), Sort::Bits(format.width())),
        }
    }

    /// What an implementation gives for these operands, where that is for it to define: a number of
    /// `width` bits, the same wherever `operation` has the same operands.
    pub fn implementation(
        &mut self,
        operation: Arc<str>,
        width: u32,
        operands: Box<[Term]>,
    ) -> Term {
        self.intern(Node::Implementation(operation, width, operands), Sort::Bits(width))
    }

    /// `a` and `b` are the same number, or both are NaN.
    pub fn same_number(&mut self, a: Term, b: Term, format: FloatFormat) -> Term {
        let (a, b) = (self.canonical(a, format), self.canonical(b, format));
        self.equal(a, b)
    }
}

/// The greatest power of two that matters: beyond it every number but 0 overflows or underflows.
pub const SCALES: i128 = 1 << 12;

impl Toward {
    const fn rounding(self) -> Round {
        match self {
            Self::Even => Round::NearestTiesToEven,
            Self::Negative => Round::TowardNegative,
            Self::Positive => Round::TowardPositive,
            Self::Zero => Round::TowardZero,
        }
    }
}

/// An operation on bits; `from` is the width of the last operand, where that is an integer.
pub(super) fn apply(op: FloatOp, format: FloatFormat, operands: &[u128], from: u32) -> u128 {
    if let &[a, b] = operands
        && let Some(bits) = native::apply(op, format, a, b)
    {
        return if format.is_nan(bits) { format.canonical_nan() } else { bits };
    }
    by_library(op, format, operands, from)
}

/// The same by a library that computes bit by bit.
fn by_library(op: FloatOp, format: FloatFormat, operands: &[u128], from: u32) -> u128 {
    match format {
        FloatFormat::Half => in_format::<Half>(op, format, operands, from),
        FloatFormat::Bfloat16 => in_format::<BFloat>(op, format, operands, from),
        FloatFormat::Single => in_format::<Single>(op, format, operands, from),
        FloatFormat::Double => in_format::<Double>(op, format, operands, from),
    }
}

fn in_format<F>(op: FloatOp, format: FloatFormat, operands: &[u128], from: u32) -> u128
where
    F: Float + FloatConvert<Half> + FloatConvert<BFloat> + FloatConvert<Single>,
    F: FloatConvert<Double>,
{
    fn converted<F: FloatConvert<T>, T: Float>(value: F) -> u128 {
        value.convert_r(Round::NearestTiesToEven, &mut false).value.to_bits()
    }
    let round = Round::NearestTiesToEven;
    let operand = |place: usize| operands.get(place).copied().unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|place| {
        // Integers may have more bits than the format.
        F::from_bits(if op.takes_integer(place) { 0 } else { operand(place) })
    });
    let (bits, format) = match op {
        FloatOp::Add => (a.add_r(b, round).value.to_bits(), format),
        FloatOp::Mul => (a.mul_r(b, round).value.to_bits(), format),
        FloatOp::Div => (a.div_r(b, round).value.to_bits(), format),
        FloatOp::MulAdd => (a.mul_add_r(b, c, round).value.to_bits(), format),
        FloatOp::Integral(toward) => {
            (a.round_to_integral(toward.rounding()).value.to_bits(), format)
        }
        FloatOp::Scale => {
            let power = signed(operand(1), from).clamp(-SCALES, SCALES);
            (a.scalbn_r(power as i32, round).to_bits(), format)
        }
        FloatOp::FromUnsigned => return nearest::<F>(operand(0), round),
        FloatOp::FromSigned => {
            return F::from_i128_r(signed(operand(0), from), round).value.to_bits();
        }
        FloatOp::ToUnsigned(width) => {
            let rounded = a.to_u128_r(width as usize, Round::TowardZero, &mut false);
            return rounded.value & ones(width);
        }
        FloatOp::ToSigned(width) => {
            let rounded = a.to_i128_r(width as usize, Round::TowardZero, &mut false);
            return rounded.value as u128 & ones(width);
        }
        FloatOp::Convert(to) => {
            let bits = match to {
                FloatFormat::Half => converted::<F, Half>(a),
                FloatFormat::Bfloat16 => converted::<F, BFloat>(a),
                FloatFormat::Single => converted::<F, Single>(a),
                FloatFormat::Double => converted::<F, Double>(a),
            };
            (bits, to)
        }
    };
    if format.is_nan(bits) { format.canonical_nan() } else { bits }
}

fn nearest<F: Float>(value: u128, round: Round) -> u128 {
    F::from_u128_r(value, round).value.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits that are often border cases: few or many ones at either end of each part.
    fn number(format: FloatFormat, seed: u64) -> u128 {
        let mixed = (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = u128::from((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9));
        let part = |width: u32, of: u128| match of & 7 {
            0 => 0,
            1 => ones(width),
            2 => 1,
            3 => ones(width) >> 1,
            4 => ones(width) ^ 1,
            _ => of >> 3 & ones(width),
        };
        let fraction = part(format.fraction(), mixed >> 7);
        // Exponents near each other, so that sums round and cancel.
        let near = (ones(format.exponent()) >> 1) + (mixed >> 3 & 15);
        let exponent = if mixed & 4 == 0 { near } else { part(format.exponent(), mixed >> 61) };
        (mixed & 1) << (format.width() - 1) | exponent << format.fraction() | fraction
    }

    #[test]
    fn the_machine_computes_what_the_library_does() {
        let (mut seed, mut rounded, mut special) = (1u64, 0, 0);
        for format in FloatFormat::ALL {
            for op in [FloatOp::Add, FloatOp::Mul] {
                for _ in 0..100_000 {
                    let [a, b] = [(); 2].map(|()| {
                        seed = seed.wrapping_add(0x9e37_79b9);
                        number(format, seed)
                    });
                    let found = apply(op, format, &[a, b], 0);
                    let expected = by_library(op, format, &[a, b], 0);
                    assert_eq!(found, expected, "{op:?} {format:?} {a:x} {b:x}");
                    rounded += u32::from(found & 1 == 1);
                    let magnitude = found & !format.sign();
                    special += u32::from(magnitude >= format.infinity() || magnitude == 0);
                }
            }
        }
        assert_eq!((rounded, special), (289_215, 196_019));
    }
}
