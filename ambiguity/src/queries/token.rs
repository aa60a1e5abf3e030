//! Numbers and names that documents give otherwise than each other or the grammar.

use std::collections::BTreeSet;

use laneproof_fuzz::grammar::{Difference, differences};
use laneproof_semantics::Specification;

use crate::finding::{Finding, FindingKind};

/// One finding for each token that is not the same everywhere. That the grammar has another name
/// for the same number is no finding: tokens are renamed when they move into the core.
pub fn tokens(specification: &Specification, documents: &BTreeSet<String>) -> Vec<Finding> {
    let about = |it: &Difference| it.documents.iter().any(|name| documents.contains(name));
    let differences: Vec<Difference> = differences(specification)
        .into_iter()
        .filter(|it| about(it) && !it.renamed && it.stated)
        .collect();
    let mut findings: Vec<Finding> = Vec::new();
    for Difference { tokens, documents, difference, citations, .. } in &differences {
        // What is said of one token because of another is that one's cause.
        let cause = differences
            .iter()
            .flat_map(|it| &it.tokens)
            .find(|token| !tokens.contains(token) && names(difference, token))
            .or(tokens.first());
        let Some(cause) = cause else { continue };
        let id = format!("{}/{cause}", FindingKind::Token.name());
        let sentence = format!("{}: {difference}", tokens.join(", "));
        match findings.iter_mut().find(|known| known.id == id) {
            Some(known) => {
                known.summary = format!("{}; {sentence}", known.summary);
                known.documents.extend(documents.iter().cloned());
                known.clauses.extend(citations.iter().cloned());
            }
            None => findings.push(Finding {
                id,
                kind: FindingKind::Token,
                instructions: tokens.iter().filter(|it| it.starts_with("Op")).cloned().collect(),
                documents: documents.iter().cloned().collect(),
                clauses: citations.iter().cloned().collect(),
                summary: sentence,
                remedy: "The number or name that the others have.".to_owned(),
                readings: Vec::new(),
                witness: None,
                module: None,
                scenes: Vec::new(),
                litmus: None,
                without_litmus: None,
            }),
        }
    }
    findings
}

/// The sentence has the token as a word.
fn names(sentence: &str, token: &str) -> bool {
    sentence.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == token)
}
