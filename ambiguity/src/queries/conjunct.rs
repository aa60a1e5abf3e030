//! Bounds that another bound beside them implies: a part of a condition that never decides anything.

use std::sync::Arc;

use laneproof_semantics::language::ast::{BinaryOp, Clause, Expr, ExprKind, Statement};
use rayon::prelude::*;

use super::{Collected, dead};
use crate::finding::{Finding, FindingKind};
use crate::found::Conditions;
use crate::found::collected;
use crate::probe::{both, condition, not};
use crate::question::{Case, LANES};

/// A bound in a condition, with the other conjuncts.
struct Bound<'c> {
    clause: &'c Arc<Clause>,
    bound: &'c Expr,
    beside: Vec<&'c Expr>,
}

impl Bound<'_> {
    fn key(&self) -> (Arc<str>, String) {
        (Arc::clone(&self.clause.id), format!("the bound {}", self.bound))
    }

    /// All other conjuncts hold, and the bound does not.
    fn decides(&self) -> Option<Expr> {
        let beside = self.beside.iter().copied().cloned().reduce(both)?;
        Some(both(beside, not(self.bound.clone())))
    }
}

/// Looks for a state in which each bound decides, in any form and however the text is read.
pub fn bounds(cases: &[&Case<'_>]) -> Collected {
    let Some(first) = cases.first().filter(|case| case.staging.is_none()) else {
        return Collected::default();
    };
    let bounds = of_clauses(&first.instruction.clauses);
    let met = bounds.par_iter().map(|bound| met(cases, bound));
    met.reduce(Collected::default, Collected::and)
}

fn met(cases: &[&Case<'_>], bound: &Bound<'_>) -> Collected {
    let mut all = Collected::default();
    let Some(decides) = bound.decides() else { return all };
    for case in cases {
        for way in case.each_way() {
            let here = collected(case, |found| {
                let state = case.unstaged(&LANES, |states, lane| {
                    Ok(vec![condition(case, &way, states, lane, decides.clone())?])
                })?;
                found.conditions.insert(bound.key(), state.is_some());
                Ok(())
            });
            // A form without an operand of the condition has no such bound.
            if !here.unsearched.is_empty() {
                break;
            }
            all = all.and(here);
            if all.conditions.get(&bound.key()) == Some(&true) {
                return all;
            }
        }
    }
    all
}

/// The bounds that decide in no state, one finding each.
pub fn idle(clauses: &[Arc<Clause>], instruction: &str, conditions: &Conditions) -> Vec<Finding> {
    let bounds = of_clauses(clauses).into_iter();
    let never = bounds.filter(|bound| conditions.get(&bound.key()) == Some(&false));
    never
        .map(|Bound { clause, .. }| {
            let id = format!("bound-that-never-decides/{}", clause.id);
            Finding {
                instructions: [instruction.to_owned()].into(),
                documents: [clause.document.to_string()].into(),
                clauses: [clause.id.to_string()].into(),
                summary: format!(
                    "A bound in a condition follows from the rest of it in every state of up to four \
                     invocations, and never decides: \u{201c}{}\u{201d}",
                    clause.wording
                ),
                remedy: "The condition without that bound, or the bound that was meant.".to_owned(),
                editorial: true,
                ..Finding::of(FindingKind::Token, format!("{}/{id}", FindingKind::Token.name()))
            }
        })
        .collect()
}

fn of_clauses(clauses: &[Arc<Clause>]) -> Vec<Bound<'_>> {
    let mut bounds = Vec::new();
    for clause in clauses {
        for (statement, _) in &clause.statements {
            match statement {
                Statement::Let(function) if function.parameters.is_empty() => {
                    walk(clause, &function.body, &mut bounds);
                }
                Statement::Let(_) | Statement::ResultsSuchThat(_) | Statement::Example(..) => {}
                other => {
                    other.expressions().into_iter().for_each(|it| walk(clause, it, &mut bounds));
                }
            }
        }
    }
    bounds
}

/// The bounds of each conjunction in an expression, but under quantifiers.
fn walk<'c>(clause: &'c Arc<Clause>, expr: &'c Expr, bounds: &mut Vec<Bound<'c>>) {
    match &expr.kind {
        ExprKind::Quantified { .. } | ExprKind::Fold { .. } | ExprKind::SomeOrder { .. } => {}
        ExprKind::Binary(BinaryOp::And, ..) => {
            let mut parts = Vec::new();
            conjuncts(expr, &mut parts);
            for (at, bound) in parts.iter().enumerate().filter(|(_, it)| is_bound(it)) {
                let others = parts.iter().enumerate();
                let others = others.filter(|(other, it)| *other != at && is_about_numbers(it));
                let beside: Vec<&Expr> = others.map(|(_, it)| *it).collect();
                if !beside.is_empty() && !dead::of_form(bound) {
                    bounds.push(Bound { clause, bound, beside });
                }
            }
            parts.into_iter().for_each(|part| walk(clause, part, bounds));
        }
        _ => expr.parts().into_iter().for_each(|part| walk(clause, part, bounds)),
    }
}

fn conjuncts<'c>(expr: &'c Expr, parts: &mut Vec<&'c Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(expr),
    }
}

fn is_bound(expr: &Expr) -> bool {
    use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
    matches!(&expr.kind, ExprKind::Binary(Less | LessEqual | Greater | GreaterEqual, ..))
}

/// A bound, or a word for a property of numbers. That a lane exists or is active bounds its number
/// too, but a sentence that says both says what it means.
fn is_about_numbers(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(name, _) => {
            !["exists", "active", "inactive", "present", "capability"].contains(&&**name)
        }
        _ => is_bound(expr),
    }
}
