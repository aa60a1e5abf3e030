//! Searches a document without clauses in the reader's folder: a new one, or another version of a known
//! one. Only its words are known, not the meaning of its sentences.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_tokens::{self as tokens, KINDS};

use crate::editorial::slips;
use crate::row::{Row, instruction};
use crate::sentences::{Section, fingerprint};
use crate::slip::{EditorialFault, Slip};

/// Words that leave open what is meant, in small letters.
const VAGUE: [&str; 21] = [
    "etc.",
    "and so on",
    "and so forth",
    "and the like",
    "as appropriate",
    "where appropriate",
    "if appropriate",
    "as needed",
    "if needed",
    "if necessary",
    "where necessary",
    "normally",
    "usually",
    "typically",
    "generally",
    "in most cases",
    "may or may not",
    "to be determined",
    "tbd",
    "todo",
    "some implementations",
];

/// Verbs by which sentences that are else the same differ in force.
const MODALS: [&str; 6] = ["must", "may", "should", "shall", "can", "might"];

/// A document as it lies in a folder.
#[derive(Clone, Debug)]
pub struct ReadDocument {
    /// Its name.
    pub name: String,
    /// Its sections and sentences.
    pub sections: Vec<Section>,
    /// What is found in the words of each section.
    pub slips: Vec<Vec<Slip>>,
}

impl ReadDocument {
    /// An unknown document.
    pub fn new(name: String, sections: Vec<Section>) -> Self {
        Self::version(name, sections, &BTreeSet::new(), &BTreeSet::new())
    }

    /// Another version of a document whose fingerprints and slips are known.
    pub fn version(
        name: String,
        sections: Vec<Section>,
        known: &BTreeSet<u32>,
        slips_known: &BTreeSet<(EditorialFault, String)>,
    ) -> Self {
        let numbers = numbers(&sections);
        let all = slips(&sections).into_iter().zip(&sections).zip(numbers);
        let of_section = |((mut slips, section), numbers): ((Vec<Slip>, &Section), Vec<Slip>)| {
            for (sentence, text) in (1..).zip(&section.sentences) {
                if !known.contains(&fingerprint(text)) {
                    slips.extend(vague(sentence, text));
                    slips.extend(weaker(sentence, text, section, &sections));
                }
            }
            slips.extend(numbers);
            slips.retain(|slip| !slips_known.contains(&(slip.fault, slip.words.clone())));
            slips
        };
        let slips = all.map(of_section).collect();
        Self { name, sections, slips }
    }

    /// The sentences whose fingerprints are not among these, by section.
    pub fn sentences_beyond(&self, known: &BTreeSet<u32>) -> Vec<(&str, Vec<u32>)> {
        let of_section = |section: &'_ Section| -> Vec<u32> {
            let numbered = (1..).zip(&section.sentences);
            let new = numbered.filter(|(_, text)| !known.contains(&fingerprint(text)));
            new.map(|(number, _)| number).collect()
        };
        let all = self.sections.iter().map(|it| (it.title.as_str(), of_section(it)));
        all.filter(|(_, numbers)| !numbers.is_empty()).collect()
    }
}

fn vague(sentence: u32, text: &str) -> Vec<Slip> {
    let small = text.to_lowercase();
    let whole = |at: usize, word: &str| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(small[..at].chars().next_back()) && !letter(small[at + word.len()..].chars().next())
    };
    let found =
        VAGUE.iter().filter(|word| small.match_indices(**word).any(|(at, _)| whole(at, word)));
    found
        .map(|word| Slip { sentence, fault: EditorialFault::Vague, words: (*word).to_owned() })
        .collect()
}

/// A sentence of an instruction that another instruction of the document has with another modal.
fn weaker(sentence: u32, text: &str, section: &Section, sections: &[Section]) -> Option<Slip> {
    let (modal, rest) = without_modal(text)?;
    let of_instruction = |section: &&Section| instruction(section).is_some();
    Some(section).filter(of_instruction)?;
    let others = sections.iter().filter(of_instruction).filter(|it| it.title != section.title);
    let forces: BTreeSet<&str> = others
        .flat_map(|section| &section.sentences)
        .filter_map(|other| without_modal(other))
        .filter(|(_, other)| *other == rest)
        .map(|(modal, _)| modal)
        .collect();
    let other = forces.iter().next().filter(|_| !forces.contains(modal))?;
    let words = format!("{modal} / {other}: {}", first_words(text));
    Some(Slip { sentence, fault: EditorialFault::Modality, words })
}

/// The only modal of a sentence, and the words after it, whatever the operand.
fn without_modal(text: &str) -> Option<(&str, Vec<&str>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut modals = words.iter().enumerate().filter(|(_, word)| MODALS.contains(word));
    let (at, modal) = modals.next()?;
    modals.next().is_none().then(|| (*modal, words[at + 1..].to_vec()))
}

fn first_words(text: &str) -> String {
    text.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// A token beside a number: the number, with section and sentence.
type Numbered = (u32, usize, u32);

/// Tokens that have one number in one table and another one in another, or in the grammar, by section.
fn numbers(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut places: BTreeMap<&str, Vec<Numbered>> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        // The row of an instruction's operands begins with its number of words and its opcode.
        if let Some(name) = instruction(section) {
            let place = Row::of(section).map(|row| (row.opcode, at, row.sentence + 1));
            places.entry(name).or_default().extend(place);
            continue;
        }
        // A table has numbers before their tokens, or behind them.
        let number = |text: &str| text.parse::<u32>().ok();
        let first = section.sentences.iter().find(|it| is_token(it) || number(it).is_some());
        let numbers_first = first.is_some_and(|it| number(it).is_some());
        for (index, text) in section.sentences.iter().enumerate().filter(|(_, it)| is_token(it)) {
            let beside = if numbers_first { index.checked_sub(1) } else { index.checked_add(1) };
            let own = beside.and_then(|it| number(section.sentences.get(it)?));
            let Some(own) = own.filter(|_| !KINDS.contains(&text.as_str())) else { continue };
            let sentence = u32::try_from(index + 1).unwrap_or(u32::MAX);
            places.entry(text).or_default().push((own, at, sentence));
        }
    }
    let mut found = vec![Vec::new(); sections.len()];
    for (token, places) in places {
        let Some(((section, sentence), numbers)) = conflict(token, &places) else { continue };
        let words = format!("{token}: {numbers}");
        found[section].push(Slip { sentence, fault: EditorialFault::Numbers, words });
    }
    found
}

/// A place whose number another place, or the grammar, does not have, and all these numbers.
fn conflict(token: &str, places: &[Numbered]) -> Option<((usize, u32), String)> {
    let grammar = in_grammar(token);
    let numbers: Vec<u32> = places.iter().map(|(number, ..)| *number).collect();
    let first = numbers.first()?;
    let wrong = |number: u32| match grammar.is_empty() {
        true => number != *first,
        false => !grammar.contains(&number),
    };
    let differ = numbers.iter().any(|number| number != first);
    let (_, section, sentence) = places
        .iter()
        .rfind(|(number, ..)| wrong(*number))
        .or_else(|| places.last().filter(|_| differ))?;
    let mut all: Vec<String> = Vec::new();
    for number in numbers.iter().map(ToString::to_string) {
        if !all.contains(&number) {
            all.push(number);
        }
    }
    all.extend(grammar.iter().map(|number| format!("{number} in the grammar")));
    Some(((*section, *sentence), all.join(", ")))
}

/// The numbers of that name: tokens of several kinds may share one.
fn in_grammar(token: &str) -> BTreeSet<u32> {
    let opcode = tokens::GrammarEntry::of(token).map(|it| it.opcode());
    let tokens = KINDS.iter().filter_map(|kind| tokens::named(kind, token)).map(|it| it.number);
    opcode.into_iter().chain(tokens).collect()
}

/// A name as the grammar writes them, alone in its sentence.
fn is_token(text: &str) -> bool {
    let inner = text.chars().skip(1);
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && inner.clone().any(|c| c.is_ascii_uppercase())
        && inner.clone().any(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::ReadDocument;
    use crate::sentences::sections;

    const TEXT: &str = "\
Name Strings

SPV_MY_turn

New Instructions

OpMyTurn
OpMyFlip

Token Number Assignments

MyTurn

6501

Capability

OpMyTurn

6502

Opcode

OpMyFlip

6503

Instructions

OpMyTurn

Returns Value of the next invocation.

The type of Value must be the same as Result Type.

Lane must be a 32-bit integer type scalar.

3

6502

<id> Value

<id> Lane

OpMyFlip

Returns Value of the invocation before.

The type of Value must be the same as Result Type.

Index must be a 32-bit integer type scalar.

3

6503

<id> Value

<id> Index

Capabilities

6501

MyTurn

MyNeed

6504

MyFlip

MyNeed
";

    /// What the sound text has in one place, what a spoiled one has there, and what is found then.
    const SPOILED: [(&str, &str, &[&str]); 9] = [
        (
            "Lane must be",
            "Lane may be",
            &["modality may / must: Lane may be a", "modality must / may: Index must be a"],
        ),
        (
            "Index must be",
            "Index can be",
            &["modality must / can: Lane must be a", "modality can / must: Index can be a"],
        ),
        ("next invocation.", "next invocation, etc.", &["vague etc."]),
        ("of the next", "of the next and/or last", &["and-or the next and/or last invocation"]),
        (
            "Returns Value of the invocation",
            "Typically returns Value of the invocation",
            &["vague typically"],
        ),
        ("6503\n\nInstructions", "6504\n\nInstructions", &["numbers OpMyFlip: 6504, 6503"]),
        ("Capabilities\n\n6501", "Capabilities\n\n6500", &["numbers MyTurn: 6501, 6500"]),
        ("3\n\n6502\n", "3\n\n6501\n", &["numbers OpMyTurn: 6502, 6501"]),
        ("next invocation.", "next invocation that is typical, as a token may be.", &[]),
    ];

    fn found(text: &str) -> Vec<String> {
        let read = ReadDocument::new("mine".to_owned(), sections(text));
        let slips = read.slips.into_iter().flatten();
        slips.map(|slip| format!("{} {}", slip.fault.word(), slip.words)).collect()
    }

    #[test]
    fn what_is_spoiled_in_plain_text_is_found_and_nothing_else() {
        assert_eq!(found(TEXT), [""; 0]);
        for (sound, spoiled, expected) in SPOILED {
            assert_eq!(TEXT.matches(sound).count(), 1, "{sound}");
            assert_eq!(found(&TEXT.replace(sound, spoiled)), expected, "{spoiled}");
        }
    }
}
