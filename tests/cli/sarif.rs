//! `--sarif FILE`: what code-scanning views are given.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::laneproof::laneproof;

fn sarif(name: &str, words: &[&str]) -> (i32, Value) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.sarif"));
    let output = laneproof(&[words, &["--sarif", file.to_str().unwrap()]].concat());
    let text = fs::read_to_string(&file).unwrap();
    (output.exit, serde_json::from_str(&text).unwrap())
}

#[test]
fn a_refutation_is_an_error_at_the_target() {
    let (exit, document) = sarif("refuted", &["verify", "next_lane.spvasm"]);
    assert_eq!((exit, &document["version"]), (1, &"2.1.0".into()));
    let run = &document["runs"][0];
    let [result] = run["results"].as_array().unwrap().as_slice() else { panic!("{run}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&"refuted".into(), &"error".into()));
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "refuted");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "next_lane.spvasm");
    let line = place["region"]["startLine"].as_u64().unwrap() as usize;
    let text = include_str!("fixtures/next_lane.spvasm").lines().nth(line - 1).unwrap();
    assert!(text.trim_start().starts_with("%tgt = OpFunction"), "{text}");
    assert!(result["message"]["text"].as_str().unwrap().contains("SubgroupSize"));
}

#[test]
fn what_is_as_it_should_be_is_not_listed() {
    let (exit, document) = sarif("proved", &["prove", "rotate/by-nothing"]);
    assert_eq!((exit, &document["runs"][0]["results"]), (0, &Value::Array(Vec::new())));
}

#[test]
fn an_unexpected_verdict_is_listed_with_its_file() {
    let (exit, document) = sarif("unexpected", &["prove", "own/expects-too-much.spvasm"]);
    assert_eq!(exit, 1);
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "unexpected");
    let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "own/expects-too-much.spvasm");
}

/// A viewer that looks for `./a.spvasm` does not find `a.spvasm`.
#[test]
fn a_file_of_this_folder_has_one_name() {
    let (_, document) = sarif("here", &["prove", "./own/expects-too-much.spvasm"]);
    let result = &document["runs"][0]["results"][0];
    let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "own/expects-too-much.spvasm");
}
