//! Lists of types that say how many components there may be, and not of which type.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::Values;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, FieldValue, ModuleWitness, ResolvedDemand, smallest};
use crate::spelling::spaced;

/// One cause for each document: a list for instructions of other documents names no component type,
/// and other lists of the document do.
pub(super) fn lists(book: &Book<'_>) -> Vec<Cause> {
    book.documents().into_iter().filter_map(|document| of_document(book, document)).collect()
}

fn of_document(book: &Book<'_>, document: &str) -> Option<Cause> {
    let of_others = |it: &&ResolvedDemand<'_>| {
        it.permits()
            && elements(it).next().is_some()
            && it.places.iter().all(|(instruction, _)| {
                book.known.home(instruction).is_some_and(|home| home != document)
            })
    };
    let all: Vec<_> = book.of_document(document).filter(of_others).collect();
    let (open, named): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|it| elements(it).all(|word| word == "any"));
    let first = open.first().filter(|_| !named.is_empty())?;
    let fields: BTreeSet<&str> =
        open.iter().flat_map(|it| &it.places).map(|(_, field)| field.as_str()).collect();
    // What the instructions' own documents leave, by operand.
    let mut left: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (instruction, field) in open.iter().flat_map(|it| &it.places) {
        let types = book.known.types(instruction, field).unwrap_or_default();
        let scalars =
            types.iter().filter(|it| matches!(it, FieldValue::Type(ty) if ty.components == 1));
        left.entry(field).or_default().extend(scalars.map(ToString::to_string));
    }
    let part = |(field, words): (&&str, &BTreeSet<String>)| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        format!("{} may be of {}", spaced(field), words.join(" or "))
    };
    let parts: Vec<String> = left.iter().map(part).collect();
    let home = match parts.is_empty() {
        true => String::new(),
        false => format!("; where the instructions are defined, {}", parts.join(", ")),
    };
    let fields: Vec<String> = fields.into_iter().map(spaced).collect();
    let (instruction, field) = first.places.first()?.clone();
    Some(Cause {
        summary: format!(
            "A list for {} says how many components there may be, and not of which type, as other \
             lists of the document do{home}: no sentence says which component types must be accepted.",
            fields.join(", ")
        ),
        remedy: "The component types of each operand and result.".to_owned(),
        instructions: open.iter().flat_map(|it| it.instructions.iter().cloned()).collect(),
        clauses: open.iter().map(|it| it.rule.id.to_string()).collect(),
        witness: Some(ModuleWitness {
            instruction,
            field,
            value: None,
            circumstances: smallest(&[first.when()], |it| it.meet(first.when()))?,
        }),
        ..Cause::new(FindingKind::Gap, "list-without-a-component-type", first.rule)
    })
}

fn elements<'s>(resolved: &'s ResolvedDemand<'_>) -> impl Iterator<Item = &'s str> {
    resolved.demand.values.iter().flat_map(|values| match values {
        Values::Types { elements, .. } => elements.iter().map(|word| &**word).collect(),
        _ => Vec::new(),
    })
}
