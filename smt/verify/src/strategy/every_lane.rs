//! Every lane by its number.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        _ if it.joint => Err(NotApplicable::Choices),
        Phase::Full if !it.all_sizes() => Ok(it.exact(View::EveryLane, 1)),
        Phase::Glance if !it.all_sizes() && it.loops => Ok(it.exact(View::EveryLane, 1)),
        Phase::Workgroup => Ok(it.exact(View::EveryLane, 1)),
        _ => Err(NotApplicable::Phase),
    }
}
