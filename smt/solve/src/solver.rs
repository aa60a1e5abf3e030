//! Running problems through Z3.

use std::time::Instant;

use laneproof_outcome::Unknown;
use laneproof_semantics::term::{Pool, Term};
use z3::{Config, with_z3_config};

use crate::answer::{Model, SolverAnswer};
use crate::by_functions::{has_none_by_functions, repeats_an_operation};
use crate::check::{check, ran_out};
use crate::few_values::FewValues;
use crate::limit::SolverLimit;
use crate::memory::within_memory;
use crate::page::QueryFile;
use crate::stated::{Stated, WRITING};
use crate::translation::TooLong;

const FEW_VALUES: &str = "; Payloads that are only moved and compared have a few bits here: as many values \
     as there are payloads.\n";

/// The solver's name and version.
pub fn solver_version() -> &'static str {
    z3::full_version()
}

/// Runs `work` with a fresh solver: its answers and models do not depend on earlier queries of this
/// thread.
pub fn afresh<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    with_z3_config(&Config::new(), work)
}

/// Is there a state in which all `assertions` hold? The problem is also written to `page`, first
/// as it is asked, then with its answer.
pub fn solve(
    pool: &Pool,
    assertions: &[Term],
    limit: impl Into<SolverLimit>,
    page: Option<&QueryFile>,
) -> SolverAnswer {
    let limit = limit.into();
    if assertions.iter().any(|&term| pool.bool_of(term) == Some(false)) && page.is_none() {
        return SolverAnswer::Unsat;
    }
    if let Some(few) = FewValues::of(pool, assertions) {
        let page = page.map(|page| page.with(FEW_VALUES));
        return match in_full(&few.pool, &few.assertions, limit, page.as_ref()) {
            SolverAnswer::Sat(model) => SolverAnswer::Sat(few.widened(model)),
            answer => answer,
        };
    }
    in_full(pool, assertions, limit, page)
}

/// [`solve`] with all bits of payloads.
pub(crate) fn in_full(
    pool: &Pool,
    assertions: &[Term],
    limit: SolverLimit,
    page: Option<&QueryFile>,
) -> SolverAnswer {
    let started = Instant::now();
    // A context gets slower with the terms that it has seen.
    if repeats_an_operation(pool, assertions)
        && afresh(|| {
            let ask = || has_none_by_functions(pool, assertions, limit, page);
            within_memory(ask, |_| false)
        })
    {
        return SolverAnswer::Unsat;
    }
    let limit = limit.after(started);
    afresh(|| within_memory(|| put(pool, assertions, limit, page), SolverAnswer::Unknown))
}

fn put(
    pool: &Pool,
    assertions: &[Term],
    limit: SolverLimit,
    page: Option<&QueryFile>,
) -> SolverAnswer {
    let started = Instant::now();
    let stated = match Stated::new(pool, assertions, limit.until(started)) {
        Ok(stated) => stated,
        Err(TooLong::Late) => return SolverAnswer::Unknown(ran_out(limit)),
        Err(TooLong::Pairs) => {
            return SolverAnswer::Unknown(Unknown::incomplete(
                "the question is too large for the solver",
            ));
        }
    };
    let check = || check(&stated, limit, started);
    match page {
        Some(page) => stated.answered_on(page, check),
        None => check(),
    }
}

/// Records on `page` a model that was found without the solver.
pub fn found_without(
    pool: &Pool,
    assertions: &[Term],
    model: Model,
    page: Option<&QueryFile>,
) -> SolverAnswer {
    let stated = page.map(|page| (page, Stated::new(pool, assertions, Instant::now() + WRITING)));
    match stated {
        Some((page, Ok(stated))) => stated.answered_on(page, || SolverAnswer::Sat(model)),
        _ => SolverAnswer::Sat(model),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use laneproof_outcome::TimeLimit;
    use laneproof_semantics::term::{Binary, Sort};

    use super::*;

    /// A function is applied at too many unknown lanes for all congruence axioms to be written.
    fn endless(pool: &mut Pool) -> Vec<Term> {
        let function = pool.symbol("f", Sort::Bits(8));
        let zero = pool.bits(0, 8);
        let mut at = || {
            let lane = pool.fresh("lane", Sort::Bits(32));
            let there = pool.apply(function, lane);
            pool.equal(there, zero)
        };
        (0..1000).map(|_| at()).collect()
    }

    #[test]
    fn what_is_too_large_is_not_put() {
        let mut pool = Pool::default();
        let problem = endless(&mut pool);
        let answer = solve(&pool, &problem, Duration::from_secs(3600), None);
        let SolverAnswer::Unknown(reason) = answer else { unreachable!("{answer:?}") };
        assert_eq!(reason, Unknown::incomplete("the question is too large for the solver"));
    }

    #[test]
    fn stating_a_problem_ends_in_time() {
        let mut pool = Pool::default();
        let problem = endless(&mut pool);
        let answer = solve(&pool, &problem, Duration::ZERO, None);
        let SolverAnswer::Unknown(reason) = answer else { unreachable!("{answer:?}") };
        assert!(matches!(reason, Unknown::TimedOut(TimeLimit::Share(_))), "{reason:?}");
    }

    /// The factors of a product of two primes, which takes the solver long.
    fn factors(pool: &mut Pool) -> [Term; 3] {
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bits(64)));
        let below = pool.bits(1 << 32, 64);
        let product = pool.binary(Binary::Mul, a, b);
        let known = pool.bits(3_037_000_493 * 2_147_483_647, 64);
        [pool.less(a, below), pool.less(b, below), pool.equal(product, known)]
    }

    /// An interrupted solver gives different reasons, depending on what it was doing.
    #[test]
    fn a_search_that_is_ended_ran_out_of_time() {
        let mut pool = Pool::default();
        let problem = factors(&mut pool);
        for milliseconds in [1, 20, 100, 300] {
            let limit = Duration::from_millis(milliseconds);
            let answer = solve(&pool, &problem, limit, None);
            let SolverAnswer::Unknown(reason) = answer else { unreachable!("{answer:?}") };
            let timed_out = matches!(reason, Unknown::TimedOut(TimeLimit::Share(_)));
            assert!(timed_out, "{milliseconds} ms: {reason:?}");
        }
    }

    /// The limit that comes first is named.
    #[test]
    fn a_search_ends_by_work_or_by_the_clock() {
        let mut pool = Pool::default();
        let problem = factors(&mut pool);
        let ended =
            |time, units| match solve(&pool, &problem, SolverLimit::Either { time, units }, None) {
                SolverAnswer::Unknown(Unknown::TimedOut(limit)) => limit,
                answer => unreachable!("{answer:?}"),
            };
        for units in [1_000, 100_000] {
            let by_work = ended(Duration::from_secs(600), units);
            assert_eq!(by_work, TimeLimit::WorkShare(units));
        }
        let short = Duration::from_millis(100);
        assert!(matches!(ended(short, u32::MAX), TimeLimit::Share(_)));
    }
}
