//! Executes short forms in a frame.

use std::rc::Rc;

use crate::frame::{GroupFrame, Register, Slot};
use crate::hot::{Active, Hot};
use crate::machine::Machine;
use crate::outcome::Stop;
use crate::value::Value;

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
            [Some(a), Some(b), Some(c)] => self.compute(Rc::make_mut(&mut to), [a, b, c], active),
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
