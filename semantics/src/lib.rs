//! The specification of SPIR-V's subgroup instructions and the language it is written in.
<<<<<<< HEAD
pub mod denote;
pub mod language;
mod specification;
pub mod term;
mod ty;

pub use specification::Specification;
=======
mod error;
mod specification;
mod ty;

pub use error::SpecificationError;
pub use specification::{Document, Source, Specification};
>>>>>>> language
pub use ty::{FloatEncoding, Scalar, Type};
