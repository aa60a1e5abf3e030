//! States in which two clauses give different consequences.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_queries::model_check::ModelCheckError;
use laneproof_semantics::language::ast::{AmbiguousShape, Clause, Expr, ExprKind, Statement};

use super::{Collected, shown};
use crate::finding::{Finding, FindingKind};
use crate::probe::{both, call, condition, not};
use crate::question::Case;

/// Two results for one lane that are not the same, or one beside a word for the index that it names.
pub(super) fn overlaps(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    two_results(case, found)?;
    beside_a_word(case, found)
}

fn two_results(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    let results: Vec<(&Clause, &Expr, Option<&Expr>)> = case
        .instruction
        .clauses
        .iter()
        .flat_map(|clause| clause.statements.iter().map(move |(it, _)| (&**clause, it)))
        .filter_map(|(clause, statement)| match statement {
            Statement::Result(value, when) => Some((clause, value, when.as_ref())),
            _ => None,
        })
        .collect();
    for (index, (first, value, when)) in results.iter().enumerate() {
        for (second, other, unless) in &results[index + 1..] {
            let kind = FindingKind::Overlap;
            let id = Finding::id_of(kind, "two-results", &second.document);
            if !case.wants(&id) {
                continue;
            }
            let span = value.span;
            let mut asked = not(call("same_bits", vec![(*value).clone(), (*other).clone()], span));
            for guard in [when, unless].into_iter().flatten() {
                asked = both((*guard).clone(), asked);
            }
            let state = case.smallest(|states, lane| {
                Ok(vec![condition(case, &settled, states, lane, asked.clone())?])
            })?;
            let Some(state) = state else { continue };
            let ways = [("the sentence that comes first".to_owned(), settled.clone())];
            let mut finding = shown(case, kind, id, &state, &ways)?;
            finding.clauses.extend([first.id.to_string(), second.id.to_string()]);
            finding.summary = format!(
                "Two sentences give one invocation different results: \u{201c}{}\u{201d} and \
                 \u{201c}{}\u{201d}.",
                first.wording, second.wording
            );
            finding.remedy = "Which of the two holds where both conditions do.".to_owned();
            found.findings.push(finding);
        }
    }
    Ok(())
}

/// A result is taken from a lane, and of the number that names the lane the same document says a word,
/// such as "out of range", that names no consequence: which of the two holds?
fn beside_a_word(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    let clauses = &case.instruction.clauses;
    let statements = || {
        clauses.iter().flat_map(|clause| clause.statements.iter().map(move |it| (clause, &it.0)))
    };
    for (second, word) in statements() {
        let Statement::Label(name, label) = word else { continue };
        let open = case.open.iter().find(|it| it.name == *name);
        if !open.is_some_and(|it| matches!(it.kind.shape, AmbiguousShape::Label(_))) {
            continue;
        }
        for (first, statement) in statements() {
            let Statement::Result(value, when) = statement else { continue };
            let id = Finding::id_of(FindingKind::Overlap, "result-beside-a-word", &first.document);
            let apart = first.document != second.document;
            if apart || !names_its_lane(clauses, value, label) || !case.wants(&id) {
                continue;
            }
            let guards = when.iter().chain([label]).cloned();
            let Some(asked) = guards.reduce(both) else { continue };
            let state = case.smallest(|states, lane| {
                Ok(vec![condition(case, &settled, states, lane, asked.clone())?])
            })?;
            let Some(state) = state else { continue };
            let ways = [("nothing beyond its words".to_owned(), settled.clone())];
            let mut finding = shown(case, FindingKind::Overlap, id, &state, &ways)?;
            finding.clauses.extend([first.id.to_string(), second.id.to_string()]);
            finding.summary = format!(
                "A result is given by one sentence (\u{201c}{}\u{201d}), and by another the number that \
                 names its lane is one for which no result is meant (\u{201c}{}\u{201d}): no sentence \
                 says that the first does not hold there.",
                first.wording, second.wording
            );
            finding.remedy =
                "The result is given where the number is in range; and what it is elsewhere."
                    .to_owned();
            found.findings.push(finding);
        }
    }
    Ok(())
}

/// The condition uses the name that selects the value's lane.
fn names_its_lane(clauses: &[Arc<Clause>], value: &Expr, condition: &Expr) -> bool {
    let ExprKind::At(_, lane) = &value.kind else { return false };
    let mut of_lane = BTreeSet::new();
    names(lane, &mut of_lane);
    let mut of_condition = BTreeSet::new();
    names(condition, &mut of_condition);
    // The bindings of the condition's names.
    let lets = || clauses.iter().flat_map(|clause| &clause.statements);
    loop {
        let before = of_condition.len();
        for (statement, _) in lets() {
            if let Statement::Let(function) = statement
                && of_condition.contains(&*function.name)
                && !of_lane.contains(&*function.name)
            {
                names(&function.body, &mut of_condition);
            }
        }
        if of_condition.len() == before {
            break;
        }
    }
    !of_lane.is_disjoint(&of_condition)
}

fn names<'e>(expr: &'e Expr, found: &mut BTreeSet<&'e str>) {
    if let ExprKind::Name(name) = &expr.kind {
        found.insert(name);
    }
    expr.parts().into_iter().for_each(|part| names(part, found));
}
