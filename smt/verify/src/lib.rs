//! Specification to Z3 terms, modules to obligations, verdicts and counterexamples.
//!
//! [`verify`] asks whether one function refines another. What it answers with "proved" holds
//! in every state that it was asked about; what it refutes was shown again by the interpreter.

mod descent;
mod entry_points;

mod latitude;

mod memory_state;

mod phase;
mod present;
mod reconvergence;
mod replay;
mod rungs;

mod strategy;

mod tried;

mod unrolled;
mod unsettled;
mod verdict;
mod verify;
mod workgroups;

pub use laneproof_induction::{Invariant, Standing};
pub use laneproof_lower::Evaluated;
pub use laneproof_outcome::{
    Bound, Location, NotReplayed, Question, TimeLimit, Unknown, UnknownKind, Unsupported,
};
pub use laneproof_solve::{Limit, afresh, limit_memory, solver_version};
pub use latitude::latitude;
pub use replay::readings;
pub use strategy::{NotApplicable, Strategy, strategy_table};
pub use tried::{Outcome, Tried, TriedLine};
pub use verdict::*;
pub use verify::{Options, Side, VerifyError, settle, verify};
