// difference.comp
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

uint src(uint x) {
    return subgroupExclusiveAdd(x);
}

uint tgt(uint x) {
    return subgroupInclusiveAdd(x) - x;
}
