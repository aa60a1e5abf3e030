//! Whether all iterations of loops are unrolled.

use laneproof_ask::Kind;
use laneproof_encode::{Plan, View};
use laneproof_obligation::Built;
use laneproof_outcome::{Bound, NotReplayed, Question, Unknown};
use laneproof_solve::Answer;

use super::{Desk, Step, rung_of};

/// What is known of the rounds of loops.
pub(super) enum Rounds {
    /// All are written out.
    Written,
    /// There may be more, or nobody knows: nothing is proved.
    More(Unknown),
    /// That settles the plan.
    Settled(Step),
}

impl Desk<'_> {
    /// Whether all rounds of all loops are written out.
    pub(super) fn rounds(&mut self, built: &Built<'_>, plan: &Plan) -> Rounds {
        if built.pool.bool_of(built.overrun) == Some(false) {
            return Rounds::Written;
        }
        let mut assertions = built.state.clone();
        assertions.push(built.overrun);
        let reason = Unknown::BoundReached(Bound::Iterations(self.bound));
        let asked = Question::Iterations(self.bound);
        match self.ask(built, plan, Kind::Rounds, &assertions) {
            Answer::Unsat => Rounds::Written,
            Answer::Unknown(why) if plan.diagrams => {
                // More rounds cost little here.
                self.exceeded = true;
                Rounds::Settled(Step::Stuck(why.about(asked)))
            }
            Answer::Unknown(why) => Rounds::More(why.about(asked)),
            Answer::Sat(_) if built.surveyed => Rounds::Settled(Step::Next(reason)),
            Answer::Sat(model) => {
                // With choices of its own the source may explain what it cannot explain here.
                if built.pool.evaluate(&[built.small], &model)[0].is_true() {
                    match self.candidate(built, &model, rung_of(built, plan, false), false) {
                        refuted @ Step::Refuted(..) => return Rounds::Settled(refuted),
                        // No number of rounds will do.
                        Step::Next(reason @ Unknown::NotReplayed(NotReplayed::SourceMayNotEnd))
                            if plan.view == View::EveryLane =>
                        {
                            return Rounds::Settled(Step::Stuck(reason));
                        }
                        _ => {}
                    }
                }
                self.exceeded = true;
                match (self.refutes, plan.view) {
                    (true, _) => Rounds::More(reason),
                    (false, View::EveryLane) => Rounds::Settled(Step::Stuck(reason)),
                    (false, _) => Rounds::Settled(Step::Next(reason)),
                }
            }
        }
    }
}
