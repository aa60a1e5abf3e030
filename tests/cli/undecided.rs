//! The document of an undecided claim has its kind, its place, and a hint.

use serde_json::Value;

use crate::laneproof::{json, laneproof, without_header};

fn proof(name: &str) -> String {
    format!("{}/proofs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// `unknown` of the answer to these words, which must be unknown.
fn unknown(words: &[&str]) -> Value {
    let (exit, document) = json(words);
    assert_eq!((exit, &document["verdict"]), (3, &"unknown".into()), "{words:?}: {document}");
    assert!(document["reason"].is_string(), "{document}");
    document["unknown"].clone()
}

#[test]
fn a_time_limit_is_named_with_the_option_that_moves_it() {
    let rotate = proof("theorems/rotate/as-shuffle.spvasm");
    let late = unknown(&["verify", &rotate, "--timeout", "0.000001"]);
    assert_eq!(late["kind"], "timeout", "{late}");
    assert!(late["hint"].as_str().unwrap().contains("--timeout"), "{late}");
}

#[test]
fn what_is_not_supported_is_named_with_its_place() {
    let unsupported = unknown(&["verify", "twice.spvasm"]);
    assert_eq!(unsupported["kind"], "unsupported", "{unsupported}");
    assert_eq!(unsupported["location"], "line 28", "{unsupported}");
}

fn wrong(name: &str) -> String {
    format!("{}/tests/fixtures/wrong/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Each kind, by a module that is undecided for that reason whatever the machine, and what helps.
#[test]
fn each_kind_is_told_apart_and_has_its_hint() {
    let cases: [(&str, String, &[&str], &str); 4] = [
        (
            "silent",
            without_header("theorems/extended/small-product-made-up.spvasm"),
            &["literal"],
            "--profile",
        ),
        ("reading", proof("theorems/rotate/kernel-inverse.spvasm"), &["literal"], "--reading"),
        ("incomplete", wrong("3_aliased.spvasm"), &[], "--sizes"),
        ("not-replayed", wrong("atomic_split.comp"), &[], "--sizes"),
    ];
    for (kind, path, profile, hint) in cases {
        let mut words = vec!["verify", path.as_str(), "--sizes", "4"];
        words.extend(profile.iter().flat_map(|profile| ["--profile", *profile]));
        let found = unknown(&words);
        assert_eq!(found["kind"], kind, "{path}: {found}");
        assert!(found["hint"].as_str().unwrap().contains(hint), "{path}: {found}");
    }
}

#[test]
fn workgroups_that_nobody_named_are_a_bound() {
    let bound = unknown(&["verify", &without_header("lowerings/workgroup/any.spvasm")]);
    assert_eq!(bound["kind"], "bound", "{bound}");
    assert!(bound["hint"].as_str().unwrap().contains("--subgroups"), "{bound}");
}

#[test]
fn an_explanation_says_what_was_tried_and_what_may_help() {
    let rotate = proof("theorems/rotate/as-shuffle.spvasm");
    let words = ["verify", &rotate, "--sizes", "4", "--timeout", "0.000001", "--explain"];
    let text = laneproof(&words).out;
    assert!(text.contains("SubgroupSize 4") && text.contains("what may help"), "{text}");
    let (_, document) = json(&words);
    let tried = document["strategies"].as_array().unwrap();
    assert!(tried.iter().any(|it| it["outcome"] == "gave-up"), "{document}");
    let (exit, proved) = json(&["verify", &rotate, "--sizes", "4", "--explain"]);
    let tried = proved["strategies"].as_array().unwrap();
    assert_eq!((exit, &proved["unknown"]), (0, &Value::Null), "{proved}");
    assert!(tried.iter().any(|it| it["outcome"] == "proved"), "{proved}");
}

#[test]
fn an_explanation_says_which_facts_a_proof_used() {
    let facts = |path: &str, size: &str| {
        let (exit, document) = json(&["verify", path, "--sizes", size, "--explain"]);
        assert_eq!(exit, 0, "{document}");
        let tried = document["strategies"].as_array().unwrap();
        let of = |it: &serde_json::Value| it["facts"].as_array().cloned().unwrap_or_default();
        let undecided = tried.iter().filter(|it| it["outcome"] != "proved");
        assert!(undecided.map(of).all(|facts| facts.is_empty()), "{document}");
        let proofs = tried.iter().filter(|it| it["outcome"] == "proved");
        let used: Vec<String> =
            proofs.flat_map(of).map(|it| it.as_str().unwrap().to_owned()).collect();
        used
    };
    let rotate = proof("theorems/rotate/as-shuffle.spvasm");
    assert!(facts(&rotate, "4").iter().any(|it| it == "payloads that are only moved"));
    let text = laneproof(&["verify", &rotate, "--sizes", "4", "--explain"]).out;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(", using payloads that are only moved"), "{text}");
    assert!(!text.contains("loops end"), "there are none: {text}");
}
