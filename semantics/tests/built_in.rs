//! The files that are compiled in form one well-formed specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_semantics::Specification;

#[test]
fn built_in_files_are_well_formed() {
    let specification = Specification::built_in();
    assert!(!specification.instructions.is_empty(), "no instruction was read");
    assert!(specification.instructions.contains_key("OpGroupNonUniformRotateKHR"));
}
