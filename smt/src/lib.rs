//! Specification to Z3 terms, modules to obligations, verdicts and counterexamples.
//!
//! [`verify`] asks whether one function refines another. What it answers with "proved" holds
//! in every state that it was asked about; what it refutes was shown again by the interpreter.

mod aliasing;
mod count;
mod counterpart;
mod declared;
pub mod definition;
mod descent;
mod discard;
mod encode;
mod entry_state;
mod flat;

mod fold;

mod image;
mod induction;
mod instances;
mod joint;
mod lane;
mod lanewise;
mod latitude;

mod membership;
mod memory;
mod memory_claim;
mod memory_state;
pub mod model_check;
mod obligation;

mod others;

mod phase;
mod present;
mod presumption;
mod primitive;
mod question;
mod race;
mod reconvergence;
mod relation;
mod replay;
mod rungs;

pub mod states;
mod strategy;
mod surroundings;
mod survey;

mod trace;

mod trial;
mod tried;
mod turns;
pub mod typical;

mod unrolled;
mod unsettled;
mod verdict;
mod verify;
mod workgroup;
mod workgroups;

pub use latitude::latitude;
pub use primitive::Evaluated;
pub use replay::readings;
pub use laneproof_solve::{Limit, afresh, limit_memory, solver_version};
pub use strategy::{NotApplicable, Strategy, strategy_table};
pub use tried::{Outcome, Tried, TriedLine};
pub use laneproof_outcome::{
    Bound, Location, NotReplayed, Question, TimeLimit, Unknown, UnknownKind, Unsupported,
};
pub use verdict::*;
pub use verify::{Options, Side, VerifyError, settle, verify};
