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
