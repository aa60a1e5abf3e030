//! Conditions that no state meets.

use std::collections::BTreeMap;
use std::sync::Arc;

use laneproof_semantics::language::ast::{Clause, Expr, ExprKind, Statement};
use laneproof_smt::model_check::ModelCheckError;

use super::Found;
use super::probe::condition;
use crate::finding::{Finding, FindingKind};
use crate::search::Case;

/// For each condition of a clause, as it is written: whether a state meets it.
pub type Conditions = BTreeMap<(Arc<str>, String), bool>;

/// Looks for a state that meets each condition which none was seen to meet yet.
pub(super) fn conditions(case: &Case<'_>, found: &mut Found) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    for (clause, asked) in stated(&case.instruction.clauses).filter(|(_, it)| !of_form(it)) {
        let met = found.conditions.entry((Arc::clone(&clause.id), asked.to_string())).or_default();
        if *met {
            continue;
        }
        let state = case.smallest(|states, lane| {
            Ok(vec![condition(case, &settled, states, lane, asked.clone())?])
        })?;
        *met = state.is_some();
    }
    Ok(())
}

/// It asks about the form alone, of which not all are searched.
fn of_form(condition: &Expr) -> bool {
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
        .map(|(clause, condition)| Finding {
            id: format!("{}/{}", FindingKind::DeadClause.name(), clause.id),
            kind: FindingKind::DeadClause,
            instructions: [instruction.to_owned()].into(),
            documents: [clause.document.to_string()].into(),
            clauses: [clause.id.to_string()].into(),
            summary: format!(
                "No state of up to four lanes meets the condition of this sentence: {condition} \
                 (\u{201c}{}\u{201d})",
                clause.wording
            ),
            remedy: "A condition that some state meets, or no such sentence.".to_owned(),
            readings: Vec::new(),
            witness: None,
            module: None,
            scenes: Vec::new(),
            litmus: None,
            without_litmus: None,
        })
        .collect()
}
