//! Sentences that are nearly the same: one of them lacks a word that the others have, or ends in
//! another way; and a name of several words that stands cut short in one place.

use std::collections::{BTreeMap, BTreeSet};

use crate::sentences::Section;
use crate::slip::{EditorialFault, Slip};

/// The number of other sentences that must have a word for one without it to be reported.
const OTHERS: usize = 2;

/// A name stands in full so often where it stands cut short once or twice.
const IN_FULL: usize = 5;

/// The least number of words of sentences that are nearly the same.
const LONG: usize = 6;

/// What is found in each section.
pub(crate) fn siblings(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found = vec![Vec::new(); sections.len()];
    left_out(sections, &mut found);
    endings(sections, &mut found);
    cut_short(sections, &mut found);
    title_only(sections, &mut found);
    found
}

/// A sentence with names as they are told apart from words.
fn plain(sentence: &str) -> Vec<&str> {
    let name = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.starts_with(|c: char| c.is_ascii_uppercase())
    };
    sentence.split_whitespace().map(|word| if name(&word) { "\u{2026}" } else { word }).collect()
}

/// Where a word of the longer one is missing in the shorter one, and nothing else.
fn missing<'s>(shorter: &[&str], longer: &[&'s str]) -> Option<(usize, &'s str)> {
    if shorter.len() + 1 != longer.len() {
        return None;
    }
    let at = shorter.iter().zip(longer).position(|(one, other)| one != other);
    let at = at.unwrap_or(shorter.len());
    (shorter[at..] == longer[at + 1..]).then_some((at, longer[at]))
}

/// Sentences about one instruction that lack a word which those about others have.
fn left_out(sections: &[Section], found: &mut [Vec<Slip>]) {
    let of_instruction = |section: &Section| section.title.contains("/ Op");
    let mut forms: BTreeMap<Vec<&str>, BTreeSet<usize>> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate().filter(|(_, it)| of_instruction(it)) {
        for sentence in section.sentences.iter().map(|it| plain(it)).filter(|it| it.len() >= LONG) {
            forms.entry(sentence).or_default().insert(at);
        }
    }
    for (form, places) in forms.iter().filter(|(_, places)| places.len() == 1) {
        let fuller = forms.iter().find_map(|(other, of_other)| {
            let word = missing(form, other).filter(|_| of_other.len() >= OTHERS)?;
            of_other.is_disjoint(places).then_some(word)
        });
        let Some(((before, word), &at)) = fuller.zip(places.first()) else { continue };
        let sentence = sections[at].sentences.iter().position(|it| plain(it) == *form);
        let Some(sentence) = sentence.and_then(|it| u32::try_from(it + 1).ok()) else { continue };
        let own = sections[at].sentences[sentence as usize - 1].split_whitespace();
        let words = own.take(before).chain(["[\u{2026}]"]).collect::<Vec<_>>().join(" ");
        let words = words.replace('\u{2026}', word);
        found[at].push(Slip { sentence, fault: EditorialFault::LeftOutWord, words });
    }
}

/// A short answer that stands with a full stop in one place and without in another.
fn endings(sections: &[Section], found: &mut [Vec<Slip>]) {
    let mut without: BTreeMap<&str, (usize, u32)> = BTreeMap::new();
    let mut with: BTreeSet<&str> = BTreeSet::new();
    for (at, section) in sections.iter().enumerate() {
        let [only] = section.sentences.as_slice() else { continue };
        match only.strip_suffix('.') {
            Some(stem) => {
                with.insert(stem);
            }
            None => {
                without.entry(only).or_insert((at, 1));
            }
        }
    }
    for (words, (at, sentence)) in without.into_iter().filter(|(it, _)| with.contains(it)) {
        let words = format!("{words} / {words}.");
        found[at].push(Slip { sentence, fault: EditorialFault::TwoEndings, words });
    }
}

/// A section by its place, and a sentence of it.
type SentenceNumber = (usize, u32);

/// A quoted name and the word after it, which is missing in few places.
fn cut_short(sections: &[Section], found: &mut [Vec<Slip>]) {
    let is_quoted = |word: &str| word.len() > 2 && word.starts_with('\'') && word.ends_with('\'');
    let mut after: BTreeMap<&str, BTreeMap<&str, Vec<SentenceNumber>>> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        for (number, sentence) in (1..).zip(&section.sentences) {
            let words: Vec<&str> = sentence.split_whitespace().collect();
            for pair in words.windows(2).filter(|pair| is_quoted(pair[0])) {
                let places = after.entry(pair[0]).or_default();
                let next = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
                places.entry(next).or_default().push((at, number));
            }
        }
    }
    for (name, next) in after {
        let Some((usual, often)) = next.iter().max_by_key(|(_, places)| places.len()) else {
            continue;
        };
        if often.len() < IN_FULL {
            continue;
        }
        let rare = next.iter().filter(|(word, places)| {
            *word != usual
                && places.len() <= 2
                && word.starts_with(|c: char| c.is_ascii_lowercase())
        });
        for (word, places) in rare {
            for &(at, sentence) in places {
                let words = format!("{name} {word} / {name} {usual}");
                found[at].push(Slip { sentence, fault: EditorialFault::CutShort, words });
            }
        }
    }
}

/// A title lists words, and of each but one the section names an instruction.
fn title_only(sections: &[Section], found: &mut [Vec<Slip>]) {
    let is_instruction = |word: &&str| {
        word.strip_prefix("Op")
            .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    for (section, found) in sections.iter().zip(found) {
        let title = section.title.rsplit(" / ").next().unwrap_or_default();
        let Some((before, last)) = title.rsplit_once(" and ") else { continue };
        let listed = before.trim_end_matches(',').split(", ").chain([last]);
        // "Atomic Add and Subtract": the first word of the list stands behind what all are.
        let listed: Vec<&str> = listed.filter_map(|it| it.split_whitespace().last()).collect();
        let words = section.sentences.iter().flat_map(|it| it.split_whitespace());
        let instructions: BTreeSet<&str> = words
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter(is_instruction)
            .collect();
        let text = section.sentences.join(" ").to_lowercase();
        let named = |word: &&&str| instructions.iter().any(|name| name.contains(**word));
        let (with, without): (Vec<&&str>, Vec<&&str>) = listed.iter().partition(named);
        if let ([_, ..], [word]) = (with.as_slice(), without.as_slice())
            && !text.contains(&word.to_lowercase())
        {
            let words = format!("{title}: {word}");
            found.push(Slip { sentence: 1, fault: EditorialFault::InTitleOnly, words });
        }
    }
}
