//! The files that are compiled in form one sound specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{SpecInstruction, Statement};

fn gives_result(statement: &Statement) -> bool {
    match statement {
        Statement::Result(..) | Statement::ResultsSuchThat(_) => true,
        other => other.nested().into_iter().flatten().any(gives_result),
    }
}

fn has_result_clause(instruction: &SpecInstruction) -> bool {
    let statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
    statements.map(|(statement, _)| statement).any(gives_result)
}

#[test]
fn every_family_is_there() {
    let specification = Specification::built_in();
    let expected = [
        ("OpGroupNonUniform", 38),
        ("OpGroup", 59),
        ("OpSubgroup", 14),
        ("OpFOrd", 6),
        ("OpFUnord", 6),
        ("OpConvert", 6),
        ("OpLogical", 5),
        ("OpShift", 3),
        ("OpBit", 9),
        ("OpComposite", 3),
        ("OpAtomic", 21),
        ("OpVector", 4),
    ];
    for (prefix, count) in expected {
        let names = specification.instructions.keys();
        let found = names.filter(|name| name.starts_with(prefix)).count();
        assert_eq!(found, count, "instructions {prefix}…");
    }
}

#[test]
fn every_result_is_given_by_a_clause() {
    let specification = Specification::built_in();
    let instructions = specification.instructions.values();
    let silent: Vec<&str> = instructions
        .filter(|instruction| instruction.result.is_some() && !has_result_clause(instruction))
        .map(|instruction| &*instruction.name)
        .collect();
    // An event is nothing that a lane holds.
    assert_eq!(silent, ["OpGroupAsyncCopy"]);
    assert_eq!(specification.instructions.len(), 283);
}

#[test]
fn clauses_are_cited_and_worded() {
    let specification = Specification::built_in();
    let documents: BTreeSet<_> =
        specification.documents.iter().map(|document| &document.name).collect();
    let instructions = specification.instructions.values().flat_map(|known| &known.clauses);
    let built_ins = specification.built_ins.values().flat_map(|known| &known.clauses);
    let mut seen = 0;
    for clause in instructions.chain(built_ins) {
        assert!(documents.contains(&clause.document), "{} cites no document", clause.id);
        assert!(!clause.sentences.is_empty(), "{} cites no sentence", clause.id);
        assert!(clause.wording.len() > 8, "{} says nothing", clause.id);
        assert!(!clause.wording.ends_with('.'), "{} is worded as a sentence", clause.id);
        seen += 1;
    }
    assert_eq!(seen, 582);
}

#[test]
fn documents_have_a_title_and_a_revision() {
    let specification = Specification::built_in();
    for document in &specification.documents {
        assert!(!document.title.is_empty(), "{} has no title", document.name);
        assert!(!document.revision.is_empty(), "{} has no revision", document.name);
    }
    assert_eq!(specification.documents.len(), 21);
}

/// Clauses and texts of one document are of one revision of it, and the extensions' revisions are
/// those that their registry has last.
#[test]
fn revisions_are_those_that_were_read() {
    let specification = Specification::built_in();
    let revision = |name: &str| {
        let known = specification.documents.iter().find(|document| &*document.name == name);
        known.map(|document| document.revision.to_string())
    };
    let mut shared = 0;
    for document in &AsWritten::built_in().specification.documents {
        let Some(other) = revision(&document.name) else { continue };
        assert_eq!(other, *document.revision, "{}", document.name);
        shared += 1;
    }
    assert_eq!(shared, 5);
    let published = [
        ("SPV_KHR_shader_ballot", "11"),
        ("SPV_KHR_subgroup_vote", "6"),
        ("SPV_KHR_subgroup_rotate", "1"),
        ("SPV_KHR_quad_control", "1"),
        ("SPV_KHR_uniform_group_instructions", "1"),
        ("SPV_EXT_shader_atomic_float_add", "2"),
        ("SPV_EXT_shader_atomic_float_min_max", "2"),
        ("SPV_EXT_shader_atomic_float16_add", "1"),
        ("SPV_INTEL_bfloat16_conversion", "1"),
        ("SPV_INTEL_subgroups", "2"),
        ("SPV_NV_shader_subgroup_partitioned", "1"),
    ];
    for (name, number) in published {
        assert_eq!(revision(name).as_deref(), Some(number), "{name}");
    }
}

#[test]
fn profiles_settle_every_reading_but_literal() {
    let specification = Specification::built_in();
    for (name, profile) in &specification.profiles {
        let settled: BTreeSet<_> = profile.settles.iter().map(|(reading, _)| reading).collect();
        let expected = if &**name == "literal" { 0 } else { specification.readings.len() };
        assert_eq!(settled.len(), expected, "readings that {name} settles");
        assert_eq!(settled.len(), profile.settles.len(), "{name} settles a reading twice");
    }
    assert_eq!(specification.profiles.len(), 4);
}

#[test]
fn the_example_of_the_reference_is_accepted() {
    let reference = include_str!("../../spec/LANGUAGE.md");
    let example = reference.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let specification = Specification::built_in().extended_with("example.lps", example).unwrap();
    assert!(specification.instructions["my_swizzle"].primitive);
    assert_eq!(specification.sources.len(), Specification::built_in().sources.len() + 1);
}

#[test]
fn places_lead_to_lines() {
    let specification = Specification::built_in();
    for instruction in specification.instructions.values() {
        let (file, line) = specification.locate(instruction.span).unwrap();
        let source = specification.sources.iter().find(|source| &*source.name == file).unwrap();
        let text = source.text.lines().nth(line - 1).unwrap();
        assert!(text.contains(&*instruction.name), "{file}:{line} does not declare it: {text}");
    }
}

#[test]
fn clauses_are_found_by_name() {
    let specification = Specification::built_in();
    let name = "SPV_KHR_subgroup_rotate/OpGroupNonUniformRotateKHR/5";
    assert_eq!(specification.clause(name).unwrap().sentences, [5]);
    assert!(
        specification.clause("SPV_KHR_subgroup_rotate/OpGroupNonUniformRotateKHR/99").is_none()
    );
}
