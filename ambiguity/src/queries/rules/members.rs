//! Types that are supported in general, and are in no list for an operand; and parts of types that are
//! restricted for an operand, and not for its members.

use std::collections::{BTreeMap, BTreeSet};

use super::Cause;
use super::parts::{PARTS, supposes};
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand};
use crate::spelling::spaced;

/// Types that no value has that an instruction gives or takes.
const OF_NO_VALUE: [&str; 3] = ["OpTypeVoid", "OpTypeFunction", "OpTypeForwardPointer"];

/// What an operand's type is made of.
const MEMBER: &str = "MemberType of ";

/// The causes of both kinds.
pub(super) fn of_lists(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for document in book.documents() {
        causes.extend(left_out(book, document));
        let lists = book.of_document(document).filter(|it| it.permits());
        causes.extend(lists.filter_map(|it| of_members(book, it)));
    }
    causes
}

/// One cause for each instruction with lists of types: those that the document supports in general,
/// and that are in none of them.
fn left_out(book: &Book<'_>, document: &str) -> Vec<Cause> {
    let permitted = || book.of_document(document).filter(|it| it.permits());
    let is_type = |value: &&FieldValue| value.to_string().starts_with("OpType");
    let general: BTreeSet<&FieldValue> = permitted()
        .filter(|it| it.is_of("", "Opcode"))
        .flat_map(|it| it.values.iter().filter(is_type))
        .filter(|it| !OF_NO_VALUE.contains(&it.to_string().as_str()))
        .collect();
    let mut lists: BTreeMap<&str, Vec<(&str, &ResolvedDemand<'_>)>> = BTreeMap::new();
    for resolved in permitted().filter(|it| it.values.iter().filter(is_type).count() > 1) {
        let of_operand = |(instruction, _): &&(String, String)| {
            !instruction.is_empty() && !instruction.starts_with("OpType")
        };
        for (instruction, field) in resolved.places.iter().filter(of_operand) {
            lists.entry(instruction).or_default().push((field, resolved));
        }
    }
    let of_instruction = |(instruction, lists): (&str, Vec<(&str, &ResolvedDemand<'_>)>)| {
        let listed: BTreeSet<&FieldValue> = lists.iter().flat_map(|(_, it)| &it.values).collect();
        let left_out: Vec<&FieldValue> = general.difference(&listed).copied().collect();
        let (field, first) = lists.first()?;
        let in_words =
            |field: &str| field.split(" of ").map(spaced).collect::<Vec<_>>().join(" of ");
        let fields: BTreeSet<String> = lists.iter().map(|(field, _)| in_words(field)).collect();
        Some(Cause {
            about: Some(format!("types-of-{instruction}")),
            clauses: lists.iter().map(|(_, it)| it.rule.id.to_string()).collect(),
            summary: format!(
                "{} {} supported in general, and not among what {} of {instruction} may be: no \
                 sentence says that {} in general and must not be there, or why.",
                left_out.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
                if left_out.len() > 1 { "are" } else { "is" },
                fields.into_iter().collect::<Vec<_>>().join(" or "),
                if left_out.len() > 1 { "they may be used" } else { "it may be used" },
            ),
            remedy: "The type in the lists, or that it is illegal there.".to_owned(),
            witness: Some(ModuleWitness {
                instruction: instruction.to_owned(),
                field: (*field).to_owned(),
                value: Some((*left_out.first()?).clone()),
                circumstances: Circumstances::default(),
            }),
            ..Cause::new(FindingKind::Gap, "supported-in-general", first.rule)
        })
    };
    lists.into_iter().filter_map(of_instruction).collect()
}

/// Parts of a type are restricted where an operand is of it, and not where a member of the operand is.
fn of_members(book: &Book<'_>, members: &ResolvedDemand<'_>) -> Option<Cause> {
    let (instruction, field) = members.places.first()?;
    let operand = field.strip_prefix(MEMBER)?;
    let document = members.document();
    let demands = |place: &str| {
        let of_place = format!("{place} of {operand}");
        book.of_document(document).filter(move |it| it.is_of(instruction, &of_place))
    };
    let listed = |name: &str| members.values.iter().any(|it| it.to_string() == name);
    let mut open: Vec<(&str, &str, &ResolvedDemand<'_>)> = Vec::new();
    for (name, parts) in PARTS.iter().filter(|(name, _)| listed(name)) {
        // A structure's members have members in turn.
        for part in parts.iter().filter(|part| !MEMBER.starts_with(**part)) {
            let of_operand = demands(part).find(|it| supposes(it.when(), operand, name));
            let of_member = demands(&format!("{part} of MemberType")).next();
            // What holds for the type in general holds for members, too.
            let wider = |own: &ResolvedDemand<'_>| {
                let mut general = book.of_document(document).filter(|it| it.is_of(name, part));
                !general.any(|it| it.values.is_subset(&own.values))
            };
            if let (Some(own), None) = (of_operand.filter(|it| wider(it)), of_member) {
                open.push((name, part, own));
            }
        }
    }
    let (name, part, _) = open.first()?;
    let parts: Vec<String> =
        open.iter().map(|(name, part, _)| format!("{} of {name}", spaced(part))).collect();
    Some(Cause {
        about: Some(instruction.clone()),
        clauses: open
            .iter()
            .map(|(.., own)| own.rule.id.to_string())
            .chain([members.rule.id.to_string()])
            .collect(),
        summary: format!(
            "Sentences say what {} may be for {operand} of {instruction}, and none what it may be for \
             its members, which may be of these types, too.",
            parts.join(" and ")
        ),
        remedy: "The same restrictions for members, or that there are none.".to_owned(),
        witness: Some(ModuleWitness {
            instruction: instruction.clone(),
            field: format!("{part} of {field}"),
            value: None,
            circumstances: Circumstances {
                fields: [(field.clone(), (*name).to_owned())].into(),
                ..Circumstances::default()
            },
        }),
        ..Cause::new(FindingKind::Gap, "parts-of-members-not-given", members.rule)
    })
}
