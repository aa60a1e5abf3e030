//! Accesses to memory, one by one.

use laneproof_encode::EncodingPlan;

use super::{Circumstances, NotApplicable, STRATEGIES, Strategy};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Traces => Ok(EncodingPlan::traced(it.sizes.clone(), 2)),
        _ if !it.memory => Err(NotApplicable::NoMemory),
        Phase::Look | Phase::OneLane | Phase::Workgroup => Err(NotApplicable::Phase),
        _ if it.joint => Err(NotApplicable::Choices),
        _ if !it.doubt => Err(NotApplicable::NoDoubt),
        _ => {
            let others = STRATEGIES.iter().filter(|row| row.strategy != Strategy::Traces);
            let first = others.filter_map(|row| row.plan(it)?.ok()).next();
            let first = first.ok_or(NotApplicable::Loops)?;
            Ok(EncodingPlan::traced(it.sizes.clone(), first.share.max(4)))
        }
    }
}
