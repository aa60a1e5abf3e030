//! What an instruction's clauses say, as terms: one lane of one instance at a time.
//!
//! Nothing here knows an instruction by name. A [`Group`] supplies the state of an instance
//! (operands in each lane, the active set, sizes); [`denote`] reads the clauses and gives an
//! [`LaneOutcome`]. With constant leaves the terms fold to constants: that is the evaluator.

mod about;
mod clauses;
mod consequence;
mod counted;
mod denoter;
mod dependence;
mod expression;
mod float;
mod functions;
mod ieee;
mod instance;
mod lanes;
mod locals;
mod memory;
mod movement;
mod names;
mod operands;
mod operators;
mod scalar;
mod shared;
mod sharing;
mod typing;
mod value;
mod whole;

pub(crate) use clauses::Parts;
pub use clauses::{Cause, LaneOutcome};
pub use denoter::{Denoter, denote, denote_built_in};
pub(crate) use dependence::Slots;
pub use instance::{
    Argument, AtomicUpdate, DenoteError, Fold, Group, GroupScope, Instance, LanePosition,
    LaneQuantifier, Leaf, MemoryPlace, Part, Read, STEPS, Settled, State, Store, Texels,
};
pub use value::choose_leaf;
