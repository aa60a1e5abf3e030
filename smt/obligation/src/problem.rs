//! What is asked: two functions, and which states count.

use laneproof_encode::{Declared, SizeSet, Standpoint};
use laneproof_lower::Flat;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

use crate::leaves::Leaves;
use crate::shape::MemoryShape;

/// Which subgroups and lanes are looked at.
#[derive(Clone, Copy)]
pub struct Entering {
    /// SubgroupMaxSize may exceed SubgroupSize.
    pub kernel: bool,
    /// Fewer lanes may exist than SubgroupSize.
    pub partial: bool,
    /// All existing lanes enter.
    pub all_active: bool,
    /// Of a workgroup of so many subgroups all lanes are looked at; `None`: one subgroup is.
    pub subgroups: Option<u32>,
    /// Only the lowest lane enters: that is much less to look at.
    pub alone: bool,
    /// Which subgroup of its workgroup it is, where one is looked at.
    pub standpoint: Standpoint,
    /// The workgroup, where the entry points declare it.
    pub declared: Option<Declared>,
    /// Other subgroups of the workgroup touch the same memory.
    pub others: bool,
}

/// Two functions, and which states count.
pub struct Problem<'a> {
    /// The clauses.
    pub specification: &'a Specification,
    /// The readings that are settled.
    pub settled: &'a Settled,
    /// The function that is refined.
    pub source: &'a Flat,
    /// `None`: the source is a property, to be true in every active lane.
    pub target: Option<&'a Flat>,
    /// Which subgroups and lanes are looked at.
    pub group: Entering,
    /// What is left in pointer parameters counts, too.
    pub outputs: bool,
    /// The memories that both sides are given.
    pub shapes: &'a [MemoryShape],
    /// Leaves of parameters that are the same in all lanes of each state that counts.
    pub same: Leaves,
}

impl Problem<'_> {
    /// At some of these sizes the workgroup may have subgroups besides the one that is looked at,
    /// and these touch the same memory.
    pub fn is_crowded(&self, sizes: &SizeSet) -> bool {
        let lone = |invocations: u32| sizes.smallest() >= invocations;
        let lone = self.group.declared.and_then(|it| it.invocations()).is_some_and(lone);
        self.group.others && self.group.subgroups.is_none() && !lone
    }
}
