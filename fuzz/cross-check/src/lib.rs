//! One instruction, one subgroup, two meanings: the evaluator, which reads the clauses, and the
//! interpreter, which was written without them.
//!
//! [`compare`] compares the two meanings of a prepared instruction in a state; [`check`] chooses both
//! by the bytes of a fuzzer; [`matrix`] says of which instructions all engines know; [`mutants`] are
//! mistakes in clauses that the comparison must notice.

mod compare;
mod entry;
mod matrix;
mod memory;
mod mutant;
mod observe;
mod passage;
mod passage_text;
mod perturbed;
mod perturbed_memory;

pub use compare::{Disagreement, compare};
pub use entry::check;
pub use matrix::{COLUMNS, MatrixRow, Others, matrix};
pub use memory::{Left, agrees_with_memory, executed, observe_memory, serialization};
pub use mutant::{ClauseMutant, mutants};
pub use observe::{Agreement, NoOutcome, Observed, evaluated, given, observe, outcome};
pub use passage::{Passage, Passed, ordered};
pub use passage_text::{Around, neighbours};
pub use perturbed::{Perturbed, leaves_open, legal, perturbed};
pub use perturbed_memory::{PerturbedMemory, legal_memory, perturbed_memory};
