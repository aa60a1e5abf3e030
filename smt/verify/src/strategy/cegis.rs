//! CEGIS over the choices of the source, for all lanes together.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        // Other strategies may decide without the search.
        Phase::Glance if it.joint => Ok(it.exact(View::EveryLane, 8)),
        Phase::Full | Phase::Workgroup if it.joint => Ok(it.exact(View::EveryLane, 1)),
        _ => Err(NotApplicable::Phase),
    }
}
