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
        _ => match decides(opcode) {
            Some((arity, decides)) => float(step, arity, decides)?,
            None => return Ok(false),
        },
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

/// What a comparison of floating-point numbers says of its operands, of which the second counts only
/// where there are two.
pub(super) type Decides = fn(format: Format, a: u64, b: u64) -> bool;

/// What an instruction of this family says of numbers of floating point, and of how many.
pub(super) fn decides(opcode: Op) -> Option<(usize, Decides)> {
    use Ordering::{Equal, Greater, Less};
    let decides: Decides = match opcode {
        Op::FOrdEqual => same,
        Op::FOrdNotEqual | Op::LessOrGreater => {
            |format, a, b| compare(format, a, b).is_some_and(|order| order != Equal)
        }
        Op::FOrdLessThan => |format, a, b| compare(format, a, b) == Some(Less),
        Op::FOrdLessThanEqual => {
            |format, a, b| compare(format, a, b).is_some_and(|order| order != Greater)
        }
        Op::FOrdGreaterThan => |format, a, b| compare(format, a, b) == Some(Greater),
        Op::FOrdGreaterThanEqual => {
            |format, a, b| compare(format, a, b).is_some_and(|order| order != Less)
        }
        Op::FUnordEqual => |format, a, b| compare(format, a, b).is_none_or(|order| order == Equal),
        Op::FUnordNotEqual => |format, a, b| compare(format, a, b) != Some(Equal),
        Op::FUnordLessThan => {
            |format, a, b| compare(format, a, b).is_none_or(|order| order == Less)
        }
        Op::FUnordLessThanEqual => |format, a, b| compare(format, a, b) != Some(Greater),
        Op::FUnordGreaterThan => {
            |format, a, b| compare(format, a, b).is_none_or(|order| order == Greater)
        }
        Op::FUnordGreaterThanEqual => |format, a, b| compare(format, a, b) != Some(Less),
        Op::Ordered => |format, a, b| compare(format, a, b).is_some(),
        Op::Unordered => |format, a, b| compare(format, a, b).is_none(),
        Op::IsNan => |format, a, _| format.is_nan(a),
        Op::IsFinite => |format, a, _| format.magnitude(a) < format.infinity(),
        Op::IsInf => |format, a, _| format.magnitude(a) == format.infinity(),
        Op::IsNormal => |format, a, _| {
            let magnitude = format.magnitude(a);
            magnitude != 0 && !format.is_subnormal(a) && magnitude < format.infinity()
        },
        Op::SignBitSet => |format, a, _| format.magnitude(a) != a,
        _ => return None,
    };
    let alone = [Op::IsNan, Op::IsFinite, Op::IsInf, Op::IsNormal, Op::SignBitSet];
    let arity = if alone.contains(&opcode) { 1 } else { 2 };
    Some((arity, decides))
}

fn float(step: &mut Step<'_, '_, '_>, arity: usize, decides: Decides) -> Result<(), Stop> {
    let format = float_operand(step)?;
    match arity {
        1 => step.map([0], |[a]| truth(decides(format, a, a))),
        _ => step.map([0, 1], |[a, b]| truth(decides(format, a, b))),
    }
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
        Some(format) => same(format, a, b),
        None => a == b,
    }
}

/// Ordered and equal.
pub(super) fn same(format: Format, a: u64, b: u64) -> bool {
    compare(format, a, b) == Some(Ordering::Equal)
}
