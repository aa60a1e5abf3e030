//! Lists that leave something out, each beside one that does not.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use laneproof_ambiguity::{SearchOptions, search};
use laneproof_semantics::as_written::AsWritten;

/// Whether something with this in its id is found in a text.
fn finds(text: &str, id: &str) -> bool {
    let text = format!("document LISTED revision 1 \"Lists\"\n\n{text}");
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text)]);
    let texts = texts.unwrap_or_else(|error| panic!("{error:?}"));
    let report = search(&texts, &SearchOptions::default(), || {});
    report.findings.iter().any(|finding| finding.id.contains(id))
}

/// A table of two columns and three rows.
fn table(last: &str, rule: &str) -> String {
    format!(
        "rules section \"Images\"\n\
         [1] \"A line\" accepts only Dim of OpTypeImage : 1D when Depth is 0\n\
         [2] \"A plane\" accepts only Dim of OpTypeImage : 2D when Depth is 0\n\
         [3] \"A deep plane\" accepts only Dim of OpTypeImage : 2D when Depth is 1\n{last}\n{rule}\n"
    )
}

#[test]
fn a_combination_that_is_in_no_row_is_found() {
    let found = |last: &str, rule: &str| finds(&table(last, rule), "combination-in-no-row");
    assert!(found("", ""));
    // All combinations are there, or a sentence rules the last one out.
    assert!(!found("[4] \"A deep line\" accepts only Dim of OpTypeImage : 1D when Depth is 1", ""));
    assert!(!found("", "[5] \"No lines\" forbids Dim of OpTypeImage : 1D when Depth is 1"));
    assert!(!found(
        "",
        "[5] \"Depth is a plane's\" forbids Depth of OpTypeImage : 1 unless Dim is 2D"
    ));
    // What is ruled out is another one.
    assert!(found("", "[5] \"No planes\" forbids Dim of OpTypeImage : 3D when Depth is 1"));
}

#[test]
fn a_list_for_operands_that_some_instructions_lack_is_found() {
    let found = |instructions: &str| {
        let rule = format!("[1] \"Types\" accepts Result, Value of {instructions} : scalar of f16");
        finds(&format!("rules section \"Atomics\"\n{rule}\n"), "operands-of-some-only")
    };
    assert!(found("OpAtomicExchange, OpAtomicStore"));
    assert!(found("OpAtomicExchange, OpAtomicLoad"));
    assert!(!found("OpAtomicExchange, OpAtomicIAdd"));
    // None of them has both: each has its part.
    assert!(!found("OpAtomicLoad, OpAtomicStore"));
}

#[test]
fn a_capability_unlike_its_family_is_found() {
    let found = |name: &str, declared: &str| {
        let fact = format!("Capability {name} = 16001 declares {declared}");
        finds(&format!("facts section \"Tokens\"\n{fact}\n"), "capability-of-the-family")
    };
    assert!(found("GroupNonUniformListedEXT", "Shader"));
    assert!(!found("GroupNonUniformListedEXT", "GroupNonUniform"));
    // By another one that declares it.
    assert!(!found("GroupNonUniformListedEXT", "GroupNonUniformBallot"));
    assert!(!found("ListedEXT", "Shader"));
}
