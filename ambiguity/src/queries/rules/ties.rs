//! Conditions that belong together by their names: of which each has a value of its own in one
//! sentence, and any will do in another; and of which some numbers are missing.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::Fact;

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, ModuleWitness, ResolvedDemand};

/// One cause for each document, condition and kind of value.
pub(super) fn conditions(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for document in book.documents() {
        causes.extend(any_will_do(book, document));
        causes.extend(numbers(book, document));
    }
    causes
}

/// What the text says of the environment, of the conditions of a demand.
fn conditions_of<'s>(resolved: &'s ResolvedDemand<'_>) -> BTreeSet<&'s str> {
    let mut facts = Vec::new();
    resolved.when().facts(&mut facts);
    let words = |fact: &'s Fact| match fact {
        Fact::Words(words) => Some(&**words),
        _ => None,
    };
    facts.into_iter().filter_map(words).collect()
}

/// The values of other sentences that each have conditions of their own, which are those of this
/// one together.
fn apart<'b, 't>(
    book: &'b Book<'t>,
    resolved: &'b ResolvedDemand<'t>,
) -> Option<Vec<&'b ResolvedDemand<'t>>> {
    let own = conditions_of(resolved);
    let mut of_kind: BTreeMap<&str, Vec<&ResolvedDemand<'t>>> = BTreeMap::new();
    for other in book.of_document(&resolved.rule.document) {
        let shared: BTreeSet<&str> = conditions_of(other).intersection(&own).copied().collect();
        let of_module = other.instructions.is_empty();
        if other.permits() && of_module && !shared.is_empty() && shared.len() < own.len() {
            of_kind.entry(other.kind).or_default().push(other);
        }
    }
    let disjoint = |demands: &[&ResolvedDemand<'_>]| {
        let all: Vec<BTreeSet<&str>> = demands
            .iter()
            .map(|it| conditions_of(it).intersection(&own).copied().collect())
            .collect();
        let sum: usize = all.iter().map(BTreeSet::len).sum();
        let union: BTreeSet<&str> = all.iter().flatten().copied().collect();
        sum == union.len() && union == own
    };
    let values = |demands: &[&ResolvedDemand<'_>]| {
        demands.iter().flat_map(|it| &it.values).collect::<BTreeSet<_>>().len()
    };
    of_kind.into_values().find(|it| it.len() > 1 && disjoint(it) && values(it) >= it.len())
}

/// It may depend on which of the conditions holds: several values, or what an instruction takes.
fn may_depend(resolved: &ResolvedDemand<'_>) -> bool {
    let of_operand = resolved.places.iter().any(|(instruction, _)| !instruction.is_empty());
    resolved.permits() && (of_operand || resolved.values.len() > 1)
}

fn any_will_do(book: &Book<'_>, document: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    for resolved in book.of_document(document).filter(|it| may_depend(it)) {
        let Some(apart) = apart(book, resolved) else { continue };
        let Some((instruction, field)) = resolved.places.first() else { continue };
        let values = |resolved: &ResolvedDemand<'_>| {
            resolved.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
        };
        let what = match instruction.is_empty() {
            true => values(resolved),
            false => format!("{} for {field} of {instruction}", values(resolved)),
        };
        let verb = if resolved.values.len() > 1 { "are" } else { "is" };
        let conditions: Vec<&str> = conditions_of(resolved).into_iter().collect();
        let own: Vec<String> = apart.iter().map(|it| values(it)).collect();
        causes.push(Cause {
            about: Some(super::short(field)),
            instructions: resolved.instructions.clone(),
            clauses: apart.iter().chain([&resolved]).map(|it| it.rule.id.to_string()).collect(),
            summary: format!(
                "{what} {verb} accepted where any one of {} conditions holds, \u{201c}{}\u{201d} among \
                 them. Other sentences have a condition for each of {} apart, and no sentence ties \
                 what is accepted here to the condition that holds.",
                conditions.len(),
                conditions.first().copied().unwrap_or_default(),
                own.join(", ")
            ),
            remedy: "Which of the conditions each case needs.".to_owned(),
            witness: Some(ModuleWitness {
                instruction: instruction.clone(),
                field: field.clone(),
                value: resolved.values.first().cloned(),
                circumstances: Circumstances::default(),
            }),
            ..Cause::new(FindingKind::Gap, "any-condition-will-do", resolved.rule)
        });
    }
    causes
}

/// The name in a condition without its number, and the number.
fn numbered(condition: &str) -> Option<(String, String, String)> {
    let mut words = condition.split_whitespace();
    let (name, number) = words.by_ref().find_map(|word| {
        let number: String = word.chars().filter(char::is_ascii_digit).collect();
        let name = word.replacen(&number, NUMBER, 1);
        (!number.is_empty()).then_some((name, number))
    })?;
    Some((name, number, words.collect::<Vec<_>>().join(" ")))
}

/// What stands for the number in a name.
const NUMBER: &str = "#";

fn with_number(name: &str, number: &str) -> String {
    name.replacen(NUMBER, number, 1)
}

/// Conditions that differ in a number have several, and one of them has some of these only.
fn numbers(book: &Book<'_>, document: &str) -> Vec<Cause> {
    type Details<'b, 't> = BTreeMap<String, (BTreeSet<String>, &'b ResolvedDemand<'t>)>;
    let mut names: BTreeMap<String, Details<'_, '_>> = BTreeMap::new();
    for resolved in book.of_document(document) {
        for condition in conditions_of(resolved) {
            let Some((name, number, detail)) = numbered(condition) else { continue };
            let known = names.entry(name).or_default().entry(detail);
            known.or_insert_with(|| (BTreeSet::new(), resolved)).0.insert(number);
        }
    }
    let mut causes = Vec::new();
    for (name, details) in names {
        let Some(most) = details.values().map(|(numbers, _)| numbers).max_by_key(|it| it.len())
        else {
            continue;
        };
        let fewer = details.iter().filter(|(_, (numbers, _))| numbers.is_subset(most));
        let fewer: Vec<_> = fewer.filter(|(_, (numbers, _))| numbers != most).collect();
        let complete = details.values().filter(|(numbers, _)| numbers == most).count();
        let Some((_, (numbers, resolved))) = fewer.first().filter(|_| complete > 1) else {
            continue;
        };
        let list = |numbers: &BTreeSet<String>| {
            numbers.iter().map(|it| with_number(&name, it)).collect::<Vec<_>>().join(", ")
        };
        let which: Vec<&str> = fewer.iter().map(|(detail, _)| detail.as_str()).collect();
        causes.push(Cause {
            about: Some(with_number(&name, "")),
            instructions: resolved.instructions.clone(),
            clauses: fewer.iter().map(|(_, (_, resolved))| resolved.rule.id.to_string()).collect(),
            summary: format!(
                "Sentences have conditions on each of {}; those that say \u{201c}{}\u{201d} name {} \
                 only: no sentence says what holds for the others.",
                list(most),
                which.join("\u{201d}, \u{201c}"),
                list(numbers)
            ),
            remedy: "The same sentences for the others, or that nothing is accepted there."
                .to_owned(),
            witness: resolved.places.first().map(|(instruction, field)| ModuleWitness {
                instruction: instruction.clone(),
                field: field.clone(),
                value: resolved.values.first().cloned(),
                circumstances: Circumstances::default(),
            }),
            ..Cause::new(FindingKind::Gap, "condition-for-some-numbers", resolved.rule)
        });
    }
    causes
}
