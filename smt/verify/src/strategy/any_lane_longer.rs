//! One symbolic lane, alone, with more time.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = it.by_axioms(match it.phase {
        Phase::Look => it.look(),
        _ => return Err(NotApplicable::Phase),
    })?;
    Ok(it.abstracted(View::AnyLane, share))
}
