//! The page that takes a draft to its report keeps its word.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use laneproof_ambiguity::{SearchOptions, litmus, search};
use laneproof_semantics::as_written::AsWritten;

const PAGE: &str = include_str!("../../../docs/draft.md");
const DRAFT: &str = include_str!("../../../docs/draft.lps");

/// The findings in a text, by kind and cause.
fn found(text: &str) -> BTreeSet<String> {
    let texts = AsWritten::alone(vec![("draft.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    let cause = |id: &str| id.split('/').take(2).collect::<Vec<_>>().join("/");
    report.findings.iter().map(|finding| cause(&finding.id)).collect()
}

#[test]
fn the_page_shows_the_draft_and_names_what_is_found_in_it() {
    let shown = DRAFT.split_once("\n\n").map_or(DRAFT, |_| DRAFT);
    let (_, sentences) = shown.split_once("document ").unwrap();
    assert!(PAGE.contains(sentences.trim_end()), "the draft on the page is not docs/draft.lps");
    let found = found(DRAFT);
    for id in &found {
        assert!(PAGE.contains(&format!("`{id}`")), "{id} is found and not on the page: {found:?}");
    }
    for named in
        PAGE.split('`').filter(|it| it.starts_with("gap/") || it.starts_with("divergence/"))
    {
        assert!(found.contains(named), "{named} is on the page and not found: {found:?}");
    }
}

/// No assembler knows a draft's instruction, and the reason says that instead of an assembler's message.
#[test]
fn a_draft_has_no_module_as_nothing_assembles_it() {
    let texts = AsWritten::alone(vec![("draft.lps".to_owned(), DRAFT.to_owned())]).unwrap();
    let options = SearchOptions { litmus: Some(32), ..SearchOptions::default() };
    let report = search(&texts, &options, || {});
    let reasons = report.findings.iter().map(|it| litmus(&texts, it).unwrap_err().to_string());
    let drafts = reasons.filter(|it| {
        *it == "no assembler takes OpSubgroupPickEXAMPLE, which is not in SPIR-V's grammar"
    });
    assert_eq!(drafts.count(), 8);
}

/// The sentences that the page writes in the place of others settle what they are about.
#[test]
fn the_mended_draft_leaves_only_the_token_number() {
    let (_, mended) = PAGE.split_once("## 3. Mend it").unwrap();
    let mended = mended.split("```").nth(1).unwrap().trim_start_matches("text\n");
    let (before, _) = DRAFT.split_once("  [1] ").unwrap();
    assert_eq!(found(&format!("{before}{mended}")), BTreeSet::from(TOKEN.map(str::to_owned)));
}

/// What is left in the end.
const TOKEN: [&str; 1] = ["token/SubgroupPickEXAMPLE"];

/// The rules that the page shows have what it says they have, and no more.
#[test]
fn the_page_names_what_is_found_in_rules_alone() {
    let (_, rules) = PAGE.split_once("## A draft of rules only").unwrap();
    let text = rules.split("```").nth(1).unwrap().trim_start_matches("text\n");
    let (_, said) = rules.split_once("Sentences\n").unwrap();
    let (said, _) = said.split_once("\n\n").unwrap();
    let named = said.split('`').filter(|it| it.contains('/')).filter_map(|it| it.split('/').next());
    let named: BTreeSet<String> = named.map(|it| format!("gap/{it}")).collect();
    assert_eq!(found(text), named);
}

/// A lane that is said to be missing is one below SubgroupSize that does not exist.
#[test]
fn a_missing_lane_is_missing_in_its_state() {
    let texts = AsWritten::alone(vec![("draft.lps".to_owned(), DRAFT.to_owned())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    let missing = report.findings.iter().find(|it| it.id.starts_with("gap/missing-lane/"));
    let witness = missing.unwrap().evidence.witness.as_ref().unwrap();
    assert_eq!((witness.existing, witness.subgroup_size), (1, 2));
    assert_eq!(witness.operands["Index"], "0x1");
}
