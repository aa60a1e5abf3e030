//! Refinement by its definition: all states, all choices, nothing clever.

use laneproof_smt::Verdict;

use super::outcomes::{Outcome, Seen, outcomes, widths};
use super::pair::Pair;
use super::states::{State, every_state};

/// How much is listed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States of a pair: to have more is an error of whoever wrote it.
    pub states: u64,
    /// Runs of one function in one state.
    pub runs: u64,
    /// Runs of a pair.
    pub runs_of_pair: u64,
}

/// What the judge says of a pair.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Where refuted, the state.
    pub state: Option<State>,
    /// How many states the source does not exclude.
    pub counted: u64,
}

/// What the judge says of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The source may misbehave: everything is allowed.
    Excluded,
    Refines,
    Refutes,
    /// There are more choices than can be walked.
    TooMany,
}

/// Judges a pair in every state; `None` where there are more choices than can be walked.
pub fn judge(pair: &Pair, limits: Limits) -> Option<Judgement> {
    let mut counted = 0;
    let mut found = None;
    let mut undecided = false;
    every_state(pair, limits.states, |state| match rule(pair, state, limits.runs) {
        Ruling::Refutes => {
            counted += 1;
            found = Some(state.clone());
            true
        }
        Ruling::TooMany => {
            undecided = true;
            true
        }
        _ if pair.runs.get() > limits.runs_of_pair => {
            undecided = true;
            true
        }
        Ruling::Excluded => false,
        Ruling::Refines => {
            counted += 1;
            false
        }
    });
    let verdict = match (&found, counted) {
        (Some(_), _) => Verdict::Refuted,
        (None, 0) => Verdict::Vacuous,
        (None, _) => Verdict::Proved,
    };
    (!undecided).then_some(Judgement { verdict, state: found, counted })
}

/// Judges a pair in one state.
pub fn rule(pair: &Pair, state: &State, runs: u64) -> Ruling {
    let Some(source) = outcomes(pair, pair.source(), state, runs) else { return Ruling::TooMany };
    let Some(function) = pair.target() else {
        return rule_property(source.iter());
    };
    let mut expected = Vec::with_capacity(source.len());
    for outcome in &source {
        match outcome {
            Outcome::Returned(seen) => expected.push(seen),
            _ => return Ruling::Excluded,
        }
    }
    let Some(target) = outcomes(pair, function, state, runs) else { return Ruling::TooMany };
    let lane = widths(pair, function);
    let widths: Vec<u32> = state.active_lanes().flat_map(|_| lane.iter().copied()).collect();
    let explained = |outcome: &Outcome| match outcome {
        Outcome::Returned(seen) => {
            let fitting = narrow_by_defined(&expected, seen);
            every_value_explained(&fitting, seen, &widths, 0)
        }
        _ => false,
    };
    if target.iter().all(explained) { Ruling::Refines } else { Ruling::Refutes }
}

/// A property fails where some choice does not give true in every lane. Its assumptions
/// exclude; undefined behavior of its own does not.
fn rule_property<'a>(mut outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Ruling {
    if outcomes.clone().any(|it| matches!(it, Outcome::AssumptionFailed | Outcome::ForEver)) {
        return Ruling::Excluded;
    }
    let holds = |outcome: &Outcome| match outcome {
        Outcome::Returned(seen) => seen.iter().all(|leaf| *leaf == Some(Some(1))),
        _ => false,
    };
    if outcomes.all(holds) { Ruling::Refines } else { Ruling::Refutes }
}

/// The runs of the source that agree with all that the target defines.
fn narrow_by_defined<'a>(expected: &[&'a Seen], found: &Seen) -> Vec<&'a Seen> {
    let agrees = |run: &&&Seen| {
        run.iter().zip(found).all(|(expected, found)| match (expected, found) {
            (None, None) | (Some(None), Some(_)) => true,
            (Some(_), Some(None)) => true, // looked at value by value
            (Some(expected), Some(found)) => expected == found,
            _ => false,
        })
    };
    expected.iter().filter(agrees).copied().collect()
}

/// Every value that an observer may see of the target's undefined scalars from `position` on
/// is, jointly, what some run of the source gives.
fn every_value_explained(runs: &[&Seen], found: &Seen, widths: &[u32], position: usize) -> bool {
    if runs.is_empty() {
        return false;
    }
    let undefined = |place: &usize| found[*place] == Some(None);
    let Some(place) = (position..found.len()).find(undefined) else { return true };
    // Values that no run names are all alike: one of them stands for the others.
    let mut values: Vec<u64> = runs.iter().filter_map(|run| run[place].flatten()).collect();
    values.sort_unstable();
    values.dedup();
    let unnamed = widths[place] >= 64 || (values.len() as u64) < 1u64 << widths[place];
    let candidates = values.into_iter().map(Some).chain(unnamed.then_some(None));
    for value in candidates {
        let fits = |run: &&&Seen| match run[place] {
            Some(None) => true,
            Some(expected) => expected == value && value.is_some(),
            None => false,
        };
        let fitting: Vec<&Seen> = runs.iter().filter(fits).copied().collect();
        if !every_value_explained(&fitting, found, widths, place + 1) {
            return false;
        }
    }
    true
}
