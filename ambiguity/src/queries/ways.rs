//! The ways of reading a point, and whether they differ.

use laneproof_queries::states::InstructionStates;
use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::term::Term;

use crate::question::Case;

/// Each way of reading the point, the other points as in `base`.
pub(super) fn ways(point: &ChoicePoint, base: &Settled) -> Vec<(String, Settled)> {
    let alternatives = point.alternatives.iter();
    alternatives.map(|way| (way.to_string(), base.clone().with(&point.name, way))).collect()
}

/// Some way gives a lane something else than the first.
pub(super) fn differ(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    ways: &[(String, Settled)],
    lane: Term,
) -> Result<Term, DenoteError> {
    let Some((first, others)) = ways.split_first() else { return Ok(states.pool().bool(false)) };
    let one = states.outcome_at(&case.meaning(&first.1), lane)?;
    let mut differences = Vec::new();
    for (_, other) in others {
        let other = states.outcome_at(&case.meaning(other), lane)?;
        differences.push(states.differ(&one, &other));
    }
    Ok(states.pool().any(differences))
}
