//! The problem: two functions, and the states in question.

use laneproof_encode::{Declared, SizeSet, Standpoint};
use laneproof_lower::Flat;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

use crate::fixed_state::FixedState;
use crate::leaves::Leaves;
use crate::shape::MemoryShape;

/// What the execution modes of entry points require of the subgroups of a workgroup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Required {
    /// `SubgroupSize`: the lanes of a full subgroup.
    pub size: Option<u32>,
    /// `SubgroupsPerWorkgroup`.
    pub subgroups: Option<u32>,
}

/// Which subgroups and lanes enter.
#[derive(Clone, Copy)]
pub struct Entering {
    /// SubgroupMaxSize may exceed SubgroupSize.
    pub kernel: bool,
    /// Fewer lanes may exist than SubgroupSize.
    pub partial: bool,
    /// All existing lanes enter.
    pub all_active: bool,
    /// The number of subgroups of a workgroup that is encoded whole; `None`: one subgroup is
    /// encoded.
    pub subgroups: Option<u32>,
    /// Only the lowest lane enters: a much smaller query.
    pub alone: bool,
    /// Which subgroup of its workgroup it is, if one is encoded.
    pub standpoint: Standpoint,
    /// The workgroup, if the entry points declare it.
    pub declared: Option<Declared>,
    /// What the entry points require of its subgroups.
    pub required: Required,
    /// Other subgroups of the workgroup access the same memory.
    pub others: bool,
}

/// Two functions, and the states in question.
pub struct Problem<'a> {
    /// The clauses.
    pub specification: &'a Specification,
    /// The readings that are settled.
    pub settled: &'a Settled,
    /// The function that is refined.
    pub source: &'a Flat,
    /// The function that refines it; `None`: the source is a property that must be true in every
    /// active lane.
    pub target: Option<&'a Flat>,
    /// Which subgroups and lanes enter.
    pub group: Entering,
    /// The final values of pointer parameters are compared, too.
    pub outputs: bool,
    /// The memories that both sides are given.
    pub shapes: &'a [MemoryShape],
    /// Leaves of parameters that are equal in all lanes of each state.
    pub same: Leaves,
    /// The only state in question, if it is one.
    pub fixed: Option<&'a FixedState>,
}

impl Problem<'_> {
    /// At some of these sizes the workgroup may have other subgroups, and these access the same
    /// memory.
    pub fn is_crowded(&self, sizes: &SizeSet) -> bool {
        let lone = |invocations: u32| sizes.smallest() >= invocations;
        let lone = self.group.declared.and_then(|it| it.invocations()).is_some_and(lone);
        self.group.others && self.group.subgroups.is_none() && !lone
    }
}
