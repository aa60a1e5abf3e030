//! Documents that copied what they say of an instruction from each other are searched once.

use std::collections::BTreeMap;
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Clause, SpecInstruction, Statement};

use crate::finding::Finding;

/// A document that says of an instruction, sentence by sentence, what the one that is searched says.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The document that is searched.
    from: Arc<str>,
    /// The one that says the same.
    document: Arc<str>,
    /// Its clauses, by the clauses that are searched.
    clauses: BTreeMap<Arc<str>, Arc<str>>,
}

impl Copied {
    /// The copy, where two accounts of an instruction differ in nothing but the document.
    pub(crate) fn of(
        texts: &AsWritten,
        [from, document]: [&Arc<str>; 2],
        [searched, other]: [&SpecInstruction; 2],
    ) -> Option<Self> {
        if sentences_of(texts, searched) != sentences_of(texts, other) {
            return None;
        }
        let pairs = searched.clauses.iter().zip(&other.clauses);
        let clauses = pairs.map(|(one, other)| (Arc::clone(&one.id), Arc::clone(&other.id)));
        let [from, document] = [from, document].map(Arc::clone);
        Some(Self { from, document, clauses: clauses.collect() })
    }

    /// What is found of the one is found of the other.
    pub(crate) fn add_to(&self, finding: &mut Finding) {
        if !finding.documents.contains(&*self.from) {
            return;
        }
        finding.documents.insert(self.document.to_string());
        let own = |id: &String| self.clauses.get(id.as_str()).map(ToString::to_string);
        let copied: Vec<String> = finding.clauses.iter().filter_map(own).collect();
        finding.clauses.extend(copied);
    }
}

/// What the clauses say, with names of their own by number: each clause's wording and statements.
fn sentences_of<'t>(
    texts: &AsWritten,
    instruction: &'t SpecInstruction,
) -> Vec<(&'t str, Vec<String>)> {
    let points = texts.choice_points.iter().filter(|it| it.instruction == instruction.name);
    let mut kinds: BTreeMap<&str, &str> =
        points.map(|point| (&*point.name, &*point.kind.name)).collect();
    for (statement, _) in instruction.clauses.iter().flat_map(|it| &it.statements) {
        if let Statement::Let(function) = statement {
            kinds.insert(&function.name, "let");
        }
    }
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut clause = |clause: &'t Clause| {
        let acts = clause.statements.iter().map(|(statement, _)| statement);
        let acts = acts.filter(|it| !matches!(it, Statement::Remark(_)));
        let plain = acts.map(|it| numbered(&it.to_string(), &kinds, &mut numbers)).collect();
        (&*clause.wording, plain)
    };
    instruction.clauses.iter().map(|it| clause(it)).collect()
}

/// A statement in which names of its document are kinds with a number, in the order of their first
/// use.
fn numbered(
    statement: &str,
    kinds: &BTreeMap<&str, &str>,
    numbers: &mut BTreeMap<String, usize>,
) -> String {
    let of_name = |c: char| c.is_alphanumeric() || "_@.-".contains(c);
    let mut out = String::new();
    let mut rest = statement;
    while !rest.is_empty() {
        let end = rest.find(|c| !of_name(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        match kinds.get(word) {
            Some(kind) => {
                let next = numbers.len();
                let number = *numbers.entry(word.to_owned()).or_insert(next);
                out.push_str(&format!("{kind}#{number}"));
            }
            None => out.push_str(word),
        }
        let mut others = after.chars();
        out.extend(others.next());
        rest = others.as_str();
    }
    out
}
