//! The state that source and target share.

use std::time::Instant;

use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::term::Term;

use super::memory::Memories;
use crate::fold::Folds;
use crate::input::InputLeaf;
use crate::oracle::Oracle;
use crate::place::SubgroupPlace;
use crate::quantifier::LaneQuantifiers;
use crate::surroundings::Surroundings;
use crate::workgroup::WorkgroupSubgroups;

/// The state in which source and target are entered.
pub struct EntryState {
    /// `SubgroupSize`, 32 bits.
    pub size: Term,
    /// `SubgroupMaxSize`, 32 bits.
    pub max_size: Term,
    /// How many lanes exist, 32 bits.
    pub existing: Term,
    /// Which subgroup of its workgroup this is.
    pub place: SubgroupPlace,
    /// The workgroup and the grid around it.
    pub surroundings: Surroundings,
    /// The workgroup, if all of its subgroups are encoded.
    pub workgroup: Option<WorkgroupSubgroups>,
    /// The lanes that enter, 128 bits.
    pub active: Term,
    /// All existing lanes are below this.
    pub bound: u32,
    /// The parameters, leaf by leaf.
    pub inputs: Vec<Vec<InputLeaf>>,
    /// The memories that both sides are given.
    pub memories: Memories,
}

/// The state that source and target share.
pub struct World<'a> {
    /// The clauses.
    pub specification: &'a Specification,
    /// The readings that are settled.
    pub settled: &'a Settled,
    /// What both sides are given.
    pub entry: EntryState,
    /// Some invocation of another subgroup did not enter.
    pub others_missing: Term,
    /// What accesses to memory read, if that is arbitrary.
    pub oracle: Option<Oracle>,
    /// The reductions.
    pub folds: Folds,
    /// The quantifiers over lanes.
    pub quantifiers: LaneQuantifiers,
    /// For decision diagrams: a computed lane is a choice among all lanes, and the result of a
    /// group operation is 0 in lanes that do not execute it, unless it is equal in all lanes. No
    /// lane uses the result there, and the diagrams stay smaller.
    pub by_number: bool,
    /// The deadline of the encoding.
    pub deadline: Instant,
}
