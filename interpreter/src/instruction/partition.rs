//! Partitions of the active lanes (SPV_NV_shader_subgroup_partitioned).

use laneproof_module::spirv::Op;

use super::{ballot, comparison};
use crate::lane::{contains, lanes, lanes_where};
use crate::outcome::Stop;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    if opcode != Op::GroupNonUniformPartitionEXT {
        return Ok(false);
    }
    let scalar = step.element_of(0)?;
    let value = step.consume(0)?;
    let equal = |a, b| {
        (0..value.leaves())
            .all(|leaf| comparison::equal(scalar, value.bits(leaf, a), value.bits(leaf, b)))
    };
    // A NaN equals nothing, itself included, and still is in a subset: its own.
    let active = step.active;
    let subset = |lane| lanes_where(active, |other| other == lane || equal(lane, other));
    let result = ballot::of_masks(step, subset)?;
    step.finish(result)?;
    Ok(true)
}

/// By lane, the subset of the active lanes that it is in, after the ballots of operand
/// `operand`. They must be a valid partition.
pub(super) fn subsets(step: &mut Step<'_, '_, '_>, operand: usize) -> Result<Vec<u128>, Stop> {
    let ballot = step.consume(operand)?;
    let existing = step.sizes().lanes();
    let of = |lane| ballot::mask(&ballot, lane) & existing;
    let mut invalid = 0;
    for lane in lanes(step.active) {
        let own = of(lane);
        let agrees = |other| !contains(own, u64::from(other)) || of(other) == own;
        if !contains(own, u64::from(lane)) || !lanes(step.active).all(agrees) {
            invalid |= 1 << lane;
        }
    }
    step.behavior_unless(invalid, "the ballots are no valid partition of the active lanes")?;
    // In a valid partition the active lanes of a ballot are those with the same ballot.
    Ok((0..step.sizes().existing).map(|lane| of(lane) & step.active).collect())
}
