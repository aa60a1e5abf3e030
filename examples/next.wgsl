// next.wgsl
enable subgroups;

@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(64)
fn src(@builtin(subgroup_invocation_id) lane: u32) {
    data[lane] = subgroupShuffleDown(data[lane], 1u);
}

@compute @workgroup_size(64)
fn tgt(@builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32) {
    data[lane] = subgroupShuffle(data[lane], (lane + 1u) & (size - 1u));
}
