//! The guide keeps its word: its files, its commands and what they print, its Rust.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

// guide: begin
use laneproof_frontends::{Language, compile};
use laneproof_semantics::Specification;
use laneproof_smt::{Options, Side, Verdict, verify};

const BEFORE: &str = "#version 460
#extension GL_KHR_shader_subgroup_vote : require
uint every(bool asked) { return subgroupAll(asked) ? 1u : 0u; }";

const AFTER: &str = "#version 460
#extension GL_KHR_shader_subgroup_vote : require
uint every(bool asked) { return subgroupAny(!asked) ? 0u : 1u; }";

#[test]
fn all_is_lowered_to_any() {
    // Words of SPIR-V go in through `laneproof_module::load_bytes`.
    let before = compile(Language::Glsl, BEFORE, "before").expect("it compiles");
    let after = compile(Language::Glsl, AFTER, "after").expect("it compiles");
    let side = |program| Side { program, function: program.function("every").expect("a function") };
    let options = Options { sizes: vec![32, 64], ..Options::default() };
    let report = verify(Specification::built_in(), side(&before), Some(side(&after)), &options)
        .expect("one type");
    assert_eq!(report.verdict, Verdict::Proved, "{:?}", report.reason);
}
// guide: end

const GUIDE: &str = include_str!("../docs/guide.md");

/// Fenced blocks: language and text.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut blocks = Vec::new();
    let mut rest = GUIDE;
    while let Some((_, from)) = rest.split_once("```") {
        let (language, from) = from.split_once('\n').unwrap();
        let (text, after) = from.split_once("```").unwrap();
        blocks.push((language, text));
        rest = after;
    }
    blocks
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

#[test]
fn every_command_prints_what_the_guide_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    fs::create_dir_all(&folder).unwrap();
    let blocks = blocks();
    let (mut files, mut commands) = (0, 0);
    for (at, (language, text)) in blocks.iter().enumerate() {
        let first = text.lines().next().unwrap_or_default();
        let named = first.strip_prefix("// ").or(first.strip_prefix("; "));
        match (*language, named) {
            ("glsl" | "wgsl" | "text", Some(name)) => {
                // A specification has comments of its own.
                let text = text.strip_prefix("; nearest.lps\n").unwrap_or(text);
                fs::write(folder.join(name), text).unwrap();
                files += 1;
            }
            ("sh", _) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                assert_eq!(words[0], "laneproof");
                let of_clone = words.iter().any(|word| word.starts_with("tests/"));
                let place = if of_clone { Path::new(env!("CARGO_MANIFEST_DIR")) } else { &folder };
                let output = Command::new(env!("CARGO_BIN_EXE_laneproof"))
                    .args(&words[1..])
                    .current_dir(place)
                    .env("COLUMNS", "100")
                    .output()
                    .unwrap();
                let printed = String::from_utf8(output.stdout).unwrap();
                let shown = blocks[at + 1].1;
                let [printed_alike, shown_alike] = [&printed, shown].map(without_strategies);
                assert_eq!(plain(&printed_alike), plain(&shown_alike), "{text}\n{printed}");
                commands += 1;
            }
            _ => {}
        }
    }
    assert_eq!((files, commands), (6, 7));
}

#[test]
fn the_guide_s_rust_is_the_test_above() {
    let own = include_str!("guide.rs");
    let (_, from) = own.split_once("// guide: begin\n").unwrap();
    let (code, _) = from.split_once("// guide: end\n").unwrap();
    let shown: Vec<&str> =
        blocks().into_iter().filter(|(language, _)| *language == "rust").map(|it| it.1).collect();
    assert_eq!(shown, [code]);
}
