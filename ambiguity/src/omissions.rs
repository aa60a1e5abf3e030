//! What a sentence leaves out that others beside it have: which invocations, a condition, a component,
//! a version, a direction; and what is said of one thing as if it were another.

use laneproof_tokens::{self as tokens, GrammarEntry};

use crate::row::instruction;
use crate::sentences::{Section, bare, is_residue, numbered, plain};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn omissions(sections: &[Section]) -> Vec<Vec<Slip>> {
    let mut found: Vec<Vec<Slip>> = sections.iter().map(of_section).collect();
    let of_document = active_or_all(sections)
        .into_iter()
        .chain(kinds_of_names(sections))
        .chain(one_direction(sections))
        .chain(none_but_must(sections))
        .chain(no_memory_order(sections));
    for (at, slip) in of_document {
        found[at].push(slip);
    }
    found
}

fn of_section(section: &Section) -> Vec<Slip> {
    let mut found = Vec::new();
    for (sentence, text) in (1..).zip(&section.sentences).filter(|(_, text)| !is_residue(text)) {
        let words: Vec<String> = text.split_whitespace().map(plain).collect();
        let mut slip = |fault, words: Option<String>| {
            found.extend(words.map(|words| Slip { sentence, fault, words }));
        };
        slip(EditorialFault::Unversioned, unversioned(text));
        slip(EditorialFault::ComponentOfAScalar, component_of_a_scalar(text));
        slip(EditorialFault::OptionalWhere, optional_where(text));
        slip(EditorialFault::TwoRules, two_rules(&words));
        slip(EditorialFault::ResultAsOperand, result_as_operand(section, text));
        slip(EditorialFault::AddedByOne, added_by_one(section, sentence, text));
    }
    found.extend(without_condition(section));
    found.extend(first_of_components(section));
    found.extend(must_then_may(section));
    found.extend(title_of_other(section));
    found.extend(equal_vectors(section));
    found.extend(constant_undefined(section));
    found
}

/// The text has one of these.
fn has(text: &str, any: &[&str]) -> bool {
    let text = text.to_lowercase();
    any.iter().any(|it| text.contains(it))
}

/// The first of these that a text has.
fn first_of(text: &str, any: &[&'static str]) -> Option<&'static str> {
    let text = text.to_lowercase();
    any.iter().copied().find(|it| text.contains(it))
}

/// The first sentence of which something is true, with its number.
fn sentence_where(section: &Section, so: impl Fn(&str) -> bool) -> Option<(u32, &str)> {
    let mut sentences = (1..).zip(section.sentences.iter().map(String::as_str));
    sentences.find(|(_, text)| so(text))
}

/// Invocations of which something is said, one by one.
const EACH: [&str; 6] = [
    "each invocation in the",
    "every invocation in the",
    "each invocation of the",
    "every invocation of the",
    "any two invocations",
    "other invocations in the",
];

/// Words that say which invocations are meant.
const WHICH: [&str; 7] =
    ["active", "exist", "execut", "encounter", "participat", "helper", "identified"];

/// What is done for each invocation of a group, active or not: once for each wording.
fn active_or_all(sections: &[Section]) -> Vec<(usize, Slip)> {
    let mut found: Vec<(usize, Slip)> = Vec::new();
    // What an overview says at large, a section on an instruction says in full.
    let of_active =
        |it: &Section| it.sentences.iter().any(|text| has(text, &["active invocation"]));
    let elsewhere = sections.iter().any(|it| it.title != "Overview" && of_active(it));
    for ((at, sentence), text) in numbered(sections) {
        let Some(words) = first_of(text, &EACH).filter(|_| !has(text, &WHICH)) else { continue };
        // `It need not be the same for each invocation` asks nothing of any.
        // Two in different subsets are two of those that subsets have.
        let of_parts =
            has(text, &["any two invocations in different", "any two invocations in the same"]);
        let overview = sections[at].title == "Overview" && elsewhere;
        let uniform =
            of_parts || overview || text.split_whitespace().any(|it| plain(it) == "uniform");
        if uniform || has(text, &["same value for", "same for"]) {
            continue;
        }
        let words = words.strip_suffix(" the").map_or(words.to_owned(), |it| {
            let noun = after(text, words).unwrap_or_default();
            format!("{it} the {noun}").trim_end().to_owned()
        });
        let fault = EditorialFault::ActiveOrAll;
        found.push((at, Slip { sentence, fault, words }));
    }
    found
}

/// The word behind some words.
fn after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let at = text.to_lowercase().find(words)? + words.len();
    text.get(at..)?.split_whitespace().next().map(bare)
}

/// What an environment must accept, without a condition, in a section where another sentence has one.
fn without_condition(section: &Section) -> Vec<Slip> {
    let accepts = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.windows(2).position(|it| it == ["must", "accept"])?;
        let list = words[at..].iter().take(7).any(|it| *it == "following");
        (list && text.ends_with(':')).then_some(at)
    };
    let conditional =
        |text: &str| has(text, &["if ", "when ", "where ", "unless ", "for an ", "for a "]);
    let lists: Vec<(u32, &str, usize)> = (1..)
        .zip(&section.sentences)
        .filter_map(|(number, text)| Some((number, text.as_str(), accepts(text)?)))
        .collect();
    if !lists.iter().any(|(_, text, _)| conditional(text)) {
        return Vec::new();
    }
    let open = lists.into_iter().filter(|(_, text, _)| !conditional(text));
    let slip = |(sentence, text, at): (u32, &str, usize)| {
        let words: Vec<&str> = text.split_whitespace().skip(at).map(bare).collect();
        let end = words.iter().position(|it| *it == "following").map_or(0, |it| it + 2);
        let words = words[..words.len().min(end)].join(" ");
        Slip { sentence, fault: EditorialFault::WithoutCondition, words }
    };
    open.map(slip).collect()
}

/// A first and a second value, of components, without a word for which component is which.
fn first_of_components(section: &Section) -> Option<Slip> {
    let all = |any: &[&str]| section.sentences.iter().any(|text| has(text, any));
    let told = ["component 0", "first component", "lowest component", "component number"];
    let components = instruction(section).is_some() && all(&["component"]);
    if !components || all(&told) || !all(&["second value"]) {
        return None;
    }
    let (sentence, _) = sentence_where(section, |text| has(text, &["first value"]))?;
    let words = "first value".to_owned();
    Some(Slip { sentence, fault: EditorialFault::FirstOfComponents, words })
}

/// `defined in the X Specification`, or a standard by its number, without a version.
fn unversioned(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let standard = words.iter().find_map(|word| {
        let name = bare(word);
        let number = name.strip_prefix("IEEE-").or_else(|| name.strip_prefix("ISO-"))?;
        number.chars().all(|c| c.is_ascii_digit()).then(|| name.to_owned())
    });
    let by = words.windows(3).position(|it| {
        ["defined", "specified", "described", "given"].contains(&it[0]) && it[1..] == ["in", "the"]
    });
    let named = by.and_then(|at| {
        let name: Vec<&str> = words[at + 3..]
            .iter()
            .take(6)
            .take_while(|it| it.starts_with(|c: char| c.is_ascii_uppercase()))
            .copied()
            .collect();
        let last = name.last()?;
        let next = words.get(at + 3 + name.len()).copied().unwrap_or_default();
        let version = |word: &str| {
            ["version", "revision"].contains(&&*plain(word))
                || word.contains(|c: char| c.is_ascii_digit())
        };
        // A name of one word is the language's own, whose version the module says.
        (bare(last) == "Specification" && name.len() > 2 && !version(next) && !last.ends_with(','))
            .then(|| format!("the {}", bare(&name.join(" "))))
    });
    named.or(standard)
}

/// `a scalar or vector, and its component type`.
fn component_of_a_scalar(text: &str) -> Option<String> {
    let may = ["scalar or vector", "vector or scalar", "scalar or a vector"];
    let words = first_of(text, &may)?;
    let part =
        first_of(text, &["its component type", "its component's type", "their component type"])?;
    Some(format!("{words} \u{2026} {part}"))
}

/// `optionally supported for devices supporting it`.
fn optional_where(text: &str) -> Option<String> {
    let optional = first_of(text, &["optionally supported", "optionally available"])?;
    let at = text.to_lowercase().find(optional)?;
    let rest = text.get(at..)?;
    let support = first_of(
        rest,
        &["devices supporting", "if supported", "where supported", "devices that support"],
    )?;
    Some(format!("{optional} \u{2026} {support}"))
}

/// `X is treated as unsigned and the resulting value is undefined if …`.
fn two_rules(words: &[String]) -> Option<String> {
    let rule = |it: &[String]| {
        matches!(
            [&*it[0], &*it[1], &*it[2]],
            ["is", "treated", "as"] | ["must", "be", _] | ["is", "interpreted", "as"]
        )
    };
    let first = words.windows(3).position(rule)?;
    let joined = words.iter().skip(first).position(|it| it == "and")? + first;
    let then: Vec<&str> = words[joined + 1..].iter().map(String::as_str).collect();
    let undefined = then.iter().take(5).position(|it| *it == "undefined")?;
    let other = matches!(then.as_slice(), ["the", "resulting" | "result", ..] | ["behavior", ..]);
    let condition = then[undefined..].iter().any(|it| ["if", "when", "unless"].contains(it));
    (other && condition).then(|| format!("and {}", then[..=undefined].join(" ")))
}

/// `components of Result data`: a name that no operand has.
fn result_as_operand(section: &Section, text: &str) -> Option<String> {
    instruction(section)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.windows(2).position(|it| {
        it[0] == "Result" && ["data", "values", "value", "operand", "buffer"].contains(&bare(it[1]))
    })?;
    Some(format!("Result {}", bare(words[at + 1])))
}

/// An instruction that sentences say several extensions add, of which the grammar has one.
fn added_by_one(section: &Section, sentence: u32, text: &str) -> Option<String> {
    let by = first_of(text, &["added by these extensions", "added by both extensions"])?;
    let before = section.sentences.get(..sentence as usize)?;
    let named: Vec<&str> = before
        .iter()
        .flat_map(|it| it.split_whitespace().map(bare))
        .filter(|it| tokens::is_extension(it))
        .collect();
    let entry = text.split_whitespace().map(bare).find_map(GrammarEntry::of)?;
    let own = entry.brought_by();
    let others = named.iter().any(|it| !own.contains(it));
    (named.iter().any(|it| own.contains(it)) && others).then(|| format!("{} {by}", entry.name()))
}

/// What an extension is called one of: the words around its name, by the sentence.
fn kinds_of_names(sections: &[Section]) -> Vec<(usize, Slip)> {
    let called = |text: &str| -> Option<(String, Vec<String>)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|it| bare(it).contains('_') && is_name(bare(it)))?;
        let capital = |it: &&&str| it.starts_with(|c: char| c.is_ascii_uppercase());
        let described = |it: &&&str| capital(it) && **it != "The";
        let before: Vec<&str> = words[..at].iter().rev().take_while(described).copied().collect();
        let rest: Vec<&str> = words[at + 1..].iter().take_while(capital).copied().collect();
        let article =
            words.get(at.checked_sub(before.len() + 1)?).is_some_and(|it| plain(it) == "the");
        let is_kind = words.get(at + 1 + rest.len()).is_some_and(|it| bare(it) == "extension");
        let kinds: Vec<String> =
            before.iter().rev().chain(&rest).map(|it| bare(it).to_owned()).collect();
        (article && is_kind && !kinds.is_empty()).then(|| (bare(words[at]).to_owned(), kinds))
    };
    let mut known: Vec<(String, Vec<String>)> = Vec::new();
    let mut found = Vec::new();
    for ((at, sentence), text) in numbered(sections) {
        let Some((name, kinds)) = called(text) else { continue };
        let other = known.iter().find(|(it, of)| *it == name && *of != kinds);
        if let Some((_, of)) = other {
            let words = format!("{} / {}", of.join(" "), kinds.join(" "));
            let fault = EditorialFault::KindOfAName;
            found.push((at, Slip { sentence, fault, words }));
            break;
        }
        known.push((name, kinds));
    }
    found
}

fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// `must accept the following semantics:`, and sentences below that say what may be.
fn must_then_may(section: &Section) -> Option<Slip> {
    let announces = |text: &str| {
        let must = ["must accept", "must support", "must be accepted", "must be supported"];
        text.ends_with(':') && has(text, &must) && has(text, &["following"])
    };
    let (number, announced) = sentence_where(section, |text| {
        announces(text) && has(text, &["semantics", "rules", "behavior", "requirements"])
    })?;
    let below = section.sentences.get(number as usize..)?;
    let own = below.iter().take_while(|text| !announces(text));
    let may = own.into_iter().any(|text| text.contains(" may be ") && !has(text, &["must"]));
    let words: Vec<&str> = announced.split_whitespace().map(bare).collect();
    let at = words.iter().position(|it| *it == "must")?;
    let words = format!("{} \u{2026} may be", words[at..words.len().min(at + 2)].join(" "));
    may.then_some(Slip { sentence: number, fault: EditorialFault::MustThenMay, words })
}

/// Kinds of things that a title may announce.
const KINDS: [&str; 4] = ["types", "instructions", "capabilities", "operands"];

/// A title that ends in one kind of things, of a section that begins with a list of another.
fn title_of_other(section: &Section) -> Option<Slip> {
    let title = section.title.rsplit(" / ").next()?;
    let of_title = title.split(' ').next_back().map(plain)?;
    let first = section.sentences.first().filter(|it| it.starts_with("The following "))?;
    let kind = first.split_whitespace().map(plain).find(|it| KINDS.contains(&&**it))?;
    let differs = KINDS.contains(&&*of_title) && of_title != kind && title.contains(' ');
    let words = format!("{title} / {kind}");
    differs.then_some(Slip { sentence: 1, fault: EditorialFault::TitleOfOther, words })
}

/// Bounds of an image's width, and none of its height, in a document that names rows by a coordinate.
fn one_direction(sections: &[Section]) -> Vec<(usize, Slip)> {
    let all = || numbered(sections);
    let rows =
        all().any(|(_, text)| has(text, &["y-component", "y coordinate", "rows of the image"]));
    let height = all().any(|(_, text)| has(text, &["height", "number of rows"]));
    if !rows || height {
        return Vec::new();
    }
    let bound = all().find(|(_, text)| {
        has(text, &["bound"]) && has(text, &["image width", "width of the image"])
    });
    let slip = |((at, sentence), text): ((usize, u32), &str)| {
        let words = first_of(text, &["image width", "width of the image"])?.to_owned();
        Some((at, Slip { sentence, fault: EditorialFault::OneDirection, words }))
    };
    bound.and_then(slip).into_iter().collect()
}

/// No validation rules, in a document whose instructions have requirements.
fn none_but_must(sections: &[Section]) -> Option<(usize, Slip)> {
    let at = sections.iter().position(|it| it.title == "Validation Rules")?;
    let none = sections[at].sentences.iter().all(|it| ["None", "None."].contains(&&**it));
    let must = |it: &Section| {
        instruction(it).is_some() && it.sentences.iter().any(|text| text.contains(" must be "))
    };
    let found = none && !sections[at].sentences.is_empty() && sections.iter().any(must);
    let words = "None".to_owned();
    found.then_some((at, Slip { sentence: 1, fault: EditorialFault::NoneButMust, words }))
}

/// An operand that may be a vector, and is compared, where no sentence speaks of components then.
fn equal_vectors(section: &Section) -> Option<Slip> {
    instruction(section)?;
    let compares = |text: &str| {
        has(text, &["have the same value", "not be equal", "are equal", "a nan", "point nan"])
    };
    let may = |text: &str| has(text, &["scalar or vector"]) && !text.starts_with("Result");
    let vector = section.sentences.iter().any(|it| may(it));
    let told = section.sentences.iter().any(|it| {
        has(
            it,
            &[
                "each component",
                "all components",
                "any component",
                "component-wise",
                "componentwise",
            ],
        )
    });
    if !vector || told {
        return None;
    }
    let (sentence, text) = sentence_where(section, compares)?;
    let words = first_of(
        text,
        &["have the same value", "not be equal", "are equal", "a nan", "point nan"],
    )?;
    Some(Slip { sentence, fault: EditorialFault::EqualVectors, words: words.to_owned() })
}

/// An operand that must be a constant, and of which some values make behavior undefined.
fn constant_undefined(section: &Section) -> Option<Slip> {
    instruction(section)?;
    let operand = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let constant = has(
            text,
            &[
                "must come from a constant",
                "must be a constant",
                "must be the result of a constant",
            ],
        );
        words.first().filter(|_| constant).map(|it| bare(it).to_owned())
    };
    let mut names = section.sentences.iter().filter_map(|it| operand(it));
    names.find_map(|name| {
        let (sentence, _) = sentence_where(section, |text| {
            let names = text.split_whitespace().any(|it| bare(it) == name);
            names
                && has(
                    text,
                    &[
                        "behavior is undefined unless",
                        "behavior is undefined if",
                        "undefined behavior",
                    ],
                )
        })?;
        Some(Slip { sentence, fault: EditorialFault::ConstantUndefined, words: name })
    })
}

/// An instruction that writes to memory, in a document without a word for the order of accesses.
fn no_memory_order(sections: &[Section]) -> Vec<(usize, Slip)> {
    const ORDER: [&str; 7] = [
        "atomic",
        "memory model",
        "memory semantics",
        "visible",
        "happens-before",
        "non-private",
        "order of accesses",
    ];
    if numbered(sections).any(|(_, text)| has(text, &ORDER)) {
        return Vec::new();
    }
    let writes = |(at, section): (usize, &Section)| {
        instruction(section)?;
        let text = section.sentences.first()?;
        let verb = text.split_whitespace().next().filter(|it| ["Writes", "Stores"].contains(it))?;
        let memory = has(text, &["pointer", "ptr", "image", "buffer", "memory"]);
        let fault = EditorialFault::NoMemoryOrder;
        memory.then(|| (at, Slip { sentence: 1, fault, words: verb.to_owned() }))
    };
    sections.iter().enumerate().filter_map(writes).collect()
}
