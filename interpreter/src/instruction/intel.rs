//! The shuffles of SPV_INTEL_subgroups. An index is a 32-bit number, as Delta is: the sum wraps,
//! and the difference is read with its sign; or it is the exact number, in the other reading.

use laneproof_module::spirv::Op;

use super::shuffle::gather;
use crate::outcome::Stop;
use crate::reading::IndexArithmetic;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let exact = step.machine.options.readings.index_arithmetic == IndexArithmetic::Exact;
    match opcode {
        Op::SubgroupShuffleINTEL => one(step, |_, id| id)?,
        Op::SubgroupShuffleXorINTEL => one(step, |lane, value| lane ^ value)?,
        // Current, then Next.
        Op::SubgroupShuffleDownINTEL if exact => {
            two(step, |lane, delta| i64::from(lane) + i64::from(delta))?
        }
        Op::SubgroupShuffleDownINTEL => {
            two(step, |lane, delta| i64::from(lane.wrapping_add(delta)))?
        }
        // Previous, then Current: the index counts from the start of Previous.
        Op::SubgroupShuffleUpINTEL if exact => {
            two(step, |lane, delta| i64::from(lane) - i64::from(delta))?
        }
        Op::SubgroupShuffleUpINTEL => {
            two(step, |lane, delta| i64::from(lane.wrapping_sub(delta) as i32))?
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// A shuffle with one source of data.
fn one(step: &mut Step<'_, '_, '_>, source: fn(u64, u64) -> u64) -> Result<(), Stop> {
    let data = step.copy(0)?;
    let operand = step.consume(1)?;
    let result = gather(step, |lane| Some((&data, source(lane, operand.bits(0, lane as u32)))))?;
    step.finish(result)
}

/// A shuffle with two sources of data that lie side by side, SubgroupMaxSize lanes each.
fn two(step: &mut Step<'_, '_, '_>, index: fn(u32, u32) -> i64) -> Result<(), Stop> {
    let max = i64::from(step.sizes().max);
    let (first, second) = (step.copy(0)?, step.copy(1)?);
    let delta = step.consume(2)?;
    let up = step.instruction.opcode == Op::SubgroupShuffleUpINTEL;
    let result = gather(step, |lane| {
        let lane = lane as u32;
        let index = index(lane, delta.bits(0, lane) as u32);
        let from_first = if up { index + max } else { index };
        match from_first {
            at if 0 <= at && at < max => Some((&first, at as u64)),
            at if max <= at && at < 2 * max => Some((&second, (at - max) as u64)),
            _ => None,
        }
    })?;
    step.finish(result)
}
