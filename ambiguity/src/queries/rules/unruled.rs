//! Instructions that a rule leaves out, though they have the operand that it is about.

use std::collections::BTreeSet;

use laneproof_semantics::language::rule::{DemandSubject, Force, Member};
use laneproof_tokens as tokens;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, ModuleWitness, ResolvedDemand, accepted};
use crate::spelling::spaced;

/// One cause for each document and operand: a requirement names some instructions, but not others
/// that modules may have and that take the same operand.
pub(super) fn left_out(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for resolved in book.resolved.iter().filter(|it| restricts(it) && names_each(it)) {
        for field in resolved.places.iter().map(|(_, field)| field).collect::<BTreeSet<_>>() {
            let others = others(book, resolved, field);
            let Some(first) = others.first() else { continue };
            let named: Vec<&str> = resolved.instructions.iter().map(String::as_str).collect();
            causes.push(Cause {
                about: Some(field.clone()),
                summary: format!(
                    "A rule about {} is for {}: no sentence says whether others that have the \
                     operand, as {first} has, are restricted in the same way.",
                    spaced(field),
                    named.join(" and ")
                ),
                remedy: "The rule for every instruction that has the operand, or that others may \
                         have anything there."
                    .to_owned(),
                witness: Some(ModuleWitness {
                    instruction: first.clone(),
                    field: field.clone(),
                    value: resolved.values.first().cloned(),
                    circumstances: Circumstances::default(),
                }),
                instructions: others.iter().cloned().chain(resolved.instructions.clone()).collect(),
                ..Cause::new(FindingKind::Gap, "rule-for-some", resolved.rule)
            });
        }
    }
    causes
}

fn restricts(resolved: &ResolvedDemand<'_>) -> bool {
    matches!(resolved.demand.force, Force::Requires | Force::Forbids)
}

/// It is about instructions by their names, not about all of some kind.
fn names_each(resolved: &ResolvedDemand<'_>) -> bool {
    match &resolved.demand.subject {
        DemandSubject::Fields { group, within: None, .. } => {
            group.members.iter().all(|it| matches!(it, Member::Named(name) if !name.ends_with('*')))
        }
        _ => false,
    }
}

/// Instructions with an operand of this kind that a module may have by this document, and of whose
/// operand the document says nothing.
fn others(book: &Book<'_>, resolved: &ResolvedDemand<'_>, field: &str) -> BTreeSet<String> {
    let document = resolved.document();
    let accepted = accepted(book, document);
    let usable = |name: &String| {
        let any = book.known.capabilities(name);
        any.is_empty() || any.iter().any(|it| accepted.contains(it))
    };
    let ruled = |name: &String| {
        book.of_document(document).any(|it| it.is_of(name, field) || is_for_every(it, field))
    };
    let mut taking: BTreeSet<String> = tokens::taking(field).into_iter().collect();
    if taking.is_empty() {
        taking = siblings(book, resolved, field);
    }
    taking.retain(|name| usable(name) && !ruled(name));
    taking
}

/// Instructions that a capability enables which enables one of those that are named, too, and that
/// have an operand of this name.
fn siblings(book: &Book<'_>, resolved: &ResolvedDemand<'_>, field: &str) -> BTreeSet<String> {
    let of = |name: &String| book.known.capabilities(name);
    let capabilities: BTreeSet<String> = resolved.instructions.iter().flat_map(of).collect();
    let enabled = capabilities.iter().flat_map(|name| book.known.enabled_by(name));
    enabled.filter(|name| book.known.has(name, field) == Some(true)).collect()
}

/// It is about all instructions that have the operand, whichever these are.
fn is_for_every(resolved: &ResolvedDemand<'_>, field: &str) -> bool {
    match &resolved.demand.subject {
        DemandSubject::Fields { fields, group, within: None } => {
            let every = group.members.iter().any(|it| matches!(it, Member::Every));
            every && fields.iter().any(|it| **it == *field)
        }
        _ => false,
    }
}
