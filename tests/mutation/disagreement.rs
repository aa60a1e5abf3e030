//! Whether a case shows that clauses and interpreter differ.

use std::collections::BTreeSet;

use laneproof_cross_check::{
    NoOutcome, Observed, Perturbed, agrees_with_memory, evaluated, legal, legal_memory, outcome,
};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::evaluate::LaneResult;

use crate::{Case, Seen};

/// The difference between clauses and interpreter, if there is one. Silent clauses are not compared
/// in the lanes of `unsaid`.
fn disagreement(
    specification: &Specification,
    settled: &Settled,
    case: &Case,
    unsaid: &BTreeSet<usize>,
) -> Option<String> {
    let Case { prepared, subgroup, observed, changed, changed_memory, passed } = case;
    let name = prepared.form.target.name();
    for (passage, passed) in passed {
        let barrier = &specification.instructions[name];
        match passage.clause_order(specification, settled, barrier, prepared) {
            Ok(clause_order) if clause_order == *passed => {}
            other => return Some(format!("across the barrier: {other:?}")),
        }
    }
    let observed = match observed {
        Seen::Lanes(observed) => observed,
        Seen::Memory(left) => {
            let ask = |given| legal_memory(specification, settled, prepared, subgroup, given);
            return agrees_with_memory(specification, settled, prepared, subgroup, left)
                .err()
                .or_else(|| {
                    changed_memory.iter().find_map(|given| misjudged(ask(given), given.legal))
                });
        }
    };
    let given = match observed {
        Observed::Lanes(lanes) => Some(lanes.as_slice()),
        Observed::UndefinedBehavior(_) => Some([].as_slice()),
    };
    let mut lanes = match evaluated(specification, settled, prepared, subgroup, given) {
        Ok(lanes) => lanes,
        Err(DenoteError::Undecided(_)) => return None,
        Err(error) => return Some(error.to_string()),
    };
    let silent: Vec<usize> =
        unsaid.iter().copied().filter(|&lane| is_silent(lanes[lane].as_ref())).collect();
    for lane in silent {
        lanes[lane] = match observed {
            Observed::Lanes(observed) => observed[lane].clone().map(LaneResult::Value),
            Observed::UndefinedBehavior(_) => None,
        };
    }
    match (outcome(&lanes), observed) {
        (Ok(Observed::UndefinedBehavior(_)), Observed::UndefinedBehavior(_)) => {}
        (Ok(found), observed) if found == *observed => {}
        (found, observed) => return Some(differing(found, observed)),
    }
    // What has no consequence is neither legal nor illegal.
    let judged = if unsaid.is_empty() { changed.as_slice() } else { &[] };
    judged.iter().find_map(|Perturbed { lanes, legal: expected }| {
        misjudged(legal(specification, settled, prepared, subgroup, lanes), *expected)
    })
}

fn differing(found: Result<Observed, NoOutcome>, observed: &Observed) -> String {
    match found {
        Ok(found) => format!("the clauses give {found:x?}, the interpreter {observed:x?}"),
        Err(reason) => reason.to_string(),
    }
}

/// What is wrong with a judgement about a changed result; what is undecided is not.
fn misjudged(found: Result<Option<bool>, String>, expected: bool) -> Option<String> {
    match found {
        Ok(Some(found)) if found != expected => Some(format!("legal: {found}, not {expected}")),
        Ok(_) => None,
        Err(reason) => Some(reason),
    }
}

fn is_silent(lane: Option<&LaneResult>) -> bool {
    matches!(lane, Some(LaneResult::Silence(_)))
}

/// The lanes of a case for which the clauses are silent; `None` with memory, which is unknown after
/// a silent lane.
fn silent_lanes(
    specification: &Specification,
    settled: &Settled,
    case: &Case,
) -> Option<BTreeSet<usize>> {
    let Case { prepared, subgroup, observed: Seen::Lanes(_), .. } = case else { return None };
    let lanes = evaluated(specification, settled, prepared, subgroup, None).ok()?;
    let all = lanes.iter().enumerate();
    Some(all.filter(|(_, lane)| is_silent(lane.as_ref())).map(|(at, _)| at).collect())
}

/// Whether a case shows a mistake: clauses and interpreter differ, and without it they do not. Where
/// the text is silent, the mistake does not count.
///
/// # Errors
///
/// Where they differ without it.
pub fn shows(
    [original, mutated]: [&Specification; 2],
    settled: &Settled,
    case: &Case,
) -> Result<bool, String> {
    let all_say = BTreeSet::new();
    if disagreement(mutated, settled, case, &all_say).is_none() {
        return Ok(false);
    }
    match disagreement(original, settled, case, &all_say) {
        None => Ok(true),
        Some(reason) if reason.starts_with("silence") => {
            let Some(unsaid) = silent_lanes(original, settled, case) else { return Ok(false) };
            match disagreement(original, settled, case, &unsaid) {
                None => Ok(disagreement(mutated, settled, case, &unsaid).is_some()),
                Some(reason) => Err(reason),
            }
        }
        Some(reason) => Err(reason),
    }
}
