//! The page that takes a draft to its report keeps its word.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use laneproof_ambiguity::{Options, search};
use laneproof_semantics::as_written::AsWritten;

const PAGE: &str = include_str!("../../docs/draft.md");
const DRAFT: &str = include_str!("../../docs/draft.lps");

/// The findings in a text, by kind and cause.
fn found(text: &str) -> BTreeSet<String> {
    let texts = AsWritten::alone(vec![("draft.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &Options::default(), || {});
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

/// The sentences that the page writes in the place of others settle what they are about.
#[test]
fn the_mended_draft_leaves_only_what_was_not_mended() {
    let (_, mended) = PAGE.split_once("## 3. Mend it").unwrap();
    let mended = mended.split("```").nth(1).unwrap().trim_start_matches("text\n");
    let (before, _) = DRAFT.split_once("  [2] ").unwrap();
    let text =
        before.replace("result is Value at Index", "result is Value at unsigned(Index)") + mended;
    let left: Vec<String> =
        found(&text).into_iter().filter(|id| !id.starts_with("token/")).collect();
    assert_eq!(left, ["gap/undefined-term"]);
}
