//! Comparisons of integers and of floating-point numbers (SPIR-V, Relational and Logical
//! Instructions). Floating point is compared by its bits: no arithmetic is needed for it.

use std::cmp::Ordering;

use laneproof_module::spirv::Op;
use laneproof_semantics::{FloatEncoding, Scalar};

use crate::outcome::Stop;
use crate::step::{Leaf, Step, signed, truncate};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::IEqual => step.map([0, 1], |[a, b]| truth(a == b))?,
        Op::INotEqual => step.map([0, 1], |[a, b]| truth(a != b))?,
        Op::ULessThan => step.map([0, 1], |[a, b]| truth(a < b))?,
        Op::ULessThanEqual => step.map([0, 1], |[a, b]| truth(a <= b))?,
        Op::UGreaterThan => step.map([0, 1], |[a, b]| truth(a > b))?,
        Op::UGreaterThanEqual => step.map([0, 1], |[a, b]| truth(a >= b))?,
        Op::SLessThan => by_sign(step, |a, b| a < b)?,
        Op::SLessThanEqual => by_sign(step, |a, b| a <= b)?,
        Op::SGreaterThan => by_sign(step, |a, b| a > b)?,
        Op::SGreaterThanEqual => by_sign(step, |a, b| a >= b)?,
        Op::FOrdEqual => float(step, false, |order| order == Ordering::Equal)?,
        Op::FOrdNotEqual => float(step, false, |order| order != Ordering::Equal)?,
        Op::FOrdLessThan => float(step, false, |order| order == Ordering::Less)?,
        Op::FOrdLessThanEqual => float(step, false, |order| order != Ordering::Greater)?,
        Op::FOrdGreaterThan => float(step, false, |order| order == Ordering::Greater)?,
        Op::FOrdGreaterThanEqual => float(step, false, |order| order != Ordering::Less)?,
        Op::FUnordEqual => float(step, true, |order| order == Ordering::Equal)?,
        Op::FUnordNotEqual => float(step, true, |order| order != Ordering::Equal)?,
        Op::FUnordLessThan => float(step, true, |order| order == Ordering::Less)?,
        Op::FUnordLessThanEqual => float(step, true, |order| order != Ordering::Greater)?,
        Op::FUnordGreaterThan => float(step, true, |order| order == Ordering::Greater)?,
        Op::FUnordGreaterThanEqual => float(step, true, |order| order != Ordering::Less)?,
        Op::Ordered => float(step, false, |_| true)?,
        Op::Unordered => float(step, true, |_| false)?,
        Op::IsNan => {
            let scalar = step.element_of(0)?;
            step.map([0], |[a]| truth(is_nan(scalar, a)))?;
        }
        Op::IsInf => {
            let scalar = step.element_of(0)?;
            step.map([0], |[a]| truth(magnitude(scalar, a) == infinity(scalar)))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn truth(value: bool) -> Leaf {
    Leaf::Bits(u64::from(value))
}

fn by_sign(step: &mut Step<'_, '_, '_>, holds: fn(i64, i64) -> bool) -> Result<(), Stop> {
    let width = step.element_of(0)?.width();
    step.map([0, 1], |[a, b]| truth(holds(signed(width, a), signed(width, b))))
}

/// A comparison that gives `unordered` when an operand is NaN.
fn float(
    step: &mut Step<'_, '_, '_>,
    unordered: bool,
    holds: fn(Ordering) -> bool,
) -> Result<(), Stop> {
    let scalar = step.element_of(0)?;
    step.map([0, 1], |[a, b]| truth(compare(scalar, a, b).map_or(unordered, holds)))
}

/// The order of two floating-point numbers; none when one is NaN. Zeros are equal.
pub(super) fn compare(scalar: Scalar, a: u64, b: u64) -> Option<Ordering> {
    if is_nan(scalar, a) || is_nan(scalar, b) {
        return None;
    }
    let number = |bits| {
        let magnitude = i128::from(magnitude(scalar, bits));
        if bits >> (scalar.width() - 1) & 1 == 1 { -magnitude } else { magnitude }
    };
    Some(number(a).cmp(&number(b)))
}

/// True for the bits of a NaN.
pub(super) fn is_nan(scalar: Scalar, bits: u64) -> bool {
    magnitude(scalar, bits) > infinity(scalar)
}

fn magnitude(scalar: Scalar, bits: u64) -> u64 {
    truncate(scalar.width() - 1, bits)
}

/// The bits of positive infinity: an exponent of ones.
fn infinity(scalar: Scalar) -> u64 {
    let fraction = fraction_bits(scalar);
    truncate(scalar.width() - 1, u64::MAX << fraction)
}

/// How many bits of a floating-point number are its fraction.
pub(super) fn fraction_bits(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Float { encoding: FloatEncoding::Bfloat16, .. } => 7,
        Scalar::Float { width: 16, .. } => 10,
        Scalar::Float { width: 64, .. } => 52,
        _ => 23,
    }
}

/// Equality as an instruction's comparison takes it: of floating point ordered and equal, of
/// everything else the same bits.
pub(super) fn equal(scalar: Scalar, a: u64, b: u64) -> bool {
    if scalar.is_float() { compare(scalar, a, b) == Some(Ordering::Equal) } else { a == b }
}
