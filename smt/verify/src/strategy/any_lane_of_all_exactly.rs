//! One symbolic lane, and the source's behavior in all lanes, without abstractions.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Full if it.all_sizes() => Err(NotApplicable::Phase),
        Phase::Full if it.joint => Err(NotApplicable::Choices),
        Phase::Full if it.loops => Err(NotApplicable::Loops),
        Phase::Full if !it.tags() && !it.axioms() => Err(NotApplicable::NotAsked),
        Phase::Full => Ok(it.exact(View::AnyLaneOfAll, 4)),
        _ => Err(NotApplicable::Phase),
    }
}
