//! The same query, decided by decision diagrams.

use std::time::{Duration, Instant};

use laneproof_outcome::{TimeLimit, Unknown};
use laneproof_semantics::term::{Pool, Term};

use crate::answer::SolverAnswer;
use crate::limit::MOMENT;
use crate::page::QueryFile;
use crate::stated::{Stated, WRITING};

/// Decision diagrams prove that no state satisfies all `assertions`, or decide nothing. The problem
/// is also written to `page`, with the answer.
pub fn by_diagrams(
    pool: &Pool,
    assertions: &[Term],
    steps: u64,
    time: Duration,
    page: Option<&QueryFile>,
) -> SolverAnswer {
    let started = Instant::now();
    let limit = laneproof_diagrams::StepLimit { steps, deadline: started + time.max(MOMENT) };
    match laneproof_diagrams::has_no_state(pool, assertions, limit) {
        Ok(true) => {}
        Ok(false) => {
            return SolverAnswer::Unknown(Unknown::incomplete(
                "decision diagrams do not settle it",
            ));
        }
        Err(_) if Instant::now() >= limit.deadline => {
            return SolverAnswer::Unknown(Unknown::TimedOut(TimeLimit::Share(time)));
        }
        Err(exhausted) => return SolverAnswer::Unknown(Unknown::incomplete(exhausted.to_string())),
    }
    let stated = page.map(|page| (page, Stated::new(pool, assertions, started + WRITING)));
    match stated {
        Some((page, Ok(stated))) => stated.answered_on(page, || SolverAnswer::Unsat),
        _ => SolverAnswer::Unsat,
    }
}
