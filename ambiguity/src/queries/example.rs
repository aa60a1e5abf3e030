//! Examples and overviews against the formula.

use laneproof_semantics::language::ast::{BinaryOp, Expr, ExprKind, Statement, UnaryOp};
use laneproof_smt::model_check::ModelCheckError;

use super::probe::condition;
use super::{Found, shown};
use crate::finding::FindingKind;
use crate::search::Case;

/// Examples speak of subgroups with as many lanes.
const EXAMPLES: [u32; 4] = [1, 4, 8, 16];

/// States in which what an example says does not follow.
pub(super) fn examples(case: &Case<'_>, found: &mut Found) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    for clause in &case.instruction.clauses {
        for (statement, span) in &clause.statements {
            let Statement::Example(holds, when) = statement else { continue };
            let span = *span;
            let fails = ExprKind::Unary(UnaryOp::Not, Box::new(holds.clone()));
            let mut asked = Expr { kind: fails, span };
            if let Some(when) = when {
                let (when, rest) = (Box::new(when.clone()), Box::new(asked));
                asked = Expr { kind: ExprKind::Binary(BinaryOp::And, when, rest), span };
            }
            let state = case.smallest_of(&EXAMPLES, |states, lane| {
                Ok(vec![condition(case, &settled, states, lane, asked.clone())?])
            })?;
            let Some(state) = state else { continue };
            let ways = [("the formula".to_owned(), settled.clone())];
            let kind = FindingKind::Overlap;
            let document = &clause.document;
            let mut finding = shown(case, kind, "prose-and-formula", document, &state, &ways)?;
            finding.clauses.insert(clause.id.to_string());
            finding.summary = format!(
                "What an example or overview says does not follow from the formula: {}",
                clause.wording
            );
            found.findings.push(finding);
        }
    }
    Ok(())
}
