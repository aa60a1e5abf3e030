//! What each instruction does, a file for each family.

mod alternatives;
mod arithmetic;
mod atomic;
mod atomic_order;
mod ballot;
mod bits;
mod block;
mod bounded;
mod combined;
mod comparison;
mod composite;
mod conversion;
mod dot;
mod extended;
mod extended_float;
mod extended_number;
mod float;
mod float_orders;
mod float_reduction;
mod float_roundings;
mod foreign;
mod group;
mod group_copy;
mod helper;
mod hint;
mod image;
mod inexact;
mod inexact_comparison;
mod intel;
mod khr;
mod logic;
mod margins;
mod modes;
mod packing;
mod partition;
mod parts;
mod pointer;
mod promise;
mod reduction;
mod shuffle;
mod vote;

use laneproof_module::spirv::Op;

use crate::follow;
use crate::outcome::{Stop, Violation};
use crate::race::Races;
use crate::step::Step;

/// A family: executes the instruction if it is one of its own, and says whether it was.
type Family = fn(&mut Step<'_, '_, '_>, Op) -> Result<bool, Stop>;

/// All of them.
const FAMILIES: [Family; 28] = [
    arithmetic::execute,
    dot::execute,
    float::execute,
    comparison::execute,
    logic::execute,
    bits::execute,
    conversion::execute,
    composite::execute,
    pointer::execute,
    atomic::execute,
    vote::execute,
    ballot::execute,
    shuffle::execute,
    intel::execute,
    khr::execute,
    group::execute,
    group_copy::execute,
    block::execute,
    image::execute,
    reduction::execute,
    float_reduction::execute,
    partition::execute,
    packing::execute,
    parts::execute,
    bounded::execute,
    extended::execute,
    helper::execute,
    hint::execute,
];

/// Executes an instruction as exactly as there is; false when no family knows it.
fn execute_exactly(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    for family in FAMILIES {
        if family(step, opcode)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Executes it with whatever else the environment permits.
fn execute_as_permitted(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    Ok(inexact::execute(step, opcode)? || execute_exactly(step, opcode)?)
}

/// Executes an instruction in the active lanes of one subgroup.
///
/// Each family takes the opcodes that it knows; whatever no family takes is not modelled.
pub(crate) fn execute(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let opcode = step.instruction.opcode;
    promise::known(step)?;
    helper::known(step)?;
    step.machine.memory.enter(step.group);
    if step.machine.options.primitives.is_some_and(|it| it.changes(step.instruction)) {
        return match !step.machine.options.follow && foreign::execute(step)? {
            true => Ok(()),
            false => Err(step.not_modelled("a specification of the user's says more of it")),
        };
    }
    let done = if step.machine.options.follow {
        follow::execute(step, |step| execute_as_permitted(step, opcode))?
    } else {
        execute_as_permitted(step, opcode)?
    };
    if done {
        let racing = step.machine.memory.races.as_ref().map_or(0, Races::found);
        return step.behavior_unless(racing, Violation::Race);
    }
    if !step.machine.options.follow && foreign::execute(step)? {
        return Ok(());
    }
    Err(step.not_modelled("the interpreter does not know this instruction"))
}
