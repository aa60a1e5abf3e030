//! Hints to the optimizer (SPV_KHR_expect_assume).

use laneproof_module::spirv::Op;

use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::AssumeTrueKHR => {
            let condition = step.consume(0)?;
            let failed: Vec<u32> =
                lanes(step.active).filter(|lane| condition.bits(0, *lane) & 1 == 0).collect();
            if !failed.is_empty() {
                return Err(Stop::AssumptionFailed { site: step.site(), lanes: failed });
            }
        }
        // The result is the value, whatever was expected of it.
        Op::ExpectKHR => {
            let slot = step.slot(step.id(0)?)?;
            step.finish_slot(slot)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
