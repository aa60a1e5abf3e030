//! README and guide keep their word: their files, their commands and what these print, their Rust.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

// guide: begin
use laneproof_verifier::{Profile, Verifier, assert_refines};

const BEFORE: &str = "#version 460
#extension GL_KHR_shader_subgroup_vote : require
uint every(bool asked) { return subgroupAll(asked) ? 1u : 0u; }";

const AFTER: &str = "#version 460
#extension GL_KHR_shader_subgroup_vote : require
uint every(bool asked) { return subgroupAny(!asked) ? 0u : 1u; }";

#[test]
fn all_is_lowered_to_any() {
    // SPIR-V goes in as words, `&[u32]`, or as assembly.
    let verifier = Verifier::new().sizes([32, 64]).profile(Profile::Vulkan).function("every");
    assert_refines!(verifier, BEFORE, AFTER);
}
// guide: end

/// What readers copy from: its text, and where its commands are meant to be called.
struct Page {
    text: &'static str,
    folder: &'static str,
}

const GUIDE: Page = Page { text: include_str!("../../docs/guide.md"), folder: "examples" };
const READINGS: Page = Page { text: include_str!("../../docs/readings.md"), folder: "examples" };
const README: Page = Page { text: include_str!("../../README.md"), folder: "" };
const REFERENCE: Page = Page { text: include_str!("../../docs/reference.md"), folder: "" };

impl Page {
    /// Fenced blocks: language and text.
    fn blocks(&self) -> Vec<(&'static str, &'static str)> {
        let mut blocks = Vec::new();
        let mut rest = self.text;
        while let Some((_, from)) = rest.split_once("```") {
            let (language, from) = from.split_once('\n').unwrap();
            let (text, after) = from.split_once("```").unwrap();
            blocks.push((language, text));
            rest = after;
        }
        blocks
    }

    /// The files that it lists: those whose first line is a comment with a name, and those that a shell
    /// writes.
    fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for (_, text) in self.blocks() {
            let first = text.lines().next().unwrap_or_default();
            let named = ["// ", "; ", "-- "].iter().find_map(|mark| first.strip_prefix(mark));
            let named = named.filter(|name| name.contains('.') && !name.contains(' '));
            files.extend(named.map(|name| (name.to_owned(), text.to_owned())));
            for line in text.lines() {
                let words = line.strip_prefix("echo '").and_then(|it| it.split_once("' > "));
                files.extend(words.map(|(text, path)| {
                    (path.trim_start_matches("examples/").to_owned(), format!("{text}\n"))
                }));
            }
        }
        files
    }

    /// Calls of the program, each with the output below it, if there is any.
    fn calls(&self) -> Vec<(&'static str, Option<&'static str>)> {
        let blocks = self.blocks();
        let mut calls = Vec::new();
        for (at, (_, text)) in blocks.iter().enumerate().filter(|(_, it)| it.0 == "sh") {
            let shown = blocks.get(at + 1).filter(|next| next.0 == "text").map(|next| next.1);
            let last = text.lines().last().unwrap_or_default();
            for line in text.lines() {
                let words = ["laneproof ", "cargo run --release -- "];
                if let Some(words) = words.iter().find_map(|start| line.strip_prefix(start)) {
                    calls.push((words, shown.filter(|_| line == last)));
                }
            }
        }
        calls
    }
}

fn is_unit(word: &str) -> bool {
    ["ms", "s"].contains(&word.trim_end_matches([')', ',', '.']))
}

/// Without times, and without the ends of lines, which depend on how long times are.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<f64>().is_ok();
    let time = |at: usize| number(words[at]) && words.get(at + 1).is_some_and(|word| is_unit(word));
    let unit = |at: usize| at > 0 && time(at - 1);
    let shown = |at: &usize| !time(*at) && !unit(*at);
    (0..words.len()).filter(shown).map(|at| words[at]).collect::<Vec<_>>().join(" ")
}

/// Which strategies decide, in how many obligations, and with which values a lane disagrees depends on
/// how long each strategy may take: no number is in an expectation. Of a table of lanes, it is expected
/// that there is one.
fn without_strategies(text: &str) -> String {
    let mut in_table = false;
    let lines = text.lines().filter(|line| {
        let begins = line.trim_start().starts_with("lane  active");
        in_table = (in_table && !line.trim().is_empty()) || begins;
        begins || !in_table
    });
    let lines = lines.map(|line| match line.trim_start().starts_with("lane  active") {
        true => "lane active",
        false => line,
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let words = text.split_whitespace().filter(|word| {
        let count = *word == "one" || word.parse::<f64>().is_ok() || is_unit(word);
        let word = word.trim_end_matches(',');
        let strategy = ["movement", "laws", "diagrams", "bits", "induction", "and"].contains(&word);
        !count && !strategy && !word.starts_with("obligation")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The folder of the examples.
fn examples() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"))
}

/// Every listing of a page is a file in `examples`, and every file there is named by a page.
#[test]
fn every_listing_is_an_example() {
    let listed = [GUIDE.files(), README.files()].concat();
    assert_eq!(listed.len(), 10);
    for (name, text) in &listed {
        assert_eq!(&fs::read_to_string(examples().join(name)).unwrap(), text, "{name}");
    }
    for file in fs::read_dir(examples()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let named = listed.iter().any(|(listed, _)| *listed == name);
        assert!(named || README.text.contains(&format!("`examples/{name}`")), "{name}");
    }
}

/// The commands run in the reader's folder; an excerpt on a page must occur in the output.
#[test]
fn every_command_prints_what_the_pages_show() {
    let mut compared = 0;
    for page in [GUIDE, READINGS, README, REFERENCE] {
        for (words, shown) in page.calls() {
            let own = "proofs/theorems/partition";
            let words: Vec<String> =
                words.split_whitespace().map(|it| it.replace("$own", own)).collect();
            let of_clone = words.iter().any(|it| it.starts_with("tests/"));
            let folder = if of_clone { "" } else { page.folder };
            let output = Command::new(env!("CARGO_BIN_EXE_laneproof"))
                .args(&words)
                .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
                .env("COLUMNS", "100")
                .output()
                .unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            let status = output.status.code();
            assert!(matches!(status, Some(0 | 1)), "{words:?}: {status:?} {printed}");
            let Some(shown) = shown else { continue };
            let [printed_alike, shown_alike] =
                [&printed, shown].map(|it| plain(&without_strategies(it)));
            // What a verdict rests on is not left out.
            match words[0] == "verify" {
                true => assert_eq!(printed_alike, shown_alike, "{words:?}"),
                false => assert!(printed_alike.contains(&shown_alike), "{words:?}\n{printed}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 15);
}

#[test]
fn the_guide_s_rust_is_the_test_above() {
    let own = include_str!("guide.rs");
    let (_, from) = own.split_once("// guide: begin\n").unwrap();
    let (code, _) = from.split_once("// guide: end\n").unwrap();
    let shown: Vec<&str> = GUIDE
        .blocks()
        .into_iter()
        .filter(|(language, _)| *language == "rust")
        .map(|it| it.1)
        .collect();
    assert_eq!(shown, [code]);
}
