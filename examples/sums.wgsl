// sums.wgsl
enable subgroups;

fn src(x: u32, y: u32) -> u32 {
    return subgroupAdd(x) + subgroupAdd(y);
}

fn tgt(x: u32, y: u32) -> u32 {
    return subgroupAdd(x + y);
}
