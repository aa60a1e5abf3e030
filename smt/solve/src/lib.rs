//! Translates terms to Z3 and to SMT-LIB 2 and runs queries under limits of time, work and memory;
//! reads models back.
//!
//! [`solve`] asks whether some state satisfies all of a list of assertions. All crates above this
//! one use [`laneproof_semantics::term::Term`] and do not know Z3.

mod answer;
mod bits;
mod by_functions;
mod check;
mod diagrams;
mod few_values;
mod float;
mod functions;
mod further;
mod limit;
mod memory;
mod operator;
mod page;
mod simplified;
mod solver;
mod stated;
mod translation;
mod valuation;
mod vectors;

pub use answer::{Model, SolverAnswer};
pub use diagrams::by_diagrams;
pub use further::SoftProblem;
pub use limit::SolverLimit;
pub use memory::limit_memory;
pub use operator::{Algebra, Law, algebra, combined};
pub use page::{QueryFile, QueryFileError};
pub use simplified::holds;
pub use solver::{afresh, found_without, solve, solver_version};
pub use translation::TooLong;
