//! Names of parts of a module: an `<id>`, and the place of an instruction.

/// A result `<id>` of the module.
pub type Id = u32;

/// The place of an instruction in its module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index of its first word in the binary.
    pub word: u32,
    /// Line in the assembly that was given, from 1; 0 for a binary.
    pub line: u32,
}
