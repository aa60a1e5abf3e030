//! The specification of SPIR-V's subgroup instructions and the language it is written in.
mod ty;

pub use ty::{FloatEncoding, Scalar, Type};
pub mod language;
