//! Helper invocations: lanes that were demoted (SPIR-V, Control-Flow Instructions).
//!
//! Whether helpers are active in group instructions is implementation-defined, and the result of
//! their atomics is not specified.

use laneproof_module::InstructionClass;
use laneproof_module::spirv::Op;

use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::DemoteToHelperInvocation => {
            step.machine.groups[step.group].helpers |= step.active;
        }
        Op::IsHelperInvocationEXT => {
            let helpers = step.group().helpers;
            let mut result = step.blank_result()?;
            for lane in lanes(step.active) {
                result.set(0, lane, Some((helpers >> lane & 1) as u64));
            }
            step.finish(result)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Stops where lanes do something together and some of them are helpers.
pub(super) fn known(step: &Step<'_, '_, '_>) -> Result<(), Stop> {
    if step.group().helpers == 0 {
        return Ok(());
    }
    let class = InstructionClass::of(step.instruction.opcode);
    let together = class.is_group() || class == InstructionClass::Atomic;
    if together { Err(step.not_modelled("some lane is a helper")) } else { Ok(()) }
}
