//! What a function that is called on its own gets of the memory that is given from outside.

use laneproof_module::{Global, Id, Program};

use crate::entry::EntryMemory;
use crate::given::GivenPlace;
use crate::machine::Reachable;
use crate::memory::Buffer;
use crate::outcome::Finished;

/// The buffers of a call, each with its place, and the module's variables for them.
#[derive(Clone, Debug, Default)]
pub struct BoundBuffers {
    buffers: Vec<Buffer>,
    places: Vec<GivenPlace>,
    variables: Vec<(Id, usize)>,
}

impl BoundBuffers {
    /// The bindings and push constants of `memory`. Its images and arguments are for entry points.
    pub fn new(program: &Program, memory: EntryMemory) -> Self {
        let bindings = memory.bindings.into_iter();
        let bindings = bindings.map(|((set, number), it)| (GivenPlace::Binding(set, number), it));
        let constants = memory.push_constants.map(|it| (GivenPlace::PushConstants, it));
        let (places, buffers): (Vec<_>, Vec<_>) = bindings.chain(constants).unzip();
        let number = |global: &Global| {
            let place = GivenPlace::of(global)?;
            places.iter().position(|it| *it == place)
        };
        let globals = program.globals.values();
        let variables = globals.filter_map(|it| Some((it.id, number(it)?))).collect();
        Self { buffers, places, variables }
    }

    /// What the call can reach.
    pub fn reachable(&self) -> Reachable<'_> {
        Reachable { buffers: &self.buffers, variables: &self.variables, ..Reachable::default() }
    }

    /// The memory as the call has left it.
    pub fn left(&self, finished: &Finished) -> EntryMemory {
        let mut memory = EntryMemory::default();
        for (place, buffer) in self.places.iter().zip(&finished.buffers) {
            match *place {
                GivenPlace::Binding(set, binding) => {
                    memory.bindings.insert((set, binding), buffer.clone());
                }
                GivenPlace::PushConstants => memory.push_constants = Some(buffer.clone()),
            }
        }
        memory
    }
}
