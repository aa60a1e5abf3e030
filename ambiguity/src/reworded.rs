//! Documents that copied sentences from each other, sentence by sentence: what one of them words
//! otherwise, and what it leaves out. Only whole sentences can be compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Finding, FindingKind};
use crate::place::SentencePlace;
use crate::quotes::Quotes;
use crate::sentences::Section;

/// The least number of equal sentences of documents that have copied from each other.
const COPIED: usize = 5;

/// Sentences with fewer words are compared with none.
const LONG: usize = 6;

/// The least number of copied sentences of a section that was copied.
const SEVERAL: usize = 3;

/// Sentences with fewer words are not said to be left out.
const LEFT_OUT: usize = 8;

/// The percentage of the longer one's words that must be in the other, in their order.
const ALIKE: usize = 70;

/// Or the percentage of the shorter one's words, if it has at least the second number of words.
const CONTAINED: (usize, usize) = (70, 8);

/// The most words of a difference that are shown.
const SHOWN: usize = 12;

/// A sentence with its place and its words, without marks.
struct Sentence<'s> {
    section: &'s str,
    number: u32,
    words: Vec<String>,
}

/// A document's sentences.
struct Text<'s> {
    name: &'s str,
    sentences: Vec<Sentence<'s>>,
}

/// What differs between two sentences, as words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Difference {
    one: String,
    other: String,
}

/// All differences of documents that are known whole, but those that findings tell already.
pub(crate) fn reworded(quotes: &Quotes, known: &[Finding]) -> Vec<Finding> {
    let reported: BTreeSet<(&str, &str, u32)> = known
        .iter()
        .filter(|it| it.kind == FindingKind::CrossDocument)
        .flat_map(|it| &it.places)
        .flat_map(|place| {
            let numbers = place.sentences.iter();
            numbers.map(|number| (place.document.as_str(), place.section.as_str(), *number))
        })
        .collect();
    let texts: Vec<Text<'_>> =
        quotes.texts().map(|(name, sections)| text(name, sections)).collect();
    let mut findings = Vec::new();
    for (at, one) in texts.iter().enumerate() {
        for other in &texts[at + 1..] {
            findings.extend(of_pair(quotes, one, other, &reported));
        }
    }
    findings
}

fn text<'s>(name: &'s str, sections: &'s [Section]) -> Text<'s> {
    let of_section = |section: &'s Section| {
        (1..).zip(&section.sentences).map(|(number, sentence)| Sentence {
            section: &section.title,
            number,
            words: words(sentence),
        })
    };
    Text { name, sentences: sections.iter().flat_map(of_section).collect() }
}

/// Words without the marks around them; a small number in figures.
fn words(sentence: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let figures = |word: String| match word.as_str() {
        "two" => "2".to_owned(),
        "three" => "3".to_owned(),
        "four" => "4".to_owned(),
        _ => word,
    };
    sentence.split_whitespace().map(bare).filter(|it| !it.is_empty()).map(figures).collect()
}

/// Sentences of two documents that are near each other.
struct Near {
    /// Of each the nearest one of the other.
    pairs: Vec<(usize, usize)>,
    /// Those of the one document that have any near them in the other.
    one: BTreeSet<usize>,
    /// Those of the other.
    other: BTreeSet<usize>,
}

/// For each sentence of one the nearest of the other, if it is near.
fn near(one: &Text<'_>, other: &Text<'_>) -> Near {
    let nearest = |of: &Sentence<'_>, among: &Text<'_>| -> Option<usize> {
        let near = among.sentences.iter().enumerate().filter_map(|(at, it)| {
            let (less, more) =
                (of.words.len().min(it.words.len()), of.words.len().max(it.words.len()));
            if less < LONG {
                return None;
            }
            let same = common(&of.words, &it.words).len();
            let (contained, long) = CONTAINED;
            let alike =
                same * 100 >= more * ALIKE || less >= long && same * 100 >= less * contained;
            alike.then_some((same * 1000 / more, std::cmp::Reverse(at)))
        });
        near.max().map(|(_, at)| at.0)
    };
    let there: Vec<_> = one.sentences.iter().map(|it| nearest(it, other)).collect();
    let back: Vec<_> = other.sentences.iter().map(|it| nearest(it, one)).collect();
    let mutual = there.iter().enumerate().filter_map(|(at, to)| {
        let to = (*to)?;
        (back[to] == Some(at)).then_some((at, to))
    });
    let known = |all: &[Option<usize>]| {
        all.iter().enumerate().filter(|(_, it)| it.is_some()).map(|(at, _)| at).collect()
    };
    Near { pairs: mutual.collect(), one: known(&there), other: known(&back) }
}

/// The places of the longest list of words that both have in this order.
fn common(one: &[String], other: &[String]) -> Vec<(usize, usize)> {
    let mut length = vec![vec![0_u16; other.len() + 1]; one.len() + 1];
    for at in (0..one.len()).rev() {
        for to in (0..other.len()).rev() {
            length[at][to] = match one[at] == other[to] {
                true => length[at + 1][to + 1] + 1,
                false => length[at + 1][to].max(length[at][to + 1]),
            };
        }
    }
    let (mut at, mut to, mut same) = (0, 0, Vec::new());
    while at < one.len() && to < other.len() {
        if one[at] == other[to] {
            same.push((at, to));
            (at, to) = (at + 1, to + 1);
        } else if length[at + 1][to] >= length[at][to + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
    same
}

/// The words of each that the other does not have in their place.
fn difference(one: &[String], other: &[String]) -> Difference {
    let same = common(one, other);
    let rest = |words: &[String], kept: BTreeSet<usize>| {
        let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
        for (at, word) in words.iter().enumerate() {
            match kept.contains(&at) {
                true => parts.push(Vec::new()),
                false => parts.last_mut().into_iter().for_each(|part| part.push(word)),
            }
        }
        let parts = parts.into_iter().filter(|part| !part.is_empty()).map(shown);
        parts.collect::<Vec<_>>().join(" \u{2026} ")
    };
    Difference {
        one: rest(one, same.iter().map(|(at, _)| *at).collect()),
        other: rest(other, same.iter().map(|(_, to)| *to).collect()),
    }
}

fn shown(words: Vec<&str>) -> String {
    match words.len() > SHOWN {
        true => format!(
            "{} \u{2026} {}",
            words[..SHOWN / 2].join(" "),
            words[words.len() - SHOWN / 2..].join(" ")
        ),
        false => words.join(" "),
    }
}

/// Words by which a sentence requires, permits or denies something.
const FORCE: [&str; 9] =
    ["must", "may", "should", "shall", "can", "not", "only", "undefined", "required"];

/// No force, number or name differs.
fn is_editorial(difference: &Difference) -> bool {
    let weighs = |word: &str| {
        FORCE.contains(&word) || word.chars().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
    };
    let both = [&difference.one, &difference.other];
    !both.iter().any(|it| it.split(' ').any(weighs) || it.split(' ').count() > LONG)
}

fn of_pair(
    quotes: &Quotes,
    one: &Text<'_>,
    other: &Text<'_>,
    reported: &BTreeSet<(&str, &str, u32)>,
) -> Vec<Finding> {
    let Near { pairs, one: mine, other: theirs } = near(one, other);
    let same = |(at, to): &&(usize, usize)| one.sentences[*at].words == other.sentences[*to].words;
    if pairs.iter().filter(same).count() < COPIED {
        return Vec::new();
    }
    let known =
        |text: &Text<'_>, it: &Sentence<'_>| reported.contains(&(text.name, it.section, it.number));
    let mut differ: BTreeMap<Difference, Vec<(usize, usize)>> = BTreeMap::new();
    for pair @ (at, to) in pairs.iter().filter(|pair| !same(pair)) {
        let [mine, theirs] = [&one.sentences[*at], &other.sentences[*to]];
        if !known(one, mine) && !known(other, theirs) {
            differ.entry(difference(&mine.words, &theirs.words)).or_default().push(*pair);
        }
    }
    let mut findings: Vec<Finding> = differ
        .into_iter()
        .map(|(difference, pairs)| of_difference(quotes, [one, other], &difference, &pairs))
        .collect();
    findings.extend(left_out(quotes, [one, other], &mine, reported));
    findings.extend(left_out(quotes, [other, one], &theirs, reported));
    findings
}

fn of_difference(
    quotes: &Quotes,
    [one, other]: [&Text<'_>; 2],
    difference: &Difference,
    pairs: &[(usize, usize)],
) -> Finding {
    let quoted = |words: &str| match words.is_empty() {
        true => "nothing in its place".to_owned(),
        false => format!("\u{201c}{words}\u{201d}"),
    };
    let times = match pairs.len() {
        1 => String::new(),
        several => format!(", in {several} sentences"),
    };
    let mut places = Vec::new();
    for (at, to) in pairs {
        let both = [(one, &one.sentences[*at]), (other, &other.sentences[*to])];
        places.extend(both.map(|(text, it)| quotes.place_of(text.name, it.section, it.number)));
    }
    let slug = |words: &str| words.split(' ').take(4).collect::<Vec<_>>().join("-");
    let about = format!("{}/{}/{}", other.name, slug(&difference.one), slug(&difference.other));
    Finding {
        documents: [one.name.to_owned(), other.name.to_owned()].into(),
        summary: format!(
            "Two documents that copied sentences from each other differ: {} has {}, {} has {}{times}.",
            one.name,
            quoted(&difference.one),
            other.name,
            quoted(&difference.other)
        ),
        remedy: "The same words in both, or why they differ.".to_owned(),
        editorial: is_editorial(difference),
        places,
        ..Finding::of(
            FindingKind::CrossDocument,
            format!("{}/{about}", Finding::id_of(FindingKind::CrossDocument, "reworded", one.name)),
        )
    }
}

/// The most sentences that are shown with one that announces them.
const ANNOUNCED: u32 = 4;

/// The place of a sentence; of one that announces something, with what comes first after it.
fn announced(quotes: &Quotes, document: &str, section: &str, number: u32) -> SentencePlace {
    let mut place = quotes.place_of(document, section, number);
    for next in number + 1..=number + ANNOUNCED {
        if place.words.last().is_none_or(|it| !it.ends_with(':')) {
            break;
        }
        let more = quotes.place_of(document, section, next);
        place.sentences.extend(more.sentences.into_iter().filter(|_| !more.words.is_empty()));
        place.words.extend(more.words);
    }
    place
}

/// Sentences of sections of which the other document has at least half: one finding for what is
/// required or denied, one for the rest.
fn left_out(
    quotes: &Quotes,
    [one, other]: [&Text<'_>; 2],
    paired: &BTreeSet<usize>,
    reported: &BTreeSet<(&str, &str, u32)>,
) -> Vec<Finding> {
    let mut sections: BTreeMap<&str, (Vec<usize>, usize)> = BTreeMap::new();
    for (at, sentence) in
        one.sentences.iter().enumerate().filter(|(_, it)| it.words.len() >= LEFT_OUT)
    {
        let (missing, copied) = sections.entry(sentence.section).or_default();
        match paired.contains(&at) {
            true => *copied += 1,
            false => missing.push(at),
        }
    }
    let copied = |(missing, copied): &(Vec<usize>, usize)| *copied >= missing.len().max(SEVERAL);
    let missing = sections.into_values().filter(copied);
    let missing = missing.flat_map(|(missing, _)| missing).map(|at| &one.sentences[at]);
    let new = missing.filter(|it| !reported.contains(&(one.name, it.section, it.number)));
    let forced = |it: &&Sentence<'_>| it.words.iter().any(|word| FORCE.contains(&word.as_str()));
    let (forced, rest): (Vec<_>, Vec<_>) = new.partition(forced);
    let reported = |sentences: Vec<&Sentence<'_>>, word: &str, what: &str| {
        let first = sentences.first()?;
        let beginning = first.words.iter().take(LONG).cloned().collect::<Vec<_>>().join(" ");
        let (number, them) = match sentences.len() {
            1 => ("a sentence".to_owned(), "it"),
            several => (format!("{several} sentences"), "them"),
        };
        Some(Finding {
            documents: [one.name.to_owned(), other.name.to_owned()].into(),
            summary: format!(
                "Two documents that copied sentences from each other differ: {} has {number} {what}, and \
                 {} leaves {them} out: \u{201c}{beginning} \u{2026}\u{201d}.",
                one.name, other.name
            ),
            remedy: "The same sentences in both, or why they differ.".to_owned(),
            places: sentences
                .iter()
                .map(|it| announced(quotes, one.name, it.section, it.number))
                .collect(),
            ..Finding::of(
                FindingKind::CrossDocument,
                format!(
                    "{}/{}",
                    Finding::id_of(FindingKind::CrossDocument, word, one.name),
                    other.name
                ),
            )
        })
    };
    let forced =
        reported(forced, "requirement-left-out", "with a requirement, permission or consequence");
    forced.into_iter().chain(reported(rest, "sentence-left-out", "of explanation")).collect()
}
