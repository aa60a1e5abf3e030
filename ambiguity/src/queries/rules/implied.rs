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
    for (at, said) in book.said.iter().enumerate() {
        let mut others = book.said.iter().enumerate().filter(|(other, it)| {
            *other != at
                && it.rule.id != said.rule.id
                && it.document() == said.document()
                // Of two that say the same the later one says it again.
                && (*other < at || !follows(book, it, said))
        });
        let Some((_, whole)) = others.find(|(_, it)| follows(book, said, it)) else {
            continue;
        };
        for field in said.places.iter().map(|(_, field)| short(field)) {
            let clauses = found.entry((&said.rule.document, field)).or_default();
            clauses.extend([said, whole].map(|it| it.rule.id.to_string()));
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
fn follows(book: &Book<'_>, said: &ResolvedDemand<'_>, whole: &ResolvedDemand<'_>) -> bool {
    let restricts = |it: &ResolvedDemand<'_>| matches!(it.demand.force, Force::Requires);
    let values = match (restricts(said), restricts(whole)) {
        (true, true) => whole.values.is_subset(&said.values),
        (false, false) => {
            let comparable = matches!(said.demand.force, Force::Accepts | Force::Forbids);
            comparable
                && said.demand.force == whole.demand.force
                && said.values.is_subset(&whole.values)
        }
        // What a list of all that there may be does not name is forbidden by it.
        (false, true) => {
            let comparable =
                said.values.iter().all(|it| whole.values.iter().any(|of| sort(of) == sort(it)));
            said.demand.force == Force::Forbids
                && comparable
                && whole.values.is_disjoint(&said.values)
        }
        (true, false) => false,
    };
    // That a capability's instructions are among another one's is no repetition.
    let named = !is_of_capability(said);
    let covered = |place: &(String, String)| {
        named && whole.places.contains(place) || of_its_type(book, said, place, whole)
    };
    values
        && !said.values.is_empty()
        && !said.places.is_empty()
        && said.places.iter().all(covered)
        && always(&[said.when(), whole.when()], said.when(), |it| it.meet(whole.when()))
}

/// It is about the instructions of a capability.
fn is_of_capability(said: &ResolvedDemand<'_>) -> bool {
    match &said.demand.subject {
        DemandSubject::Fields { group, .. } => {
            group.members.iter().any(|member| matches!(member, Member::Capability(_)))
        }
        DemandSubject::Tokens(_) => false,
    }
}

/// The field is one of a type, of which the other rule speaks wherever it is declared.
fn of_its_type(
    book: &Book<'_>,
    said: &ResolvedDemand<'_>,
    (instruction, field): &(String, String),
    whole: &ResolvedDemand<'_>,
) -> bool {
    let Some((field, operand)) = field.split_once(" of ") else { return false };
    if book.known.is_image(instruction, operand) && whole.is_of("OpTypeImage", field) {
        return true;
    }
    let mut facts = Vec::new();
    said.when().facts(&mut facts);
    let mut declared = facts.iter().filter_map(|fact| match fact {
        Fact::Is(_, types) => match types.as_slice() {
            [only] if only.starts_with("OpType") => Some(only.to_string()),
            _ => None,
        },
        _ => None,
    });
    declared.any(|declared_by| whole.is_of(&declared_by, field))
}
