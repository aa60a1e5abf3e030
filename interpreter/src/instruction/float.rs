//! Floating-point arithmetic and conversions (SPIR-V, Arithmetic and Conversion Instructions):
//! IEEE 754, nearest even, subnormals kept, nothing contracted. Which NaN a result is, is open.

use laneproof_module::spirv::Op;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::promise;
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::reading::OfOpenCl;
use crate::step::{Leaf, Step};
use crate::width::signed;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::FAdd => binary(step, Operation::Add)?,
        Op::FSub => binary(step, Operation::Sub)?,
        Op::FMul | Op::VectorTimesScalar => binary(step, Operation::Mul)?,
        Op::FDiv => binary(step, Operation::Div)?,
        Op::Dot => dot(step)?,
        Op::FNegate => {
            let format = result(step)?;
            let sign = 1 << (format.width() - 1);
            step.map([0], |[a]| number(format, a ^ sign))?;
        }
        Op::FConvert => {
            let (from, to) = (operand(step)?, result(step)?);
            let round = promise::direction(step, Round::NearestTiesToEven);
            step.map([0], |[a]| number(to, convert_by(from, to, a, round)))?;
        }
        Op::ConvertFToBF16INTEL => {
            let from = operand(step)?;
            let to = Format::Bfloat16;
            step.map([0], |[a]| number(to, to.narrow(from.widen(a))))?;
        }
        Op::ConvertBF16ToFINTEL => {
            let to = result(step)?;
            step.map([0], |[a]| number(to, to.narrow(Format::Bfloat16.widen(a))))?;
        }
        Op::ConvertUToF => {
            let to = result(step)?;
            let round = promise::direction(step, Round::NearestTiesToEven);
            step.map([0], |[a]| number(to, from_integer_by(to, i128::from(a), round)))?;
        }
        Op::ConvertSToF => {
            let (to, width) = (result(step)?, step.element_of(0)?.width());
            let round = promise::direction(step, Round::NearestTiesToEven);
            step.map([0], |[a]| {
                number(to, from_integer_by(to, i128::from(signed(width, a)), round))
            })?;
        }
        Op::ConvertFToU => {
            let outside = outside(step);
            let (from, width) = (operand(step)?, step.result_element()?.width());
            let round = promise::direction(step, Round::TowardZero);
            step.map([0], |[a]| {
                let rounded = from.widen(a).to_u128_r(width as usize, round, &mut false);
                integer(outside, rounded.status, rounded.value as u64)
            })?;
        }
        Op::ConvertFToS => {
            let outside = outside(step);
            let (from, width) = (operand(step)?, step.result_element()?.width());
            let round = promise::direction(step, Round::TowardZero);
            step.map([0], |[a]| {
                let rounded = from.widen(a).to_i128_r(width as usize, round, &mut false);
                integer(outside, rounded.status, rounded.value as u64)
            })?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The sum of the products, each of them and each sum rounded, from the first component on.
fn dot(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let (format, scalar) = (result(step)?, step.result_element()?);
    let (left, right) = (step.consume(0)?, step.consume(1)?);
    let nearest = Round::NearestTiesToEven;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let products = (0..left.leaves()).map(|leaf| {
            let [a, b] = [&left, &right].map(|it| it.bits(leaf, lane));
            combine_by(format, Operation::Mul, a, b, nearest)
        });
        let sum = products.reduce(|sum, it| combine_by(format, Operation::Add, sum, it, nearest));
        let bits = match sum {
            Some(bits) if format.is_nan(bits) => step.some_nan(scalar, 0, lane),
            sum => sum,
        };
        result.set(0, lane, bits);
    }
    step.finish(result)
}

fn operand(step: &Step<'_, '_, '_>) -> Result<Format, Stop> {
    format(step.element_of(0)?).ok_or_else(|| step.not_modelled("the type of its operand"))
}

fn result(step: &Step<'_, '_, '_>) -> Result<Format, Stop> {
    format(step.result_element()?).ok_or_else(|| step.not_modelled("its result type"))
}

fn number(format: Format, bits: u64) -> Leaf {
    if format.is_nan(bits) { Leaf::Nan } else { Leaf::Bits(bits) }
}

/// What a number becomes that does not fit the integer.
#[derive(Clone, Copy)]
enum Outside {
    Nearest,
    Implementation,
    Behavior,
}

fn outside(step: &Step<'_, '_, '_>) -> Outside {
    match (promise::saturates(step), left_to_implementation(step)) {
        (true, _) => Outside::Nearest,
        (false, true) => Outside::Implementation,
        (false, false) => Outside::Behavior,
    }
}

/// The environment leaves what does not fit to the implementation, as OpenCL does.
pub(super) fn left_to_implementation(step: &Step<'_, '_, '_>) -> bool {
    let said = step.machine.options.readings.of_opencl;
    step.machine.program.is_kernel() && said >= OfOpenCl::Numerics
}

/// An integer that was rounded to; where it does not fit, `value` is the nearest one, or zero.
fn integer(outside: Outside, status: Status, value: u64) -> Leaf {
    match outside {
        _ if !status.contains(Status::INVALID_OP) => Leaf::Bits(value),
        Outside::Nearest => Leaf::Bits(value),
        Outside::Implementation => Leaf::Implementation,
        Outside::Behavior => Leaf::Behavior("the number does not fit the integer"),
    }
}

/// An integer, rounded as `round` says. No detour through a wider format: that would round twice.
pub(super) fn from_integer_by(format: Format, value: i128, round: Round) -> u64 {
    let bits = match format {
        Format::Half => Half::from_i128_r(value, round).value.to_bits(),
        Format::Bfloat16 => BFloat::from_i128_r(value, round).value.to_bits(),
        Format::Single => Single::from_i128_r(value, round).value.to_bits(),
        Format::Double => Double::from_i128_r(value, round).value.to_bits(),
    };
    bits as u64
}

/// An operation that rounds.
#[derive(Clone, Copy)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
}

fn binary(step: &mut Step<'_, '_, '_>, operation: Operation) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([0, 1], |[a, b]| number(format, combine(format, operation, a, b)))
}

/// One operation in a format, to the nearest number.
pub(super) fn combine(format: Format, operation: Operation, a: u64, b: u64) -> u64 {
    combine_by(format, operation, a, b, Round::NearestTiesToEven)
}

/// The same, rounded as `round` says.
pub(super) fn combine_by(
    format: Format,
    operation: Operation,
    a: u64,
    b: u64,
    round: Round,
) -> u64 {
    match format {
        Format::Half => apply::<Half>(operation, a, b, round),
        Format::Bfloat16 => apply::<BFloat>(operation, a, b, round),
        Format::Single => apply::<Single>(operation, a, b, round),
        Format::Double => apply::<Double>(operation, a, b, round),
    }
}

/// A number in another format, rounded as `round` says.
pub(super) fn convert_by(from: Format, to: Format, bits: u64, round: Round) -> u64 {
    fn narrow<T: Float>(double: Double, round: Round) -> u64
    where
        Double: FloatConvert<T>,
    {
        let converted: T = double.convert_r(round, &mut false).value;
        converted.to_bits() as u64
    }
    let double = from.widen(bits);
    match to {
        Format::Half => narrow::<Half>(double, round),
        Format::Bfloat16 => narrow::<BFloat>(double, round),
        Format::Single => narrow::<Single>(double, round),
        Format::Double => double.to_bits() as u64,
    }
}

fn apply<T: Float>(operation: Operation, a: u64, b: u64, round: Round) -> u64 {
    let (a, b) = (T::from_bits(u128::from(a)), T::from_bits(u128::from(b)));
    let result = match operation {
        Operation::Add => a.add_r(b, round),
        Operation::Sub => a.sub_r(b, round),
        Operation::Mul => a.mul_r(b, round),
        Operation::Div => a.div_r(b, round),
    };
    result.value.to_bits() as u64
}
