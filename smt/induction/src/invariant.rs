//! Invariants that a user states, and their status.

use serde::Serialize;

/// The status of an invariant that a user states for a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "standing", content = "because")]
pub enum InvariantStatus {
    /// No induction needed it.
    NotNeeded,
    /// It is undecided: the time limit was reached, or something is not supported.
    Undecided,
    /// It holds when the loop is entered, and every iteration preserves it.
    Holds,
    /// It does not hold when the loop is entered; the state of a lane.
    FailsAtFirst(String),
    /// An iteration does not preserve it; the state of a lane.
    IsLost(String),
    /// It cannot be parsed, or uses something that is not supported.
    Unread(String),
}

/// An invariant that a user states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Invariant {
    /// As it was stated.
    pub text: String,
    /// Its status.
    #[serde(flatten)]
    pub status: InvariantStatus,
}

impl Invariant {
    /// An invariant that was not checked yet.
    pub fn of(text: &str) -> Self {
        Self { text: text.to_owned(), status: InvariantStatus::NotNeeded }
    }
}
