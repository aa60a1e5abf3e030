//! Comparisons of integers and of floating-point numbers (SPIR-V, Relational and Logical
//! Instructions). Floating point is compared by its bits: no arithmetic is needed for it.

use std::cmp::Ordering;

use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use crate::float_format::{Format, format};
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::signed;

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
        Op::LessOrGreater => float(step, false, |order| order != Ordering::Equal)?,
        Op::IsNan => {
            let format = float_operand(step)?;
            step.map([0], |[a]| truth(format.is_nan(a)))?;
        }
        Op::IsFinite => {
            let format = float_operand(step)?;
            step.map([0], |[a]| {
                truth(!format.is_nan(a) && format.magnitude(a) != format.infinity())
            })?;
        }
        Op::IsInf => {
            let format = float_operand(step)?;
            step.map([0], |[a]| truth(format.magnitude(a) == format.infinity()))?;
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
    let format = float_operand(step)?;
    step.map([0, 1], |[a, b]| truth(compare(format, a, b).map_or(unordered, holds)))
}

fn float_operand(step: &Step<'_, '_, '_>) -> Result<Format, Stop> {
    format(step.element_of(0)?).ok_or_else(|| step.not_modelled("the type of its operand"))
}

/// The order of two floating-point numbers; none when one is NaN. Zeros are equal.
fn compare(format: Format, a: u64, b: u64) -> Option<Ordering> {
    if format.is_nan(a) || format.is_nan(b) {
        return None;
    }
    Some(format.order(a).cmp(&format.order(b)))
}

/// Equality as an instruction's comparison takes it: of floating point ordered and equal, of
/// everything else the same bits.
pub(super) fn equal(scalar: Scalar, a: u64, b: u64) -> bool {
    match format(scalar) {
        Some(format) => compare(format, a, b) == Some(Ordering::Equal),
        None => a == b,
    }
}
