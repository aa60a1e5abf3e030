//! Drafts are searched alone, by the names of what is in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::laneproof::{json, laneproof};

const RULES: &str = "document NEW_environment revision 1 \"Rules without an instruction\"\n\n\
    rules section \"Types\"\n  [1] \"Shuffles of floating point\"\n    \
    requires Value of OpGroupNonUniformShuffle : scalar of f32\n  [2] \"and not of it\"\n    \
    forbids Value of OpGroupNonUniformShuffle : scalar of f32\n  [3] \"in version 1.3\"\n    \
    requires Version : at least 1.3\n";

#[test]
fn rules_alone_are_searched_by_the_name_of_their_document() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ambiguities");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("rules.lps");
    fs::write(&file, RULES).unwrap();
    let file = file.to_str().unwrap();
    let (exit, document) = json(&["ambiguities", "new_ENVIRONMENT", "--assume", file]);
    assert_eq!(exit, 0, "{document}");
    let findings = document["findings"].as_array().unwrap();
    let ids: Vec<&str> = findings.iter().filter_map(|finding| finding["id"].as_str()).collect();
    assert_eq!(ids, ["overlap/no-value-left/NEW_environment/Value"]);
    let output = laneproof(&["ambiguities", "OTHER_environment", "--assume", file]);
    assert_eq!(output.exit, 2, "{}", output.err);
    assert!(output.err.contains("a document of the file"), "{}", output.err);
}

/// Pages name findings by ids that there are.
#[test]
fn pages_name_findings_that_there_are() {
    let of = ["PartitionNV", "IAdd", "RotateKHR"].map(|name| format!("OpGroupNonUniform{name}"));
    let words: Vec<&str> =
        std::iter::once("ambiguities").chain(of.iter().map(String::as_str)).collect();
    let (_, document) = json(&words);
    let findings = document["findings"].as_array().unwrap();
    let ids: BTreeSet<&str> = findings.iter().filter_map(|it| it["id"].as_str()).collect();
    let kinds: BTreeSet<&str> = findings.iter().filter_map(|it| it["kind"].as_str()).collect();
    let mut named = Vec::new();
    for page in ["found.md", "observed.md"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
        let text = fs::read_to_string(file).unwrap();
        for word in text.split('`').skip(1).step_by(2) {
            if word.split_once('/').is_some_and(|(kind, _)| kinds.contains(kind)) {
                assert!(ids.contains(word), "{page}: there is no finding {word}");
                named.push(page);
            }
        }
    }
    assert_eq!(named.iter().filter(|page| **page == "found.md").count(), 1);
    assert_eq!(named.len(), 5, "{named:?}");
}

#[test]
fn files_of_the_users_own_are_searched_like_the_built_in_ones() {
    let (exit, document) = json(&["ambiguities", "example_twice", "--spec", "twice.lps"]);
    assert_eq!((exit, &document["instructions"]), (0, &serde_json::json!(["example_twice"])));
    assert!(document["closed"].is_null(), "nothing is assumed: {document}");
    // Beside the draft, which nothing else knows, there is the file.
    let draft = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/draft.lps");
    let words = ["ambiguities", "example_twice", "--spec", "twice.lps", "--assume", draft];
    let (exit, document) = json(&words);
    assert_eq!((exit, &document["opened"]), (0, &serde_json::json!([])), "{document}");
    let text = laneproof(&["ambiguities", "example_twice", "--spec", "twice.lps"]).out;
    assert!(text.contains("1 finding in 1 instruction, 1 form; 3 choice points; 2 h"), "{text}");
}

/// Outcomes that quote a sentence are broken at the page's width like everything else.
#[test]
fn no_line_of_the_report_is_wider_than_the_page() {
    let draft = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/draft.lps");
    let output = laneproof(&["ambiguities", "OpSubgroupPickEXAMPLE", "--assume", draft]);
    assert_eq!(output.exit, 0, "{}", output.err);
    let quoted =
        "nothing beyond its words  a sentence is met that names no consequence: \u{201c}An";
    assert!(output.out.contains(quoted), "{}", output.out);
    let wide: Vec<&str> = output.out.lines().filter(|it| it.chars().count() > 100).collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
