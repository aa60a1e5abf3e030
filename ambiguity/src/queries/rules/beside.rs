//! Documents that copied from each other, beside each other: what one says and the other leaves out.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::{
    Circumstance, DemandSubject, Fact, Force, Member, Values,
};

use super::{Cause, of_host, short};
use crate::finding::FindingKind;
use crate::rules::{Book, FieldValue, ResolvedDemand, in_words as fact_in_words};

/// The least number of equal demands of documents that are copied from each other.
const COPIED: usize = 5;

/// A permission or a prohibition, as two documents are compared by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Permission,
    Prohibition,
}

/// One cause for each field and each difference of two documents that copied from each other.
pub(super) fn copies(book: &Book<'_>) -> Vec<Cause> {
    let documents: Vec<&str> = book.documents().into_iter().collect();
    let mut causes = Vec::new();
    for (at, one) in documents.iter().enumerate() {
        for other in &documents[at + 1..] {
            if shared(book, one, other) >= COPIED {
                causes.extend(beyond(book, one, other));
                causes.extend(beyond(book, other, one));
                causes.extend(conditions(book, one, other));
            }
        }
    }
    causes
}

/// How many demands of one document the other has word for word.
fn shared(book: &Book<'_>, one: &str, other: &str) -> usize {
    let same = |a: &ResolvedDemand<'_>| {
        book.of_document(other).any(|b| {
            a.demand.force == b.demand.force
                && a.values == b.values
                && a.places == b.places
                && !a.places.iter().all(|(instruction, _)| instruction.is_empty())
        })
    };
    book.of_document(one).filter(|resolved| same(resolved)).count()
}

/// The demand names instructions or a capability, and the other document has demands on some of
/// them, too.
fn common(book: &Book<'_>, resolved: &ResolvedDemand<'_>, other: &str) -> bool {
    let own = extensions(resolved);
    // Tokens of an extension that the other document mentions, too.
    let of_tokens = matches!(&resolved.demand.subject, DemandSubject::Tokens(kind) if !NEEDS.contains(&&**kind));
    of_tokens && book.of_document(other).any(|it| !extensions(it).is_disjoint(&own))
        || is_named(resolved)
            && book
                .of_document(other)
                .any(|it| is_named(it) && !it.instructions.is_disjoint(&resolved.instructions))
}

/// What a module declares to have what it describes: each document has its own.
const NEEDS: [&str; 3] = ["Capability", "Extension", "Version"];

/// The extensions of SPIR-V with which a demand holds.
fn extensions<'s>(resolved: &'s ResolvedDemand<'_>) -> BTreeSet<&'s str> {
    let mut facts = Vec::new();
    resolved.when().facts(&mut facts);
    let of_module = |fact: &'s Fact| match fact {
        Fact::Extension(name) if name.starts_with("SPV_") => Some(&**name),
        _ => None,
    };
    facts.into_iter().filter_map(of_module).collect()
}

/// Not of all instructions that have a field, or of all of a family.
fn is_named(resolved: &ResolvedDemand<'_>) -> bool {
    match &resolved.demand.subject {
        DemandSubject::Fields { group, .. } => group.members.iter().all(|member| match member {
            Member::Named(name) => !name.ends_with('*'),
            Member::Capability(_) => true,
            Member::Every | Member::BuiltIn(_) => false,
        }),
        DemandSubject::Tokens(_) => false,
    }
}

fn side(resolved: &ResolvedDemand<'_>) -> Option<Side> {
    match resolved.demand.force {
        Force::Accepts | Force::AcceptsOnly => Some(Side::Permission),
        Force::Requires | Force::Forbids => Some(Side::Prohibition),
        _ => None,
    }
}

/// What the other document leaves out of a field.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum LeftOut {
    /// All of it.
    Field,
    /// What is said of it for these instructions.
    Of(String),
    /// These values.
    Values(String),
}

/// Demands of one document beside those of the other on the same fields.
#[derive(Default)]
struct Beyond<'d> {
    demands: Vec<&'d ResolvedDemand<'d>>,
    /// The rules of the other document.
    theirs: BTreeSet<String>,
}

impl<'d> Beyond<'d> {
    fn add(&mut self, demand: &'d ResolvedDemand<'d>, theirs: &[&ResolvedDemand<'_>]) {
        self.demands.push(demand);
        self.theirs.extend(theirs.iter().map(|it| it.rule.id.to_string()));
    }
}

/// Demands of one document on fields without demands in the other, or on values that the other's
/// lists leave out.
fn beyond(book: &Book<'_>, one: &str, other: &str) -> Vec<Cause> {
    let mut left_out: BTreeMap<(Side, String, LeftOut), Beyond<'_>> = BTreeMap::new();
    for resolved in book.of_document(one).filter(|resolved| common(book, resolved, other)) {
        let Some(side) = side(resolved) else { continue };
        let theirs: Vec<&ResolvedDemand<'_>> = book
            .of_document(other)
            .filter(|it| self::side(it) == Some(side) && !it.places.is_disjoint(&resolved.places))
            .collect();
        let Some((_, field)) = resolved.places.first() else { continue };
        let spoken = |place: &(String, String)| {
            book.of_document(other)
                .any(|it| it.places.contains(place) && (is_named(it) || side == Side::Prohibition))
        };
        let missed: BTreeSet<&str> = resolved
            .places
            .iter()
            .filter(|place| !spoken(place))
            .map(|(instruction, _)| instruction.as_str())
            .collect();
        if side == Side::Permission && !missed.is_empty() && missed.len() < resolved.places.len() {
            let names = missed.into_iter().collect::<Vec<_>>().join(", ");
            let key = (side, short(field), LeftOut::Of(names));
            left_out.entry(key).or_default().add(resolved, &theirs);
            continue;
        }
        if theirs.is_empty() {
            left_out.entry((side, short(field), LeftOut::Field)).or_default().add(resolved, &[]);
            continue;
        }
        let listed: BTreeSet<&FieldValue> = theirs.iter().flat_map(|it| &it.values).collect();
        let more: BTreeSet<&FieldValue> =
            resolved.values.iter().filter(|value| !listed.contains(value)).collect();
        if !more.is_empty() && side == Side::Permission {
            let more = LeftOut::Values(in_words(&more));
            left_out.entry((side, short(field), more)).or_default().add(resolved, &theirs);
        }
    }
    // Requirements on what a host made are one omission.
    let mut causes = Vec::new();
    let (prohibitions, permissions): (Vec<_>, Vec<_>) =
        left_out.into_iter().partition(|((side, ..), _)| *side == Side::Prohibition);
    for ((_, field, more), Beyond { demands, theirs }) in permissions {
        let what = match more {
            LeftOut::Field if demands.iter().all(|it| of_tokens(it)) => {
                "has no such sentence about any of these".to_owned()
            }
            LeftOut::Field => format!("has no such list for {field} of these instructions"),
            LeftOut::Of(names) if in_general(book, &names, &field, other) => format!(
                "has none about {names}: a rule for all instructions makes this legal, and no sentence \
                 says that it must be accepted"
            ),
            LeftOut::Of(names) => format!("has no such sentence about {names}"),
            LeftOut::Values(values) => format!("does not accept {values} for {field}"),
        };
        let found = cause(one, other, &demands, &field, &what, "accepts");
        // What the other document accepts there shows what it leaves out.
        causes.extend(found.map(|mut it| {
            it.clauses.extend(theirs);
            it
        }));
    }
    let demands: Vec<&ResolvedDemand<'_>> =
        prohibitions.iter().flat_map(|(_, it)| it.demands.iter().copied()).collect();
    let fields: BTreeSet<String> =
        prohibitions.into_iter().map(|((_, field, _), _)| field).collect();
    let fields: Vec<String> = fields.into_iter().collect();
    if let [first, ..] = fields.as_slice() {
        let multiple = |it: &Values| matches!(it, Values::Multiples(_));
        let host = demands.iter().all(|it| it.demand.values.iter().all(multiple));
        let named = |field: &String| if host { of_host(field) } else { field.clone() };
        let names = fields.iter().map(named).collect::<Vec<_>>().join(", ");
        let what = "says nothing of these".to_owned();
        causes.extend(
            cause(one, other, &demands, &names, &what, "requires something")
                .map(|it| Cause { about: Some(format!("{first}/{other}")), ..it }),
        );
    }
    causes
}

/// It is about tokens of a kind, not about operands.
const fn of_tokens(resolved: &ResolvedDemand<'_>) -> bool {
    matches!(resolved.demand.subject, DemandSubject::Tokens(_))
}

/// A rule of the document that names none of these instructions is about the field of all of them.
fn in_general(book: &Book<'_>, names: &str, field: &str, document: &str) -> bool {
    names
        .split(", ")
        .all(|name| book.of_document(document).any(|it| !is_named(it) && it.is_of(name, field)))
}

fn cause(
    one: &str,
    other: &str,
    demands: &[&ResolvedDemand<'_>],
    field: &str,
    what: &str,
    verb: &str,
) -> Option<Cause> {
    let first = demands.first()?;
    let values: BTreeSet<&FieldValue> = demands.iter().flat_map(|it| &it.values).collect();
    // A kind of tokens is no operand that they are for.
    let tokens = matches!(first.demand.subject, DemandSubject::Tokens(_));
    let named = match verb {
        "accepts" if tokens => format!("the {field} {}", in_words(&values)),
        "accepts" => format!("{} for {field}", in_words(&values)),
        _ => format!("of {field}"),
    };
    let word = if verb == "accepts" { "accepted-by-one" } else { "required-by-one" };
    Some(Cause {
        about: Some(format!("{}/{other}", field.replace([' ', ','], "-"))),
        documents: [one.to_owned(), other.to_owned()].into(),
        instructions: demands
            .iter()
            .flat_map(|it| it.instructions.iter().cloned())
            .filter(|it| it.starts_with("Op"))
            .collect(),
        clauses: demands.iter().map(|it| it.rule.id.to_string()).collect(),
        summary: format!(
            "Two documents that otherwise say the same differ: {one} {verb} {named}; {other} {what}."
        ),
        remedy: "The same sentence in both documents, or why they differ.".to_owned(),
        ..Cause::new(FindingKind::CrossDocument, word, first.rule)
    })
}

/// What both accept, one of them under further circumstances.
fn conditions(book: &Book<'_>, one: &str, other: &str) -> Vec<Cause> {
    let mut found: BTreeMap<(String, String), Vec<&ResolvedDemand<'_>>> = BTreeMap::new();
    for [one, other] in [[one, other], [other, one]] {
        for resolved in book.of_document(one).filter(|resolved| resolved.permits()) {
            let own = of_its_own(book, one, resolved.when());
            if own.is_empty() || !is_named(resolved) {
                continue;
            }
            let freely = book.of_document(other).filter(|it| {
                it.permits()
                    && !it.places.is_disjoint(&resolved.places)
                    && resolved.values.is_subset(&it.values)
                    && of_its_own(book, other, it.when()).is_empty()
            });
            for free in freely {
                let key = (own.join(" and "), other.to_owned());
                let list = found.entry(key).or_default();
                list.extend([resolved, free]);
            }
        }
    }
    let cause = |((condition, other), demands): ((String, String), Vec<&ResolvedDemand<'_>>)| {
        let first = demands.first()?;
        let values: BTreeSet<&FieldValue> = first.values.iter().collect();
        let fields: BTreeSet<String> =
            demands.iter().flat_map(|it| &it.places).map(|(_, field)| short(field)).collect();
        let fields: Vec<String> = fields.into_iter().collect();
        Some(Cause {
            about: Some(format!("{}/{other}", condition.replace(' ', "-"))),
            documents: [first.document().to_owned(), other.clone()].into(),
            instructions: demands.iter().flat_map(|it| it.instructions.iter().cloned()).collect(),
            clauses: demands.iter().map(|it| it.rule.id.to_string()).collect(),
            summary: format!(
                "Two documents that otherwise say the same differ: {} accepts {} of {} only where \
                 {}, {other} always.",
                first.document(),
                in_words(&values),
                fields.join(", "),
                fact_in_words(&condition),
            ),
            remedy: "The same condition in both documents, or why they differ.".to_owned(),
            ..Cause::new(FindingKind::CrossDocument, "condition-of-one", first.rule)
        })
    };
    found.into_iter().filter_map(cause).collect()
}

/// The facts under which a demand holds, without those under which most of its document does.
fn of_its_own(book: &Book<'_>, document: &str, when: &Circumstance) -> Vec<String> {
    let mut facts: Vec<&Fact> = Vec::new();
    when.facts(&mut facts);
    let usual = |fact: &&Fact| {
        let all: Vec<&ResolvedDemand<'_>> = book.of_document(document).collect();
        let with = all.iter().filter(|resolved| {
            let mut facts = Vec::new();
            resolved.when().facts(&mut facts);
            facts.contains(fact)
        });
        // Circumstances of a whole section.
        with.count() >= COPIED
    };
    facts.into_iter().filter(|fact| !usual(fact)).map(ToString::to_string).collect()
}

/// Values in a line, vectors as one of their element.
fn in_words(values: &BTreeSet<&FieldValue>) -> String {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for value in values {
        words.insert(match value {
            FieldValue::Type(ty) => ty.element.to_string(),
            other => other.to_string(),
        });
    }
    words.into_iter().collect::<Vec<_>>().join(", ")
}
