//! Places in memory that are not there, or that two lanes write.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_semantics::denote::Cause;
use laneproof_semantics::language::ast::{Clause, Statement};

use super::gap::PRESUPPOSED;
use super::{Collected, shown};
use crate::effect::has_memory;
use crate::finding::{Finding, FindingKind};
use crate::probe::silent_where;
use crate::question::Case;

/// The reading of what it gives to reach past the end of memory.
const OUTSIDE: &str = "access-outside";
/// The reading of what it gives that two lanes store in one place.
const MEET: &str = "stores-meet";

/// Gaps of memory.
pub(super) fn memory(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    if !has_memory(case.instance) {
        return Ok(());
    }
    outside(case, found)?;
    meeting(case, found)
}

/// An access out of bounds for which the text is silent.
fn outside(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    for clause in &case.instruction.clauses {
        let id = Finding::id_of(FindingKind::Gap, "outside-of-memory", &clause.document);
        if !case.wants(&id) {
            continue;
        }
        let state = case.smallest(|states, lane| {
            let outcome = states.outcome_at(&case.meaning(&settled), lane)?;
            let silent = silent_where(states, &outcome, |cause: &Cause| {
                cause.clause == clause.id && cause.reading.as_deref() == Some(OUTSIDE)
            });
            let said = silent_where(states, &outcome, |cause: &Cause| {
                cause.reading.as_deref().is_some_and(|name| !PRESUPPOSED.contains(&name))
            });
            Ok(vec![silent, states.pool().not(said)])
        })?;
        let Some(state) = state else { continue };
        let ways = [("as written".to_owned(), settled.clone())];
        let mut finding = shown(case, FindingKind::Gap, id, &state, &ways)?;
        finding.clauses.insert(clause.id.to_string());
        finding.summary =
            "A place is named past the end of what a pointer or image leads to: nothing says what \
             that gives."
                .to_owned();
        finding.remedy = "Behavior is undefined where an access is out of bounds, or a read gives \
                          an undefined value and a write does nothing."
            .to_owned();
        found.findings.push(finding);
    }
    Ok(())
}

/// Two invocations write different values to one address, and the text is silent about it.
fn meeting(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    let id = Finding::id_of(FindingKind::Gap, MEET, &case.instruction.document);
    if !case.wants(&id) {
        return Ok(());
    }
    let state = case.smallest_among(|states, lane| {
        let own = states.outcome(&case.meaning(&settled), lane)?;
        let own_said = states.is_said(&own);
        let mut meet = Vec::new();
        for other in (0..states.existing()).filter(|other| *other != lane) {
            let there = states.outcome(&case.meaning(&settled), other)?;
            let both = [states.active(other), states.is_said(&there), own_said];
            let same_place = states.stores_meet([(&own, lane), (&there, other)]);
            let both = states.pool().all(both.to_vec());
            meet.push(states.pool().and(both, same_place));
        }
        Ok(vec![states.pool().any(meet)])
    })?;
    let Some(state) = state else { return Ok(()) };
    let alternatives = case.texts.specification.readings.get(MEET);
    let ways: Vec<_> = alternatives
        .iter()
        .flat_map(|reading| &reading.alternatives)
        .map(|(way, _)| (way.to_string(), settled.clone().with(MEET, way)))
        .collect();
    let mut finding = shown(case, FindingKind::Gap, id, &state, &ways)?;
    let stores = |clause: &&std::sync::Arc<Clause>| {
        clause.statements.iter().any(|(it, _)| matches!(it, Statement::Store { .. }))
    };
    let clauses = case.instruction.clauses.iter().filter(stores);
    finding.clauses.extend(clauses.map(|clause| clause.id.to_string()));
    finding.summary =
        "Two invocations write different values to one place: nothing says what stands there then."
            .to_owned();
    finding.remedy = "If invocations write different values to one place, one of them stands \
                      there, the value is undefined, or behavior is."
        .to_owned();
    found.findings.push(finding);
    Ok(())
}
