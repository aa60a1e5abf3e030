//! Quantifiers over lanes, by instantiation.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = it.by_axioms(Some(4))?;
    Ok(it.abstracted(View::Quantified, share))
}
