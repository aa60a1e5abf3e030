//! Relations between results: whether some results meet them, and whether only one does.

use std::collections::HashMap;

use laneproof_queries::model_check::ModelCheckError;
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::Type;
use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::evaluate::{self, LaneResult, Subgroup};
use laneproof_semantics::language::ast::OperandType;
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use super::divergence::points;
use super::{Collected, shown};
use crate::case::by_relation;
use crate::effect::carried_out;
use crate::finding::{Finding, FindingKind};
use crate::question::{Case, Occurrence};

/// The results of the existing lanes, leaf by leaf.
type Results = Vec<Option<Vec<evaluate::Bits>>>;

/// The existing lanes in states without a legal result: all results of so few lanes can be
/// enumerated.
const LISTED: u32 = 2;

/// Which bits of a ballot are left open.
#[derive(Clone, Copy)]
enum Bits {
    /// Those of lanes that execute the instruction.
    Active,
    /// Those of lanes that exist and do not.
    Inactive,
    /// Those of no lane.
    NoLane,
}

impl Bits {
    const ALL: [Self; 3] = [Self::Active, Self::Inactive, Self::NoLane];

    const fn cause(self) -> &'static str {
        match self {
            Self::Active => "several-results",
            Self::Inactive => "bits-of-inactive-lanes",
            Self::NoLane => "bits-of-no-lane",
        }
    }

    const fn summary(self) -> &'static str {
        match self {
            Self::Active => {
                "The sentences do not determine the result: several results meet all of them, and \
                 differ in which active invocations stand together."
            }
            Self::Inactive => {
                "The sentences do not determine the result: the bits for invocations that exist \
                 and do not execute the instruction may be anything."
            }
            Self::NoLane => {
                "The sentences do not determine the result: bits that stand for no invocation, and \
                 components past the last one, may be anything."
            }
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::Active => "Which of these results it is, or that any of them may be returned.",
            Self::Inactive => "Bits for invocations that are not active are zero, or undefined.",
            Self::NoLane => "Bits that stand for no invocation are zero, or undefined.",
        }
    }
}

/// Queries about instructions whose results sentences relate to each other.
pub(super) fn relations(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let is_ballot = case.instruction.result == Some(OperandType::Ballot);
    if !by_relation(case.instruction) || !is_ballot || case.staging.is_some() {
        return Ok(());
    }
    determined(case, found)?;
    met(case, found)
}

/// The results of all lanes are such as the sentences ask.
pub(super) fn legal(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    settled: &Settled,
) -> Result<Term, DenoteError> {
    let mut all = Vec::new();
    for lane in 0..states.existing() {
        let such_that = states.outcome(&case.meaning(settled), lane)?.such_that;
        let active = states.active(lane);
        let such = states.pool().all(such_that);
        all.push(states.pool().implies(active, such));
    }
    Ok(states.pool().all(all))
}

/// Several results are right.
fn determined(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    for bits in Bits::ALL {
        let base = [(String::new(), String::new(), case.base.clone())];
        let otherwise = readings(case).filter(|_| matches!(bits, Bits::Active));
        for (way, question, settled) in base.into_iter().chain(otherwise) {
            let Some(mut finding) = several(case, bits, &settled)? else { continue };
            if !question.is_empty() {
                finding.summary = format!("{} {}", bits.summary(), answered(&way, &question));
            }
            found.findings.push(finding);
            break;
        }
    }
    Ok(())
}

/// A state in which the sentences, read so, are met by results that differ in these bits. Which lanes
/// stand together is open only if it is so however any other point is read.
fn several(
    case: &Case<'_>,
    bits: Bits,
    settled: &Settled,
) -> Result<Option<Finding>, ModelCheckError> {
    let kind = FindingKind::Gap;
    let id = Finding::id_of(kind, bits.cause(), &case.instruction.document);
    let together = matches!(bits, Bits::Active);
    let state = case.lane_by_lane(&[1, 2], |states, lane| {
        let mut all = vec![legal(case, states, settled)?];
        for (.., other) in readings(case).filter(|_| together) {
            let beside = beside(case, settled, &other);
            all.push(legal(case, states, &beside)?);
        }
        let own = states.pool().all(all);
        let mut others: HashMap<(usize, u32), Term> = HashMap::new();
        let other = states.about_other_results(own, &mut |pool, leaf, lane, sort| {
            *others.entry((leaf, lane)).or_insert_with(|| pool.fresh("another result", sort))
        });
        let differs = differs(states, bits, lane, &others);
        let mut asked = vec![own, other, differs];
        if together {
            asked.extend(nothing_else(states, &others));
        }
        Ok(asked)
    })?;
    let Some(state) = state else { return Ok(None) };
    let ways = |name: &str| [(name.to_owned(), settled.clone())];
    let mut finding = shown(case, kind, id.clone(), &state, &ways("one result"))?;
    // One legal result alone shows nothing, so another legal one is given beside it.
    if let Some(other) = another(case, bits, settled, &state)? {
        let other = Occurrence { results: Some(other), staged: None, ..state };
        let other = shown(case, kind, id, &other, &ways("another result"))?;
        finding.readings.extend(other.readings);
    }
    finding.clauses.extend(related(case));
    finding.summary = bits.summary().to_owned();
    finding.remedy = bits.remedy().to_owned();
    Ok(Some(finding))
}

/// Each point of the case read otherwise: the way, the question, and how all is read then.
fn readings<'c>(case: &'c Case<'_>) -> impl Iterator<Item = (String, String, Settled)> + 'c {
    points(case).flat_map(|point| {
        let usual = case.base.alternative(&point.name);
        let ways = point.alternatives.iter().filter(move |way| Some(*way) != usual);
        ways.map(|way| {
            let question = point.kind.question.to_string();
            (way.to_string(), question, case.base.clone().with(&point.name, way))
        })
    })
}

/// Read as `settled`, but for the point that `other` reads otherwise, unless `settled` does.
fn beside(case: &Case<'_>, settled: &Settled, other: &Settled) -> Settled {
    let usual = |point: &&ChoicePoint, read: &Settled| {
        read.alternative(&point.name) == case.base.alternative(&point.name)
    };
    let apart = points(case).filter(|point| usual(point, settled) && !usual(point, other));
    apart.fold(settled.clone(), |read, point| match other.alternative(&point.name) {
        Some(way) => read.with(&point.name, way),
        None => read,
    })
}

/// Of results only the bits of active lanes may be set.
fn nothing_else(
    states: &mut InstructionStates<'_>,
    others: &HashMap<(usize, u32), Term>,
) -> Vec<Term> {
    let active: Vec<Term> = (0..states.existing()).map(|lane| states.active(lane)).collect();
    let mut clear = Vec::new();
    for leaf in states.open_leaves() {
        for lane in 0..states.existing() {
            let own = states.open_result(leaf, lane);
            let both = own.into_iter().chain(others.get(&(leaf, lane)).copied());
            for result in both.collect::<Vec<_>>() {
                for bit in 0..32_u32 {
                    let pool = states.pool();
                    let one = pool.extract(result, bit, bit);
                    let set = pool.bits(1, 1);
                    let set = pool.equal(one, set);
                    let of_lane = (leaf == 0).then(|| active.get(bit as usize).copied()).flatten();
                    let may = of_lane.unwrap_or_else(|| pool.bool(false));
                    clear.push(pool.implies(set, may));
                }
            }
        }
    }
    clear
}

/// A bit that no lane has, where so few exist as are listed.
const OF_NO_LANE: u32 = 31;

/// Other results of all lanes that meet the sentences, too, and that differ from the state's in
/// these bits alone, in the state's lane. Of the bits of no lane one is tried.
fn another(
    case: &Case<'_>,
    bits: Bits,
    settled: &Settled,
    state: &Occurrence,
) -> Result<Option<Results>, ModelCheckError> {
    let Some(own) = &state.results else { return Ok(None) };
    let existing = state.subgroup.existing;
    let active = state.subgroup.active as u64 & ((1 << existing) - 1);
    let wanted = match bits {
        Bits::Active => active,
        Bits::Inactive => !active & ((1 << existing) - 1),
        Bits::NoLane => 1 << OF_NO_LANE,
    };
    let own_turned = combinations(wanted);
    // Elsewhere a bit of no lane, too: sentences may compare whole ballots with each other.
    let other_turned = match bits {
        Bits::Active => combinations(wanted),
        _ => combinations(wanted | 1 << OF_NO_LANE),
    };
    let turned = |lane: u32| if lane == state.lane { &own_turned } else { &other_turned };
    let choices: usize = (0..existing).map(|lane| turned(lane).len()).product();
    for mut choice in 1..choices {
        let mut other = own.clone();
        for (lane, leaves) in (0..existing).zip(&mut other) {
            let turned = turned(lane);
            if let Some(Some(first)) = leaves.as_mut().and_then(|it| it.first_mut()) {
                *first ^= turned[choice % turned.len()];
            }
            choice /= turned.len();
        }
        let own_differs = other.get(state.lane as usize) != own.get(state.lane as usize);
        if own_differs && is_legal(case, settled, &state.subgroup, &other)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Every combination of these bits, none of them first.
fn combinations(bits: u64) -> Vec<u64> {
    (0..u64::BITS).filter(|bit| bits >> bit & 1 == 1).fold(vec![0], |known, bit| {
        let with: Vec<u64> = known.iter().map(|other| other | 1 << bit).collect();
        [known, with].concat()
    })
}

/// Whether the same results are right in both states under each way of reading. Where more lanes exist
/// than are listed, this is taken to be so.
pub(super) fn alike(
    case: &Case<'_>,
    ways: &[(String, Settled)],
    states: [&Subgroup; 2],
) -> Result<bool, DenoteError> {
    let existing = states[0].existing;
    let leaves = case.instance.result.as_ref().map_or(0, Type::leaf_count);
    if existing > LISTED {
        return Ok(true);
    }
    for ballots in 0..1_u64 << (existing * existing) {
        let ballot = |lane: u32| ballots >> (lane * existing) & ((1 << existing) - 1);
        let of_lane = |lane| {
            Some((0..leaves).map(|leaf| Some(if leaf == 0 { ballot(lane) } else { 0 })).collect())
        };
        let results: Results = (0..existing).map(of_lane).collect();
        for (_, settled) in ways {
            let [one, other] = states.map(|state| is_legal(case, settled, state, &results));
            if one? != other? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// What sentences ask of the results of all lanes is so.
fn is_legal(
    case: &Case<'_>,
    settled: &Settled,
    subgroup: &Subgroup,
    results: &Results,
) -> Result<bool, DenoteError> {
    let texts = &case.texts.specification;
    let (instruction, instance) = (case.instruction, case.instance);
    let done = carried_out(texts, settled, instruction, instance, subgroup, Some(results))?;
    let legal = |lane: &LaneResult| matches!(lane, LaneResult::Value(_));
    Ok(done.lanes.iter().flatten().all(legal))
}

/// Two results of a lane differ in these bits, and in no others.
fn differs(
    states: &mut InstructionStates<'_>,
    bits: Bits,
    lane: u32,
    others: &HashMap<(usize, u32), Term>,
) -> Term {
    let existing = states.existing();
    let active: Vec<Term> = (0..existing).map(|lane| states.active(lane)).collect();
    let mut differences = Vec::new();
    let mut same = Vec::new();
    for leaf in states.open_leaves() {
        let (Some(own), Some(&other)) = (states.open_result(leaf, lane), others.get(&(leaf, lane)))
        else {
            continue;
        };
        let pool = states.pool();
        let apart = pool.binary(Binary::Xor, own, other);
        for bit in 0..32_u32 {
            let one = pool.extract(apart, bit, bit);
            let set = pool.bits(1, 1);
            let differs = pool.equal(one, set);
            let of_lane = (leaf == 0).then(|| active.get(bit as usize).copied()).flatten();
            let wanted = match (bits, of_lane) {
                (Bits::Active, Some(active)) => active,
                (Bits::Inactive, Some(active)) => pool.not(active),
                (Bits::NoLane, None) => pool.bool(true),
                _ => pool.bool(false),
            };
            differences.push(pool.and(differs, wanted));
            let unwanted = pool.not(wanted);
            let unwanted = pool.and(differs, unwanted);
            same.push(pool.not(unwanted));
        }
    }
    let pool = states.pool();
    let differs = pool.any(differences);
    same.push(differs);
    pool.all(same)
}

/// No result is right, under some way of reading.
fn met(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let kind = FindingKind::Overlap;
    let id = Finding::id_of(kind, "no-result", &case.instruction.document);
    let usual = [("as first read".to_owned(), String::new(), case.base.clone())];
    let others = points(case).flat_map(|point| {
        point.alternatives.iter().map(|way| {
            let question = point.kind.question.to_string();
            (way.to_string(), question, case.base.clone().with(&point.name, way))
        })
    });
    for (way, question, settled) in usual.into_iter().chain(others) {
        let state = case.lane_by_lane(&[LISTED], |states, _| {
            let legal = legal(case, states, &settled)?;
            let mut asked = Vec::new();
            for ballots in 0..1_u128 << (LISTED * LISTED) {
                let listed = states.about_other_results(legal, &mut |pool, leaf, lane, sort| {
                    ballot(pool, sort, if leaf == 0 { ballots >> (lane * LISTED) & 3 } else { 0 })
                });
                asked.push(states.pool().not(listed));
            }
            asked.push(states.all_active());
            // What no reading gives a result is found by the first.
            if !question.is_empty() {
                asked.push(self::legal(case, states, case.base)?);
            }
            Ok(asked)
        })?;
        let Some(state) = state else { continue };
        let usual = question.is_empty();
        let id = if usual { id.clone() } else { format!("{id}/{way}") };
        // What has a result when it is read otherwise is a matter of reading.
        let (way, question) = match usual {
            true => otherwise(case, &state)?.unwrap_or((way, question)),
            false => (way, question),
        };
        let answer = way.clone();
        let ways = [(way, settled)];
        let mut finding = shown(case, kind, id, &state, &ways)?;
        finding.clauses.extend(related(case));
        finding.summary = match question.is_empty() {
            true => NO_RESULT.to_owned(),
            false => format!("{NO_RESULT} {}", self::answered(&answer, &question)),
        };
        finding.remedy =
            "Conditions that some result meets in every state, by one notion of equality."
                .to_owned();
        found.findings.push(finding);
    }
    Ok(())
}

const NO_RESULT: &str = "No result meets all the sentences about it in this state.";

/// Under which answer to the question that is so.
fn answered(way: &str, question: &str) -> String {
    let way = way.replace('-', " ");
    format!("That is so by one answer to another question, \u{201c}{way}\u{201d}: {question}")
}

/// A choice point that, read otherwise, leaves a result in a state that has none: how it is read
/// there, and its question.
fn otherwise(
    case: &Case<'_>,
    state: &Occurrence,
) -> Result<Option<(String, String)>, ModelCheckError> {
    let Some(own) = &state.results else { return Ok(None) };
    for point in points(case) {
        let Some(read) = case.base.alternative(&point.name) else { continue };
        for way in point.alternatives.iter().filter(|way| *way != read) {
            let settled = case.base.clone().with(&point.name, way);
            for ballots in 0..1_u64 << (LISTED * LISTED) {
                let mut results = own.clone();
                for (lane, leaves) in (0..LISTED).zip(&mut results) {
                    for (leaf, bits) in leaves.iter_mut().flatten().enumerate() {
                        *bits = Some(if leaf == 0 { ballots >> (lane * LISTED) & 3 } else { 0 });
                    }
                }
                if is_legal(case, &settled, &state.subgroup, &results)? {
                    return Ok(Some((read.to_string(), point.kind.question.to_string())));
                }
            }
        }
    }
    Ok(None)
}

fn ballot(pool: &mut Pool, sort: Sort, bits: u128) -> Term {
    match sort {
        Sort::Bits(width) => pool.bits(bits, width),
        Sort::Bool | Sort::Tag => pool.bool(bits & 1 == 1),
    }
}

/// The clauses that relate results.
fn related(case: &Case<'_>) -> Vec<String> {
    use laneproof_semantics::language::ast::Statement;
    let relates =
        |(statement, _): &(Statement, _)| matches!(statement, Statement::ResultsSuchThat(_));
    let clauses = case.instruction.clauses.iter();
    clauses.filter(|it| it.statements.iter().any(relates)).map(|it| it.id.to_string()).collect()
}
