//! Whether all iterations of loops are unrolled.

use std::collections::BTreeSet;

use laneproof_ask::QuestionKind;
use laneproof_encode::{EncodingPlan, View};
use laneproof_obligation::Built;
use laneproof_outcome::{Bound, NotReplayed, Question, Unknown};
use laneproof_semantics::term::{Node, Term};
use laneproof_solve::SolverAnswer;

use super::{Session, Step, abstraction_of};
use crate::replay::Found;

/// Whether the unrolled iterations are all.
pub(super) enum Iterations {
    /// All are unrolled.
    Unrolled,
    /// There may be more iterations, so nothing is proved.
    More(Unknown),
    /// This ends the strategy.
    Settled(Step),
}

impl Session<'_> {
    /// Whether all iterations of all loops are unrolled.
    pub(super) fn iterations(&mut self, built: &mut Built<'_>, plan: &EncodingPlan) -> Iterations {
        if built.pool.bool_of(built.asks.overrun) == Some(false) {
            return Iterations::Unrolled;
        }
        let mut assertions = built.states.known.clone();
        assertions.push(built.asks.overrun);
        let reason = Unknown::BoundReached(Bound::Iterations(self.unrolling.bound));
        let asked = Question::Iterations(self.unrolling.bound);
        if plan.diagrams {
            let about =
                [self::about(built, &built.states.known), vec![built.asks.overrun]].concat();
            if about.len() < assertions.len()
                && let SolverAnswer::Unsat = self.ask(built, plan, QuestionKind::Iterations, &about)
            {
                return Iterations::Unrolled;
            }
        }
        match self.ask(built, plan, QuestionKind::Iterations, &assertions) {
            SolverAnswer::Unsat => Iterations::Unrolled,
            SolverAnswer::Unknown(why) if plan.diagrams => {
                // More iterations are cheap here.
                self.unrolling.exceeded = true;
                Iterations::Settled(Step::Stuck(why.about(asked)))
            }
            SolverAnswer::Unknown(why) => Iterations::More(why.about(asked)),
            SolverAnswer::Sat(_) if built.abstracted.quantified => {
                Iterations::Settled(Step::Next(reason))
            }
            SolverAnswer::Sat(model) => {
                // Another choice of the source may explain the state.
                if built.pool.evaluate(&[built.states.small], &model)[0].is_true() {
                    match self.candidate(
                        built,
                        plan,
                        &model,
                        abstraction_of(built, plan, false),
                        Found::MoreIterations,
                    ) {
                        refuted @ Step::Refuted(..) => return Iterations::Settled(refuted),
                        // No number of iterations is enough.
                        Step::Next(reason @ Unknown::NotReplayed(NotReplayed::SourceMayNotEnd))
                            if plan.view == View::EveryLane =>
                        {
                            return Iterations::Settled(Step::Stuck(reason));
                        }
                        _ => {}
                    }
                }
                self.unrolling.exceeded = true;
                match (self.unrolling.refutes, plan.view) {
                    _ if plan.diagrams => Iterations::Settled(Step::Stuck(reason)),
                    (true, _) => Iterations::More(reason),
                    (false, View::EveryLane) => Iterations::Settled(Step::Stuck(reason)),
                    (false, _) => Iterations::Settled(Step::Next(reason)),
                }
            }
        }
    }
}

/// What is known of nothing but what decides whether a loop goes on: the rest, as how results of
/// floating-point operations relate, is seldom needed, and may be much.
fn about(built: &Built<'_>, known: &[Term]) -> Vec<Term> {
    let pool = &built.pool;
    let free = |root: Term| {
        let is_free = |it: &Term| matches!(pool.node(*it), Node::Variable(_) | Node::Apply(..));
        pool.reachable(&[root]).into_iter().filter(is_free)
    };
    let decides: BTreeSet<Term> = free(built.asks.overrun).collect();
    known.iter().copied().filter(|&it| free(it).all(|it| decides.contains(&it))).collect()
}
