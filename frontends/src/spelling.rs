//! The SPIR-V names of subgroup built-ins of shading languages.

/// A group operation's name in GLSL, in WGSL and HLSL where it has one, and the ends of the names
/// of its instructions.
const OPERATIONS: [(&str, &[&str]); 7] = [
    ("Add", &["IAdd", "FAdd"]),
    ("Mul", &["IMul", "FMul"]),
    ("Min", &["SMin", "UMin", "FMin"]),
    ("Max", &["SMax", "UMax", "FMax"]),
    ("And", &["BitwiseAnd", "LogicalAnd"]),
    ("Or", &["BitwiseOr", "LogicalOr"]),
    ("Xor", &["BitwiseXor", "LogicalXor"]),
];

/// Prefixes of group operations. WGSL has the first three of them, without minimum, maximum and the
/// like of scans.
const FORMS: [&str; 7] = [
    "subgroup",
    "subgroupInclusive",
    "subgroupExclusive",
    "subgroupClustered",
    "subgroupPartitioned",
    "subgroupPartitionedInclusive",
    "subgroupPartitionedExclusive",
];

/// Everything that is no group operation: names in GLSL, WGSL, HLSL and OpenCL C, and what they
/// are in SPIR-V.
const OTHERS: &[(&[&str], &str)] = &[
    (&["subgroupElect", "WaveIsFirstLane"], "OpGroupNonUniformElect"),
    (&["subgroupAll", "WaveActiveAllTrue"], "OpGroupNonUniformAll"),
    (&["subgroupAny", "WaveActiveAnyTrue"], "OpGroupNonUniformAny"),
    (&["subgroupAllEqual", "WaveActiveAllEqual"], "OpGroupNonUniformAllEqual"),
    (&["subgroupBroadcast"], "OpGroupNonUniformBroadcast"),
    (&["subgroupBroadcastFirst", "WaveReadLaneFirst"], "OpGroupNonUniformBroadcastFirst"),
    (&["subgroupBallot", "WaveActiveBallot"], "OpGroupNonUniformBallot"),
    (&["subgroupInverseBallot"], "OpGroupNonUniformInverseBallot"),
    (&["subgroupBallotBitExtract"], "OpGroupNonUniformBallotBitExtract"),
    (
        &[
            "subgroupBallotBitCount",
            "subgroupBallotInclusiveBitCount",
            "subgroupBallotExclusiveBitCount",
            "WaveActiveCountBits",
            "WavePrefixCountBits",
        ],
        "OpGroupNonUniformBallotBitCount",
    ),
    (&["subgroupBallotFindLSB"], "OpGroupNonUniformBallotFindLSB"),
    (&["subgroupBallotFindMSB"], "OpGroupNonUniformBallotFindMSB"),
    (&["subgroupShuffle", "WaveReadLaneAt"], "OpGroupNonUniformShuffle"),
    (&["subgroupShuffleXor"], "OpGroupNonUniformShuffleXor"),
    (&["subgroupShuffleUp"], "OpGroupNonUniformShuffleUp"),
    (&["subgroupShuffleDown"], "OpGroupNonUniformShuffleDown"),
    (
        &["subgroupRotate", "subgroupClusteredRotate", "sub_group_rotate"],
        "OpGroupNonUniformRotateKHR",
    ),
    (
        &["subgroupQuadBroadcast", "quadBroadcast", "QuadReadLaneAt"],
        "OpGroupNonUniformQuadBroadcast",
    ),
    (
        &[
            "subgroupQuadSwapHorizontal",
            "subgroupQuadSwapVertical",
            "subgroupQuadSwapDiagonal",
            "quadSwapX",
            "quadSwapY",
            "quadSwapDiagonal",
            "QuadReadAcrossX",
            "QuadReadAcrossY",
            "QuadReadAcrossDiagonal",
        ],
        "OpGroupNonUniformQuadSwap",
    ),
    (&["subgroupQuadAll", "QuadAll"], "OpGroupNonUniformQuadAllKHR"),
    (&["subgroupQuadAny", "QuadAny"], "OpGroupNonUniformQuadAnyKHR"),
    (&["subgroupPartitionNV"], "OpGroupNonUniformPartitionNV"),
    (&["subgroupBarrier", "sub_group_barrier"], "OpControlBarrier"),
    (&["ballotARB"], "OpSubgroupBallotKHR"),
    (&["readInvocationARB"], "OpSubgroupReadInvocationKHR"),
    (&["readFirstInvocationARB"], "OpSubgroupFirstInvocationKHR"),
    (&["allInvocationsARB"], "OpSubgroupAllKHR"),
    (&["anyInvocationARB"], "OpSubgroupAnyKHR"),
    (&["allInvocationsEqualARB"], "OpSubgroupAllEqualKHR"),
    (&["intel_sub_group_shuffle"], "OpSubgroupShuffleINTEL"),
    (&["intel_sub_group_shuffle_up"], "OpSubgroupShuffleUpINTEL"),
    (&["intel_sub_group_shuffle_down"], "OpSubgroupShuffleDownINTEL"),
    (&["intel_sub_group_shuffle_xor"], "OpSubgroupShuffleXorINTEL"),
    (&["intel_sub_group_block_read"], "OpSubgroupBlockReadINTEL"),
    (&["intel_sub_group_block_write"], "OpSubgroupBlockWriteINTEL"),
    (&["sub_group_all"], "OpGroupAll"),
    (&["sub_group_any"], "OpGroupAny"),
    (&["sub_group_broadcast"], "OpGroupBroadcast"),
    (&["gl_SubgroupSize", "subgroup_size", "WaveGetLaneCount"], "SubgroupSize"),
    (
        &["gl_SubgroupInvocationID", "subgroup_invocation_id", "WaveGetLaneIndex"],
        "SubgroupLocalInvocationId",
    ),
    (&["gl_SubgroupID", "subgroup_id"], "SubgroupId"),
    (&["gl_NumSubgroups", "num_subgroups"], "NumSubgroups"),
    (&["gl_SubgroupEqMask"], "SubgroupEqMask"),
    (&["gl_SubgroupGeMask"], "SubgroupGeMask"),
    (&["gl_SubgroupGtMask"], "SubgroupGtMask"),
    (&["gl_SubgroupLeMask"], "SubgroupLeMask"),
    (&["gl_SubgroupLtMask"], "SubgroupLtMask"),
];

/// The instructions and built-ins of SPIR-V that a built-in of a shading language compiles to, by
/// its name in any case; empty where it is no subgroup built-in.
pub fn in_spirv(name: &str) -> Vec<String> {
    let others = OTHERS.iter().filter(|(names, _)| names.iter().any(|it| alike(it, name)));
    let found: Vec<String> = others.map(|(_, spirv)| (*spirv).to_owned()).collect();
    if !found.is_empty() {
        return found;
    }
    let written = OPERATIONS.iter().find(|(operation, _)| {
        FORMS.iter().any(|form| {
            let plain = format!("{form}{operation}");
            alike(&plain, name) || alike(&format!("{plain}NV"), name)
        })
    });
    let (_, instructions) = written.copied().unwrap_or(("", &[]));
    instructions.iter().map(|it| format!("OpGroupNonUniform{it}")).collect()
}

fn alike(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Every name that [`in_spirv`] knows, beside what it gives.
pub fn spellings() -> Vec<(String, Vec<String>)> {
    let others = OTHERS.iter().flat_map(|(names, _)| names.iter().map(|it| (*it).to_owned()));
    let operations = FORMS.iter().flat_map(|form| {
        let end = if form.contains("Partitioned") { "NV" } else { "" };
        OPERATIONS.iter().map(move |(operation, _)| format!("{form}{operation}{end}"))
    });
    let names = others.chain(operations);
    names.map(|name| (in_spirv(&name), name)).map(|(spirv, name)| (name, spirv)).collect()
}
