//! What an environment is to accept, and that needs a capability which it need not accept then.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::{DemandSubject, Member, Values};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{
    Book, FieldValue, ModuleWitness, ResolvedDemand, lacking, longest_list, needed, smallest,
};

/// One cause for each document.
pub(super) fn capabilities(book: &Book<'_>) -> Vec<Cause> {
    let mut found: BTreeMap<&str, (Cause, BTreeSet<String>)> = BTreeMap::new();
    for resolved in book.resolved.iter().filter(|resolved| resolved.permits()) {
        let Some(circumstances) = smallest(&[resolved.when()], |it| it.meet(resolved.when()))
        else {
            continue;
        };
        let environment =
            longest_list(book, resolved.document()).map_or(resolved.when(), |it| it.when());
        let both = [resolved.when(), environment];
        let environment = smallest(&both, |it| both.iter().all(|when| it.meet(when)));
        let circumstances = environment.unwrap_or(circumstances);
        for (instruction, field) in &resolved.places {
            let lacks = || lacking(book, resolved.document(), instruction, &circumstances);
            let of_instruction = named(resolved, instruction).then(lacks).flatten();
            for value in resolved.values.iter().filter(|value| lists(resolved, value)) {
                let of_value = needed(book, resolved.document(), field, value, &circumstances);
                for any in of_instruction.iter().cloned().chain(of_value) {
                    let (cause, lacking) =
                        found.entry(&resolved.rule.document).or_insert_with(|| {
                            let kind = FindingKind::Gap;
                            let mut cause =
                                Cause::new(kind, "capability-not-accepted", resolved.rule);
                            cause.witness = Some(ModuleWitness {
                                instruction: instruction.clone(),
                                field: field.clone(),
                                value: Some(value.clone()),
                                circumstances: circumstances.clone(),
                            });
                            (cause, BTreeSet::new())
                        });
                    cause.clauses.insert(resolved.rule.id.to_string());
                    cause.instructions.insert(instruction.clone());
                    lacking.insert(any.join(" or "));
                }
            }
        }
    }
    let summarized = |(mut cause, lacking): (Cause, BTreeSet<String>)| {
        let lacking: Vec<String> = lacking.into_iter().collect();
        cause.summary = format!(
            "An environment is to accept what needs a capability, and no sentence has it accept that in \
             the same circumstances: {}.",
            lacking.join(", ")
        );
        cause.remedy = "The environment accepts these capabilities, too, or what needs them only \
                        where they are supported."
            .to_owned();
        cause.instructions.remove("");
        cause
    };
    found.into_values().map(summarized).collect()
}

/// The list has the value itself. One of all integers, or of vectors of any length, means those that
/// there are: what a capability adds to them is in it where that is accepted.
fn lists(resolved: &ResolvedDemand<'_>, value: &FieldValue) -> bool {
    let FieldValue::Type(ty) = value else { return true };
    resolved.demand.values.iter().any(|values| match values {
        Values::Types { scalar, vector, elements } => {
            let of_length = match ty.components {
                1 => *scalar,
                components => vector.as_ref().is_some_and(|it| it.contains(&components)),
            };
            // Of vectors of any length, those of up to four components need nothing more.
            let open = ty.components <= 4 && vector.as_ref().is_some_and(Vec::is_empty);
            let element = ty.element.to_string();
            (of_length || open) && elements.iter().any(|word| **word == *element)
        }
        _ => true,
    })
}

/// The text names the instruction itself, not only as one of many that a capability enables.
fn named(resolved: &ResolvedDemand<'_>, instruction: &str) -> bool {
    match &resolved.demand.subject {
        DemandSubject::Fields { group, .. } => group
            .members
            .iter()
            .any(|member| matches!(member, Member::Named(name) if **name == *instruction)),
        DemandSubject::Tokens(_) => false,
    }
}
