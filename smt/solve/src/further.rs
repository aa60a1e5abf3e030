//! What can be had besides, asked again and again of one problem.

use std::time::Instant;

use laneproof_semantics::term::{Pool, Term};
use z3::ast::Bool;
use z3::{SatResult, Solver, StatisticsValue};

use crate::answer::Model;
use crate::check::{by_default, interruptible};
use crate::limit::SolverLimit;
use crate::stated::Stated;
use crate::translation::TooLong;

/// A problem of which is asked what can be had besides, again and again: what was learned of it
/// is kept.
pub struct Further<'p> {
    stated: Stated<'p>,
    solver: Solver,
    /// For each wish a name that implies it.
    names: Vec<Bool>,
    /// What Z3 had worked before.
    before: u32,
}

impl<'p> Further<'p> {
    /// Besides `assertions`, which hold, any of `wishes` may be asked for.
    pub fn new(
        pool: &'p Pool,
        assertions: &[Term],
        wishes: &[Term],
        until: Instant,
    ) -> Result<Self, TooLong> {
        let mut stated = Stated::new(pool, &[assertions, wishes].concat(), until)?;
        let wished = stated.problem.drain(assertions.len()..assertions.len() + wishes.len());
        let wished: Vec<Bool> = wished.collect();
        let solver = by_default(stated.logic);
        for assertion in &stated.problem {
            solver.assert(assertion);
        }
        let name = |wish: &Bool| {
            let name = Bool::fresh_const("wish");
            solver.assert(name.implies(wish));
            name
        };
        let names = wished.iter().map(name).collect();
        let before = worked(&solver);
        Ok(Self { stated, solver, names, before })
    }

    /// These wishes hold from now on.
    pub fn keep(&self, wishes: &[usize]) {
        wishes.iter().for_each(|&wish| self.solver.assert(&self.names[wish]));
    }

    /// More has been done, since it was `started`, than it is worth.
    pub fn is_past(&self, limit: SolverLimit, started: Instant) -> bool {
        let worked = worked(&self.solver).wrapping_sub(self.before);
        limit.units().is_some_and(|units| worked > units) || started.elapsed() > limit.time()
    }

    /// A model with these wishes too, if it is found in time.
    pub fn with(&self, wishes: &[usize], limit: SolverLimit) -> Option<Model> {
        self.solver.set_params(&limit.params());
        let named: Vec<Bool> = wishes.iter().map(|&wish| self.names[wish].clone()).collect();
        match interruptible(limit.time(), || self.solver.check_assumptions(&named)) {
            SatResult::Sat => self.solver.get_model().map(|it| self.stated.translation.read(&it)),
            SatResult::Unsat | SatResult::Unknown => None,
        }
    }
}

/// The units that Z3 has worked in all, in this thread.
fn worked(solver: &Solver) -> u32 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(units)) => units,
        _ => 0,
    }
}
