//! Numbers and names that differ between documents, or from the grammar.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::fact::TokenFact;
use laneproof_tokens::{self as tokens, Difference, Respect, differences};

use crate::finding::{Evidence, Finding, FindingKind};
use crate::rules::{Book, Circumstances, FieldValue, Known, ModuleWitness};

/// One finding for each token that is not the same everywhere. That the grammar has another name
/// for the same number is no finding: tokens are renamed when they move into the core.
pub fn tokens(specification: &Specification, documents: &BTreeSet<String>) -> Vec<Finding> {
    let about = |it: &Difference| it.documents.iter().any(|name| documents.contains(name));
    let differences: Vec<Difference> = differences(specification)
        .into_iter()
        .filter(|it| about(it) && it.respect != Respect::Name && it.stated)
        .collect();
    let mut findings: Vec<Finding> = Vec::new();
    for Difference { tokens, documents, difference, respect, citations, .. } in &differences {
        // A difference that follows from another token belongs to that token.
        let cause = differences
            .iter()
            .flat_map(|it| &it.tokens)
            .find(|token| !tokens.contains(token) && names(difference, token))
            .or(tokens.first());
        let Some(cause) = cause else { continue };
        // What a capability brings with it is another matter than its number or name.
        let about = if *respect == Respect::Dependency { "/depends" } else { "" };
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
                remedy: "The number or name that the other places, or the grammar, have."
                    .to_owned(),
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
        let known = tokens::token_of_number(&fact.kind, number);
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
            // Two tokens with one number are one finding.
            (None, Some(other)) if other.token < fact.token => continue,
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

/// Values that instructions have in common, and that are not brought for some of them only.
const IN_COMMON: [&str; 5] = ["BuiltIn", "Capability", "Extension", "ExtInstImport", "Opcode"];

/// Tokens that a text adds to a kind of operands and describes for some instructions, while others
/// have an operand of that kind, too.
pub fn for_others(texts: &AsWritten) -> Vec<Finding> {
    let known = Known::of(texts);
    let documents: BTreeSet<&str> =
        texts.specification.documents.iter().map(|it| &*it.name).collect();
    let mut added: BTreeMap<(&str, &str), Vec<&TokenFact>> = BTreeMap::new();
    for fact in known.facts().filter(|it| documents.contains(&*it.document)) {
        if fact.number.is_some() && !IN_COMMON.contains(&&*fact.kind) {
            added.entry((&*fact.document, &*fact.kind)).or_default().push(fact);
        }
    }
    let mut findings = Vec::new();
    for ((document, kind), facts) in added {
        let takers: BTreeSet<String> = tokens::taking(kind).into_iter().collect();
        let spoken = spoken_of(texts, known, document);
        let others: Vec<&String> = takers.iter().filter(|it| !spoken.contains(*it)).collect();
        let (Some(first), false) = (others.first(), spoken.is_disjoint(&takers)) else { continue };
        let tokens: BTreeSet<&str> = facts.iter().map(|it| &*it.token).collect();
        let tokens: Vec<&str> = tokens.into_iter().collect();
        let cause = format!("{kind}-for-other-instructions");
        findings.push(Finding {
            instructions: others.iter().map(|it| (*it).clone()).collect(),
            documents: [document.to_owned()].into(),
            clauses: facts.iter().map(|it| it.citation()).collect(),
            summary: format!(
                "{} are added to what an operand of the kind {kind} may be, and described for some \
                 instructions that have such an operand. {} others have one, too, among them \
                 {first}: no sentence says whether they may have these values, or what they do.",
                tokens.join(", "),
                others.len(),
            ),
            remedy: "Which instructions may have these values.".to_owned(),
            evidence: Evidence {
                module: Some(ModuleWitness {
                    instruction: (*first).clone(),
                    field: kind.to_owned(),
                    value: tokens.first().map(|it| FieldValue::Word((*it).into())),
                    circumstances: Circumstances::default(),
                }),
                ..Evidence::default()
            },
            ..Finding::of(FindingKind::Gap, Finding::id_of(FindingKind::Gap, &cause, document))
        });
    }
    findings
}

/// The least number of other documents that have the extension in the row of a capability.
const OTHERS: usize = 2;

/// Rows of capabilities that name no extension, in documents of extensions; others name theirs.
pub fn rows(texts: &AsWritten) -> Vec<Finding> {
    let known = Known::of(texts);
    let of_capabilities = |document: &str| {
        let rows =
            known.facts().filter(|it| *it.document == *document && &*it.kind == "Capability");
        rows.filter(|it| it.number.is_some() || !it.declares.is_empty()).collect::<Vec<_>>()
    };
    let names_one = |rows: &[&Arc<TokenFact>]| rows.iter().any(|it| !it.extensions.is_empty());
    let all: BTreeSet<&str> = known.facts().map(|it| &*it.document).collect();
    let with = all.iter().filter(|document| names_one(&of_capabilities(document))).count();
    let mut findings = Vec::new();
    for document in texts.specification.documents.iter().map(|it| &*it.name) {
        let own = |it: &&Arc<TokenFact>| *it.document == *document && &*it.kind == "Extension";
        let rows = of_capabilities(document);
        let declares = rows.iter().find(|it| !it.declares.is_empty());
        let Some(row) = declares.filter(|_| !names_one(&rows) && with >= OTHERS) else { continue };
        if !known.facts().any(|it| own(&it)) {
            continue;
        }
        let kind = FindingKind::Token;
        findings.push(Finding {
            documents: [document.to_owned()].into(),
            clauses: [row.citation()].into(),
            summary: format!(
                "The row of {} in the table of capabilities names no extension that enables it, as \
                 rows in documents of other extensions do.",
                row.token
            ),
            remedy: "The extension that enables the capability.".to_owned(),
            editorial: true,
            ..Finding::of(kind, Finding::id_of(kind, "row-without-an-extension", document))
        });
    }
    findings
}

/// Tokens with a number that no section on what is new names, in documents that have such sections.
pub fn unannounced(texts: &AsWritten) -> Vec<Finding> {
    let known = Known::of(texts);
    let mut findings = Vec::new();
    for document in texts.specification.documents.iter().map(|it| &*it.name) {
        let facts = || known.facts().filter(|it| *it.document == *document);
        let announced: BTreeSet<&str> =
            facts().filter(|it| it.section.starts_with("New ")).map(|it| &*it.token).collect();
        let left_out: Vec<&Arc<TokenFact>> =
            facts().filter(|it| it.number.is_some() && !announced.contains(&*it.token)).collect();
        let Some(first) = left_out.first().filter(|_| !announced.is_empty()) else { continue };
        let tokens: BTreeSet<&str> = left_out.iter().map(|it| &*it.token).collect();
        let kind = FindingKind::Token;
        findings.push(Finding {
            documents: [document.to_owned()].into(),
            clauses: left_out.iter().map(|it| it.citation()).collect(),
            summary: format!(
                "Sections list what is new in the document, and none of them names {}, each of the \
                 kind {}, though a table gives these their numbers.",
                tokens.into_iter().collect::<Vec<_>>().join(", "),
                first.kind
            ),
            remedy: "A section that lists them.".to_owned(),
            editorial: true,
            ..Finding::of(kind, Finding::id_of(kind, "new-and-not-listed", document))
        });
    }
    findings
}

/// The instructions that a document declares, adds to, or has rules about.
fn spoken_of(texts: &AsWritten, known: Known<'_>, document: &str) -> BTreeSet<String> {
    let facts = known.facts().filter(|it| *it.document == *document && &*it.kind == "Opcode");
    let declared = texts.specification.instructions.values().filter(|it| {
        *it.document == *document || it.clauses.iter().any(|it| *it.document == *document)
    });
    let book = Book::of(texts);
    let ruled = book.of_document(document).flat_map(|it| it.instructions.iter().cloned());
    facts
        .map(|it| it.token.to_string())
        .chain(declared.map(|it| it.name.to_string()))
        .chain(ruled)
        .collect()
}

/// The sentence has the token as a word.
fn names(sentence: &str, token: &str) -> bool {
    sentence.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == token)
}
