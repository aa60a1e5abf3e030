//! The specification of SPIR-V's subgroup instructions and the language it is written in.
mod error;
mod specification;
mod ty;

pub use error::SpecificationError;
pub use specification::{Document, Source, Specification};
pub use ty::{FloatEncoding, Scalar, Type};
pub mod language;
