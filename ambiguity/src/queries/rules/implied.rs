//! Rules that say nothing which another rule of the same document does not say already.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::{DemandSubject, Fact, Force, Member};

use super::short;
use crate::finding::{Finding, FindingKind};
use crate::rules::{Book, ResolvedDemand, always, sort};

/// One finding for each field of a document. What is said again leaves no doubt, until one of the
/// two sentences is changed.
pub(super) fn repeated(book: &Book<'_>) -> Vec<Finding> {
    let mut found: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    for (at, resolved) in book.resolved.iter().enumerate() {
        let mut others = book.resolved.iter().enumerate().filter(|(other, it)| {
            *other != at
                && it.rule.id != resolved.rule.id
                && it.document() == resolved.document()
                // Of two that say the same the later one says it again.
                && (*other < at || !follows(book, it, resolved))
        });
        let Some((_, whole)) = others.find(|(_, it)| follows(book, resolved, it)) else {
            continue;
        };
        for field in resolved.places.iter().map(|(_, field)| short(field)) {
            let clauses = found.entry((&resolved.rule.document, field)).or_default();
            clauses.extend([resolved, whole].map(|it| it.rule.id.to_string()));
        }
    }
    let finding = |((document, field), clauses): ((&str, String), BTreeSet<String>)| {
        let id = Finding::id_of(FindingKind::Token, "rule-said-twice", document);
        Finding {
            documents: [document.to_owned()].into(),
            clauses,
            summary: format!(
                "A rule about {field} is given again: it follows from another one of the document."
            ),
            remedy: "Each rule in one place, or a reference from the other one.".to_owned(),
            editorial: true,
            ..Finding::of(FindingKind::Token, format!("{id}/{field}"))
        }
    };
    found.into_iter().map(finding).collect()
}

/// Wherever the second rule is kept, the first one is.
fn follows(book: &Book<'_>, resolved: &ResolvedDemand<'_>, whole: &ResolvedDemand<'_>) -> bool {
    let restricts = |it: &ResolvedDemand<'_>| matches!(it.demand.force, Force::Requires);
    let values = match (restricts(resolved), restricts(whole)) {
        (true, true) => whole.values.is_subset(&resolved.values),
        (false, false) => {
            let comparable = matches!(resolved.demand.force, Force::Accepts | Force::Forbids);
            comparable
                && resolved.demand.force == whole.demand.force
                && resolved.values.is_subset(&whole.values)
        }
        // What a list of all that there may be does not name is forbidden by it.
        (false, true) => {
            let comparable =
                resolved.values.iter().all(|it| whole.values.iter().any(|of| sort(of) == sort(it)));
            resolved.demand.force == Force::Forbids
                && comparable
                && whole.values.is_disjoint(&resolved.values)
        }
        (true, false) => false,
    };
    // That a capability's instructions are among another one's is no repetition.
    let named = !is_of_capability(resolved);
    let covered = |place: &(String, String)| {
        named && whole.places.contains(place) || of_its_type(book, resolved, place, whole)
    };
    values
        && !resolved.values.is_empty()
        && !resolved.places.is_empty()
        && resolved.places.iter().all(covered)
        && always(&[resolved.when(), whole.when()], resolved.when(), |it| it.meet(whole.when()))
}

/// It is about the instructions of a capability.
fn is_of_capability(resolved: &ResolvedDemand<'_>) -> bool {
    match &resolved.demand.subject {
        DemandSubject::Fields { group, .. } => {
            group.members.iter().any(|member| matches!(member, Member::Capability(_)))
        }
        DemandSubject::Tokens(_) => false,
    }
}

/// The field belongs to a type, on which the other rule applies at its declaration.
fn of_its_type(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    (instruction, field): &(String, String),
    whole: &ResolvedDemand<'_>,
) -> bool {
    let Some((field, operand)) = field.split_once(" of ") else { return false };
    if book.known.is_image(instruction, operand) && whole.is_of("OpTypeImage", field) {
        return true;
    }
    let mut facts = Vec::new();
    resolved.when().facts(&mut facts);
    let mut declared = facts.iter().filter_map(|fact| match fact {
        Fact::Is(_, types) => match types.as_slice() {
            [only] if only.starts_with("OpType") => Some(only.to_string()),
            _ => None,
        },
        _ => None,
    });
    declared.any(|declared_by| whole.is_of(&declared_by, field))
}
