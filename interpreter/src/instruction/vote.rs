//! Elections and votes (SPIR-V, Non-Uniform Instructions).

use laneproof_module::spirv::Op;

use super::inexact_comparison::{Answer, environment, equal};
use crate::float_format::format;
use crate::lane::{lanes, lanes_where};
use crate::outcome::Stop;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::GroupNonUniformElect => {
            step.in_scope()?;
            let first = step.active.trailing_zeros();
            answer(step, |lane| lane == first)?;
        }
        Op::GroupNonUniformAll => vote(step, |in_favor, voters| in_favor == voters)?,
        Op::GroupNonUniformAny => vote(step, |in_favor, _| in_favor != 0)?,
        Op::GroupNonUniformAllEqual => all_equal(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Each lane is compared with the first, the first with itself too: a NaN is equal to nothing.
fn all_equal(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    step.in_scope()?;
    let scalar = step.element_of(1)?;
    let margin = environment(step, scalar);
    let value = step.consume(1)?;
    let first = step.active.trailing_zeros();
    let is_subnormal = |bits| format(scalar).is_some_and(|format| format.is_subnormal(bits));
    let (mut all, mut open) = (true, false);
    for lane in lanes(step.active) {
        for leaf in 0..value.leaves() {
            let [a, b] = [first, lane].map(|lane| value.bits(leaf, lane));
            match equal(margin, scalar, a, b) {
                // Of one number there is one zero.
                Answer::Either(true) if lane == first && is_subnormal(a) => {}
                Answer::Either(same) => (all, open) = (all && same, true),
                Answer::Only(true) => {}
                Answer::Only(false) => return answer(step, |_| false),
            }
        }
    }
    let outcome = if open { Answer::Either(all) } else { Answer::Only(all) };
    match outcome.pick(step) {
        Some(outcome) => answer(step, |_| outcome),
        None => {
            let mut result = step.blank_result()?;
            lanes(step.active).for_each(|lane| result.set(0, lane, None));
            step.finish(result)
        }
    }
}

/// A vote, decided by the set of lanes in favor and the set of all that vote.
fn vote(step: &mut Step<'_, '_, '_>, decide: fn(u128, u128) -> bool) -> Result<(), Stop> {
    step.in_scope()?;
    decided(step, 1, decide)
}

/// A vote on a predicate that is operand `operand`.
pub(super) fn decided(
    step: &mut Step<'_, '_, '_>,
    operand: usize,
    decide: fn(u128, u128) -> bool,
) -> Result<(), Stop> {
    let predicate = step.consume(operand)?;
    let in_favor = lanes_where(step.active, |lane| predicate.bits(0, lane) & 1 == 1);
    let outcome = decide(in_favor, step.active);
    answer(step, |_| outcome)
}

/// Leaves a Boolean in every active lane.
pub(super) fn answer(step: &mut Step<'_, '_, '_>, holds: impl Fn(u32) -> bool) -> Result<(), Stop> {
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        result.set(0, lane, Some(u64::from(holds(lane))));
    }
    step.finish(result)
}
