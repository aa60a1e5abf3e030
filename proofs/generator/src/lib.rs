//! Lowerings of subgroup operations that no catalogue holds: families of algorithms, each written
//! in every style that it knows, right and in two wrong variants.
//!
//! The share of the catalogue that the prover decides says little about a user's first own
//! lowering. So a part of the cells (a family in a style) is held out, another part for each seed,
//! and used only to measure.

mod compile;
mod detour;
mod families;
mod family;
mod form;
mod instance;
mod measure;
mod number;
mod plan;
mod report;
mod rewrite;
mod row;
mod shader;
mod style;
mod text;
mod through;
mod write;

pub use compile::CompileError;
pub use detour::Detour;
pub use family::Kind;
pub use form::Form;
pub use instance::{LoweringInstance, Selected, instances};
pub use measure::{MeasureError, Measured, Measurement, measure};
pub use report::GeneratorReport;
pub use rewrite::Rewriting;
pub use row::{Outcome, Row};
pub use style::{ActivityAssumption, Ballots, Guard, LoopShape, Operator, Payload, Style};
