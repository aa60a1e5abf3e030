//! The stages of the work on all sizes that are asked for.

/// The stages of the work on all obligations of a question, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// One small size, for a moment.
    Scout,
    /// All sizes at once, for a moment, where there are no loops.
    AllSizesBriefly,
    /// One size after the other by decision diagrams, within one part in so many of a limit.
    Diagrams(u32),
    /// All sizes at once by induction, within one part in so many of the limit.
    Induction(u32),
    /// The smallest sizes with loops that are taken to be over.
    AfterLoops,
    /// All sizes at once, for a moment, where there are loops.
    AllSizesWithLoops,
    /// All sizes at once in full, within one part in so many of the limit, where there are no loops.
    AllSizesInFull(u32),
    /// One size after the other, and before those that are not small all of them at once.
    EachSize,
}

/// Induction may take one part in so many of the time in the end: the iterations may settle it,
/// unrolled.
pub(crate) const INDUCTION: u32 = 3;

/// Decision diagrams may take one part in so many of the time in the end.
pub(crate) const LAST: u32 = 2;

/// What one of two decides at once does not wait for all that the other may take: they take turns,
/// with more time in each.
pub(crate) const STAGES: [Stage; 12] = [
    Stage::Scout,
    Stage::AllSizesBriefly,
    Stage::Diagrams(64),
    Stage::Induction(64),
    Stage::Diagrams(12),
    Stage::Induction(12),
    Stage::AllSizesInFull(12),
    Stage::Diagrams(LAST),
    Stage::Induction(INDUCTION),
    Stage::AfterLoops,
    Stage::AllSizesWithLoops,
    Stage::EachSize,
];
