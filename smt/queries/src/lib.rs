//! Queries about the clauses themselves, for `spec`, the search for ambiguities and tests.

pub mod definition;
pub mod model_check;
pub mod states;
pub mod typical;
