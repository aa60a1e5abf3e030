//! What is not supported, and where it is.

use laneproof_module::{Place, Program};
use laneproof_outcome::{Location, Unknown, Unsupported, instruction_at};

/// Something in a module that the lowering does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not modelled")]
pub struct Unmodelled {
    /// What it is.
    pub what: String,
    /// Its place in the module.
    pub place: Place,
}

pub(super) fn unmodelled(what: impl Into<String>, place: Place) -> Unmodelled {
    Unmodelled { what: what.into(), place }
}

impl Unmodelled {
    pub(super) fn pointer_in_memory(place: Place) -> Self {
        Self { what: "a pointer in memory".into(), place }
    }
}

impl Unmodelled {
    /// The same, with the instruction at that place.
    pub fn of(self, program: &Program) -> Unknown {
        Unknown::Unsupported(Unsupported {
            what: self.what,
            instruction: instruction_at(program, self.place),
            location: Location::of(self.place),
        })
    }
}
