//! Words of sentences that leave open what is meant: a modal that permits and forbids at once,
//! advice without a consequence, two names for one thing, words of the opposite instruction.

use std::collections::BTreeSet;

use laneproof_module::names;

use crate::sentences::{Section, bare, is_residue, plain};
use crate::slip::{EditorialFault, Slip};

/// Names that specifications have for one thing, each with the forms in which it is found.
const NAMES: [&[&[&str]]; 5] = [
    &[
        &["must accept"],
        &["are supported", "is supported", "must be supported", "must support"],
        &["valid storage class", "valid type", "valid result type"],
    ],
    &[&["texel"], &["image element"]],
    &[&["work item"], &["invocation"]],
    &[&["lane"], &["invocation"]],
    &[&["image format size", "size of the image format"], &["element size", "size of an element"]],
];

/// Wordings of one thing that leave no doubt about it.
const WORDINGS: [&[&[&str]]; 3] = [
    &[
        &["behavior is undefined"],
        &["results in undefined behavior", "result in undefined behavior"],
    ],
    &[&["must be"], &["is required to be", "are required to be"]],
    &[&["load and store", "load or store"], &["read and write", "read or write"]],
];

/// Parts of instructions' names, and the words for what such an instruction does and for what its
/// opposite does.
const OPPOSITES: [(&str, &[&str], &[&str]); 4] = [
    ("Write", &["write", "writes", "written"], &["read", "reads"]),
    ("Read", &["read", "reads"], &["write", "writes", "written"]),
    ("Store", &["store", "stores", "stored"], &["load", "loads", "loaded"]),
    ("Load", &["load", "loads", "loaded"], &["store", "stores", "stored"]),
];

/// Sections that documents of extensions of SPIR-V have, beside those that may be empty.
const EXPECTED: [&str; 3] = ["Notice", "Token Number Assignments", "Validation Rules"];

/// What is found in the sentences of each section.
pub(crate) fn wording(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found: Vec<Vec<Slip>> = sections.iter().map(of_section).collect();
    let at = |title: &str| sections.iter().position(|section| section.title == title);
    if let (Some(_), Some(first)) = (at("Extension Name"), at("Name Strings")) {
        let missing = EXPECTED.into_iter().filter(|title| at(title).is_none());
        found[first].extend(missing.map(|title| Slip {
            sentence: 1,
            fault: EditorialFault::NoSection,
            words: title.to_owned(),
        }));
    }
    for (section, slip) in small_operands(sections) {
        found[section].push(slip);
    }
    let names = NAMES.map(|names| (names, EditorialFault::SeveralNames));
    let wordings = WORDINGS.map(|names| (names, EditorialFault::SeveralWordings));
    for (names, fault) in names.into_iter().chain(wordings) {
        for (section, slip) in several_names(sections, names, fault) {
            found[section].push(slip);
        }
    }
    found
}

fn of_section(section: &Section) -> Vec<Slip> {
    let numbered = (1..).zip(&section.sentences);
    let found = numbered.flat_map(|(sentence, text)| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut found = modals(sentence, &words);
        found.extend(opposite(sentence, &section.title, &words));
        found.extend(direction(sentence, &words));
        found.extend(left_open(sentence, &words));
        found.extend(of_another_name(sentence, &words));
        found.extend(unbalanced(sentence, &words));
        found
    });
    found.collect()
}

fn modals(sentence: u32, words: &[&str]) -> Vec<Slip> {
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let (fault, before, after) = match (pair[0], pair[1]) {
            ("may", "only") => (EditorialFault::MayOnly, 1, 4),
            ("should", _) => (EditorialFault::Advice, 2, 4),
            (mark, ",") if !mark.contains(char::is_alphanumeric) => {
                (EditorialFault::Punctuation, 1, 2)
            }
            (_, ",") => (EditorialFault::Punctuation, 0, 2),
            _ => continue,
        };
        let end = words.len().min(at + after);
        let words = words[at.saturating_sub(before)..end].join(" ").replace('*', "");
        found.push(Slip { sentence, fault, words });
    }
    found
}

/// A sentence about an instruction that says of one thing what it does, and of another what its
/// opposite does. One that sets the two against each other says so.
fn opposite(sentence: u32, title: &str, words: &[&str]) -> Option<Slip> {
    let name = title.rsplit(' ').next().filter(|name| name.starts_with("Op"))?;
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let has = |any: &[&str]| plain.iter().position(|word| any.contains(&word.as_str()));
    let compares = has(&["unlike", "whereas", "while", "both", "or", "and", "than"]).is_some();
    let of_both = OPPOSITES.iter().filter(|(part, ..)| name.contains(part)).count() != 1;
    let (_, own, other) = OPPOSITES.iter().find(|(part, ..)| name.contains(part))?;
    let at = has(other).filter(|_| has(own).is_some() && !compares && !of_both)?;
    let from = at.saturating_sub(3);
    let words = words[from..=at].join(" ");
    Some(Slip { sentence, fault: EditorialFault::Opposite, words })
}

/// What is written goes to a place, and no place is named but one that it goes from.
fn direction(sentence: u32, words: &[&str]) -> Option<Slip> {
    let has = |word: &str| words.iter().position(|it| *it == word);
    let from = has("from").filter(|_| words.first() == Some(&"Writes") && has("to").is_none())?;
    let words = words[from..].iter().take(4).copied().collect::<Vec<_>>().join(" ");
    Some(Slip {
        sentence,
        fault: EditorialFault::Direction,
        words: format!("Writes \u{2026} {words}"),
    })
}

/// What is said of some things of a kind that they need, or may need.
const NEEDING: [&str; 4] = ["require", "requires", "need", "needs"];

/// A slip in these words, without marks of emphasis and what ends a sentence.
fn slip_of(sentence: u32, fault: EditorialFault, words: &[&str]) -> Slip {
    let words = words.join(" ").replace('*', "");
    Slip { sentence, fault, words: words.trim_matches(['.', ',', ':', ';', '(', ')']).to_owned() }
}

/// What is said of a value that nobody can rely on.
const UNKNOWN: [&str; 3] = ["undefined", "unspecified", "indeterminate"];

/// Words that say when something is so.
const CONDITIONS: [&str; 15] = [
    "if",
    "when",
    "whenever",
    "where",
    "wherever",
    "unless",
    "for",
    "otherwise",
    "then",
    "else",
    "elsewhere",
    "outside",
    "beyond",
    "after",
    "without",
];

/// Words that leave to others, or to the reader, what is meant.
fn left_open(sentence: u32, words: &[&str]) -> Vec<Slip> {
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let mut found = Vec::new();
    let mut slip = |fault, from: usize, length: usize| {
        let end = words.len().min(from + length);
        found.push(slip_of(sentence, fault, &words[from..end]));
    };
    for (at, word) in plain.iter().enumerate() {
        let next = plain.get(at + 1).map(String::as_str);
        match (word.as_str(), next) {
            ("and/or", _) => slip(EditorialFault::AndOr, at.saturating_sub(2), 5),
            ("implementation-defined", _) | ("implementation", Some("defined")) => {
                slip(EditorialFault::LeftToImplementation, at.saturating_sub(2), 4);
            }
            ("environment" | "implementation" | "device", Some("will")) => {
                slip(EditorialFault::Will, at, 4);
            }
            ("few", Some(things)) if things.ends_with('s') => {
                slip(EditorialFault::Vague, at.saturating_sub(1), 3);
            }
            // `The result may be undefined`, whenever that is.
            ("may" | "might" | "can" | "could", Some("be"))
                if plain.get(at + 2).is_some_and(|it| UNKNOWN.contains(&&**it))
                    && !plain.iter().any(|it| CONDITIONS.contains(&&**it)) =>
            {
                slip(EditorialFault::UndefinedWhen, at.saturating_sub(2), 5);
            }
            ("may", Some("allow" | "permit")) => slip(EditorialFault::MayAllow, at, 4),
            // `The appropriate extension`, of which none is named; `as appropriate` has no noun.
            ("appropriate", Some(_)) if at > 0 && ["the", "an"].contains(&&*plain[at - 1]) => {
                slip(EditorialFault::Vague, at - 1, 3);
            }
            // `May read multiple elements`.
            ("multiple", Some(_)) if at > 1 && plain[at - 2] == "may" => {
                let things = plain.iter().skip(at + 1).take(2).position(|it| it.ends_with('s'));
                things.into_iter().for_each(|it| slip(EditorialFault::Vague, at, it + 2));
            }
            // `Some types may require capabilities`.
            ("some", Some(things)) if things.ends_with('s') => {
                let verb =
                    plain.iter().skip(at + 2).take(2).position(|it| NEEDING.contains(&it.as_str()));
                if let Some(verb) = verb {
                    slip(EditorialFault::Unnamed, at, verb + 3);
                }
            }
            _ => {}
        }
    }
    found.extend(unsaid(sentence, words, &plain));
    found
}

/// Words that say how much, or how something is related to another thing, and not in what.
fn unsaid(sentence: u32, words: &[&str], plain: &[String]) -> Vec<Slip> {
    let mut found = Vec::new();
    let mut slip = |fault, from: usize, end: usize| {
        found.push(slip_of(sentence, fault, &words[from..words.len().min(end)]));
    };
    let has = |word: &str| plain.iter().any(|it| it == word);
    for (at, word) in plain.iter().enumerate() {
        let [next, third, fourth] =
            [1, 2, 3].map(|by| plain.get(at + by).map_or("", String::as_str));
        match (word.as_str(), next, third) {
            // `Checking will occur too late`, by how much nobody knows.
            ("too", "late" | "early" | "far", _) if third != "to" => {
                slip(EditorialFault::Vague, at.saturating_sub(4), at + 2);
            }
            // Through which instructions a pointer is computed counts for what is required of it.
            ("computed" | "derived" | "obtained", "from", _) if has("pointer") && has("if") => {
                slip(EditorialFault::Vague, at, at + 2);
            }
            // A restriction on which of its properties.
            ("no", "restriction" | "restrictions", "on")
                if !KINDS_OF_BOUNDS.iter().any(|it| has(it)) =>
            {
                slip(EditorialFault::Vague, at, at + 5);
            }
            ("many", "of", "the") => slip(EditorialFault::Unnamed, at, at + 4),
            ("be", "equivalent", "to") if has("let") => slip(EditorialFault::Vague, at, at + 3),
            ("strictly", "within" | "inside", _) => slip(EditorialFault::Vague, at, at + 5),
            _ => {}
        }
        let built_in = |word: &str| names::number_of("BuiltIn", bare(word)).is_some();
        // A range to a size: with it, or without.
        if (word.as_str(), next) == ("up", "to")
            && words.get(at + 2).is_some_and(|it| built_in(it) && bare(it).ends_with("Size"))
            && !["exclusive", "inclusive", "excluding", "including"].iter().any(|it| has(it))
        {
            slip(EditorialFault::Vague, at, at + 3);
        }
        // A variable without a sign has no negative.
        if word == "negative"
            && words.get(at + 1).is_some_and(|it| built_in(it))
            && fourth != "signed"
        {
            slip(EditorialFault::Vague, at, at + 2);
        }
    }
    found
}

/// What may be restricted of a thing.
const KINDS_OF_BOUNDS: [&str; 8] =
    ["alignment", "size", "type", "types", "value", "values", "range", "sign"];

/// A parenthesis that is opened in a whole sentence and not closed. Items of a list, and parts of a
/// sentence that goes on after a full stop in it, are no whole ones.
fn unbalanced(sentence: u32, words: &[&str]) -> Option<Slip> {
    let count = |of: char| words.iter().map(|word| word.matches(of).count()).sum::<usize>();
    let whole = words.last().is_some_and(|word| word.ends_with('.') && !word.ends_with("etc."));
    let at = words.iter().rposition(|word| word.contains('('))?;
    let abbreviated = words[at..].iter().any(|word| word.matches('.').count() > 1);
    if !whole || abbreviated || count('(') <= count(')') {
        return None;
    }
    let end = words.len().min(at + 2);
    let fault = EditorialFault::Unbalanced;
    Some(Slip { sentence, fault, words: format!("{} \u{2026}", words[at..end].join(" ")) })
}

/// What is called by a name that is another thing's: the result where its type is meant, and a class of
/// instructions with a letter too many.
fn of_another_name(sentence: u32, words: &[&str]) -> Vec<Slip> {
    let mut found = Vec::new();
    let mut slip = |fault, words: &[&str]| found.push(slip_of(sentence, fault, words));
    for (at, triple) in words.windows(3).enumerate() {
        if let ["types" | "type", "for", "result"] =
            [0, 1, 2].map(|at| plain(triple[at])).each_ref().map(|it| &**it)
        {
            let next = words.get(at + 3).is_some_and(|it| plain(it) == "type");
            slip(EditorialFault::TypesForResult, &words[at..at + 3 + usize::from(next)]);
        }
    }
    for pair in words.windows(2).filter(|pair| plain(pair[1]) == "instructions") {
        let name = pair[0].trim_matches(|c: char| !c.is_alphanumeric());
        let class = name.strip_suffix('s').filter(|_| !names::is_class(name));
        if class.is_some_and(names::is_class) {
            slip(EditorialFault::NoSuchClass, pair);
        }
    }
    found
}

/// A document writes operands with a capital where it does so of that many.
const CAPITALS: usize = 2;

/// Operands after `<id>` that begin with a small letter, where others of the document have a capital.
fn small_operands(sections: &[Section]) -> Vec<(usize, Slip)> {
    let sentences = sections.iter().enumerate().flat_map(|(section, it)| {
        (1..).zip(&it.sentences).map(move |(sentence, text)| (section, sentence, text))
    });
    let operands = sentences.flat_map(|(section, sentence, text)| {
        operands(text).into_iter().map(move |operand| (section, sentence, operand))
    });
    let begins =
        |operand: &str, of: fn(&char) -> bool| operand.chars().next().is_some_and(|c| of(&c));
    let (small, others): (Vec<_>, Vec<_>) =
        operands.partition(|(.., operand)| begins(operand, char::is_ascii_lowercase));
    let capitals =
        others.iter().filter(|(.., operand)| begins(operand, char::is_ascii_uppercase)).count();
    if capitals < CAPITALS {
        return Vec::new();
    }
    let slip = |(section, sentence, operand): (usize, u32, &str)| {
        let words = operand.to_owned();
        (section, Slip { sentence, fault: EditorialFault::SmallOperand, words })
    };
    small.into_iter().map(slip).collect()
}

/// The words of a sentence that come after `<id>`.
fn operands(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let after_id = words.windows(2).filter(|pair| pair[0].ends_with("<id>"));
    after_id.map(|pair| bare(pair[1])).collect()
}

/// Where a document has several names for one thing: the first sentence with each of them, and all
/// names as they are found.
fn several_names(
    sections: &[Section],
    names: &[&'static [&'static str]],
    fault: EditorialFault,
) -> Vec<(usize, Slip)> {
    let texts = sections.iter().flat_map(|it| &it.sentences);
    let operands: BTreeSet<&str> = texts.flat_map(|text| operands(text)).collect();
    let mut first: Vec<(usize, u32, &str)> = Vec::new();
    for forms in names {
        let place = |form: &&'static str| {
            sections.iter().enumerate().find_map(|(section, it)| {
                let mut sentences = (1..).zip(&it.sentences);
                let (sentence, _) = sentences
                    .find(|(_, text)| occurs(text, form, &operands) && !is_residue(text))?;
                Some((section, sentence, *form))
            })
        };
        first.extend(forms.iter().find_map(place));
    }
    if first.len() < 2 {
        return Vec::new();
    }
    let found: Vec<&str> = first.iter().map(|(.., form)| *form).collect();
    let words = found.join(" / ");
    let places: BTreeSet<(usize, u32)> =
        first.iter().map(|(at, number, _)| (*at, *number)).collect();
    let slip = |sentence| Slip { sentence, fault, words: words.clone() };
    places.into_iter().map(|(section, sentence)| (section, slip(sentence))).collect()
}

/// The text has the words, whole but for an ending. What begins with the name of an operand, or declares it,
/// is about that operand.
fn occurs(text: &str, form: &str, operands: &BTreeSet<&str>) -> bool {
    let text = text.replace('*', "");
    let lower = text.to_ascii_lowercase();
    let starts = |at: usize| !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let names_operand = |at: usize| {
        let before = lower[..at].trim_end();
        (before.is_empty() || before.ends_with("<id>"))
            && operands.contains(&text[at..at + form.len()])
    };
    lower.match_indices(form).any(|(at, _)| starts(at) && !names_operand(at))
}
