//! Loops unrolled, every lane by its number, before other strategies.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Glance | Phase::Full if !it.all_sizes() && it.loops && !it.joint => {
            Ok(it.exact(View::EveryLane, 2))
        }
        _ => Err(NotApplicable::Phase),
    }
}
