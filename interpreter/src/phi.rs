//! `OpPhi`: each lane takes what the edge brings that it came along, marked or not.

use std::rc::Rc;

use crate::frame::{Frame, Register, Slot};
use crate::machine::{Machine, not_modelled_at};
use crate::outcome::Stop;
use crate::plan::{PlannedBlock, PlannedPhi};
use crate::step::read_slot;
use crate::value::Value;

/// Executes all phis of a block at once, with the lanes of `active` by subgroup.
pub(crate) fn execute<'p>(
    machine: &mut Machine<'p, '_>,
    frame: &mut Frame<'p>,
    block: &PlannedBlock<'p>,
    active: &[u128],
) -> Result<(), Stop> {
    for (group, set) in active.iter().enumerate() {
        if *set == 0 {
            continue;
        }
        if block.phis_cross {
            // What one brings is what another one holds: none is written before all are read.
            let merged = block.phis.iter().map(|phi| {
                let mut room = None;
                merge(machine, frame, group, phi, *set, &mut room)?;
                Ok(room)
            });
            for (phi, slot) in block.phis.iter().zip(merged.collect::<Result<Vec<_>, _>>()?) {
                let Some(slot) = slot else { continue };
                match &mut frame.groups[group].registers[phi.to] {
                    Some(register) => register.slot.copy_lanes(&slot, *set),
                    place => {
                        machine.hold(slot.cells())?;
                        *place = Some(Register { ty: &phi.phi.ty, slot });
                    }
                }
            }
        } else {
            for phi in &block.phis {
                let mut slot = frame.groups[group].registers[phi.to].take().map(|old| old.slot);
                let fresh = slot.is_none();
                merge(machine, frame, group, phi, *set, &mut slot)?;
                let Some(slot) = slot else { continue };
                if fresh {
                    machine.hold(slot.cells())?;
                }
                let register = Register { ty: &phi.phi.ty, slot };
                frame.groups[group].registers[phi.to] = Some(register);
            }
        }
        for phi in &block.phis {
            let Some(register) = &frame.groups[group].registers[phi.to] else { continue };
            machine.write(register.slot.cells())?;
            if let Slot::Data(value) = &register.slot {
                machine.record(phi.phi.result, value, *set, group);
            }
        }
        for arrived in &mut frame.groups[group].arrived[block.edges.clone()] {
            *arrived = 0;
        }
    }
    Ok(())
}

/// Brings what each edge brings into `to`, which is empty where the phi was never executed.
fn merge(
    machine: &Machine<'_, '_>,
    frame: &Frame<'_>,
    group: usize,
    PlannedPhi { phi, incoming, .. }: &PlannedPhi<'_>,
    set: u128,
    to: &mut Option<Slot>,
) -> Result<(), Stop> {
    let frame = &frame.groups[group];
    let mut served = 0;
    for (id, edge) in incoming {
        let from = frame.arrived[*edge] & set;
        if from == 0 {
            continue;
        }
        served |= from;
        let slot = read_slot(machine, frame, group, *id)
            .ok_or_else(|| not_modelled_at("OpPhi", phi.place, "an <id> without a value"))?;
        match (&mut *to, slot) {
            (Some(to), slot) => to.copy_lanes(&slot, from),
            // A copy of its own: it will be written again in the next iteration.
            (None, Slot::Data(value)) => {
                let existing = machine.groups[group].sizes.existing;
                let mut own = Value::undefined(value.leaves(), existing);
                own.copy_lanes(&value, from);
                *to = Some(Slot::Data(Rc::new(own)));
            }
            (None, pointers) => *to = Some(pointers),
        }
    }
    if served == set {
        Ok(())
    } else {
        Err(not_modelled_at("OpPhi", phi.place, "a predecessor that it does not list"))
    }
}
