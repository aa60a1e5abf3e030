//! An instruction at Workgroup scope: the lanes of all subgroups execute it as one group, in
//! which a lane's number is its `LocalInvocationIndex`.

use std::rc::Rc;

use laneproof_module::spirv::Op;
use laneproof_module::{Id, Instruction, ModuleType, Operand};

use crate::frame::{Frame, Register, Slot};
use crate::instruction;
use crate::lane::Sizes;
use crate::machine::{Group, Machine, not_modelled};
use crate::outcome::Stop;
use crate::step::{Step, read_slot};
use crate::value::Value;

/// More lanes than a set of lanes holds.
const MOST: u32 = 128;

/// Whether an instruction names the workgroup as the group that executes it.
pub(crate) fn is_one(machine: &Machine<'_, '_>, instruction: &Instruction) -> bool {
    const WORKGROUP: u64 = 2;
    let Some(Operand::IdScope(id)) = instruction.operands.first() else { return false };
    let scope = machine.program.constants.get(id).and_then(|it| it.leaves.first().copied());
    scope == Some(Some(WORKGROUP))
        && machine.workgroup.is_some()
        && instruction.opcode != Op::MemoryBarrier
}

/// Executes an instruction in the lanes of `active`, by subgroup, together.
pub(crate) fn execute<'p>(
    machine: &mut Machine<'p, '_>,
    frame: &mut Frame<'p>,
    instruction: &'p Instruction,
    active: &[u128],
) -> Result<(), Stop> {
    let (starts, lanes) = (machine.starts(), machine.lanes());
    if lanes > MOST {
        let why = format!("Workgroup scope with more than {MOST} invocations");
        return Err(not_modelled(instruction, why));
    }
    let mut whole = Frame::new(&frame.groups[0].plan, 1).groups.remove(0);
    for operand in &instruction.operands {
        let Operand::IdRef(id) = operand else { continue };
        if let Some((ty, slot)) = joined(machine, frame, *id, &starts, lanes)
            && let Some(place) = whole.place(*id)
        {
            *place = Some(Register { ty, slot });
        }
    }
    let together = active.iter().zip(&starts).fold(0, |all, (set, start)| all | set << start);
    let sizes = Sizes { existing: lanes, subgroup: lanes, max: lanes };
    let group = Group { whole: machine.workgroup, ..Group::new(sizes, together) };
    machine.groups.push(group);
    let number = machine.groups.len() - 1;
    let mut step =
        Step { machine, frame: &mut whole, group: number, active: together, instruction };
    let done = instruction::execute(&mut step);
    machine.groups.pop();
    done?;
    let result = instruction.result.and_then(|id| Some((id, whole.place(id)?.take()?)));
    let Some((id, Register { ty, slot: Slot::Data(value) })) = result else { return Ok(()) };
    for (group, (set, start)) in active.iter().zip(starts).enumerate() {
        let existing = machine.groups[group].sizes.existing;
        let part = taken(&value, start, existing);
        machine.record(id, &part, *set, group);
        let slot = Slot::Data(Rc::new(part));
        match frame.groups[group].place(id) {
            Some(Some(register)) => register.slot.copy_lanes(&slot, *set),
            Some(place) => {
                machine.hold(slot.cells())?;
                *place = Some(Register { ty, slot });
            }
            None => {}
        }
    }
    Ok(())
}

/// What an `<id>` that is no constant holds in all subgroups, one after the other.
fn joined<'p>(
    machine: &Machine<'p, '_>,
    frame: &Frame<'p>,
    id: Id,
    starts: &[u32],
    lanes: u32,
) -> Option<(&'p ModuleType, Slot)> {
    let ty = frame.groups.iter().find_map(|group| Some(group.register(id)?.ty))?;
    let mut whole: Option<Value> = None;
    for (group, start) in starts.iter().enumerate() {
        // A subgroup without lanes here has no value.
        let Some(Slot::Data(part)) = read_slot(machine, &frame.groups[group], group, id) else {
            continue;
        };
        let whole = whole.get_or_insert_with(|| Value::undefined(part.leaves(), lanes));
        for lane in 0..machine.groups[group].sizes.existing {
            whole.set_lane(start + lane, &part.lane(lane));
        }
    }
    Some((ty, Slot::Data(Rc::new(whole?))))
}

/// `count` lanes of a value, from `start` on.
fn taken(value: &Value, start: u32, count: u32) -> Value {
    let mut part = Value::undefined(value.leaves(), count);
    for lane in 0..count {
        part.set_lane(lane, &value.lane(start + lane));
    }
    part
}
