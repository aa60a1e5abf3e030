//! What documents copied from each other is one finding.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;

use crate::finding::{Finding, Scene};
use crate::place::SentencePlace;
use crate::quotes::without_sections;
use crate::slip::EditorialFault;

/// Findings of one kind and cause in the same instructions, by sentences that say the same there,
/// become the first of them. A rule about modules may be cited with one of them only.
pub fn without_copies(texts: &AsWritten, findings: Vec<Finding>) -> Vec<Finding> {
    let clauses = texts.specification.instructions.values().flat_map(|it| {
        it.clauses.iter().map(|clause| (&*clause.id, (&*it.name, &*clause.wording)))
    });
    let rules = texts.specification.rules.iter().map(|rule| (&*rule.id, ("", &*rule.wording)));
    let clauses: BTreeMap<&str, (&str, &str)> = clauses.chain(rules).collect();
    let mut unique: Vec<(Finding, BTreeSet<(&str, &str)>)> = Vec::new();
    for finding in findings {
        let cited: BTreeSet<(&str, &str)> =
            finding.clauses.iter().filter_map(|id| clauses.get(id.as_str()).copied()).collect();
        let same = |(known, of_known): &&mut (Finding, BTreeSet<(&str, &str)>)| {
            !cited.is_empty()
                && (cited.is_subset(of_known) || of_known.is_subset(&cited))
                && known.documents != finding.documents
                && known.instructions == finding.instructions
                && cause(&known.id) == cause(&finding.id)
        };
        match unique.iter_mut().find(same) {
            Some((known, _)) => {
                known.documents.extend(finding.documents);
                known.clauses.extend(finding.clauses);
                known.evidence.scenes.extend(finding.evidence.scenes);
            }
            None => unique.push((finding, cited)),
        }
    }
    unique.into_iter().map(|(finding, _)| finding).collect()
}

/// Kind and cause of an id, without the document.
fn cause(id: &str) -> Option<(&str, &str)> {
    let mut parts = id.split('/');
    Some((parts.next()?, parts.next()?))
}

/// A consequence that is named by a clause and not defined is no second finding where the document's
/// own words show the same.
pub(crate) fn once_by_words(findings: &mut Vec<Finding>) {
    let word = EditorialFault::Unnamed.word();
    let places = |it: &Finding| -> Vec<(String, String, Vec<u32>)> {
        let of =
            |it: &SentencePlace| (it.document.clone(), it.section.clone(), it.sentences.clone());
        it.places.iter().map(of).collect()
    };
    let by_words: Vec<_> = findings
        .iter()
        .filter(|it| it.id.split('/').nth(1) == Some(&word))
        .flat_map(places)
        .collect();
    findings.retain(|it| {
        let own = places(it);
        let again = !own.is_empty() && own.iter().all(|place| by_words.contains(place));
        !(again && it.evidence.names_only)
    });
}

/// What two findings must share to have one root cause.
#[derive(Clone, Copy)]
enum Shared {
    /// The state of the witness, in an instruction of both.
    State,
    /// An instruction.
    Instruction,
    /// A document.
    Document,
    /// A place in a document.
    Place,
}

/// Causes of which the second is the first one seen from another side, where they share so much.
const ONE_CAUSE: [(&str, &str, Shared); 7] = [
    ("operand-sign", "unsigned-arithmetic", Shared::State),
    ("operand-sign", "signed-arithmetic", Shared::State),
    ("operand-sign", "index-arithmetic", Shared::State),
    ("no-defined-behavior", "out-of-range", Shared::Instruction),
    ("one-direction", "nothing-said", Shared::Document),
    ("capability-of-a-built-in-variable", "capability-of-the-family", Shared::Document),
    ("list-without-a-component-type", "cut-off", Shared::Place),
];

/// Findings with one root cause become one that says both.
pub(crate) fn joined(findings: &mut Vec<Finding>) {
    let mut at = 0;
    while at < findings.len() {
        let other = &findings[at];
        let same = |it: &Finding| it.id != other.id && have_one_cause(it, other);
        match findings.iter().position(same) {
            None => at += 1,
            Some(first) => {
                let other = findings.remove(at);
                let first = if first > at { first - 1 } else { first };
                take(&mut findings[first], other);
            }
        }
    }
}

fn have_one_cause(first: &Finding, second: &Finding) -> bool {
    let (Some((_, one)), Some((_, other))) = (cause(&first.id), cause(&second.id)) else {
        return false;
    };
    let shared = ONE_CAUSE.iter().find(|(a, b, _)| *a == one && *b == other);
    let by_rule = shared.is_some_and(|(.., shared)| share(first, second, *shared));
    by_rule || is_one_of_the_names(first, second)
}

/// A term that no sentence explains is one of several names for one thing.
fn is_one_of_the_names(names: &Finding, term: &Finding) -> bool {
    let (Some((_, "several-names")), Some((_, "undefined-term"))) =
        (cause(&names.id), cause(&term.id))
    else {
        return false;
    };
    let own = term.id.split('/').nth(2).unwrap_or_default().replace('-', " ");
    let quoted = names.summary.split(['\u{201c}', '\u{201d}']).nth(1).unwrap_or_default();
    quoted.split(" / ").any(|it| it == own) && !names.documents.is_disjoint(&term.documents)
}

fn share(first: &Finding, second: &Finding, shared: Shared) -> bool {
    let instructions = !first.instructions.is_disjoint(&second.instructions);
    match shared {
        Shared::Instruction => instructions,
        Shared::Document => !first.documents.is_disjoint(&second.documents),
        Shared::Place => second.places.iter().any(|it| {
            first.places.iter().any(|known| {
                (&known.document, &known.section) == (&it.document, &it.section)
                    && it.sentences.iter().any(|number| known.sentences.contains(number))
            })
        }),
        Shared::State => {
            let same = |one: &Arc<Scene>, other: &Arc<Scene>| {
                one.instruction.name == other.instruction.name
                    && one.smallest.0.operands == other.smallest.0.operands
                    && one.smallest.1 == other.smallest.1
            };
            let scenes = &first.evidence.scenes;
            instructions
                && second.evidence.scenes.iter().any(|it| scenes.iter().any(|own| same(own, it)))
        }
    }
}

/// Says what the other one says, too.
fn take(finding: &mut Finding, other: Finding) {
    let also = |own: &mut String, more: &str| {
        own.push(' ');
        own.push_str(more);
    };
    also(&mut finding.summary, &other.summary);
    also(&mut finding.remedy, &other.remedy);
    finding.instructions.extend(other.instructions);
    finding.documents.extend(other.documents);
    finding.clauses.extend(other.clauses);
    finding.visibility = finding.visibility.min(other.visibility);
    finding.editorial &= other.editorial;
    let new = other.places.into_iter().filter(|it| !finding.places.contains(it));
    let new: Vec<SentencePlace> = new.collect();
    finding.places.extend(new);
    finding.places = without_sections(std::mem::take(&mut finding.places));
    if finding.evidence.witness.is_none() && finding.evidence.module.is_none() {
        finding.evidence.witness = other.evidence.witness;
        finding.evidence.module = other.evidence.module;
        finding.readings = other.readings;
    }
    finding.evidence.scenes.extend(other.evidence.scenes);
}
