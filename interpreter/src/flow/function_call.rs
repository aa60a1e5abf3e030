//! `OpFunctionCall`: all subgroups enter the callee together.

use laneproof_module::{Function, Instruction, ModuleType};

use crate::frame::{Frame, Slot};
use crate::lane::LaneValue;
use crate::machine::{Machine, not_modelled, slot_of};
use crate::outcome::Stop;
use crate::primitive::{PrimitiveCall, PrimitiveFailure};
use crate::step::Step;

/// Executes a call with the lanes of `active` (by subgroup). Lanes that do not come back, for
/// they were killed, are taken out of it.
pub(crate) fn call<'p>(
    machine: &mut Machine<'p, '_>,
    frame: &mut Frame<'p>,
    instruction: &'p Instruction,
    active: &mut [u128],
) -> Result<(), Stop> {
    let mut arguments = Vec::with_capacity(active.len());
    let mut callee = None;
    for (group, set) in active.iter().enumerate() {
        let step = Step {
            machine,
            frame: &mut frame.groups[group],
            group,
            // A subgroup that is elsewhere passes nothing, but its slots must have a shape.
            active: *set,
            instruction,
        };
        let id = step.id(0)?;
        callee = step.machine.program.function_by_id(id);
        let slots = if *set == 0 {
            Vec::new()
        } else {
            (1..step.operands())
                .map(|operand| step.slot(step.id(operand)?))
                .collect::<Result<Vec<_>, _>>()?
        };
        arguments.push(slots);
    }
    let callee = callee.ok_or_else(|| not_modelled(instruction, "there is no such function"))?;
    if callee.import.is_some() && callee.body.items.is_empty() {
        for (group, slots) in arguments.into_iter().enumerate() {
            if active[group] != 0 {
                let active = active[group];
                let frame = &mut frame.groups[group];
                let mut step = Step { machine, frame, group, active, instruction };
                primitive(&mut step, callee, slots)?;
            }
        }
        return Ok(());
    }
    machine.calls.path.push(instruction.place.word);
    let classes = frame.ways.as_ref().map(|ways| ways.now(active));
    let mut returned = super::run(machine, callee, arguments, active, classes)?;
    machine.calls.path.pop();
    for (group, set) in active.iter_mut().enumerate() {
        *set &= returned.groups[group].returned;
        if *set == 0 || callee.result == ModuleType::Void {
            continue;
        }
        if let Some(slot) = returned.groups[group].result.take() {
            let frame = &mut frame.groups[group];
            Step { machine, frame, group, active: *set, instruction }.finish_slot(slot)?;
        }
    }
    if let (Some(ways), Some(from)) = (&mut frame.ways, returned.ways) {
        ways.come_back(*from, active);
    }
    Ok(())
}

/// A function without a body: the run's primitives execute it.
fn primitive(step: &mut Step<'_, '_, '_>, callee: &Function, slots: Vec<Slot>) -> Result<(), Stop> {
    let name = callee.import.as_deref().unwrap_or_default();
    let unknown = format!("nothing is known about the imported function {name}");
    let Some(primitives) = step.machine.options.primitives else {
        return Err(step.not_modelled(unknown));
    };
    let sizes = step.sizes();
    let arguments = slots
        .iter()
        .map(|slot| match slot {
            Slot::Data(value) => Ok((0..sizes.existing).map(|lane| value.lane(lane)).collect()),
            Slot::Pointer(_) => Err(step.not_modelled("a pointer passed to an imported function")),
        })
        .collect::<Result<Vec<Vec<LaneValue>>, _>>()?;
    let site = step.site();
    let call = PrimitiveCall {
        name,
        arguments: &arguments,
        result: &callee.result,
        active: step.active,
        sizes,
        site: &site,
    };
    match primitives.execute(&call, step.machine.choices) {
        Ok(_) if callee.result == ModuleType::Void => Ok(()),
        Ok(mut results) => {
            results.resize(sizes.existing as usize, LaneValue(Vec::new()));
            let slot = slot_of(&callee.result, &results)
                .ok_or_else(|| step.not_modelled("the return type of an imported function"))?;
            step.finish_slot(slot)
        }
        Err(PrimitiveFailure::TooLong) => Err(Stop::StepLimit),
        Err(PrimitiveFailure::Unknown) => Err(step.not_modelled(unknown)),
        Err(PrimitiveFailure::UndefinedBehavior(offending, reason)) => {
            step.misbehaves(&offending, &reason)
        }
    }
}
