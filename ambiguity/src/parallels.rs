//! What is said of two things that belong together, in one way of the first and in another of the second:
//! a first and a second value, a case and what is otherwise, one type under two names of another
//! language, two names in both orders; and words that stand alone where they need another one.

use std::collections::{BTreeMap, BTreeSet};

use crate::row::instruction;
use crate::sentences::{Section, bare, numbered, plain};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn parallels(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found: Vec<Vec<Slip>> = sections.iter().map(of_section).collect();
    let of_document = equivalents(sections)
        .into_iter()
        .chain(orders_of_two(sections))
        .chain(quoted_only(sections));
    for (at, slip) in of_document {
        found[at].push(slip);
    }
    found
}

fn of_section(section: &Section) -> Vec<Slip> {
    let mut found: Vec<Slip> = first_and_second(section).into_iter().collect();
    found.extend(given_anew(section));
    found.extend(sign_twice(section));
    for (sentence, text) in (1..).zip(&section.sentences) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let slip = |words| Slip { sentence, fault: EditorialFault::NoArticle, words };
        found.extend(size_of_noun(&words).map(slip));
    }
    found
}

/// Words of which what is said of a value in a place is made.
const OF_PLACES: [&str; 8] = ["is", "are", "to", "from", "in", "at", "was", "were"];

/// How many words behind a first thing are compared with those behind a second.
const COMPARED: usize = 3;

/// `the first value is written to` and `the second value written is`.
fn first_and_second(section: &Section) -> Option<Slip> {
    // What follows an ordinal and its noun, up to the next mark.
    let behind = |ordinal: &str| {
        (1..).zip(&section.sentences).find_map(|(sentence, text)| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let at = words.windows(2).position(|pair| pair[0] == ordinal)?;
            let mut rest = Vec::new();
            for word in words[at + 2..].iter().take(COMPARED) {
                rest.push(bare(word));
                if word.ends_with([':', ',', '.', ';']) {
                    break;
                }
            }
            Some((sentence, bare(words[at + 1]).to_owned(), rest))
        })
    };
    let (_, noun, first) = behind("first")?;
    let (sentence, other, second) = behind("second")?;
    let is_verb = |word: &&str| *word == "read" || word.ends_with("ed") || word.ends_with("ten");
    let verb = first.iter().copied().find(|word| is_verb(word) && second.contains(word))?;
    let plain = |words: &[&str]| words.iter().all(|it| *it == verb || OF_PLACES.contains(it));
    // The shorter of both may be cut at a mark.
    let length = first.len().min(second.len());
    let differ = first[..length] != second[..length];
    (noun == other && differ && plain(&first) && plain(&second)).then(|| Slip {
        sentence,
        fault: EditorialFault::FirstAndSecond,
        words: format!("first {noun} {} / second {noun} {}", first.join(" "), second.join(" ")),
    })
}

/// `N = A when B, otherwise`, and a line that begins with `N =` again.
fn given_anew(section: &Section) -> Option<Slip> {
    let name = |text: &str| {
        let (name, _) = text.split_once(" = ")?;
        (!name.contains(' ')).then(|| name.to_owned())
    };
    (1..).zip(section.sentences.windows(2)).find_map(|(sentence, pair)| {
        let open = pair[0].trim_end_matches([',', ':']).ends_with("otherwise");
        let own = name(&pair[0]).filter(|_| open)?;
        (name(&pair[1]).as_deref() == Some(own.as_str())).then(|| Slip {
            sentence,
            fault: EditorialFault::GivenAnew,
            words: format!("{own} = \u{2026} otherwise / {own} ="),
        })
    })
}

/// `Signedness operand is 0` of an operand's type, and `is treated as unsigned` of the operand.
fn sign_twice(section: &Section) -> Option<Slip> {
    instruction(section)?;
    let subject = |text: &str, verb: &str| {
        let (before, _) = text.split_once(verb)?;
        (!before.contains(' ')).then(|| before.to_owned())
    };
    let signless = |name: &str| {
        section.sentences.iter().any(|text| {
            text.starts_with(&format!("{name} must be "))
                && ["Signedness operand is 0", "Signedness is 0", "Signedness of 0"]
                    .iter()
                    .any(|it| text.contains(it))
        })
    };
    (1..).zip(&section.sentences).find_map(|(sentence, text)| {
        let name = subject(text, " is treated as unsigned")?;
        signless(&name).then(|| Slip {
            sentence,
            fault: EditorialFault::SignTwice,
            words: format!("{name} is treated as unsigned"),
        })
    })
}

/// `the size of cluster`: one of several things, with no article.
fn size_of_noun(words: &[&str]) -> Option<String> {
    const OF: [&str; 4] = ["size", "number", "id", "index"];
    const NOUNS: [&str; 9] = [
        "cluster",
        "subgroup",
        "workgroup",
        "group",
        "invocation",
        "lane",
        "vector",
        "image",
        "row",
    ];
    const AFTER: [&str; 12] =
        ["to", "is", "are", "in", "that", "and", "or", "must", "may", "which", "with", "for"];
    words.windows(3).enumerate().find_map(|(at, three)| {
        let noun = OF.contains(&three[0]) && three[1] == "of" && NOUNS.contains(&bare(three[2]));
        let ends = three[2].ends_with(['.', ',', ':', ';']);
        let next = words.get(at + 3);
        let alone = ends || next.is_none_or(|next| AFTER.contains(next));
        (noun && alone).then(|| format!("{} of {}", three[0], bare(three[2])))
    })
}

/// A type by its name and the numbers of its parts.
type PartsOfType = (String, Vec<u32>);

/// Where types of the same parts have names of another language, in parentheses: not the same ones. The
/// number of components is left out, which other words of the sentence give.
fn equivalents(sections: &[Section]) -> Vec<(usize, Slip)> {
    let mut ways: BTreeMap<PartsOfType, Vec<(usize, u32, Vec<String>)>> = BTreeMap::new();
    for ((at, sentence), text) in numbered(sections) {
        if let Some((parts, names)) = equivalent(text) {
            ways.entry(parts).or_default().push((at, sentence, names));
        }
    }
    let mut found = Vec::new();
    for places in ways.into_values() {
        let stems = |names: &[String]| -> BTreeSet<String> {
            let digits = |c: char| c.is_ascii_digit();
            names.iter().map(|it| it.trim_end_matches(digits).to_owned()).collect()
        };
        let Some((.., usual)) = places.iter().max_by_key(|(.., names)| names.len()) else {
            continue;
        };
        let fewer = places.iter().find(|(.., it)| stems(it) != stems(usual));
        if let Some((at, sentence, names)) = fewer {
            let words = format!("{} / {}", usual.join(" and "), names.join(" and "));
            let fault = EditorialFault::OtherEquivalents;
            found.push((*at, Slip { sentence: *sentence, fault, words }));
        }
    }
    found
}

/// `OpTypeInt with a Width of 32 bits and Signedness of 0 (equivalent to int and uint)`.
fn equivalent(text: &str) -> Option<(PartsOfType, Vec<String>)> {
    let text = text.replace(['*', '`'], "");
    let (before, rest) = text.rsplit_once('(')?;
    let (names, _) = rest.split_once(')')?;
    let (_, parts) = before.rsplit_once("OpType")?;
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let names = names.strip_prefix("equivalent to ").unwrap_or(names);
    let names: Vec<String> = names
        .split([',', ' '])
        .filter(|it| !it.is_empty() && *it != "and")
        .map(str::to_owned)
        .collect();
    let kind = bare(parts.split(' ').next()?).to_owned();
    let numbers: Vec<u32> = parts.split(' ').filter_map(|it| bare(it).parse().ok()).collect();
    let sound = parts.contains("Width") && parts.contains("Signedness") && numbers.len() == 2;
    (sound && names.iter().all(|it| is_name(it))).then_some(((kind, numbers), names))
}

/// `images or buffers` and `buffers or images`: both places.
fn orders_of_two(sections: &[Section]) -> Vec<(usize, Slip)> {
    let mut seen: BTreeMap<[String; 3], (usize, u32)> = BTreeMap::new();
    for ((at, sentence), text) in numbered(sections) {
        let words: Vec<&str> = text.split_whitespace().collect();
        for three in words.windows(3).filter(|it| ["and", "or"].contains(&it[1])) {
            let is_noun = |word: &str| {
                let own = bare(word);
                own.len() > 3
                    && own.ends_with('s')
                    && !own.ends_with("ss")
                    && own.chars().all(|c| c.is_ascii_lowercase())
            };
            if !is_noun(three[0]) || !is_noun(three[2]) || three[0].ends_with(',') {
                continue;
            }
            let [one, join, other] = [0, 1, 2].map(|part| bare(three[part]).to_owned());
            if let Some(first) = seen.get(&[other.clone(), join.clone(), one.clone()]) {
                let words = format!("{other} {join} {one} / {one} {join} {other}");
                let slip = |(at, sentence): (usize, u32)| {
                    (at, Slip { sentence, fault: EditorialFault::TwoOrders, words: words.clone() })
                };
                return [*first, (at, sentence)].map(slip).into();
            }
            seen.entry([one, join, other]).or_insert((at, sentence));
        }
    }
    Vec::new()
}

/// Words in quotation marks of which no other sentence has one: nothing says what they mean.
fn quoted_only(sections: &[Section]) -> Option<(usize, Slip)> {
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    // What stands between two marks, of which the first one opens.
    let quoted = |text: &str| -> Vec<String> {
        let inner = text.split('"').enumerate().filter(|(at, _)| at % 2 == 1);
        inner.map(|(_, it)| it.to_owned()).filter(|it| is_word(it)).collect()
    };
    let elsewhere = |own: &str, own_place: (usize, u32)| {
        let mut others = numbered(sections).filter(|(place, _)| *place != own_place);
        others.any(|(_, text)| {
            !quoted(text).iter().any(|it| it == own)
                && text.split_whitespace().any(|word| plain(word).starts_with(own))
        })
    };
    let mut alone: Vec<(usize, u32, String)> = Vec::new();
    for ((at, sentence), text) in numbered(sections) {
        let here = quoted(text).into_iter().filter(|it| !elsewhere(it, (at, sentence)));
        alone.extend(here.map(|it| (at, sentence, it)));
    }
    let (at, sentence, _) = alone.first()?;
    let mut words: Vec<String> = alone.iter().map(|(.., it)| format!("\"{it}\"")).collect();
    words.dedup();
    let words = words.join(", ");
    Some((*at, Slip { sentence: *sentence, fault: EditorialFault::QuotedOnly, words }))
}
