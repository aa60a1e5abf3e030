//! What the documents' rules say of one module.

use std::collections::BTreeSet;

use laneproof_semantics::language::rule::{Circumstance, Fact, Force};
use laneproof_tokens as tokens;

use super::book::{Book, ResolvedDemand};
use super::circumstances::Circumstances;
use super::known::{kind_of, needs};
use super::values::FieldValue;
use super::witness::ModuleWitness;
use crate::reading_outcome::ReadingOutcome;

/// A rule has the environment take the value.
pub(crate) const TAKEN: &str = "must be accepted";
/// A rule lists it among the legal ones, which is no promise to take it.
pub(crate) const LEGAL: &str = "is legal";
/// A rule mentions it as if it were possible.
pub(crate) const NAMED: &str = "is mentioned";
/// A rule makes it illegal.
pub(crate) const PROHIBITED: &str = "is not legal";
/// The instruction's own document does not take it.
pub(crate) const UNFIT: &str = "takes no such type";
/// The instruction has no such operand.
pub(crate) const ABSENT: &str = "has no such operand";
/// A rule is about it, whatever its value is.
pub(crate) const RULED: &str = "has a rule for it";
/// No rule says anything.
pub(crate) const NOTHING: &str = "says nothing of it";

/// A demand about a field, a kind of type or of image, and the value as that demand sees it.
type Touching<'b, 't> = (&'b ResolvedDemand<'t>, FieldValue, bool);

/// What a document says of a value of a field: of the field itself (`true`), of images where it is
/// one's, and of the instructions that declare a type.
fn touching<'b, 't>(
    book: &'b Book<'t>,
    document: &'b str,
    place: (&str, &str),
    value: &FieldValue,
) -> Vec<Touching<'b, 't>> {
    let (instruction, field) = place;
    let image =
        field.split_once(" of ").filter(|(_, operand)| book.known.is_image(instruction, operand));
    let facets = match value {
        FieldValue::Type(ty) => ty.facets(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for resolved in book.of_document(document) {
        if resolved.is_of(instruction, field) {
            found.push((resolved, value.clone(), true));
        } else if image.is_some_and(|(field, _)| resolved.is_of("OpTypeImage", field)) {
            found.push((resolved, value.clone(), false));
        }
        for (declared_by, field, number) in &facets {
            if resolved.is_of(declared_by, field) {
                found.push((resolved, FieldValue::Number(*number), false));
            }
        }
    }
    found
}

/// A demand is about a field, or about that of images where it is one's.
pub(crate) fn is_about(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    place: (&str, &str),
) -> bool {
    let (instruction, field) = place;
    let image =
        field.split_once(" of ").filter(|(_, operand)| book.known.is_image(instruction, operand));
    resolved.is_of(instruction, field)
        || image.is_some_and(|(field, _)| resolved.is_of("OpTypeImage", field))
}

/// Values are only comparable among types, among presences, and among tokens and numbers.
pub(crate) fn sort(value: &FieldValue) -> u8 {
    match value {
        FieldValue::Type(_) => 0,
        FieldValue::Word(word) if matches!(&**word, "present" | "absent") => 1,
        _ => 2,
    }
}

/// Of these a module has one; of all other kinds of tokens it may have several.
const ONE_OF: [&str; 3] = ["AddressingModel", "ExecutionModel", "MemoryModel"];

/// A module may have several values of it at once.
pub(crate) fn has_several((instruction, field): (&str, &str)) -> bool {
    instruction.is_empty() && !ONE_OF.contains(&field)
}

/// The demands of a document that make a value of a field illegal. A closed list does so if it is
/// about something more general than the field, or if `closed` is set.
pub(crate) fn prohibits<'b, 't>(
    book: &'b Book<'t>,
    document: &'b str,
    place: (&str, &str),
    value: &FieldValue,
    circumstances: &Circumstances,
    closed: bool,
) -> Vec<&'b ResolvedDemand<'t>> {
    let all = touching(book, document, place, value);
    let now = || {
        all.iter().filter(|(resolved, value, _)| {
            let comparable = resolved.values.iter().any(|other| sort(other) == sort(value));
            comparable && circumstances.meet(resolved.when())
        })
    };
    let listed = |places: &BTreeSet<(String, String)>, value: &FieldValue| {
        now().any(|(resolved, _, _)| {
            resolved.permits()
                && resolved.places.intersection(places).next().is_some()
                && resolved.values.contains(value)
        })
    };
    let illegal = |(resolved, value, own): &&Touching<'b, 't>| match resolved.demand.force {
        // That a module must have one of what it may have several of is no word on others.
        Force::Requires => !has_several(place) && !resolved.values.contains(value),
        Force::Forbids => resolved.values.contains(value),
        Force::AcceptsOnly => (closed || !own) && !listed(&resolved.places, value),
        _ => false,
    };
    now().filter(illegal).map(|(resolved, _, _)| *resolved).collect()
}

/// The instruction's own document allows an operand these types, and this is not one of them. Rules
/// of that document come before its declaration.
pub(crate) fn unfit(book: &Book<'_>, place: (&str, &str), value: &FieldValue) -> bool {
    let (instruction, field) = place;
    let home = book.known.home(instruction).unwrap_or_default();
    let by_rule = book.of_document(home).any(|resolved| {
        let closed = matches!(resolved.demand.force, Force::Requires | Force::AcceptsOnly);
        closed
            && resolved.is_of(instruction, field)
            && resolved.values.iter().any(|it| matches!(it, FieldValue::Type(_)))
    });
    let types = book.known.types(instruction, field).filter(|_| !by_rule);
    matches!(value, FieldValue::Type(_)) && types.is_some_and(|types| !types.contains(value))
}

/// The capabilities that a document has environments accept, under whatever circumstances, with
/// those that they bring.
pub(crate) fn accepted(book: &Book<'_>, document: &str) -> BTreeSet<String> {
    let stated = book.of_document(document).filter(|resolved| {
        resolved.is_of("", "Capability")
            && (resolved.permits() || resolved.demand.force == Force::Requires)
    });
    tokens::with_brought(
        stated.flat_map(|resolved| resolved.values.iter().map(ToString::to_string)),
    )
}

/// The longest list of capabilities in a document: where it holds there is an environment as the
/// document has it.
pub(crate) fn longest_list<'b, 't>(
    book: &'b Book<'t>,
    document: &'b str,
) -> Option<&'b ResolvedDemand<'t>> {
    let lists = book.of_document(document);
    let lists = lists.filter(|resolved| resolved.is_of("", "Capability") && resolved.permits());
    lists.max_by_key(|resolved| resolved.values.len())
}

/// The capabilities that a document has an environment accept in these circumstances, with those
/// that they bring. A module may declare what extensions it takes.
fn accepted_in(book: &Book<'_>, document: &str, circumstances: &Circumstances) -> BTreeSet<String> {
    let met = |when: &Circumstance| {
        let mut facts = Vec::new();
        when.facts(&mut facts);
        let declared = facts.iter().filter(|fact| matches!(fact, Fact::Extension(_)));
        let mut with = circumstances.clone();
        with.holds.extend(declared.map(ToString::to_string));
        with.meet(when)
    };
    let stated = book.of_document(document).filter(|resolved| {
        let force = resolved.permits() || resolved.demand.force == Force::Requires;
        force && resolved.is_of("", "Capability") && met(resolved.when())
    });
    tokens::with_brought(
        stated.flat_map(|resolved| resolved.values.iter().map(ToString::to_string)),
    )
}

/// The capabilities that a value of a field needs and that are neither declared here nor accepted
/// by the document: one of each list. An environment that accepts none leaves them to another.
pub(crate) fn needed(
    book: &Book<'_>,
    document: &str,
    field: &str,
    value: &FieldValue,
    circumstances: &Circumstances,
) -> Vec<Vec<String>> {
    let accepted = accepted(book, document);
    if accepted.is_empty() {
        return Vec::new();
    }
    let field = field.split_once(" of ").map_or(field, |(field, _)| field);
    let there = |name: &String| accepted.contains(name) || circumstances.declares(name);
    let mut unmet = needs(kind_of(field), value);
    unmet.retain(|any| !any.iter().any(there));
    unmet
}

/// The alternative capabilities of an instruction, if a document makes environments accept
/// capabilities in these circumstances, but none of these, and none of them is declared here.
pub(crate) fn lacking(
    book: &Book<'_>,
    document: &str,
    instruction: &str,
    circumstances: &Circumstances,
) -> Option<Vec<String>> {
    let stated = longest_list(book, document).is_some_and(|it| circumstances.meet(it.when()));
    let accepted = match stated {
        true => accepted_in(book, document, circumstances),
        false => accepted(book, document),
    };
    let any = book.known.capabilities(instruction);
    let there = |name: &String| accepted.contains(name) || circumstances.declares(name);
    let unmet = !accepted.is_empty() && !any.is_empty() && !any.iter().any(there);
    unmet.then_some(any)
}

/// What these documents say of a module, sentence by sentence.
pub fn judge(
    book: &Book<'_>,
    documents: &BTreeSet<String>,
    witness: &ModuleWitness,
) -> Vec<ReadingOutcome> {
    let ModuleWitness { instruction, field, value, circumstances } = witness;
    let place = (instruction.as_str(), field.as_str());
    let read = |name: &str, outcome: &str| ReadingOutcome {
        name: name.to_owned(),
        outcome: outcome.to_owned(),
        lanes: Vec::new(),
    };
    let mut reads = Vec::new();
    // A field of an operand, as of what a host makes for it, is there where the operand is.
    let operand = field.split_once(" of ").map_or(field.as_str(), |(_, operand)| operand);
    if book.known.has(instruction, operand) == Some(false) && !field.is_empty() && value.is_none() {
        reads.push(read(instruction, ABSENT));
    }
    for document in documents {
        let before = reads.len();
        for resolved in
            book.of_document(document).filter(|resolved| circumstances.meet(resolved.when()))
        {
            if let Force::Label(label) = &resolved.demand.force {
                if field.is_empty() && resolved.instructions.contains(instruction) {
                    reads.push(read(&resolved.rule.id, label));
                }
                continue;
            }
            let Some(value) = value else {
                if is_about(book, resolved, place) {
                    reads.push(read(&resolved.rule.id, RULED));
                }
                continue;
            };
            if !(resolved.values.contains(value) && resolved.is_of(instruction, field)) {
                continue;
            }
            match resolved.demand.force {
                // The document that has the instruction says what it may be, an environment's what
                // is taken.
                Force::Accepts | Force::AcceptsOnly => {
                    let home = book.known.home(instruction) == Some(document);
                    reads.push(read(&resolved.rule.id, if home { LEGAL } else { TAKEN }));
                }
                Force::Requires => reads.push(read(&resolved.rule.id, LEGAL)),
                Force::Mentions => reads.push(read(&resolved.rule.id, NAMED)),
                _ => {}
            }
        }
        if let Some(value) = value {
            let home = book.known.home(instruction) == Some(document);
            for resolved in prohibits(book, document, place, value, circumstances, home) {
                reads.push(read(&resolved.rule.id, PROHIBITED));
            }
            if home && unfit(book, place, value) {
                let section = book.known.instruction(instruction).map_or("", |it| &it.section);
                let section = format!("{document}, section \u{201c}{section}\u{201d}");
                reads.push(read(&section, UNFIT));
            }
            let named = reads[before..].iter().any(|it| [TAKEN, NAMED].contains(&&*it.outcome));
            let of_value = needed(book, document, field, value, circumstances);
            let of_instruction = lacking(book, document, instruction, circumstances);
            for any in of_value.into_iter().chain(of_instruction).filter(|_| named) {
                let outcome =
                    format!("needs the capability {}, which no sentence accepts", any.join(" or "));
                reads.push(read(document, &outcome));
            }
        }
        if reads.len() == before {
            reads.push(read(document, NOTHING));
        }
    }
    reads.dedup();
    reads
}
