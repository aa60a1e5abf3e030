//! Runs a stated problem through Z3, one tactic after another.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use laneproof_outcome::{TimeLimit, Unknown};
use z3::{Context, Params, SatResult, Solver, Tactic};

use crate::answer::SolverAnswer;
use crate::limit::SolverLimit;
use crate::memory::memory_limit;
use crate::stated::{Logic, Stated};

/// Asks Z3.
pub fn check(stated: &Stated<'_>, limit: SolverLimit, started: Instant) -> SolverAnswer {
    let Stated { problem, translation, logic } = stated;
    let mut reason = String::new();
    for (solver, share) in ways(*logic) {
        let left = limit.after(started).part(share);
        for assertion in problem {
            solver.assert(assertion);
        }
        solver.set_params(&left.params());
        match interruptible(left.time(), || solver.check()) {
            SatResult::Unsat => return SolverAnswer::Unsat,
            SatResult::Unknown => reason = solver.get_reason_unknown().unwrap_or_default(),
            SatResult::Sat => {
                return match solver.get_model() {
                    Some(model) => SolverAnswer::Sat(translation.read(&model)),
                    None => SolverAnswer::Unknown(Unknown::incomplete("the solver gave no model")),
                };
            }
        }
    }
    SolverAnswer::Unknown(match reason.as_str() {
        "timeout"
        | "canceled"
        | "interrupted"
        | "interrupted from keyboard"
        | "max. resource limit exceeded" => match limit.units() {
            Some(units) if started.elapsed() < limit.time() => Unknown::TimedOut(match limit {
                SolverLimit::Either { .. } => TimeLimit::WorkShare(units),
                SolverLimit::Time(_) | SolverLimit::Work(_) => TimeLimit::Work(units),
            }),
            _ => ran_out(limit),
        },
        "out of memory" | "max. memory exceeded" => Unknown::OutOfMemory(memory_limit()),
        other => Unknown::incomplete(format!("the solver gave up: {other}")),
    })
}

/// The limit was reached.
pub fn ran_out(limit: SolverLimit) -> Unknown {
    Unknown::TimedOut(match limit {
        SolverLimit::Time(time) | SolverLimit::Either { time, .. } => TimeLimit::Share(time),
        SolverLimit::Work(units) => TimeLimit::Work(units),
    })
}

/// Solvers in turn, each with its fraction of what is left of the limit. Each decides problems that
/// the other one does not.
fn ways(logic: Logic) -> Vec<(Solver, u32)> {
    let by_bits = |first: &str| vec![(by_bits(first), 2), (by_default(logic), 1)];
    match logic {
        Logic::Bits => by_bits("simplify"),
        Logic::Functions => vec![(by_congruence(), 1)],
        Logic::Numbers => by_bits("fpa2bv"),
    }
}

/// Simplification, then search with congruence of functions: these are not bit-blasted.
fn by_congruence() -> Solver {
    one_by_one(["simplify", "propagate-values", "solve-eqs", "smt"].map(Tactic::new))
}

/// Simplification, then bit-blasting: fast on products beside masks, where Z3's default is slow.
fn by_bits(first: &str) -> Solver {
    let mut hoisting = Params::new();
    hoisting.set_bool("hoist_mul", true);
    let before = [first, "simplify", "propagate-values", "solve-eqs"].map(Tactic::new);
    let hoist = Tactic::new("simplify").with(&hoisting);
    let after = ["max-bv-sharing", "bit-blast", "sat"].map(Tactic::new);
    one_by_one(before.into_iter().chain([hoist]).chain(after))
}

fn one_by_one(steps: impl IntoIterator<Item = Tactic>) -> Solver {
    steps.into_iter().fold(Tactic::create_skip(), |before, next| before.and_then(&next)).solver()
}

/// Z3's default for this logic: fast on comparisons of many lanes.
pub fn by_default(logic: Logic) -> Solver {
    Solver::new_for_logic(logic.name()).unwrap_or_default()
}

/// The interval at which the solver is interrupted until it stops: an interrupt between two of its
/// steps is lost.
const AGAIN: Duration = Duration::from_millis(20);

/// Ends a check that takes too long, from outside.
pub fn interruptible(limit: Duration, check: impl FnOnce() -> SatResult) -> SatResult {
    let context = Context::thread_local();
    let handle = context.handle();
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut patience = limit;
            while wait.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
                handle.interrupt();
                patience = AGAIN;
            }
        });
        let result = check();
        drop(done);
        result
    })
}
