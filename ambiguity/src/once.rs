//! What documents copied from each other is one finding.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::as_written::AsWritten;

use crate::finding::Finding;
use crate::place::SentencePlace;
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
