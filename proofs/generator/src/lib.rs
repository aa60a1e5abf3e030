//! Lowerings of subgroup operations that no catalogue holds: families of algorithms, each written
//! in every style that it knows, right and in two wrong variants.
//!
//! The share of the catalogue that the prover decides says little about a user's first own
//! lowering. So a part of the cells (a family in a style) is held out, another part for each seed,
//! and used only to measure.

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
