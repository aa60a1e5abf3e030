//! Results of lanes that sentences relate to each other, so that several are right.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_queries::states::InstructionStates;
use laneproof_semantics::denote::{DenoteError, Settled, State};
use laneproof_semantics::evaluate::Subgroup;
use laneproof_semantics::term::Term;
use laneproof_solve::SolverLimit;

use crate::case::constants;
use crate::question::Case;
use crate::staged::Staged;

/// How much the solver may do for one state.
const LIMIT: SolverLimit = SolverLimit::Work(15_000_000);
/// Lanes of the state that is repeated until a subgroup is full.
const PATTERN: u32 = 2;

/// The results of all lanes together are such as one way asks, and that of this lane is not such
/// as another one asks; or the lane has another consequence than a result.
pub fn differ(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    ways: &[(String, Settled)],
    lane: u32,
) -> Result<Term, DenoteError> {
    let mut differences = Vec::new();
    for [one, other] in pairs(ways) {
        differences.push(legal_to_one(case, states, [one, other], lane)?);
        let [one, other] = [
            states.outcome(&case.meaning(one), lane)?,
            states.outcome(&case.meaning(other), lane)?,
        ];
        differences.push(states.consequences_differ(&one, &other));
    }
    Ok(states.pool().any(differences))
}

fn pairs(ways: &[(String, Settled)]) -> impl Iterator<Item = [&Settled; 2]> {
    let others = |one: usize| ways.iter().enumerate().filter(move |(other, _)| *other != one);
    ways.iter()
        .enumerate()
        .flat_map(move |(at, (_, one))| others(at).map(move |(_, (_, other))| [one, other]))
}

/// The results are legal to the first way, and this lane's is not to the second.
fn legal_to_one(
    case: &Case<'_>,
    states: &mut InstructionStates<'_>,
    [one, other]: [&Settled; 2],
    lane: u32,
) -> Result<Term, DenoteError> {
    let mut all = Vec::new();
    for each in 0..states.existing() {
        let such_that = states.outcome(&case.meaning(one), each)?.such_that;
        let active = states.active(each);
        let such = states.pool().all(such_that);
        all.push(states.pool().implies(active, such));
    }
    // No relation is asked of a lane without a value.
    let own = states.outcome(&case.meaning(one), lane)?;
    all.push(states.is_a_value(&own));
    let outcome = states.outcome(&case.meaning(other), lane)?;
    all.push(states.is_a_value(&outcome));
    let such = states.pool().all(outcome.such_that);
    all.push(states.pool().not(such));
    Ok(states.pool().all(all))
}

/// A full subgroup in which each way has results that are right and the ways differ: a state of
/// few lanes, again and again.
///
/// # Errors
///
/// Where the clauses have no terms, or the solver does not decide.
pub fn staged(
    case: &Case<'_>,
    ways: &[(String, Settled)],
) -> Result<Option<Staged>, ModelCheckError> {
    let Some(lanes) = case.staging.map(|staging| staging.lanes) else { return Ok(None) };
    let constants = constants(case.instruction);
    for directed in pairs(ways) {
        for lane in 0..PATTERN {
            let mut states = InstructionStates::new(case.instance, PATTERN);
            let existing = states.size(State::ExistingLanes);
            let max_size = states.size(State::SubgroupMaxSize);
            let asked = [
                legal_to_one(case, &mut states, directed, lane)?,
                states.all_active(),
                states.defined(),
                states.pool().equal(existing, max_size),
            ];
            let Some(found) = states.smallest(&constants, &asked, LIMIT)? else { continue };
            let mut all_right = true;
            for (_, way) in ways {
                let mut states = InstructionStates::new(case.instance, PATTERN);
                let results = states.determined(&case.meaning(way), &found.subgroup, LIMIT)?;
                all_right = all_right && results.is_some();
            }
            if all_right {
                let subgroup = repeated(&found.subgroup, lanes);
                return Ok(Some(Staged { subgroup, lane, rank: 0 }));
            }
        }
    }
    Ok(None)
}

/// A full subgroup of this number of lanes that repeats the lanes of a small one.
fn repeated(small: &Subgroup, lanes: u32) -> Subgroup {
    let operands = small.operands.iter().map(|held| {
        let again = held.iter().cycle().take(if held.is_empty() { 0 } else { lanes as usize });
        again.cloned().collect()
    });
    Subgroup {
        existing: lanes,
        size: lanes,
        max_size: lanes,
        active: u128::MAX >> (128 - lanes),
        operands: operands.collect(),
        ..small.clone()
    }
}
