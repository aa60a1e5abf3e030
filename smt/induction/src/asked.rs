//! The queries of an induction, from short to long.

use laneproof_ask::{QueryRunner, QuestionKind, Stage};
use laneproof_obligation::instantiated;
use laneproof_outcome::Unknown;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Node, Term};
use laneproof_solve::SolverAnswer;

use super::Induced;
use super::both_sides::BothSides;

/// A query with more alternatives than this is not split.
const MOST_PARTS: usize = 8;

/// A query takes `1 / SHARE` of what is left: a candidate whose query is not decided is dropped, and
/// the others go on. Mostly it does not hold, and the solver looks for a large model.
const SHARE: u32 = 4;

impl BothSides<'_, '_> {
    /// Whether `bad` is impossible under the hypotheses. The hypothesis that the source behaves is
    /// large and mostly not needed, so the query is first made briefly, then without that
    /// hypothesis, then with it.
    pub(super) fn excluded(
        &mut self,
        stage: Stage,
        known: &[Term],
        source_behaves: &[Term],
        bad: Term,
    ) -> Result<bool, DenoteError> {
        for bad in self.parts(bad) {
            if !self.one_excluded(stage, known, source_behaves, bad)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The disjuncts of `bad`: each has instance lanes of its own.
    pub(super) fn parts(&mut self, bad: Term) -> Vec<Term> {
        let Node::And(list) = self.pool.node(bad) else { return vec![bad] };
        let list = list.to_vec();
        let several = list.iter().find_map(|&it| match self.pool.node(it) {
            Node::Or(ways) => Some((it, ways.to_vec())),
            _ => None,
        });
        let Some((choice, ways)) = several.filter(|(_, ways)| ways.len() <= MOST_PARTS) else {
            return vec![bad];
        };
        let rest: Vec<Term> = list.into_iter().filter(|&it| it != choice).collect();
        let part = |way| self.pool.all(rest.iter().copied().chain([way]));
        ways.into_iter().map(part).collect()
    }

    pub(super) fn one_excluded(
        &mut self,
        stage: Stage,
        known: &[Term],
        source_behaves: &[Term],
        bad: Term,
    ) -> Result<bool, DenoteError> {
        let mut terms = known.to_vec();
        terms.push(bad);
        self.queries.found = None;
        self.world.quantifiers.instance_lanes.singles =
            self.world.quantifiers.instance_lanes.joins && stage == Stage::Begins;
        self.world.quantifiers.instance_lanes.brief = true;
        let brief = self.ask(stage, &terms);
        self.world.quantifiers.instance_lanes.brief = false;
        let (mut answer, mut assertions) = brief?;
        let says = |term: &Term| self.pool.bool_of(*term) != Some(true);
        let behaves: Vec<Term> = source_behaves.iter().copied().filter(says).collect();
        for more in [Vec::new(), behaves] {
            if !matches!(answer, SolverAnswer::Sat(_)) {
                break;
            }
            terms.extend(&more);
            let asked = self.instances(&terms)?;
            if asked.len() > assertions {
                assertions = asked.len();
                answer = self.put(stage, &asked);
            }
        }
        match answer {
            SolverAnswer::Unsat => Ok(true),
            SolverAnswer::Sat(model) => {
                self.queries.found = Some(model);
                Ok(false)
            }
            SolverAnswer::Unknown(_) if self.queries.limits.over().is_some() => {
                Err(DenoteError::OutOfTime)
            }
            SolverAnswer::Unknown(why) => {
                self.queries.gave_up.get_or_insert(why);
                Ok(false)
            }
        }
    }

    /// The hypotheses are consistent, as far as instances show.
    pub(super) fn satisfiable(&mut self, hypotheses: &[Term]) -> Result<bool, DenoteError> {
        let (answer, _) = self.ask(Stage::Met, hypotheses)?;
        Ok(match answer {
            SolverAnswer::Sat(_) => true,
            SolverAnswer::Unsat => false,
            SolverAnswer::Unknown(why) => {
                self.queries.gave_up.get_or_insert(why);
                false
            }
        })
    }

    /// Gives up for this reason, unless a query was undecided, which is then the reason.
    pub(super) fn gives_up(&mut self, why: &'static str) -> Induced {
        Induced::Unknown(self.queries.gave_up.take().unwrap_or(Unknown::incomplete(why)))
    }

    /// The answer, and the number of assertions.
    pub(super) fn ask(
        &mut self,
        stage: Stage,
        asked: &[Term],
    ) -> Result<(SolverAnswer, usize), DenoteError> {
        let asked = self.instances(asked)?;
        Ok((self.put(stage, &asked), asked.len()))
    }

    /// The query, with the instances of its quantifiers.
    pub(super) fn instances(&mut self, asked: &[Term]) -> Result<Vec<Term>, DenoteError> {
        self.world.folds.check_lawful(&mut self.pool, &self.world.quantifiers.operators)?;
        let deadline = self.queries.limits.deadline();
        self.world.deadline = deadline;
        let mut terms = [&self.known.facts, asked].concat();
        let (quantifiers, active) = (&self.world.quantifiers, self.world.entry.active);
        let lane = Some(self.lane);
        instantiated(&mut self.pool, quantifiers, &mut terms, active, lane, deadline)?;
        Ok(terms)
    }

    pub(super) fn put(&mut self, stage: Stage, asked: &[Term]) -> SolverAnswer {
        let share = self.queries.limits.portion(SHARE);
        let mut runner = QueryRunner::new(self.queries.questions, &self.queries.plan, &share);
        let answer = runner.put(&self.pool, QuestionKind::Induction(stage), asked);
        *self.queries.spent += runner.spent;
        answer
    }
}
