//! Short forms of the instructions that are executed most: operands by number, lanes in rows.
//!
//! A short form knows the case in which nothing is open: no operand that is computed with is
//! undefined in an active lane, no lane misbehaves, no number is a NaN. In every other case it
//! declines, and the instruction is executed in full by its family in [`crate::instruction`].
//! What a short form has written by then does not show: the full one writes the same lanes.

mod action;
mod decode;
mod float;
mod rows;
mod shuffle;

use std::rc::Rc;

use laneproof_module::Type;

use self::action::Action;
use crate::frame::{GroupFrame, Register, Slot};
use crate::machine::Machine;
use crate::outcome::Stop;
use crate::plan::Source;
use crate::value::Value;

/// An instruction's short form.
#[derive(Debug)]
pub(crate) struct Hot<'p> {
    action: Action,
    /// The result's id, register, type, number of scalars and their width.
    id: laneproof_module::Id,
    to: usize,
    ty: &'p Type,
    leaves: usize,
    width: u32,
    /// Operands in the order in which the action takes them; the last one fills up.
    from: [Source; 3],
}

/// The lanes that execute an instruction.
#[derive(Clone, Copy, Debug)]
struct Active {
    set: u128,
    /// They are all that exist.
    all: bool,
}

impl<'p> Hot<'p> {
    /// Executes the instruction with the lanes of `set`, if this is the case that it knows;
    /// false where it is not.
    pub fn execute(
        &self,
        machine: &mut Machine<'p, '_>,
        frame: &mut GroupFrame<'p>,
        group: usize,
        set: u128,
    ) -> Result<bool, Stop> {
        let sizes = machine.groups[group].sizes;
        let active = Active { set, all: set == sizes.lanes() };
        let (mut to, fresh) = match frame.registers[self.to].take() {
            Some(Register { slot: Slot::Data(value), .. })
                if value.has_shape(self.leaves, sizes.existing) =>
            {
                (value, false)
            }
            // What an earlier iteration left may be stored in another way.
            Some(Register { slot: Slot::Data(value), .. }) => {
                let mut own = Value::undefined(self.leaves, sizes.existing);
                own.copy_lanes(&value, sizes.lanes());
                (Rc::new(own), false)
            }
            _ => (Rc::new(Value::undefined(self.leaves, sizes.existing)), true),
        };
        let done = match self.from.map(|source| frame.data(source)) {
            [Some(a), Some(b), Some(c)] => {
                self.action.apply(Rc::make_mut(&mut to), [a, b, c], active, self.width).is_some()
            }
            _ => false,
        };
        if done {
            machine.record(self.id, &to, set, group);
            machine.write(to.cells())?;
            if fresh {
                machine.hold(to.cells())?;
            }
        }
        if done || !fresh {
            frame.registers[self.to] = Some(Register { ty: self.ty, slot: Slot::Data(to) });
        }
        Ok(done)
    }
}
