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
    /// A workgroup variable, by its `<id>`: undefined at first, and what is left is not seen.
    Workgroup(Id),
    /// The image that a parameter is, by the parameter's position.
    Image(usize),
}

impl RegionKind {
    /// Whoever calls can see what is left there.
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
    /// What its elements are, once something accesses them.
    pub scalar: Option<Scalar>,
    /// Bytes that are there for sure.
    pub least: u64,
    /// Bytes that are there, where that is fixed.
    pub size: Option<u64>,
    /// Variables that stand for it.
    pub variables: Vec<Id>,
    /// It may be the memory of another region that is `Aliased`.
    pub aliased: bool,
    /// Others may change it at any time.
    pub volatile: bool,
    /// Others see what is written.
    pub coherent: bool,
}

/// A place in a memory, as each lane names it.
#[derive(Clone, Debug)]
pub struct Address {
    /// Index of the region; of an image, nothing else is said here.
    pub region: usize,
    /// The element that a pointer parameter points to.
    pub base: Option<ValueId>,
    /// Bytes.
    pub offset: u64,
    /// Computed indices.
    pub indexes: Vec<Scaled>,
}

/// A computed index and the bytes that it counts.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    pub index: ValueId,
    pub stride: u64,
    /// May be negative; others were found to be in range.
    pub signed: bool,
}

/// What touches memory, in program order.
#[derive(Clone, Debug)]
pub struct Access {
    /// What is done.
    pub what: Touch,
    /// The lanes that do it.
    pub activity: ActivityId,
    /// Barriers that all lanes have passed before.
    pub epochs: Epochs,
    /// How many barriers these are, whatever they order.
    pub barriers: usize,
    /// How it is ordered.
    pub order: Order,
}

/// Barriers, counted: such as order what is done in buffers, in workgroup memory, and in images.
#[derive(Clone, Copy, Debug, Default)]
pub struct Epochs {
    /// Between the lanes of one subgroup.
    pub of_subgroup: [u32; 3],
    /// Between all lanes of a workgroup.
    pub of_workgroup: [u32; 3],
}

/// How memory is touched.
#[derive(Clone, Debug)]
pub enum Touch {
    /// Scalars are read.
    Load(Scalars),
    /// Scalars are written.
    Store(Scalars, ValueId),
    /// Whatever the clauses say.
    Step(StepId),
}

/// Scalars in memory.
#[derive(Clone, Debug)]
pub struct Scalars {
    /// Where the first of them lies.
    pub address: Address,
    /// Offset of each scalar, in bytes.
    pub offsets: Vec<u64>,
    /// What the address was promised to be a multiple of, in bytes.
    pub alignment: u64,
}

/// What an access says of how it is ordered. Outside of the Vulkan memory model everything is
/// ordered by a barrier; in it, what is not private, and only where a write was made available
/// and is made visible to whoever reads it (Vulkan, "Memory Model / Location-Ordered").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub(super) private: bool,
    pub(super) available: bool,
    pub(super) visible: bool,
}

impl Order {
    /// Ordered by whatever orders at all.
    pub(super) const FULL: Self = Self { private: false, available: true, visible: true };
    /// Ordered by nothing.
    pub(super) const NONE: Self = Self { private: true, available: false, visible: false };
}
