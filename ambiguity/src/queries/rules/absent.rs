//! Lists for several operands and several named instructions, some of which lack an operand that
//! others have.

use laneproof_semantics::language::rule::{DemandSubject, Member};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, FieldValue};
use crate::spelling::field_in_words;

/// The most instructions that a sentence names one by one; more are a class of them.
const NAMED: usize = 4;

/// One cause for each such list.
pub(super) fn in_some(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for list in book.resolved.iter().filter(|it| it.permits()) {
        let DemandSubject::Fields { fields, within: None, group } = &list.demand.subject else {
            continue;
        };
        let named = group.members.iter().all(|it| matches!(it, Member::Named(_)));
        let types = list.values.iter().any(|it| matches!(it, FieldValue::Type(_)));
        let several = (2..=NAMED).contains(&list.instructions.len());
        if !named || !types || fields.len() < 2 || !several {
            continue;
        }
        let lacking: Vec<(&String, Vec<&str>)> = list
            .instructions
            .iter()
            .map(|instruction| {
                let lacks = |field: &&str| book.known.has(instruction, field) == Some(false);
                (instruction, fields.iter().map(|it| &**it).filter(lacks).collect())
            })
            .collect();
        let whole = lacking.iter().any(|(_, fields)| fields.is_empty());
        let lacking: Vec<_> =
            lacking.into_iter().filter(|(_, fields)| !fields.is_empty()).collect();
        if !whole || lacking.is_empty() {
            continue;
        }
        let words = |fields: &[&str]| {
            fields.iter().map(|it| field_in_words(it)).collect::<Vec<_>>().join(" and ")
        };
        let all: Vec<&str> = fields.iter().map(|it| &**it).collect();
        let parts: Vec<String> = lacking
            .iter()
            .map(|(name, fields)| format!("{name} has no {}", words(fields)))
            .collect();
        causes.push(Cause {
            about: Some(format!("operands-of-some-only/{}", all.join("-"))),
            instructions: list.instructions.clone(),
            summary: format!(
                "A sentence gives types for {} of several instructions alike, and {}.",
                words(&all),
                parts.join(", ")
            ),
            remedy: "“And/or”, or the operands that each of them has.".to_owned(),
            ..Cause::new(FindingKind::Token, "operands-of-some-only", list.rule)
        });
    }
    causes
}
