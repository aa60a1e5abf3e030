//! Fingerprints of a document's sentences: facts about its words, without the words.

use std::fmt;

use serde::Deserialize;

use super::{LedgerError, Reader};
use crate::editorial::slips;
use crate::sentences::{self, fingerprint};
use crate::slip::Slip;

/// Short hashes of every sentence, section by section, by which a changed document is noticed, and
/// the words with which each begins and ends, by which a reader finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// The sections in order.
    pub sections: Vec<Fingerprinted>,
}

/// What is kept of a section.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprinted {
    /// Its title.
    pub title: String,
    /// A hash for each of its sentences.
    #[serde(with = "hexadecimal")]
    pub words: Vec<u32>,
    /// The first and the last words of each.
    pub ends: Vec<String>,
    /// Slips of the pen.
    #[serde(default)]
    pub slips: Vec<Slip>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    section: Vec<Fingerprinted>,
}

/// The most words that are kept from each end of a sentence.
const KEPT: usize = 3;

/// The words with which a sentence begins and ends; most of it is left out.
pub(crate) fn ends(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [first, _] => format!("{first} …"),
        words => {
            let kept = (words.len() / 4).clamp(1, KEPT);
            let last = words.len() - kept;
            format!("{} … {}", words[..kept].join(" "), words[last..].join(" "))
        }
    }
}

impl Fingerprints {
    /// Of a document as it was divided.
    pub fn of(sections: &[sentences::Section]) -> Self {
        let entry = |(section, slips): (&sentences::Section, Vec<Slip>)| Fingerprinted {
            title: section.title.clone(),
            words: section.sentences.iter().map(|sentence| fingerprint(sentence)).collect(),
            ends: section.sentences.iter().map(|sentence| ends(sentence)).collect(),
            slips,
        };
        Self { sections: sections.iter().zip(slips(sections)).map(entry).collect() }
    }

    /// Reads what [`fmt::Display`] writes; `file` is what errors call it.
    ///
    /// # Errors
    ///
    /// When the text is not of that form.
    pub fn parse(file: &str, text: &str) -> Result<Self, LedgerError> {
        let read: File =
            toml::from_str(text).map_err(|error| Reader { file, text }.form(&error))?;
        Ok(Self { sections: read.section })
    }
}

impl fmt::Display for Fingerprints {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "# Hashes of the document's sentences, by which a change of it is noticed, and"
        )?;
        writeln!(
            out,
            "# the words with which each begins and ends, by which it is found there.\n"
        )?;
        for Fingerprinted { title, words, ends, slips } in &self.sections {
            writeln!(out, "[[section]]\ntitle = {title:?}\nwords = \"\"\"")?;
            for line in words.chunks(10) {
                let line: Vec<_> = line.iter().map(|hash| format!("{hash:08x}")).collect();
                writeln!(out, "{}", line.join(" "))?;
            }
            writeln!(out, "\"\"\"\nends = [")?;
            for words in ends {
                writeln!(out, "  {},", toml::Value::from(words.as_str()))?;
            }
            writeln!(out, "]")?;
            for Slip { sentence, fault, words } in slips {
                let [fault, words] = [fault.word(), words.clone()].map(toml::Value::from);
                writeln!(out, "[[section.slips]]\nsentence = {sentence}")?;
                writeln!(out, "fault = {fault}\nwords = {words}")?;
            }
            writeln!(out)?;
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
