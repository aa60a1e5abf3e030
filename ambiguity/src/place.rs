//! The places of a finding in its documents.

use serde::Serialize;

/// Sentences of a document, by which a reader finds them there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentencePlace {
    /// The document's short name.
    pub document: String,
    /// The path of headings.
    pub section: String,
    /// The numbers of the sentences within the section, from 1.
    pub sentences: Vec<u32>,
    /// Each sentence's first and last words, or all of it if the documents are available.
    pub words: Vec<String>,
    /// The sentences in our own words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub paraphrase: String,
}
