//! Invariants that a user states, and what became of them.

use serde::Serialize;

/// What became of an invariant that a user states of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "standing", content = "because")]
pub enum InvariantStatus {
    /// No induction came to need it.
    NotNeeded,
    /// It was looked at, but time ran out, or something is not modelled.
    Undecided,
    /// It holds when the loop is entered, and every iteration keeps it.
    Holds,
    /// It does not hold when the loop is entered; a lane's state.
    FailsAtFirst(String),
    /// An iteration that begins with it and with all else that is known loses it; a lane's state.
    IsLost(String),
    /// It does not read, or speaks of something that is not modelled.
    Unread(String),
}

/// An invariant that a user states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Invariant {
    /// As it was stated.
    pub text: String,
    /// What became of it.
    #[serde(flatten)]
    pub standing: InvariantStatus,
}

impl Invariant {
    /// One that was not looked at yet.
    pub fn of(text: &str) -> Self {
        Self { text: text.to_owned(), standing: InvariantStatus::NotNeeded }
    }
}
