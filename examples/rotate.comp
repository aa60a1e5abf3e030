// rotate.comp
#version 460
#extension GL_KHR_shader_subgroup_rotate : require
#extension GL_KHR_shader_subgroup_shuffle : require

uint src(uint x) { return subgroupRotate(x, 1); }

uint tgt(uint x) {
    uint next = gl_SubgroupInvocationID + 1;
    return subgroupShuffle(x, next);
}
