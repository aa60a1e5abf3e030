// wrapped.comp
#version 460
#extension GL_EXT_expect_assume : require
#extension GL_KHR_shader_subgroup_shuffle : require

uint src(uint x, uint i) {
    assumeEXT(i < 4u);
    return subgroupShuffle(x, i);
}

uint tgt(uint x, uint i) {
    return subgroupShuffle(x, i & 3u);
}
