//! One symbolic lane, alone.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = match it.phase {
        Phase::Scout | Phase::Glance | Phase::OneLane | Phase::Full if it.joint => {
            return Err(NotApplicable::Choices);
        }
        Phase::Scout | Phase::OneLane if it.loops => return Err(NotApplicable::Loops),
        Phase::Scout => 128,
        Phase::Glance if it.all_sizes() && !it.loops => it.glance(),
        Phase::Glance if it.all_sizes() => 8,
        Phase::OneLane => 16,
        Phase::Full if it.all_sizes() && it.loops => return Err(NotApplicable::Loops),
        Phase::Full if it.all_sizes() => 2,
        Phase::Glance | Phase::Full if it.loops => 4,
        Phase::Glance | Phase::Full => 8,
        _ => return Err(NotApplicable::Phase),
    };
    Ok(it.abstracted(View::AnyLane, share))
}
