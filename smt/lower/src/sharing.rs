//! What a function shares with the other subgroups of its workgroup.

use laneproof_semantics::denote::GroupScope;

use crate::flat::{Event, Flat, RegionKind};

impl Flat {
    /// It accesses memory that other subgroups may access, or waits for them.
    pub fn shares_memory(&self) -> bool {
        !self.memory.accesses.is_empty() || self.gathers()
    }

    /// It accesses an image.
    pub fn accesses_images(&self) -> bool {
        let mut regions = self.memory.regions.iter();
        regions.any(|it| matches!(it.kind, RegionKind::Image(_)) && it.scalar.is_some())
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

/// Which memory is decorated `Coherent` in the source and not in the target, where lanes may learn of
/// each other, in words: what one of them wrote there another need not see.
pub fn less_coherent(source: &Flat, target: &Flat) -> Option<String> {
    if target.memory.barriers.is_empty() && !target.memory.atomics {
        return None;
    }
    let coherent = |kind: RegionKind| {
        source.memory.regions.iter().any(|region| region.kind == kind && region.coherent)
    };
    let mut regions = target.memory.regions.iter().filter(|it| it.scalar.is_some());
    let less = regions.find(|region| !region.coherent && coherent(region.kind))?;
    Some(format!("{} is `Coherent` in the source, and not in the target", less.kind))
}
