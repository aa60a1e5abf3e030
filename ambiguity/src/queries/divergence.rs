//! Choice points that make a difference, one by one, and the harmless ones in pairs.

use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::term::Term;
use laneproof_smt::model_check::ModelCheckError;
use laneproof_smt::states::States;

use super::{Asked, Found, ask, place_of, shown};
use crate::case::by_relation;
use crate::finding::{Finding, FindingKind};
use crate::related;
use crate::search::{Case, LANES, Shown};

/// For each choice point of the case: a state in which two ways of reading it differ.
pub(super) fn divergences(case: &Case<'_>, found: &mut Found) -> Result<(), ModelCheckError> {
    let points: Vec<&ChoicePoint> = points(case).collect();
    let base = case.base.clone();
    for point in points.iter().filter(|point| case.wants(&id(case, point))) {
        let asked = match difference(case, point, &base)? {
            Some(state) => {
                report(case, point, &base, &state, found)?;
                Asked { matters: true, any_number: false }
            }
            None => beside_others(case, point, &points, found)?,
        };
        found.asked(point, asked);
    }
    Ok(())
}

/// What makes no difference alone may make one where another point is read otherwise.
fn beside_others(
    case: &Case<'_>,
    point: &ChoicePoint,
    points: &[&ChoicePoint],
    found: &mut Found,
) -> Result<Asked, ModelCheckError> {
    let mut bases = vec![case.base.clone()];
    for other in points.iter().filter(|other| other.name != point.name) {
        let alternatives = other.alternatives.iter().skip(1);
        bases.extend(alternatives.map(|it| case.base.clone().with(&other.name, it)));
    }
    let mut matters = false;
    for under in &bases[1..] {
        if let Some(state) = difference(case, point, under)? {
            matters = true;
            report(case, point, under, &state, found)?;
        }
    }
    let mut any_number = !matters && case.staging.is_none();
    for under in &bases {
        any_number = any_number && same_at_any_number(case, point, under)?;
    }
    Ok(Asked { matters, any_number })
}

/// No state of any number of lanes shows a difference.
fn same_at_any_number(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
) -> Result<bool, ModelCheckError> {
    case.never(|states, lane| differ(case, states, &ways(point, base), lane))
}

/// The id of what is found of a point.
fn id(case: &Case<'_>, point: &ChoicePoint) -> String {
    let document = place_of(case, point).map_or("", |clause| &clause.document);
    Finding::id_of(FindingKind::Divergence, &point.kind.name, document)
}

/// Some way gives a lane something else than the first.
fn differ(
    case: &Case<'_>,
    states: &mut States<'_>,
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
    let related = by_relation(case.instruction);
    let mut differs = |states: &mut States<'_>, lane: u32| match related {
        true => Ok(vec![related::differ(case, states, &ways, lane)?]),
        false => {
            let lane = states.lane(lane);
            Ok(vec![differ(case, states, &ways, lane)?])
        }
    };
    let Some(mut shown) = case.unstaged(&LANES, &mut differs)? else { return Ok(None) };
    shown.staged = match related {
        true => related::staged(case, &ways)?,
        // On a machine only values can be told apart.
        false => match case
            .staged(shown.lane, &mut |states, lane| told_apart(case, states, &ways, lane))?
        {
            Some(staged) => Some(staged),
            None => case.staged(shown.lane, &mut differs)?,
        },
    };
    Ok(Some(shown))
}

/// Two ways give a lane values that differ, and none misbehaves anywhere.
fn told_apart(
    case: &Case<'_>,
    states: &mut States<'_>,
    ways: &[(String, Settled)],
    lane: u32,
) -> Result<Vec<Term>, DenoteError> {
    let Some((first, others)) = ways.split_first() else { return Ok(Vec::new()) };
    let one = states.outcome(&case.meaning(&first.1), lane)?;
    let mut differences = Vec::new();
    for (_, other) in others {
        let other = states.outcome(&case.meaning(other), lane)?;
        differences.push(states.told_apart(&one, &other));
    }
    let mut asked = vec![states.pool().any(differences)];
    for lane in 0..states.existing() {
        let active = states.active(lane);
        for (_, way) in ways {
            let outcome = states.outcome(&case.meaning(way), lane)?;
            let behaves = states.misbehaves(&outcome);
            let misbehaves = states.pool().and(active, behaves);
            asked.push(states.pool().not(misbehaves));
        }
    }
    Ok(asked)
}

fn report(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
    state: &Shown,
    found: &mut Found,
) -> Result<(), ModelCheckError> {
    let Some(clause) = place_of(case, point) else { return Ok(()) };
    let ways = ways(point, base);
    let mut finding = shown(case, FindingKind::Divergence, id(case, point), state, &ways)?;
    ask(&mut finding, point, clause);
    found.findings.push(finding);
    Ok(())
}
