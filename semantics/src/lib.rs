//! The specification of SPIR-V's subgroup instructions and the language it is written in.
pub mod denote;
pub mod language;
mod specification;
pub mod term;
mod ty;

pub use specification::Specification;
pub use ty::{FloatEncoding, Scalar, Type};
