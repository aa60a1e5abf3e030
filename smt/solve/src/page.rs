//! A query as a file that another solver can read.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The first file that could not be written, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryFileError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub why: String,
}

/// The file of one query.
pub struct QueryFile {
    /// The file.
    pub path: PathBuf,
    /// What it asks, as comments.
    pub header: String,
    /// Shared by all pages of a run.
    pub unwritten: Arc<OnceLock<QueryFileError>>,
}

impl QueryFile {
    /// The same page with one more line of comment.
    pub fn with(&self, line: &str) -> Self {
        let (path, unwritten) = (self.path.clone(), self.unwritten.clone());
        Self { path, header: self.header.clone() + line, unwritten }
    }

    /// Writes the whole page. A failure does not affect the query; it is recorded in `unwritten`
    /// and reported at the end.
    pub fn write(&self, text: &str) {
        if let Err(error) = std::fs::write(&self.path, text) {
            let (path, why) = (self.path.clone(), error.to_string());
            self.unwritten.get_or_init(|| QueryFileError { path, why });
        }
    }
}
