//! Refinement as terms: the state in which both functions are entered, what the source does, how
//! the target may fail it, and where the two disagree.

mod claim;
mod disagreement;
mod entry_state;
mod instances;
mod obligation;
mod presumption;
mod problem;
mod shape;

pub use claim::{Claim, Parts, claim, memories, region_of, small, state};
pub use disagreement::disagrees;
pub use entry_state::{Entered, entered};
pub use instances::instantiated;
pub use obligation::{Built, build, pairs};
pub use problem::Problem;
pub use shape::{Shape, shapes};
