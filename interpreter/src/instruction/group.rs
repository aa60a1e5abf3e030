//! Instructions that every invocation of the group must execute (SPIR-V, Group Instructions);
//! those that compute are among the reductions.

use laneproof_module::spirv::Op;

use super::{shuffle, vote};
use crate::outcome::Stop;
use crate::reading::OfOpenCl;
use crate::step::Step;
use crate::value::Value;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::GroupAll => {
            together(step, |step| vote::decided(step, 1, |in_favor, voters| in_favor == voters))?
        }
        Op::GroupAny => together(step, |step| vote::decided(step, 1, |in_favor, _| in_favor != 0))?,
        Op::GroupBroadcast => together(step, broadcast)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The instruction is one that the whole group must execute, but those of this file.
pub(super) fn is_uniform(opcode: Op) -> bool {
    matches!(
        opcode,
        Op::GroupIAdd
            | Op::GroupFAdd
            | Op::GroupFMin
            | Op::GroupUMin
            | Op::GroupSMin
            | Op::GroupFMax
            | Op::GroupUMax
            | Op::GroupSMax
            | Op::GroupIMulKHR
            | Op::GroupFMulKHR
            | Op::GroupBitwiseAndKHR
            | Op::GroupBitwiseOrKHR
            | Op::GroupBitwiseXorKHR
            | Op::GroupLogicalAndKHR
            | Op::GroupLogicalOrKHR
            | Op::GroupLogicalXorKHR
    )
}

/// Executes it in the lanes of its scope, which must all be here.
pub(super) fn together(
    step: &mut Step<'_, '_, '_>,
    body: impl FnOnce(&mut Step<'_, '_, '_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    step.in_scope()?;
    step.require_all()?;
    body(step)
}

/// The value of the lane that the local id names: a number in a subgroup, in a workgroup a
/// place along each axis. One that names no lane gives an undefined value.
fn broadcast(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let value = step.copy(1)?;
    let local = step.consume(2)?;
    step.must_be_uniform(&local, "the local id")?;
    let first = step.active.trailing_zeros();
    let axes: Vec<u64> = (0..local.leaves()).map(|axis| local.bits(axis, first)).collect();
    // OpenCL C, Built-in Sub-Group Collective Functions, `sub_group_broadcast`.
    let opencl_c = step.machine.program.is_kernel()
        && step.machine.options.readings.of_opencl == OfOpenCl::All;
    let subgroup = opencl_c && step.group().whole.is_none();
    if subgroup && axes.len() == 1 && axes[0] >= u64::from(step.group_size()) {
        step.behavior_unless(step.active, "the local id names no lane of the subgroup")?;
    }
    let source = match (step.group().whole, axes.as_slice()) {
        (None, [id]) => Some(*id),
        (None, _) => return Err(step.not_modelled("a vector as the id of a lane of a subgroup")),
        (Some(size), axes) => place(size, axes),
    };
    let from = |_| source.map(|source| (&*value, source));
    let result: Value = shuffle::gather(step, from)?;
    step.finish(result)
}

/// The place of an invocation of a workgroup by its local id, which is 0 along missing axes.
fn place(size: [u32; 3], local: &[u64]) -> Option<u64> {
    let mut place = 0;
    for axis in (0..3).rev() {
        let along = local.get(axis).copied().unwrap_or(0);
        let size = u64::from(size[axis]);
        if along >= size {
            return None;
        }
        place = place * size + along;
    }
    Some(place)
}
