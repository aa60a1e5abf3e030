//! Sound texts, each near a real finding, in which nothing is found; and the same with one sentence
//! dropped, blurred or contradicted, in which something is.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use laneproof_ambiguity::{SearchOptions, search};
use laneproof_semantics::as_written::AsWritten;
use rayon::prelude::*;

/// Every text of the folder, by name.
fn controls() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/texts/controls");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<(String, String)> = files
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// What comes of a text alone.
#[derive(Debug, Default, PartialEq, Eq)]
struct Judged {
    /// What is found in it.
    found: Vec<String>,
    /// How many points can be read in several ways and make no difference, as is proved.
    harmless: usize,
}

/// `None` where the text is not well-formed.
fn judged(text: &str) -> Option<Judged> {
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text.to_owned())]).ok()?;
    let report = search(&texts, &SearchOptions::default(), || {});
    let found = report.findings.into_iter().map(|finding| finding.id).collect();
    Some(Judged { found, harmless: report.harmless.len() })
}

/// What comes of each of the texts.
static SOUND: LazyLock<BTreeMap<String, Option<Judged>>> = LazyLock::new(|| {
    controls().into_par_iter().map(|(name, text)| (name, judged(&text))).collect()
});

#[test]
fn nothing_is_found_in_sound_texts() {
    assert_eq!(SOUND.len(), 41);
    let nothing = |it: &Option<Judged>| it.as_ref().is_some_and(|it| it.found.is_empty());
    let wrong: Vec<_> = SOUND.iter().filter(|(_, it)| !nothing(it)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A way to spoil a sentence: what stands there, and what stands there afterwards.
struct Spoiled {
    how: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn spoiled(how: &'static str, from: &'static str, to: &'static str) -> Spoiled {
    Spoiled { how, from, to }
}

/// Words that say less, or something else, than those in their places.
const WAYS: [Spoiled; 39] = [
    spoiled("the table counts other words", " words 5", " words 9"),
    spoiled(
        "the table has another operand",
        "ResultType, Result, Data",
        "ResultType, Result, Other",
    ),
    spoiled("the table needs another capability", "capability Control", "capability Controll"),
    spoiled("a number that is taken", "EXT = 16", "EXT = 61 Capability TakenEXT = 16"),
    spoiled("a rule names no operand", "requires Lane of", "requires Line of"),
    spoiled("a rule names no operand", "accepts Lane of", "accepts Line of"),
    spoiled("a range that may end one further", "< SubgroupSize", "<= SubgroupMaxSize"),
    spoiled("lanes may differ", "undefined behavior unless uniform(Lane)", "varies Lane"),
    spoiled("lanes are not said to exist", "in active:", "in subgroup:"),
    spoiled(
        "other results for the same state",
        " when Operation is InclusiveScan",
        " when Operation is InclusiveScan or Operation is Reduce",
    ),
    spoiled("a consequence becomes a word", "undefined value when", "\"strange\" when"),
    spoiled("a consequence becomes a word", "undefined value unless", "\"strange\" unless"),
    spoiled("a consequence becomes a word", "undefined behavior when", "\"strange\" when"),
    spoiled("a consequence becomes a word", "undefined behavior unless", "\"strange\" unless"),
    spoiled("a consequence becomes a must", "undefined behavior unless", "must"),
    spoiled(
        "the consequence is for fewer states",
        "undefined value unless",
        "undefined value when id = 0 and not",
    ),
    spoiled(
        "the consequence is for fewer states",
        "undefined value when",
        "undefined value when id = 0 and",
    ),
    spoiled(
        "the consequence is for fewer states",
        "undefined behavior when",
        "undefined behavior when id = 0 and",
    ),
    spoiled("the sign is left out", "unsigned(Lane)", "Lane"),
    spoiled("the sign is left out", "signed(Lane)", "Lane"),
    spoiled("lanes are not said to exist", "in existing:", "in subgroup:"),
    spoiled("equality is left open", "same_bits(", "equal("),
    spoiled("whether it is active is not asked", " and active(lane)", ""),
    spoiled(
        "a permission becomes a prohibition",
        "accepts Data of",
        "forbids Data of OpControlMove : scalar of u32\n    accepts Data of",
    ),
    spoiled(
        "what is given is always undefined",
        "    undefined value unless",
        "    undefined value when id < SubgroupMaxSize\n    undefined value unless",
    ),
    spoiled(
        "what is given is always undefined",
        "    undefined behavior unless",
        "    undefined behavior when id < SubgroupMaxSize\n    undefined behavior unless",
    ),
    spoiled(
        "what is not listed is forbidden",
        "requires Execution of OpControlMove : Workgroup, Subgroup",
        "forbids Execution of OpControlMove : Device\n  [96] \"It is one of these\"\n    \
         requires Execution of OpControlMove : Workgroup, Subgroup",
    ),
    spoiled(
        "no description",
        "Opcode OpControlMove",
        "Opcode OpControlLost capability ControlMoveEXT Opcode OpControlMove",
    ),
    spoiled(
        "a capability of nothing",
        "Capability Control",
        "Capability LostEXT Capability Control",
    ),
    spoiled(
        "a rule for some",
        "requires Lane of OpControlMove, OpControlTake",
        "requires Lane of OpControlMove",
    ),
    spoiled("a weaker verb", "    requires Lane of", "    accepts Lane of"),
    spoiled("a weaker verb", "    requires Data of", "    accepts Data of"),
    spoiled(
        "what must be must not be",
        "requires Execution of OpControlMove : Workgroup, Subgroup, Invocation",
        "requires Execution of OpControlMove : Workgroup, Subgroup, Invocation\n    \
         forbids Execution of OpControlMove : Invocation",
    ),
    spoiled(
        "another result",
        "  [1] \"",
        "  [90] \"Another result\" result is Value ^ Value when id = 0\n  [1] \"",
    ),
    spoiled("another result", "  [1] \"", "  [91] \"Another result\" result is ~Value\n  [1] \""),
    spoiled(
        "a term without a meaning",
        "  [1] \"",
        "  [92] \"As a thing does\" uses \"thing\"\n  [1] \"",
    ),
    spoiled(
        "a word without a consequence",
        "  [1] \"",
        "  [93] \"In lane 0 it is strange\" \"strange\" when id = 0\n  [1] \"",
    ),
    spoiled(
        "a condition of no state",
        "  [1] \"",
        "  [94] \"Undefined past the last lane\" undefined value when id >= SubgroupMaxSize\n  [1] \"",
    ),
    spoiled(
        "a wrong example",
        "  [1] \"",
        "  [95] \"Lanes have odd numbers\" example id & 1 = 1\n  [1] \"",
    ),
];

/// Statements that are dropped, whole lines.
const DROPPED: [&str; 8] = [
    "undefined value",
    "undefined behavior",
    "varies",
    "ignored",
    "result is",
    "store",
    "requires",
    "defines",
];

/// A text with one sentence spoiled: the text and how, as the list names it, and what it is then.
struct SpoiledText {
    name: String,
    title: String,
    text: String,
}

/// Each text with one sentence spoiled.
fn all_spoiled() -> Vec<SpoiledText> {
    let mut numbers: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let numbered = |(name, how, text): (String, &'static str, String)| {
        let number = numbers.entry((name.clone(), how)).or_default();
        *number += 1;
        SpoiledText { title: format!("{name}: {how}, {number}"), name, text }
    };
    spoiled_texts().into_iter().map(numbered).collect()
}

/// The texts, how they are spoiled, and what they are then.
fn spoiled_texts() -> Vec<(String, &'static str, String)> {
    let mut all = Vec::new();
    for (name, text) in controls() {
        for Spoiled { how, from, to } in WAYS {
            for (at, _) in text.match_indices(from) {
                let spoiled = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
                all.push((name.clone(), how, spoiled));
            }
        }
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if line.trim_start().starts_with("--") {
                continue;
            }
            let Some(word) = DROPPED.iter().find(|word| line.contains(**word)) else { continue };
            let begins = line.find(word).unwrap();
            let mut rest = lines.clone();
            rest[at] = &line[..begins];
            all.push((name.clone(), "a sentence is dropped", rest.join("\n")));
        }
    }
    all
}

/// What became of each spoiled text, a line each.
const SPOILED: &str = include_str!("../spoiled.txt");

/// One spoiled text in this many is searched, all of them where `LANEPROOF_WHOLE` is set.
const STRIDE: usize = 8;

/// The list beside this file says of each spoiled text whether anything is found in it: 200 at least,
/// of which nine tenths are found.
#[test]
fn what_is_spoiled_is_found() {
    let whole = std::env::var_os("LANEPROOF_WHOLE").is_some();
    let all = all_spoiled();
    let asked: Vec<&SpoiledText> = all.iter().step_by(if whole { 1 } else { STRIDE }).collect();
    // Before the pool's threads ask for it: what computes it needs them, and they would wait for it.
    LazyLock::force(&SOUND);
    let outcomes: Vec<Option<&str>> = asked.par_iter().map(|it| outcome(it)).collect();
    // What is no text any more, as no name is left of what others use, counts for nothing.
    let found = asked.iter().zip(outcomes).filter_map(|(it, outcome)| Some((&it.title, outcome?)));
    let lines: Vec<String> = found.map(|(title, outcome)| format!("{outcome}: {title}")).collect();
    let is_asked = |line: &&str| {
        let title = line.split_once(": ").map(|(_, title)| title);
        whole || asked.iter().any(|it| Some(it.title.as_str()) == title)
    };
    let listed: Vec<&str> = SPOILED.lines().filter(is_asked).collect();
    let changed: Vec<&String> =
        lines.iter().filter(|line| !listed.contains(&line.as_str())).collect();
    println!("{}", lines.join("\n"));
    assert!(lines == listed, "not as in spoiled.txt, which is to be what is printed: {changed:#?}");
    let missed = SPOILED.lines().filter(|line| line.starts_with("missed")).count();
    assert_eq!([SPOILED.lines().count(), missed], [COUNT, MISSED]);
    const { assert!(COUNT >= 200 && MISSED * 10 <= COUNT) };
}

/// What becomes of a spoiled text; `None` where it is none any more.
fn outcome(spoiled: &SpoiledText) -> Option<&'static str> {
    let Judged { found, harmless } = judged(&spoiled.text)?;
    let sound = SOUND[&spoiled.name].as_ref().map_or(0, |it| it.harmless);
    // A point that was opened and makes no difference, as is proved, spoils nothing.
    Some(match found.is_empty() {
        false => "found",
        true if harmless > sound => "harmless",
        true => "missed",
    })
}

/// How many texts are spoiled.
const COUNT: usize = 565;
/// In how many of these nothing is found, and nothing shown to be harmless. One is no worse than it was:
/// that all lanes of the subgroup are active can only be said of those that exist.
const MISSED: usize = 19;
