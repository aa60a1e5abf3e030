//! The strategies that decide whether one function refines another, the replay of counterexamples,
//! and verdicts.
//!
//! [`verify`] runs the table of strategies ([`strategy_table`]). "Proved" means that it holds in every
//! state of the claim; "refuted" means that the interpreter has confirmed a counterexample.

mod abstraction;
mod case;
mod claim;
mod comparable;
mod counterexample;
mod descent;
mod directions;
mod entry_points;
mod error;
mod evaluated;
mod exactness;
mod fact;
mod globals;
mod guard;
mod identical;
mod latitude;
mod manner;
mod memory_state;
mod options;
mod phase;
mod present;
mod presumption;
mod profile;
mod pure;
mod reconvergence;
mod replay;
mod report;
mod session;
mod stage;
mod strategy;
mod tried;
mod unrolled;
mod unsettled;
mod verdict;
mod verify;
mod words;
mod workgroups;

pub use abstraction::Abstraction;
pub use claim::{Claim, ClaimError, Named, functions, only};
pub use counterexample::{
    ComparedFunction, Counterexample, InitialMemory, LaneRow, LaneScalar, MemoryRow, Origin,
    Output, PlaceInWorkgroup, TypedValue, UndefinedBehavior, WorkgroupShape,
};
pub use error::VerifyError;
pub use evaluated::Evaluated;
pub use fact::{Lanes, ProofFact};
pub use guard::{STACK, guarded, quiet};
pub use laneproof_induction::{Invariant, InvariantStatus};
pub use laneproof_lower::RegionKind;
pub use laneproof_outcome::{
    Bound, Location, NotReplayed, Question, Slowdown, TimeLimit, Unknown, UnknownKind, Unsupported,
};
pub use laneproof_solve::{SolverLimit, afresh, limit_memory, solver_version};
pub use latitude::{latitude, latitude_in};
pub use options::{AllowedAbstractions, Options, Side, States};
pub use presumption::{NotCompared, Presumption};
pub use profile::settle;
pub use replay::{not_followed, readings};
pub use report::VerificationReport;
pub use strategy::{NotApplicable, Strategy, strategy_table};
pub use tried::{StrategyOutcome, Tried, TriedLine};
pub use verdict::{Obligation, Verdict};
pub use verify::verify;
pub use words::WordError;
