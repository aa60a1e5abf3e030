//! Instructions that a rule leaves out, though they have the operand that it is about.

use std::collections::BTreeSet;

use laneproof_fuzz::grammar;
use laneproof_semantics::language::rule::{DemandSubject, Force, Member};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, ModuleWitness, ResolvedDemand, accepted};

/// One cause for each document and operand: what must or must not stand there is said of some
/// instructions by name, and of others that modules may have and that take the same operand nothing
/// is said.
pub(super) fn left_out(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for said in book.said.iter().filter(|it| restricts(it) && names_each(it)) {
        for field in said.places.iter().map(|(_, field)| field).collect::<BTreeSet<_>>() {
            let others = others(book, said, field);
            let Some(first) = others.first() else { continue };
            let named: Vec<&str> = said.instructions.iter().map(String::as_str).collect();
            causes.push(Cause {
                about: Some(field.clone()),
                summary: format!(
                    "A rule about {field} is for {}: no sentence says whether others that have the \
                     operand, as {first} has, are restricted in the same way.",
                    named.join(" and ")
                ),
                remedy: "The rule for every instruction that has the operand, or that others may \
                         have anything there."
                    .to_owned(),
                witness: Some(ModuleWitness {
                    instruction: first.clone(),
                    field: field.clone(),
                    value: said.values.first().cloned(),
                    circumstances: Circumstances::default(),
                }),
                instructions: others.iter().cloned().chain(said.instructions.clone()).collect(),
                ..Cause::new(FindingKind::Gap, "rule-for-some", said.rule)
            });
        }
    }
    causes
}

fn restricts(said: &ResolvedDemand<'_>) -> bool {
    matches!(said.demand.force, Force::Requires | Force::Forbids)
}

/// It is about instructions by their names, not about all of some kind.
fn names_each(said: &ResolvedDemand<'_>) -> bool {
    match &said.demand.subject {
        DemandSubject::Fields { group, within: None, .. } => {
            group.members.iter().all(|it| matches!(it, Member::Named(name) if !name.ends_with('*')))
        }
        _ => false,
    }
}

/// Instructions with an operand of this kind that a module may have by this document, and of whose
/// operand the document says nothing.
fn others(book: &Book<'_>, said: &ResolvedDemand<'_>, field: &str) -> BTreeSet<String> {
    let document = said.document();
    let accepted = accepted(book, document);
    let usable = |name: &String| {
        let any = book.known.capabilities(name);
        any.is_empty() || any.iter().any(|it| accepted.contains(it))
    };
    let ruled = |name: &String| {
        book.of_document(document).any(|it| it.is_of(name, field) || is_for_every(it, field))
    };
    let mut taking: BTreeSet<String> = grammar::taking(field).into_iter().collect();
    if taking.is_empty() {
        taking = siblings(book, said, field);
    }
    taking.retain(|name| usable(name) && !ruled(name));
    taking
}

/// Instructions that a capability enables which enables one of those that are named, too, and that
/// have an operand of this name.
fn siblings(book: &Book<'_>, said: &ResolvedDemand<'_>, field: &str) -> BTreeSet<String> {
    let of = |name: &String| book.known.capabilities(name);
    let capabilities: BTreeSet<String> = said.instructions.iter().flat_map(of).collect();
    let enabled = capabilities.iter().flat_map(|name| book.known.enabled_by(name));
    enabled.filter(|name| book.known.has(name, field) == Some(true)).collect()
}

/// It is about all instructions that have the operand, whichever these are.
fn is_for_every(said: &ResolvedDemand<'_>, field: &str) -> bool {
    match &said.demand.subject {
        DemandSubject::Fields { fields, group, within: None } => {
            let every = group.members.iter().any(|it| matches!(it, Member::Every));
            every && fields.iter().any(|it| **it == *field)
        }
        _ => false,
    }
}
