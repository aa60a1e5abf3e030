//! Results that are undefined in every state in which a sentence gives them.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_queries::states::InstructionStates;
use laneproof_semantics::denote::{DenoteError, Settled};
use laneproof_semantics::language::ast::{Clause, Expr, Statement};
use laneproof_semantics::term::Term;
use rayon::prelude::*;

use super::Collected;
use crate::case::by_relation;
use crate::finding::{Finding, FindingKind};
use crate::found::Conditions;
use crate::found::collected;
use crate::probe::condition;
use crate::question::{Case, LANES};

/// A sentence that gives a result, or says what is written.
struct Given<'c> {
    clause: &'c Arc<Clause>,
    statement: &'c Statement,
    when: Option<&'c Expr>,
}

impl Given<'_> {
    /// Whether it is given in some state, or is defined in one.
    fn key(&self, defined: bool) -> (Arc<str>, String) {
        let what = if defined { "defined" } else { "given" };
        (Arc::clone(&self.clause.id), format!("{what}: {}", self.statement))
    }

    fn writes(&self) -> bool {
        matches!(self.statement, Statement::Store { .. })
    }
}

fn given(clauses: &[Arc<Clause>]) -> Vec<Given<'_>> {
    let mut all = Vec::new();
    for clause in clauses {
        for (statement, _) in &clause.statements {
            if let Statement::Result(_, when) | Statement::Store { when, .. } = statement {
                all.push(Given { clause, statement, when: when.as_ref() });
            }
        }
    }
    all
}

/// Looks for a state in which each result that is given is defined, in any form.
pub fn defined(cases: &[&Case<'_>]) -> Collected {
    let Some(first) = cases.first().filter(|case| case.staging.is_none()) else {
        return Collected::default();
    };
    if by_relation(first.instruction) {
        return Collected::default();
    }
    let given = given(&first.instruction.clauses);
    let met = given.par_iter().map(|given| met(cases, given));
    met.reduce(Collected::default, Collected::and)
}

fn met(cases: &[&Case<'_>], given: &Given<'_>) -> Collected {
    let defined = asked_of(cases, given, true);
    if defined.conditions.get(&given.key(true)) == Some(&true) {
        return defined;
    }
    defined.and(asked_of(cases, given, false))
}

/// One form after the other, until a state is found in which it is given, or is defined by some
/// reading.
fn asked_of(cases: &[&Case<'_>], given: &Given<'_>, defined: bool) -> Collected {
    let key = given.key(defined);
    let mut all = Collected::default();
    for case in cases {
        let here = collected(case, |found| {
            for way in case.each_way().take(if defined { usize::MAX } else { 1 }) {
                let state = case.unstaged(&LANES, |states, lane| {
                    let mut asked = Vec::new();
                    if let Some(when) = given.when {
                        asked.push(condition(case, &way, states, lane, when.clone())?);
                    }
                    if defined {
                        asked.push(is_defined(case, &way, states, lane, given)?);
                    }
                    Ok(asked)
                })?;
                found.conditions.insert(key.clone(), state.is_some());
                if state.is_some() {
                    break;
                }
            }
            Ok(())
        });
        // A form without an operand of the sentence has no such result.
        if !here.unsearched.is_empty() {
            continue;
        }
        all = all.and(here);
        if all.conditions.get(&key) == Some(&true) {
            break;
        }
    }
    all
}

/// No other sentence makes it undefined in the lane.
fn is_defined(
    case: &Case<'_>,
    way: &Settled,
    states: &mut InstructionStates<'_>,
    lane: Term,
    given: &Given<'_>,
) -> Result<Term, DenoteError> {
    let outcome = states.outcome_at(&case.meaning(way), lane)?;
    let values = outcome.undefined_value.iter().filter(|_| !given.writes());
    let causes = outcome.undefined_behavior.iter().chain(values);
    let undefined: Vec<Term> = causes.map(|cause| cause.condition).collect();
    let undefined = states.pool().any(undefined);
    Ok(states.pool().not(undefined))
}

/// The results that are defined in no state, one finding each, if some state of the searched forms
/// meets the condition.
pub fn undefined(
    clauses: &[Arc<Clause>],
    instruction: &str,
    conditions: &Conditions,
) -> Vec<Finding> {
    let kind = FindingKind::DeadClause;
    let is = |given: &Given<'_>, defined| conditions.get(&given.key(defined)).copied();
    let never = given(clauses)
        .into_iter()
        .filter(|it| is(it, true) == Some(false) && is(it, false) == Some(true));
    never
        .map(|given| Finding {
            instructions: [instruction.to_owned()].into(),
            documents: [given.clause.document.to_string()].into(),
            clauses: undefining(clauses, given.clause),
            summary: format!(
                "In every state of up to four invocations in which this sentence {}, other \
                 sentences make that undefined: \u{201c}{}\u{201d}",
                if given.writes() { "says what is written" } else { "gives a result" },
                given.clause.wording
            ),
            remedy: "Conditions of what is undefined that leave states in which it is defined."
                .to_owned(),
            ..Finding::of(kind, format!("{}/never-defined/{}", kind.name(), given.clause.id))
        })
        .collect()
}

/// The sentence, and those that say when something is undefined.
fn undefining(clauses: &[Arc<Clause>], own: &Clause) -> BTreeSet<String> {
    let undefines = |statement: &Statement| {
        matches!(statement, Statement::UndefinedBehavior(_) | Statement::UndefinedValue(_))
    };
    let of = clauses.iter().filter(|clause| {
        clause.id == own.id || clause.statements.iter().any(|(it, _)| undefines(it))
    });
    of.map(|clause| clause.id.to_string()).collect()
}
