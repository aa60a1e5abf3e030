//! Numbers and names that documents give otherwise than each other or the grammar.

use std::collections::BTreeSet;

use laneproof_fuzz::grammar::{self, Difference, differences};
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
        // What a capability brings with it is another matter than its number or name.
        let of_capabilities = difference.starts_with("declares or depends");
        let about = if of_capabilities { "/depends" } else { "" };
        let id = format!("{}/{cause}{about}", FindingKind::Token.name());
        let sentence = format!("{}: {difference}", tokens.join(", "));
        match findings.iter_mut().find(|known| known.id == id) {
            Some(known) => {
                known.summary = format!("{}; {sentence}", known.summary);
                known.documents.extend(documents.iter().cloned());
                known.clauses.extend(citations.iter().cloned());
            }
            None => findings.push(Finding {
                instructions: tokens.iter().filter(|it| it.starts_with("Op")).cloned().collect(),
                documents: documents.iter().cloned().collect(),
                clauses: citations.iter().cloned().collect(),
                summary: sentence,
                remedy: "The number or name that the others have.".to_owned(),
                ..Finding::of(FindingKind::Token, id)
            }),
        }
    }
    findings
}

/// Numbers that a text gives to tokens of its own, and that the grammar or another of its places
/// gives to others. That the grammar does not know a token yet is no finding.
pub fn own_tokens(texts: &Specification) -> Vec<Finding> {
    let mut findings = Vec::new();
    for fact in &texts.facts {
        let Some(number) = fact.number else { continue };
        let known = grammar::token_of_number(&fact.kind, number);
        let other = texts.facts.iter().find(|other| {
            other.kind == fact.kind
                && (other.token != fact.token && other.number == Some(number)
                    || other.token == fact.token && other.number.is_some_and(|it| it != number))
        });
        let taken = match (known.filter(|name| **name != *fact.token), other) {
            (Some(name), _) => format!("{number} is the number of {name} in the grammar"),
            (None, Some(other)) if other.token == fact.token => {
                format!("its number is {number} in one place and another in {}", other.section)
            }
            (None, Some(other)) => format!("{number} is the number of {}, too", other.token),
            (None, None) => continue,
        };
        findings.push(Finding {
            instructions: [&fact.token]
                .into_iter()
                .filter(|it| it.starts_with("Op"))
                .map(|it| it.to_string())
                .collect(),
            documents: [fact.document.to_string()].into(),
            clauses: [fact.citation()].into(),
            summary: format!("{}: {taken}", fact.token),
            remedy: "A number that no other token has.".to_owned(),
            ..Finding::of(FindingKind::Token, format!("token/{}", fact.token))
        });
    }
    findings
}

/// The sentence has the token as a word.
fn names(sentence: &str, token: &str) -> bool {
    sentence.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == token)
}
