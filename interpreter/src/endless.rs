//! Loops that never end: all that steers them is as it was some rounds before.
//!
//! What is decided by choices was decided in the rounds between, and may be decided so again.

use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::plan::steering::steering;

/// Compares rounds of a loop with an earlier one, which is later and later.
#[derive(Default)]
pub(crate) struct Watch<'p> {
    rounds: u64,
    /// With the helpers of each subgroup.
    earlier: Option<(Frame<'p>, Memory, Vec<u128>)>,
    /// The registers that steer the function.
    steering: Vec<bool>,
}

/// No state is kept before this round: most loops are over by then.
const FIRST: u64 = 8;

impl<'p> Watch<'p> {
    /// A round begins. True where one began so before.
    pub fn came_back(&mut self, frame: &Frame<'p>, machine: &Machine<'p, '_>) -> bool {
        self.rounds += 1;
        if self.rounds < FIRST {
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
        if self.rounds.is_power_of_two() {
            if let (FIRST, Some(group)) = (self.rounds, frame.groups.first()) {
                self.steering = steering(&group.plan);
            }
            self.earlier = Some((frame.clone(), memory.clone(), helpers().collect()));
        }
        false
    }
}
