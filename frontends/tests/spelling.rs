//! Names of built-ins in shading languages stand for instructions that the grammar knows.
#![allow(missing_docs, clippy::unwrap_used)]

use std::str::FromStr as _;

use laneproof_frontends::{in_spirv, spellings};
use laneproof_module::grammar::INSTRUCTION_TABLE;
use laneproof_module::spirv::BuiltIn;

#[test]
fn every_name_stands_for_something_that_there_is() {
    let all = spellings();
    assert!(all.len() > 100);
    for (name, spirv) in all {
        assert!(!spirv.is_empty(), "{name}");
        for known in spirv {
            let is_op = known
                .strip_prefix("Op")
                .is_some_and(|op| INSTRUCTION_TABLE.iter().any(|it| it.opname == op));
            assert!(is_op || BuiltIn::from_str(&known).is_ok(), "{name}: {known}");
        }
    }
}

#[test]
fn names_are_found_in_any_case_and_nothing_else_is() {
    assert_eq!(in_spirv("SUBGROUPROTATE"), ["OpGroupNonUniformRotateKHR"]);
    assert_eq!(in_spirv("subgroupPartitionedExclusiveMulNV").len(), 2);
    assert!(in_spirv("subgroup").is_empty());
    assert!(in_spirv("").is_empty());
}
