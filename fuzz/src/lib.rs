//! One instruction, one subgroup, two meanings: the evaluator, which reads the clauses, and the
//! interpreter, which was written without them.
//!
//! Everything is chosen by an [`arbitrary::Unstructured`], so that property tests and fuzz
//! targets share it. [`targets`] lists what the specification holds, [`Prepared`] is an
//! instruction in a module of its own, [`Standalone`] one that any machine can run, [`state`] makes subgroups for it, and [`compare`]
//! holds the two meanings against each other.

mod compare;
mod entry;
mod form;
pub mod grammar;
mod matrix;
mod memory;
mod module_text;
mod mutant;
mod observe;
mod passage;
mod passage_text;
mod perturbed;
mod perturbed_memory;
mod prepared;
mod standalone;
mod state;
mod target;
mod typing;
mod values;

pub use compare::{Disagreement, compare};
pub use entry::check;
pub use form::Form;
pub use laneproof_generator::Numbers;
pub use matrix::{COLUMNS, MatrixRow, Others, matrix};
pub use memory::{Left, agrees_with_memory, executed, observe_memory, serialization};
pub use mutant::{ClauseMutant, mutants};
pub use observe::{Agreement, NoOutcome, Observed, evaluated, given, observe, outcome};
pub use passage::{Passage, Passed, ordered};
pub use passage_text::{Around, neighbours};
pub use perturbed::{Perturbed, leaves_open, legal, perturbed};
pub use perturbed_memory::{PerturbedMemory, legal_memory, perturbed_memory};
pub use prepared::{PrepareError, Prepared, has_memory};
pub use standalone::{FIRST_OPERAND, Held, Standalone};
pub use state::{drawn, state};
pub use target::{CheckedSubject, Excluded, Target, orders_memory, targets};
