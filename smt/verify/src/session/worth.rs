//! Whether an outcome counts, given what the sides do to memory.

use laneproof_encode::{EncodingPlan, SizeSet};
use laneproof_lower::Flat;

use super::{Session, Step, disturbed};
use crate::phase::Phase;
use crate::strategy::Circumstances;

impl Session<'_> {
    /// Adjusts an outcome if memory may differ from its encoding, or if other subgroups access it.
    pub(super) fn worth(&self, step: Step, plan: &EncodingPlan, covers_others: bool) -> Step {
        let crowded = self.problem.is_crowded(&plan.sizes);
        match step {
            Step::Proved(_) if plan.traced => match &self.doubt.traces {
                Some(reason) => Step::Next(reason.clone()),
                None => step,
            },
            Step::Proved(_) if let Some(reason) = &self.doubt.proofs => Step::Next(reason.clone()),
            Step::Proved(_) if crowded && !covers_others => Step::Next(disturbed()),
            Step::Refuted(..) if let Some(reason) = &self.doubt.refutations => {
                Step::Stuck(reason.clone())
            }
            // If no lane waits for the others, they need not enter.
            Step::Refuted(..) if crowded && self.needs_others() => Step::Next(disturbed()),
            step => step,
        }
    }

    /// In all states of the view the other subgroups enter, too, or must enter.
    pub(super) fn needs_others(&self) -> bool {
        let gathers = |flat: &Flat| flat.gathers();
        let target = self.problem.target.is_some_and(gathers);
        self.problem.group.all_active || target || gathers(self.problem.source)
    }

    /// Some loop is unrolled, and may have more iterations.
    pub(crate) fn loops(&self) -> bool {
        let target = self.problem.target.is_some_and(Flat::may_overrun);
        target || self.problem.source.may_overrun()
    }

    /// There is a target, and some side accesses memory that lanes share.
    pub(super) fn compares_memory(&self) -> bool {
        let touches = |flat: &Flat| !flat.memory.accesses.is_empty();
        self.problem.target.is_some_and(|target| touches(target) || touches(self.problem.source))
    }

    /// Lanes communicate through memory: by atomics, or around a barrier.
    pub(super) fn exchanges_memory(&self) -> bool {
        let exchanges = |flat: &Flat| {
            flat.memory.atomics
                || (0..flat.memory.regions.len()).any(|it| flat.epoch(usize::MAX, it) > 0)
        };
        self.problem.target.is_some_and(exchanges) || exchanges(self.problem.source)
    }

    /// Which accesses are ordered depends on the barriers in branches that are reached.
    pub(super) fn is_ordered_by_branches(&self) -> bool {
        self.problem.target.is_some_and(Flat::is_ordered_by_branches)
            || self.problem.source.is_ordered_by_branches()
    }

    /// The circumstances that decide which strategies apply.
    pub(super) fn circumstances<'s>(
        &'s self,
        sizes: &'s SizeSet,
        phase: Phase,
        joint: bool,
    ) -> Circumstances<'s> {
        Circumstances {
            phase: if self.problem.group.subgroups.is_some() { Phase::Workgroup } else { phase },
            sizes,
            joint,
            loops: self.loops(),
            memory: self.compares_memory(),
            doubt: self.doubt.proofs.is_some(),
            exchanged: self.exchanges_memory(),
            ordered_by_branches: self.is_ordered_by_branches(),
            abstractions: self.options.abstractions.allowed(),
            per_lane: self.options.abstractions.is_per_lane(),
        }
    }
}
