//! What sentences leave open by a word that has a meaning only with another sentence: a first thing
//! without an order, a scan without an order or an identity, the same said again in other words; and
//! what a document says of itself in two ways.

use laneproof_module::names::{self, InstructionClass};

use crate::row::instruction;
use crate::sentences::{Section, is_residue};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn prose(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found: Vec<Vec<Slip>> = sections.iter().map(of_section).collect();
    let mut add = |slip: Option<(usize, Slip)>| {
        if let Some((at, slip)) = slip {
            found[at].push(slip);
        }
    };
    add(no_rules(sections));
    add(complete_and_a_draft(sections));
    add(without(sections, "exclusive scan", &["identity"], EditorialFault::NoIdentity));
    for what in ["reduction", "scan"] {
        add(unordered(sections, what));
    }
    for slip in numbers_and_words(sections) {
        add(Some(slip));
    }
    add(article_of_a_name(sections));
    found
}

fn of_section(section: &Section) -> Vec<Slip> {
    let numbered = (1..).zip(&section.sentences).filter(|(_, text)| !is_residue(text));
    let mut found: Vec<Slip> = numbered.flat_map(|(number, it)| of_sentence(number, it)).collect();
    // The first sentence of a section that counts things stands for the others.
    let mut counted = false;
    found.retain(|slip| {
        let repeated = slip.fault == EditorialFault::FirstOfNoOrder && counted;
        counted |= slip.fault == EditorialFault::FirstOfNoOrder;
        !repeated
    });
    found.extend(of_another_class(section));
    found
}

fn of_sentence(sentence: u32, text: &str) -> Vec<Slip> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let mut found = Vec::new();
    let mut slip = |fault, from: usize, length: usize| {
        let end = words.len().min(from + length);
        let words = words[from..end].join(" ").replace('*', "");
        let words = words.trim_end_matches(['.', ',', ':', ';']).to_owned();
        found.push(Slip { sentence, fault, words });
    };
    let ordered = plain.iter().any(|word| ORDERED.contains(&word.as_str()));
    for (at, word) in plain.iter().enumerate() {
        let next = plain.get(at + 1).map_or("", String::as_str);
        let third = plain.get(at + 2).map_or("", String::as_str);
        match (word.as_str(), next, third) {
            ("the", "first" | "last", thing) if COUNTED.contains(&thing) && !ordered => {
                slip(EditorialFault::FirstOfNoOrder, at, 3);
            }
            ("in", "other", "words") => slip(EditorialFault::InOtherWords, at, 8),
            ("a", "unique", _) => slip(EditorialFault::Vague, at, 3),
            ("correctly", ..) => slip(EditorialFault::Vague, at.saturating_sub(1), 3),
            ("floating", "point", noun) if !words[at + 1].ends_with([',', '.', ':']) => {
                if !noun.is_empty() && !NO_NOUN.contains(&noun) {
                    slip(EditorialFault::NoHyphen, at, 3);
                }
            }
            ("optional", ..) => {
                let rest = plain[at..].windows(3).position(|it| *it == ["must", "be", "present"]);
                rest.into_iter()
                    .for_each(|it| slip(EditorialFault::OptionalAndRequired, at, it + 3));
            }
            ("supporting", property, _) if property.ends_with(".supported") => {
                slip(EditorialFault::TwiceOver, at, 2);
            }
            _ => {}
        }
    }
    // Quoted text that ends after a quotation of its own, with the same marks.
    if let Some(at) = words.iter().position(|word| word.ends_with("\".\"")) {
        slip(EditorialFault::NestedQuotes, at, 1);
    }
    found.extend(called_as_another(sentence, &words));
    found
}

/// Things of which one is the first only in some order.
const COUNTED: [&str; 6] = ["invocation", "invocations", "lane", "value", "component", "element"];

/// Words that say in which order.
const ORDERED: [&str; 6] = ["order", "ordered", "lowest", "highest", "smallest", "active"];

/// Words behind a noun of two words that belong to no longer one.
const NO_NOUN: [&str; 9] = ["and", "or", "is", "are", "of", "in", "with", "must", "may"];

/// A document without rules for validation that says what must be so.
fn no_rules(sections: &[Section]) -> Option<(usize, Slip)> {
    let at = sections.iter().position(|section| section.title == "Validation Rules")?;
    let [only] = sections[at].sentences.as_slice() else { return None };
    let none = only.trim_end_matches('.').eq_ignore_ascii_case("none");
    let must = |text: &String| text.split_whitespace().any(|word| word == "must");
    let requires =
        |section: &Section| instruction(section).is_some() && section.sentences.iter().any(must);
    (none && sections.iter().any(requires)).then(|| {
        let words = format!("Validation Rules: {only}");
        (at, Slip { sentence: 1, fault: EditorialFault::RulesOfNone, words })
    })
}

/// A status that leaves nothing open, and a newest revision that is called a draft.
fn complete_and_a_draft(sections: &[Section]) -> Option<(usize, Slip)> {
    let of = |title: &str| sections.iter().position(|section| section.title == title);
    let (status, history) = (of("Status")?, of("Revision History")?);
    let first = sections[status].sentences.first()?;
    let done = ["complete", "final", "ratified"].contains(&plain(first).as_str());
    let last = sections[history].sentences.last()?;
    let draft = last.split_whitespace().any(|word| plain(word) == "draft");
    (done && draft).then(|| {
        let words = format!("{first} / {last}");
        (status, Slip { sentence: 1, fault: EditorialFault::DoneAndDraft, words })
    })
}

/// The first sentence with these words, where no sentence of the document has any of others.
fn without(
    sections: &[Section],
    what: &str,
    others: &[&str],
    fault: EditorialFault,
) -> Option<(usize, Slip)> {
    let has = |text: &String, words: &str| text.to_lowercase().contains(words);
    let mut all = sections.iter().flat_map(|section| &section.sentences);
    if all.any(|text| others.iter().any(|other| has(text, other))) {
        return None;
    }
    first(sections, |text| has(text, what))
        .map(|(at, sentence)| (at, Slip { sentence, fault, words: what.to_owned() }))
}

/// A reduction or scan across invocations, where no sentence of the document speaks of an order.
fn unordered(sections: &[Section], what: &str) -> Option<(usize, Slip)> {
    let words = format!("{what} operation");
    let across = |text: &str| {
        let text = text.to_lowercase();
        text.contains(&words) && (text.contains("across the") || text.contains("over the"))
    };
    let ordered = |text: &String| {
        let ids = text.contains("InvocationId");
        text.split_whitespace().any(|word| ORDERED[..2].contains(&plain(word).as_str())) || ids
    };
    let all = sections.iter().flat_map(|section| &section.sentences);
    if all.into_iter().any(ordered) {
        return None;
    }
    let (at, sentence) = first(sections, |text| across(text))?;
    Some((at, Slip { sentence, fault: EditorialFault::NoOrder, words }))
}

/// The first sentence of which something is true: its section and number.
fn first(sections: &[Section], so: impl Fn(&String) -> bool) -> Option<(usize, u32)> {
    sections.iter().enumerate().find_map(|(at, section)| {
        let sentence = (1..).zip(&section.sentences).find(|(_, text)| so(text))?.0;
        Some((at, sentence))
    })
}

/// Numbers as words, up to those that are mostly written as numerals.
const NUMBERS: [(&str, &str); 9] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
];

/// What a document counts by a word in one sentence, and by a numeral in another: the first sentence of
/// each.
fn numbers_and_words(sections: &[Section]) -> Vec<(usize, Slip)> {
    let counted = |text: &str, by_word: bool| -> Vec<(String, String)> {
        let words: Vec<String> = text.split_whitespace().map(plain).collect();
        let is = |word: &str| match by_word {
            true => NUMBERS.iter().any(|(name, _)| *name == word),
            false => word.parse::<u32>().is_ok_and(|number| number > 1),
        };
        let things = words.windows(2).filter(|pair| is(&pair[0]) && pair[1].len() > 3);
        things.map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    };
    let all: Vec<(usize, u32, &String)> = sections
        .iter()
        .enumerate()
        .flat_map(|(at, it)| (1..).zip(&it.sentences).map(move |(number, text)| (at, number, text)))
        .collect();
    let mut things: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for (at, number, text) in &all {
        for (word, thing) in counted(text, true) {
            let other = all.iter().find_map(|(at, number, text)| {
                let numeral = counted(text, false).into_iter().find(|(_, it)| *it == thing)?.0;
                Some((*at, *number, numeral))
            });
            let Some((other, sentence, numeral)) = other.filter(|_| !things.contains(&thing))
            else {
                continue;
            };
            let words = format!("{word} {thing} / {numeral} {thing}");
            let fault = EditorialFault::WordAndNumeral;
            things.push(thing);
            found.push((*at, Slip { sentence: *number, fault, words: words.clone() }));
            if (other, sentence) != (*at, *number) {
                found.push((other, Slip { sentence, fault, words }));
            }
        }
    }
    found
}

/// A name of one word that stands with an article of its own in one sentence, and without one in
/// another.
fn article_of_a_name(sections: &[Section]) -> Option<(usize, Slip)> {
    let all = || sections.iter().enumerate().filter(|(_, it)| instruction(it).is_some());
    let uses = |text: &str, article: bool| -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let alone = |at: usize| {
            let next = words.get(at + 1).map_or("", |word| *word);
            let ends = words[at].ends_with([',', '.', ':']);
            let verb = ["is", "but", "and", "or", "minus", "plus", "then"].contains(&next);
            is_built_in(bare(words[at])) && (ends || verb || next.is_empty())
        };
        let before = |at: usize| words.get(at.wrapping_sub(1)).map_or("", |word| *word);
        let with = |at: &usize| match article {
            true => before(*at) == "the",
            false => ["than", "to", "of"].contains(&before(*at)),
        };
        let found = (0..words.len()).filter(|at| alone(*at)).find(with)?;
        Some(bare(words[found]).to_owned())
    };
    let place = |article: bool, name: Option<&str>| {
        all().find_map(|(at, section)| {
            (1..).zip(&section.sentences).find_map(|(sentence, text)| {
                let used = uses(text, article).filter(|it| name.is_none_or(|name| name == it))?;
                Some((at, sentence, used))
            })
        })
    };
    let (.., name) = place(true, None)?;
    let (at, sentence, _) = place(false, Some(&name))?;
    let words = format!("the {name} / {name}");
    Some((at, Slip { sentence, fault: EditorialFault::ArticleOfAName, words }))
}

/// The name of a built-in variable.
fn is_built_in(word: &str) -> bool {
    names::number_of("BuiltIn", word).is_some()
}

/// `The pair turn instructions OpPairTurn and OpShift`: small words before the names of instructions that
/// one of the names has, and another one does not.
fn called_as_another(sentence: u32, words: &[&str]) -> Option<Slip> {
    let at = words.iter().position(|word| *word == "instructions")?;
    let names: Vec<&str> = words[at + 1..]
        .iter()
        .map(|word| bare(word))
        .take_while(|word| word.starts_with("Op") || *word == "and")
        .filter(|word| *word != "and")
        .collect();
    let kind = words[..at].iter().rev().take_while(|word| {
        word.chars().all(|c| c.is_ascii_lowercase()) && !["the", "for", "these"].contains(*word)
    });
    let kind: Vec<&str> = kind.copied().collect();
    let fits = |name: &&&str| kind.iter().all(|word| name.to_lowercase().contains(*word));
    let (right, wrong): (Vec<&&str>, Vec<&&str>) = names.iter().partition(fits);
    let other = wrong.first().filter(|_| !kind.is_empty() && !right.is_empty())?;
    let called: Vec<&str> = kind.into_iter().rev().collect();
    let words = format!("{} instructions \u{2026} {other}", called.join(" "));
    Some(Slip { sentence, fault: EditorialFault::CalledAsAnother, words })
}

/// An instruction in a section for those of another class.
fn of_another_class(section: &Section) -> Option<Slip> {
    let title = |class: InstructionClass| match class {
        InstructionClass::Group => Some("Group Instructions"),
        InstructionClass::NonUniform => Some("Non-Uniform Instructions"),
        InstructionClass::Atomic => Some("Atomic Instructions"),
        InstructionClass::Barrier => Some("Barrier Instructions"),
        _ => None,
    };
    let name = instruction(section)?;
    let class = title(InstructionClass::of_name(name)?)?;
    let (within, _) = section.title.rsplit_once(" / ")?;
    let within = within.rsplit(" / ").next()?;
    let is_class = [
        InstructionClass::Group,
        InstructionClass::NonUniform,
        InstructionClass::Atomic,
        InstructionClass::Barrier,
    ]
    .into_iter()
    .any(|it| title(it) == Some(within));
    (is_class && within != class).then(|| Slip {
        sentence: 1,
        fault: EditorialFault::OtherClass,
        words: format!("{name} in {within} / {class}"),
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn plain(word: &str) -> String {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.to_lowercase()
}
