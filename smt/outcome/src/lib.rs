//! Undecided obligations: every kind of "unknown" with its data, from the solver to the messages;
//! and time limits.

mod limits;
mod slowdown;
mod unknown;

pub use limits::Limits;
pub use slowdown::Slowdown;
pub use unknown::{
    Bound, Location, NotReplayed, Question, TimeLimit, Unknown, UnknownKind, Unsupported,
    instruction_at,
};
