//! The ledger of sentences: the status of each sentence of a document.
//!
//! The documents' words are not ours to copy. `ledger.toml` beside a document's clauses lists its
//! sections by title with the number of their sentences, as [`crate::sentences`] counts them, and
//! which of these say nothing to execute or are not encoded, each with a reason, or are about
//! tokens. All others must be cited by a clause, which [`Account`] looks up:
//!
//! ```toml
//! document = "SPV_KHR_subgroup_rotate"
//! file = "SPV_KHR_subgroup_rotate.txt"
//!
//! [[section]]
//! title = "Overview"
//! sentences = 5
//! informative = [{ sentences = "1", why = "what the extension is for" }]
//! in_part = [{ sentences = "4-5", why = "only whole turns have a clause" }]
//! facts = "3"
//! not_encoded = [{ sentences = "2", why = "examples have no form" }]
//! ```

mod account;
mod fingerprints;
mod numbers;

use std::collections::BTreeSet;
use std::fmt;

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml::Spanned;

pub use account::{
    Account, AccountedSection, CarriedBy, Citation, Overlap, SentenceStatus, Shares, Stray,
};
pub use fingerprints::{Fingerprinted, Fingerprints};

/// The texts, each with its ledger and its fingerprints beside the clauses.
static TEXTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../semantics/text");

/// What a document says, section by section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// The document's short name, as clauses cite it.
    pub document: String,
    /// The name of the file that its plain text is in.
    pub file: String,
    /// Its sections in order.
    pub sections: Vec<Section>,
}

/// A section of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Path of headings.
    pub title: String,
    /// How many sentences it has.
    pub sentences: u32,
    /// Those that have nothing to execute in them.
    pub informative: Vec<Reason>,
    /// Those that a clause encodes only in part; the reason says what is left out.
    pub in_part: Vec<Reason>,
    /// Those about tokens: what the facts of this section or one above it say.
    pub facts: BTreeSet<u32>,
    /// Those that no clause encodes.
    pub not_encoded: Vec<Reason>,
}

/// Why some sentences have no clause, or one for a part of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Their numbers.
    pub sentences: BTreeSet<u32>,
    /// The reason, in our words.
    pub why: String,
}

/// A place in a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerPlace {
    /// The file, as the reader was given it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
}

impl fmt::Display for LedgerPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)
    }
}

/// What is wrong with a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LedgerError {
    /// Not the form that a ledger has.
    #[error("{place}: {message}")]
    Form {
        /// Where.
        place: LedgerPlace,
        /// What was expected.
        message: String,
    },
    /// Not a list of sentences.
    #[error("{place}: `{text}` is no list of sentences such as `1-3, 5`")]
    Numbers {
        /// Where.
        place: LedgerPlace,
        /// The text that was found.
        text: String,
    },
    /// A sentence that the section does not have.
    #[error("{place}: there is no sentence {sentence}, the section has {sentences}")]
    NoSuchSentence {
        /// Where.
        place: LedgerPlace,
        /// The number.
        sentence: u32,
        /// How many there are.
        sentences: u32,
    },
    /// A sentence with two reasons.
    #[error("{place}: sentence {sentence} is listed above already")]
    Twice {
        /// Where it is listed again.
        place: LedgerPlace,
        /// The number.
        sentence: u32,
    },
    /// Sentences without a reason.
    #[error("{place}: a reason is missing")]
    NoReason {
        /// Where.
        place: LedgerPlace,
    },
    /// Two sections with one title.
    #[error("{place}: section `{title}` is listed above already")]
    SectionTwice {
        /// Where it is listed again.
        place: LedgerPlace,
        /// Its title.
        title: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    document: String,
    file: String,
    section: Vec<FileSection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSection {
    title: Spanned<String>,
    sentences: u32,
    #[serde(default)]
    informative: Vec<FileReason>,
    #[serde(default)]
    in_part: Vec<FileReason>,
    facts: Option<Spanned<String>>,
    #[serde(default)]
    not_encoded: Vec<FileReason>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileReason {
    sentences: Spanned<String>,
    why: Spanned<String>,
}

impl Ledger {
    /// The ledgers that are compiled in, by document, each with the document's fingerprints.
    ///
    /// # Errors
    ///
    /// When one of these files is not of its form; the tests say that none is.
    pub fn built_in() -> Result<Vec<(Self, Fingerprints)>, LedgerError> {
        let mut all = Vec::new();
        for folder in TEXTS.dirs() {
            let file = |name| TEXTS.get_file(folder.path().join(name));
            let (Some(ledger), Some(words)) = (file("ledger.toml"), file("fingerprints.toml"))
            else {
                continue;
            };
            let parts = [ledger, words].map(|file| {
                (file.path().display().to_string(), String::from_utf8_lossy(file.contents()))
            });
            let [(name, text), (words_name, words)] = &parts;
            all.push((Self::parse(name, text)?, Fingerprints::parse(words_name, words)?));
        }
        all.sort_by(|(one, _), (other, _)| one.document.cmp(&other.document));
        Ok(all)
    }

    /// Reads a ledger; `file` is what errors call it.
    ///
    /// # Errors
    ///
    /// When the text is no ledger, or lists a section or a sentence twice, or one that is not there.
    pub fn parse(file: &str, text: &str) -> Result<Self, LedgerError> {
        let reader = Reader { file, text };
        let read: File = toml::from_str(text).map_err(|error| reader.form(&error))?;
        let mut titles = BTreeSet::new();
        let mut sections = Vec::new();
        for section in read.section {
            let place = reader.place(&section.title);
            let section = reader.section(section)?;
            if !titles.insert(section.title.clone()) {
                return Err(LedgerError::SectionTwice { place, title: section.title });
            }
            sections.push(section);
        }
        Ok(Self { document: read.document, file: read.file, sections })
    }

    /// The section that a clause cites by the last names of its path; `None` if there is no such
    /// section, or more than one.
    pub fn section(&self, cited: &str) -> Option<&Section> {
        if let Some(section) = self.sections.iter().find(|section| section.title == cited) {
            return Some(section);
        }
        let end = format!(" / {cited}");
        let mut fitting = self.sections.iter().filter(|section| section.title.ends_with(&end));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

/// Parses a ledger with places.
struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, byte: usize) -> LedgerPlace {
        let before = self.text.get(..byte).unwrap_or(self.text);
        LedgerPlace { file: self.file.to_owned(), line: 1 + before.matches('\n').count() }
    }

    fn place(&self, text: &Spanned<String>) -> LedgerPlace {
        self.line(text.span().start)
    }

    fn form(&self, error: &toml::de::Error) -> LedgerError {
        let place = self.line(error.span().map_or(0, |span| span.start));
        LedgerError::Form { place, message: error.message().to_owned() }
    }

    fn section(&self, section: FileSection) -> Result<Section, LedgerError> {
        let mut seen = BTreeSet::new();
        let facts = match section.facts {
            Some(listed) => self.sentences(&listed, section.sentences, &mut seen)?,
            None => BTreeSet::new(),
        };
        let mut reasons = |listed: Vec<FileReason>| {
            listed
                .into_iter()
                .map(|reason| self.reason(reason, section.sentences, &mut seen))
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Section {
            informative: reasons(section.informative)?,
            in_part: reasons(section.in_part)?,
            not_encoded: reasons(section.not_encoded)?,
            facts,
            title: section.title.into_inner(),
            sentences: section.sentences,
        })
    }

    fn reason(
        &self,
        reason: FileReason,
        sentences: u32,
        seen: &mut BTreeSet<u32>,
    ) -> Result<Reason, LedgerError> {
        if reason.why.get_ref().trim().is_empty() {
            return Err(LedgerError::NoReason { place: self.place(&reason.why) });
        }
        let numbers = self.sentences(&reason.sentences, sentences, seen)?;
        Ok(Reason { sentences: numbers, why: reason.why.into_inner() })
    }

    fn sentences(
        &self,
        listed: &Spanned<String>,
        sentences: u32,
        seen: &mut BTreeSet<u32>,
    ) -> Result<BTreeSet<u32>, LedgerError> {
        let place = self.place(listed);
        let Some(numbers) = numbers::parse(listed.get_ref(), sentences) else {
            return Err(LedgerError::Numbers { place, text: listed.get_ref().clone() });
        };
        for sentence in numbers.iter().copied() {
            if !(1..=sentences).contains(&sentence) {
                return Err(LedgerError::NoSuchSentence { place, sentence, sentences });
            }
            if !seen.insert(sentence) {
                return Err(LedgerError::Twice { place, sentence });
            }
        }
        Ok(numbers)
    }
}
