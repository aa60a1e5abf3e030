//! Instructions without a listed type, although a list is meant for them.

use std::collections::BTreeSet;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, FieldValue, ModuleWitness, ResolvedDemand, smallest};

/// One cause for each operand by whose name types are listed. A list for several instructions does
/// not reach those that have no such operand, nor does a list reach the instructions of a
/// capability, brought under the same circumstances, that no list names. Where such an instruction
/// takes more than one type, and no other list is about it, nothing says which.
pub(super) fn silent(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for list in book.resolved.iter().filter(|it| types(it).next().is_some()) {
        let listed: BTreeSet<&str> = book
            .of_document(list.document())
            .filter(|it| types(it).next().is_some())
            .flat_map(|it| it.places.iter().map(|(instruction, _)| instruction.as_str()))
            .collect();
        let missed: BTreeSet<String> = list
            .instructions
            .union(&brought(book, list))
            .filter(|it| book.known.is_open(it) && !listed.contains(it.as_str()))
            .cloned()
            .collect();
        let Some(first) = missed.first() else { continue };
        let Some(circumstances) = smallest(&[list.when()], |it| it.meet(list.when())) else {
            continue;
        };
        let field = open_field(book, first);
        let legal = book.known.types(first, &field);
        let taken = |value: &&FieldValue| legal.as_ref().is_none_or(|it| it.contains(value));
        let named = list.places.first().map(|(_, field)| field.clone()).unwrap_or_default();
        let (summary, remedy) = match missed.is_disjoint(&list.instructions) {
            false => (
                format!(
                    "Types are listed for {named} of instructions some of which have no {named}, \
                     but {field}: nothing says which types those take."
                ),
                format!("The types of {field}, or a list for both names."),
            ),
            true => (
                format!(
                    "A capability is accepted, and types are listed for {named} of some \
                     instructions that it enables: nothing says which types others of them take, \
                     as {field} of {first}."
                ),
                format!("The types of {field}, or that the others need not be accepted."),
            ),
        };
        causes.push(Cause {
            summary,
            remedy,
            about: Some(named),
            witness: Some(ModuleWitness {
                instruction: first.clone(),
                field,
                value: types(list).filter(taken).min().or(types(list).min()).cloned(),
                circumstances,
            }),
            instructions: missed,
            ..Cause::new(FindingKind::Gap, "types-not-listed", list.rule)
        });
    }
    causes
}

/// The instructions of capabilities that the document brings under the circumstances of a list, if
/// the list is about some of them.
fn brought(book: &Book<'_>, list: &ResolvedDemand<'_>) -> BTreeSet<String> {
    let brings = book
        .of_document(list.document())
        .filter(|it| it.permits() && it.is_of("", "Capability") && it.when() == list.when());
    let enabled = brings
        .flat_map(|it| it.values.iter().map(|name| book.known.enabled_by(&name.to_string())))
        .filter(|enabled| !list.instructions.is_disjoint(enabled));
    enabled.flatten().collect()
}

fn types<'s>(resolved: &'s ResolvedDemand<'_>) -> impl Iterator<Item = &'s FieldValue> {
    let permitted = resolved.permits().then_some(&resolved.values);
    permitted.into_iter().flatten().filter(|value| matches!(value, FieldValue::Type(_)))
}

/// The first operand that may be of more than one type.
pub(super) fn open_field(book: &Book<'_>, instruction: &str) -> String {
    let known = book.known.instruction(instruction);
    let operands = known.iter().flat_map(|it| it.operands.iter().map(|it| it.name.to_string()));
    let open =
        |field: &String| book.known.types(instruction, field).is_some_and(|types| types.len() > 1);
    let mut open = operands.filter(open);
    open.next().unwrap_or_else(|| "Result".to_owned())
}
