//! Requirements that no validator can check, and of which nothing says what follows where they are
//! not met.

use std::collections::BTreeMap;

use laneproof_semantics::language::rule::{Fact, Force};

use super::{Cause, of_host, short};
use crate::finding::FindingKind;
use crate::rules::{Book, ModuleWitness, ResolvedDemand, smallest};

/// One cause for each document. That a module breaks a rule makes it invalid; what a host has made
/// is known when the instruction is executed, and no module is invalid by it.
pub(super) fn of_hosts(book: &Book<'_>) -> Vec<Cause> {
    let mut causes: BTreeMap<&str, Cause> = BTreeMap::new();
    for said in book.said.iter().filter(|it| it.demand.force == Force::Requires) {
        let Some((instruction, field)) = said.places.first() else { continue };
        if !rests_on_words(said) || has_consequence(book, said) || instruction.is_empty() {
            continue;
        }
        let Some(circumstances) = smallest(&[said.when()], |it| it.meet(said.when())) else {
            continue;
        };
        let cause = causes.entry(&said.rule.document).or_insert_with(|| Cause {
            summary: format!(
                "A sentence requires something of what the host makes (here the {}): no sentence \
                 says what becomes of an execution where it is not so, and no module is invalid by it.",
                of_host(&short(field))
            ),
            remedy: "Behavior is undefined where a requirement on what the host makes is not met."
                .to_owned(),
            witness: Some(ModuleWitness {
                instruction: instruction.clone(),
                field: field.clone(),
                value: None,
                circumstances,
            }),
            ..Cause::new(FindingKind::Gap, "unmet-requirement-of-the-host", said.rule)
        });
        cause.clauses.insert(said.rule.id.to_string());
        cause.instructions.extend(said.instructions.iter().cloned());
    }
    causes.into_values().collect()
}

/// It holds where something is so that the text tells in words, and asks for a number.
fn rests_on_words(said: &ResolvedDemand<'_>) -> bool {
    let mut facts = Vec::new();
    said.when().facts(&mut facts);
    let words = facts.iter().any(|fact| matches!(fact, Fact::Words(_)));
    let numbers =
        said.demand.values.iter().any(|values| {
            matches!(values, laneproof_semantics::language::rule::Values::Multiples(_))
        });
    words && numbers
}

/// The same sentence, or one under the same circumstances, names a consequence.
fn has_consequence(book: &Book<'_>, said: &ResolvedDemand<'_>) -> bool {
    book.of_document(said.document()).any(|it| {
        matches!(it.demand.force, Force::Label(_))
            && it.when() == said.when()
            && !it.instructions.is_disjoint(&said.instructions)
    })
}
