//! Refinement as terms: the state in which both functions are entered, what the source does, how
//! the target may fail it, and where the two disagree.

mod built;
mod claim;
mod compared;
mod disagreement;
mod entry_state;
mod fixed_state;
mod instances;
mod leaves;
mod obligation;
mod precedence;
mod problem;
mod shape;
mod statement;
mod uniform;
mod weakened;
mod weaker;

pub use built::Built;
pub use claim::{ObligationBuilder, Parts, claim, memories, region_of, small, state};
pub use compared::pairs;
pub use disagreement::disagrees;
pub use entry_state::{Entered, entered};
pub use fixed_state::FixedState;
pub use instances::instantiated;
pub use leaves::Leaves;
pub use obligation::build;
pub use problem::{Entering, Problem, Required};
pub use shape::{MemoryShape, shapes};
pub use uniform::{apart_in_two_lanes, assumes};
