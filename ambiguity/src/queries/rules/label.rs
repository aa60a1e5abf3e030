//! Consequences that a rule names and that no sentence defines.

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Alternative, AmbiguousShape, Consequence, ReadingKind};
use laneproof_semantics::language::rule::Force;

use super::Cause;
use crate::finding::FindingKind;
use crate::reading_outcome::ReadingOutcome;
use crate::rules::{Book, ModuleWitness, smallest};

/// Defined consequences.
const PLAIN: [&str; 2] = ["undefined behavior", "undefined value"];

/// How a finding about a word without a definition begins.
const NOT_DEFINED: &str = "A consequence is named, but not what it is";

/// One cause for each word.
pub(super) fn labels(book: &Book<'_>, texts: &AsWritten) -> Vec<Cause> {
    let mut causes = Vec::new();
    for resolved in &book.resolved {
        let Force::Label(label) = &resolved.demand.force else { continue };
        if PLAIN.contains(&&**label) {
            continue;
        }
        let of_label = |kind: &&std::sync::Arc<ReadingKind>| match &kind.shape {
            AmbiguousShape::Label(of) => of == label,
            _ => false,
        };
        let kind = texts.specification.kinds.iter().find(of_label);
        let witness =
            smallest(&[resolved.when()], |it| it.meet(resolved.when())).map(|circumstances| {
                let instruction = resolved.instructions.first().cloned().unwrap_or_default();
                ModuleWitness { instruction, circumstances, ..ModuleWitness::default() }
            });
        // Sentences about the instructions of another document are separate causes.
        let own = |it: &String| book.known.home(it) == Some(resolved.document());
        let last = resolved.rule.sentences.last().map(u32::to_string);
        causes.push(Cause {
            about: last.filter(|_| !resolved.instructions.iter().any(own)),
            instructions: resolved.instructions.clone(),
            summary: match kind {
                Some(kind) => {
                    format!("{} (\u{201c}{}\u{201d})", kind.question, resolved.rule.wording)
                }
                None => format!("{NOT_DEFINED}: \u{201c}{}\u{201d}", resolved.rule.wording),
            },
            remedy: match kind.and_then(|kind| kind.remedy.as_deref()) {
                Some(remedy) => remedy.to_owned(),
                None => "What exactly follows.".to_owned(),
            },
            witness,
            names_only: kind.is_none(),
            readings: kind.map(|kind| alternatives(kind)).unwrap_or_default(),
            ..Cause::new(FindingKind::Gap, kind.map_or(&**label, |kind| &*kind.name), resolved.rule)
        });
    }
    causes
}

/// The ways to read it.
fn alternatives(kind: &ReadingKind) -> Vec<ReadingOutcome> {
    let outcome = |alternative: &Alternative| match alternative {
        Alternative::Consequence(Consequence::UndefinedValue) => "an undefined value",
        Alternative::Consequence(Consequence::UndefinedBehavior) => "undefined behavior",
        Alternative::Consequence(Consequence::ImplementationValue) => {
            "a value that the implementation defines"
        }
        _ => "the text does not say",
    };
    let reads = kind.alternatives.iter().map(|(name, alternative)| ReadingOutcome {
        name: name.to_string(),
        outcome: outcome(alternative).to_owned(),
        lanes: Vec::new(),
    });
    reads.collect()
}
