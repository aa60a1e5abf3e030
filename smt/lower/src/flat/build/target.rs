//! Where pointers point.

use laneproof_semantics::Type as Data;

use crate::flat::{Address, ValueId};

/// Where a pointer points.
#[derive(Clone, Debug)]
pub(in crate::flat) struct Pointer {
    pub variable: usize,
    /// First leaf, counted from the element that the last computed index selects.
    pub start: usize,
    /// Computed indexes on the way, and what each selects from.
    pub computed: Vec<Computed>,
    /// What it points to.
    pub ty: Data,
}

/// A computed index on the way to a part of a variable.
#[derive(Clone, Debug)]
pub(in crate::flat) struct Computed {
    /// First leaf of element 0, counted from the part that the indexes before it select.
    pub start: usize,
    /// How many elements there are.
    pub length: u32,
    pub index: ValueId,
    /// The type of an element.
    pub element: Data,
}

/// A pointer into memory that lanes share.
#[derive(Clone, Debug)]
pub(in crate::flat) struct Shared {
    pub address: Address,
    /// What it points to.
    pub ty: laneproof_module::ModuleType,
}

/// A pointer of any kind.
#[derive(Clone, Debug)]
pub(in crate::flat) enum Target {
    /// To a variable of each lane.
    Own(Pointer),
    /// To memory that lanes share.
    Shared(Shared),
    /// To a variable that holds a pointer, by its number.
    Holder(usize),
}
