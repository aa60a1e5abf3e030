//! What the documents say of tokens is written down in full.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::Specification;
use laneproof_semantics::language::fact::TokenFact;

/// The documents that number tokens of their own.
const NUMBERING: [&str; 3] =
    ["SPV_INTEL_subgroups", "SPV_KHR_subgroup_rotate", "SPV_NV_shader_subgroup_partitioned"];

fn facts_of_kind(kind: &str) -> impl Iterator<Item = &'static TokenFact> {
    let facts = Specification::built_in().facts.iter().map(|fact| &**fact);
    facts.filter(move |fact| &*fact.kind == kind)
}

#[test]
fn every_instruction_that_a_document_defines_has_its_row() {
    let specification = Specification::built_in();
    let mut defined = 0;
    for instruction in specification.instructions.values() {
        if !NUMBERING.contains(&&*instruction.document) {
            continue;
        }
        defined += 1;
        let name = &*instruction.name;
        let own = specification.facts_of(name).filter(|it| it.document == instruction.document);
        let rows: Vec<_> = own.filter(|fact| fact.words.is_some()).collect();
        assert_eq!(rows.len(), 1, "{name}");
        let row = rows[0];
        assert!(row.number.is_some() && !row.operands.is_empty(), "{name}");
        assert!(!row.capabilities.is_empty() && row.section.contains("Instructions"), "{name}");
    }
    assert_eq!(defined, 8 + 1 + 1);
}

/// As often as the documents state a number: in tables of tokens, of capabilities and of group
/// operations, and in the rows of instructions.
#[test]
fn every_number_is_a_fact() {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    for fact in &Specification::built_in().facts {
        *numbers.entry(&fact.document).or_default() += u32::from(fact.number.is_some());
    }
    let expected = [("SPV_INTEL_subgroups", 11 + 3 + 8), ("SPV_KHR_subgroup_rotate", 1 + 1)];
    let partition = ("SPV_NV_shader_subgroup_partitioned", 5 + 3 + 1 + 1);
    let none = [("cl_intel_spirv_subgroups", 0), ("level_zero", 0)];
    assert_eq!(numbers, expected.into_iter().chain([partition]).chain(none).collect());
}

#[test]
fn an_operand_list_has_as_many_words_as_it_says() {
    let mut rows = 0;
    for fact in facts_of_kind("Opcode") {
        let Some(words) = fact.words else { continue };
        let (optional, needed): (Vec<_>, Vec<_>) =
            fact.operands.iter().partition(|operand| operand.optional);
        assert_eq!(words.least as usize, 1 + needed.len(), "{}", fact.token);
        assert_eq!(words.more, !optional.is_empty(), "{}", fact.token);
        rows += 1;
    }
    assert_eq!(rows, 10);
}

/// Instructions of which the documents only say that they may occur or how types are declared.
const NOT_EXECUTED: [&str; 8] = [
    "OpEntryPoint",
    "OpExtension",
    "OpFunction",
    "OpFunctionParameter",
    "OpMemoryModel",
    // They read and write images one lane at a time.
    "OpImageRead",
    "OpImageSampleExplicitLod",
    "OpImageWrite",
];

#[test]
fn every_instruction_and_built_in_that_is_named_has_clauses() {
    let specification = Specification::built_in();
    let mut named = BTreeSet::new();
    for fact in facts_of_kind("Opcode").filter(|fact| !fact.token.starts_with("OpType")) {
        let known = specification.instructions.get(&fact.token);
        let has_clauses = known.is_some_and(|it| !it.clauses.is_empty());
        assert!(has_clauses || NOT_EXECUTED.contains(&&*fact.token), "{}", fact.token);
        named.insert(&fact.token);
    }
    for fact in facts_of_kind("BuiltIn").filter(|fact| &*fact.token != "SubGroupSize") {
        assert!(specification.built_ins.contains_key(&fact.token), "{}", fact.token);
        named.insert(&fact.token);
    }
    assert_eq!(named.len(), 79);
}
