//! Results that a clause leaves open: which of them are legal.
//!
//! The result of such a step is a free function of lanes, constrained by a relation over several
//! lanes. The target may choose any legal result, so for it the relation is a hypothesis. The
//! source must choose a legal result, so for it the relation is a condition.

use laneproof_lower::StepId;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::{Cause, DenoteError};
use laneproof_semantics::language::ast::Statement;
use laneproof_semantics::term::{Pool, Term};

use crate::encoder::{Choice, EncodedSide, Encoder, World};

/// The relations of a side in some lanes.
pub struct Relation {
    /// The open results are legal, as far as these lanes show.
    pub legal: Term,
    /// Some step with an open result has no legal result: its behavior is undefined, or the text is
    /// silent.
    pub beyond: Term,
}

impl Relation {
    /// What may be assumed of results that the other side chooses. It is nothing if a step has no
    /// legal result, so that the state is not excluded.
    pub fn hypothesis(&self, pool: &mut Pool) -> Term {
        pool.or(self.legal, self.beyond)
    }
}

/// The step has a relation of a user's specification. Only of the built-in relations it is known
/// that some result satisfies them in every state; an unsatisfiable relation would prove anything.
fn users_own(side: &EncodedSide<'_>, step: StepId) -> bool {
    let built_in = Specification::built_in().sources.len() as u32;
    side.flat.step(step).instruction.clauses.iter().any(|clause| {
        clause.span.file >= built_in
            && clause
                .statements
                .iter()
                .any(|(statement, _)| matches!(statement, Statement::ResultsSuchThat(_)))
    })
}

/// The relations of all steps of a side in `lanes` (32 bits each), for the lanes that execute
/// them.
pub fn relation<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    side: &mut EncodedSide<'f>,
    lanes: &[Term],
) -> Result<Relation, DenoteError> {
    let mut legal = Vec::new();
    let mut beyond = Vec::new();
    let mut done: Vec<StepId> = Vec::new();
    // The operands of a relation may come from other steps with open results.
    loop {
        let next = side.opened().find(|step| !done.contains(step));
        let Some(step) = next else { break };
        done.push(step);
        if users_own(side, step) {
            return Err(DenoteError::NotModelled(
                "a result that a user's own relation leaves open".into(),
            ));
        }
        for &lane in lanes {
            let activity = side.flat.step(step).activity;
            let mut encoder = Encoder { pool, world, side };
            let activity = encoder.activity(activity, lane)?;
            let outcome = encoder.outcome(step, lane)?;
            let conditions = |causes: &[Cause]| -> Vec<Term> {
                causes.iter().map(|cause| cause.condition).collect()
            };
            for condition in conditions(&outcome.undefined_behavior)
                .into_iter()
                .chain(conditions(&outcome.silence))
            {
                beyond.push(pool.and(activity, condition));
            }
            for &condition in &outcome.such_that {
                legal.push(pool.implies(activity, condition));
            }
        }
    }
    let ranked: Vec<StepId> = side
        .choices
        .iter()
        .filter(|open| open.choice == Choice::Order)
        .map(|open| open.step)
        .collect();
    for step in ranked {
        legal.push(Encoder { pool, world, side }.ranked(step));
    }
    Ok(Relation { legal: pool.all(legal), beyond: pool.any(beyond) })
}
