//! Unrestricted fields of a type with other fields that sentences restrict.

use std::collections::BTreeSet;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};
use laneproof_semantics::language::rule::Force;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand};
use crate::spelling::spaced;

/// What a type that an operand leads to is made of, in the order in which it is declared.
fn fields_of(ty: &OperandType) -> &'static [&'static str] {
    match ty {
        OperandType::Image => &[
            "SampledType",
            "Dim",
            "Depth",
            "Arrayed",
            "MS",
            "Sampled",
            "ImageFormat",
            "AccessQualifier",
        ],
        OperandType::Pointer(_) => &["StorageClass", "Type"],
        _ => &[],
    }
}

/// The document that restricts a field of an operand's type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The document that has the instruction.
    Own,
    /// Another one only.
    Other,
    /// None.
    None,
}

/// What the instructions of one document leave open of one operand.
struct Open {
    operand: String,
    fields: Vec<&'static str>,
    restricted: Vec<&'static str>,
    /// The other documents that restrict each of the fields.
    by: Vec<BTreeSet<String>>,
    cause: Cause,
}

/// One cause for each document and operand, of the fields that only other documents restrict and
/// of those that none does.
pub(super) fn unrestricted<'t>(book: &Book<'t>, texts: &'t AsWritten) -> Vec<Cause> {
    let mut found: Vec<Open> = Vec::new();
    for instruction in texts.specification.instructions.values() {
        for operand in &instruction.operands {
            for (by, word) in [(By::Other, "restricted-elsewhere"), (By::None, "not-restricted")] {
                let Some(open) =
                    of_operand(book, instruction, &operand.name, &operand.ty, by, word)
                else {
                    continue;
                };
                let same = |it: &&mut Open| {
                    it.cause.is(&open.cause)
                        && it.cause.document == open.cause.document
                        && it.fields == open.fields
                };
                match found.iter_mut().find(same) {
                    Some(known) => known.cause.take(open.cause),
                    None => found.push(open),
                }
            }
        }
    }
    found.into_iter().map(summarized).collect()
}

fn of_operand(
    book: &Book<'_>,
    instruction: &SpecInstruction,
    operand: &str,
    ty: &OperandType,
    by: By,
    word: &str,
) -> Option<Open> {
    let place = SentencePlace { book, instruction, operand, ty };
    let fields = fields_of(ty).iter().copied();
    let open: Vec<&str> = fields.clone().filter(|field| place.by(field) == by).collect();
    let restricted: Vec<&str> = fields.filter(|field| place.by(field) == By::Own).collect();
    // Without sentences about the type, nothing is missing.
    let shown = restricted.first().and_then(|field| place.rules(field, true).next())?;
    let first = open.first()?;
    let mut cause = Cause {
        about: Some(operand.to_owned()),
        instructions: [instruction.name.to_string()].into(),
        witness: Some(ModuleWitness {
            instruction: instruction.name.to_string(),
            field: format!("{first} of {operand}"),
            value: None,
            circumstances: Circumstances::default(),
        }),
        ..Cause::new(FindingKind::Gap, word, shown.rule)
    };
    for resolved in open.iter().flat_map(|field| place.rules(field, false)) {
        cause.documents.insert(resolved.document().to_owned());
        cause.clauses.insert(resolved.rule.id.to_string());
    }
    let by = open
        .iter()
        .map(|field| place.rules(field, false).map(|it| it.document().to_owned()).collect());
    Some(Open { operand: operand.to_owned(), by: by.collect(), fields: open, restricted, cause })
}

fn summarized(open: Open) -> Cause {
    let Open { operand, fields, restricted, by, mut cause } = open;
    let list =
        |fields: &[&str]| fields.iter().map(|it| in_words(it)).collect::<Vec<_>>().join(", ");
    let mut others: Vec<(&BTreeSet<String>, Vec<&str>)> = Vec::new();
    for (documents, field) in by.iter().zip(&fields).filter(|(it, _)| !it.is_empty()) {
        match others.iter_mut().find(|(known, _)| *known == documents) {
            Some((_, all)) => all.push(field),
            None => others.push((documents, vec![field])),
        }
    }
    let elsewhere = others.iter().map(|(documents, fields)| {
        let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
        format!("{} by {}", list(fields), documents.join(" and "))
    });
    let elsewhere: Vec<String> = elsewhere.collect();
    let said = match elsewhere.is_empty() {
        true => format!("no sentence says what {} may be", list(&fields)),
        false => format!("others are restricted elsewhere only: {}", elsewhere.join("; ")),
    };
    cause.summary =
        format!("Of the type of {operand}, sentences restrict {}; {said}.", list(&restricted));
    cause.remedy = format!("What each of these may be, or that any will do: {}.", list(&fields));
    cause
}

/// A field as SPIR-V spells it: `ImageFormat` is the Image Format.
fn in_words(field: &str) -> String {
    match field {
        "MS" => "MS".to_owned(),
        "Type" => "what it points to".to_owned(),
        _ => spaced(field),
    }
}

/// An operand whose type has fields.
#[derive(Clone, Copy)]
struct SentencePlace<'a, 't> {
    book: &'a Book<'t>,
    instruction: &'a SpecInstruction,
    operand: &'a str,
    ty: &'a OperandType,
}

impl<'a, 't> SentencePlace<'a, 't> {
    fn by(self, field: &str) -> By {
        let by_header =
            field == "Type" && self.book.known.header_restricts(self.instruction, self.ty);
        match (self.rules(field, true).next(), self.rules(field, false).next()) {
            (Some(_), _) => By::Own,
            (None, None) if by_header => By::Own,
            (None, Some(_)) => By::Other,
            (None, None) => By::None,
        }
    }

    /// What restricts the field: of the instruction's own document, or of others.
    fn rules(self, field: &str, own: bool) -> impl Iterator<Item = &'a ResolvedDemand<'t>> {
        let SentencePlace { book, instruction, operand, ty } = self;
        let places: BTreeSet<(String, String)> = [
            Some((instruction.name.to_string(), format!("{field} of {operand}"))),
            (*ty == OperandType::Image).then(|| ("OpTypeImage".to_owned(), field.to_owned())),
        ]
        .into_iter()
        .flatten()
        .collect();
        book.resolved.iter().filter(move |resolved| {
            (resolved.document() == &*instruction.document) == own
                && restricts(resolved)
                && !resolved.places.is_disjoint(&places)
        })
    }
}

/// It says which values there may be, not only that there must be one.
fn restricts(resolved: &ResolvedDemand<'_>) -> bool {
    let force = matches!(
        resolved.demand.force,
        Force::Accepts | Force::AcceptsOnly | Force::Requires | Force::Forbids
    );
    let presence =
        |value: &FieldValue| matches!(value, FieldValue::Word(word) if &**word == "present");
    force && !resolved.values.iter().all(presence)
}
