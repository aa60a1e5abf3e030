//! Every sentence of the five documents is accounted for, once.
#![allow(clippy::unwrap_used, missing_docs)]

use laneproof_ambiguity::ledger::{Account, Ledger};
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;

#[test]
fn every_sentence_of_the_documents_is_accounted_for() {
    let texts = &AsWritten::built_in().specification;
    // Sentences, and how many of these are carried in full, in part, say nothing to execute, or
    // are not encoded.
    let expected = [
        ("SPV_INTEL_subgroups", [213, 173, 3, 37, 0]),
        ("SPV_KHR_subgroup_rotate", [70, 43, 0, 27, 0]),
        ("SPV_NV_shader_subgroup_partitioned", [86, 62, 1, 23, 0]),
        ("cl_intel_spirv_subgroups", [118, 80, 2, 36, 0]),
        ("level_zero", [269, 237, 0, 24, 8]),
    ];
    let ledgers = Ledger::built_in().unwrap();
    let mut found = Vec::new();
    for (ledger, _) in &ledgers {
        let account = Account::of(ledger, texts, Specification::built_in());
        assert!(
            account.is_complete(),
            "{}: {:?}, {:?}, {:?}",
            ledger.document,
            account.missing(),
            account.overlaps,
            account.strays
        );
        let shares = account.shares();
        let counts = [
            shares.sentences,
            shares.encoded(),
            shares.in_part,
            shares.informative,
            shares.not_encoded,
        ];
        found.push((ledger.document.as_str(), counts));
    }
    assert_eq!(found, expected);
}

/// Where the text asks for a number and gives a vector; any other such place is a mistake of ours.
#[test]
fn sorts_fit_but_where_the_text_has_it_otherwise() {
    let texts = AsWritten::built_in();
    let places = texts.ill_typed.iter().map(|place| {
        let (file, _) = texts.specification.locate(place.span).unwrap();
        (file, place.found.as_str())
    });
    let expected =
        [("SPV_KHR_subgroup_rotate/rotate.lps", "LocalInvocationId is a vector of three")];
    assert_eq!(places.collect::<Vec<_>>(), expected);
}
