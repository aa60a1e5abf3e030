//! Modules of one instruction: each form in which the specification lets it stand, and the states
//! that it runs in.
//!
//! [`targets`] lists what the specification holds, [`Prepared`] is an instruction in a module of its
//! own, [`Standalone`] one that any machine can run, [`state`] makes subgroups for it. Everything is
//! chosen by an [`arbitrary::Unstructured`], so property tests and fuzz targets share it.

mod form;
mod module_text;
mod prepared;
mod standalone;
mod state;
mod target;
mod typing;
mod values;

pub use form::Form;
pub use laneproof_generator::Numbers;
pub use module_text::{FUNCTION, SCOPES};
pub use prepared::{PrepareError, Prepared, has_memory};
pub use standalone::{FIRST_OPERAND, Held, Standalone};
pub use state::{drawn, state};
pub use target::{CheckedSubject, Excluded, Target, orders_memory, targets};
pub use values::low;
