//! Operands of which an environment lists no types, though it lists those of others of the same
//! instruction, and of which the instruction's own document leaves the width open.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::ast::OperandType;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand};

/// One cause for each document.
pub(super) fn unlisted(book: &Book<'_>) -> Vec<Cause> {
    book.documents().into_iter().filter_map(|document| of_document(book, document)).collect()
}

fn lists_types(said: &ResolvedDemand<'_>) -> bool {
    said.permits() && said.values.iter().any(|it| matches!(it, FieldValue::Type(_)))
}

fn of_document(book: &Book<'_>, document: &str) -> Option<Cause> {
    let mut open: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut clauses: BTreeSet<String> = BTreeSet::new();
    let mut listed: BTreeSet<String> = BTreeSet::new();
    let mut first: Option<&ResolvedDemand<'_>> = None;
    for said in book.of_document(document).filter(|it| lists_types(it)) {
        for (instruction, field) in &said.places {
            if book.known.home(instruction) == Some(document) {
                continue;
            }
            let operands = book.known.instruction(instruction).map_or(&[][..], |it| &it.operands);
            let integers = operands.iter().filter(|it| it.ty == OperandType::AnyInt);
            for operand in integers {
                let spoken = |it: &ResolvedDemand<'_>| it.is_of(instruction, &operand.name);
                if !book.resolved.iter().any(spoken) {
                    open.entry(operand.name.to_string()).or_default().insert(instruction.clone());
                    clauses.insert(said.rule.id.to_string());
                    listed.insert(field.clone());
                    first.get_or_insert(said);
                }
            }
        }
    }
    let (said, (operand, instructions)) = (first?, open.first_key_value()?);
    let line =
        |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    Some(Cause {
        summary: format!(
            "Types are listed for {} of instructions, and none for other operands of theirs that \
             are integers of any width: {}. No sentence says which widths must be accepted there.",
            line(listed.iter().collect()),
            line(open.keys().collect())
        ),
        remedy: "The types of these operands, or that any width is accepted.".to_owned(),
        witness: instructions.first().map(|instruction| ModuleWitness {
            instruction: instruction.clone(),
            field: operand.clone(),
            value: None,
            circumstances: Circumstances::default(),
        }),
        instructions: open.values().flatten().cloned().collect(),
        clauses,
        ..Cause::new(FindingKind::Gap, "operands-without-a-list", said.rule)
    })
}
