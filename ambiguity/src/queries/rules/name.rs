//! Unknown names in rules.

use laneproof_tokens as tokens;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Fault, ModuleWitness, UnknownName};

/// One cause for each token that neither the grammar nor a document has, and one for each operand
/// that none of the instructions has.
pub(super) fn names(book: &Book<'_>) -> Vec<Cause> {
    let cause = |problem: &UnknownName<'_>| match &problem.fault {
        Fault::Token(kind, name) => {
            let nearest = tokens::nearest(kind, name).map(|name| format!(", but {name}"));
            Cause {
                about: Some(name.to_string()),
                summary: format!(
                    "{name}: the grammar has no such {kind}{}",
                    nearest.unwrap_or_default()
                ),
                remedy: "The name that the grammar has.".to_owned(),
                ..Cause::new(FindingKind::Token, "unknown", problem.rule)
            }
        }
        Fault::Operand(name) => Cause {
            about: Some(name.to_string()),
            instructions: problem.instructions.clone(),
            summary: format!(
                "A sentence is about {name}, which the instruction does not have (\u{201c}{}\u{201d}).",
                problem.rule.wording
            ),
            remedy: "The operand that is meant.".to_owned(),
            witness: problem.instructions.first().map(|instruction| ModuleWitness {
                instruction: instruction.clone(),
                field: name.to_string(),
                ..ModuleWitness::default()
            }),
            ..Cause::new(FindingKind::IllTyped, "no-such-operand", problem.rule)
        },
    };
    book.problems.iter().map(cause).collect()
}
