//! Slots of two loops side by side, and what is presumed where something is asked of them.

use laneproof_ask::Stage;
use laneproof_semantics::term::Term;

/// A slot of one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub of_target: bool,
    pub slot: usize,
}

/// Slots that hold the same, the first of them for all.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub places: Vec<Place>,
    /// What they hold is never undefined.
    pub defined: bool,
}

/// What is presumed in a question, and which question it is.
#[derive(Clone, Copy)]
pub(super) struct Given<'g> {
    pub stage: Stage,
    pub known: &'g [Term],
    pub behaves: &'g [Term],
}
