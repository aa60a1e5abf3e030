//! Runs the queries of one encoding until it is decided or another one is needed.

use std::mem::replace;

use laneproof_ask::{Joint, QueryRunner, QuestionKind, search};
use laneproof_encode::{EncodingPlan, View};
use laneproof_obligation::Built;
use laneproof_outcome::{NotReplayed, Unknown};
use laneproof_semantics::term::Term;
use laneproof_solve::{Model, SolverAnswer};

use super::answered::silence;
use super::{Session, Step, abstraction_of, choices};
use crate::abstraction::Abstraction;
use crate::counterexample::Counterexample;
use crate::fact::{Lanes, ProofFact};
use crate::present::counterexample;
use crate::reconvergence::chosen_in_replays;
use crate::replay::{Confirmed, Followed, Found, Recorded, Replay, RunLimits, State, read, replay};

impl Session<'_> {
    pub(super) fn refinement(&mut self, built: &mut Built<'_>, plan: &EncodingPlan) -> Step {
        if plan.joint {
            let abstraction = abstraction_of(built, plan, false);
            return self.joint_step(built, plan, abstraction);
        }
        if plan.lanewise || plan.traced {
            return self.lane_by_lane(built, plan);
        }
        // A property must hold for all of its choices: a choice that breaks it is a model.
        if self.target.is_some() && !built.source.choices.is_empty() {
            return match plan.view {
                View::Quantified => Step::Next(choices()),
                _ => self.answered(built, plan).unwrap_or(Step::Choices),
            };
        }
        let (silent, spoken) = silence(built);
        let bad = built.pool.or(built.asks.target_fails, built.asks.disagrees);
        let mut assertions = built.states.known.clone();
        assertions.extend([built.asks.source_legal, spoken, bad]);
        // Facts that diagrams know of some lanes only make them large.
        let lanes = if plan.diagrams { plan.sizes.largest() } else { 1 };
        if let Some(less) = built.weakened_hypothesis(&assertions, lanes) {
            let mut assertions = [assertions.as_slice(), &[less]].concat();
            let counted = self.counted(built, plan, &mut assertions);
            if let SolverAnswer::Unsat =
                self.ask(built, plan, QuestionKind::WeakenedHypothesis, &assertions)
            {
                self.effort.facts.push(ProofFact::SourceBehaves(Lanes::OneInPart));
                return self.unless_silent(
                    built,
                    plan,
                    silent,
                    abstraction_of(built, plan, counted),
                );
            }
        }
        assertions.push(built.asks.source_behaves);
        let counted = self.counted(built, plan, &mut assertions);
        match self.ask(built, plan, QuestionKind::Main, &assertions) {
            SolverAnswer::Unsat => {
                self.unless_silent(built, plan, silent, abstraction_of(built, plan, counted))
            }
            SolverAnswer::Unknown(reason) => Step::Next(reason),
            SolverAnswer::Sat(_) if built.abstracted.quantified => {
                Step::Next(Unknown::incomplete("instances do not settle it"))
            }
            SolverAnswer::Sat(model) => {
                self.note_difference(built, plan);
                let abstraction = abstraction_of(built, plan, counted);
                if built.pool.evaluate(&[built.states.small], &model)[0].is_true() {
                    return self.candidate(built, plan, &model, abstraction, Found::ForSomeChoice);
                }
                // The model's memories are too large for a replay: is there a model with smaller
                // ones?
                assertions.push(built.states.small);
                match self.ask(built, plan, QuestionKind::Small, &assertions) {
                    SolverAnswer::Sat(model) => {
                        self.candidate(built, plan, &model, abstraction, Found::ForSomeChoice)
                    }
                    SolverAnswer::Unsat => Step::Next(Unknown::NotReplayed(NotReplayed::TooLarge)),
                    SolverAnswer::Unknown(reason) => Step::Next(reason),
                }
            }
        }
    }

    /// Proved, unless the text is silent about some state.
    pub(super) fn unless_silent(
        &mut self,
        built: &Built<'_>,
        plan: &EncodingPlan,
        silent: Term,
        abstraction: Abstraction,
    ) -> Step {
        if built.asks.silence.is_empty() {
            return Step::Proved(abstraction);
        }
        let mut assertions = built.states.known.clone();
        assertions.extend([built.asks.source_behaves, built.asks.source_legal, silent]);
        match self.ask(built, plan, QuestionKind::Silence, &assertions) {
            SolverAnswer::Unsat => Step::Proved(abstraction),
            SolverAnswer::Unknown(reason) => Step::Next(reason),
            // With instantiated quantifiers such a state may be spurious.
            SolverAnswer::Sat(_) if built.abstracted.quantified => {
                Step::Next(Unknown::incomplete("the text may be silent"))
            }
            SolverAnswer::Sat(model) => {
                let clause = built
                    .asks
                    .silence
                    .iter()
                    .find(|it| built.pool.evaluate(&[it.condition], &model)[0].is_true());
                let clause = clause.map_or("a clause", |it| &it.clause);
                Step::Stuck(Unknown::Silent(clause.to_owned()))
            }
        }
    }

    fn joint_step(
        &mut self,
        built: &mut Built<'_>,
        plan: &EncodingPlan,
        abstraction: Abstraction,
    ) -> Step {
        if !built.asks.silence.is_empty() {
            let clause = built.asks.silence[0].clause.clone();
            return Step::Stuck(Unknown::Silent(clause.to_string()));
        }
        // There may be many queries.
        let limits = self.effort.limits.of_all_queries();
        let mut runner = QueryRunner::new(self.questions, plan, &limits);
        // First with memories that are small enough for a replay, then with any.
        let any_size = built.states.known.len();
        built.states.known.push(built.states.small);
        let mut answer = search(built, &mut runner);
        if matches!(answer, Joint::Explained)
            && built.pool.bool_of(built.states.small) != Some(true)
        {
            built.states.known.truncate(any_size);
            answer = match search(built, &mut runner) {
                Joint::Unexplained(_) => {
                    Joint::Unknown(Unknown::NotReplayed(NotReplayed::TooLarge))
                }
                other => other,
            };
        }
        // What is asked because of other subgroups refutes nothing.
        let alone = built.asks.fails_alone.filter(|_| matches!(answer, Joint::Unexplained(_)));
        if let Some(alone) = alone {
            built.asks.target_fails = alone;
            answer = search(built, &mut runner);
        }
        self.effort.solver += runner.spent;
        match answer {
            Joint::Explained if alone.is_some() => {
                Step::Next(Unknown::incomplete("other subgroups may access the memory, too"))
            }
            Joint::Explained => Step::Proved(abstraction),
            Joint::Unknown(reason) => Step::Stuck(reason),
            Joint::Unexplained(model) => {
                self.candidate(built, plan, &model, abstraction, Found::ForAllChoices)
            }
        }
    }

    /// A model refutes only if the interpreter confirms it.
    pub(super) fn candidate(
        &mut self,
        built: &mut Built<'_>,
        plan: &EncodingPlan,
        model: &Model,
        abstraction: Abstraction,
        query: Found,
    ) -> Step {
        // An answer about all choices counts only if the run ends as the model says.
        let refuted_for_all = (query == Found::ForAllChoices)
            .then(|| built.pool.evaluate(&[built.asks.target_fails], model)[0].is_true())
            // The query knows of no choice where lanes reconverge.
            .filter(|_| !(built.source.is_apart() && chosen_in_replays(self.problem.settled)));
        if self.is_pure() {
            return Step::Next(Unknown::incomplete("functions of what lanes load refute nothing"));
        }
        let (state, mut choices) = read(built, model, self.source.flat);
        let limits = RunLimits::of(query, self.effort.limits.deadline());
        let limits = RunLimits { refuted_for_all, ..limits };
        let mut replayed = self.replay_within(&state, &choices, &mut limits.clone());
        if let Replay::Explained = replayed {
            choices = choices.drawing_otherwise();
            replayed = self.replay_within(&state, &choices, &mut limits.clone());
        }
        match replayed {
            Replay::Confirmed(shown) => {
                let refuted = self.effort.limits.once_refuted();
                let limits = replace(&mut self.effort.limits, refuted);
                let simplest = self.simplest(built, plan, model, &state, &choices);
                self.effort.limits = limits;
                let confirmed =
                    simplest.unwrap_or_else(|| Confirmed { model: model.clone(), state, shown });
                Step::Refuted(abstraction, Box::new(self.shown(built, &confirmed)))
            }
            Replay::Explained => Step::Next(Unknown::NotReplayed(NotReplayed::Explained)),
            Replay::Endless => Step::Next(Unknown::NotReplayed(NotReplayed::SourceMayNotEnd)),
            Replay::Undecided(reason) => Step::Next(reason),
        }
    }

    /// The counterexample of a refutation.
    pub(super) fn shown(&self, built: &Built<'_>, confirmed: &Confirmed) -> Counterexample {
        let (source, target) = (self.source, self.target);
        let (specification, settled) = (self.problem.specification, self.problem.settled);
        let followed = Followed::from(&confirmed.state, source, target, specification, settled);
        counterexample(built, confirmed, &followed, source, target, self.problem.outputs)
    }

    /// A run confirms nothing under a reading that the interpreter does not follow.
    pub(super) fn replay(&self, state: &State, choices: &Recorded) -> Replay {
        let mut limits = RunLimits::new(self.effort.limits.deadline());
        self.replay_within(state, choices, &mut limits)
    }

    /// The same within other limits.
    pub(super) fn replay_within(
        &self,
        state: &State,
        choices: &Recorded,
        limits: &mut RunLimits,
    ) -> Replay {
        let replayed = replay(
            self.source,
            self.target,
            state,
            choices,
            self.problem.specification,
            self.problem.settled,
            self.problem.outputs,
            limits,
        );
        match replayed {
            Replay::Confirmed(_) => match self.read_otherwise(state) {
                Some(reading) => {
                    Replay::Undecided(Unknown::NotReplayed(NotReplayed::Reading(reading)))
                }
                None => replayed,
            },
            _ => replayed,
        }
    }
}
