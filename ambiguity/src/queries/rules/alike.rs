//! Lists of types for operands of one name, of instructions of one family, that take in less for some
//! of them; and lists for all of a family of which some of it takes no type.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::Values;

use super::{Cause, short};
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, Element, FieldValue, ModuleWitness, ResolvedDemand, Ty};

/// The types that a document lists for each instruction of a family with the operand.
struct Lists<'b, 't> {
    field: String,
    family: String,
    of: BTreeMap<String, (BTreeSet<Ty>, &'b ResolvedDemand<'t>)>,
}

/// One cause for each document, operand, and way in which its lists differ.
pub(super) fn lists(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for document in book.documents() {
        for lists in of_document(book, document) {
            causes.extend(vectors(book, &lists));
            causes.extend(elements(book, &lists));
        }
        causes.extend(not_taken(book, document));
    }
    causes
}

fn of_document<'b, 't>(book: &'b Book<'t>, document: &'b str) -> Vec<Lists<'b, 't>> {
    let mut all: BTreeMap<(String, &str), Lists<'b, 't>> = BTreeMap::new();
    for resolved in book.of_document(document).filter(|it| it.permits() && names_elements(it)) {
        for (instruction, field) in &resolved.places {
            let Some(family) = family(instruction) else { continue };
            let lists = all.entry((field.clone(), family)).or_insert_with(|| Lists {
                field: field.clone(),
                family: family.to_owned(),
                of: BTreeMap::new(),
            });
            let known = lists.of.entry(instruction.clone());
            known.or_insert_with(|| (BTreeSet::new(), resolved)).0.extend(types(resolved));
        }
    }
    all.into_values().collect()
}

fn types(resolved: &ResolvedDemand<'_>) -> impl Iterator<Item = Ty> {
    resolved.values.iter().filter_map(|value| match value {
        FieldValue::Type(ty) => Some(*ty),
        _ => None,
    })
}

/// Its types are described by their elements.
fn names_elements(resolved: &ResolvedDemand<'_>) -> bool {
    let named = |values: &Values| match values {
        Values::Types { elements, .. } => elements.iter().all(|word| &**word != "any"),
        _ => false,
    };
    !resolved.demand.values.is_empty() && resolved.demand.values.iter().all(named)
}

/// The first word of an instruction's name.
fn family(instruction: &str) -> Option<&str> {
    let name = instruction.strip_prefix("Op")?;
    let end = name.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase());
    Some(&name[..end.map_or(name.len(), |(at, _)| at)])
}

/// The instruction takes such a type, by the document that has it.
fn takes(book: &Book<'_>, instruction: &str, field: &str, wanted: impl Fn(Ty) -> bool) -> bool {
    let types = book.known.types(instruction, field).unwrap_or_default();
    types.iter().any(|value| matches!(value, FieldValue::Type(ty) if wanted(*ty)))
}

/// Scalars and vectors are listed for some, and scalars only for others that take both.
fn vectors(book: &Book<'_>, lists: &Lists<'_, '_>) -> Option<Cause> {
    let has = |types: &BTreeSet<Ty>, many: bool| types.iter().any(|ty| (ty.components > 1) == many);
    let (with, without): (Vec<_>, Vec<_>) =
        lists.of.iter().partition(|(_, (types, _))| has(types, true) && has(types, false));
    let element = with.iter().flat_map(|(_, (types, _))| types).find(|ty| ty.components > 1)?;
    let lacking = |(instruction, (types, _)): &(&String, &(BTreeSet<Ty>, _))| {
        !has(types, true)
            && types.iter().any(|ty| ty.element == element.element)
            && takes(book, instruction, &lists.field, |ty| ty == *element)
    };
    let without: Vec<_> = without.into_iter().filter(lacking).collect();
    let names = |list: &[(&String, &(BTreeSet<Ty>, _))]| -> Vec<String> {
        list.iter().map(|(name, _)| (*name).clone()).collect()
    };
    let (with, without_names) = (names(&with), names(&without));
    let (_, (_, resolved)) = without.first()?;
    let summary = format!(
        "Vectors are listed for {} of {}, and scalars only for that of {}, which may be a vector, \
         too: no sentence says whether vectors are illegal there, or merely need not be accepted.",
        lists.field,
        in_line(&with),
        in_line(&without_names)
    );
    Some(cause(lists, "vectors-for-some", resolved, summary, &without_names, Some(*element)))
}

/// Component types are listed for some, and not for others that take them.
fn elements(book: &Book<'_>, lists: &Lists<'_, '_>) -> Option<Cause> {
    let of = |types: &BTreeSet<Ty>| types.iter().map(|ty| ty.element).collect::<BTreeSet<_>>();
    let all: BTreeSet<Element> = lists.of.values().flat_map(|(types, _)| of(types)).collect();
    // By what is left out: the instructions.
    let mut lacking: BTreeMap<Vec<Element>, Vec<&String>> = BTreeMap::new();
    for (instruction, (types, _)) in &lists.of {
        let own = of(types);
        let taken = |it: &&Element| takes(book, instruction, &lists.field, |ty| ty.element == **it);
        // A list of which it takes nothing is told apart.
        if !own.iter().any(|it| taken(&it)) {
            continue;
        }
        let less: Vec<Element> = all.difference(&own).filter(taken).copied().collect();
        if !less.is_empty() {
            lacking.entry(less).or_default().push(instruction);
        }
    }
    let instructions: Vec<String> = lacking.values().flatten().map(|it| (*it).clone()).collect();
    let (first, _) = lacking.first_key_value()?;
    let (_, resolved) = lists.of.get(instructions.first()?)?;
    let left_out = lacking.iter().map(|(elements, instructions)| {
        let with = lists.of.iter().filter(|(_, (types, _))| of(types).contains(&elements[0]));
        let with: Vec<String> = with.map(|(name, _)| name.clone()).collect();
        let names: Vec<String> = instructions.iter().map(|it| (*it).clone()).collect();
        let elements = elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("{elements} for {}, not for {}", in_line(&with), in_line(&names))
    });
    let summary = format!(
        "Lists of component types for {} differ from each other, though each of the instructions \
         takes them: {}. No sentence says whether the others are illegal, or merely need not be \
         accepted.",
        lists.field,
        left_out.collect::<Vec<_>>().join("; ")
    );
    let shown = Ty { components: 1, element: *first.first()? };
    let mut cause =
        cause(lists, "component-types-for-some", resolved, summary, &instructions, Some(shown));
    // Documents that copied from each other may leave out other types.
    let names: BTreeSet<String> = lacking.keys().flatten().map(ToString::to_string).collect();
    let about = cause.about.unwrap_or_default();
    cause.about = Some(format!("{about}-{}", names.into_iter().collect::<Vec<_>>().join("-")));
    Some(cause)
}

fn cause(
    lists: &Lists<'_, '_>,
    word: &str,
    resolved: &ResolvedDemand<'_>,
    summary: String,
    instructions: &[String],
    shown: Option<Ty>,
) -> Cause {
    Cause {
        about: Some(format!("{}-of-{}", short(&lists.field), lists.family)),
        instructions: instructions.iter().cloned().collect(),
        clauses: lists.of.values().map(|(_, resolved)| resolved.rule.id.to_string()).collect(),
        summary,
        remedy: "The same types for all, or which of them are illegal.".to_owned(),
        witness: instructions.first().map(|instruction| ModuleWitness {
            instruction: instruction.clone(),
            field: lists.field.clone(),
            value: shown.map(FieldValue::Type),
            circumstances: Circumstances::default(),
        }),
        ..Cause::new(FindingKind::Gap, word, resolved.rule)
    }
}

/// A list for all instructions of some kind has no type that one of them takes, and no other list
/// has: by the types that it takes.
fn not_taken(book: &Book<'_>, document: &str) -> Vec<Cause> {
    let mut places: BTreeMap<&(String, String), Vec<&ResolvedDemand<'_>>> = BTreeMap::new();
    for resolved in book.of_document(document).filter(|it| lists_types(it)) {
        resolved.places.iter().for_each(|place| places.entry(place).or_default().push(resolved));
    }
    let mut found: BTreeMap<Vec<String>, NotTaken<'_, '_>> = BTreeMap::new();
    for ((instruction, field), lists) in places {
        let Some(taken) = book.known.types(instruction, field) else { continue };
        if !taken.is_empty() && lists.iter().all(|it| it.values.is_disjoint(&taken)) {
            let elements: BTreeSet<String> = taken
                .iter()
                .filter_map(|value| match value {
                    FieldValue::Type(ty) => Some(ty.element.to_string()),
                    _ => None,
                })
                .collect();
            let of_types =
                found.entry(elements.into_iter().collect()).or_insert_with(|| NotTaken {
                    fields: BTreeSet::new(),
                    instructions: BTreeSet::new(),
                    resolved: lists[0],
                });
            of_types.fields.insert(field.clone());
            of_types.instructions.insert(instruction.clone());
        }
    }
    let reported = found.into_iter().map(|(taken, NotTaken { fields, instructions, resolved })| {
        let names: Vec<String> = instructions.iter().cloned().collect();
        let fields: Vec<String> = fields.into_iter().collect();
        Cause {
            about: Some(taken.join("-")),
            summary: format!(
                "A list of types for {} covers {}, too, and has none of the types that SPIR-V allows \
                 there ({}): no sentence says that the list is for other instructions only, or which \
                 types are meant.",
                fields.join(" and "),
                in_line(&names),
                taken.join(", ")
            ),
            remedy: "The types that are meant there, or that the list is for other instructions."
                .to_owned(),
            witness: names.first().map(|instruction| ModuleWitness {
                instruction: instruction.clone(),
                field: fields.first().cloned().unwrap_or_default(),
                value: resolved.values.first().cloned(),
                circumstances: Circumstances::default(),
            }),
            instructions,
            ..Cause::new(FindingKind::Gap, "no-type-of-the-list", resolved.rule)
        }
    });
    reported.collect()
}

/// Operands for which a list has no type that they may be of.
struct NotTaken<'b, 't> {
    fields: BTreeSet<String>,
    instructions: BTreeSet<String>,
    resolved: &'b ResolvedDemand<'t>,
}

fn lists_types(resolved: &ResolvedDemand<'_>) -> bool {
    resolved.permits() && types(resolved).next().is_some()
}

/// Names in a line, a few of many.
fn in_line(names: &[String]) -> String {
    match names {
        [first, second, _, _, ..] => format!("{first}, {second} and {} others", names.len() - 2),
        _ => names.join(", "),
    }
}
