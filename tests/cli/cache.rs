//! `laneproof prove --cache`: what is kept, and what it is kept under.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::laneproof::{json, laneproof};

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn prove(words: &[&str], folder: &std::path::Path) -> Vec<Value> {
    let cache = ["--cache", folder.to_str().unwrap()];
    let (exit, document) = json(&[&["prove"], words, &cache].concat());
    assert_eq!(exit, 0, "{document}");
    document["results"].as_array().unwrap().clone()
}

fn cached(results: &[Value]) -> usize {
    results.iter().filter(|it| it["cached"] == true).count()
}

#[test]
fn a_second_run_gives_the_answers_of_the_first() {
    let folder = folder("second");
    let first = prove(&["vote/"], &folder);
    let second = prove(&["vote/"], &folder);
    assert_eq!(first.len(), 74);
    assert_eq!((cached(&first), cached(&second)), (0, second.len()));
    for (one, other) in first.iter().zip(&second) {
        for key in ["name", "verdict", "rung", "milliseconds"] {
            assert_eq!(one[key], other[key]);
        }
    }
}

#[test]
fn another_profile_limit_or_specification_is_another_question() {
    let folder = folder("other");
    let of = |words: &[&str]| cached(&prove(words, &folder));
    assert_eq!(of(&["vote/all-as"]), 0);
    assert!(of(&["vote/all-as"]) > 0);
    assert_eq!(of(&["vote/all-as", "--timeout", "11"]), 0);
    assert_eq!(of(&["vote/all-as", "--profile", "opencl"]), 0);
    assert_eq!(of(&["vote/all-as", "--spec", "AMD_GCN.lps"]), 0);
}

/// A busy machine may need a later strategy for the same proof; its answer would be unexpected for
/// ever.
#[test]
fn a_proof_by_a_later_strategy_than_expected_is_not_kept() {
    let folder = folder("later");
    for _ in 0..2 {
        let file = "own/needs-bits.spvasm";
        let (exit, document) = json(&["prove", file, "--cache", folder.to_str().unwrap()]);
        let result = &document["results"][0];
        assert_eq!(exit, 1, "{document}");
        assert_eq!(result["unexpected"], "unexpected abstraction: bits instead of movement");
        assert_eq!(result["cached"], Value::Null, "{document}");
    }
}

#[test]
fn an_answer_that_was_tampered_with_is_found_again() {
    let folder = folder("tampered");
    prove(&["vote/all-as"], &folder);
    for file in fs::read_dir(&folder).unwrap() {
        fs::write(file.unwrap().path(), "{\"verdict\": \"proved").unwrap();
    }
    assert_eq!(cached(&prove(&["vote/all-as"], &folder)), 0);
}

#[test]
fn a_cache_that_is_only_read_keeps_nothing() {
    let folder = folder("read");
    fs::create_dir_all(&folder).unwrap();
    let words = ["vote/all-as", "--cache-read-only"];
    assert_eq!((cached(&prove(&words, &folder)), cached(&prove(&words, &folder))), (0, 0));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    prove(&["vote/all-as"], &folder);
    assert!(cached(&prove(&words, &folder)) > 0);
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let output = laneproof(&["prove", "vote/all-as", "--cache", "zero.json/below"]);
    assert_eq!(output.exit, 2);
    assert!(output.err.contains("zero.json/below"), "{}", output.err);
}
