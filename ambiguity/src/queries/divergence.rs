//! Choice points that make a difference, one by one, and the harmless ones in pairs.

use std::sync::Arc;

use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::term::Term;
use laneproof_smt::model_check::ModelCheckError;
use laneproof_smt::states::States;

use super::{Found, place_of, shown};
use crate::finding::FindingKind;
use crate::search::{Case, Shown};

/// For each choice point of the case: a state in which two ways of reading it differ.
pub(super) fn divergences(case: &Case<'_>, found: &mut Found) -> Result<(), ModelCheckError> {
    let points: Vec<&ChoicePoint> = points(case).collect();
    let base = case.base.clone();
    let mut quiet = Vec::new();
    for point in &points {
        let entry = found.asked.entry(Arc::clone(&point.name)).or_default();
        entry.0 += 1;
        match difference(case, point, &base)? {
            Some(state) => {
                entry.1 = true;
                report(case, point, &base, &state, found)?;
            }
            None => quiet.push(*point),
        }
    }
    // What makes no difference alone may make one where another is read otherwise.
    for point in quiet {
        for other in points.iter().filter(|other| other.name != point.name) {
            for alternative in other.alternatives.iter().skip(1) {
                let under = base.clone().with(&other.name, alternative);
                if let Some(state) = difference(case, point, &under)? {
                    found.asked.entry(Arc::clone(&point.name)).or_default().1 = true;
                    report(case, point, &under, &state, found)?;
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The choice points of the case's clauses; labels and requirements are gaps.
fn points<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c ChoicePoint> {
    case.open
        .iter()
        .copied()
        .filter(|point| !point.is_consequence() && place_of(case, point).is_some())
}

fn ways(point: &ChoicePoint, base: &Settled) -> Vec<(String, Settled)> {
    let alternatives = point.alternatives.iter();
    alternatives.map(|way| (way.to_string(), base.clone().with(&point.name, way))).collect()
}

/// The smallest state in which some alternative differs from the first.
fn difference(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
) -> Result<Option<Shown>, ModelCheckError> {
    let ways = ways(point, base);
    let Some((first, others)) = ways.split_first() else { return Ok(None) };
    let shown = case.smallest(|states, lane| {
        let one = states.outcome(&case.meaning(&first.1), lane)?;
        if !one.such_that.is_empty() {
            return Ok(vec![results_differ(case, states, &ways, lane)?]);
        }
        let mut differences = Vec::new();
        for (_, other) in others {
            let other = states.outcome(&case.meaning(other), lane)?;
            differences.push(states.differ(&one, &other));
        }
        Ok(vec![states.pool().any(differences)])
    })?;
    let Some(mut shown) = shown else { return Ok(None) };
    if shown.results.is_some() {
        return Ok(Some(shown));
    }
    // On a machine only values can be told apart.
    let telling = case.staged(shown.lane, &mut |states, lane| {
        let one = states.outcome(&case.meaning(&first.1), lane)?;
        let mut differences = Vec::new();
        for (_, other) in others {
            let other = states.outcome(&case.meaning(other), lane)?;
            differences.push(states.told_apart(&one, &other));
        }
        let mut asked = vec![states.pool().any(differences)];
        for lane in 0..states.existing() {
            let active = states.active(lane);
            for (_, way) in &ways {
                let outcome = states.outcome(&case.meaning(way), lane)?;
                let behaves = states.misbehaves(&outcome);
                let misbehaves = states.pool().and(active, behaves);
                asked.push(states.pool().not(misbehaves));
            }
        }
        Ok(asked)
    })?;
    shown.staged = telling.or(shown.staged);
    Ok(Some(shown))
}

/// The results of all lanes together are such as one way asks, and that of this lane is not such
/// as another one asks.
fn results_differ(
    case: &Case<'_>,
    states: &mut States<'_>,
    ways: &[(String, Settled)],
    lane: u32,
) -> Result<Term, DenoteError> {
    let (mut legal, mut illegal) = (Vec::new(), Vec::new());
    for (_, way) in ways {
        let mut all = Vec::new();
        for other in 0..states.existing() {
            let outcome = states.outcome(&case.meaning(way), other)?;
            let active = states.active(other);
            let such = states.pool().all(outcome.such_that);
            all.push(states.pool().implies(active, such));
            if other == lane {
                illegal.push(states.pool().not(such));
            }
        }
        legal.push(states.pool().all(all));
    }
    let mut differences = Vec::new();
    for (one, &legal) in legal.iter().enumerate() {
        for (_, &illegal) in illegal.iter().enumerate().filter(|(other, _)| *other != one) {
            differences.push(states.pool().and(legal, illegal));
        }
    }
    Ok(states.pool().any(differences))
}

fn report(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
    state: &Shown,
    found: &mut Found,
) -> Result<(), ModelCheckError> {
    let Some(clause) = place_of(case, point) else { return Ok(()) };
    let document = &*clause.document;
    let ways = ways(point, base);
    let mut finding =
        shown(case, FindingKind::Divergence, &point.kind.name, document, state, &ways)?;
    finding.clauses.insert(clause.id.to_string());
    finding.summary = format!("{} ({})", point.kind.question, point.term);
    found.findings.push(finding);
    Ok(())
}
