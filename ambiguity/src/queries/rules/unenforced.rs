//! Requirements that no validator can check, without a consequence if they are not met.

use std::collections::BTreeMap;

use laneproof_semantics::language::rule::{Fact, Force};

use super::{Cause, of_host, short};
use crate::finding::FindingKind;
use crate::rules::{Book, ModuleWitness, ResolvedDemand, smallest};

/// One cause for each document. That a module breaks a rule makes it invalid; what a host has made
/// is known when the instruction is executed, and no module is invalid by it.
pub(super) fn of_hosts(book: &Book<'_>) -> Vec<Cause> {
    let mut causes: BTreeMap<&str, Cause> = BTreeMap::new();
    for resolved in book.resolved.iter().filter(|it| it.demand.force == Force::Requires) {
        let Some((instruction, field)) = resolved.places.first() else { continue };
        if !rests_on_words(resolved) || has_consequence(book, resolved) || instruction.is_empty() {
            continue;
        }
        let Some(circumstances) = smallest(&[resolved.when()], |it| it.meet(resolved.when()))
        else {
            continue;
        };
        let cause = causes.entry(&resolved.rule.document).or_insert_with(|| Cause {
            summary: format!(
                "A sentence requires something of what the host creates (here the {}): no sentence \
                 says what happens where that is not met, and no module is invalid because of it.",
                of_host(&short(field))
            ),
            remedy:
                "Behavior is undefined where a requirement on what the host creates is not met."
                    .to_owned(),
            witness: Some(ModuleWitness {
                instruction: instruction.clone(),
                field: field.clone(),
                value: None,
                circumstances,
            }),
            ..Cause::new(FindingKind::Gap, "unmet-requirement-of-the-host", resolved.rule)
        });
        cause.clauses.insert(resolved.rule.id.to_string());
        cause.instructions.extend(resolved.instructions.iter().cloned());
    }
    causes.into_values().collect()
}

/// It depends on a circumstance in words, and requires a number.
fn rests_on_words(resolved: &ResolvedDemand<'_>) -> bool {
    let mut facts = Vec::new();
    resolved.when().facts(&mut facts);
    let words = facts.iter().any(|fact| matches!(fact, Fact::Words(_)));
    let numbers =
        resolved.demand.values.iter().any(|values| {
            matches!(values, laneproof_semantics::language::rule::Values::Multiples(_))
        });
    words && numbers
}

/// The same sentence, or one under the same circumstances, names a consequence.
fn has_consequence(book: &Book<'_>, resolved: &ResolvedDemand<'_>) -> bool {
    book.of_document(resolved.document()).any(|it| {
        matches!(it.demand.force, Force::Label(_))
            && it.when() == resolved.when()
            && !it.instructions.is_disjoint(&resolved.instructions)
    })
}
