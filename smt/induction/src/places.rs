//! Slots of two loops, and the hypotheses of a query about them.

use laneproof_ask::Stage;
use laneproof_semantics::term::Term;

/// A slot of one of the two loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub of_target: bool,
    pub slot: usize,
}

/// Slots that are equal; the first one represents them.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub places: Vec<Place>,
    /// They are never undefined.
    pub defined: bool,
}

/// The hypotheses of a query, and its kind.
#[derive(Clone, Copy)]
pub(super) struct Hypotheses<'g> {
    pub stage: Stage,
    pub known: &'g [Term],
    pub behaves: &'g [Term],
}
