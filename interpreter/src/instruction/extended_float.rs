//! The extended sets' instructions on floating point whose result is exact, or rounded as the
//! documents say. Which NaN a result is, is open.

use laneproof_module::spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

use crate::float_format::{Format, format};
use crate::outcome::Stop;
use crate::step::{Leaf, Step};

/// The arguments start after the set and the instruction.
const A: usize = 2;
const B: usize = 3;
const C: usize = 4;

/// Executes one of GLSL.std.450; false when it is none of these. GLSL leaves the rounding of its
/// fused multiplication and the smaller of a number and a NaN open.
pub(super) fn glsl(step: &mut Step<'_, '_, '_>, instruction: Glsl) -> Result<bool, Stop> {
    match instruction {
        Glsl::FAbs => magnitude(step)?,
        Glsl::FSign => {
            let format = result(step)?;
            step.map([A], |[a]| match (format.is_nan(a), format.magnitude(a)) {
                (false, 0) if a == 0 => Leaf::Bits(0),
                (true, _) | (false, 0) => Leaf::Undefined,
                (false, magnitude) => Leaf::Bits(a ^ magnitude | format.one()),
            })?;
        }
        Glsl::Floor => whole(step, Round::TowardNegative)?,
        Glsl::Ceil => whole(step, Round::TowardPositive)?,
        Glsl::Trunc => whole(step, Round::TowardZero)?,
        Glsl::RoundEven => whole(step, Round::NearestTiesToEven)?,
        Glsl::NMin => one_number(step, lesser)?,
        Glsl::NMax => one_number(step, greater)?,
        Glsl::NClamp => between(step)?,
        Glsl::Step => beyond(step)?,
        Glsl::FMin => extreme(step, Leaf::Undefined, |a, b| a < b)?,
        Glsl::FMax => extreme(step, Leaf::Undefined, |a, b| a > b)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Executes one of OpenCL.std; false when it is none of these.
pub(super) fn opencl(step: &mut Step<'_, '_, '_>, instruction: OpenCl) -> Result<bool, Stop> {
    match instruction {
        OpenCl::fabs => magnitude(step)?,
        OpenCl::fmin => one_number(step, lesser)?,
        OpenCl::fmax => one_number(step, greater)?,
        OpenCl::fclamp => between(step)?,
        OpenCl::step => beyond(step)?,
        OpenCl::sign => {
            let format = result(step)?;
            step.map([A], |[a]| match (format.is_nan(a), format.magnitude(a)) {
                (true, _) => Leaf::Bits(0),
                (false, 0) => Leaf::Bits(a),
                (false, magnitude) => Leaf::Bits(a ^ magnitude | format.one()),
            })?;
        }
        OpenCl::floor => whole(step, Round::TowardNegative)?,
        OpenCl::ceil => whole(step, Round::TowardPositive)?,
        OpenCl::trunc => whole(step, Round::TowardZero)?,
        OpenCl::rint => whole(step, Round::NearestTiesToEven)?,
        OpenCl::round => whole(step, Round::NearestTiesToAway)?,
        OpenCl::fma => {
            let format = result(step)?;
            step.map([A, B, C], |[a, b, c]| number(format, fused(format, a, b, c)))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn result(step: &Step<'_, '_, '_>) -> Result<Format, Stop> {
    format(step.result_element()?).ok_or_else(|| step.not_modelled("its result type"))
}

fn number(format: Format, bits: u64) -> Leaf {
    if format.is_nan(bits) { Leaf::Nan } else { Leaf::Bits(bits) }
}

fn magnitude(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A], |[a]| number(format, format.magnitude(a)))
}

/// A whole number near the operand. A NaN is itself, and which one is open.
fn whole(step: &mut Step<'_, '_, '_>, round: Round) -> Result<(), Stop> {
    fn near<T: Float>(bits: u64, round: Round) -> u64 {
        T::from_bits(u128::from(bits)).round_to_integral(round).value.to_bits() as u64
    }
    let format = result(step)?;
    step.map([A], |[a]| {
        number(
            format,
            match format {
                Format::Half => near::<Half>(a, round),
                Format::Bfloat16 => near::<BFloat>(a, round),
                Format::Single => near::<Single>(a, round),
                Format::Double => near::<Double>(a, round),
            },
        )
    })
}

/// A number that is one of two operands; of a number and a NaN that is the number.
fn one_number(
    step: &mut Step<'_, '_, '_>,
    choose: fn(Format, u64, u64) -> u64,
) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B], |[a, b]| number(format, choose(format, a, b)))
}

fn lesser(format: Format, a: u64, b: u64) -> u64 {
    let second = format.is_nan(a) || format.order(b) < format.order(a);
    if second && !format.is_nan(b) { b } else { a }
}

fn greater(format: Format, a: u64, b: u64) -> u64 {
    let second = format.is_nan(a) || format.order(b) > format.order(a);
    if second && !format.is_nan(b) { b } else { a }
}

/// A number brought between two bounds; undefined when they are the wrong way round.
fn between(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B, C], |[a, low, high]| {
        if [low, high].iter().all(|it| !format.is_nan(*it))
            && format.order(low) > format.order(high)
        {
            return Leaf::Undefined;
        }
        number(format, lesser(format, greater(format, a, low), high))
    })
}

/// 0 for a number below an edge, else 1.
fn beyond(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B], |[edge, a]| {
        let numbers = !format.is_nan(edge) && !format.is_nan(a);
        let below = numbers && format.order(a) < format.order(edge);
        Leaf::Bits(if below { 0 } else { format.one() })
    })
}

/// One of two numbers; of two zeros, or where one is a NaN, what is `open`.
fn extreme(
    step: &mut Step<'_, '_, '_>,
    open: Leaf,
    first: fn(i128, i128) -> bool,
) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B], |[a, b]| {
        let (x, y) = (format.order(a), format.order(b));
        if format.is_nan(a) || format.is_nan(b) || (x == y && a != b) {
            open
        } else if first(x, y) {
            Leaf::Bits(a)
        } else {
            Leaf::Bits(b)
        }
    })
}

fn fused(format: Format, a: u64, b: u64, c: u64) -> u64 {
    fn fused<T: Float>([a, b, c]: [u64; 3]) -> u64 {
        let [a, b, c] = [a, b, c].map(|bits| T::from_bits(u128::from(bits)));
        a.mul_add_r(b, c, Round::NearestTiesToEven).value.to_bits() as u64
    }
    match format {
        Format::Half => fused::<Half>([a, b, c]),
        Format::Bfloat16 => fused::<BFloat>([a, b, c]),
        Format::Single => fused::<Single>([a, b, c]),
        Format::Double => fused::<Double>([a, b, c]),
    }
}
