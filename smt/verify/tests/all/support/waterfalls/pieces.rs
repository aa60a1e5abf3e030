//! What the pieces of a waterfall are in text: `$a` is the function's own `<id>`, `@` the name of a
//! condition.

pub const PLAIN: [&str; 11] = [
    "$r = OpGroupNonUniformPartitionNV %uvec4 $v\nOpReturnValue $r",
    "$r = OpGroupNonUniformBallot %uvec4 %subgroup %true\nOpReturnValue $r",
    "OpReturnValue $v",
    "$r = OpIAdd %two $v %c1\nOpReturnValue $r",
    "$r = OpGroupNonUniformShuffle %two %subgroup $x $v\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $r = OpGroupNonUniformIAdd %two %subgroup PartitionedReduceNV $x $p\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $r = OpGroupNonUniformIAdd %two %subgroup PartitionedExclusiveScanNV $x $p\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $r = OpGroupNonUniformUMax %two %subgroup PartitionedReduceNV $x $p\nOpReturnValue $r",
    "$r = OpGroupNonUniformBroadcastFirst %two %subgroup $x\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $n = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce $p\n\
     $r = OpUConvert %two $n\nOpReturnValue $r",
    "$p = OpGroupNonUniformPartitionNV %uvec4 $v\n\
     $n = OpGroupNonUniformBallotBitCount %uint %subgroup ExclusiveScan $p\n\
     $r = OpUConvert %two $n\nOpReturnValue $r",
];

pub const FIRST: [&str; 5] = [
    "$first = OpGroupNonUniformBroadcastFirst %two %subgroup $cur",
    "$first = OpGroupNonUniformUMax %two %subgroup Reduce $cur",
    "$first = OpCopyObject %two $cur",
    "$first = OpCopyObject %two $k",
    "$first = OpGroupNonUniformBroadcastFirst %two %subgroup $v",
];

pub const MINE: [&str; 5] = [
    "$@ = OpIEqual %bool $cur $first",
    "$@ = OpULessThanEqual %bool $cur $first",
    "$@ = OpGroupNonUniformElect %bool %subgroup",
    "$@ = OpINotEqual %bool $cur $first",
    "$@ = OpIEqual %bool $v $first",
];

pub const ANSWER: [&str; 12] = [
    "$r = OpGroupNonUniformBallot TYPE %subgroup $mine",
    "$r = OpGroupNonUniformBallot TYPE %subgroup %true",
    "$r = OpCopyObject TYPE $first",
    "$r = OpIAdd TYPE $first %c1",
    "$r = OpGroupNonUniformShuffle TYPE %subgroup $x $first",
    "$r = OpGroupNonUniformIAdd TYPE %subgroup Reduce $x",
    "$r = OpGroupNonUniformIAdd TYPE %subgroup ExclusiveScan $x",
    "$r = OpGroupNonUniformUMax TYPE %subgroup Reduce $x",
    "$r = OpCopyObject TYPE $x",
    "$rest_of_it = OpGroupNonUniformBallot TYPE %subgroup $mine\n\
     $r = OpSelect TYPE $later $rest_of_it $whole",
    "$counted = OpGroupNonUniformBallot %uvec4 %subgroup $mine\n\
     $n = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce $counted\n\
     $r = OpUConvert TYPE $n",
    "$counted = OpGroupNonUniformBallot %uvec4 %subgroup $mine\n\
     $n = OpGroupNonUniformBallotBitCount %uint %subgroup ExclusiveScan $counted\n\
     $r = OpUConvert TYPE $n",
];

pub const UPDATE: [&str; 6] = [
    "$new = OpCopyObject %two $v",
    "$new = OpCopyObject %two $cur",
    "$new = OpIAdd %two $cur %c1",
    "$new = OpBitwiseXor %two $cur $first",
    "$new = OpIAdd %two $cur $x",
    "$part = OpUDiv %two $v $k\n$new = OpCopyObject %two $v",
];

pub const HEAD: &str = "OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformPartitionedNV
OpExtension \"SPV_NV_shader_subgroup_partitioned\"
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
OpName %src_v \"v\"
OpName %tgt_v \"v\"
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%two = OpTypeInt 2 0
%uvec4 = OpTypeVector %uint 4
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%subgroup = OpConstant %uint 3
%c0 = OpConstant %two 0
%c1 = OpConstant %two 1
%c2 = OpConstant %two 2
%c3 = OpConstant %two 3
%none = OpConstantNull %uvec4
%open = OpUndef %bool
";
