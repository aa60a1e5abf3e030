//! Instructions without a family, which the run's primitives execute: a user's extension.

use std::collections::BTreeMap;

use laneproof_module::{ModuleType, Operand};

use crate::frame::Slot;
use crate::lane::LaneValue;
use crate::machine::slot_of;
use crate::outcome::Stop;
use crate::primitive::{InstructionCall, PrimitiveFailure};
use crate::step::Step;

/// Executes it, if the primitives know it; else false.
pub(super) fn execute(step: &mut Step<'_, '_, '_>) -> Result<bool, Stop> {
    let Some(primitives) = step.machine.options.primitives else { return Ok(false) };
    let mut values = BTreeMap::new();
    for operand in 0..step.operands() {
        let Some(Operand::IdRef(id)) = step.instruction.operands.get(operand) else { continue };
        if let (Ok(ty), Ok(Slot::Data(value))) = (step.type_of(operand), step.slot(*id)) {
            let lanes = (0..step.sizes().existing).map(|lane| value.lane(lane));
            values.insert(*id, (ty, lanes.collect()));
        }
    }
    let site = step.site();
    let (sizes, active) = (step.sizes(), step.active);
    let instruction = step.instruction;
    let call = InstructionCall { instruction, values: &values, active, sizes, site: &site };
    if step.group().whole.is_some() {
        return Ok(false);
    }
    match primitives.instruction(&call, step.machine.choices) {
        Ok(_) if matches!(instruction.ty, None | Some(ModuleType::Void)) => Ok(true),
        Ok(mut results) => {
            results.resize(sizes.existing as usize, LaneValue(Vec::new()));
            let slot = slot_of(step.result_type()?, &results)
                .ok_or_else(|| step.not_modelled("its result type"))?;
            step.finish_slot(slot)?;
            Ok(true)
        }
        Err(PrimitiveFailure::Unknown) => Ok(false),
        Err(PrimitiveFailure::TooLong) => Err(Stop::StepLimit),
        Err(PrimitiveFailure::UndefinedBehavior(lanes, reason)) => {
            step.misbehaves(&lanes, &reason)?;
            Ok(true)
        }
    }
}
