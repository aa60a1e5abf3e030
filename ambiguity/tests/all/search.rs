//! What a search finds, and what it does not find, in sentences that were written for it.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use laneproof_ambiguity::{
    Finding, FindingKind, Harmless, Quotes, SearchOptions, SearchReport, extent, search,
};
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Alternative, Expr, ExprKind};
use laneproof_semantics::language::intrinsic::{Family, Intrinsic};

/// The kinds of choice points, with one file of sentences and no other.
fn searched(file: &str) -> SearchReport {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../semantics/text");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/texts");
    let read = |path: String| (path.clone(), std::fs::read_to_string(path).unwrap());
    let files = ["kinds.lps", "words.lps"].map(|name| read(format!("{folder}/{name}")));
    let files = files.into_iter().chain([read(format!("{own}/{file}"))]).collect();
    let texts = AsWritten::from_files(files).unwrap();
    search(&texts, &SearchOptions::default(), || {})
}

#[test]
fn sound_sentences_yield_nothing() {
    let report = searched("sound.lps");
    assert_eq!(report.instructions.len(), 2);
    let ids: Vec<&str> = report.findings.iter().map(|finding| finding.id.as_str()).collect();
    assert_eq!(ids, [""; 0]);
    assert_eq!(report.unsearched, BTreeSet::new());
}

#[test]
fn each_planted_fault_is_found_with_its_smallest_state() {
    let report = searched("planted.lps");
    assert_eq!(report.unsearched, BTreeSet::new());
    // Kind and instruction, then how many lanes exist and S where a state shows it.
    let expected = [
        ("OpPlantedPastTheEnd", "gap/lane-at-max-size/PLANTED_extension", Some((1, 1))),
        ("OpPlantedPastTheEnd", "gap/out-of-range/PLANTED_extension", Some((1, 1))),
        ("OpPlantedWrap", "divergence/unsigned-arithmetic/PLANTED_extension", Some((2, 2))),
        ("OpPlantedTwice", "overlap/two-results/PLANTED_extension", Some((1, 1))),
        ("OpPlantedNever", "dead-clause/PLANTED_extension/OpPlantedNever/2", None),
        // A word without a consequence where it is read one way, nothing at all where another.
        ("OpPlantedSilences", "divergence/range-of-lanes/PLANTED_extension", Some((1, 1))),
        ("OpPlantedPrivate", "divergence/whose-operand/PLANTED_extension/Lane", Some((2, 2))),
        // Kinds that are about numbers, whatever these count.
        ("OpPlantedEdge", "divergence/edge-element/PLANTED_extension", Some((2, 2))),
        ("OpPlantedUnits", "divergence/number-in-units/PLANTED_extension", Some((1, 1))),
        ("OpPlantedUpTo", "divergence/inclusive-bound/PLANTED_extension", Some((1, 1))),
    ];
    for (instruction, id, state) in expected {
        let found = report.findings.iter().find(|finding| finding.id == id);
        let found = found.unwrap_or_else(|| panic!("{id} in {:?}", ids(&report)));
        assert!(found.instructions.contains(instruction), "{id}: {:?}", found.instructions);
        let shown = found.evidence.witness.as_ref().map(|it| (it.existing, it.subgroup_size));
        assert_eq!(shown, state, "{id}");
    }
}

/// A kind is about numbers, lanes and values: it asks nothing of memory, as only some instructions
/// have any, and so it stands for no single sentence.
#[test]
fn kinds_are_about_plain_terms() {
    fn asks_memory(expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::Call(name, _) => Intrinsic::named(name),
            _ => None,
        };
        own.is_some_and(|it| it.row().family == Family::Memory)
            || expr.parts().into_iter().any(asks_memory)
    }
    let kinds = &AsWritten::built_in().specification.kinds;
    let special = kinds.iter().filter(|kind| {
        let mut ways = kind.alternatives.iter().map(|(_, way)| way);
        ways.any(|way| matches!(way, Alternative::Expression(expr) if asks_memory(expr)))
    });
    let special: Vec<&str> = special.map(|kind| &*kind.name).collect();
    assert!(!kinds.is_empty());
    assert_eq!(special, [""; 0]);
}

/// What is moved or compared tells where it comes from: a zero shows nothing, but where it is compared
/// with another zero.
#[test]
fn what_is_moved_or_compared_is_not_zero() {
    let names = ["PartitionNV", "ImageBlockWrite"].map(str::to_owned);
    let options = SearchOptions { names: &names, ..SearchOptions::default() };
    let report = search(AsWritten::built_in(), &options, || {});
    let mut shown = 0;
    for finding in &report.findings {
        let Some(witness) = &finding.evidence.witness else { continue };
        for operand in ["Value", "Data"] {
            let Some(value) = witness.operands.get(operand) else { continue };
            shown += 1;
            let apart = witness.floats.contains_key(operand) && witness.lanes.contains_key(operand);
            assert!(*value != "0x0" || apart, "{}: {witness:?}", finding.id);
        }
    }
    assert!(shown >= 8, "{shown}: {:?}", ids(&report));
}

#[test]
fn sound_sentences_about_memory_yield_nothing() {
    let report = searched("sound_memory.lps");
    assert_eq!(report.instructions.len(), 2);
    assert!(report.forms >= 3, "{}", report.forms);
    assert_eq!(ids(&report), [""; 0]);
    assert_eq!(report.unsearched, BTreeSet::new());
}

#[test]
fn each_planted_fault_of_memory_is_found_and_what_no_state_has_is_named() {
    let report = searched("planted_memory.lps");
    let expected = [
        ("OpPlantedOutside", "gap/outside-of-memory/PLANTED_memory"),
        ("OpPlantedAligned", "gap/unmet-must/PLANTED_memory/2"),
        ("OpPlantedAligned", "gap/stores-meet/PLANTED_memory"),
        ("OpPlantedWhose", "divergence/whose-operand/PLANTED_memory/Ptr"),
        ("OpPlantedNowhere", "gap/nothing-said/PLANTED_memory"),
    ];
    for (instruction, id) in expected {
        let found = report.findings.iter().find(|finding| finding.id == id);
        let found = found.unwrap_or_else(|| panic!("{id} in {:?}", ids(&report)));
        assert!(found.instructions.contains(instruction), "{id}: {:?}", found.instructions);
        let witness = found.evidence.witness.as_ref().unwrap();
        assert_eq!(witness.memory.len(), 1, "{id}");
        assert!(witness.existing <= 2, "{id}: {witness:?}");
    }
    // The first address that is no multiple of 32, and that every machine has.
    let must =
        report.findings.iter().find(|it| it.id == "gap/unmet-must/PLANTED_memory/2").unwrap();
    let witness = must.evidence.witness.as_ref().unwrap();
    assert_eq!(witness.operands["Ptr"], "0x4");
    let unsearched: Vec<&String> = report.unsearched.iter().collect();
    assert!(
        matches!(*unsearched, [one] if one.starts_with("OpPlantedUnheard (PLANTED_memory): ")),
        "{unsearched:?}"
    );
}

fn ids(report: &SearchReport) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.id.as_str()).collect()
}

/// Of the built-in documents: in its witness a divergence is one, and a gap is silent or named.
#[test]
fn every_finding_shows_in_its_witness() {
    let names = ["rotate", "shuffle", "ImageBlockWrite"].map(str::to_owned);
    let quotes = Quotes::built_in().unwrap();
    let options =
        SearchOptions { names: &names, quotes: Some(&quotes), ..SearchOptions::default() };
    let report = search(AsWritten::built_in(), &options, || {});
    let nowhere = report.findings.iter().find(|finding| finding.places.is_empty());
    assert!(nowhere.is_none(), "{}", nowhere.unwrap().id);
    let shown: Vec<&Finding> =
        report.findings.iter().filter(|it| it.evidence.witness.is_some()).collect();
    assert!(shown.len() > 10, "{:?}", ids(&report));
    // What says which row is meant is as small as it may be.
    let must = shown.iter().find(|it| it.id == "gap/unmet-must/cl_intel_spirv_subgroups/27");
    let coordinate = &must.unwrap().evidence.witness.as_ref().unwrap().operands["Coordinate"];
    assert_eq!(*coordinate, serde_json::json!(["0x1", "0x0"]));
    // What makes no difference is quoted in our words, too, and asks about operands by their names.
    let ours =
        |it: &Harmless| it.place.ends_with("\u{201d})") && it.place.contains("(in our words: ");
    assert!(report.harmless.iter().all(ours), "{:?}", report.harmless);
    let questions: BTreeSet<&str> = report.harmless.iter().map(|it| &*it.question).collect();
    assert!(questions.contains("Is InvocationId a signed or an unsigned number?"), "{questions:?}");
    for finding in shown {
        let outcomes: BTreeSet<&str> =
            finding.readings.iter().map(|read| read.outcome.as_str()).collect();
        match finding.kind {
            FindingKind::Divergence => assert!(outcomes.len() > 1, "{}", finding.id),
            FindingKind::Gap => {
                let silent = |it: &&str| {
                    it.starts_with("the text does not say")
                        || it.starts_with("a sentence is met that names no consequence")
                };
                assert!(outcomes.iter().any(silent) || outcomes.len() > 1, "{}", finding.id);
            }
            _ => {}
        }
    }
}

/// A name that there is not is said to be none, with the one that may be meant.
#[test]
fn a_name_that_there_is_not_is_found_in_its_formula() {
    let text = "document PLANTED_name revision 1 \"Planted\"\n\ninstruction OpPlantedName\n  section \
                \"Name\"\n  operands Value : T\n  result T\n  where T : scalar of u32\n  [1] \"The \
                result is Value\" result is Valu\n";
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    let id = "ill-typed/sorts-do-not-fit/PLANTED_name";
    let finding = report.findings.iter().find(|it| it.id == id);
    let finding = finding.unwrap_or_else(|| panic!("{:?}", ids(&report)));
    let summary = "The formula for a sentence (\u{201c}The result is Value\u{201d}) does not fit \
                   together: there is no `Valu` here (unknown name).";
    assert_eq!(finding.summary, summary);
    assert!(finding.remedy.contains("Value"), "{}", finding.remedy);
}

/// What an instruction lacks that its family has is found of its section, not of a sentence of another.
#[test]
fn what_an_instruction_lacks_is_found_in_its_section() {
    let text = "document PLANTED_family revision 1 \"Planted\"\n\ninstruction \
                OpGroupNonUniformPlantedEXT\n  section \"Instructions\"\n  operands Value : T\n  result \
                T\n  where T : scalar of u32\n  [1] section \"Overview\" \"The result is Value\" result \
                is Value\n";
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    assert_eq!(ids(&report), ["gap/operand-of-the-family/PLANTED_family/Execution"]);
    let places: Vec<&str> = report.findings[0].clauses.iter().map(String::as_str).collect();
    assert_eq!(places, ["PLANTED_family, Instructions"]);
}

/// A token that a text adds for some of the instructions that have such an operand; where it names
/// all of them nothing is found.
#[test]
fn a_token_for_some_of_its_takers_is_found() {
    let text = |rules: &str| {
        format!(
            "document PLANTED_operation revision 1 \"Planted\"\n\nfacts section \"Tokens\"\n  \
             GroupOperation PlantedReduceEXT = 90\n  \
             Opcode OpGroupIAdd adds operands Mask optional\n{rules}"
        )
    };
    let found = |text: String| -> Vec<String> {
        let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text)]).unwrap();
        let report = search(&texts, &SearchOptions::default(), || {});
        report.findings.into_iter().map(|finding| finding.id).collect()
    };
    let id = "gap/GroupOperation-for-other-instructions/PLANTED_operation";
    assert_eq!(found(text("")), [id]);
    let rules = "\nrules section \"Operations\"\n  [1] \"For no other\"\n    \
                 forbids Operation of OpGroup* : PlantedReduceEXT\n";
    assert_eq!(found(text(rules)), [""; 0]);
}

/// Two documents that say the same of an instruction are searched once, and what is found is found of
/// both; one that says it of fewer states is searched by itself.
#[test]
fn documents_that_copied_from_each_other_are_searched_once() {
    let added = |document: &str, condition: &str| {
        format!(
            "\ndocument {document} revision 1 \"Adds\"\n\nextend OpPlantedCopy\n  section \
             \"Notes\"\n  [1] \"Undefined results of lanes that are not active\"\n    let \
             named_in_{document} = unsigned(Lane)\n    \"undefined-results\" when \
             inactive(named_in_{document}){condition}\n"
        )
    };
    let text = |condition: &str| {
        let own = "document PLANTED_copy revision 1 \"Planted\"\n\ninstruction OpPlantedCopy\n  \
                   section \"Copy\"\n  operands Value : T, Lane : u32\n  result T\n  where T : \
                   scalar of int\n\n  [1] \"Value of the lane\" result is Value at \
                   unsigned(Lane)\n  [2] \"Lane may differ\" varies Lane\n";
        format!("{own}{}{}", added("PLANTED_one", ""), added("PLANTED_two", condition))
    };
    let searched = |condition: &str| {
        let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text(condition))]).unwrap();
        (
            extent(&texts, &SearchOptions::default()),
            search(&texts, &SearchOptions::default(), || {}),
        )
    };
    let (accounts, report) = searched("");
    assert_eq!(accounts, 2);
    let found = report.findings.iter().find(|it| it.id.starts_with("gap/undefined-results/"));
    let found = found.unwrap_or_else(|| panic!("{:?}", ids(&report)));
    let documents: Vec<&str> = found.documents.iter().map(String::as_str).collect();
    assert_eq!(documents, ["PLANTED_copy", "PLANTED_one", "PLANTED_two"]);
    assert_eq!(found.clauses.len(), 2, "{:?}", found.clauses);
    let (accounts, _) = searched(" and id = 0");
    assert_eq!(accounts, 3);
}

/// A state that shows a finding has values, and the readings differ in it, however hard it is to find.
#[test]
fn operands_of_a_witness_have_values() {
    let text = "document PLANTED_mirror revision 1 \"Planted\"\n\ninstruction OpPlantedMirror\n  \
                section \"Mirror\"\n  operands Value : T, Offset : u32\n  result T\n  where T : scalar \
                of int\n\n  [1] \"Else behavior is undefined\" undefined behavior unless \
                uniform(Offset)\n  [2] \"Where it is\" let source = (SubgroupSize - 1 - id + \
                unsigned(Offset)) % SubgroupSize\n  [3] \"Its Value\" result is Value at source\n  [4] \
                \"Else none\" undefined value unless exists(source) and active(source)\n";
    let texts = AsWritten::alone(vec![("mine.lps".to_owned(), text.to_owned())]).unwrap();
    let report = search(&texts, &SearchOptions::default(), || {});
    assert_eq!(ids(&report), ["divergence/index-arithmetic/PLANTED_mirror"]);
    let finding = &report.findings[0];
    let witness = finding.evidence.witness.as_ref().unwrap();
    assert!(witness.operands["Offset"].is_string(), "{witness:?}");
    let outcomes: BTreeSet<&str> = finding.readings.iter().map(|it| it.outcome.as_str()).collect();
    assert!(outcomes.len() > 1, "{outcomes:?}");
}
