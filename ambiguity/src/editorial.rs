//! Editorial errors in a document's sentences: words doubled or left out, tokens spelt in two ways,
//! section numbers that were never filled in. They leave no doubt about the meaning, and are
//! separated from findings that do.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_tokens as tokens;

use crate::consistency::consistency;
use crate::naming::naming;
use crate::omissions::omissions;
use crate::own_names::own_names;
use crate::parallels::parallels;
use crate::phrasing::phrasing;
use crate::presumed::presumed;
use crate::prose::prose;
use crate::row::beside_the_row;
use crate::sentences::{Section, bare, is_residue};
use crate::siblings::siblings;
use crate::slip::{EditorialFault, Slip};
use crate::spelling::spaced;
use crate::versions::versions;
use crate::wording::wording;

/// The frequencies of words, tokens and pairs of words in a document.
#[derive(Default)]
struct Counts {
    words: BTreeMap<String, usize>,
    pairs: BTreeMap<(String, String), usize>,
    /// Pairs of words that nothing separates, written as one.
    joined: BTreeSet<String>,
    /// Tokens by their letters without case.
    tokens: BTreeMap<String, BTreeMap<String, usize>>,
}

/// A word is misspelt if it occurs once and its neighbor at least this often.
const OFTEN: usize = 10;
/// The most words of a name that is announced.
const NAME: usize = 4;
/// The least ratio of plural to singular.
const PLURALS: usize = 3;

/// The slips of each section of a document.
pub fn slips(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut counts = Counts::default();
    for sentence in sections.iter().flat_map(|section| &section.sentences) {
        counts.add(sentence);
    }
    // Titles are no sentences, but spell names.
    sections.iter().for_each(|section| counts.add_title(&section.title));
    let near = siblings(sections);
    let other_ways = consistency(sections);
    let versions = versions(sections);
    let names = own_names(sections);
    let usual = usually_next(sections);
    let prose = prose(sections);
    let phrasing = phrasing(sections);
    let naming = naming(sections);
    let parallels = parallels(sections);
    let omissions = omissions(sections);
    let presumed = presumed(sections);
    let of_section = |(at, (section, words)): (usize, (&Section, Vec<Slip>))| {
        let numbered = (1..).zip(&section.sentences);
        let slips = numbered.flat_map(|(number, sentence)| of_sentence(number, sentence, &counts));
        let mut lists = lists_of_one(&section.sentences);
        lists.extend(rows_of_one(section));
        slips
            .chain(cut_off(section, sections.get(at + 1)))
            .chain(stops_short(section, &usual))
            .chain(lists)
            .chain(words)
            .chain(near[at].iter().cloned())
            .chain(other_ways[at].iter().cloned())
            .chain(versions[at].iter().cloned())
            .chain(names[at].iter().cloned())
            .chain(prose[at].iter().cloned())
            .chain(phrasing[at].iter().cloned())
            .chain(naming[at].iter().cloned())
            .chain(parallels[at].iter().cloned())
            .chain(omissions[at].iter().cloned())
            .chain(presumed[at].iter().cloned())
            .chain(number_of_the_heading(section))
            .chain(beside_the_row(section))
            .collect()
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
    last.ends_with(':').then_some(Slip { sentence, fault: EditorialFault::CutOff, words: end })
}

/// A pair of words goes on in the same way at least this often.
const USUALLY: usize = 5;

/// Pairs of words, and the word after them where that is always the same one.
fn usually_next(sections: &[Section]) -> BTreeMap<(&str, &str), &str> {
    let mut next: BTreeMap<(&str, &str), BTreeMap<&str, usize>> = BTreeMap::new();
    for sentence in sections.iter().flat_map(|section| &section.sentences) {
        let words: Vec<&str> = sentence.split_whitespace().map(bare).collect();
        for triple in words.windows(3) {
            let of_pair = next.entry((triple[0], triple[1])).or_default();
            *of_pair.entry(triple[2]).or_default() += 1;
        }
    }
    let mut usual = BTreeMap::new();
    for (pair, words) in next {
        if let Some((word, times)) = words.iter().next().filter(|_| words.len() == 1)
            && *times >= USUALLY
        {
            usual.insert(pair, *word);
        }
    }
    usual
}

/// The last sentence of a section, where it has no full stop and ends with words that go on in the same
/// way wherever else they stand.
fn stops_short(section: &Section, usual: &BTreeMap<(&str, &str), &str>) -> Option<Slip> {
    let last = section.sentences.last().filter(|it| it.ends_with(char::is_alphanumeric))?;
    let words: Vec<&str> = last.split_whitespace().map(bare).collect();
    let [.., before, word] = words.as_slice() else { return None };
    let next = usual.get(&(*before, *word))?;
    let from = words.len().saturating_sub(3);
    let words = format!("{} [{next} \u{2026}]", words[from..].join(" "));
    let sentence = u32::try_from(section.sentences.len()).ok()?;
    Some(Slip { sentence, fault: EditorialFault::CutOff, words })
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
            found.push(Slip { sentence, fault: EditorialFault::ListOfOne, words });
        }
    }
    found
}

/// Rows that are announced in the plural, and are one: it begins with the number of what it is about.
fn rows_of_one(section: &Section) -> Option<Slip> {
    let sentences = &section.sentences;
    let announced = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().map(bare).collect();
        let at = words.iter().position(|word| *word == "rows")?;
        let adding = at > 0 && words[..at].contains(&"adding");
        adding.then(|| words[at - 1..=at].join(" "))
    };
    // A heading may announce them.
    let above = announced(&section.heading).map(|words| (0, words));
    let (from, words) = above.or_else(|| {
        (1..).zip(sentences).find_map(|(sentence, text)| Some((sentence, announced(text)?)))
    })?;
    let number = |text: &&String| text.chars().all(|c| c.is_ascii_digit());
    let rows = sentences[from..].iter().filter(number).count();
    let sentence = u32::try_from(from.max(1)).ok()?;
    (rows == 1).then_some(Slip { sentence, fault: EditorialFault::ListOfOne, words })
}

/// The number of a section in an order to an editor, which is a heading here.
fn number_of_the_heading(section: &Section) -> Option<Slip> {
    let words = section.heading.split(' ').map(bare).find(|word| is_placeholder(word))?.to_owned();
    let some = !section.sentences.is_empty();
    some.then_some(Slip { sentence: 1, fault: EditorialFault::Placeholder, words })
}

/// What no word of a plain sentence begins with.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
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

    /// The names of a title that are written apart.
    fn add_title(&mut self, title: &str) {
        for part in title.split(" / ") {
            let words: Vec<&str> = part.split_whitespace().map(bare).collect();
            let capital = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
            let pairs = words.windows(2).filter(|pair| pair.iter().all(capital));
            self.joined.extend(pairs.map(<[&str]>::concat));
        }
    }

    /// It occurs once, and a word that differs in its last letter occurs often.
    fn is_misspelt(&self, word: &str) -> bool {
        let stem = &word[..word.len().saturating_sub(1)];
        let near = |(other, times): (&String, &usize)| {
            *times >= OFTEN && other.len() == word.len() && other != word && other.starts_with(stem)
        };
        word.len() >= 5 && self.words.get(word) == Some(&1) && self.words.iter().any(near)
    }

    /// Another spelling than SPIR-V's, or the less frequent one, or the later one in the alphabet.
    fn is_other_spelling(&self, token: &str) -> bool {
        let Some(spellings) = self.tokens.get(&token.to_lowercase()) else { return false };
        let usual = spellings.iter().max_by_key(|(name, times)| (tokens::is_name(name), **times));
        spellings.len() > 1 && usual.is_some_and(|(usual, _)| usual != token)
    }

    /// The word stands before numbers, and mostly with no article before it.
    fn has_no_article(&self, word: &str, number: Option<&str>) -> bool {
        let with = self.pairs.get(&("the".to_owned(), word.to_owned())).copied().unwrap_or(0);
        let numbered = self.pairs.iter().filter(|((before, after), _)| {
            before == word && is_number(after) && Some(after.as_str()) != number
        });
        is_lower(word) && numbered.map(|(_, times)| times).sum::<usize>() > with
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
            slip(EditorialFault::Placeholder, own.to_owned());
        }
        if is_mangled(own) {
            slip(EditorialFault::Mangled, own.to_owned());
        }
        if counts.is_misspelt(own) {
            slip(EditorialFault::Misspelt, own.to_owned());
        }
        if counts.is_other_spelling(own) {
            slip(EditorialFault::TwoSpellings, own.to_owned());
        } else if is_token(own) && counts.joined.contains(own) {
            slip(EditorialFault::TwoSpellings, format!("{own} / {}", spaced(own)));
        }
        // A star that is escaped is printed, and is no mark of an item.
        if *word == "\\*" {
            let both = &words[at..words.len().min(at + 2)];
            slip(EditorialFault::ListRunTogether, both.join(" "));
        }
        if is_joined_unit(own) {
            slip(EditorialFault::Unit, own.to_owned());
        }
        let Some(before) = at.checked_sub(1).map(|before| words[before]) else { continue };
        let pair = || format!("{before} {word}");
        if before == *word && is_lower(word) {
            slip(EditorialFault::DoubledWord, pair());
        }
        if ["must", "shall", "should"].contains(&before) && is_no_verb(word) {
            slip(EditorialFault::MissingVerb, format!("{before} {own}"));
        }
        if is_wrong_article(before, own) {
            slip(EditorialFault::Article, pair());
        }
        let next = words.get(at + 1).map(|next| bare(next));
        if before == "the" && next.is_some_and(is_number) && counts.has_no_article(own, next) {
            slip(EditorialFault::SpareArticle, format!("the {own} {}", next.unwrap_or_default()));
        }
        if ["Use", "use", "Uses", "uses"].contains(&before)
            && is_token(own)
            && next.is_some_and(|next| KINDS.contains(&next))
        {
            slip(EditorialFault::NoArticle, format!("{} {}", pair(), next.unwrap_or_default()));
        }
        if next.is_some_and(|next| is_apart(bare(before), own, next)) {
            slip(EditorialFault::NoHyphen, format!("{} {}", pair(), next.unwrap_or_default()));
        }
        if (before, *word, next) == ("are", "a", Some("list")) {
            slip(EditorialFault::Agreement, "are a list".to_owned());
        }
        if *word == "." {
            slip(EditorialFault::Punctuation, pair());
        }
        if let Some(words) = named_twice(&words[at..]) {
            slip(EditorialFault::TwiceOver, words);
        }
        if before == "of" && at > 1 && is_of_itself(bare(words[at - 2]), own) {
            slip(EditorialFault::OfItself, format!("{} of {own}", bare(words[at - 2])));
        }
        if own.is_empty() && word.starts_with("`__") && before.contains(char::is_alphanumeric) {
            slip(EditorialFault::EmptyLink, pair());
        }
        if counts.is_singular(bare(before), own) {
            slip(EditorialFault::Number, format!("{before} {own}"));
        }
    }
    let other = other_subject(&words);
    found.extend(other.map(|words| Slip { sentence, fault: EditorialFault::OtherSubject, words }));
    if is_residue(text) {
        let start = words.iter().take(4).copied().collect::<Vec<_>>().join(" ");
        found.push(Slip { sentence, fault: EditorialFault::Residue, words: start });
    }
    found
}

/// What a name may be the name of.
const KINDS: [&str; 4] = ["instruction", "capability", "operand", "extension"];

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

/// `widths are 8 and 16, and must have`.
fn other_subject(words: &[&str]) -> Option<String> {
    let are = words.iter().position(|word| *word == "are")?;
    let joins = |word: &str| ["and", "or"].contains(&word);
    let list = words[are + 1..].iter().take_while(|word| is_number(bare(word)) || joins(word));
    let list: Vec<&&str> = list.collect();
    let end = are + 1 + list.len();
    let goes_on = list.len() > 2 && list.last().is_some_and(|word| joins(word));
    let must = words.get(end).filter(|word| goes_on && **word == "must")?;
    let verb = words.get(end + 1)?;
    Some(format!("are {} \u{2026} and {must} {verb}", bare(list[0])))
}

/// `sum of … plus`, `difference of … minus`, in one clause of a sentence; `any arbitrary`.
fn named_twice(words: &[&str]) -> Option<String> {
    if let [one @ ("any" | "every"), other @ ("arbitrary" | "each"), ..] = words {
        return Some(format!("{one} {other}"));
    }
    let sign = match words {
        ["sum", "of", ..] => "plus",
        ["difference", "of" | "between", ..] => "minus",
        ["product", "of", ..] => "times",
        _ => return None,
    };
    let rest = words.iter().skip(2).take_while(|word| !["and", "or"].contains(word));
    let clause = rest.take_while(|word| !word.ends_with([',', ';', ':']));
    clause
        .into_iter()
        .any(|word| *word == sign)
        .then(|| format!("{} {} \u{2026} {sign}", words[0], words[1]))
}

/// `value of value`, `values of value`.
fn is_of_itself(one: &str, other: &str) -> bool {
    is_lower(other) && other.len() > 3 && (one == other || one.strip_suffix('s') == Some(other))
}

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

/// `32 bit integer`: a number, a unit in the singular and a noun.
fn is_apart(number: &str, unit: &str, noun: &str) -> bool {
    const OTHER: [&str; 12] =
        ["of", "in", "is", "and", "or", "per", "for", "at", "from", "to", "with", "that"];
    is_number(number)
        && number != "1"
        && ["bit", "byte", "component", "element", "lane"].contains(&unit)
        && is_lower(noun)
        && !OTHER.contains(&noun)
}

/// A token or an article where a verb is expected.
fn is_no_verb(word: &str) -> bool {
    ["a", "an", "the"].contains(&word)
        || word.starts_with("**")
        || bare(word).starts_with(|c: char| c.is_ascii_uppercase())
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
