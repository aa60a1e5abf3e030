//! What decides which strategies apply.

use std::collections::BTreeSet;

use laneproof_encode::{EncodingPlan, SizeSet, View};

use super::{NotApplicable, SCOUTED};
use crate::abstraction::Abstraction;
use crate::phase::Phase;

/// What a row's condition can depend on.
#[derive(Clone, Copy)]
pub(crate) struct Circumstances<'a> {
    pub phase: Phase,
    pub sizes: &'a SizeSet,
    /// The source has choices that no template explains.
    pub joint: bool,
    /// Some loop is unrolled, and may have more iterations.
    pub loops: bool,
    /// There is a target, and some side accesses memory that lanes share.
    pub memory: bool,
    /// Memory may differ from its encoding.
    pub doubt: bool,
    /// Lanes communicate through memory: by atomics, or around a barrier.
    pub exchanged: bool,
    /// Which accesses are ordered depends on the barriers in branches that are reached.
    pub ordered_by_branches: bool,
    /// Abstractions that may be used.
    pub abstractions: &'a BTreeSet<Abstraction>,
    /// No abstraction is used.
    pub per_lane: bool,
}

impl Circumstances<'_> {
    pub(super) fn tags(&self) -> bool {
        self.abstractions.contains(&Abstraction::Movement)
    }

    pub(super) fn axioms(&self) -> bool {
        self.abstractions.contains(&Abstraction::Laws)
    }

    pub(super) fn all_sizes(&self) -> bool {
        matches!(self.sizes, SizeSet::All(_))
    }

    /// A few small sizes are cheap one by one.
    pub(super) fn few_small_sizes(&self) -> bool {
        matches!(self.sizes, SizeSet::All(all) if all.iter().all(|&size| size <= SCOUTED))
    }

    /// An encoding as bits, without axioms.
    pub(super) fn exact(&self, view: View, share: u32) -> EncodingPlan {
        EncodingPlan { view, share, ..EncodingPlan::per_lane(self.sizes.clone(), self.joint) }
    }

    /// The same with the requested abstractions.
    pub(super) fn abstracted(&self, view: View, share: u32) -> EncodingPlan {
        EncodingPlan { tags: self.tags(), axioms: self.axioms(), ..self.exact(view, share) }
    }

    /// With this share, all sizes at once without loops, by axioms.
    pub(super) fn by_axioms(&self, share: u32) -> Result<u32, NotApplicable> {
        match () {
            () if !self.all_sizes() => Err(NotApplicable::Phase),
            () if self.loops => Err(NotApplicable::Loops),
            () if !self.axioms() => Err(NotApplicable::NotAsked),
            () => Ok(share),
        }
    }

    /// The share of a glance at all sizes at once without loops.
    pub(super) fn glance(&self) -> u32 {
        if self.few_small_sizes() { 64 } else { 48 }
    }

    /// The share of a look at all sizes at once.
    pub(super) fn look(&self) -> u32 {
        if self.few_small_sizes() { 32 } else { 8 }
    }
}
