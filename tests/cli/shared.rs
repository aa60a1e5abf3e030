//! What all commands share: usage, colours, where things are printed.

use crate::laneproof::{json, laneproof, recorded};

#[test]
fn usage_that_is_wrong_is_explained() {
    recorded(
        "usage_that_is_wrong_is_explained",
        &[
            &["verifi"],
            &["verify"],
            &["verify", "next_lane.spvasm", "--no-such-flag"],
            &["prove", "--jobs", "0"],
            &["verify", "next_lane.spvasm", "--target-function", "src"],
        ],
    );
    assert_eq!(laneproof(&[]).exit, 2);
}

#[test]
fn help_and_version_are_answers() {
    for words in [&["--help"][..], &["--version"], &["verify", "--help"], &["help", "run"]] {
        let output = laneproof(words);
        assert_eq!((output.exit, output.err.as_str()), (0, ""), "{words:?}");
        assert!(!output.out.is_empty());
    }
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let colored = |words: &[&str]| laneproof(words).out.contains('\u{1b}');
    let verify = ["verify", "next_lane.spvasm", "--sizes", "1"];
    assert!(!colored(&verify));
    assert!(colored(&[&verify[..], &["--color", "always"]].concat()));
    assert!(colored(&[&["--color=always"], &verify[..]].concat()));
    assert!(!colored(&[&verify[..], &["--color", "never"]].concat()));
    assert!(!colored(&[&verify[..], &["--color", "always", "--json"]].concat()));
}

#[test]
fn answers_go_to_standard_output_and_mistakes_to_standard_error() {
    let refuted = laneproof(&["verify", "next_lane.spvasm", "--sizes", "1"]);
    assert_eq!((refuted.exit, refuted.err.as_str()), (1, ""));
    let missing = laneproof(&["verify", "nowhere.spvasm"]);
    assert_eq!((missing.exit, missing.out.as_str()), (2, ""));
    let (exit, document) = json(&["verify", "nowhere.spvasm"]);
    assert_eq!(exit, 2);
    assert!(document["error"].as_str().unwrap().starts_with("nowhere.spvasm: "));
}
