//! A diagnostic about a module: rule, severity, place, and sentence.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::shown::described;
use crate::view::View;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A rule is violated.
    Error,
    /// Outside of what the environment must accept, or undefined behavior where it is reached.
    Warning,
    /// It depends on a fact about the device that is not stated.
    Note,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One finding about one place of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The rule: `level-zero/execution-model`.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// What was found, and what would be accepted.
    pub message: String,
    /// The instruction's name; none where it is about the module as a whole.
    pub instruction: Option<String>,
    /// The word at which it begins.
    pub word: Option<u32>,
    /// Its line in the assembly, from 1.
    pub line: Option<u32>,
    /// The sentences, by document and section.
    pub citation: String,
    /// The reading on which it rests.
    pub reading: Option<String>,
    /// The facts of the device on which it depends, as tests of the device file's keys.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub depends_on: BTreeSet<String>,
    /// What was found, and where: the same in all that is said of it.
    #[serde(skip)]
    pub subject: Option<String>,
    /// For a forbidden type: the number of instructions for which the sentence forbids it.
    #[serde(skip)]
    pub breadth: Option<usize>,
    /// The instruction with its operands' names, for people.
    #[serde(skip)]
    pub shown: Option<String>,
}

/// What stands between sentences that are cited together.
pub(crate) const SEPARATOR: &str = "; ";

/// The rule for a module on which the reference validator times out.
pub const UNDECIDED: &str = "universal/undecided";

impl Diagnostic {
    /// Names an instruction as its place.
    pub(crate) fn stand_at(&mut self, view: &View<'_>, index: usize) {
        let Some(instruction) = view.instructions().get(index) else { return };
        self.instruction = view.instruction_name(instruction);
        self.word = Some(instruction.place.word);
        self.line = Some(instruction.place.line).filter(|&line| line > 0);
        self.shown = Some(described(view, instruction));
    }

    /// The reference validator has not come to an answer.
    pub fn is_undecided(&self) -> bool {
        self.rule == UNDECIDED
    }

    /// It is an error, and another finding says less of the same thing, or what the same sentence
    /// has follow.
    fn has_said(&self, other: &Self) -> bool {
        let here = self.severity == Severity::Error && self.word == other.word;
        let same = self.rule == other.rule && self.subject.is_some();
        here && other.severity != Severity::Error
            && (same && self.subject == other.subject || self.cites(&other.citation))
    }
}

impl Diagnostic {
    /// It cites this sentence, perhaps among others.
    fn cites(&self, sentence: &str) -> bool {
        self.citation.split(SEPARATOR).any(|it| it == sentence)
    }

    /// Cites these sentences, too, each once.
    fn cite(&mut self, citation: &str) {
        for sentence in citation.split(SEPARATOR) {
            if !self.cites(sentence) {
                self.citation = format!("{}{SEPARATOR}{sentence}", self.citation);
            }
        }
    }
}

/// Of sentences that forbid one type in one place, the one about the fewest instructions says it.
fn narrowest(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |it: &Diagnostic| (it.rule.clone(), it.word, it.subject.clone(), it.severity);
    let mut least = HashMap::new();
    for (breadth, one) in found.iter().filter_map(|it| Some((it.breadth?, it))) {
        let known = least.entry(place(one)).or_insert(breadth);
        *known = breadth.min(*known);
    }
    let broader = |it: &Diagnostic| it.breadth > least.get(&place(it)).copied();
    found.retain(|it| it.breadth.is_none() || !broader(it));
    found
}

/// Puts findings that say the same of one place together, with all their sentences; the worst
/// first at each place, places in order. What is worse is not said once more as less bad.
pub fn together(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::new();
    let mut places: HashMap<(String, Option<u32>, String, Severity), usize> = HashMap::new();
    for one in narrowest(found) {
        let key = (one.rule.clone(), one.word, one.message.clone(), one.severity);
        match places.get(&key).map(|&at| &mut merged[at]) {
            Some(known) => known.cite(&one.citation),
            None => {
                places.insert(key, merged.len());
                merged.push(one);
            }
        }
    }
    merged.sort_by_key(|it| (it.word, it.severity));
    let mut kept: Vec<Diagnostic> = Vec::new();
    for one in merged {
        match kept.iter_mut().rev().find(|error| error.has_said(&one)) {
            Some(error) => error.cite(&one.citation),
            None => kept.push(one),
        }
    }
    kept
}
