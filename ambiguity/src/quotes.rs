//! The documents' own words, by which a reader finds a sentence.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use laneproof_semantics::as_written::AsWritten;
use thiserror::Error;

use crate::finding::Finding;
use crate::ledger::{Fingerprints, Ledger, LedgerError};
use crate::place::SentencePlace;
use crate::plain::ReadDocument;
use crate::report::Harmless;
use crate::sentences::{Section, fingerprint, sections};
use crate::slip::Slip;

/// What is known of the documents' own words.
#[derive(Clone, Debug, Default)]
pub struct Quotes {
    documents: BTreeMap<String, Vec<Section>>,
    /// The documents that were read whole.
    whole: Vec<String>,
    ledgers: Vec<Ledger>,
    fingerprints: Vec<(String, Fingerprints)>,
    /// Documents of the folder that clauses were not written from.
    read: Vec<ReadDocument>,
}

/// Why documents are of no help.
#[derive(Debug, Error)]
pub enum QuotesError {
    /// A ledger is not of its form.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A document cannot be read.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// None of the documents is there.
    #[error("{folder}: none of the documents is there; expected one of {expected}")]
    None {
        /// The folder.
        folder: String,
        /// The files that were looked for.
        expected: String,
    },
}

impl Quotes {
    /// The first and last words of every sentence, as they are compiled in.
    ///
    /// # Errors
    ///
    /// When one of these files is not of its form; the tests say that none is.
    pub fn built_in() -> Result<Self, QuotesError> {
        let mut quotes = Self::default();
        for (ledger, words) in Ledger::built_in()? {
            let section = |it: &crate::ledger::Fingerprinted| Section {
                title: it.title.clone(),
                heading: String::new(),
                sentences: it.ends.clone(),
            };
            let sections = words.sections.iter().map(section).collect();
            quotes.documents.insert(ledger.document.clone(), sections);
            quotes.fingerprints.push((ledger.document.clone(), words));
            quotes.ledgers.push(ledger);
        }
        Ok(quotes)
    }

    /// Quotes with the whole sentences of the documents in a folder. A document whose sentences differ
    /// from those of the clauses is searched as plain text and returned by name, with its new
    /// sentences. So is an unknown document, without sentences.
    ///
    /// # Errors
    ///
    /// When a document cannot be read, or none is there.
    pub fn of_folder(folder: &Path) -> Result<(Self, Vec<(String, String)>), QuotesError> {
        let mut quotes = Self::built_in()?;
        let mut changed = Vec::new();
        for (ledger, words) in Ledger::built_in()? {
            let path = folder.join(&ledger.file);
            if !path.exists() {
                continue;
            }
            let read = sections(&text_of(&path)?);
            if Fingerprints::of(&read) == words {
                quotes.documents.insert(ledger.document.clone(), read);
                quotes.whole.push(ledger.document);
            } else {
                let known = words.sections.iter().flat_map(|it| &it.words).copied().collect();
                let slips = words.sections.iter().flat_map(|it| &it.slips);
                let slips = slips.map(|it| (it.fault, it.words.clone())).collect();
                let read = ReadDocument::version(ledger.document.clone(), read, &known, &slips);
                changed.push((ledger.document, in_sections(&read.sentences_beyond(&known))));
                quotes.read.push(read);
            }
        }
        quotes.read.extend(unknown(folder, &quotes.ledgers)?);
        if quotes.whole.is_empty() && quotes.read.is_empty() {
            let files: Vec<&str> = quotes.ledgers.iter().map(|it| it.file.as_str()).collect();
            let (folder, expected) = (folder.display().to_string(), files.join(", "));
            return Err(QuotesError::None { folder, expected });
        }
        Ok((quotes, changed))
    }

    /// The documents whose sentences are known whole.
    pub fn whole(&self) -> impl Iterator<Item = (&str, &[Section])> {
        self.documents
            .iter()
            .filter(|(name, _)| self.whole.contains(name))
            .map(|(name, sections)| (name.as_str(), sections.as_slice()))
    }

    /// Every document whose sentences are known whole, read as plain text ones among them.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &[Section])> {
        let read = self.read.iter().map(|it| (it.name.as_str(), it.sections.as_slice()));
        let whole = self.whole().filter(|(name, _)| !self.is_read(name));
        whole.chain(read)
    }

    /// Where a sentence of one of these stands.
    pub(crate) fn place_of(&self, document: &str, section: &str, sentence: u32) -> SentencePlace {
        let sections = self.texts().find(|(name, _)| *name == document).map(|(_, it)| it);
        let own = sections.and_then(|all| all.iter().find(|it| it.title == section));
        let words = own.and_then(|it| it.sentences.get((sentence as usize).checked_sub(1)?));
        SentencePlace {
            document: document.to_owned(),
            section: section.to_owned(),
            sentences: vec![sentence],
            words: words.map(|it| unmarked(it)).into_iter().collect(),
            paraphrase: String::new(),
        }
    }

    /// The sections of a document that a clause cites so.
    fn section(&self, document: &str, cited: &str) -> Option<&Section> {
        let title = self
            .ledgers
            .iter()
            .find(|it| it.document == document)
            .and_then(|ledger| ledger.section(cited))
            .map_or(cited, |section| &section.title);
        self.documents.get(document)?.iter().find(|it| it.title == title)
    }

    pub(crate) fn place(
        &self,
        document: &str,
        cited: &str,
        sentences: &[u32],
        ours: &str,
    ) -> SentencePlace {
        let known = self.section(document, cited);
        let words = sentences.iter().filter_map(|&number| {
            let sentences = &known?.sentences;
            sentences.get((number as usize).checked_sub(1)?).map(|it| unmarked(it))
        });
        let mut words: Vec<String> = words.collect();
        // A section as a whole is shown by what stands above it, or by what it begins with.
        if let Some(section) = known.filter(|_| sentences.is_empty()) {
            let heading = Some(&section.heading).filter(|it| !it.is_empty());
            words.extend(heading.or(section.sentences.first()).map(|it| unmarked(it)));
        }
        SentencePlace {
            document: document.to_owned(),
            section: known.map_or(cited, |section| &section.title).to_owned(),
            sentences: sentences.to_vec(),
            words,
            paraphrase: ours.to_owned(),
        }
    }

    /// The sentences that are just a token, as in a table.
    fn token(&self, document: &str, cited: &str, tokens: &[&str]) -> Vec<u32> {
        let Some(title) = self.section(document, cited).map(|it| &it.title) else {
            return Vec::new();
        };
        let of_document = self.fingerprints.iter().filter(|(name, _)| name == document);
        let mut sections = of_document.flat_map(|(_, words)| &words.sections);
        let hashes: Vec<u32> = tokens.iter().map(|token| fingerprint(token)).collect();
        let numbered = sections.find(|it| it.title == *title).map(|it| &*it.words);
        let numbered = (1..).zip(numbered.unwrap_or_default());
        numbered.filter(|(_, hash)| hashes.contains(hash)).map(|(at, _)| at).collect()
    }

    /// The document lies in the folder, and clauses were not written from it.
    pub(crate) fn is_read(&self, document: &str) -> bool {
        self.read.iter().any(|it| it.name == document)
    }

    /// The slips of the pen in each document, by document and section.
    pub(crate) fn slips(&self) -> impl Iterator<Item = (&str, &str, &Slip)> {
        let known = self.fingerprints.iter().flat_map(|(document, words)| {
            words.sections.iter().flat_map(move |section| {
                section.slips.iter().map(|slip| (document.as_str(), section.title.as_str(), slip))
            })
        });
        let read = self.read.iter().flat_map(|document| {
            document.sections.iter().zip(&document.slips).flat_map(move |(section, slips)| {
                slips.iter().map(|slip| (document.name.as_str(), section.title.as_str(), slip))
            })
        });
        known.chain(read)
    }

    /// The place of a slip, in the folder's document if it was read.
    pub(crate) fn place_of_slip(
        &self,
        document: &str,
        section: &str,
        slip: &Slip,
    ) -> SentencePlace {
        let read = self.read.iter().find(|it| {
            let own = |(title, slips): (&Section, &Vec<Slip>)| {
                title.title == section && slips.contains(slip)
            };
            it.name == document && it.sections.iter().zip(&it.slips).any(own)
        });
        let place = self.place(document, section, &[slip.sentence], "");
        let sections = self.texts().find(|(name, _)| *name == document).map(|(_, it)| it);
        let own = sections.and_then(|all| all.iter().find(|it| it.title == section));
        if let Some(heading) = own.and_then(|it| only_above(it, slip)) {
            let words = vec![unmarked(heading)];
            return SentencePlace { sentences: Vec::new(), words, ..place };
        }
        let Some(read) = read else { return place };
        let words = read
            .sections
            .iter()
            .find(|it| it.title == section)
            .and_then(|it| it.sentences.get((slip.sentence as usize).checked_sub(1)?))
            .map(|it| unmarked(it));
        SentencePlace { section: section.to_owned(), words: words.into_iter().collect(), ..place }
    }
}

/// The heading of a section, where that has the words of a slip and the sentence has not.
fn only_above<'s>(section: &'s Section, slip: &Slip) -> Option<&'s str> {
    let sentence = section.sentences.get((slip.sentence as usize).checked_sub(1)?)?;
    let words = slip.words.split(" / ").next()?;
    let has = |text: &str| text.contains(words);
    (has(&section.heading) && !has(sentence)).then_some(&*section.heading)
}

fn text_of(path: &Path) -> Result<String, QuotesError> {
    std::fs::read_to_string(path)
        .map_err(|source| QuotesError::Unreadable { file: path.display().to_string(), source })
}

/// How files end that hold a document's text.
const TEXTS: [&str; 5] = ["txt", "rst", "md", "adoc", "asciidoc"];

/// The unknown documents of a folder, by name.
fn unknown(folder: &Path, ledgers: &[Ledger]) -> Result<Vec<ReadDocument>, QuotesError> {
    let unreadable =
        |source| QuotesError::Unreadable { file: folder.display().to_string(), source };
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|it| it.path())).collect();
    let mut paths = paths.map_err(unreadable)?;
    paths.sort();
    let is_text = |path: &Path| {
        let end = path.extension().and_then(|it| it.to_str());
        let known = path.file_name().is_some_and(|name| ledgers.iter().any(|it| name == &*it.file));
        path.is_file() && !known && end.is_some_and(|end| TEXTS.contains(&end))
    };
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(ReadDocument::new(name, sections(&text_of(path)?)))
    };
    paths.iter().filter(|path| is_text(path)).map(read).collect()
}

/// Sentences by number, section by section.
fn in_sections(sentences: &[(&str, Vec<u32>)]) -> String {
    let listed = sentences.iter().map(|(title, numbers)| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        format!("\u{201c}{title}\u{201d} {}", numbers.join(", "))
    });
    listed.collect::<Vec<_>>().join("; ")
}

/// A sentence without the marks by which a source sets words in bold, in italics or as code, and
/// without its links.
pub(crate) fn unmarked(sentence: &str) -> String {
    let sentence = unlinked(&sentence.replace("**", "").replace("``", ""));
    let letters: Vec<char> = sentence.chars().collect();
    let is_word = |at: Option<usize>| {
        at.and_then(|at| letters.get(at)).is_some_and(|it| it.is_alphanumeric())
    };
    // A star at one side of a word is a mark, one between two is an operator.
    let is_mark =
        |at: usize| letters[at] == '*' && is_word(at.checked_sub(1)) != is_word(at.checked_add(1));
    (0..letters.len()).filter(|&at| !is_mark(at)).map(|at| letters[at]).collect()
}

/// The words of links in place of the links: `:ref:` with a name, and a text before `__`. What is
/// left of a link in a sentence that is quoted in part only goes, too.
fn unlinked(sentence: &str) -> String {
    let (mut out, mut rest) = (String::new(), sentence);
    while let Some((before, after)) = rest.split_once('`') {
        let (role, closed) = (before.strip_suffix(":ref:"), after.split_once('`'));
        let link = closed.and_then(|(text, after)| match (role, after.strip_prefix("__")) {
            (Some(before), _) => Some((before, text, after)),
            (None, Some(after)) => Some((before, text, after)),
            (None, None) => None,
        });
        match link {
            Some((before, text, after)) => {
                out.extend([before, text.trim_end()]);
                rest = after.strip_prefix('\\').unwrap_or(after);
            }
            None => {
                let end = after.strip_prefix('\\');
                out.push_str(role.unwrap_or(before));
                if role.is_none() && end.is_none() {
                    out.push('`');
                }
                rest = end.unwrap_or(after);
            }
        }
    }
    out + rest
}

/// Adds the places of each finding, and says which quotations are in our words.
pub(crate) fn locate(
    texts: &AsWritten,
    findings: &mut [Finding],
    harmless: &mut [Harmless],
    quotes: &Quotes,
) {
    let specification = &texts.specification;
    let mut known: BTreeMap<&str, (&str, &str, &[u32], &str)> = BTreeMap::new();
    for clause in specification.instructions.values().flat_map(|it| &it.clauses) {
        let place = (&*clause.document, &*clause.section, &*clause.sentences, &*clause.wording);
        known.insert(&clause.id, place);
    }
    for rule in &specification.rules {
        let place = (&*rule.document, &*rule.section, &*rule.sentences, &*rule.wording);
        known.insert(&rule.id, place);
    }
    // Of a draft the file's words are the reader's own; of a document they are ours.
    let is_ours = |(document, _, _, _): &&(&str, &str, &[u32], &str)| {
        quotes.documents.contains_key(*document)
    };
    let ours = known.values().filter(is_ours).map(|(.., ours)| *ours);
    let ours: BTreeSet<&str> = ours.filter(|it| !it.is_empty()).collect();
    harmless.iter_mut().for_each(|it| mark_ours(&mut it.place, &ours));
    for finding in findings {
        let mut places: Vec<SentencePlace> = std::mem::take(&mut finding.places);
        for id in &finding.clauses {
            let place = match known.get(id.as_str()) {
                Some((document, section, sentences, ours)) => {
                    quotes.place(document, section, sentences, ours)
                }
                None => {
                    // A row of a table: by the names and numbers that the finding is about.
                    let of_table = id.split_once(", ").filter(|(name, _)| !name.contains('/'));
                    let Some((document, section)) = of_table else { continue };
                    let bare = |word| str::trim_matches(word, |c: char| !c.is_alphanumeric());
                    let is_token = |word: &&str| {
                        word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
                    };
                    let words = finding.summary.split_whitespace().map(bare);
                    let tokens: Vec<&str> = words.filter(is_token).collect();
                    let sentences = quotes.token(document, section, &tokens);
                    quotes.place(document, section, &sentences, "")
                }
            };
            add(&mut places, place);
        }
        finding.places = without_sections(places);
        say_whose_words(finding, &ours);
    }
}

/// A section as a whole is no place where sentences of it are known.
pub(crate) fn without_sections(places: Vec<SentencePlace>) -> Vec<SentencePlace> {
    let known: Vec<(String, String)> = places
        .iter()
        .filter(|it| !it.sentences.is_empty())
        .map(|it| (it.document.clone(), it.section.clone()))
        .collect();
    let whole = |place: &SentencePlace| {
        place.sentences.is_empty()
            && known.iter().any(|it| *it.0 == *place.document && *it.1 == *place.section)
    };
    let places: Vec<SentencePlace> = places.into_iter().filter(|place| !whole(place)).collect();
    // A sentence that is quoted with others is not quoted again without them.
    let within = |place: &SentencePlace, other: &SentencePlace| {
        (&place.document, &place.section) == (&other.document, &other.section)
            && !place.sentences.is_empty()
            && place.sentences.len() < other.sentences.len()
            && place.sentences.iter().all(|it| other.sentences.contains(it))
    };
    let again = |place: &SentencePlace| places.iter().any(|other| within(place, other));
    places.iter().filter(|place| !again(place)).cloned().collect()
}

/// Where a summary or an outcome quotes a sentence in our words, that is said.
fn say_whose_words(finding: &mut Finding, ours: &BTreeSet<&str>) {
    mark_ours(&mut finding.summary, ours);
    let outcomes = finding.readings.iter_mut().flat_map(|read| {
        let lanes = read.lanes.iter_mut().map(|lane| &mut lane.outcome);
        std::iter::once(&mut read.outcome).chain(lanes)
    });
    outcomes.for_each(|outcome| mark_ours(outcome, ours));
}

/// Says of quoted sentences that these are our words.
fn mark_ours(text: &mut String, ours: &BTreeSet<&str>) {
    let quoted: Vec<&str> = text.split('\u{201c}').skip(1).collect();
    let quoted = quoted.into_iter().filter_map(|it| it.split('\u{201d}').next());
    let quoted: BTreeSet<&str> = quoted.filter(|it| ours.contains(it)).collect();
    let quoted: Vec<String> = quoted.iter().map(|it| format!("\u{201c}{it}\u{201d}")).collect();
    for quoted in quoted {
        if !text.contains(&format!("{OURS}{quoted}")) {
            *text = text.replace(&quoted, &format!("{OURS}{quoted}"));
        }
    }
}

/// What stands before a sentence in our words.
const OURS: &str = "in our words: ";

/// Adds a place. Clauses of the same sentences share one.
fn add(places: &mut Vec<SentencePlace>, place: SentencePlace) {
    let same = |known: &&mut SentencePlace| {
        (&known.document, &known.section) == (&place.document, &place.section)
            && known.sentences == place.sentences
    };
    match places.iter_mut().find(same) {
        None => places.push(place),
        Some(known) if known.paraphrase.split("; ").any(|it| it == place.paraphrase) => {}
        Some(known) if known.paraphrase.is_empty() => known.paraphrase = place.paraphrase,
        Some(known) => {
            known.paraphrase.push_str("; ");
            known.paraphrase.push_str(&place.paraphrase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unmarked;

    #[test]
    fn marks_of_the_source_are_left_out() {
        assert_eq!(
            unmarked("**OpTypeInt** with *Width* of ``2 * 4`` or a*b, *Value*."),
            "OpTypeInt with Width of 2 * 4 or a*b, Value."
        );
    }

    #[test]
    fn links_are_their_words() {
        let read = [
            (
                ":ref:`ze-flags-t`\\.fp16 includes :ref:`ZE_GLOBAL `\\, or",
                "ze-flags-t.fp16 includes ZE_GLOBAL, or",
            ),
            ("(for :ref:`ZE_FLAG_FP16 `\\)", "(for ZE_FLAG_FP16)"),
            ("stored using `IEEE-754 `__ semantics", "stored using IEEE-754 semantics"),
            // The beginning or the end of one, beside what is left out.
            ("for :ref:`ZE_FLAG … `\\.", "for ZE_FLAG …."),
            ("devices … ZE_FLAG `\\).", "devices … ZE_FLAG )."),
            ("of :ref:`ZE_FLAG … end", "of ZE_FLAG … end"),
            ("the `value` of it", "the `value` of it"),
        ];
        for (sentence, words) in read {
            assert_eq!(unmarked(sentence), words);
        }
    }
}
