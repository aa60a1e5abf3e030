//! What sentences leave open by a word that has a meaning only with another sentence: a first thing
//! without an order, a scan without an order or an identity, the same said again in other words; and
//! what a document says of itself in two ways.

use laneproof_module::names::{self, InstructionClass};
use laneproof_tokens::enabled_by;

use crate::naming::by_capability;
use crate::row::instruction;
use crate::sentences::{Section, bare, is_residue, plain};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn prose(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found: Vec<Vec<Slip>> = sections.iter().map(of_section).collect();
    let of_document = complete_and_a_draft(sections)
        .into_iter()
        .chain(no_identity(sections))
        .chain(["reduction", "scan"].into_iter().filter_map(|what| no_order(sections, what)))
        .chain(numbers_and_words(sections))
        .chain(article_of_a_name(sections))
        .chain(of_another_class(sections));
    for (at, slip) in of_document {
        found[at].push(slip);
    }
    found
}

fn of_section(section: &Section) -> Vec<Slip> {
    let numbered = (1..).zip(&section.sentences).filter(|(_, text)| !is_residue(text));
    let ordered = section.sentences.iter().any(|text| speaks_of_an_order(text));
    let mut found: Vec<Slip> = Vec::new();
    for (sentence, text) in numbered {
        let words = Words::of(text);
        let slips = words.slips().into_iter().chain(words.first_of_no_order(ordered));
        found.extend(slips.map(|(fault, words)| Slip { sentence, fault, words }));
        found.extend(called_as_another(sentence, &words.written));
        // `Elsewhere behavior is undefined` says what happens where something does not work.
        found.retain(|slip| {
            !(warns_of_failure(slip) && consequence_follows(section, slip.sentence))
        });
    }
    found.extend(nested_quotes(section));
    found
}

/// Something is promised to work, or to work well.
fn warns_of_failure(slip: &Slip) -> bool {
    let last = slip.words.rsplit(' ').next().map(plain).unwrap_or_default();
    slip.fault == EditorialFault::Vague && ["correctly", "properly"].contains(&last.as_str())
}

/// How many sentences further on a consequence is looked for.
const FURTHER: usize = 2;

/// One of the next sentences says that something is undefined otherwise.
fn consequence_follows(section: &Section, sentence: u32) -> bool {
    section.sentences.iter().skip(sentence as usize).take(FURTHER).any(|text| {
        let words: Vec<String> = text.split_whitespace().map(plain).collect();
        let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
        has(&["elsewhere", "otherwise"]) && has(&["undefined", "unspecified"])
    })
}

/// The words of a sentence, as they are written and in small letters without marks.
struct Words<'t> {
    written: Vec<&'t str>,
    plain: Vec<String>,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        let written: Vec<&str> = text.split_whitespace().collect();
        let plain = written.iter().map(|word| plain(word)).collect();
        Self { written, plain }
    }

    /// So many words as they are written, from one on.
    fn shown(&self, from: usize, length: usize) -> String {
        let end = self.written.len().min(from + length);
        let words = self.written[from..end].join(" ").replace('*', "");
        words.trim_end_matches(['.', ',', ':', ';']).to_owned()
    }

    fn plain_at(&self, at: usize) -> &str {
        self.plain.get(at).map_or("", String::as_str)
    }

    fn slips(&self) -> Vec<(EditorialFault, String)> {
        let mut found = Vec::new();
        let mut slip = |fault, words: String| found.push((fault, words));
        for at in 0..self.plain.len() {
            let [word, next, third] = [at, at + 1, at + 2].map(|at| self.plain_at(at));
            let goes_on = !self.written[at].ends_with([',', '.', ':', ';']);
            match (word, next, third) {
                ("in", "other", "words") | ("that", "is", "to") if self.requires_twice(at) => {
                    slip(EditorialFault::InOtherWords, self.shown(at, 8));
                }
                ("unique", noun, made) if !noun.is_empty() && MADE.contains(&made) => {
                    slip(EditorialFault::Vague, self.shown(at, 3));
                }
                (works, "correctly" | "properly", _) if WORKS.contains(&works) => {
                    slip(EditorialFault::Vague, self.shown(at, 2));
                }
                ("floating", "point", _) if goes_on && self.is_noun(at + 2) => {
                    slip(EditorialFault::NoHyphen, self.shown(at, 3));
                }
                _ if goes_on && self.is_said_by_the_name(at) => {
                    let words = self.shown(at, 2);
                    slip(EditorialFault::TwiceOver, words.trim_end_matches(')').to_owned());
                }
                _ => {}
            }
        }
        found
    }

    /// Something is required before the word, and behind it.
    fn requires_twice(&self, at: usize) -> bool {
        let must = |words: &[String]| words.iter().any(|word| REQUIRING.contains(&word.as_str()));
        must(&self.plain[..at]) && must(&self.plain[at..])
    }

    /// It may be what the words before it describe: none of the words that only join others.
    fn is_noun(&self, at: usize) -> bool {
        let before = self.written[at - 1];
        let word = self.plain_at(at);
        !before.ends_with([',', '.', ':', ';', ')']) && !word.is_empty() && !JOINING.contains(&word)
    }

    /// `supporting properties.supported`: the last part of a name says again what the word before says.
    fn is_said_by_the_name(&self, at: usize) -> bool {
        let Some(name) = self.written.get(at + 1) else { return false };
        let Some(stem) = self.plain_at(at).strip_suffix("ing") else { return false };
        let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
        let last = name.rsplit_once('.').map(|(_, last)| last.to_lowercase());
        let ends = |rest: &str| ["", "e", "s", "es", "ed", "ing"].contains(&rest);
        stem.len() > 3 && last.is_some_and(|last| last.strip_prefix(stem).is_some_and(ends))
    }

    /// The first or last of invocations, where no word of the sentence or section says by which number.
    fn first_of_no_order(&self, ordered: bool) -> Option<(EditorialFault, String)> {
        if ordered || self.written.iter().any(|word| word.contains("InvocationId")) {
            return None;
        }
        let end = |at: usize| {
            let noun =
                at + 1 + usize::from(["active", "existing"].contains(&self.plain_at(at + 1)));
            let is = INVOCATIONS.contains(&self.plain_at(noun))
                && !["to", "that", "which"].contains(&self.plain_at(noun + 1));
            is.then_some(noun)
        };
        let first = |at: &usize| {
            let joined = *at > 0 && ["and", "or", "and/or"].contains(&self.plain_at(*at - 1));
            ["first", "last"].contains(&self.plain_at(*at)) && !joined
        };
        let (at, noun) = (0..self.plain.len()).filter(first).find_map(|at| Some((at, end(at)?)))?;
        let words = format!("the {}", self.shown(at, noun + 1 - at));
        Some((EditorialFault::FirstOfNoOrder, words))
    }
}

/// Things that have no order of their own, as components of a vector have.
const INVOCATIONS: [&str; 6] =
    ["invocation", "invocations", "lane", "lanes", "work-item", "work-items"];

/// By these words a sentence asks for something.
const REQUIRING: [&str; 4] = ["must", "shall", "required", "cannot"];

/// What becomes of a value that may be the same for several.
const MADE: [&str; 4] = ["computed", "calculated", "returned", "produced"];

/// What is correct is what a sentence says.
const WORKS: [&str; 8] =
    ["work", "works", "behave", "behaves", "function", "functions", "operate", "operates"];

/// Words behind a noun of two words that belong to no longer one.
const JOINING: [&str; 20] = [
    "and", "or", "is", "are", "of", "in", "with", "must", "may", "as", "to", "for", "if", "when",
    "by", "then", "that", "which", "but", "on",
];

/// It says by what number things are ordered, or that their order is open.
fn speaks_of_an_order(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    let to_do = |at: usize| words[at..].get(1).is_some_and(|next| next == "to" || next == "for");
    let names = |(at, word): (usize, &String)| match word.as_str() {
        "order" => !to_do(at),
        word => ORDERED.contains(&word),
    };
    words.iter().enumerate().any(names)
}

/// Words that say in which order.
const ORDERED: [&str; 7] =
    ["ordered", "ordering", "orders", "lowest", "highest", "smallest", "largest"];

/// A quotation that begins in another one with the same marks, where both end.
fn nested_quotes(section: &Section) -> Option<Slip> {
    let mut open: Vec<Option<Slip>> = Vec::new();
    let mut inner = None;
    for (sentence, text) in (1..).zip(&section.sentences) {
        let words: Vec<&str> = text.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            if word.trim_start_matches('(').starts_with('"') {
                let words = words[at..words.len().min(at + 3)].join(" ");
                let slip = Slip { sentence, fault: EditorialFault::NestedQuotes, words };
                open.push(Some(slip).filter(|_| !open.is_empty()));
            }
            let marks = word.len() - word.trim_end_matches(['"', '.', ',', ')', ';', ':']).len();
            for _ in word[word.len() - marks..].matches('"') {
                let ended = open.pop()?;
                inner = inner.or(ended.filter(|_| !open.is_empty()));
            }
        }
    }
    inner.filter(|_| open.is_empty())
}

/// A status that leaves nothing open, and a newest revision that is called a draft.
fn complete_and_a_draft(sections: &[Section]) -> Option<(usize, Slip)> {
    let of = |title: &str| sections.iter().position(|section| section.title == title);
    let (status, history) = (of("Status")?, of("Revision History")?);
    let has = |text: &str, any: &[&str]| {
        text.split_whitespace().map(plain).any(|word| any.contains(&word.as_str()))
    };
    let done = |text: &String| has(text, &["complete", "completed", "approved", "ratified"]);
    let open = |text: &String| has(text, &["draft", "not", "pending", "incomplete"]);
    let first = sections[status].sentences.iter().find(|text| done(text))?;
    let is_open = sections[status].sentences.iter().any(open);
    let last = sections[history].sentences.last().filter(|text| has(text, &["draft"]))?;
    (!is_open).then(|| {
        let words = format!("{first} / {last}");
        (status, Slip { sentence: 1, fault: EditorialFault::DoneAndDraft, words })
    })
}

/// It says what becomes of the values of several invocations.
fn combines(text: &str, what: &str) -> bool {
    let text = text.to_lowercase();
    text.contains(what) && ["across the", "over the", "of all"].iter().any(|it| text.contains(it))
}

/// An exclusive scan, where no sentence of the document speaks of an identity or of the first one.
fn no_identity(sections: &[Section]) -> Option<(usize, Slip)> {
    let words = "exclusive scan";
    let mut all = sections.iter().flat_map(|section| &section.sentences);
    if all.any(|text| ["identity", "neutral"].iter().any(|it| text.to_lowercase().contains(it))) {
        return None;
    }
    let (at, sentence) = first(sections, |text| combines(text, words))?;
    Some((at, Slip { sentence, fault: EditorialFault::NoIdentity, words: words.to_owned() }))
}

/// A reduction or scan across invocations, where no sentence of the document speaks of an order.
fn no_order(sections: &[Section], what: &str) -> Option<(usize, Slip)> {
    let words = format!("{what} operation");
    let mut all = sections.iter().flat_map(|section| &section.sentences);
    let orders = |text: &String| {
        speaks_of_an_order(text) || combines(text, &words) && text.contains("InvocationId")
    };
    if all.any(orders) {
        return None;
    }
    let (at, sentence) = first(sections, |text| combines(text, &words))?;
    Some((at, Slip { sentence, fault: EditorialFault::NoOrder, words }))
}

/// The first sentence of which something is true: its section and number.
fn first(sections: &[Section], so: impl Fn(&String) -> bool) -> Option<(usize, u32)> {
    sections.iter().enumerate().find_map(|(at, section)| {
        let sentence = (1..).zip(&section.sentences).find(|(_, text)| so(text))?.0;
        Some((at, sentence))
    })
}

/// Numbers that are written as words, or as numerals. Larger ones are numerals in any style.
const NUMBERS: [(&str, &str); 8] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
];

/// What a sentence counts: the number and the thing, by words or by numerals, of which a list may stand
/// before the thing.
fn counted(text: &str, by_word: bool) -> Vec<(String, String)> {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    let number = |word: &str| {
        let of = |(name, numeral): &&(&str, &str)| *(if by_word { name } else { numeral }) == word;
        NUMBERS.iter().find(of).map(|(_, numeral)| (*numeral).to_owned())
    };
    let is_thing = |word: &String| word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase());
    let listed =
        |word: &String| word.parse::<u32>().is_ok() || ["and", "or"].contains(&word.as_str());
    let mut found = Vec::new();
    for (at, thing) in words.iter().enumerate().skip(1).filter(|(_, word)| is_thing(word)) {
        let before: Vec<&String> = match by_word {
            true => vec![&words[at - 1]],
            false if words[at - 1].parse::<u32>().is_ok() => {
                words[..at].iter().rev().take_while(|word| listed(word)).collect()
            }
            false => Vec::new(),
        };
        found.extend(before.into_iter().filter_map(|it| Some((number(it)?, thing.clone()))));
    }
    found
}

/// What a document counts by a word in one sentence, and as often by a numeral in another: the first
/// sentence of each.
fn numbers_and_words(sections: &[Section]) -> Vec<(usize, Slip)> {
    let all: Vec<(usize, u32, &String)> = sections
        .iter()
        .enumerate()
        .flat_map(|(at, it)| (1..).zip(&it.sentences).map(move |(number, text)| (at, number, text)))
        .collect();
    let name = |numeral: &str| NUMBERS.iter().find(|it| it.1 == numeral).map_or("", |it| it.0);
    let mut things: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for (at, number, text) in &all {
        for pair in counted(text, true) {
            let same = |(.., text): &&(usize, u32, &String)| counted(text, false).contains(&pair);
            let Some((other, sentence, _)) =
                all.iter().find(same).filter(|_| !things.contains(&pair.1))
            else {
                continue;
            };
            let (numeral, thing) = pair;
            let words = format!("{} {thing} / {numeral} {thing}", name(&numeral));
            let fault = EditorialFault::WordAndNumeral;
            things.push(thing);
            found.push((*at, Slip { sentence: *number, fault, words: words.clone() }));
            if (*other, *sentence) != (*at, *number) {
                found.push((*other, Slip { sentence: *sentence, fault, words }));
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
            true => before(*at).eq_ignore_ascii_case("the"),
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

/// What SPIR-V calls the instructions of a class, as titles do.
const fn title(class: InstructionClass) -> Option<&'static str> {
    match class {
        InstructionClass::Group => Some("Group Instructions"),
        InstructionClass::NonUniform => Some("Non-Uniform Instructions"),
        InstructionClass::Atomic => Some("Atomic Instructions"),
        InstructionClass::Barrier => Some("Barrier Instructions"),
        _ => None,
    }
}

const CLASSES: [InstructionClass; 4] = [
    InstructionClass::Group,
    InstructionClass::NonUniform,
    InstructionClass::Atomic,
    InstructionClass::Barrier,
];

/// The class whose section a title or a sentence names, as that to which something is added.
fn section_named(text: &str) -> Option<&'static str> {
    let named = |name: &&str| {
        text == *name || text.split(", ").any(|part| part == *name) && text.contains("Section ")
    };
    CLASSES.into_iter().filter_map(title).find(named)
}

/// Instructions that are added to a section for those of another class.
fn of_another_class(sections: &[Section]) -> Vec<(usize, Slip)> {
    let mut within: Option<&str> = None;
    let mut found = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        let titles: Vec<&str> = section.title.split(" / ").collect();
        let above = titles.iter().rev().find_map(|it| section_named(it));
        within = above.or_else(|| within.filter(|_| instruction(section).is_some()));
        let own = instruction(section)
            .and_then(|name| Some((name, title(InstructionClass::of_name(name)?)?)));
        if let Some((name, class)) = own
            && let Some(other) = within.filter(|it| *it != class)
        {
            let words = format!("{name} in {other} / {class}");
            found.push((at, Slip { sentence: 1, fault: EditorialFault::OtherClass, words }));
        }
        found.extend(looked_for_elsewhere(section).map(|slip| (at, slip)));
        let last = section.sentences.iter().rev().find_map(|text| section_named(text));
        within = last.or(within);
    }
    found
}

/// `(Modify Section 1, Group Instructions, modify each GroupNonUniformVote instruction)`, where none that
/// the capability enables is of the section's class.
fn looked_for_elsewhere(section: &Section) -> Option<Slip> {
    let words: Vec<&str> = section.heading.split_whitespace().collect();
    let (capability, words) = by_capability(&words)?;
    let within = section_named(section.title.split(" (").next()?)?;
    let enabled = enabled_by(capability);
    let classes: Vec<&str> = enabled
        .iter()
        .filter_map(|name| InstructionClass::of_name(name))
        .filter_map(title)
        .collect();
    let first = classes.first().filter(|_| !classes.contains(&within))?;
    let words = format!("{words} in {within} / {first}");
    let is_there = !section.sentences.is_empty();
    is_there.then_some(Slip { sentence: 1, fault: EditorialFault::OtherClass, words })
}
