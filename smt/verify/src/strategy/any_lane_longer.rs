//! One symbolic lane, alone, with more time.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = it.by_axioms(None)?;
    Ok(it.abstracted(View::AnyLane, share))
}
