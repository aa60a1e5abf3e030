//! Lowerings of subgroup operations that no catalogue holds: families of algorithms, each written
//! in every style that it knows, right and in two wrong variants.
//!
//! What the prover decides of its catalogue says little about what it decides of a user's first
//! own lowering. So a part of the cells (a family in a style) is set aside, another part for each
//! seed, and looked at only to measure.

mod boolean;
mod combined;
mod family;
mod instance;
mod loops;
mod measure;
mod report;
mod style;
mod text;
mod trees;
mod words;
mod write;

pub use instance::{LoweringInstance, Selected, instances};
pub use measure::{MeasureError, Measured, measure};
pub use report::GeneratorReport;
pub use style::{ActivityAssumption, Ballots, Guard, LoopShape, Operator, Payload, Style};
