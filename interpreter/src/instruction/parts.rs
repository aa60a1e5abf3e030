//! Two results for one number, in a structure (GLSL.std.450, ModfStruct and FrexpStruct).

use laneproof_module::spirv::{GlslStd450Op as Glsl, Op};
use laneproof_semantics::Scalar;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

use super::alternatives::{Alternatives, Held, glsl, permitted, with_zeros};
use super::extended_float::FIRST;
use super::extended_number::whole_number;
use super::float::{Operation, combine_by};
use super::modes::controlled;
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::latitude::Margin;
use crate::outcome::Stop;
use crate::step::Step;
use crate::width::truncate;

/// The members of the result for one number; none where it is undefined.
type Members = [Option<u64>; 2];

/// What an instruction does with a number.
type Split = fn(Format, u64) -> Members;

/// It is executed here.
pub(super) fn is_known(step: &Step<'_, '_, '_>) -> bool {
    glsl(step).and_then(function).is_some()
}

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, _: Op) -> Result<bool, Stop> {
    let Some((of, second)) = glsl(step).and_then(function) else { return Ok(false) };
    let scalar = step.element_of(FIRST)?;
    let format = format(scalar).ok_or_else(|| step.not_modelled("the type of its operand"))?;
    let margin = permitted(step, format);
    if margin.requested != Default::default() {
        return Err(controlled(step));
    }
    let numbers = step.consume(FIRST)?;
    let mut result = step.blank_result()?;
    let second = second.unwrap_or(scalar);
    for lane in lanes(step.active) {
        for component in 0..numbers.leaves() {
            let bits = numbers.bits(component, lane);
            let members = of(format, bits);
            for (member, stated) in members.into_iter().enumerate() {
                let Some(stated) = stated else { continue };
                let leaf = member * numbers.leaves() + component;
                let scalar = if member == 0 { scalar } else { second };
                let held = match scalar.is_float() {
                    true => Held::Number(format),
                    false => Held::Integer,
                };
                let alternatives = alternatives(of, (format, held), margin, (bits, member, stated));
                let bits = alternatives.settle(step, (scalar, held), (leaf, lane))?;
                result.set(leaf, lane, bits);
            }
        }
    }
    step.finish(result)?;
    Ok(true)
}

/// What it does with a number, and the type of the second member where that is not the first one's.
fn function(instruction: Glsl) -> Option<(Split, Option<Scalar>)> {
    match instruction {
        Glsl::ModfStruct => Some((around_point, None)),
        Glsl::FrexpStruct => Some((by_power, Some(Scalar::Int { width: 32, signed: true }))),
        _ => None,
    }
}

/// What is stated of a member, and what the environment permits where it flushes numbers.
fn alternatives(
    of: Split,
    (format, held): (Format, Held),
    margin: Margin,
    (bits, member, stated): (u64, usize, u64),
) -> Alternatives {
    let special = format.magnitude(bits) >= format.infinity();
    let zero =
        margin.flushed && format.is_subnormal(bits) || margin.finite && format.magnitude(bits) == 0;
    let zeros = format.zeros().into_iter().filter(|_| zero);
    let of_zeros = zeros.filter_map(|it| of(format, it)[member]);
    let near = match held {
        Held::Number(format) => with_zeros(format, margin, stated),
        _ => vec![stated],
    };
    let mut permitted: Vec<u64> = near.into_iter().chain(of_zeros).collect();
    permitted.retain(|it| *it != stated);
    Alternatives {
        permitted,
        unknown: margin.anything,
        anything: margin.finite && special,
        ..Alternatives::only(stated)
    }
}

/// What is behind the point and the whole number before it, with the number's sign; of an infinity no
/// sentence says what is behind.
fn around_point(format: Format, bits: u64) -> Members {
    let whole = whole_number(format, bits, Round::TowardZero);
    let sign = bits & format.zeros()[1];
    let rest = combine_by(format, Operation::Sub, bits, whole, Round::NearestTiesToEven);
    match format.magnitude(bits) == format.infinity() {
        true => [None, Some(whole)],
        false if format.magnitude(rest) == 0 => [Some(sign), Some(whole)],
        false => [Some(rest), Some(whole)],
    }
}

/// A number from a half to 1 and the power of two by which it is less; nothing for infinities and NaNs.
fn by_power(format: Format, bits: u64) -> Members {
    fn parts<T: Float>(bits: u64) -> (u64, i32) {
        let mut power = 0;
        let part = T::from_bits(u128::from(bits)).frexp_r(&mut power, Round::NearestTiesToEven);
        (part.to_bits() as u64, power)
    }
    let magnitude = format.magnitude(bits);
    if magnitude >= format.infinity() {
        return [None; 2];
    }
    if magnitude == 0 {
        return [Some(bits), Some(0)];
    }
    let (part, power) = match format {
        Format::Half => parts::<Half>(bits),
        Format::Bfloat16 => parts::<BFloat>(bits),
        Format::Single => parts::<Single>(bits),
        Format::Double => parts::<Double>(bits),
    };
    [Some(part), Some(truncate(32, power as u64))]
}
