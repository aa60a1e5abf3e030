//! What an environment permits of an instruction's results, and which one a lane gets.

use laneproof_module::Operand;
use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use crate::choices::Open;
use crate::float_format::{Format, format};
use crate::latitude::{Leeway, Margin, Permitted, unit};
use crate::opcode::{Floats, OpcodeFacts};
use crate::outcome::Stop;
use crate::step::Step;

/// What is allowed of it, anything where operands are computed that it may be combined with.
pub(super) fn margin(step: &Step<'_, '_, '_>, leeway: &Leeway, format: Format) -> Margin {
    let mut margin = leeway.latitude.margin(step.machine.program, step.instruction, format);
    for operand in &step.instruction.operands {
        let Operand::IdRef(id) = operand else { continue };
        let origin = leeway.origins.value(*id);
        // A reduction of products may be a chain of operations that are rounded once.
        let contracts = match step.instruction.opcode {
            Op::GroupFAdd | Op::GroupNonUniformFAdd => origin.product,
            opcode => origin.computed && OpcodeFacts::of(opcode).floats != Floats::Combines,
        };
        margin.combining.combined |= margin.combining.rearranged && origin.computed;
        margin.combining.combined |= margin.combining.contracted && contracts;
        margin.combining.inexact |= leeway.is_inexact(*id);
    }
    margin
}

/// The same for results that are not looked at together with their operands.
pub(super) fn margin_alone(step: &Step<'_, '_, '_>, leeway: &Leeway, format: Format) -> Margin {
    let margin = margin(step, leeway, format);
    Margin { anything: margin.anything || margin.combining.combined, ..margin }
}

/// The operands, and the same with subnormal ones as zeros.
pub(super) fn flushed<const N: usize>(
    margin: Margin,
    inputs: [u64; N],
    formats: [Option<Format>; N],
) -> Vec<[u64; N]> {
    let mut all = vec![inputs];
    for (number, format) in formats.into_iter().enumerate() {
        let Some(format) = format.filter(|it| margin.flushed && it.is_subnormal(inputs[number]))
        else {
            continue;
        };
        for at in 0..all.len() {
            for zero in format.zeros() {
                let mut other = all[at];
                other[number] = zero;
                all.push(other);
            }
        }
        if margin.requested.flushes {
            all.retain(|inputs| !format.is_subnormal(inputs[number]));
        }
    }
    all
}

/// The scalar that a lane gets: the one that is given if it is permitted, else the exact one.
pub(super) fn settle(
    step: &mut Step<'_, '_, '_>,
    scalar: Scalar,
    (leaf, lane): (usize, u32),
    permitted: &Permitted,
    exact: Option<u64>,
) -> Result<Option<u64>, Stop> {
    if let Some(only) = permitted.only() {
        return Ok(Some(only));
    }
    let site = step.site();
    if step.machine.options.follow {
        return Ok(step.machine.choices.marker(&site, lane, leaf, Open::Reduction(scalar)));
    }
    if let Some(given) = step.machine.choices.open(&site, lane, leaf, scalar.width()) {
        let legal = match format(scalar) {
            Some(format) => permitted.contains(format, given),
            None => true,
        };
        return match legal {
            true => Ok(Some(given)),
            false => match format(scalar) {
                Some(format) if permitted.may_contain(format, given) => Err(step.undecided()),
                _ => Err(step.illegal(vec![lane])),
            },
        };
    }
    step.machine.choices.margin();
    match (exact, format(scalar)) {
        (Some(bits), Some(format)) if format.is_nan(bits) => Ok(step.some_nan(scalar, leaf, lane)),
        (exact, _) => Ok(exact),
    }
}

/// The absolute error of one operation by flushing.
pub(super) fn floor(format: Format, margin: Margin) -> f64 {
    let least = 2.0_f64.powi(format.least_exponent());
    if margin.flushed { 2.0 * least } else { 0.5 * unit(format, 0.0) }
}
