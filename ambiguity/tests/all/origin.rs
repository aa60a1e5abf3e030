//! Words of formulas and their origin in sentences.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;

use laneproof_ambiguity::Quotes;
use laneproof_ambiguity::origin::{findings, without_origin};
use laneproof_semantics::as_written::AsWritten;

const TEXTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../semantics/text");

/// Every file of clauses in a folder and those below it, by its path there.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "lps") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path.display().to_string(), text));
        }
    }
    found.sort();
    found
}

const TEXT: &str = r#"
document MINE revision 1 "Mine"

instruction OpMine
  section "Mine"
  operands Value : T
  result T
  where T : scalar of int
  [1] "Value where all have the same one, at even sizes"
    result is if forall j in active: same_bits(Value at j, Value) then Value else ~Value
      when SubgroupSize & 1 = 0
"#;

#[test]
fn what_a_formula_adds_to_its_sentence_is_named() {
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), TEXT.to_owned())]);
    let texts = texts.unwrap();
    let instruction = &texts.specification.instructions["OpMine"];
    let lacking = |sentence: &str| without_origin(&instruction.clauses[0], &[sentence.to_owned()]);
    let both = BTreeSet::from(["SubgroupSize", "active"]);
    assert_eq!(lacking("Value where all invocations have the same, at even sizes."), both);
    let only = BTreeSet::from(["SubgroupSize"]);
    assert_eq!(lacking("Value where all Active invocations have the same, at even sizes."), only);
    let none = BTreeSet::new();
    assert_eq!(
        lacking("Value where all that execute it have the same, where SubgroupSize is even."),
        none
    );
}

/// With the documents in the folder that `LANEPROOF_DOCUMENTS` names: what our formulas add to
/// their sentences is said to be repaired, all of it.
#[test]
fn nothing_is_added_in_silence() {
    let Some(folder) = std::env::var_os("LANEPROOF_DOCUMENTS") else {
        println!("LANEPROOF_DOCUMENTS names no folder: nothing was compared");
        return;
    };
    let (quotes, changed) = Quotes::of_folder(Path::new(&folder)).unwrap();
    assert_eq!(changed, []);
    // As the texts lie there, so that nothing need be compiled to look at a change.
    let texts = AsWritten::from_files(files(Path::new(TEXTS))).unwrap();
    let found = findings(&texts, &quotes);
    let left: Vec<_> = found.iter().map(|it| (&it.id, &it.clauses)).collect();
    assert!(left.is_empty(), "{left:#?}");
}
