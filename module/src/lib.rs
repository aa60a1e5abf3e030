//! SPIR-V in, as text or binary, to one typed, structured [`Program`].

mod program;

pub use program::*;
pub use rspirv::{dr::Operand, spirv};
