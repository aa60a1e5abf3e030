//! Conditions that no state meets, however the text is read.

use std::sync::Arc;

use laneproof_semantics::language::ast::{Clause, Expr, ExprKind, Statement};
use rayon::prelude::*;

use crate::finding::{Finding, FindingKind};
use crate::found::{Collected, Conditions, collected};
use crate::probe::condition;
use crate::question::{Case, LANES};

/// Looks for a state that meets each condition of an account's clauses, in any of its forms.
pub fn conditions(cases: &[&Case<'_>]) -> Collected {
    let Some(first) = cases.first().filter(|case| case.staging.is_none()) else {
        return Collected::default();
    };
    let stated: Vec<(&Arc<Clause>, &Expr)> =
        stated(&first.instruction.clauses).filter(|(_, it)| !of_form(it)).collect();
    let met = stated.par_iter().map(|(clause, stated)| met(cases, clause, stated));
    met.reduce(Collected::default, Collected::and)
}

/// Whether a state meets a condition: one form after the other, until one does.
fn met(cases: &[&Case<'_>], clause: &Clause, stated: &Expr) -> Collected {
    let key = (Arc::clone(&clause.id), stated.to_string());
    let mut all = Collected::default();
    for case in cases {
        all = all.and(collected(case, |found| {
            // A condition that is met by one way of reading is a divergence, and not dead.
            for way in case.each_way() {
                let state = case.unstaged(&LANES, |states, lane| {
                    Ok(vec![condition(case, &way, states, lane, stated.clone())?])
                })?;
                found.conditions.insert(key.clone(), state.is_some());
                if state.is_some() {
                    break;
                }
            }
            Ok(())
        }));
        if all.conditions.get(&key) == Some(&true) {
            break;
        }
    }
    all
}

/// It depends on the form alone, and not all forms are searched.
pub(super) fn of_form(condition: &Expr) -> bool {
    let about_form = match &condition.kind {
        ExprKind::Is(..) | ExprKind::Boolean(_) => true,
        ExprKind::Call(name, _) => ["present", "is_float", "capability"].contains(&&**name),
        _ => false,
    };
    let parts = condition.parts();
    about_form || !parts.is_empty() && parts.into_iter().all(of_form)
}

fn stated(clauses: &[Arc<Clause>]) -> impl Iterator<Item = (&Arc<Clause>, &Expr)> {
    clauses.iter().flat_map(|clause| {
        clause.statements.iter().filter_map(move |(statement, _)| match statement {
            Statement::Result(_, Some(condition))
            | Statement::Store { when: Some(condition), .. }
            | Statement::Ignored(condition)
            | Statement::UndefinedValue(condition)
            | Statement::UndefinedBehavior(condition)
            | Statement::Label(_, condition) => Some((clause, condition)),
            _ => None,
        })
    })
}

/// The conditions that no state met, in any form.
pub fn dead(clauses: &[Arc<Clause>], instruction: &str, conditions: &Conditions) -> Vec<Finding> {
    let never = stated(clauses).filter(|(clause, condition)| {
        conditions.get(&(Arc::clone(&clause.id), condition.to_string())) == Some(&false)
    });
    never
        .map(|(clause, _)| Finding {
            instructions: [instruction.to_owned()].into(),
            documents: [clause.document.to_string()].into(),
            clauses: [clause.id.to_string()].into(),
            summary: format!(
                "No state of up to four invocations meets the condition of this sentence: \
                 \u{201c}{}\u{201d}",
                clause.wording
            ),
            remedy: "A condition that some state meets, or no such sentence.".to_owned(),
            ..Finding::of(
                FindingKind::DeadClause,
                format!("{}/{}", FindingKind::DeadClause.name(), clause.id),
            )
        })
        .collect()
}
