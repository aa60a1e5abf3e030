//! All that a search came to.

use std::collections::BTreeSet;

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::{AsWritten, ChoicePoint};
use serde::Serialize;

use crate::finding::{Finding, FindingKind};
use crate::ledger::{Account, Ledger, Shares};
use crate::question::named;

/// The findings, and what was searched.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SearchReport {
    /// Root causes, each once.
    pub findings: Vec<Finding>,
    /// What can be read in several ways and makes no difference.
    pub harmless: Vec<Harmless>,
    /// The instructions that were searched.
    pub instructions: BTreeSet<String>,
    /// In how many forms.
    pub forms: usize,
    /// How many choice points were asked about.
    pub choice_points: usize,
    /// What was not searched, and why.
    pub unsearched: BTreeSet<String>,
    /// The status of each document's sentences, if everything was searched.
    pub ledger: Vec<Accounted>,
}

/// Something that can be read in several ways with the same meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Harmless {
    /// The choice point, or the documents' lists.
    pub place: String,
    /// What it asks.
    pub question: String,
    /// In which states that is proved.
    pub proved: &'static str,
}

impl Harmless {
    pub(crate) fn point(texts: &AsWritten, point: &ChoicePoint, any_number: bool) -> Self {
        let instruction = texts.specification.instructions.get(&point.instruction);
        let clauses = instruction.into_iter().flat_map(|it| &it.clauses);
        let wording =
            clauses.into_iter().find(|it| it.id == point.clause).map_or("", |it| &it.wording);
        let operands = instruction.into_iter().flat_map(|it| &it.operands);
        Self {
            place: format!("{} (\u{201c}{wording}\u{201d})", point.instruction),
            question: named(&point.kind.question, point, operands),
            proved: if any_number { ANY_NUMBER } else { FEW },
        }
    }
}

/// States of any number of lanes.
const ANY_NUMBER: &str = "up to 128 lanes, at any sizes";
/// States as they are searched.
const FEW: &str = "1, 2 or 4 lanes, at any sizes";

/// The status of a document's sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Accounted {
    /// The document's short name.
    pub document: String,
    /// How many sentences there are of each standing.
    #[serde(flatten)]
    pub shares: Shares,
}

/// The accounts of those documents that texts are of.
pub(crate) fn accounted(texts: &AsWritten) -> Vec<Accounted> {
    let ledgers = Ledger::built_in().unwrap_or_default();
    let of_texts = ledgers.iter().filter(|(ledger, _)| {
        texts.specification.documents.iter().any(|it| *it.name == *ledger.document)
    });
    of_texts
        .map(|(ledger, _)| {
            let account = Account::of(ledger, &texts.specification, Specification::built_in());
            Accounted { document: ledger.document.clone(), shares: account.shares() }
        })
        .collect()
}

impl SearchReport {
    /// The findings of a kind.
    pub fn of(&self, kind: FindingKind) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.kind == kind)
    }
}
