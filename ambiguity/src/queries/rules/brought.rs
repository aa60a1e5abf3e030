//! Capabilities that an environment is to accept, and that bring others which it is not.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_tokens as tokens;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, prohibits, smallest};

/// Numbers of execution models.
const MODELS: std::ops::Range<u32> = 0..16;

/// One cause for each document: whoever declares one capability declares another one with it, by the
/// grammar, no sentence has the environment accept that one, and the modules that it is for are illegal.
pub(super) fn unaccepted(book: &Book<'_>) -> Vec<Cause> {
    book.documents().into_iter().filter_map(|document| of_document(book, document)).collect()
}

fn of_document(book: &Book<'_>, document: &str) -> Option<Cause> {
    let lists: Vec<_> = book
        .of_document(document)
        .filter(|it| it.permits() && it.is_of("", "Capability"))
        .collect();
    let stated: BTreeSet<String> =
        lists.iter().flat_map(|it| it.values.iter().map(ToString::to_string)).collect();
    let mut bringing: BTreeMap<String, BTreeSet<&String>> = BTreeMap::new();
    for name in &stated {
        // The capability that is named itself, not what that one brings in turn.
        let direct = tokens::named("Capability", name).map(|it| it.capabilities());
        let open = |it: &String| !stated.contains(it) && is_of_other_modules(book, document, it);
        for brought in direct.into_iter().flatten().filter(open) {
            bringing.entry(brought).or_default().insert(name);
        }
    }
    let lacking: Vec<&str> = bringing.keys().map(String::as_str).collect();
    let names: BTreeSet<&str> = bringing.values().flatten().map(|it| it.as_str()).collect();
    let of_these = |it: &&&_| {
        let it: &crate::rules::ResolvedDemand<'_> = it;
        it.values.iter().any(|value| names.contains(value.to_string().as_str()))
    };
    let cited: Vec<_> = lists.iter().filter(of_these).collect();
    let first = cited.first()?;
    let value = first.values.iter().find(|it| names.contains(it.to_string().as_str()))?;
    Some(Cause {
        summary: format!(
            "Capabilities are to be accepted that declare another one with them, {}: {}. No sentence \
             has the environment accept that one, and execution models that need it are illegal.",
            lacking.join(", "),
            names.iter().copied().collect::<Vec<_>>().join(", ")
        ),
        remedy: "The environment accepts what these capabilities bring, too, or capabilities that \
                 bring nothing else."
            .to_owned(),
        clauses: cited.iter().map(|it| it.rule.id.to_string()).collect(),
        witness: Some(ModuleWitness {
            field: "Capability".to_owned(),
            value: Some(value.clone()),
            circumstances: smallest(&[first.when()], |it| it.meet(first.when()))?,
            ..ModuleWitness::default()
        }),
        ..Cause::new(FindingKind::Gap, "capability-that-brings-another", first.rule)
    })
}

/// The capability is for execution models, and the document makes all of these illegal.
fn is_of_other_modules(book: &Book<'_>, document: &str, capability: &str) -> bool {
    let models: Vec<String> = MODELS
        .filter_map(|number| tokens::token_of_number("ExecutionModel", number))
        .filter_map(|name| tokens::named("ExecutionModel", &name))
        .filter(|model| model.capabilities().iter().any(|it| it == capability))
        .map(|model| model.name)
        .collect();
    let none = Circumstances::default();
    let illegal = |name: &String| {
        let value = FieldValue::Word(name.as_str().into());
        !prohibits(book, document, ("", "ExecutionModel"), &value, &none, true).is_empty()
    };
    !models.is_empty() && models.iter().all(illegal)
}
