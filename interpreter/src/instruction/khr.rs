//! Ballots, votes and reads of other lanes without a scope operand: SPV_KHR_shader_ballot,
//! SPV_KHR_subgroup_vote, SPV_KHR_quad_control. They are about the subgroup, or about quads.

use laneproof_module::spirv::Op;

use super::{ballot, shuffle, vote};
use crate::lane::{below, lanes, lanes_where};
use crate::outcome::Stop;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::SubgroupAllKHR => vote::decided(step, 0, |in_favor, voters| in_favor == voters)?,
        Op::SubgroupAnyKHR => vote::decided(step, 0, |in_favor, _| in_favor != 0)?,
        Op::SubgroupAllEqualKHR => {
            vote::decided(step, 0, |in_favor, voters| in_favor == 0 || in_favor == voters)?;
        }
        Op::SubgroupBallotKHR => {
            let predicate = step.consume(0)?;
            let set = lanes_where(step.active, |lane| predicate.bits(0, lane) & 1 == 1);
            let result = ballot::of_masks(step, |_| set)?;
            step.finish(result)?;
        }
        Op::SubgroupFirstInvocationKHR => {
            let value = step.copy(0)?;
            let first = u64::from(step.active.trailing_zeros());
            let result = shuffle::gather(step, |_| Some((&*value, first)))?;
            step.finish(result)?;
        }
        Op::SubgroupReadInvocationKHR => {
            let value = step.copy(0)?;
            let index = step.consume(1)?;
            // Where lanes have different indices, the results are undefined.
            let first = step.active.trailing_zeros();
            let uniform = lanes(step.active).all(|it| index.bits(0, it) == index.bits(0, first));
            let source = |_| uniform.then(|| (&*value, index.bits(0, first)));
            let result = shuffle::gather(step, source)?;
            step.finish(result)?;
        }
        Op::GroupNonUniformQuadAllKHR => quad(step, |in_favor, voters| in_favor == voters)?,
        Op::GroupNonUniformQuadAnyKHR => quad(step, |in_favor, _| in_favor != 0)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A vote in each quad: four lanes, numbered on from a multiple of four.
fn quad(step: &mut Step<'_, '_, '_>, decide: fn(u128, u128) -> bool) -> Result<(), Stop> {
    let predicate = step.consume(0)?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let first = lane & !3;
        let voters = step.active & below(first + 4) & !below(first);
        let in_favor = lanes_where(voters, |voter| predicate.bits(0, voter) & 1 == 1);
        result.set(0, lane, Some(u64::from(decide(in_favor, voters))));
    }
    step.finish(result)
}
