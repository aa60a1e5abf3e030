//! All that a search came to.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::finding::{Finding, FindingKind};

/// What was found, and what was looked at.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Root causes, each once.
    pub findings: Vec<Finding>,
    /// Choice points that make no difference in any state of up to four lanes.
    pub harmless: Vec<String>,
    /// The instructions that were searched.
    pub instructions: BTreeSet<String>,
    /// In how many forms.
    pub forms: usize,
    /// How many choice points were asked about.
    pub choice_points: usize,
    /// What was not searched, and why.
    pub unsearched: BTreeSet<String>,
}

impl Report {
    /// The findings of a kind.
    pub fn of(&self, kind: FindingKind) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.kind == kind)
    }
}
