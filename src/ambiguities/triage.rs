//! What readers have said of findings: a TOML file, one table a finding's id.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;

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
    /// When the file cannot be read, or is not of this form.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let text = document::text(path, MOST_TEXT)?;
        match toml::from_str(&text) {
            Ok(notes) => Ok(Self(notes)),
            Err(error) => Err(Failure::Inputs { name, reason: error.to_string() }),
        }
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
