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

#[test]
fn operations_have_names_in_every_language() {
    for name in ["subgroupMin", "WaveActiveMin", "sub_group_non_uniform_reduce_min"] {
        assert_eq!(in_spirv(name).len(), 3, "{name}");
    }
    assert_eq!(in_spirv("sub_group_reduce_add"), ["OpGroupIAdd", "OpGroupFAdd"]);
    assert_eq!(in_spirv("WavePrefixSum"), in_spirv("subgroupExclusiveAdd"));
    assert_eq!(in_spirv("get_max_sub_group_size"), ["SubgroupMaxSize"]);
    // OpenCL C has no product over a subgroup that must converge, HLSL no scan of minima.
    assert!(in_spirv("sub_group_reduce_mul").is_empty());
    assert!(in_spirv("WavePrefixMin").is_empty());
}
