//! Broadcasts, shuffles, rotations and quads (SPIR-V, Non-Uniform Instructions;
//! SPV_KHR_subgroup_rotate). The value is copied from another lane, marked or not. A lane
//! that is not active, and one that does not exist, gives an undefined value.

use laneproof_module::spirv::Op;

use crate::lane::{below, contains, lanes, lanes_where};
use crate::outcome::Stop;
use crate::step::Step;
use crate::value::Value;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::GroupNonUniformBroadcast => {
            let id = uniform(step, "the id")?;
            from(step, |_| Some(id))?;
        }
        Op::GroupNonUniformBroadcastFirst => {
            step.in_scope()?;
            let first = u64::from(step.active.trailing_zeros());
            from(step, |_| Some(first))?;
        }
        Op::GroupNonUniformShuffle => by(step, |_, id| Some(id))?,
        Op::GroupNonUniformShuffleXor => by(step, |lane, mask| Some(lane ^ mask))?,
        Op::GroupNonUniformShuffleUp => by(step, u64::checked_sub)?,
        Op::GroupNonUniformShuffleDown => by(step, u64::checked_add)?,
        Op::GroupNonUniformRotateKHR => rotate(step)?,
        Op::GroupNonUniformQuadBroadcast => {
            step.in_scope()?;
            let index = step.consume(2)?;
            if step.machine.options.readings.subgroup_uniform_quads {
                step.must_be_uniform(&index, "the index")?;
            } else {
                let differs = lanes_where(step.active, |lane| {
                    let quad = step.active & below((lane & !3) + 4) & !below(lane & !3);
                    let mut others = lanes(quad);
                    others.any(|other| index.bits(0, other) != index.bits(0, lane))
                });
                step.behavior_unless(differs, "the index is not the same in a quad")?;
            }
            from(step, |lane| {
                let index = index.bits(0, lane as u32);
                (index < 4).then_some(lane & !3 | index)
            })?;
        }
        Op::GroupNonUniformQuadSwap => {
            let direction = uniform(step, "the direction")?;
            let unknown = if direction > 2 { step.active } else { 0 };
            step.behavior_unless(unknown, "the direction is none of 0, 1, 2")?;
            // Horizontally, vertically, diagonally: one bit of the lane, the other, or both.
            from(step, |lane| Some(lane ^ (direction + 1)))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Operand 2, which must be dynamically uniform.
fn uniform(step: &mut Step<'_, '_, '_>, what: &str) -> Result<u64, Stop> {
    step.in_scope()?;
    let operand = step.consume(2)?;
    step.must_be_uniform(&operand, what)?;
    Ok(operand.bits(0, step.active.trailing_zeros()))
}

/// Takes operand 1 from the lane that `source` names, if it names one.
fn from(step: &mut Step<'_, '_, '_>, source: impl Fn(u64) -> Option<u64>) -> Result<(), Stop> {
    let value = step.copy(1)?;
    let result = gather(step, |lane| source(lane).map(|source| (&*value, source)))?;
    step.finish(result)
}

/// Takes operand 1 from the lane that follows from this lane and its operand 2.
fn by(step: &mut Step<'_, '_, '_>, source: impl Fn(u64, u64) -> Option<u64>) -> Result<(), Stop> {
    step.in_scope()?;
    let operand = step.consume(2)?;
    from(step, |lane| source(lane, operand.bits(0, lane as u32)))
}

/// A result that every active lane takes from the value and lane that `source` names; it is
/// undefined where the lane is not active, or where none is named.
pub(super) fn gather<'v>(
    step: &Step<'_, '_, '_>,
    source: impl Fn(u64) -> Option<(&'v Value, u64)>,
) -> Result<Value, Stop> {
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let Some((value, from)) = source(u64::from(lane)) else { continue };
        if contains(step.active, from) {
            for leaf in 0..result.leaves() {
                result.set(leaf, lane, value.get(leaf, from as u32));
            }
        }
    }
    Ok(result)
}

/// `OpGroupNonUniformRotateKHR`.
fn rotate(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let delta = uniform(step, "Delta")?;
    if step.group().whole.is_some() {
        // There a lane's place is the vector LocalInvocationId, which no sum takes.
        return Err(step.not_modelled("a vector as the place of a lane"));
    }
    let sizes = step.sizes();
    let group = if step.operands() > 3 {
        let cluster = step.constant(3)?;
        cluster_size(step, cluster)?;
        cluster
    } else if step.machine.program.is_kernel() {
        u64::from(sizes.max)
    } else {
        u64::from(sizes.subgroup)
    };
    let mask = group - 1;
    from(step, |lane| Some((lane.wrapping_add(delta) & mask) + (lane & !mask)))
}

/// The demands that ClusterSize must meet: a power of two, no more than the subgroup's size.
pub(super) fn cluster_size(step: &Step<'_, '_, '_>, cluster: u64) -> Result<(), Stop> {
    let all_unless = |met: bool| if met { 0 } else { step.active };
    step.behavior_unless(all_unless(cluster.is_power_of_two()), "ClusterSize is no power of two")?;
    let fits = cluster <= u64::from(step.group_size());
    step.behavior_unless(all_unless(fits), "ClusterSize is greater than the subgroup")
}
