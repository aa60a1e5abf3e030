//! Loops that never end: all state that controls them is as it was some iterations before.
//!
//! Choices were made in the iterations between, and may be made in the same way again.

use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::plan::steering::steering;

/// Compares iterations of a loop with an earlier one, which moves on at powers of two.
#[derive(Default)]
pub(crate) struct Watch<'p> {
    iterations: u64,
    /// With the helpers of each subgroup.
    earlier: Option<(Frame<'p>, Memory, Vec<u128>)>,
    /// The registers that steer the function.
    steering: Vec<bool>,
}

/// No state is recorded before this iteration: most loops are over by then.
const FIRST: u64 = 8;

impl<'p> Watch<'p> {
    /// An iteration begins. True if an earlier one began in the same state.
    pub fn came_back(&mut self, frame: &Frame<'p>, machine: &Machine<'p, '_>) -> bool {
        self.iterations += 1;
        if self.iterations < FIRST {
            return false;
        }
        let memory = &machine.memory;
        let helpers = || machine.groups.iter().map(|group| group.helpers);
        if let Some((then, held, helped)) = &self.earlier
            && then.goes_on_as(frame, &self.steering)
            && held.same_as(memory)
            && helpers().eq(helped.iter().copied())
        {
            return true;
        }
        if self.iterations.is_power_of_two() {
            if let (FIRST, Some(group)) = (self.iterations, frame.groups.first()) {
                self.steering = steering(&group.plan);
            }
            self.earlier = Some((frame.clone(), memory.clone(), helpers().collect()));
        }
        false
    }
}
