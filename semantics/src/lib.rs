//! The specification of SPIR-V's subgroup instructions and the language it is written in.
//!
//! [`Specification`] holds what the files under `semantics/spec` say; [`mod@denote`] reads an
//! instruction's clauses for one lane as [`term`]s.

pub mod as_written;
pub mod denote;
mod error;
pub mod evaluate;
mod hash;
pub mod language;
mod line;
mod machines;
mod module_kind;
mod print;
mod source;
mod span;
mod specification;
pub mod term;
mod ty;

pub use error::SpecificationError;
pub use line::line_and_column;
pub use machines::{machine, machines};
pub use module_kind::ModuleKind;
pub use source::SpecificationFile;
pub use specification::{Document, Specification};
pub use ty::{FloatFormat, Scalar, Type};
