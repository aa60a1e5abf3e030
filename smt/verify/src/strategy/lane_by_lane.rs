//! Accesses to memory, lane by lane.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    if !it.memory {
        return Err(NotApplicable::NoMemory);
    }
    if it.joint {
        return Err(NotApplicable::Choices);
    }
    if it.ordered_by_branches {
        return Err(NotApplicable::BarrierInBranch);
    }
    let share = match it.phase {
        Phase::Look | Phase::OneLane | Phase::Traces => return Err(NotApplicable::Phase),
        Phase::Workgroup => {
            return Ok(EncodingPlan { lanewise: true, ..it.exact(View::EveryLane, 4) });
        }
        Phase::Scout => 32,
        Phase::Full if it.all_sizes() && it.loops => return Err(NotApplicable::Loops),
        _ if it.all_sizes() => 8,
        Phase::Diagrams if it.loops => return Err(NotApplicable::Loops),
        Phase::Diagrams => 8,
        _ => 4,
    };
    Ok(EncodingPlan { lanewise: true, ..it.abstracted(View::AnyLane, share) })
}
