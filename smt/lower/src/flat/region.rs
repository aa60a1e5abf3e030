//! Memory that lanes share, and accesses to it.

use laneproof_module::Id;
use laneproof_semantics::Scalar;

use crate::flat::{ActivityId, StepId, ValueId};

/// Memory that is apart from all other memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegionKind {
    /// What pointer parameters point into: one memory, so they may alias.
    Arguments,
    /// What pointer parameters to workgroup memory point into: one memory.
    WorkgroupArguments,
    /// What a pointer parameter points into that aliases nothing, by the parameter's position.
    Argument(usize),
    /// A shader's buffer, by descriptor set and binding.
    Binding(u32, u32),
    /// A shader's push constants.
    PushConstants,
    /// A workgroup variable, by its `<id>`: initially undefined, or zero; its final content is not compared.
    Workgroup(Id),
    /// An image parameter, by its position.
    Image(usize),
}

impl RegionKind {
    /// Its final content is visible to the caller.
    pub fn is_visible(self) -> bool {
        !matches!(self, Self::Workgroup(_))
    }
}

impl std::fmt::Display for RegionKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Arguments => f.write_str("memory"),
            Self::WorkgroupArguments => f.write_str("workgroup memory"),
            Self::Argument(position) => write!(f, "argument {position}"),
            Self::Binding(set, binding) => write!(f, "{set}.{binding}"),
            Self::PushConstants => f.write_str("push constants"),
            Self::Workgroup(id) => write!(f, "%{id}"),
            Self::Image(position) => write!(f, "image {position}"),
        }
    }
}

/// A memory, as a function uses it.
#[derive(Clone, Debug)]
pub struct MemoryRegion {
    /// Which memory it is.
    pub kind: RegionKind,
    /// The type of its scalars, once something accesses them.
    pub scalar: Option<Scalar>,
    /// Its least size in bytes.
    pub least: u64,
    /// Its size in bytes, if it is fixed.
    pub size: Option<u64>,
    /// Variables that stand for it.
    pub variables: Vec<Id>,
    /// It is zero initially.
    pub zeroed: bool,
    /// It may be the memory of another region that is `Aliased`.
    pub aliased: bool,
    /// Other agents may change it at any time.
    pub volatile: bool,
    /// Others see what is written.
    pub coherent: bool,
}

/// An address in a memory, as a function of the lane.
#[derive(Clone, Debug)]
pub struct Address {
    /// Index of the region; for an image, the other fields are not used.
    pub region: usize,
    /// The element that a pointer parameter points to.
    pub base: Option<ValueId>,
    /// Bytes.
    pub offset: u64,
    /// Computed indices.
    pub indexes: Vec<Scaled>,
}

/// A computed index, scaled by a number of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    pub index: ValueId,
    pub stride: u64,
    /// It may be negative; unsigned ones are known to be in range.
    pub signed: bool,
}

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Access {
    /// What it does.
    pub what: Touch,
    /// The lanes that execute it.
    pub activity: ActivityId,
    /// Barriers that all lanes have passed before.
    pub epochs: Epochs,
    /// The number of these barriers, whatever they order.
    pub barriers: usize,
    /// How it is ordered.
    pub order: Order,
}

impl Access {
    /// It reads, and does nothing else.
    pub fn only_reads(&self) -> bool {
        matches!(self.what, Touch::Load(_))
    }
}

/// Numbers of barriers that order accesses to buffers, to workgroup memory, and to images.
#[derive(Clone, Copy, Debug, Default)]
pub struct Epochs {
    /// Between the lanes of one subgroup.
    pub of_subgroup: [u32; 3],
    /// Between all lanes of a workgroup.
    pub of_workgroup: [u32; 3],
}

/// The kind of an access.
#[derive(Clone, Debug)]
pub enum Touch {
    /// Scalars are read.
    Load(Scalars),
    /// Scalars are written.
    Store(Scalars, ValueId),
    /// As the clauses of a step say.
    Step(StepId),
}

/// Scalars in memory.
#[derive(Clone, Debug)]
pub struct Scalars {
    /// Where the first of them lies.
    pub address: Address,
    /// Offset of each scalar, in bytes.
    pub offsets: Vec<u64>,
    /// The alignment that the access declares, in bytes.
    pub alignment: u64,
}

/// The order of an access. Outside of the Vulkan memory model a barrier orders every access. In
/// that model it orders non-private accesses only, and only if a write was made available and is
/// made visible to the reader (Vulkan, "Memory Model / Location-Ordered").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub(super) private: bool,
    pub(super) available: bool,
    pub(super) visible: bool,
}

impl Order {
    /// Ordered by every barrier.
    pub(super) const FULL: Self = Self { private: false, available: true, visible: true };
    /// Ordered by no barrier.
    pub(super) const NONE: Self = Self { private: true, available: false, visible: false };
}
