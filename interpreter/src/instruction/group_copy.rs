//! Asynchronous copies of a group (SPIR-V, Group Instructions): which lanes must execute them, and
//! which groups may. The content of memory during a copy is not modelled.

use laneproof_module::spirv::Op;

use super::group;
use crate::lane::lanes_where;
use crate::outcome::Stop;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::GroupAsyncCopy => by_workgroup(step, copy)?,
        Op::GroupWaitEvents => by_workgroup(step, |_| Ok(()))?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A copy of no elements gives an event and does nothing.
fn copy(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let count = step.consume(3)?;
    if lanes_where(step.active, |lane| count.bits(0, lane) != 0) != 0 {
        return Err(step.not_modelled("what memory holds while elements are copied"));
    }
    let event = step.blank_result()?;
    step.finish(event)
}

/// Every lane of the group is here, and the group is a workgroup.
fn by_workgroup(
    step: &mut Step<'_, '_, '_>,
    body: impl FnOnce(&mut Step<'_, '_, '_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    const SUBGROUP: u64 = 3;
    if step.constant(0)? == SUBGROUP {
        // Level Zero, Validation Rules.
        return step.behavior_unless(step.active, "only a workgroup copies, and waits for it");
    }
    group::together(step, body)
}
