//! Floating point with an environment's precision, for the oracle: every result that a device may
//! give for one instruction, and what is known of computations with it.

use laneproof_module::Operand;
use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;
use rustc_apfloat::ieee::Double;
use rustc_apfloat::{Float, Round};

use super::combined::{self, Combination};
use super::float::{Operation, combine_by, convert_by, from_integer_by};
use super::margins::{flushed, margin, margin_alone, settle};
use super::modes::{by_modes, controlled};
use super::{bounded, comparison, inexact_comparison, packing, parts, promise};
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::latitude::{Leeway, Margin, Permitted};
use crate::opcode::OpcodeFacts;
use crate::outcome::Stop;
use crate::step::Step;
use crate::width::{signed, truncate};

/// Executes a floating-point instruction with more than one permitted result; false if only the exact
/// result is permitted, or for other instructions.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let Some(leeway) = step.machine.options.leeway else { return Ok(false) };
    if !step.machine.options.follow && is_on_floats(step, opcode) && has_undefined(step) {
        // Its draw must not be requested twice.
        step.machine.choices.margin();
        return Ok(false);
    }
    match opcode {
        Op::FAdd => binary(step, leeway, Operation::Add),
        Op::FSub => binary(step, leeway, Operation::Sub),
        Op::FMul | Op::VectorTimesScalar => binary(step, leeway, Operation::Mul),
        Op::FDiv => binary(step, leeway, Operation::Div),
        Op::FNegate => {
            let Some(format) = result_format(step)? else { return Ok(false) };
            let sign = 1 << (format.width() - 1);
            computed(step, leeway, [0], [Some(format)], |[a], _| a ^ sign)
        }
        Op::FConvert => {
            let (Some(from), Some(to)) = (operand_format(step)?, result_format(step)?) else {
                return Ok(false);
            };
            computed(step, leeway, [0], [Some(from)], |[a], round| convert_by(from, to, a, round))
        }
        Op::ConvertUToF | Op::ConvertSToF => {
            let Some(to) = result_format(step)? else { return Ok(false) };
            let width = step.element_of(0)?.width();
            let number = move |a: u64| match opcode {
                Op::ConvertUToF => i128::from(a),
                _ => i128::from(signed(width, a)),
            };
            computed(step, leeway, [0], [None], |[a], round| from_integer_by(to, number(a), round))
        }
        Op::ConvertFToU | Op::ConvertFToS => to_integer(step, leeway, opcode),
        _ if comparison::decides(opcode).is_some() => {
            let Some(format) = operand_format(step)? else { return Ok(false) };
            match inexact_comparison::compared(step, leeway, opcode, format)? {
                true => Ok(true),
                false => plain_or_open(step, leeway, format, true),
            }
        }
        // What is permitted of these is known where they are executed.
        Op::ExtInst if packing::is_known(step) || parts::is_known(step) => Ok(false),
        Op::ExtInst if bounded::as_permitted(step, leeway, opcode)? => Ok(true),
        Op::ExtInst => {
            let Ok(Some(format)) = result_format(step) else { return Ok(false) };
            plain_or_open(step, leeway, format, false)
        }
        Op::FRem | Op::FMod => remainder(step, leeway, opcode),
        Op::Dot => bounded::as_permitted(step, leeway, opcode),
        Op::AtomicFAddEXT
        | Op::AtomicFMinEXT
        | Op::AtomicFMaxEXT
        | Op::GroupFAdd
        | Op::GroupFMulKHR
        | Op::GroupFMin
        | Op::GroupFMax
        | Op::GroupNonUniformFAdd
        | Op::GroupNonUniformFMul
        | Op::GroupNonUniformFMin
        | Op::GroupNonUniformFMax => {
            let Some(format) = result_format(step)? else { return Ok(false) };
            let margin = margin_alone(step, leeway, format);
            if margin.requested.toward_zero || margin.requested.flushes {
                Err(controlled(step))
            } else {
                Ok(false)
            }
        }
        _ => Ok(false),
    }
}

/// An environment may leave results of it open: it computes with numbers of floating point.
fn is_on_floats(step: &Step<'_, '_, '_>, opcode: Op) -> bool {
    let is_float = |scalar: Scalar| format(scalar).is_some();
    let computes = OpcodeFacts::of(opcode).is_on_floats();
    let result = || step.result_element().is_ok_and(is_float);
    let operand = |number: usize| step.element_of(number).is_ok_and(is_float);
    computes && (result() || (0..step.operands()).any(operand))
}

/// An operand is an undefined value in some lane.
fn has_undefined(step: &Step<'_, '_, '_>) -> bool {
    (0..step.operands()).any(|operand| {
        let value = match step.instruction.operands.get(operand) {
            Some(Operand::IdRef(_)) => step.copy(operand).ok(),
            _ => None,
        };
        value.is_some_and(|value| {
            (0..value.leaves()).any(|leaf| value.undefined_in(leaf) & step.active != 0)
        })
    })
}

fn result_format(step: &Step<'_, '_, '_>) -> Result<Option<Format>, Stop> {
    Ok(format(step.result_element()?))
}

fn operand_format(step: &Step<'_, '_, '_>) -> Result<Option<Format>, Stop> {
    Ok(format(step.element_of(0)?))
}

fn binary(
    step: &mut Step<'_, '_, '_>,
    leeway: &Leeway,
    operation: Operation,
) -> Result<bool, Stop> {
    let Some(format) = result_format(step)? else { return Ok(false) };
    computed(step, leeway, [0, 1], [Some(format); 2], |[a, b], round| {
        combine_by(format, operation, a, b, round)
    })
}

/// An operation that is rounded once: every result by the margin, scalar by scalar.
fn computed<const N: usize>(
    step: &mut Step<'_, '_, '_>,
    leeway: &Leeway,
    operands: [usize; N],
    formats: [Option<Format>; N],
    compute: impl Fn([u64; N], Round) -> u64,
) -> Result<bool, Stop> {
    let Some(format) = result_format(step)? else { return Ok(false) };
    let margin = margin(step, leeway, format);
    if margin.is_none() {
        return Ok(false);
    }
    if let Some(result) = combined::followed(step, leeway, format, margin)? {
        step.finish(result)?;
        return Ok(true);
    }
    let division = step.instruction.opcode == Op::FDiv;
    let sources =
        operands.iter().map(|operand| step.consume(*operand)).collect::<Result<Vec<_>, _>>()?;
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        for lane in lanes(step.active) {
            let mut inputs = [0; N];
            for (input, source) in inputs.iter_mut().zip(&sources) {
                *input = source.bits(leaf.min(source.leaves().saturating_sub(1)), lane);
            }
            let exact = by_modes(format, margin, inputs, formats, &compute);
            let mut permitted =
                if division && margin.large_divisors && is_far(format, inputs[N - 1]) {
                    Permitted::anything()
                } else {
                    permitted(format, margin, inputs, formats, &compute, division)
                };
            if margin.combining.combined || margin.combining.inexact {
                let combined = Combination { step, leeway, format, leaf, lane };
                permitted.join(combined.permitted(margin));
            }
            let bits = settle(step, scalar, (leaf, lane), &permitted, Some(exact))?;
            result.set(leaf, lane, bits);
        }
    }
    step.finish(result)?;
    Ok(true)
}

/// A remainder. Without a bound it is an undefined value where it is one by zero, or of infinities and
/// NaNs; the exact execution knows.
fn remainder(step: &mut Step<'_, '_, '_>, leeway: &Leeway, opcode: Op) -> Result<bool, Stop> {
    let Some(format) = result_format(step)? else { return Ok(false) };
    if margin(step, leeway, format).bounded {
        return bounded::as_permitted(step, leeway, opcode);
    }
    let operands = [step.consume(0)?, step.consume(1)?];
    let undefined = |lane: &u32| {
        (0..operands[0].leaves()).any(|leaf| {
            let [a, b] = [0, 1].map(|of| format.magnitude(operands[of].bits(leaf, *lane)));
            a.max(b) >= format.infinity() || b == 0
        })
    };
    let all = step.active;
    let set = lanes(all).filter(undefined).fold(0, |set, lane| set | 1 << lane);
    if set != 0 && (set == all || !bounded::execute(step, opcode)?) {
        return Ok(false);
    }
    step.active = all & !set;
    let done = bounded::as_permitted(step, leeway, opcode);
    step.active = all;
    done
}

/// A divisor whose inverse is subnormal, or which is so itself.
fn is_far(format: Format, divisor: u64) -> bool {
    let magnitude = format.value(divisor).abs();
    let least = 2.0_f64.powi(format.least_exponent());
    magnitude != 0.0 && !(least..=least.recip()).contains(&magnitude)
}

fn permitted<const N: usize>(
    format: Format,
    margin: Margin,
    inputs: [u64; N],
    formats: [Option<Format>; N],
    compute: &impl Fn([u64; N], Round) -> u64,
    division: bool,
) -> Permitted {
    let special = inputs.iter().zip(formats).any(|(input, format)| {
        format.is_some_and(|format| format.magnitude(*input) >= format.infinity())
    });
    if margin.finite && special {
        return Permitted::anything();
    }
    let rounds = margin.rounds();
    let mut permitted = if margin.anything { Permitted::unknown() } else { Permitted::default() };
    for inputs in flushed(margin, inputs, formats) {
        for &round in rounds {
            permitted.add(format, margin, truncate(format.width(), compute(inputs, round)));
        }
        let exact = format.value(compute(inputs, Round::NearestTiesToEven));
        if margin.error > 0.0 && division {
            let [a, b] = [inputs[0], inputs[N - 1]].map(|bits| format.value(bits));
            permitted.add_error(format, margin, a / b, margin.error);
        } else if margin.error > 0.0 || margin.single {
            permitted.add_error(format, margin, exact, margin.error.max(1.0));
        }
    }
    permitted
}

/// What there is to say of a result that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// It may be anything.
    Anything,
    /// It has a bound that is not known here.
    Unknown,
}

/// The integer toward zero. What is out of range is undefined behavior, or for the implementation
/// to say where the environment leaves it that.
fn to_integer(step: &mut Step<'_, '_, '_>, leeway: &Leeway, opcode: Op) -> Result<bool, Stop> {
    let Some(format) = operand_format(step)? else { return Ok(false) };
    let margin = margin(step, leeway, format);
    let width = step.result_element()?.width() as i32;
    let round = promise::direction(step, Round::TowardZero);
    let whole = |number: f64| {
        let whole = Double::from_bits(u128::from(number.to_bits())).round_to_integral(round).value;
        f64::from_bits(whole.to_bits() as u64)
    };
    let fits = |number: f64| {
        let whole = whole(number);
        match opcode {
            Op::ConvertFToU => whole >= 0.0 && whole < 2.0_f64.powi(width),
            _ => whole >= -(2.0_f64.powi(width - 1)) && whole < 2.0_f64.powi(width - 1),
        }
    };
    let value = step.consume(0)?;
    let lanes_with = |step: &Step<'_, '_, '_>, wanted: &dyn Fn(u64) -> bool| {
        let has = |lane: &u32| (0..value.leaves()).any(|leaf| wanted(value.bits(leaf, *lane)));
        lanes(step.active).filter(has).fold(0, |set, lane| set | 1 << lane)
    };
    // A kernel's is one number for one implementation, which the exact conversion gives.
    let defined = super::float::left_to_implementation(step);
    if margin.out_of_range && !promise::saturates(step) && !defined {
        let set = lanes_with(step, &|bits| !fits(format.value(bits)));
        return if set == 0 { Ok(false) } else { in_part(step, set).map(|()| true) };
    }
    let special =
        lanes_with(step, &|bits| margin.finite && format.magnitude(bits) >= format.infinity());
    // Rounded away from zero, a subnormal number is not what a zero is.
    let may_vanish = margin.flushed && round != Round::TowardZero;
    let odd = lanes_with(step, &|bits| may_vanish && format.is_subnormal(bits));
    // An operand that was not rounded may be another whole number.
    let unrounded = |step: &Step<'_, '_, '_>, leaf: usize, lane: u32| {
        let combination = Combination { step, leeway, format, leaf, lane };
        let held = combination.held(0, margin);
        held.is_none_or(|[low, high]| whole(low) != whole(high))
    };
    let contracted = match margin.combining.combined {
        true if combined::contracts_only(margin) => lanes(step.active)
            .filter(|lane| (0..value.leaves()).any(|leaf| unrounded(step, leaf, *lane)))
            .fold(0, |set, lane| set | 1 << lane),
        true => step.active,
        false => 0,
    };
    let rest = if margin.anything { step.active } else { odd | contracted } & !special;
    open_beside(step, special, rest, Bound::Unknown)
}

/// Operations whose result follows from plain operands exactly, where `exact`; anything else is open.
fn plain_or_open(
    step: &mut Step<'_, '_, '_>,
    leeway: &Leeway,
    format: Format,
    exact: bool,
) -> Result<bool, Stop> {
    let margin = margin_alone(step, leeway, format);
    if margin.is_none() {
        return Ok(false);
    }
    let extended = step.instruction.opcode == Op::ExtInst;
    let (mut special, mut odd) = (0, 0);
    for operand in 0..step.operands() {
        let Some(Operand::IdRef(_)) = step.instruction.operands.get(operand) else { continue };
        let Ok(Some(format)) = step.element_of(operand).map(self::format) else { continue };
        let value = step.consume(operand)?;
        for lane in lanes(step.active) {
            for bits in (0..value.leaves()).map(|leaf| value.bits(leaf, lane)) {
                let magnitude = format.magnitude(bits);
                if margin.finite && magnitude >= format.infinity() {
                    special |= 1 << lane;
                }
                // A result that is a zero may have either sign.
                let vanishes = extended && margin.finite && magnitude <= format.one();
                if vanishes || margin.flushed && format.is_subnormal(bits) {
                    odd |= 1 << lane;
                }
            }
        }
    }
    // Results that are requested by modes and not computed here.
    let missing = margin.requested.flushes && odd != 0 || margin.requested.toward_zero && !exact;
    if missing && !step.machine.options.follow {
        return Err(controlled(step));
    }
    let all = margin.anything || !exact;
    let rest = if all { step.active } else { odd } & !special;
    let bound = if extended || all { Bound::Unknown } else { Bound::Anything };
    open_beside(step, special, rest, bound)
}

/// Leaves the result open where it may be anything, in the lanes of the first set, and in those of
/// the second.
fn open_beside(
    step: &mut Step<'_, '_, '_>,
    anything: u128,
    rest: u128,
    bound: Bound,
) -> Result<bool, Stop> {
    let bound = if rest == 0 { Bound::Anything } else { bound };
    if anything | rest == 0 { Ok(false) } else { open_in(step, anything | rest, bound) }
}

/// Leaves the result open in the lanes of a set. In a run that is no more than one of those that
/// there are, the exact result will do: false, it is still to be executed.
fn open_in(step: &mut Step<'_, '_, '_>, set: u128, bound: Bound) -> Result<bool, Stop> {
    if step.machine.options.follow {
        return in_part(step, set).map(|()| true);
    }
    let (site, width) = (step.site(), step.result_element()?.width());
    let leaves = step.blank_result()?.leaves();
    let choices = &mut *step.machine.choices;
    let given = lanes(set)
        .any(|lane| (0..leaves).any(|leaf| choices.open(&site, lane, leaf, width).is_some()));
    if !given {
        choices.margin();
        return Ok(false);
    }
    match bound {
        Bound::Unknown => Err(step.undecided()),
        Bound::Anything => in_part(step, set).map(|()| true),
    }
}

/// Some result in the lanes of a set, the exact one in all others.
fn in_part(step: &mut Step<'_, '_, '_>, set: u128) -> Result<(), Stop> {
    let all = step.active;
    if all & !set != 0 {
        step.active = all & !set;
        let opcode = step.instruction.opcode;
        let done = super::execute_exactly(step, opcode);
        step.active = all;
        if !done? {
            return Err(step.not_modelled("the interpreter does not know this instruction"));
        }
    }
    step.active = set;
    let done = leave_open(step);
    step.active = all;
    done
}

fn leave_open(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        for lane in lanes(step.active) {
            let bits = settle(step, scalar, (leaf, lane), &Permitted::anything(), Some(0))?;
            result.set(leaf, lane, bits);
        }
    }
    step.finish(result)
}
