//! States in which two clauses give different consequences.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_semantics::language::ast::{Clause, Expr, Statement};

use super::probe::{both, call, condition, not};
use super::{Found, shown};
use crate::finding::{Finding, FindingKind};
use crate::search::Case;

/// Two results for one lane that are not the same.
pub(super) fn overlaps(case: &Case<'_>, found: &mut Found) -> Result<(), ModelCheckError> {
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
                "Two sentences give one lane different results: \u{201c}{}\u{201d} and \u{201c}{}\u{201d}.",
                first.wording, second.wording
            );
            finding.remedy = "Which of the two holds where both conditions do.".to_owned();
            found.findings.push(finding);
        }
    }
    Ok(())
}
