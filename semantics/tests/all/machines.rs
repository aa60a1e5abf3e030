//! The machines' files: primitives only, cited, and apart from the specification.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_semantics::{Specification, machine, machines};

#[test]
fn machines_bring_primitives_that_the_specification_has_not() {
    let built_in = Specification::built_in();
    assert!(built_in.instructions.values().all(|instruction| !instruction.primitive));
    // All together: no two machines have a primitive of one name.
    let mut all = built_in.clone();
    for name in machines() {
        all = all.extended_with(name, machine(name).unwrap()).unwrap_or_else(|error| {
            panic!("{:?}", miette::Report::new(error));
        });
        assert!(all.documents.iter().any(|document| name == format!("{}.lps", document.name)));
    }
    let mut seen = 0;
    for instruction in all.instructions.values().filter(|it| it.primitive) {
        let known = |section: &str| !section.is_empty();
        for clause in &instruction.clauses {
            assert!(known(&clause.section), "{} cites no section", clause.id);
            assert!(clause.wording.len() > 8, "{} says nothing", clause.id);
        }
        assert!(!instruction.clauses.is_empty(), "{} has no clause", instruction.name);
        seen += 1;
    }
    assert_eq!(all.instructions.len(), built_in.instructions.len() + seen);
    assert!(
        machines().len() >= 5 && seen >= 40,
        "{} machines, {seen} primitives",
        machines().len()
    );
}

#[test]
fn an_unknown_machine_is_none() {
    assert_eq!(machine("PDP_11.lps"), None);
}
