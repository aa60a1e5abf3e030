//! Types that an operand "may" have, or "is" said to have, where others "must" have them.

use laneproof_semantics::language::rule::Force;

use super::{Cause, short};
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand, unfit};

/// One cause for each document and weaker verb. The document that has an instruction says what its
/// operands may be, and not that they must; of an operand of the same name elsewhere, or of another
/// operand there, it is said that it must.
pub(super) fn weaker(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (force, word, verb) in [
        (Force::Accepts, "may-where-others-must", "may be"),
        (Force::AcceptsOnly, "is-where-others-must", "is said to be"),
    ] {
        for resolved in book.resolved.iter().filter(|resolved| resolved.demand.force == force) {
            for (instruction, field) in &resolved.places {
                let at_home = book.known.home(instruction) == Some(resolved.document());
                if !at_home
                    || !of_types(resolved)
                    || is_required(book, resolved, instruction, field)
                {
                    continue;
                }
                let name = short(field);
                let Some(stronger) = required_elsewhere(book, resolved, &name) else {
                    continue;
                };
                causes.push(Cause {
                    about: Some(name.clone()),
                    instructions: [instruction.clone()].into(),
                    clauses: [resolved.rule.id.to_string(), stronger.rule.id.to_string()].into(),
                    summary: format!(
                        "{name} {verb} of some types, and no sentence says that it must be, as one \
                         does elsewhere: nothing makes other types illegal."
                    ),
                    remedy: format!("{name} must be of one of these types."),
                    witness: Some(ModuleWitness {
                        instruction: instruction.clone(),
                        field: field.clone(),
                        value: taken(book, resolved, (instruction, field)),
                        circumstances: Circumstances::default(),
                    }),
                    ..Cause::new(FindingKind::Gap, word, resolved.rule)
                });
            }
        }
    }
    causes
}

/// A value that the sentence names and the instruction takes as it is declared, if there is one.
fn taken(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    place: (&str, &str),
) -> Option<FieldValue> {
    let fits = |value: &&FieldValue| !unfit(book, place, value);
    resolved.values.iter().find(fits).or(resolved.values.first()).cloned()
}

fn of_types(resolved: &ResolvedDemand<'_>) -> bool {
    resolved.values.iter().any(|value| matches!(value, FieldValue::Type(_)))
}

/// Some sentence of the same document says what it must be.
fn is_required(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    instruction: &str,
    field: &str,
) -> bool {
    let own = book.of_document(resolved.document());
    own.into_iter().any(|it| {
        it.demand.force == Force::Requires && of_types(it) && it.is_of(instruction, field)
    })
}

/// A document says of an operand of this name of its own instruction what it must be.
fn required_elsewhere<'b, 't>(
    book: &'b Book<'t>,
    resolved: &ResolvedDemand<'_>,
    name: &str,
) -> Option<&'b ResolvedDemand<'t>> {
    let of_name = |it: &&ResolvedDemand<'t>| {
        let home = |instruction: &str| book.known.home(instruction) == Some(it.document());
        it.demand.force == Force::Requires
            && of_types(it)
            && it.places.iter().any(|(instruction, field)| {
                let own = it.document() == resolved.document();
                home(instruction) && (own || short(field) == name)
            })
    };
    let fitting: Vec<&ResolvedDemand<'t>> = book.resolved.iter().filter(of_name).collect();
    let other = |it: &&&ResolvedDemand<'t>| it.places.is_disjoint(&resolved.places);
    fitting.iter().find(other).copied()
}
