//! What a document writes in more than one way: names with and without their mark-up, lists of the
//! same names in several orders, the verb after such a list in both numbers; and a clause that one of
//! two sentences on the same thing lacks.

use std::collections::{BTreeMap, BTreeSet};

use crate::sentences::{Section, numbered};
use crate::slip::{EditorialFault, Slip};

/// A sentence by the place of its section and its number.
type Place = (usize, u32);

/// Marks around names, the longer ones first.
const MARKS: [&str; 3] = ["``", "**", "*"];

/// Names are this long at least.
const NAME: usize = 4;

/// The least number of items of a list.
const ITEMS: usize = 3;

/// The number of equal words before a verb of two sentences about the same thing.
const ALIKE: usize = 6;

/// What is found in each section.
pub(crate) fn consistency(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found = vec![Vec::new(); sections.len()];
    let mut add = |(section, sentence): Place, fault, words: String| {
        let slips: &mut Vec<Slip> = &mut found[section];
        slips.push(Slip { sentence, fault, words });
    };
    for (place, fault, words) in marked(sections) {
        add(place, fault, words);
    }
    for (place, fault, words) in lists(sections) {
        add(place, fault, words);
    }
    for (place, words) in told_by_other_names(sections) {
        add(place, EditorialFault::OtherNamesOnly, words);
    }
    for (place, words) in clauses_left_out(sections) {
        add(place, EditorialFault::LeftOutClause, words);
    }
    found
}

/// The marked names of a sentence, each with its mark, and the rest of it.
fn divided(text: &str) -> (Vec<(&str, &'static str)>, String) {
    let (mut names, mut plain) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let name = MARKS.iter().find_map(|mark| {
            let inner = rest.strip_prefix(mark)?;
            let end = inner.find(mark).filter(|&end| end > 0)?;
            let sound = !inner.starts_with([' ', '*', '`']) && !inner[..end].ends_with(' ');
            sound.then(|| (&inner[..end], *mark, end + 2 * mark.len()))
        });
        match name {
            Some((name, mark, length)) => {
                names.push((name, mark));
                // Words on both sides of a name are not next to each other.
                plain.push('\u{2026}');
                rest = &rest[length..];
            }
            None => {
                plain.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    (names, plain)
}

/// Names that are marked in most places and plain in few, or marked in two ways.
fn marked(sections: &[Section]) -> Vec<(Place, EditorialFault, String)> {
    let mut marks: BTreeMap<&str, BTreeMap<&str, Vec<Place>>> = BTreeMap::new();
    let mut rests = Vec::new();
    for (place, text) in numbered(sections) {
        let (names, rest) = divided(text);
        for (name, mark) in names {
            marks.entry(name).or_default().entry(mark).or_default().push(place);
        }
        rests.push((place, rest));
    }
    let mut found = Vec::new();
    for (name, of_name) in &marks {
        let is_name = name.chars().any(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        let often: usize = of_name.values().map(Vec::len).sum();
        let bare: Vec<Place> = rests
            .iter()
            .filter(|(_, rest)| has_word(rest, name))
            .map(|(place, _)| *place)
            .collect();
        if is_name && name.len() >= NAME && bare.len() < often {
            let unmarked = |&place| (place, EditorialFault::Unmarked, (*name).to_owned());
            found.extend(bare.iter().map(unmarked));
        }
        let rare = of_name.iter().min_by_key(|(_, places)| places.len());
        if let Some((mark, places)) = rare.filter(|_| of_name.len() > 1) {
            let usual = of_name.keys().find(|it| *it != mark).unwrap_or(mark);
            let words = format!("{mark}{name}{mark} / {usual}{name}{usual}");
            found.push((places[0], EditorialFault::TwoMarks, words));
        }
    }
    found
}

/// The text has the name, whole.
fn has_word(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}

/// The last name of a word: `flags.first` is `first`.
fn item(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(word)
}

/// A list of names in a sentence, `A, B, or C`: its items, whether `or` joins them, and the word
/// after it.
struct List<'s> {
    items: Vec<&'s str>,
    alternative: bool,
    next: Option<&'s str>,
}

fn lists_of(text: &str) -> Vec<List<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &str| item(word).chars().any(|c| c.is_ascii_uppercase());
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let items = words[at..].iter().take_while(|it| it.ends_with(',') && is_name(it)).count();
        let joined = words.get(at + items).filter(|it| ["or", "and"].contains(*it));
        let last = words.get(at + items + 1).filter(|it| items + 1 >= ITEMS && is_name(it));
        if let (Some(join), Some(last)) = (joined, last) {
            let all = words[at..at + items].iter().chain([last]);
            found.push(List {
                items: all.map(|word| item(word)).collect(),
                alternative: *join == "or",
                next: words.get(at + items + 2).copied(),
            });
        }
        at += items.max(1);
    }
    found
}

/// Lists of the same names in several orders, and verbs after such lists in both numbers.
fn lists(sections: &[Section]) -> Vec<(Place, EditorialFault, String)> {
    let mut orders: BTreeMap<Vec<&str>, BTreeMap<Vec<&str>, Vec<Place>>> = BTreeMap::new();
    let mut verbs: BTreeMap<&str, Place> = BTreeMap::new();
    for (place, text) in numbered(sections) {
        for List { items, alternative, next } in lists_of(text) {
            let mut sorted = items.clone();
            sorted.sort_unstable();
            orders.entry(sorted).or_default().entry(items).or_default().push(place);
            let verb = next.filter(|it| it.chars().all(|c| c.is_ascii_lowercase()) && alternative);
            verb.into_iter().for_each(|verb| _ = verbs.entry(verb).or_insert(place));
        }
    }
    let mut found = Vec::new();
    for of_names in orders.values().filter(|it| it.len() > 1) {
        let words = of_names.keys().map(|items| items.join(", ")).collect::<Vec<_>>().join(" / ");
        let shown = |places: &Vec<Place>| (places[0], EditorialFault::TwoOrders, words.clone());
        found.extend(of_names.values().map(shown));
    }
    for (verb, place) in &verbs {
        let singular = format!("{verb}s");
        if let Some(other) = verbs.get(singular.as_str()) {
            let words = format!("{verb} / {singular}");
            let shown = |place: &Place| (*place, EditorialFault::TwoNumbers, words.clone());
            found.extend([place, other].map(shown));
        }
    }
    found
}

/// Types that are described by the names of another language, where the document gives their parts
/// elsewhere.
fn told_by_other_names(sections: &[Section]) -> Vec<(Place, String)> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut with_parts: BTreeSet<String> = BTreeSet::new();
    let mut by_name: Vec<(Place, String)> = Vec::new();
    for (place, text) in numbered(sections) {
        let words: Vec<&str> = text.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| bare(pair[0]).starts_with("OpType")) {
            match pair[1] {
                "with" => _ = with_parts.insert(bare(pair[0])),
                "(equivalent" => by_name.push((place, bare(pair[0]))),
                _ => {}
            }
        }
    }
    by_name.retain(|(_, name)| with_parts.contains(name));
    by_name
}

/// Of two sentences `if …, then the X must …`, with the same words before and in `the X`, one has
/// `in addition to …` and the other has not.
fn clauses_left_out(sections: &[Section]) -> Vec<(Place, String)> {
    let mut found = Vec::new();
    for (section, it) in sections.iter().enumerate() {
        let words_of =
            |text: &'_ str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        let all: Vec<(u32, Vec<String>)> =
            (1..).zip(&it.sentences).map(|(number, text)| (number, words_of(text))).collect();
        let adds =
            |words: &[String]| words.windows(3).position(|it| it.join(" ") == "in addition to");
        for (full, fuller) in &all {
            let Some((from, about)) = adds(fuller).zip(subject(fuller)) else { continue };
            for (number, other) in &all {
                if adds(other).is_none() && subject(other).as_deref() == Some(&about) {
                    let words = fuller[from..].iter().take(6).cloned().collect::<Vec<_>>();
                    let words = words.join(" ").trim_end_matches(['.', ',', ';']).to_owned();
                    found.extend([full, number].map(|it| ((section, *it), words.clone())));
                }
            }
        }
    }
    found
}

/// The words before `then` and the subject after it: `a pair, then the size`.
fn subject(words: &[String]) -> Option<Vec<String>> {
    let then = words.iter().position(|word| word == "then")?;
    let to = (then + 3).min(words.len());
    let from = to.checked_sub(ALIKE + 4)?;
    Some(words[from..to].to_vec())
}
