//! Conditions that a document has in one sentence and not in another about the same.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::{Fact, Values};
use laneproof_tokens as tokens;

use super::{Cause, short};
use crate::finding::FindingKind;
use crate::rules::{
    Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand, longest_list, needs,
};

/// One cause for each document, of types and of capabilities.
pub(super) fn left_out(book: &Book<'_>) -> Vec<Cause> {
    let documents = book.documents().into_iter();
    documents.flat_map(|it| of_types(book, it).into_iter().chain(of_extensions(book, it))).collect()
}

fn facts<'s>(resolved: &'s ResolvedDemand<'_>) -> Vec<&'s Fact> {
    let mut facts = Vec::new();
    resolved.when().facts(&mut facts);
    facts
}

fn has(resolved: &ResolvedDemand<'_>, wanted: impl Fn(&Fact) -> bool) -> bool {
    facts(resolved).into_iter().any(wanted)
}

/// Types are accepted with the condition that the capability which they need is declared, and
/// elsewhere without it. What every environment accepts needs no condition.
fn of_types(book: &Book<'_>, document: &str) -> Option<Cause> {
    let always = longest_list(book, document).map(facts);
    let unconditional = |capability: &str| {
        book.of_document(document).any(|it| {
            it.is_of("", "Capability")
                && it.permits()
                && it.values.iter().any(|it| it.to_string() == capability)
                && Some(facts(it)) == always
        })
    };
    // A list that leaves the types open names none.
    let open = |resolved: &ResolvedDemand<'_>| {
        resolved.demand.values.iter().any(|values| match values {
            Values::Types { elements, .. } => elements.iter().any(|it| &**it == "any"),
            _ => false,
        })
    };
    let of = |resolved: &ResolvedDemand<'_>, capability: &str| -> Option<FieldValue> {
        let need = |value: &&FieldValue| {
            matches!(value, FieldValue::Type(_))
                && needs("", value).iter().any(|any| any.iter().any(|it| it == capability))
        };
        resolved.values.iter().find(need).filter(|_| !open(resolved)).cloned()
    };
    let mut with: BTreeMap<&str, &ResolvedDemand<'_>> = BTreeMap::new();
    for resolved in book.of_document(document).filter(|it| it.permits()) {
        for fact in facts(resolved) {
            let Fact::Capability(capability) = fact else { continue };
            if of(resolved, capability).is_some() && !unconditional(capability) {
                with.insert(&**capability, resolved);
            }
        }
    }
    let mut cause: Option<Cause> = None;
    let mut without: BTreeMap<&str, String> = BTreeMap::new();
    for (capability, kept) in &with {
        for resolved in book.of_document(document).filter(|it| it.permits()) {
            let named = |fact: &Fact| matches!(fact, Fact::Capability(it) if &**it == *capability);
            let Some(value) = of(resolved, capability).filter(|_| !has(resolved, named)) else {
                continue;
            };
            let Some((instruction, field)) = resolved.places.first() else { continue };
            let of_instruction = format!("{} of {instruction}", short(field));
            without.entry(capability).or_insert(of_instruction);
            let new = || Cause {
                clauses: [kept.rule.id.to_string()].into(),
                witness: Some(ModuleWitness {
                    instruction: instruction.clone(),
                    field: field.clone(),
                    value: Some(value),
                    circumstances: Circumstances::default(),
                }),
                ..Cause::new(FindingKind::Gap, "types-without-their-capability", kept.rule)
            };
            let cause = cause.get_or_insert_with(new);
            cause.instructions.extend(resolved.instructions.iter().cloned());
            cause.clauses.insert(resolved.rule.id.to_string());
        }
    }
    let mut cause = cause?;
    let shown: Vec<String> = without
        .iter()
        .map(|(capability, place)| format!("{capability} (as for {place})"))
        .collect();
    cause.summary = format!(
        "Some sentences accept types only where the capability that they need is declared; others \
         accept the same types and leave that out: {}.",
        shown.join(", ")
    );
    cause.remedy = "The same condition in every sentence about these types.".to_owned();
    Some(cause)
}

/// A capability that an extension brings is accepted where the module declares the extension, and
/// another one without that condition.
fn of_extensions(book: &Book<'_>, document: &str) -> Option<Cause> {
    let lists =
        || book.of_document(document).filter(|it| it.is_of("", "Capability") && it.permits());
    let brings = |value: &FieldValue| {
        let token = tokens::named("Capability", &value.to_string());
        token.map(|it| it.extensions()).unwrap_or_default()
    };
    let declared =
        |resolved: &ResolvedDemand<'_>| has(resolved, |it| matches!(it, Fact::Extension(_)));
    let careful = lists().find(|it| declared(it))?;
    let mut lacking: BTreeSet<String> = BTreeSet::new();
    let mut cause = Cause {
        clauses: [careful.rule.id.to_string()].into(),
        ..Cause::new(FindingKind::Gap, "capability-without-its-extension", careful.rule)
    };
    for resolved in lists().filter(|it| !declared(it)) {
        for value in resolved.values.iter().filter(|it| !brings(it).is_empty()) {
            // The core has it, too, since a version.
            let accepted = book.of_document(document).any(|it| {
                it.is_of("", "Extension")
                    && it.values.iter().any(|it| brings(value).contains(&it.to_string().as_str()))
            });
            if accepted {
                lacking.insert(value.to_string());
                cause.clauses.insert(resolved.rule.id.to_string());
                cause.witness.get_or_insert_with(|| ModuleWitness {
                    field: "Capability".to_owned(),
                    value: Some(value.clone()),
                    ..ModuleWitness::default()
                });
            }
        }
    }
    let others: BTreeSet<String> = careful.values.iter().map(ToString::to_string).collect();
    let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    cause.summary = format!(
        "Capabilities that an extension brings must be accepted, and no sentence says that the \
         module must declare the extension: {}. Of others ({}) a sentence does.",
        list(&lacking),
        list(&others)
    );
    cause.remedy =
        "When use of the extension is declared in the module, as for the others.".to_owned();
    (!lacking.is_empty()).then_some(cause)
}
