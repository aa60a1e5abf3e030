//! Decision diagrams over sets of lanes.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Diagrams => {
            // Memory that no other subgroup accesses is compared lane by lane, which needs no case
            // distinction on addresses.
            let lanewise = it.memory && !it.exchanged && !it.joint;
            Ok(EncodingPlan { diagrams: true, lanewise, ..it.exact(View::EveryLane, 1) })
        }
        _ => Err(NotApplicable::Phase),
    }
}
