//! Operands and results of which an environment lists no types, though it lists those of others of the same
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

fn lists_types(resolved: &ResolvedDemand<'_>) -> bool {
    resolved.permits() && resolved.values.iter().any(|it| matches!(it, FieldValue::Type(_)))
}

/// The operands of an instruction that are integers of any width, its result among them.
fn integers<'b>(book: &'b Book<'_>, instruction: &str) -> Vec<&'b str> {
    let Some(known) = book.known.instruction(instruction) else { return Vec::new() };
    let typed = known.operands.iter().map(|it| (&*it.name, &it.ty));
    let typed = typed.chain(known.result.iter().map(|ty| ("Result", ty)));
    typed.filter(|(_, ty)| **ty == OperandType::AnyInt).map(|(name, _)| name).collect()
}

fn of_document(book: &Book<'_>, document: &str) -> Option<Cause> {
    let mut open: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut clauses: BTreeSet<String> = BTreeSet::new();
    let mut listed: BTreeSet<String> = BTreeSet::new();
    let mut first: Option<&ResolvedDemand<'_>> = None;
    for resolved in book.of_document(document).filter(|it| lists_types(it)) {
        for (instruction, field) in &resolved.places {
            if book.known.home(instruction) == Some(document) {
                continue;
            }
            for operand in integers(book, instruction) {
                let spoken = |it: &ResolvedDemand<'_>| it.is_of(instruction, operand);
                if !book.resolved.iter().any(spoken) {
                    open.entry(operand.to_owned()).or_default().insert(instruction.clone());
                    clauses.insert(resolved.rule.id.to_string());
                    listed.insert(field.clone());
                    first.get_or_insert(resolved);
                }
            }
        }
    }
    let (resolved, (operand, instructions)) = (first?, open.first_key_value()?);
    let line =
        |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    Some(Cause {
        summary: format!(
            "Types are listed for {} of instructions, and none for other operands or results of \
             theirs that are integers of any width: {}. No sentence says which widths must be accepted there.",
            line(listed.iter().collect()),
            line(open.keys().collect())
        ),
        remedy: "The types of these, or that any width is accepted.".to_owned(),
        witness: instructions.first().map(|instruction| ModuleWitness {
            instruction: instruction.clone(),
            field: operand.clone(),
            value: None,
            circumstances: Circumstances::default(),
        }),
        instructions: open.values().flatten().cloned().collect(),
        clauses,
        ..Cause::new(FindingKind::Gap, "operands-without-a-list", resolved.rule)
    })
}
