//! Legal values for which no sentence says whether an environment accepts them.

use laneproof_semantics::language::rule::{Circumstance, Force};

use super::{Cause, short};
use crate::finding::FindingKind;
use crate::rules::{Book, FieldValue, ModuleWitness, ResolvedDemand, prohibits, smallest};

/// One cause for each field of a document: some of a field's legal values are promised for an instruction, and
/// of others the document says only that they are legal. It does not say whether such a list is
/// complete.
pub(super) fn unpromised(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for required in book.resolved.iter().filter(|it| it.demand.force == Force::Requires) {
        for (instruction, field) in required.places.iter().filter(|(it, _)| !it.is_empty()) {
            let place = (instruction.as_str(), field.as_str());
            // The document that has the instruction says what it may have, and promises nothing.
            if book.known.home(instruction) == Some(required.document()) {
                continue;
            }
            let permits: Vec<&ResolvedDemand<'_>> = book
                .of_document(required.document())
                .filter(|it| it.permits() && it.is_of(instruction, field))
                .collect();
            let promised =
                |value: &&FieldValue| permits.iter().any(|it| it.values.contains(*value));
            let open = permits.iter().all(|it| it.demand.force == Force::Accepts);
            // What is promised and illegal is a contradiction, and no promise.
            let sound = permits.iter().all(|it| it.values.is_subset(&required.values));
            if permits.is_empty() || !open || !sound {
                continue;
            }
            let of: Vec<&Circumstance> =
                permits.iter().map(|it| it.when()).chain([required.when()]).collect();
            let Some(circumstances) = smallest(&of, |it| {
                it.meet(required.when()) && permits.iter().any(|resolved| it.meet(resolved.when()))
            }) else {
                continue;
            };
            let legal = |value: &&FieldValue| {
                prohibits(book, required.document(), place, value, &circumstances, false).is_empty()
            };
            let left = required.values.iter().filter(|value| !promised(value)).find(legal);
            let Some(value) = left else { continue };
            let clauses = permits.iter().map(|it| it.rule.id.to_string());
            causes.push(Cause {
                clauses: clauses.chain([required.rule.id.to_string()]).collect(),
                instructions: [instruction.clone()].into(),
                summary: format!(
                    "A rule for all instructions names more values than the lists of what one \
                     instruction may have: nothing says whether such a list is complete, as for {} \
                     of {instruction}, which may be {value} by the rule alone.",
                    short(field)
                ),
                remedy: "Lists of what an operand may be are complete: an environment need not \
                         accept other values. Or it must accept all that the rule names."
                    .to_owned(),
                witness: Some(ModuleWitness {
                    instruction: instruction.clone(),
                    field: field.clone(),
                    value: Some(value.clone()),
                    circumstances,
                }),
                about: Some(short(field)),
                ..Cause::new(FindingKind::Gap, "legal-but-not-promised", required.rule)
            });
        }
    }
    causes
}
