//! One symbolic lane, and the source's behavior in all lanes.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Full if it.joint => Err(NotApplicable::Choices),
        Phase::Full if it.loops => Err(NotApplicable::Loops),
        Phase::Full => Ok(it.abstracted(View::AnyLaneOfAll, if it.all_sizes() { 1 } else { 4 })),
        _ => Err(NotApplicable::Phase),
    }
}
