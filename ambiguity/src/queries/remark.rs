//! What is to be said of sentences themselves: what they lack, and the terms that they use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Remark, Statement};

use crate::finding::{Finding, FindingKind};

/// A sentence with its remarks, of a clause or of a rule.
struct Remarked<'t> {
    id: &'t str,
    document: &'t str,
    instructions: Vec<String>,
    wording: &'t str,
    remarks: Vec<&'t Remark>,
}

/// All findings about sentences themselves.
pub fn remarks(texts: &AsWritten) -> Vec<Finding> {
    let sentences = remarked(texts);
    let mut findings = repairs(&sentences);
    findings.extend(terms(&sentences));
    findings
}

fn remarked(texts: &AsWritten) -> Vec<Remarked<'_>> {
    let mut all: Vec<Remarked<'_>> = Vec::new();
    for instruction in texts.specification.instructions.values() {
        for clause in &instruction.clauses {
            let statements = clause.statements.iter().map(|(statement, _)| statement);
            let remarks: Vec<&Remark> = statements
                .filter_map(|statement| match statement {
                    Statement::Remark(remark) => Some(remark),
                    _ => None,
                })
                .collect();
            let name = instruction.name.to_string();
            // A clause may belong to several instructions.
            match all.iter_mut().find(|it| it.id == &*clause.id) {
                _ if remarks.is_empty() => {}
                Some(known) => known.instructions.push(name),
                None => all.push(Remarked {
                    id: &clause.id,
                    document: &clause.document,
                    instructions: vec![name],
                    wording: &clause.wording,
                    remarks,
                }),
            }
        }
    }
    for rule in texts.specification.rules.iter().filter(|rule| !rule.remarks.is_empty()) {
        all.push(Remarked {
            id: &rule.id,
            document: &rule.document,
            instructions: of_section(&rule.section),
            wording: &rule.wording,
            remarks: rule.remarks.iter().collect(),
        });
    }
    all
}

/// The instructions that a section is about by its title.
fn of_section(title: &str) -> Vec<String> {
    let is_name = |word: &&str| {
        word.strip_prefix("Op")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    title.split_whitespace().filter(is_name).map(str::to_owned).collect()
}

impl Remarked<'_> {
    fn finding(&self, kind: FindingKind, cause: &str) -> Finding {
        Finding {
            instructions: self.instructions.iter().cloned().collect(),
            documents: [self.document.to_owned()].into(),
            clauses: [self.id.to_owned()].into(),
            ..Finding::of(kind, Finding::id_of(kind, cause, self.document))
        }
    }
}

/// What the encoding holds and the sentence does not say.
fn repairs(sentences: &[Remarked<'_>]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for sentence in sentences {
        for remark in &sentence.remarks {
            let Remark::Repaired { lack, why, remedy, editorial } = remark else { continue };
            let kind = if *editorial { FindingKind::Token } else { FindingKind::Repaired };
            let mut finding = sentence.finding(kind, lack);
            finding.evidence.noted = true;
            findings.push(Finding {
                summary: why.to_string(),
                remedy: remedy.to_string(),
                editorial: *editorial,
                ..finding
            });
        }
    }
    findings
}

/// The places where a term is used and where it is defined.
#[derive(Default)]
struct Uses<'s, 't> {
    used: Vec<&'s Remarked<'t>>,
    defined: Vec<&'s Remarked<'t>>,
}

/// Terms that are used and defined nowhere, defined twice in other words, or never used.
fn terms(sentences: &[Remarked<'_>]) -> Vec<Finding> {
    let mut terms: BTreeMap<Arc<str>, Uses<'_, '_>> = BTreeMap::new();
    for sentence in sentences {
        for remark in &sentence.remarks {
            match remark {
                Remark::Uses(term) => {
                    terms.entry(Arc::clone(term)).or_default().used.push(sentence);
                }
                Remark::Defines(term) => {
                    terms.entry(Arc::clone(term)).or_default().defined.push(sentence);
                }
                Remark::Repaired { .. } => {}
            }
        }
    }
    terms.iter().flat_map(|(term, uses)| of_term(term, uses)).collect()
}

fn of_term(term: &str, uses: &Uses<'_, '_>) -> Vec<Finding> {
    let Uses { used, defined } = uses;
    let gathered = |kind: FindingKind, cause: &str, places: &[&Remarked<'_>]| {
        let mut places = places.iter();
        let mut finding = places.next()?.finding(kind, &format!("{cause}/{}", slug(term)));
        for place in places {
            finding.instructions.extend(place.instructions.iter().cloned());
            finding.documents.insert(place.document.to_owned());
            finding.clauses.insert(place.id.to_owned());
        }
        Some(finding)
    };
    let mut findings = Vec::new();
    if defined.is_empty() {
        findings.extend(gathered(FindingKind::Gap, "undefined-term", used).map(|it| Finding {
            summary: format!(
                "A term is used, and no sentence says what it means: \u{201c}{term}\u{201d}."
            ),
            remedy: format!("A definition of \u{201c}{term}\u{201d}, or a term that has one."),
            ..it
        }));
    }
    if used.is_empty() {
        findings.extend(gathered(FindingKind::DeadClause, "unused-term", defined).map(|it| {
            Finding {
                summary: format!(
                    "The term \u{201c}{term}\u{201d} is defined, and no other sentence uses it."
                ),
                remedy: "A sentence that uses the term, or no such definition.".to_owned(),
                ..it
            }
        }));
    }
    // Documents that copied a definition from each other say the same.
    let wordings: BTreeSet<&str> = defined.iter().map(|it| it.wording).collect();
    if wordings.len() > 1 {
        findings.extend(gathered(FindingKind::Overlap, "defined-twice", defined).map(|it| {
            let quoted: Vec<String> =
                wordings.iter().map(|it| format!("\u{201c}{it}\u{201d}")).collect();
            Finding {
                summary: format!(
                    "Two sentences define one thing (\u{201c}{term}\u{201d}) in different words: {}.",
                    quoted.join("; ")
                ),
                remedy: "One definition, or which of them holds.".to_owned(),
                ..it
            }
        }));
    }
    findings
}

/// A term as a part of an id.
fn slug(term: &str) -> String {
    let words = term.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}
