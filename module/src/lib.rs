//! Loads SPIR-V, as assembly or binary, into one typed, structured [`Program`].

mod annotations;
mod bfloat;
mod build;
mod debug;
mod decode;
mod error;
mod header;
pub mod limits;
mod listing;
mod load;
mod memory_operands;
pub mod names;
mod place;
mod program;
mod queries;
mod site;
mod specialize;
mod text;
mod validate;
mod words;

pub use build::fold::fold_scalars;
pub use debug::{Debug, SourceLine};
pub use decode::Decoded;
pub use error::{InText, Invalid, LoadError};
pub use header::{HeaderLine, header};
pub use limits::MAX_BYTES;
pub use listing::{Listing, Reference};
pub use load::{assemble_text, list_bytes, load, load_bytes, load_text_unvalidated};
pub use memory_operands::MemoryOperands;
pub use names::{InstructionClass, Named};
pub use program::*;
pub use rspirv::{dr::Operand, grammar, spirv};
pub use site::{Grid, LaneIndices, Site, WorkgroupPlace};
pub use specialize::SpecializeError;
pub use text::{disassemble, lines_of_instructions};
pub use validate::{ValidationEnvironment, validate_for};
