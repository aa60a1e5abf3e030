//! Fingerprints of a document's sentences: facts about its words, without the words.

use std::fmt;

use serde::Deserialize;

use super::{LedgerError, Reader};
use crate::sentences::{self, fingerprint};

/// Short hashes of every sentence, section by section, by which a changed document is noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Title of each section, and a hash for each of its sentences.
    pub sections: Vec<(String, Vec<u32>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    section: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    title: String,
    #[serde(with = "hexadecimal")]
    words: Vec<u32>,
}

impl Fingerprints {
    /// Of a document as it was divided.
    pub fn of(sections: &[sentences::Section]) -> Self {
        let entry = |section: &sentences::Section| {
            let hashes = section.sentences.iter().map(|sentence| fingerprint(sentence));
            (section.title.clone(), hashes.collect())
        };
        Self { sections: sections.iter().map(entry).collect() }
    }

    /// Reads what [`fmt::Display`] writes; `file` is what errors call it.
    ///
    /// # Errors
    ///
    /// When the text is not of that form.
    pub fn parse(file: &str, text: &str) -> Result<Self, LedgerError> {
        let read: File =
            toml::from_str(text).map_err(|error| Reader { file, text }.form(&error))?;
        let entry = |section: Section| (section.title, section.words);
        Ok(Self { sections: read.section.into_iter().map(entry).collect() })
    }
}

impl fmt::Display for Fingerprints {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, hashes) in &self.sections {
            writeln!(out, "[[section]]\ntitle = {title:?}\nwords = \"\"\"")?;
            for line in hashes.chunks(10) {
                let line: Vec<_> = line.iter().map(|hash| format!("{hash:08x}")).collect();
                writeln!(out, "{}", line.join(" "))?;
            }
            writeln!(out, "\"\"\"\n")?;
        }
        Ok(())
    }
}

mod hexadecimal {
    use serde::de::{Deserialize, Deserializer, Error};

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let text = String::deserialize(from)?;
        let hash = |word| u32::from_str_radix(word, 16).map_err(D::Error::custom);
        text.split_whitespace().map(hash).collect()
    }
}
