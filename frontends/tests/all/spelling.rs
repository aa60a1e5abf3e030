//! Names of built-ins in shading languages map to instructions.
#![allow(missing_docs, clippy::unwrap_used)]

use laneproof_frontends::in_spirv;

#[test]
fn names_are_found_in_any_case_and_nothing_else_is() {
    assert_eq!(in_spirv("SUBGROUPROTATE"), ["OpGroupNonUniformRotateKHR"]);
    assert_eq!(in_spirv("subgroupPartitionedExclusiveMulNV").len(), 2);
    assert!(in_spirv("subgroup").is_empty());
    assert!(in_spirv("").is_empty());
}
