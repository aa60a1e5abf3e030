//! What is not supported, and where it is.

use laneproof_module::{Place, Program};
use laneproof_outcome::{Location, Unknown, Unsupported, instruction_at};

/// Something in a module that the lowering does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not supported")]
pub struct Unmodelled {
    /// What it is.
    pub what: String,
    /// Its place in the module.
    pub place: Place,
    /// What may help, if it is something else than to do without it.
    pub remedy: Option<String>,
}

pub(super) fn unmodelled(what: impl Into<String>, place: Place) -> Unmodelled {
    Unmodelled { what: what.into(), place, remedy: None }
}

impl Unmodelled {
    pub(super) fn pointer_in_memory(place: Place) -> Self {
        unmodelled("a pointer in memory", place)
    }

    /// An imported function for which no specification has a primitive.
    pub(super) fn import(name: &str, place: Place) -> Self {
        let remedy = format!("a specification file that defines `primitive {name}`, with `--spec`");
        Self { remedy: Some(remedy), ..unmodelled(format!("the imported function {name}"), place) }
    }
}

impl Unmodelled {
    /// The same, with the instruction at that place.
    pub fn of(self, program: &Program) -> Unknown {
        Unknown::Unsupported(Unsupported {
            what: self.what,
            instruction: instruction_at(program, self.place),
            location: Location::of(self.place),
            remedy: self.remedy,
        })
    }
}
