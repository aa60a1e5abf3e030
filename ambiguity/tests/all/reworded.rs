//! Two documents that copied sentences from each other, in a folder of our own: what one of them words
//! otherwise or leaves out is found, and nothing where they say the same or have little in common.
#![allow(clippy::unwrap_used, missing_docs)]

use laneproof_ambiguity::{FindingKind, Quotes, SearchOptions, search};
use laneproof_semantics::as_written::AsWritten;

/// What two texts have in common.
const COMMON: [&str; 6] = [
    "The environment must accept modules that declare the extension.",
    "The turn instructions may stand in control flow that is not uniform.",
    "There is no restriction on the second component of the place.",
    "Turning a value of an invocation that is not there gives undefined results.",
    "The pointer must be aligned to four bytes for reads of it.",
    "Elements of more than eight bytes give no result at all.",
];

/// The ids and summaries of what is found between two documents of these sentences.
fn found(name: &str, one: &[&str], other: &[&str]) -> Vec<(String, String, bool)> {
    let text = |sentences: &[&str]| format!("Overview\n\n{}\n", sentences.join("\n\n"));
    between(name, &text(one), &text(other))
}

/// The same of two texts.
fn between(name: &str, one: &str, other: &str) -> Vec<(String, String, bool)> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in [("one.txt", one), ("other.txt", other)] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let (quotes, _) = Quotes::of_folder(&folder).unwrap();
    let text = "document MINE revision 1 \"Nothing\"\n".to_owned();
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text)]).unwrap();
    let options = SearchOptions { quotes: Some(&quotes), ..SearchOptions::default() };
    let report = search(&texts, &options, || {});
    let differ = report.findings.into_iter().filter(|it| it.kind == FindingKind::CrossDocument);
    differ.map(|it| (it.id, it.summary, it.editorial)).collect()
}

fn with<'s>(last: &[&'s str]) -> Vec<&'s str> {
    COMMON.into_iter().chain(last.iter().copied()).collect()
}

#[test]
fn what_is_worded_otherwise_is_found() {
    let one = with(&["The place must be a pair of integers of 32 bits."]);
    let other = with(&["The place should be a pair of integers of 32 bits."]);
    let found = found("worded", &one, &other);
    assert_eq!(found.len(), 1, "{found:?}");
    let (id, summary, editorial) = &found[0];
    assert_eq!(id, "cross-document/reworded/one/other/must/should");
    assert!(
        summary.contains("one has \u{201c}must\u{201d}, other has \u{201c}should\u{201d}"),
        "{summary}"
    );
    assert!(!editorial);
}

#[test]
fn words_without_weight_are_editorial() {
    let one = with(&["The place must be a pair, equivalent to a point, of integers."]);
    let other = with(&["The place must be a pair, a point, of integers."]);
    let found = found("weight", &one, &other);
    assert!(matches!(&found[..], [(_, _, true)]), "{found:?}");
}

#[test]
fn what_is_left_out_is_found_by_its_force() {
    let one = with(&[
        "The host pointer of a buffer must be aligned to sixteen bytes.",
        "This is where turns of older devices come from.",
    ]);
    let found = found("left-out", &one, &COMMON);
    let ids: Vec<&str> = found.iter().map(|(id, ..)| id.as_str()).collect();
    let expected = [
        "cross-document/requirement-left-out/one/other",
        "cross-document/sentence-left-out/one/other",
    ];
    assert_eq!(ids, expected);
}

#[test]
fn documents_that_say_the_same_do_not_differ() {
    assert_eq!(found("same", &COMMON, &COMMON), []);
    // A number in figures or in words, and the marks around words, are no difference.
    let one = with(&["A vector has **two** components of *Width* 32 in it."]);
    let other = with(&["A vector has 2 components of Width 32 in it."]);
    assert_eq!(found("marks", &one, &other), []);
}

#[test]
fn documents_with_little_in_common_are_not_compared() {
    let one = &COMMON[..3];
    let other =
        [&COMMON[..2], &["There may be restrictions on the second component of the place."]]
            .concat();
    assert_eq!(found("little", one, &other), []);
}

/// Tables of one kind: their column heads, and the verbs that rows begin with.
#[test]
fn tables_of_one_kind_are_alike() {
    let table = |heads: &str, row: &str| {
        format!(
            "Capabilities\n\nModify Section 3, adding rows to the Turn table:\n\n{heads}\n\n17\n\n\
             TurnEXT\n{row} the turn instruction.\n\nIssues\n\nNone.\n"
        )
    };
    let one = table("Turn Implicitly Declares", "Uses");
    let found = |name: &str, heads: &str, row: &str| -> Vec<String> {
        let found = between(name, &one, &table(heads, row));
        assert!(found.iter().all(|(.., editorial)| *editorial), "{found:?}");
        found.into_iter().map(|(id, ..)| id).collect()
    };
    let heads = "cross-document/column-heads/Turn";
    let verbs = "cross-document/form-of-a-verb/Turn";
    assert_eq!(found("alike", "Turn Implicitly Declares", "Uses"), [""; 0]);
    assert_eq!(found("heads", "Turn Depends On", "Uses"), [heads]);
    assert_eq!(found("verbs", "Turn Implicitly Declares", "Use"), [verbs]);
}
