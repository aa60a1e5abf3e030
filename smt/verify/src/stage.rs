//! The stages of the work on all subgroup sizes of a claim.

use crate::phase::Phase;
use crate::session::RunLength;

/// The stages of the work on all obligations of a claim, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// One small size, briefly.
    Scout,
    /// All sizes at once, without loops, in this phase.
    AllSizes(Phase),
    /// One size after the other by one symbolic lane, without loops.
    OneLane,
    /// One size after the other by decision diagrams, within this fraction of the limit.
    Diagrams(u32),
    /// All sizes at once by induction, within this fraction of the limit.
    Induction(u32),
    /// The same where decision diagrams have got nowhere so far.
    InductionInstead(u32),
    /// One size after the other by running states sampled within this fraction of the limit, in runs
    /// of a length.
    Runs(u32, RunLength),
    /// The same, before anything else: one size of many lanes, for which there is no scout.
    RunsFirst(u32),
    /// The smallest sizes, with loops taken to be over, within this fraction of the limit.
    AfterLoops(u32),
    /// All sizes at once, briefly, with loops.
    AllSizesWithLoops,
    /// All sizes at once, without loops, within this fraction of the limit.
    AllSizesInFull(u32),
    /// One size after the other; before the first large size, all sizes at once.
    EachSize,
}

/// Induction may take at most `1 / INDUCTION` of the time; unrolling may still decide.
pub(crate) const INDUCTION: u32 = 3;

/// What it may take first.
pub(crate) const INITIAL: u32 = 40;

/// What it may take before diagrams take most of their time.
pub(crate) const BRIEF: u32 = 12;

/// Decision diagrams may take at most `1 / LAST` of the time.
pub(crate) const LAST: u32 = 2;

/// The number of stages of a brief look: until each kind had its first share.
pub(crate) const FIRST: usize = 7;

/// Diagrams and induction alternate with growing shares, so that neither waits for the other's whole
/// share.
pub(crate) const STAGES: [Stage; 19] = [
    Stage::Scout,
    Stage::RunsFirst(64),
    Stage::AllSizes(Phase::Glance),
    Stage::Diagrams(64),
    Stage::Induction(INITIAL),
    // Cheap, and it finds what runs from samples do not: a difference after very many iterations.
    Stage::AfterLoops(48),
    Stage::Runs(24, RunLength::Short),
    Stage::AllSizes(Phase::Look),
    Stage::InductionInstead(6),
    Stage::Diagrams(12),
    Stage::Induction(BRIEF),
    Stage::OneLane,
    Stage::AllSizesInFull(12),
    Stage::Diagrams(LAST),
    Stage::Induction(INDUCTION),
    // Where a loop goes round very often, an induction proves more than such runs refute.
    Stage::Runs(24, RunLength::Long),
    Stage::AfterLoops(6),
    Stage::AllSizesWithLoops,
    Stage::EachSize,
];
