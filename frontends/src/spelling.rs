//! The SPIR-V names of subgroup built-ins of shading languages.

/// What a language calls an operation over a group, and the ends of the names of its instructions.
type Operation = (&'static str, &'static [&'static str]);

/// Names that are made of a form and of an operation.
struct Family {
    /// How the names begin.
    forms: &'static [&'static str],
    operations: &'static [Operation],
    /// How they end.
    end: &'static str,
    /// How the names of their instructions begin.
    instructions: &'static str,
}

/// Operations in GLSL and, where it has them, in WGSL.
const OF_GLSL: &[Operation] = &[
    ("Add", &["IAdd", "FAdd"]),
    ("Mul", &["IMul", "FMul"]),
    ("Min", &["SMin", "UMin", "FMin"]),
    ("Max", &["SMax", "UMax", "FMax"]),
    ("And", &["BitwiseAnd", "LogicalAnd"]),
    ("Or", &["BitwiseOr", "LogicalOr"]),
    ("Xor", &["BitwiseXor", "LogicalXor"]),
];

const OF_HLSL: &[Operation] = &[
    ("Sum", &["IAdd", "FAdd"]),
    ("Product", &["IMul", "FMul"]),
    ("Min", &["SMin", "UMin", "FMin"]),
    ("Max", &["SMax", "UMax", "FMax"]),
    ("BitAnd", &["BitwiseAnd"]),
    ("BitOr", &["BitwiseOr"]),
    ("BitXor", &["BitwiseXor"]),
];

const OF_OPENCL: &[Operation] = &[
    ("add", &["IAdd", "FAdd"]),
    ("min", &["SMin", "UMin", "FMin"]),
    ("max", &["SMax", "UMax", "FMax"]),
    ("mul", &["IMul", "FMul"]),
    ("and", &["BitwiseAnd"]),
    ("or", &["BitwiseOr"]),
    ("xor", &["BitwiseXor"]),
    ("logical_and", &["LogicalAnd"]),
    ("logical_or", &["LogicalOr"]),
    ("logical_xor", &["LogicalXor"]),
];

/// All of them. WGSL has the first three forms of GLSL, without minimum, maximum and the like of
/// scans.
const FAMILIES: &[Family] = &[
    Family {
        forms: &["subgroup", "subgroupInclusive", "subgroupExclusive", "subgroupClustered"],
        operations: OF_GLSL,
        end: "",
        instructions: "OpGroupNonUniform",
    },
    Family {
        forms: &[
            "subgroupPartitioned",
            "subgroupPartitionedInclusive",
            "subgroupPartitionedExclusive",
        ],
        operations: OF_GLSL,
        end: "NV",
        instructions: "OpGroupNonUniform",
    },
    Family {
        forms: &["WaveActive"],
        operations: OF_HLSL,
        end: "",
        instructions: "OpGroupNonUniform",
    },
    Family {
        forms: &["WavePrefix"],
        operations: OF_HLSL.split_at(2).0,
        end: "",
        instructions: "OpGroupNonUniform",
    },
    Family {
        forms: &["sub_group_reduce_", "sub_group_scan_inclusive_", "sub_group_scan_exclusive_"],
        operations: OF_OPENCL.split_at(3).0,
        end: "",
        instructions: "OpGroup",
    },
    Family {
        forms: &[
            "sub_group_non_uniform_reduce_",
            "sub_group_non_uniform_scan_inclusive_",
            "sub_group_non_uniform_scan_exclusive_",
            "sub_group_clustered_reduce_",
        ],
        operations: OF_OPENCL,
        end: "",
        instructions: "OpGroupNonUniform",
    },
];

/// Everything that is no group operation: names in GLSL, WGSL, HLSL and OpenCL C, and what they
/// are in SPIR-V.
const OTHERS: &[(&[&str], &str)] = &[
    (&["subgroupElect", "WaveIsFirstLane", "sub_group_elect"], "OpGroupNonUniformElect"),
    (&["subgroupAll", "WaveActiveAllTrue", "sub_group_non_uniform_all"], "OpGroupNonUniformAll"),
    (&["subgroupAny", "WaveActiveAnyTrue", "sub_group_non_uniform_any"], "OpGroupNonUniformAny"),
    (
        &["subgroupAllEqual", "WaveActiveAllEqual", "sub_group_non_uniform_all_equal"],
        "OpGroupNonUniformAllEqual",
    ),
    (&["subgroupBroadcast", "sub_group_non_uniform_broadcast"], "OpGroupNonUniformBroadcast"),
    (
        &["subgroupBroadcastFirst", "WaveReadLaneFirst", "sub_group_broadcast_first"],
        "OpGroupNonUniformBroadcastFirst",
    ),
    (&["subgroupBallot", "WaveActiveBallot", "sub_group_ballot"], "OpGroupNonUniformBallot"),
    (&["subgroupInverseBallot", "sub_group_inverse_ballot"], "OpGroupNonUniformInverseBallot"),
    (
        &["subgroupBallotBitExtract", "sub_group_ballot_bit_extract"],
        "OpGroupNonUniformBallotBitExtract",
    ),
    (
        &[
            "subgroupBallotBitCount",
            "subgroupBallotInclusiveBitCount",
            "subgroupBallotExclusiveBitCount",
            "WaveActiveCountBits",
            "WavePrefixCountBits",
            "sub_group_ballot_bit_count",
            "sub_group_ballot_inclusive_scan",
            "sub_group_ballot_exclusive_scan",
        ],
        "OpGroupNonUniformBallotBitCount",
    ),
    (&["subgroupBallotFindLSB", "sub_group_ballot_find_lsb"], "OpGroupNonUniformBallotFindLSB"),
    (&["subgroupBallotFindMSB", "sub_group_ballot_find_msb"], "OpGroupNonUniformBallotFindMSB"),
    (&["subgroupShuffle", "WaveReadLaneAt", "sub_group_shuffle"], "OpGroupNonUniformShuffle"),
    (&["subgroupShuffleXor", "sub_group_shuffle_xor"], "OpGroupNonUniformShuffleXor"),
    (&["subgroupShuffleUp", "sub_group_shuffle_up"], "OpGroupNonUniformShuffleUp"),
    (&["subgroupShuffleDown", "sub_group_shuffle_down"], "OpGroupNonUniformShuffleDown"),
    (
        &[
            "subgroupRotate",
            "subgroupClusteredRotate",
            "sub_group_rotate",
            "sub_group_clustered_rotate",
        ],
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
    (&["subgroupPartitionNV", "WaveMatch"], "OpGroupNonUniformPartitionNV"),
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
    (
        &["gl_SubgroupSize", "subgroup_size", "WaveGetLaneCount", "get_sub_group_size"],
        "SubgroupSize",
    ),
    (
        &[
            "gl_SubgroupInvocationID",
            "subgroup_invocation_id",
            "WaveGetLaneIndex",
            "get_sub_group_local_id",
        ],
        "SubgroupLocalInvocationId",
    ),
    (&["gl_SubgroupID", "subgroup_id", "get_sub_group_id"], "SubgroupId"),
    (&["gl_NumSubgroups", "num_subgroups", "get_num_sub_groups"], "NumSubgroups"),
    (&["get_max_sub_group_size"], "SubgroupMaxSize"),
    (&["gl_SubgroupEqMask", "get_sub_group_eq_mask"], "SubgroupEqMask"),
    (&["gl_SubgroupGeMask", "get_sub_group_ge_mask"], "SubgroupGeMask"),
    (&["gl_SubgroupGtMask", "get_sub_group_gt_mask"], "SubgroupGtMask"),
    (&["gl_SubgroupLeMask", "get_sub_group_le_mask"], "SubgroupLeMask"),
    (&["gl_SubgroupLtMask", "get_sub_group_lt_mask"], "SubgroupLtMask"),
];

/// The instructions and built-ins of SPIR-V that a built-in of a shading language compiles to, by
/// its name in any case; empty where it is no subgroup built-in.
pub fn in_spirv(name: &str) -> Vec<String> {
    let others = OTHERS.iter().filter(|(names, _)| names.iter().any(|it| alike(it, name)));
    let found: Vec<String> = others.map(|(_, spirv)| (*spirv).to_owned()).collect();
    if !found.is_empty() {
        return found;
    }
    let written =
        made().find(|(plain, end, _)| alike(plain, name) || alike(&format!("{plain}{end}"), name));
    written.map(|(_, _, instructions)| instructions).unwrap_or_default()
}

/// The names of families without what they end in, that, and the instructions.
fn made() -> impl Iterator<Item = (String, &'static str, Vec<String>)> {
    FAMILIES.iter().flat_map(|family| {
        family.forms.iter().flat_map(move |form| {
            family.operations.iter().map(move |(operation, ends)| {
                let spirv = ends.iter().map(|end| format!("{}{end}", family.instructions));
                (format!("{form}{operation}"), family.end, spirv.collect())
            })
        })
    })
}

fn alike(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Every name that [`in_spirv`] knows, beside what it gives.
pub fn spellings() -> Vec<(String, Vec<String>)> {
    let others = OTHERS.iter().flat_map(|(names, _)| names.iter().map(|it| (*it).to_owned()));
    let operations = made().map(|(plain, end, _)| format!("{plain}{end}"));
    let names = others.chain(operations);
    names.map(|name| (in_spirv(&name), name)).map(|(spirv, name)| (name, spirv)).collect()
}
