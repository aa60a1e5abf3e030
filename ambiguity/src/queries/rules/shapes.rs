//! Lists of types for one operand, by which some component types may stand in vectors, and others are
//! listed as scalars only.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::Values;

use super::{Cause, short};
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, Element, FieldValue, ModuleWitness, ResolvedDemand, Ty};

/// The types that a document lists for an operand of an instruction, and the rules by which it does.
#[derive(Default)]
struct Listed<'b, 't> {
    types: BTreeSet<Ty>,
    rules: Vec<&'b ResolvedDemand<'t>>,
}

/// What is listed as scalar only, and as vector, and of which operand.
type Difference = (String, BTreeSet<Element>, BTreeSet<Element>);

/// One cause for each document, operand and difference.
pub(super) fn scalars_only(book: &Book<'_>) -> Vec<Cause> {
    book.documents().into_iter().flat_map(|document| of_document(book, document)).collect()
}

fn of_document(book: &Book<'_>, document: &str) -> Vec<Cause> {
    let mut places: BTreeMap<&(String, String), Listed<'_, '_>> = BTreeMap::new();
    for resolved in book.of_document(document).filter(|it| it.permits()) {
        // A list of all integers says no more of each than what is supported in general.
        let types: Vec<Ty> = types(resolved).filter(|_| !of_families(resolved)).collect();
        for place in resolved.places.iter().filter(|_| !types.is_empty()) {
            let listed = places.entry(place).or_default();
            listed.types.extend(&types);
            listed.rules.push(resolved);
        }
    }
    let mut found: BTreeMap<Difference, (BTreeSet<String>, Listed<'_, '_>)> = BTreeMap::new();
    for ((instruction, field), listed) in places {
        let of = |many: bool| -> BTreeSet<Element> {
            let shaped = listed.types.iter().filter(|ty| (ty.components > 1) == many);
            shaped.map(|ty| ty.element).collect()
        };
        let (vectors, scalars) = (of(true), of(false));
        let taken = book.known.types(instruction, field).unwrap_or_default();
        let as_vector = |element: &&Element| {
            taken.iter().any(|it| {
                matches!(it, FieldValue::Type(ty) if ty.components > 1 && ty.element == **element)
            })
        };
        let alone: BTreeSet<Element> =
            scalars.difference(&vectors).filter(as_vector).copied().collect();
        // What is listed under a condition of its own may have types of its own; and where vectors
        // have a sentence for themselves, they are told apart from scalars throughout.
        let with_vectors = |it: &&ResolvedDemand<'_>| has(it, true) && has(it, false);
        let (pairs, single): (Vec<_>, Vec<_>) =
            listed.rules.iter().copied().partition(with_vectors);
        let as_usual = single.iter().any(|it| {
            let own = types(it).any(|ty| alone.contains(&ty.element));
            own && pairs.iter().any(|pair| pair.when() == it.when())
        });
        if !as_usual || vectors.is_disjoint(&scalars) {
            continue;
        }
        let known = found.entry((field.clone(), alone, vectors)).or_default();
        known.0.insert(instruction.clone());
        known.1.rules.extend(listed.rules);
    }
    found
        .into_iter()
        .filter_map(|(difference, (instructions, listed))| cause(difference, instructions, &listed))
        .collect()
}

/// Some of its types are `any`, `int` or `float`, of any width.
fn of_families(resolved: &ResolvedDemand<'_>) -> bool {
    resolved.demand.values.iter().any(|values| match values {
        Values::Types { elements, .. } => {
            elements.iter().any(|word| ["any", "int", "float"].contains(&&**word))
        }
        _ => false,
    })
}

fn has(resolved: &ResolvedDemand<'_>, many: bool) -> bool {
    types(resolved).any(|ty| (ty.components > 1) == many)
}

fn types(resolved: &ResolvedDemand<'_>) -> impl Iterator<Item = Ty> {
    resolved.values.iter().filter_map(|value| match value {
        FieldValue::Type(ty) => Some(*ty),
        _ => None,
    })
}

fn cause(
    (field, alone, vectors): Difference,
    instructions: BTreeSet<String>,
    listed: &Listed<'_, '_>,
) -> Option<Cause> {
    let line = |elements: &BTreeSet<Element>| {
        elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let (first, element) = (listed.rules.first()?, *alone.first()?);
    Some(Cause {
        about: Some(format!("{}-{}", short(&field), line(&alone).replace(", ", "-"))),
        clauses: listed.rules.iter().map(|it| it.rule.id.to_string()).collect(),
        summary: format!(
            "Scalars and vectors of {} are listed for {field}, and of {} scalars only: no sentence \
             says whether vectors of these are illegal, or merely need not be accepted.",
            line(&vectors),
            line(&alone)
        ),
        remedy: "Vectors of each type that is listed, or which of them are illegal.".to_owned(),
        witness: instructions.first().map(|instruction| ModuleWitness {
            instruction: instruction.clone(),
            field: field.clone(),
            value: Some(FieldValue::Type(Ty { components: 2, element })),
            circumstances: Circumstances::default(),
        }),
        instructions,
        ..Cause::new(FindingKind::Gap, "scalars-only", first.rule)
    })
}
