// scan.comp
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

uint src(uint x) {
    return subgroupExclusiveAdd(x);
}

uint tgt(uint x) {
    uint before = subgroupShuffleUp(subgroupInclusiveAdd(x), 1u);
    return gl_SubgroupInvocationID == 0u ? 0u : before;
}
