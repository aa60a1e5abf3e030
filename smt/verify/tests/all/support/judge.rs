//! Refinement by its definition: all states, all choices, nothing clever.

use laneproof_verify::Verdict;

use super::outcomes::{Outcome, Seen, outcomes};
use super::pair::Pair;
use super::states::{State, every_state};

/// How much is listed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states of a pair: more are an error in the pair.
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
    /// Lanes need not keep in step, and runs show no other orders.
    InStepOnly,
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
        Ruling::InStepOnly => {
            undecided = true;
            pair.runs.get() > limits.runs_of_pair
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
    // What refutes does so whatever else is not known.
    (!undecided || found.is_some()).then_some(Judgement { verdict, state: found, counted })
}

/// Judges a pair in one state.
pub fn rule(pair: &Pair, state: &State, runs: u64) -> Ruling {
    let Some(source) = outcomes(pair, pair.source(), state, runs) else { return Ruling::TooMany };
    let Some(function) = pair.target() else {
        let ruling = rule_property(source.all.iter());
        let sure = !source.in_step_only || matches!(ruling, Ruling::Excluded);
        return if sure { ruling } else { Ruling::InStepOnly };
    };
    let mut expected = Vec::with_capacity(source.all.len());
    for outcome in &source.all {
        match outcome {
            Outcome::Returned(seen) => expected.push(seen),
            _ => return Ruling::Excluded,
        }
    }
    let Some(target) = outcomes(pair, function, state, runs) else { return Ruling::TooMany };
    let explained = |outcome: &Outcome| match outcome {
        Outcome::Returned(seen) => expected.iter().any(|run| agrees(run, seen)),
        _ => false,
    };
    // Other orders of the source may explain more, or misbehave; those of the target may go wrong.
    match target.all.iter().all(explained) {
        true if target.in_step_only => Ruling::InStepOnly,
        false if source.in_step_only => Ruling::InStepOnly,
        true => Ruling::Refines,
        false => Ruling::Refutes,
    }
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

/// One run of the source gives what the target gave, in all lanes. An undefined value of the target
/// must be undefined in the source, too: two uses of it may see two values, while a drawn value is
/// one.
fn agrees(run: &Seen, found: &Seen) -> bool {
    run.iter().zip(found).all(|(expected, found)| match (expected, found) {
        (None, None) | (Some(None), Some(_)) => true,
        (Some(Some(expected)), Some(Some(found))) => expected == found,
        _ => false,
    })
}
