//! Places where sorts do not fit.

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::Span;

use crate::finding::{Finding, FindingKind};

/// One finding for each rule that a document breaks.
pub fn ill_typed(texts: &AsWritten) -> Vec<Finding> {
    let inside = |outer: Span, inner: Span| {
        outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
    };
    let mut findings = Vec::new();
    for place in &texts.ill_typed {
        for instruction in texts.specification.instructions.values() {
            for clause in &instruction.clauses {
                if !inside(clause.span, place.span) {
                    continue;
                }
                let cause = place.cause;
                findings.push(Finding {
                    instructions: [instruction.name.to_string()].into(),
                    documents: [clause.document.to_string()].into(),
                    clauses: [clause.id.to_string()].into(),
                    summary: format!(
                        "Types do not fit: {}, and {} (\u{201c}{}\u{201d})",
                        place.message, place.found, clause.wording
                    ),
                    remedy: "Which component is meant, or a term of the right type.".to_owned(),
                    ..Finding::of(
                        FindingKind::IllTyped,
                        Finding::id_of(FindingKind::IllTyped, cause, &clause.document),
                    )
                });
            }
        }
    }
    findings
}
