//! Places where sorts do not fit.

use laneproof_semantics::as_written::{AsWritten, IllTyped, IllTypedCause};
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
                let (summary, remedy) = said(place, &clause.wording);
                findings.push(Finding {
                    instructions: [instruction.name.to_string()].into(),
                    documents: [clause.document.to_string()].into(),
                    clauses: [clause.id.to_string()].into(),
                    summary,
                    remedy,
                    ..Finding::of(
                        FindingKind::IllTyped,
                        Finding::id_of(FindingKind::IllTyped, place.cause.word(), &clause.document),
                    )
                });
            }
        }
    }
    findings
}

/// What does not fit, and what would settle it.
fn said(place: &IllTyped, wording: &str) -> (String, String) {
    let IllTyped { message, found, help, .. } = place;
    match place.cause {
        IllTypedCause::VectorAsScalar => (
            format!("Types do not fit: {message}, and {found} (\u{201c}{wording}\u{201d})"),
            "Which component is meant, or a term of the right type.".to_owned(),
        ),
        IllTypedCause::Formula => (
            format!(
                "The formula for a sentence (\u{201c}{wording}\u{201d}) does not fit together: \
                 {message} ({found})."
            ),
            help.clone().unwrap_or_else(|| "A term of the right type.".to_owned()),
        ),
    }
}
