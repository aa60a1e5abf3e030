//! What readers have said of findings: a TOML file, one table a finding's id.

use std::collections::BTreeMap;

use laneproof_semantics::line_and_column;
use serde::Deserialize;

/// Verdicts of readers, by a finding's id.
#[derive(Debug, Default)]
pub struct Triage(BTreeMap<String, Note>);

/// What a reader has said of one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// In a word: `reported`, `intended`, `fixed`.
    pub verdict: String,
    /// More of it.
    pub note: Option<String>,
}

impl Triage {
    /// Reads `["gap/…"]` tables with `verdict` and `note`.
    ///
    /// # Errors
    ///
    /// When the text is not of this form: `name:line:column`, and the reason.
    pub fn parse(text: &str, name: &str) -> Result<Self, (String, String)> {
        toml::from_str(text).map(Self).map_err(|error| {
            let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
            (format!("{name}:{line}:{column}"), error.message().to_owned())
        })
    }

    /// The note on a finding.
    pub fn of(&self, id: &str) -> Option<&Note> {
        self.0.get(id)
    }

    /// The ids with notes that were not found.
    pub fn without<'t>(&'t self, ids: &[&str]) -> Vec<&'t str> {
        self.0.keys().map(String::as_str).filter(|id| !ids.contains(id)).collect()
    }
}
