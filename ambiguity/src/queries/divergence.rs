//! Choice points that make a difference, one by one, and the harmless ones in pairs.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::term::Term;

use super::ways::{differ, ways};
use super::{ChoiceEffect, Collected, ask, gap, id_of_point, place_of, shown};
use crate::case::by_relation;
use crate::effect::has_memory;
use crate::finding::{Finding, FindingKind};
use crate::question::{Case, LANES, Occurrence};
use crate::related;
use crate::stage::Among;

/// The lanes of states in which two ways of reading may give values.
const FEW: [u32; 2] = [1, 2];

/// For each choice point of the case: a state in which two ways of reading it differ.
pub(super) fn divergences(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    for point in points(case).filter(|point| case.wants(&id(case, point))) {
        let state = difference(case, point, case.base)?;
        if let Some(state) = &state {
            report(case, point, case.base, state, found)?;
        }
        found.record(point, ChoiceEffect { matters: state.is_some(), ..ChoiceEffect::NOTHING });
    }
    Ok(())
}

/// What makes no difference alone may make one where another point is read otherwise. For any number of
/// lanes that is asked only where it is `open`.
///
/// # Errors
///
/// Where the clauses have no terms, or the solver does not decide.
pub fn beside(
    case: &Case<'_>,
    point: &ChoicePoint,
    open: bool,
    found: &mut Collected,
) -> Result<(), ModelCheckError> {
    if point.is_consequence() {
        return gap::beside(case, point, others(case, point, case.base), found);
    }
    if !case.wants(&id(case, point)) {
        return Ok(());
    }
    let ask = open && case.staging.is_none();
    let mut any_number = ask && same_at_any_number(case, point, case.base)?;
    let mut matters = false;
    for under in others(case, point, case.base).map(|(.., under)| under) {
        // What is the same for any number of lanes is so for few.
        any_number = any_number && same_at_any_number(case, point, &under)?;
        if any_number {
            continue;
        }
        if let Some(state) = difference(case, point, &under)? {
            matters = true;
            report(case, point, &under, &state, found)?;
        }
    }
    found.record(point, ChoiceEffect { matters, any_number: any_number && !matters });
    Ok(())
}

/// Every other choice point of the case's clauses, read differently than in `base`: the point, the
/// way.
fn others<'c>(
    case: &'c Case<'_>,
    point: &'c ChoicePoint,
    base: &'c Settled,
) -> impl Iterator<Item = (&'c ChoicePoint, &'c str, Settled)> {
    points(case).filter(|other| other.name != point.name).flat_map(move |other| {
        let usual = base.alternative(&other.name);
        let ways = other.alternatives.iter().filter(move |way| Some(*way) != usual);
        ways.map(move |way| (other, &**way, base.clone().with(&other.name, way)))
    })
}

/// No state of any number of lanes shows a difference.
fn same_at_any_number(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
) -> Result<bool, ModelCheckError> {
    case.never(|states, lane| Ok(vec![differ(case, states, &ways(point, base), lane)?]))
}

/// The id of what is found of a point.
fn id(case: &Case<'_>, point: &ChoicePoint) -> String {
    let kind = FindingKind::Divergence;
    match place_of(case, point) {
        Some(clause) => id_of_point(case, kind, point, clause),
        None => Finding::id_of(kind, &point.kind.name, ""),
    }
}

/// Some way says what the lane gets.
fn speaks(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    ways: &[(String, Settled)],
    lane: Term,
) -> Result<Term, DenoteError> {
    let mut covered = Vec::new();
    for (_, way) in ways {
        let outcome = states.outcome_at(&case.meaning(way), lane)?;
        covered.push(states.speaks(&outcome));
    }
    Ok(states.pool().any(covered))
}

/// The choice points of the case's clauses; labels and requirements are gaps.
pub(super) fn points<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c ChoicePoint> {
    all_points(case).filter(|point| !point.is_consequence())
}

/// The same with labels and requirements.
pub fn all_points<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c ChoicePoint> {
    case.open.iter().copied().filter(|point| place_of(case, point).is_some())
}

/// The smallest state in which some alternative differs from the first.
fn difference(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
) -> Result<Option<Occurrence>, ModelCheckError> {
    let ways = ways(point, base);
    if by_relation(case.instruction) {
        let state = case.lane_by_lane(&LANES, |states, lane| {
            Ok(vec![related::differ(case, states, &ways, lane)?])
        })?;
        let Some(mut shown) = state else { return Ok(None) };
        shown.staged = related::staged(case, &ways)?;
        return Ok(Some(shown));
    }
    // Silence is not observable, so a state is preferred in which two ways give values that differ,
    // then one in which some way gives a value.
    let telling = case.lane_by_lane(&FEW, |states, lane| distinguished(case, states, &ways, lane));
    let mut state = match telling {
        // Some other state may be easier to find.
        Err(ModelCheckError::Undecided(_)) => None,
        found => found?,
    };
    if state.is_none() {
        state = case.unstaged(&LANES, |states, lane| {
            Ok(vec![differ(case, states, &ways, lane)?, speaks(case, states, &ways, lane)?])
        })?;
    }
    if state.is_none() {
        state =
            case.unstaged(&LANES, |states, lane| Ok(vec![differ(case, states, &ways, lane)?]))?;
    }
    let Some(mut shown) = state else { return Ok(None) };
    // On a device only values can be distinguished, best where no other reading matters.
    let near = shown.lane;
    shown.staged = case.staged(near, Among::Plain(&ways), &mut |states, lane| {
        let mut terms = distinguished(case, states, &ways, lane)?;
        terms.extend(steady(case, states, point, &ways, lane)?);
        Ok(terms)
    })?;
    let among = match has_memory(case.instance) {
        true => &[Among::Apart(&ways), Among::All][..],
        false => &[Among::All],
    };
    for among in among {
        if shown.staged.is_none() {
            shown.staged = case.staged(near, *among, &mut |states, lane| {
                distinguished(case, states, &ways, lane)
            })?;
        }
    }
    if shown.staged.is_none() {
        shown.staged = case.staged(near, Among::All, &mut |states, lane| {
            let lane = states.lane(lane);
            Ok(vec![differ(case, states, &ways, lane)?])
        })?;
    }
    Ok(Some(shown))
}

/// However any one other point is read, each way gives the lane the same.
fn steady(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    point: &ChoicePoint,
    ways: &[(String, Settled)],
    lane: u32,
) -> Result<Vec<Term>, DenoteError> {
    let mut steady = Vec::new();
    for (_, way) in ways {
        let usual = states.outcome(&case.meaning(way), lane)?;
        for (.., otherwise) in others(case, point, way) {
            let otherwise = states.outcome(&case.meaning(&otherwise), lane)?;
            let differs = states.differ(&usual, &otherwise);
            steady.push(states.pool().not(differs));
        }
    }
    Ok(steady)
}

/// Two ways give a lane values that differ, and none misbehaves anywhere.
fn distinguished(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    ways: &[(String, Settled)],
    lane: u32,
) -> Result<Vec<Term>, DenoteError> {
    let Some((first, others)) = ways.split_first() else { return Ok(Vec::new()) };
    let one = states.outcome(&case.meaning(&first.1), lane)?;
    let mut differences = Vec::new();
    for (_, other) in others {
        let other = states.outcome(&case.meaning(other), lane)?;
        differences.push(states.distinguished(&one, &other));
    }
    let mut terms = vec![states.pool().any(differences)];
    for lane in 0..states.existing() {
        let active = states.active(lane);
        for (_, way) in ways {
            let outcome = states.outcome(&case.meaning(way), lane)?;
            let behaves = states.misbehaves(&outcome);
            let misbehaves = states.pool().and(active, behaves);
            terms.push(states.pool().not(misbehaves));
        }
    }
    Ok(terms)
}

fn report(
    case: &Case<'_>,
    point: &ChoicePoint,
    base: &Settled,
    state: &Occurrence,
    found: &mut Collected,
) -> Result<(), ModelCheckError> {
    let Some(clause) = place_of(case, point) else { return Ok(()) };
    let ways = ways(point, base);
    let mut finding = shown(case, FindingKind::Divergence, id(case, point), state, &ways)?;
    ask(&mut finding, point, clause);
    found.findings.push(finding);
    Ok(())
}
