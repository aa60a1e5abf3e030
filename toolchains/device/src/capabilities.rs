//! What a device advertises, as SPIR-V's capabilities.

use ash::vk;

/// The capabilities of subgroup operations that a device supports.
pub(crate) fn of_operations(operations: vk::SubgroupFeatureFlags) -> Vec<&'static str> {
    let named = [
        (vk::SubgroupFeatureFlags::BASIC, "GroupNonUniform"),
        (vk::SubgroupFeatureFlags::VOTE, "GroupNonUniformVote"),
        (vk::SubgroupFeatureFlags::ARITHMETIC, "GroupNonUniformArithmetic"),
        (vk::SubgroupFeatureFlags::BALLOT, "GroupNonUniformBallot"),
        (vk::SubgroupFeatureFlags::SHUFFLE, "GroupNonUniformShuffle"),
        (vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE, "GroupNonUniformShuffleRelative"),
        (vk::SubgroupFeatureFlags::CLUSTERED, "GroupNonUniformClustered"),
        (vk::SubgroupFeatureFlags::QUAD, "GroupNonUniformQuad"),
        (vk::SubgroupFeatureFlags::PARTITIONED_NV, "GroupNonUniformPartitionedEXT"),
        (vk::SubgroupFeatureFlags::ROTATE_KHR, "GroupNonUniformRotateKHR"),
    ];
    let has = |flag: vk::SubgroupFeatureFlags| operations.contains(flag);
    named.into_iter().filter(|(flag, _)| has(*flag)).map(|(_, name)| name).collect()
}

/// The capabilities that come with an OpenCL device's extensions.
pub(crate) fn of_extensions(has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    const NAMED: [(&str, &[&str]); 15] = [
        ("cl_khr_subgroups", &["Groups"]),
        ("cl_khr_subgroup_non_uniform_vote", &["GroupNonUniform", "GroupNonUniformVote"]),
        ("cl_khr_subgroup_ballot", &["GroupNonUniform", "GroupNonUniformBallot"]),
        ("cl_khr_subgroup_non_uniform_arithmetic", &["GroupNonUniformArithmetic"]),
        ("cl_khr_subgroup_shuffle", &["GroupNonUniformShuffle"]),
        ("cl_khr_subgroup_shuffle_relative", &["GroupNonUniformShuffleRelative"]),
        ("cl_khr_subgroup_clustered_reduce", &["GroupNonUniformClustered"]),
        ("cl_khr_subgroup_rotate", &["GroupNonUniformRotateKHR"]),
        ("cl_khr_work_group_uniform_arithmetic", &["GroupUniformArithmeticKHR"]),
        ("cl_intel_subgroups", &["SubgroupShuffleINTEL", "SubgroupBufferBlockIOINTEL"]),
        ("cl_khr_fp16", &["Float16"]),
        ("cl_khr_fp64", &["Float64"]),
        ("cl_khr_int64_base_atomics", &["Int64Atomics"]),
        ("cl_khr_expect_assume", &["ExpectAssumeKHR"]),
        ("cl_khr_integer_dot_product", &["DotProductKHR"]),
    ];
    let named = NAMED.into_iter().filter(|(extension, _)| has(extension));
    let mut found: Vec<&str> = named.flat_map(|(_, names)| names).copied().collect();
    // OpenCL's full profile has them.
    found.extend(["Int8", "Int16", "Int64"]);
    found.sort_unstable();
    found.dedup();
    found
}
