//! Every lane by its number, briefly.

use laneproof_encode::{EncodingPlan, SizeSet, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

/// Up to this size every lane is encoded early.
const SIMPLIFIED: u32 = 128;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match (it.phase, it.sizes) {
        // Later strategies take longer on loops.
        (Phase::Scout, _) => Ok(it.exact(View::EveryLane, if it.loops { 12 } else { 64 })),
        (Phase::Full, SizeSet::One(_)) if it.joint => Err(NotApplicable::Choices),
        (Phase::Full, SizeSet::One(_)) if it.loops => Err(NotApplicable::Loops),
        // With numbered lanes, sums over the same lanes are the same term.
        (Phase::Full, SizeSet::One(size)) if *size <= SIMPLIFIED => {
            Ok(it.exact(View::EveryLane, 4))
        }
        _ => Err(NotApplicable::Phase),
    }
}
