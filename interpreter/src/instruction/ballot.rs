//! Ballots (SPIR-V, Non-Uniform Instructions): sets of lanes as four 32-bit words, lane 0 in
//! the lowest bit of the first.

use std::rc::Rc;

use laneproof_module::spirv::{GroupOperation, Op};
use laneproof_module::{Named, Operand};

use crate::lane::{below, contains, lanes, lanes_where};
use crate::outcome::Stop;
use crate::step::Step;
use crate::value::Value;

/// Words of a ballot.
const WORDS: usize = 4;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    // The bits that represent the group's invocations.
    let group = below(step.group_size());
    match opcode {
        Op::GroupNonUniformBallot => {
            step.in_scope()?;
            let predicate = step.consume(1)?;
            let ballot = lanes_where(step.active, |lane| predicate.bits(0, lane) & 1 == 1);
            let result = of_masks(step, |_| ballot)?;
            step.finish(result)?;
        }
        Op::GroupNonUniformInverseBallot => {
            step.in_scope()?;
            let ballot = operand(step, 1)?;
            step.must_be_uniform(&ballot, "the ballot")?;
            scalar(step, |lane| Some(u64::from(contains(mask(&ballot, lane), u64::from(lane)))))?;
        }
        Op::GroupNonUniformBallotBitExtract => {
            step.in_scope()?;
            let ballot = operand(step, 1)?;
            let index = step.consume(2)?;
            scalar(step, |lane| {
                let index = index.bits(0, lane);
                contains(group, index).then(|| u64::from(contains(mask(&ballot, lane), index)))
            })?;
        }
        Op::GroupNonUniformBallotBitCount => {
            step.in_scope()?;
            let operation = operation(step)?;
            let ballot = operand(step, 2)?;
            let counted = |lane| match operation {
                GroupOperation::Reduce => Some(group),
                GroupOperation::InclusiveScan => Some(group & below(lane + 1)),
                GroupOperation::ExclusiveScan => Some(group & below(lane)),
                _ => None,
            };
            if counted(0).is_none() {
                return Err(step.not_modelled(format!("the operation {}", operation.name())));
            }
            scalar(step, |lane| {
                Some(u64::from((mask(&ballot, lane) & counted(lane)?).count_ones()))
            })?;
        }
        Op::GroupNonUniformBallotFindLSB => {
            find(step, |set| set.trailing_zeros())?;
        }
        Op::GroupNonUniformBallotFindMSB => {
            find(step, |set| 127 - set.leading_zeros())?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The group operation that is operand 1.
pub(super) fn operation(step: &Step<'_, '_, '_>) -> Result<GroupOperation, Stop> {
    match step.instruction.operands.get(1) {
        Some(Operand::GroupOperation(operation)) => Ok(*operation),
        _ => Err(step.not_modelled("operand 1 is not a group operation")),
    }
}

/// A lane's ballot as a set.
pub(super) fn mask(ballot: &Value, lane: u32) -> u128 {
    (0..WORDS).fold(0, |mask, word| mask | u128::from(ballot.bits(word, lane)) << (32 * word))
}

/// A ballot that is an operand.
pub(super) fn operand(step: &mut Step<'_, '_, '_>, operand: usize) -> Result<Rc<Value>, Stop> {
    let ballot = step.consume(operand)?;
    match ballot.leaves() {
        WORDS => Ok(ballot),
        _ => Err(step.not_modelled("a ballot of other than four words")),
    }
}

/// A result whose words are, in each active lane, the set that `set` gives.
pub(super) fn of_masks(step: &Step<'_, '_, '_>, set: impl Fn(u32) -> u128) -> Result<Value, Stop> {
    let mut result = step.blank_result()?;
    if result.leaves() != WORDS {
        return Err(step.not_modelled("a ballot of other than four words"));
    }
    for lane in lanes(step.active) {
        for word in 0..WORDS {
            let bits = (set(lane) >> (32 * word)) as u32;
            result.set(word, lane, Some(u64::from(bits)));
        }
    }
    Ok(result)
}

fn scalar(step: &mut Step<'_, '_, '_>, value: impl Fn(u32) -> Option<u64>) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        result.set(0, lane, value(lane).map(|bits| crate::width::truncate(width, bits)));
    }
    step.finish(result)
}

/// The position of a bit among those of the group; undefined where none is set.
fn find(step: &mut Step<'_, '_, '_>, position: fn(u128) -> u32) -> Result<(), Stop> {
    step.in_scope()?;
    let group = below(step.group_size());
    let ballot = operand(step, 1)?;
    scalar(step, |lane| {
        let set = mask(&ballot, lane) & group;
        (set != 0).then(|| u64::from(position(set)))
    })
}
