//! Soft constraints of a problem, tried incrementally.

use std::time::Instant;

use laneproof_semantics::term::{Pool, Term};
use z3::ast::Bool;
use z3::{SatResult, Solver, StatisticsValue};

use crate::answer::Model;
use crate::check::{by_default, interruptible};
use crate::limit::SolverLimit;
use crate::stated::Stated;
use crate::translation::TooLong;

/// A problem with soft constraints. The solver keeps what it has learned of the problem between
/// attempts.
pub struct SoftProblem<'p> {
    stated: Stated<'p>,
    solver: Solver,
    /// For each soft constraint a literal that implies it.
    names: Vec<Bool>,
    /// Z3's units of work at the beginning.
    before: u32,
}

impl<'p> SoftProblem<'p> {
    /// `assertions` must hold; any of `preferences` may be added.
    pub fn new(
        pool: &'p Pool,
        assertions: &[Term],
        preferences: &[Term],
        until: Instant,
    ) -> Result<Self, TooLong> {
        let mut stated = Stated::new(pool, &[assertions, preferences].concat(), until)?;
        let wished = stated.problem.drain(assertions.len()..assertions.len() + preferences.len());
        let wished: Vec<Bool> = wished.collect();
        let solver = by_default(stated.logic);
        for assertion in &stated.problem {
            solver.assert(assertion);
        }
        let name = |preference: &Bool| {
            let name = Bool::fresh_const("wish");
            solver.assert(name.implies(preference));
            name
        };
        let names = wished.iter().map(name).collect();
        let before = worked(&solver);
        Ok(Self { stated, solver, names, before })
    }

    /// These soft constraints must hold from now on.
    pub fn keep(&self, preferences: &[usize]) {
        preferences.iter().for_each(|&preference| self.solver.assert(&self.names[preference]));
    }

    /// The limit on this work is reached.
    pub fn is_past(&self, limit: SolverLimit, started: Instant) -> bool {
        let worked = worked(&self.solver).wrapping_sub(self.before);
        limit.units().is_some_and(|units| worked > units) || started.elapsed() > limit.time()
    }

    /// A model that also satisfies these soft constraints, if it is found in time.
    pub fn with(&self, preferences: &[usize], limit: SolverLimit) -> Option<Model> {
        self.solver.set_params(&limit.params());
        let named: Vec<Bool> =
            preferences.iter().map(|&preference| self.names[preference].clone()).collect();
        match interruptible(limit.time(), || self.solver.check_assumptions(&named)) {
            SatResult::Sat => self.solver.get_model().map(|it| self.stated.translation.read(&it)),
            SatResult::Unsat | SatResult::Unknown => None,
        }
    }
}

/// Z3's total units of work in this thread.
fn worked(solver: &Solver) -> u32 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(units)) => units,
        _ => 0,
    }
}
