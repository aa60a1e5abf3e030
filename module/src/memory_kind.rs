//! Kinds of memory that barriers order, each by a bit of their memory semantics.

use crate::Program;
use crate::spirv::MemorySemantics;

/// Memory that a barrier orders as a whole, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Memory that workgroups share, behind pointers.
    Buffers,
    /// A workgroup's own.
    Workgroup,
    /// Images.
    Images,
}

impl MemoryKind {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Buffers, Self::Workgroup, Self::Images];

    /// The bit that orders it (SPIR-V, "Memory Semantics"). A shader's buffers are in the storage
    /// classes `Uniform`, `StorageBuffer` and `PhysicalStorageBuffer`, a kernel's in
    /// `CrossWorkgroup`. No other memory that lanes share is supported.
    pub fn semantics(self, program: &Program) -> u64 {
        let bit = match self {
            Self::Buffers if program.is_kernel() => MemorySemantics::CROSS_WORKGROUP_MEMORY,
            Self::Buffers => MemorySemantics::UNIFORM_MEMORY,
            Self::Workgroup => MemorySemantics::WORKGROUP_MEMORY,
            Self::Images => MemorySemantics::IMAGE_MEMORY,
        };
        bit.bits().into()
    }
}
