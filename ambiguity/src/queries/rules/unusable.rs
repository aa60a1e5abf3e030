//! Values that a rule permits, and that no module may have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::language::rule::{Force, Values};

use super::listed::open_field;
use super::{Cause, short};
use crate::finding::FindingKind;
use crate::report::Harmless;
use crate::rules::{
    Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand, always, needed, prohibits,
    smallest, unfit,
};

/// A value of a place, with the circumstances in which it is prohibited; always.
type Excess = (String, String, FieldValue, Circumstances);

/// One cause for each field for which a document permits a value that it prohibits, or mentions an
/// impossible one; one for lists with more than the instruction's own document allows, and one for
/// lists for several instructions, each of which takes a part of it. Where one takes no part of such a
/// list, another query finds that.
pub(super) fn permissions(book: &Book<'_>) -> (Vec<Cause>, Vec<Harmless>) {
    let (mut causes, mut shared) = (Vec::new(), Vec::new());
    let mut lists: Vec<(&ResolvedDemand<'_>, Vec<Excess>)> = Vec::new();
    for resolved in
        book.resolved.iter().filter(|it| it.permits() || it.demand.force == Force::Mentions)
    {
        let mut beyond = Vec::new();
        let places = reached(book, resolved);
        for (instruction, field) in &places {
            for value in &resolved.values {
                let place = (instruction.as_str(), field.as_str());
                let own = prohibited(book, resolved, |circumstances| {
                    !prohibits(book, resolved.document(), place, value, circumstances, false)
                        .is_empty()
                        || resolved.demand.force == Force::Mentions
                            && !needed(book, resolved.document(), field, value, circumstances)
                                .is_empty()
                });
                if let Some(circumstances) = own {
                    // A list of types of any width or sign is narrowed by what holds for all types.
                    if lists_families(resolved)
                        && !is_denied(book, resolved, place, value, &circumstances)
                    {
                        continue;
                    }
                    causes.push(contradiction(book, resolved, place, value, circumstances));
                    continue;
                }
                let home = book.known.home(instruction).filter(|home| *home != resolved.document());
                let theirs = home.and_then(|home| {
                    prohibited(book, resolved, |circumstances| {
                        !prohibits(book, home, place, value, circumstances, true).is_empty()
                            || unfit(book, place, value)
                    })
                });
                if let Some(circumstances) = theirs {
                    beyond.push((instruction.clone(), field.clone(), value.clone(), circumstances));
                }
            }
        }
        if beyond.is_empty() {
            continue;
        }
        match is_shared(&places, &beyond) {
            true if each_takes_some(resolved, &beyond) => lists.push((resolved, beyond)),
            true => shared.push(each_its_part(resolved, &beyond)),
            false => causes.extend(wider(book, resolved, beyond)),
        }
    }
    // Lists of one document for operands of one name are at fault in one way.
    let name = |list: &ResolvedDemand<'_>| {
        let field = list.places.first().map_or("", |(_, field)| field.as_str());
        (list.document().to_owned(), short(field))
    };
    while let Some((first, _)) = lists.first() {
        let about = name(first);
        let (alike, others) = lists.into_iter().partition(|(list, _)| name(list) == about);
        causes.extend(of_others(book, &about.1, alike));
        lists = others;
    }
    (causes, shared)
}

/// The fields that a list is about: in an instruction that has none of them it is about the operand
/// whose type is as open.
fn reached(book: &Book<'_>, resolved: &ResolvedDemand<'_>) -> BTreeSet<(String, String)> {
    let of_types = resolved.values.iter().any(|value| matches!(value, FieldValue::Type(_)));
    let whole = resolved.places.iter().all(|(_, field)| !field.contains(" of "));
    let has = |name: &&String| resolved.places.iter().any(|(instruction, _)| instruction == *name);
    let others = resolved.instructions.iter().filter(|name| of_types && whole && !has(name));
    let others = others.filter(|name| book.known.is_open(name));
    let meant = others.map(|name| (name.clone(), open_field(book, name)));
    resolved.places.iter().cloned().chain(meant).collect()
}

/// Some of its types are `any`, `int` or `float`.
fn lists_families(resolved: &ResolvedDemand<'_>) -> bool {
    let family = |word: &Arc<str>| matches!(&**word, "any" | "int" | "float");
    resolved.demand.values.iter().any(|values| match values {
        Values::Types { elements, .. } => elements.iter().any(family),
        _ => false,
    })
}

/// Its types are of any element.
fn names_no_element(resolved: &ResolvedDemand<'_>) -> bool {
    resolved.demand.values.iter().all(|values| match values {
        Values::Types { elements, .. } => elements.iter().all(|word| &**word == "any"),
        _ => false,
    })
}

/// A rule about the field itself makes the value illegal, not only one about types.
fn is_denied(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    place: (&str, &str),
    value: &FieldValue,
    circumstances: &Circumstances,
) -> bool {
    let against = prohibits(book, resolved.document(), place, value, circumstances, false);
    against.iter().any(|it| it.is_of(place.0, place.1))
}

/// The smallest circumstances in which a demand holds, if in all of them something is so.
fn prohibited(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    mut so: impl FnMut(&Circumstances) -> bool,
) -> Option<Circumstances> {
    let first = smallest(&[resolved.when()], |it| it.meet(resolved.when()))?;
    if !so(&first) {
        return None;
    }
    let others = book.resolved.iter().filter(|other| {
        other.places.intersection(&resolved.places).next().is_some()
            || other.places.iter().any(|(instruction, _)| instruction.starts_with("OpType"))
    });
    let of: Vec<_> =
        [resolved.when()].into_iter().chain(others.map(ResolvedDemand::when)).collect();
    always(&of, resolved.when(), so).then_some(first)
}

fn contradiction(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    (instruction, field): (&str, &str),
    value: &FieldValue,
    circumstances: Circumstances,
) -> Cause {
    let against =
        prohibits(book, resolved.document(), (instruction, field), value, &circumstances, false);
    let mentioned = resolved.demand.force == Force::Mentions;
    let (kind, word) = match mentioned {
        true => (FindingKind::DeadClause, "no-such-module"),
        false => (FindingKind::Overlap, "permitted-and-prohibited"),
    };
    let named = short(field);
    let summary = match mentioned {
        true => format!("The text speaks of {named} {value}, which no module may have."),
        false => format!("{named} may be {value} by one sentence, and must not by another."),
    };
    Cause {
        about: Some(named),
        instructions: [instruction.to_owned()].into_iter().filter(|it| !it.is_empty()).collect(),
        clauses: against
            .iter()
            .map(|it| it.rule)
            .chain([resolved.rule])
            .map(|it| it.id.to_string())
            .collect(),
        summary,
        remedy: match mentioned {
            true => "Which modules are meant, or what is said of those that there may be.",
            false => "Which of the two holds.",
        }
        .to_owned(),
        witness: Some(ModuleWitness {
            instruction: instruction.to_owned(),
            field: field.to_owned(),
            value: Some(value.clone()),
            circumstances,
        }),
        ..Cause::new(kind, word, resolved.rule)
    }
}

/// Each value that some instruction of a list does not take is right for another one of it: the
/// list is one for several instructions, each of which takes its part.
fn is_shared(places: &BTreeSet<(String, String)>, beyond: &[Excess]) -> bool {
    let mut unfit_of: BTreeMap<&FieldValue, usize> = BTreeMap::new();
    for (_, _, value, _) in beyond {
        *unfit_of.entry(value).or_default() += 1;
    }
    unfit_of.values().all(|&unfit| unfit < places.len())
}

/// Every instruction of the list takes some of its values.
fn each_takes_some(resolved: &ResolvedDemand<'_>, beyond: &[Excess]) -> bool {
    let mut unfit_of: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (instruction, field, ..) in beyond {
        *unfit_of.entry((instruction, field)).or_default() += 1;
    }
    unfit_of.values().all(|&values| values < resolved.values.len())
}

/// Lists for several instructions as if each of them took all of it.
fn of_others(
    book: &Book<'_>,
    field: &str,
    lists: Vec<(&ResolvedDemand<'_>, Vec<Excess>)>,
) -> Option<Cause> {
    let mut unfit_of: BTreeMap<BTreeSet<&FieldValue>, BTreeSet<&str>> = BTreeMap::new();
    let beyond = || lists.iter().flat_map(|(_, beyond)| beyond);
    let names: BTreeSet<&str> = beyond().map(|(instruction, ..)| instruction.as_str()).collect();
    for name in &names {
        let values = beyond().filter(|(instruction, ..)| instruction == name);
        unfit_of.entry(values.map(|(.., value, _)| value).collect()).or_default().insert(*name);
    }
    let part = |(values, names): (&BTreeSet<&FieldValue>, &BTreeSet<&str>)| {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        let others = match names.len() {
            0 | 1 => " does".to_owned(),
            2 => " and another one do".to_owned(),
            more => format!(" and {} others do", more - 1),
        };
        format!(
            "{}{others} not take {}",
            names.first().copied().unwrap_or_default(),
            values.join(", ")
        )
    };
    // Where the list names the operand, it says something of it.
    let by_another_name =
        |instruction: &str, of: &str| !lists.iter().any(|(list, _)| list.is_of(instruction, of));
    let (instruction, of, value, circumstances) =
        beyond().min_by_key(|(instruction, of, value, _)| {
            (by_another_name(instruction, of), value, instruction)
        })?;
    let parts: Vec<String> = unfit_of.iter().map(part).collect();
    let home = book.known.home(instruction)?;
    let (first, _) = lists.first()?;
    let list = if lists.len() == 1 { "A list of types is" } else { "Lists of types are" };
    Some(Cause {
        about: Some(field.to_owned()),
        documents: [first.document().to_owned(), home.to_owned()].into(),
        clauses: lists.iter().map(|(list, _)| list.rule.id.to_string()).collect(),
        summary: format!(
            "{list} for {field} of several instructions, and no sentence says that each of them takes \
             its part only; by {home}, {}.",
            parts.join("; ")
        ),
        remedy: "A list for each kind of instruction, or that types are meant which the \
                 instruction takes."
            .to_owned(),
        instructions: names.iter().map(ToString::to_string).collect(),
        witness: Some(ModuleWitness {
            instruction: instruction.clone(),
            field: of.clone(),
            value: Some(value.clone()),
            circumstances: circumstances.clone(),
        }),
        ..Cause::new(FindingKind::CrossDocument, "types-of-other-instructions", first.rule)
    })
}

fn each_its_part(resolved: &ResolvedDemand<'_>, beyond: &[Excess]) -> Harmless {
    let example = beyond.iter().map(|(instruction, _, value, _)| (instruction, value)).min();
    let example = example.map_or(String::new(), |(instruction, value)| {
        format!(": {instruction}, for one, takes no {value}")
    });
    Harmless {
        place: format!(
            "one list for several instructions (\u{201c}{}\u{201d})",
            resolved.rule.wording
        ),
        question: format!(
            "Does a list of types for several instructions say more than each of them takes{example}?"
        ),
        proved: "every type of the list is taken by an instruction of it",
    }
}

/// A list that takes in values which the instruction's own document does not.
fn wider(book: &Book<'_>, resolved: &ResolvedDemand<'_>, beyond: Vec<Excess>) -> Option<Cause> {
    let (instruction, field, value, circumstances) = beyond
        .iter()
        .min_by_key(|(_, _, value, circumstances)| (circumstances.lines().len(), value.clone()))?;
    // A sentence that names no element names none that is too many.
    if names_no_element(resolved) {
        return None;
    }
    let home = book.known.home(instruction).unwrap_or_default();
    let documents = beyond.iter().filter_map(|(instruction, ..)| book.known.home(instruction));
    let mut cause =
        Cause::new(FindingKind::CrossDocument, "more-types-than-are-taken", resolved.rule);
    cause.about = Some(instruction.clone());
    cause.summary = format!(
        "{field} of {instruction} may be {value} by this document, and not by {home}, which has the \
         instruction."
    );
    cause.remedy = "A list of the types that the instruction takes.".to_owned();
    cause.documents.extend(documents.map(str::to_owned));
    cause.instructions = beyond.iter().map(|(instruction, ..)| instruction.clone()).collect();
    cause.witness = Some(ModuleWitness {
        instruction: instruction.clone(),
        field: field.clone(),
        value: Some(value.clone()),
        circumstances: circumstances.clone(),
    });
    Some(cause)
}
