//! Quantifiers over lanes, by instantiation.

use laneproof_encode::{EncodingPlan, View};

use super::{Circumstances, NotApplicable};
use crate::phase::Phase;

pub(super) fn plan(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = it.by_axioms(match it.phase {
        Phase::Glance => it.glance(),
        Phase::Look => it.look(),
        Phase::Full => 4,
        _ => return Err(NotApplicable::Phase),
    })?;
    Ok(it.abstracted(View::Quantified, share))
}
