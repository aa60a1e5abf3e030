//! What is printed reads back as the same.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_semantics::Specification;

/// A specification that knows the grammar's enumerants and nothing else.
fn enumerants_only() -> Specification {
    let source = Specification::built_in()
        .sources
        .iter()
        .find(|source| source.text.contains("enumerants Scope"))
        .unwrap();
    Specification::default().extended_with(&source.name, &source.text).unwrap()
}

#[test]
fn a_printed_instruction_reads_back_as_itself() {
    let specification = Specification::built_in();
    let enumerants = enumerants_only();
    let mut clauses = 0;
    for (name, instruction) in &specification.instructions {
        let printed = specification.print_instruction(instruction);
        let again = enumerants
            .extended_with("printed.lps", &printed)
            .unwrap_or_else(|error| panic!("{printed}\n{:?}", miette::Report::new(error)));
        let reread = &again.instructions[name];
        assert_eq!(again.print_instruction(reread), printed, "{name} changes when printed");
        let ids = |clauses: &[std::sync::Arc<laneproof_semantics::language::ast::Clause>]| {
            clauses.iter().map(|clause| clause.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ids(&reread.clauses), ids(&instruction.clauses), "{name} loses clauses");
        clauses += instruction.clauses.len();
    }
    assert_eq!(clauses, 545);
}

#[test]
fn a_printed_built_in_reads_back_as_itself() {
    let specification = Specification::built_in();
    for (name, built_in) in &specification.built_ins {
        let printed = specification.print_built_in(built_in);
        let again = enumerants_only().extended_with("printed.lps", &printed).unwrap();
        assert_eq!(again.print_built_in(&again.built_ins[name]), printed, "{name} changes");
    }
    assert_eq!(specification.built_ins.len(), 22);
}

#[test]
fn instructions_print_as_people_read_them() {
    let specification = Specification::built_in();
    for name in ["OpGroupNonUniformRotateKHR", "OpSubgroupShuffleUpINTEL", "OpGroupNonUniformIAdd"]
    {
        let instruction = &specification.instructions[name];
        insta::assert_snapshot!(name, specification.print_instruction(instruction));
    }
}
