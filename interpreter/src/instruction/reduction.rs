//! Group arithmetic (SPIR-V, Group Instructions and Non-Uniform Instructions): reductions and
//! scans over all lanes, clusters or the subsets of a partition. Of integers and Booleans every operation is
//! associative and commutative, so the order of the lanes does not show.

use laneproof_module::spirv::{GroupOperation, Op};

use super::{ballot, group, partition, shuffle};
use crate::lane::{below, lanes};
use crate::outcome::Stop;
use crate::step::Step;
use crate::width::{signed, truncate};

/// An operation with its identity, at a width.
struct Operator {
    identity: Identity,
    apply: Apply,
}

type Identity = fn(u32) -> u64;
type Apply = fn(u32, u64, u64) -> u64;

fn operator(opcode: Op) -> Option<Operator> {
    let (identity, apply): (Identity, Apply) = match opcode {
        Op::GroupNonUniformIAdd | Op::GroupIAdd => (|_| 0, |_, a, b| a.wrapping_add(b)),
        Op::GroupNonUniformIMul | Op::GroupIMulKHR => (|_| 1, |_, a, b| a.wrapping_mul(b)),
        Op::GroupNonUniformSMin | Op::GroupSMin => (
            |width| truncate(width - 1, u64::MAX),
            |width, a, b| {
                if signed(width, b) < signed(width, a) { b } else { a }
            },
        ),
        Op::GroupNonUniformUMin | Op::GroupUMin => (|_| u64::MAX, |_, a, b| a.min(b)),
        Op::GroupNonUniformSMax | Op::GroupSMax => (
            |width| 1 << (width - 1),
            |width, a, b| {
                if signed(width, b) > signed(width, a) { b } else { a }
            },
        ),
        Op::GroupNonUniformUMax | Op::GroupUMax => (|_| 0, |_, a, b| a.max(b)),
        Op::GroupNonUniformBitwiseAnd
        | Op::GroupNonUniformLogicalAnd
        | Op::GroupBitwiseAndKHR
        | Op::GroupLogicalAndKHR => (|_| u64::MAX, |_, a, b| a & b),
        Op::GroupNonUniformBitwiseOr
        | Op::GroupNonUniformLogicalOr
        | Op::GroupBitwiseOrKHR
        | Op::GroupLogicalOrKHR => (|_| 0, |_, a, b| a | b),
        Op::GroupNonUniformBitwiseXor
        | Op::GroupNonUniformLogicalXor
        | Op::GroupBitwiseXorKHR
        | Op::GroupLogicalXorKHR => (|_| 0, |_, a, b| a ^ b),
        _ => return None,
    };
    Some(Operator { identity, apply })
}

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let Some(operator) = operator(opcode) else { return Ok(false) };
    step.in_scope()?;
    if group::is_uniform(opcode) {
        step.everyone()?;
    }
    let operation = ballot::operation(step)?;
    let value = step.consume(2)?;
    let contributors = contributors(step, operation)?;
    let width = step.result_element()?.width();
    let identity = truncate(width, (operator.identity)(width));
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        // Neighbours often have the same contributors, or one more: the last fold goes on.
        let (mut folded, mut total) = (0, identity);
        for lane in lanes(step.active) {
            let wanted = contributors[lane as usize];
            if folded & !wanted != 0 {
                (folded, total) = (0, identity);
            }
            for from in lanes(wanted & !folded) {
                total = truncate(width, (operator.apply)(width, total, value.bits(leaf, from)));
            }
            folded = wanted;
            result.set(leaf, lane, Some(total));
        }
    }
    step.finish(result)?;
    Ok(true)
}

/// For each lane, the active lanes whose values go into its result.
pub(super) fn contributors(
    step: &mut Step<'_, '_, '_>,
    operation: GroupOperation,
) -> Result<Vec<u128>, Stop> {
    let mut subsets = match operation {
        GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan => {
            // The cluster size must be valid even if no lane uses it.
            if step.operands() > 3 {
                let cluster = step.constant(3)?;
                shuffle::cluster_size(step, cluster)?;
            }
            vec![step.active; step.sizes().existing as usize]
        }
        GroupOperation::ClusteredReduce => {
            let cluster = step.constant(3)?;
            shuffle::cluster_size(step, cluster)?;
            let cluster = cluster as u32;
            (0..step.sizes().existing)
                .map(|lane| {
                    let start = lane & !(cluster - 1);
                    step.active & below(start + cluster) & !below(start)
                })
                .collect()
        }
        _ => partition::subsets(step, 3)?,
    };
    for (lane, subset) in subsets.iter_mut().enumerate() {
        let lane = lane as u32;
        *subset &= match operation {
            GroupOperation::InclusiveScan | GroupOperation::PartitionedInclusiveScanEXT => {
                below(lane + 1)
            }
            GroupOperation::ExclusiveScan | GroupOperation::PartitionedExclusiveScanEXT => {
                below(lane)
            }
            _ => u128::MAX,
        };
    }
    Ok(subsets)
}
