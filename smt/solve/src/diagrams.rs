//! The same question put to decision diagrams.

use std::time::{Duration, Instant};

use laneproof_outcome::{TimeLimit, Unknown};
use laneproof_semantics::term::{Pool, Term};

use crate::answer::Answer;
use crate::limit::MOMENT;
use crate::page::Page;
use crate::stated::{Stated, WRITING};

/// What decision diagrams say: that no state satisfies all `assertions`, or nothing. The problem is
/// also written to `page`, with the answer.
pub fn by_diagrams(
    pool: &Pool,
    assertions: &[Term],
    steps: u64,
    time: Duration,
    page: Option<&Page>,
) -> Answer {
    let started = Instant::now();
    let limit = laneproof_diagrams::Limit { steps, deadline: started + time.max(MOMENT) };
    match laneproof_diagrams::has_no_state(pool, assertions, limit) {
        Ok(true) => {}
        Ok(false) => {
            return Answer::Unknown(Unknown::incomplete("decision diagrams do not settle it"));
        }
        Err(_) if Instant::now() >= limit.deadline => {
            return Answer::Unknown(Unknown::TimedOut(TimeLimit::Share(time)));
        }
        Err(exhausted) => return Answer::Unknown(Unknown::incomplete(exhausted.to_string())),
    }
    let stated = page.map(|page| (page, Stated::new(pool, assertions, started + WRITING)));
    match stated {
        Some((page, Ok(stated))) => stated.answered_on(page, || Answer::Unsat),
        _ => Answer::Unsat,
    }
}
