//! What a function shares with the other subgroups of its workgroup.

use laneproof_semantics::denote::GroupScope;

use crate::flat::{Event, Flat};

impl Flat {
    /// It accesses memory that other subgroups may access, or waits for them.
    pub fn shares_memory(&self) -> bool {
        !self.memory.accesses.is_empty() || self.gathers()
    }

    /// It has workgroup memory, whose final content is not compared.
    pub fn has_workgroup_memory(&self) -> bool {
        self.memory
            .regions
            .iter()
            .any(|region| !region.kind.is_visible() && region.scalar.is_some())
    }

    /// Some barrier waits for all invocations of the workgroup.
    pub fn gathers(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Gathered(_, GroupScope::Workgroup)))
    }
}

/// Subgroups communicate: a workgroup barrier orders memory that is written, so a subgroup may read
/// what another one wrote.
pub fn exchange(source: &Flat, target: Option<&Flat>) -> bool {
    let sides = || [Some(source), target].into_iter().flatten();
    let some = |of: fn(&Flat) -> [bool; 3], kind: usize| sides().any(|flat| of(flat)[kind]);
    (0..3).any(|kind| some(Flat::ordered_in_workgroup, kind) && some(Flat::written, kind))
}
