//! Slips of the pen in a document's sentences: words doubled or left out, tokens spelt in two ways,
//! section numbers that nobody filled in. They leave no doubt about what is meant, and are kept
//! apart from what does.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::sentences::Section;
use crate::wording::wording;

/// What kind of slip it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The same word twice.
    DoubledWord,
    /// `must` with no verb after it.
    MissingVerb,
    /// `a` before a vowel, or `an` before a consonant.
    Article,
    /// A section number with a letter in the place of a number.
    Placeholder,
    /// A word with an underscore and a letter at its end, as a conversion leaves it.
    Mangled,
    /// A blank before a full stop or a comma.
    Punctuation,
    /// A word that is nearly one that the document uses often.
    Misspelt,
    /// A token that the document spells in another way elsewhere.
    TwoSpellings,
    /// A unit joined to its number as if it were an adjective.
    Unit,
    /// Items of a list that run on in one line, their marks among the words.
    ListRunTogether,
    /// A noun in the singular that the document has in the plural everywhere else.
    Number,
    /// A sentence that announces something, at the end of its section.
    CutOff,
    /// A list announced in the plural, with one item.
    ListOfOne,
    /// What a web page shows in place of a part of itself.
    Residue,
    /// A verb in the plural before one list.
    Agreement,
    /// `may only`, which permits and forbids.
    MayOnly,
    /// `should`, with no word on who does not.
    Advice,
    /// Several names for one thing.
    SeveralNames,
    /// A word for what the opposite of an instruction does.
    Opposite,
    /// What is written, and where from.
    Direction,
    /// A section that documents of its kind have is missing.
    NoSection,
    /// A word that leaves open what is meant.
    Vague,
    /// A modal in the place of another one in a sentence of a sibling.
    Modality,
    /// A token with two numbers.
    Numbers,
}

impl Fault {
    pub(crate) fn word(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|it| it.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    pub(crate) const fn summary(self) -> &'static str {
        match self {
            Self::DoubledWord => "A word stands twice",
            Self::MissingVerb => "A verb is missing after a modal",
            Self::Article => "An article does not fit the word after it",
            Self::Placeholder => "A section number was not filled in",
            Self::Mangled => "A token or word is mangled",
            Self::Punctuation => "A blank stands before a punctuation mark",
            Self::Misspelt => "A word is misspelt, or of the wrong form",
            Self::TwoSpellings => "A token is spelt in two ways in one document",
            Self::Unit => "A unit is joined to its number where it is no adjective",
            Self::ListRunTogether => "The items of a list run on in one paragraph",
            Self::Number => "A noun is in the singular where the document has the plural elsewhere",
            Self::CutOff => "A sentence is cut off: what it announces does not follow",
            Self::ListOfOne => "A list is announced in the plural, and has one item",
            Self::Residue => "A part of a web page stands in the place of text",
            Self::Agreement => "A verb is in the plural, and what it is said of in the singular",
            Self::MayOnly => {
                "A sentence says 'may only', which permits something and may forbid all else: no \
                 'must' says that it does, or what follows if it is not kept"
            }
            Self::Advice => {
                "A sentence advises with 'should': it neither requires anything nor says what \
                 follows if the advice is not taken"
            }
            Self::SeveralNames => {
                "What seems to be one thing has several names in one document, and no sentence \
                 says that they mean the same"
            }
            Self::Opposite => {
                "A sentence about an instruction speaks of what its counterpart does, as if copied \
                 from there"
            }
            Self::Direction => "What is written is said to go from a place, not to one",
            Self::NoSection => "A section that documents of extensions have is missing",
            Self::Vague => "A word leaves open what is meant",
            Self::Modality => {
                "A sentence has another modal than the same sentence about another instruction"
            }
            Self::Numbers => "A token has one number in one place and another one elsewhere",
        }
    }

    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::DoubledWord => "The word once.",
            Self::MissingVerb => "The verb, as other sentences have it.",
            Self::Article => "The article that fits.",
            Self::Placeholder => "The number of the section.",
            Self::Mangled | Self::Misspelt => "The word that is meant.",
            Self::Punctuation => "No blank before the mark.",
            Self::TwoSpellings => "One spelling in all places.",
            Self::Unit => "A blank between the number and its unit.",
            Self::ListRunTogether => "Each item on a line of its own.",
            Self::Number => "The plural, as elsewhere.",
            Self::CutOff => "What is announced, or a sentence that announces nothing.",
            Self::ListOfOne => "The singular, or the items that are missing.",
            Self::Residue => "The text without it.",
            Self::Agreement => "The verb in the singular.",
            Self::MayOnly => "'Must not' for what is forbidden, or 'may' alone.",
            Self::Advice => "'Must' and what follows if it is not so, or a note.",
            Self::SeveralNames => "One name in all places, or what tells the things apart.",
            Self::Opposite => "The word for what this instruction does.",
            Self::Direction => "The place that is written to.",
            Self::NoSection => "The section, or a sentence that says why there is none.",
            Self::Vague => "What is meant, in full.",
            Self::Modality => "One modal for all, or what tells the instructions apart.",
            Self::Numbers => "The number that was assigned, in all places.",
        }
    }

    /// It leaves no doubt about what is meant.
    pub(crate) const fn is_editorial(self) -> bool {
        !matches!(
            self,
            Self::MayOnly
                | Self::Advice
                | Self::SeveralNames
                | Self::Vague
                | Self::Modality
                | Self::Numbers
        )
    }
}

/// A slip in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The sentence's number in its section, from 1.
    pub sentence: u32,
    /// What is wrong.
    pub fault: Fault,
    /// The words in which it is.
    pub words: String,
}

/// How often words, tokens and pairs of words stand in a document.
#[derive(Default)]
struct Counts {
    words: BTreeMap<String, usize>,
    pairs: BTreeMap<(String, String), usize>,
    /// Pairs of words that nothing separates, written as one.
    joined: BTreeSet<String>,
    /// Tokens by their letters without case.
    tokens: BTreeMap<String, BTreeMap<String, usize>>,
}

/// A word is a misspelt one where it stands once and its neighbor so often.
const OFTEN: usize = 10;
/// The name of what is announced has at most so many words.
const NAME: usize = 4;
/// The plural stands so often where the singular stands once.
const PLURALS: usize = 3;

/// The slips of each section of a document.
pub fn slips(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut counts = Counts::default();
    for sentence in sections.iter().flat_map(|section| &section.sentences) {
        counts.add(sentence);
    }
    let of_section = |(at, (section, words)): (usize, (&Section, Vec<Slip>))| {
        let numbered = (1..).zip(&section.sentences);
        let slips = numbered.flat_map(|(number, sentence)| of_sentence(number, sentence, &counts));
        let lists = lists_of_one(&section.sentences);
        slips.chain(cut_off(section, sections.get(at + 1))).chain(lists).chain(words).collect()
    };
    sections.iter().zip(wording(sections)).enumerate().map(of_section).collect()
}

/// The last sentence of a section, where it ends as if something followed and no section below it
/// does.
fn cut_off(section: &Section, next: Option<&Section>) -> Option<Slip> {
    let below = format!("{} / ", section.title);
    if next.is_some_and(|next| next.title.starts_with(&below)) {
        return None;
    }
    let last = section.sentences.last()?;
    let sentence = u32::try_from(section.sentences.len()).ok()?;
    let words: Vec<&str> = last.split_whitespace().collect();
    let end = words[words.len().saturating_sub(3)..].join(" ");
    last.ends_with(':').then_some(Slip { sentence, fault: Fault::CutOff, words: end })
}

/// What announces a list, before its name.
const ANNOUNCING: [&str; 3] = ["following", "valid", "supported"];

/// Sentences that announce several things, each followed by a single item.
fn lists_of_one(sentences: &[String]) -> Vec<Slip> {
    let announced = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().map(bare).collect();
        let at = words.iter().position(|word| ANNOUNCING.contains(word))?;
        let plural = |word: &&str| word.ends_with('s') && !word.ends_with("ss");
        // A table has lines of its own, whatever it describes.
        let table = words.get(at + 1).is_some_and(|word| *word == "table");
        let name = at + words[at + 1..].iter().take(NAME).position(plural).filter(|_| !table)? + 1;
        text.ends_with(':').then(|| words[at..=name].join(" "))
    };
    let is_item = |text: &&String| !text.ends_with(['.', ':', ';']);
    let mut found = Vec::new();
    for (sentence, (at, text)) in (1..).zip(sentences.iter().enumerate()) {
        let Some(words) = announced(text) else { continue };
        let after = &sentences[at + 1..];
        // An item may end with a full stop, but begins as the items before it do.
        let goes_on = after.get(1).is_some_and(|next| next.starts_with(is_mark));
        if after.iter().take_while(is_item).count() == 1 && !goes_on {
            found.push(Slip { sentence, fault: Fault::ListOfOne, words });
        }
    }
    found
}

/// What no word of a plain sentence begins with.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
}

/// A word without what stands around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_lower(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())
}

/// A name with capitals inside.
fn is_token(word: &str) -> bool {
    let capitals = word.chars().skip(1).filter(char::is_ascii_uppercase).count();
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && capitals > 0
        && word.chars().all(|c| c.is_ascii_alphanumeric())
}

impl Counts {
    fn add(&mut self, sentence: &str) {
        let words: Vec<&str> = sentence.split_whitespace().map(bare).collect();
        for word in &words {
            if is_lower(word) {
                *self.words.entry((*word).to_owned()).or_default() += 1;
            }
            if is_token(word) {
                let spellings = self.tokens.entry(word.to_lowercase()).or_default();
                *spellings.entry((*word).to_owned()).or_default() += 1;
            }
        }
        for pair in words.windows(2) {
            if pair.iter().all(|word| word.starts_with(|c: char| c.is_ascii_uppercase())) {
                self.joined.insert(pair.concat());
            }
            let pair = (pair[0].to_owned(), pair[1].to_owned());
            *self.pairs.entry(pair).or_default() += 1;
        }
    }

    /// It stands once, and a word that differs in its last letter stands often.
    fn is_misspelt(&self, word: &str) -> bool {
        let stem = &word[..word.len().saturating_sub(1)];
        let near = |(other, times): (&String, &usize)| {
            *times >= OFTEN && other.len() == word.len() && other != word && other.starts_with(stem)
        };
        word.len() >= 5 && self.words.get(word) == Some(&1) && self.words.iter().any(near)
    }

    /// The spelling that stands less often, or as often and later in the alphabet.
    fn is_other_spelling(&self, token: &str) -> bool {
        let Some(spellings) = self.tokens.get(&token.to_lowercase()) else { return false };
        let usual = spellings.iter().max_by_key(|(_, times)| **times);
        spellings.len() > 1 && usual.is_some_and(|(usual, _)| usual != token)
    }

    fn is_singular(&self, before: &str, word: &str) -> bool {
        let times = |word: &str| {
            self.pairs.get(&(before.to_owned(), word.to_owned())).copied().unwrap_or(0)
        };
        before == "for"
            && is_lower(word)
            && times(word) == 1
            && times(&format!("{word}s")) >= PLURALS
    }
}

fn of_sentence(sentence: u32, text: &str, counts: &Counts) -> Vec<Slip> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    let mut slip = |fault, words: String| found.push(Slip { sentence, fault, words });
    for (at, word) in words.iter().enumerate() {
        let own = bare(word);
        if is_placeholder(own) {
            slip(Fault::Placeholder, own.to_owned());
        }
        if is_mangled(own) {
            slip(Fault::Mangled, own.to_owned());
        }
        if counts.is_misspelt(own) {
            slip(Fault::Misspelt, own.to_owned());
        }
        if counts.is_other_spelling(own) || is_token(own) && counts.joined.contains(own) {
            slip(Fault::TwoSpellings, own.to_owned());
        }
        // A star that is escaped is printed, and is no mark of an item.
        if *word == "\\*" {
            slip(
                Fault::ListRunTogether,
                words[at..].iter().take(2).copied().collect::<Vec<_>>().join(" "),
            );
        }
        if is_joined_unit(own) {
            slip(Fault::Unit, own.to_owned());
        }
        let Some(before) = at.checked_sub(1).map(|before| words[before]) else { continue };
        let pair = || format!("{before} {word}");
        if before == *word && is_lower(word) {
            slip(Fault::DoubledWord, pair());
        }
        if ["must", "shall", "should"].contains(&before) && is_no_verb(word) {
            slip(Fault::MissingVerb, format!("{before} {own}"));
        }
        if is_wrong_article(before, own) {
            slip(Fault::Article, pair());
        }
        if before == "are" && *word == "a" && words.get(at + 1).is_some_and(|it| bare(it) == "list")
        {
            slip(Fault::Agreement, "are a list".to_owned());
        }
        if *word == "." {
            slip(Fault::Punctuation, pair());
        }
        if counts.is_singular(bare(before), own) {
            slip(Fault::Number, format!("{before} {own}"));
        }
    }
    if BROWSER.iter().any(|word| words.contains(word)) {
        let start = words.iter().take(4).copied().collect::<Vec<_>>().join(" ");
        found.push(Slip { sentence, fault: Fault::Residue, words: start });
    }
    found
}

/// Words of web pages, not of specifications.
const BROWSER: [&str; 2] = ["JavaScript", "browser"];

/// `7.1.X`, `7.1.X.2`.
fn is_placeholder(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    parts.len() > 1 && parts.contains(&"X") && parts.iter().all(|part| *part == "X" || number(part))
}

/// Types of C end in `_t`.
fn is_mangled(word: &str) -> bool {
    word.rsplit_once('_').is_some_and(|(stem, end)| {
        end.len() == 1
            && end != "t"
            && end.chars().all(|c| c.is_ascii_lowercase())
            && !stem.is_empty()
            && stem.chars().all(|c| c.is_ascii_alphabetic())
    })
}

/// `64-bytes`, `64-bits`.
fn is_joined_unit(word: &str) -> bool {
    word.split_once('-').is_some_and(|(number, unit)| {
        !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
            && ["bytes", "bits"].contains(&unit)
    })
}

/// A token where a verb is expected.
fn is_no_verb(word: &str) -> bool {
    word.starts_with("**") || bare(word).starts_with(|c: char| c.is_ascii_uppercase())
}

/// Words with `u` or `h` are left to readers.
fn is_wrong_article(article: &str, word: &str) -> bool {
    let first = word.chars().next().filter(|_| is_lower(word) && word.len() > 1);
    match article {
        "a" | "A" => first.is_some_and(|c| "aei".contains(c)),
        "an" | "An" => first.is_some_and(|c| c.is_ascii_lowercase() && !"aeiouhx".contains(c)),
        _ => false,
    }
}
