//! Bounds that another bound beside them implies: a part of a condition that never decides anything.

use std::sync::Arc;

use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::language::ast::{
    AmbiguousShape, BinaryOp, Clause, Expr, ExprKind, Statement,
};
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

/// A condition of a bound's own: it decides in some state if a choice point is read so, alone or with
/// another point read otherwise.
fn read_so(bound: &Bound<'_>, point: &ChoicePoint, way: &str, beside: &str) -> (Arc<str>, String) {
    let (clause, bound) = bound.key();
    (clause, [bound.as_str(), &point.kind.name, &point.term, way, beside].join("\n"))
}

/// Whether sums and differences are exact: of a number with a sign that is another question than of one
/// without.
fn is_arithmetic(point: &ChoicePoint) -> bool {
    point.alternatives.iter().any(|it| &**it == EXACT)
}

/// How arithmetic is read where it never wraps.
const EXACT: &str = "exact";

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
                return all.and(by_sign(case, bound, &decides));
            }
        }
    }
    all
}

/// Where a bound decides in some state: whether it does by each way to read the sign of an operand.
fn by_sign(case: &Case<'_>, bound: &Bound<'_>, decides: &Expr) -> Collected {
    let signs = case.open.iter().filter(|it| matches!(it.kind.shape, AmbiguousShape::Integer(_)));
    let exactly = case
        .open
        .iter()
        .filter(|it| is_arithmetic(it))
        .fold(case.base.clone(), |all, it| all.with(&it.name, EXACT));
    let bases = [("", case.base.clone()), (EXACT, exactly)];
    let each = signs.flat_map(|point| {
        let bases = bases.clone();
        point.alternatives.iter().flat_map(move |way| bases.clone().map(|base| (way, base))).map(
            move |(way, (beside, base))| {
                let settled = base.with(&point.name, way);
                collected(case, |found| {
                    let state = case.unstaged(&LANES, |states, lane| {
                        Ok(vec![condition(case, &settled, states, lane, decides.clone())?])
                    })?;
                    found.conditions.insert(read_so(bound, point, way, beside), state.is_some());
                    Ok(())
                })
            },
        )
    });
    each.fold(Collected::default(), Collected::and)
}

/// The bounds that decide by one way to read an operand's sign and by no other, one finding each.
pub fn of_one_sign(
    clauses: &[Arc<Clause>],
    instruction: &str,
    conditions: &Conditions,
    points: &[ChoicePoint],
) -> Vec<Finding> {
    let mut found = Vec::new();
    for bound in of_clauses(clauses) {
        // Of a part of an operand a sentence has no word of its own that it could be read by.
        let whole = |it: &&ChoicePoint| it.term.chars().all(char::is_alphanumeric);
        let own = points.iter().filter(|it| *it.instruction == *instruction);
        for point in own.filter(whole) {
            let Some((only, beside)) = ["", EXACT].into_iter().find_map(|beside| {
                let decides =
                    |way: &&Arc<str>| conditions.get(&read_so(&bound, point, way, beside)).copied();
                let known = point.alternatives.iter().all(|way| decides(&way).is_some());
                let ways = point.alternatives.iter().filter(|way| decides(way) == Some(true));
                let [only] = ways.collect::<Vec<_>>()[..] else { return None };
                (known && point.alternatives.len() > 1).then_some((only, beside))
            }) else {
                continue;
            };
            let exactly = match beside {
                EXACT => ", where sums and differences are exact",
                _ => "",
            };
            let clause = bound.clause;
            let id = format!("bound-by-one-sign/{}/{}", clause.document, point.term);
            found.push(Finding {
                instructions: [instruction.to_owned()].into(),
                documents: [clause.document.to_string()].into(),
                clauses: [clause.id.to_string()].into(),
                summary: format!(
                    "A bound in a condition decides in some state only if {} is {only}{exactly}, and no \
                     sentence says that it is: \u{201c}{}\u{201d}",
                    point.term, clause.wording
                ),
                remedy: format!("A sentence that {} is treated as {only}, or no such bound.", point.term),
                ..Finding::of(
                    FindingKind::Divergence,
                    format!("{}/{id}", FindingKind::Divergence.name()),
                )
            });
        }
    }
    found
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
