//! The ledgers of the documents: well-formed, complete against the documents' sections.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::Path;

use laneproof_ambiguity::ledger::{
    Account, CarriedBy, Citation, Fingerprints, Ledger, LedgerError, Overlap, SentenceStatus,
    Shares, Stray,
};
use laneproof_ambiguity::sentences::sections;
use laneproof_semantics::Specification;

#[test]
fn five_documents_have_a_ledger() {
    let all = Ledger::built_in().unwrap();
    let size = |ledger: &Ledger| {
        let sentences = ledger.sections.iter().map(|section| section.sentences);
        (ledger.document.clone(), ledger.sections.len(), sentences.sum::<u32>())
    };
    let sizes: Vec<_> = all.iter().map(|(ledger, _)| size(ledger)).collect();
    let expected = [
        ("SPV_INTEL_subgroups", 26, 213),
        ("SPV_KHR_subgroup_rotate", 15, 70),
        ("SPV_NV_shader_subgroup_partitioned", 22, 86),
        ("cl_intel_spirv_subgroups", 19, 118),
        ("level_zero", 37, 269),
    ];
    let expected: Vec<_> = expected.map(|(name, a, b)| (name.to_owned(), a, b)).into();
    assert_eq!(sizes, expected);
}

#[test]
fn ledgers_have_the_sections_of_their_fingerprints() {
    for (ledger, words) in Ledger::built_in().unwrap() {
        for section in &words.sections {
            assert_eq!(section.words.len(), section.ends.len(), "{}", section.title);
        }
        let listed: Vec<_> = ledger
            .sections
            .iter()
            .map(|section| (section.title.as_str(), section.sentences as usize))
            .collect();
        let hashed: Vec<_> =
            words.sections.iter().map(|it| (it.title.as_str(), it.words.len())).collect();
        assert_eq!(listed, hashed, "{}", ledger.document);
    }
}

/// With the documents in the folder that `LANEPROOF_DOCUMENTS` names: their sections, the number
/// of sentences in each and the sentences' words are those that are listed. `LANEPROOF_UPDATE=1` writes
/// the list anew.
#[test]
fn documents_are_as_listed() {
    let Some(folder) = std::env::var_os("LANEPROOF_DOCUMENTS") else {
        println!("LANEPROOF_DOCUMENTS names no folder: nothing was compared");
        return;
    };
    for (ledger, words) in Ledger::built_in().unwrap() {
        let text = std::fs::read_to_string(Path::new(&folder).join(&ledger.file)).unwrap();
        let found = Fingerprints::of(&sections(&text));
        if std::env::var_os("LANEPROOF_UPDATE").is_some() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../semantics/text");
            let list = Path::new(folder).join(&ledger.document).join("fingerprints.toml");
            std::fs::write(list, found.to_string()).unwrap();
            continue;
        }
        for (listed, found) in words.sections.iter().zip(&found.sections) {
            assert_eq!(listed, found, "{}", ledger.document);
        }
        assert_eq!(words.sections.len(), found.sections.len(), "{}", ledger.document);
    }
}

#[test]
fn fingerprints_are_read_as_written() {
    for (ledger, words) in Ledger::built_in().unwrap() {
        let again = Fingerprints::parse(&ledger.file, &words.to_string()).unwrap();
        assert_eq!(words, again);
    }
}

const SMALL: &str = r#"
document = "MINE"
file = "mine.txt"

[[section]]
title = "Overview"
sentences = 2
informative = [{ sentences = "1-2", why = "what it is for" }]

[[section]]
title = "Instructions / my_turn"
sentences = 7
in_part = [{ sentences = "2", why = "the sign" }]
facts = "7"
not_encoded = [{ sentences = "3, 5", why = "no form" }]
"#;

#[test]
fn mistakes_in_a_ledger_name_the_place() {
    let cases = [
        (r#""3, 5""#, r#""3; 5""#, "l:15: `3; 5` is no list of sentences such as `1-3, 5`"),
        (r#""3, 5""#, r#""5, 3""#, "l:15: `5, 3` is no list of sentences such as `1-3, 5`"),
        (r#""3, 5""#, r#""3, 8""#, "l:15: there is no sentence 8, the section has 7"),
        (r#""3, 5""#, r#""0, 5""#, "l:15: there is no sentence 0, the section has 7"),
        (r#""3, 5""#, r#""1-4294967295""#, "l:15: sentence 2 is listed above already"),
        (r#""3, 5""#, r#""8-4294967295""#, "l:15: there is no sentence 8, the section has 7"),
        (r#""no form""#, r#"" ""#, "l:15: a reason is missing"),
        ("Instructions / my_turn", "Overview", "l:11: section `Overview` is listed above already"),
        (
            "informative",
            "formative",
            "l:8: unknown field `formative`, expected one of `title`, `sentences`, `informative`, \
             `in_part`, `facts`, `not_encoded`",
        ),
        ("= 7", "= -7", "l:12: invalid value: integer `-7`, expected u32"),
    ];
    for (right, wrong, message) in cases {
        assert!(SMALL.contains(right), "{right}");
        let error = Ledger::parse("l", &SMALL.replace(right, wrong)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let error = Ledger::parse("l", &SMALL.replace("= 7", "= seven")).unwrap_err();
    assert!(matches!(error, LedgerError::Form { ref place, .. } if place.line == 12), "{error}");
}

const CLAUSES: &str = r#"
document MINE
facts section "my_turn"
  Opcode my_turn = 7
primitive my_turn
  section "my_turn"
  operands Value : T, N : u32
  result T
  where T : scalar of int
  [1, 2] "The result is Value of the lane that stands N further"
    result is Value at id + N
  [4] "Value and the result are integers"
  [6] "N is the same in all lanes"
    must uniform(N)
"#;

fn account(clauses: &str) -> Account {
    let specification = Specification::built_in().extended_with("mine.lps", clauses).unwrap();
    Account::of(&Ledger::parse("l", SMALL).unwrap(), &specification, &specification)
}

fn citation(clause: &str, carried: CarriedBy) -> Citation {
    Citation { clause: clause.to_owned(), carried }
}

#[test]
fn every_sentence_is_accounted_for() {
    let account = account(CLAUSES);
    assert!(account.is_complete(), "{account:?}");
    let first = citation("MINE/my_turn/1,2", CarriedBy::ByStatements);
    let sentences = [
        SentenceStatus::Encoded(vec![first.clone()]),
        SentenceStatus::InPart { clauses: vec![first], without: "the sign".to_owned() },
        SentenceStatus::NotEncoded("no form".to_owned()),
        SentenceStatus::Encoded(vec![citation("MINE/my_turn/4", CarriedBy::ByDeclaration)]),
        SentenceStatus::NotEncoded("no form".to_owned()),
        SentenceStatus::Encoded(vec![citation("MINE/my_turn/6", CarriedBy::ByStatements)]),
        SentenceStatus::Fact,
    ];
    assert_eq!(account.sections[1].sentences, sentences);
    let shares = Shares {
        sentences: 9,
        by_statements: 2,
        by_declaration: 1,
        in_part: 1,
        facts: 1,
        informative: 2,
        not_encoded: 2,
        missing: 0,
    };
    assert_eq!(account.shares(), shares);
    assert_eq!((shares.encoded(), shares.normative(), shares.per_cent_encoded()), (4, 7, 57));
}

#[test]
fn what_is_not_accounted_for_is_found() {
    let missing = account(&CLAUSES.replace("[1, 2]", "[1]").replace("[6]", "[1, 4]"));
    assert_eq!(missing.missing(), [("Instructions / my_turn", 2), ("Instructions / my_turn", 6)]);
    assert!(!missing.is_complete());

    let overlap = account(&CLAUSES.replace("[6]", "[5, 6]"));
    let clauses = vec![citation("MINE/my_turn/5,6", CarriedBy::ByStatements)];
    let expected = Overlap {
        section: "Instructions / my_turn".to_owned(),
        sentence: 5,
        clauses,
        why: "no form".to_owned(),
    };
    assert_eq!(overlap.overlaps, [expected]);
    assert!(!overlap.is_complete());

    let stray = |section: &str, sentence, clause: &str| Stray {
        clause: clause.to_owned(),
        section: section.to_owned(),
        sentence,
    };
    let beyond = account(&CLAUSES.replace("[6]", "[6, 8]"));
    assert_eq!(beyond.strays, [stray("my_turn", Some(8), "MINE/my_turn/6,8")]);
    assert!(!beyond.is_complete());

    let unknown =
        account(&CLAUSES.replace("facts section \"my_turn\"", "facts section \"Overview\""));
    assert_eq!(unknown.missing(), [("Instructions / my_turn", 7)]);

    let elsewhere = account(&CLAUSES.replace("[6]", "[6] section \"turn\""));
    assert_eq!(elsewhere.strays, [stray("turn", None, "MINE/my_turn/turn/6")]);
}

#[test]
fn a_section_is_cited_by_the_end_of_its_path() {
    let twice = SMALL.replace("Overview", "Uses / my_turn");
    let ledger = Ledger::parse("l", &twice).unwrap();
    assert_eq!(ledger.section("Uses / my_turn").unwrap().sentences, 2);
    assert_eq!(ledger.section("Instructions / my_turn").unwrap().sentences, 7);
    assert_eq!(ledger.section("my_turn"), None);
    assert_eq!(ledger.section("turn"), None);
}
