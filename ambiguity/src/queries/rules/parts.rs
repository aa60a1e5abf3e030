//! Types of operands or arguments, each of which has parts: of which no part is restricted where
//! those of others are, of which one part is and another not, and of which a part may be less than it is
//! in general.

use std::collections::BTreeSet;

use laneproof_semantics::language::rule::{Circumstance, Fact};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand};
use crate::spelling::spaced;

/// What the instructions that declare types name, beside what is of no interest for values.
pub(super) const PARTS: [(&str, &[&str]); 6] = [
    ("OpTypeInt", &["Width", "Signedness"]),
    ("OpTypeFloat", &["Width"]),
    ("OpTypeVector", &["ComponentType", "ComponentCount"]),
    ("OpTypePointer", &["StorageClass", "Type"]),
    ("OpTypeStruct", &["MemberType"]),
    ("OpTypeArray", &["ElementType"]),
];

/// The number of types with a restricted part that must exist for one without to be reported.
const SEVERAL: usize = 2;

/// One cause for each list of types of which some are restricted no further, and one for each part
/// that has fewer values there than in general.
pub(super) fn of_listed_types(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for said in book.resolved.iter().filter(|it| it.permits()) {
        for place in &said.places {
            causes.extend(unrestricted(book, said, place));
            causes.extend(partly(book, said, place));
        }
    }
    for said in book.resolved.iter().filter(|it| it.permits()) {
        causes.extend(fewer(book, said));
    }
    causes
}

fn unrestricted(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    (instruction, field): &(String, String),
) -> Option<Cause> {
    let listed = |name: &str| resolved.values.iter().any(|it| it.to_string() == name);
    let restricted = |name: &str, parts: &[&str]| {
        book.of_document(resolved.document()).any(|it| {
            let of_part = |part: &&str| it.is_of(instruction, &format!("{part} of {field}"));
            parts.iter().any(of_part) && supposes(it.when(), field, name)
        })
    };
    let (with, without): (Vec<_>, Vec<_>) = PARTS
        .iter()
        .filter(|(name, _)| listed(name))
        .partition(|(name, parts)| restricted(name, parts));
    let (first, parts) = without.first().filter(|_| with.len() >= SEVERAL)?;
    let line =
        |all: &[(&str, &[&str])]| all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    // What a type is made of in general may be less there, as it is of others.
    let general: Vec<String> = book
        .of_document(resolved.document())
        .filter(|it| it.permits() && parts.iter().any(|part| it.is_of(first, part)))
        .map(|it| it.rule.id.to_string())
        .collect();
    let known = match general.is_empty() {
        true => "none does",
        false => "only what they may be in general, and not whether all of that may be there",
    };
    Some(Cause {
        about: Some(first.to_string()),
        summary: format!(
            "{field} of {instruction} may be one of several types; of {} sentences say what their \
             parts may be there, and of {} {known}: {}.",
            line(&with),
            line(&without),
            parts.iter().map(|it| spaced(it)).collect::<Vec<_>>().join(", ")
        ),
        remedy: "What the parts of that type may be, or that any will do.".to_owned(),
        clauses: general.into_iter().chain([resolved.rule.id.to_string()]).collect(),
        witness: Some(ModuleWitness {
            instruction: instruction.clone(),
            field: format!("{} of {field}", parts.first()?),
            value: None,
            circumstances: Circumstances::default(),
        }),
        ..Cause::new(FindingKind::Gap, "parts-of-a-type-not-given", resolved.rule)
    })
}

/// One part of a type is restricted there, and what it leads to or is made of neither there nor in
/// general.
fn partly(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    (instruction, field): &(String, String),
) -> Option<Cause> {
    let said = |name: &str, part: &str| {
        book.of_document(resolved.document()).find(|it| {
            it.is_of(name, part)
                || it.is_of(instruction, &format!("{part} of {field}"))
                    && supposes(it.when(), field, name)
        })
    };
    let listed =
        PARTS.iter().filter(|(name, _)| resolved.values.iter().any(|it| it.to_string() == **name));
    listed.into_iter().find_map(|(name, parts)| {
        let here = |part: &str| format!("{part} of {field}");
        let of_place = |part: &&&str| {
            said(name, part).is_some_and(|it| it.is_of(instruction, &here(part)))
        };
        let with = parts.iter().find(of_place)?;
        let is_type = |part: &&&str| part.ends_with("Type");
        let without = parts.iter().filter(is_type).find(|part| said(name, part).is_none())?;
        let rule = said(name, with)?.rule;
        Some(Cause {
            about: Some(format!("{without}-of-{name}")),
            clauses: [&resolved.rule.id, &rule.id].map(ToString::to_string).into(),
            summary: format!(
                "{field} of {instruction} may be {name}, of which a sentence says what {} may be there, \
                 and none says {}.",
                spaced(with),
                led_to(without)
            ),
            remedy: "The types that it may be of there, or that any will do.".to_owned(),
            witness: Some(ModuleWitness {
                instruction: instruction.clone(),
                field: here(without),
                value: None,
                circumstances: Circumstances::default(),
            }),
            ..Cause::new(FindingKind::Gap, "part-of-a-type-not-given", resolved.rule)
        })
    })
}

/// What a part of a type stands for, which is a type itself.
fn led_to(part: &str) -> &'static str {
    match part {
        "Type" => "what it may point to",
        "ComponentType" => "of what its components may be",
        "MemberType" => "of what its members may be",
        _ => "of what its elements may be",
    }
}

/// A part of a type may be less where the type is an operand's than where it stands alone.
fn fewer(book: &Book<'_>, resolved: &ResolvedDemand<'_>) -> Option<Cause> {
    let (instruction, place) = resolved.places.first()?;
    let (part, field) = place.split_once(" of ")?;
    let (name, _) = PARTS
        .iter()
        .find(|(name, parts)| parts.contains(&part) && supposes(resolved.when(), field, name))?;
    let general =
        book.of_document(resolved.document()).find(|it| it.permits() && it.is_of(name, part))?;
    let left_out: BTreeSet<&FieldValue> = general.values.difference(&resolved.values).collect();
    let shown = left_out.first()?;
    let values = left_out.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Some(Cause {
        about: Some(format!("{part}-{name}")),
        clauses: [&general.rule.id, &resolved.rule.id].map(ToString::to_string).into(),
        summary: format!(
            "{} {values} of {name} is supported in general, and not in the list for {field} of \
             {instruction}: no sentence says that it is left out on purpose, or where it is legal.",
            spaced(part)
        ),
        remedy: "The same values in both lists, or that it is illegal there.".to_owned(),
        witness: Some(ModuleWitness {
            instruction: instruction.clone(),
            field: place.clone(),
            value: Some((*shown).clone()),
            circumstances: Circumstances {
                fields: [(field.to_owned(), (*name).to_owned())].into(),
                ..Circumstances::default()
            },
        }),
        ..Cause::new(FindingKind::Gap, "supported-in-general", resolved.rule)
    })
}

/// The circumstance has the field be of this type.
pub(super) fn supposes(when: &Circumstance, field: &str, name: &str) -> bool {
    let mut facts = Vec::new();
    when.facts(&mut facts);
    facts.into_iter().any(|fact| {
        matches!(fact, Fact::Is(of, values) if **of == *field && values.iter().any(|it| **it == *name))
    })
}
