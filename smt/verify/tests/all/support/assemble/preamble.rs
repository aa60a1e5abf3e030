//! What stands before the functions of every module.

/// Capabilities and extensions.
pub const DECLARATIONS: &str = "\
OpCapability Linkage
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformRotateKHR
OpCapability GroupNonUniformPartitionedNV
OpCapability SubgroupShuffleINTEL
OpCapability ExpectAssumeKHR
OpExtension \"SPV_KHR_subgroup_rotate\"
OpExtension \"SPV_INTEL_subgroups\"
OpExtension \"SPV_KHR_expect_assume\"
OpExtension \"SPV_NV_shader_subgroup_partitioned\"
";

/// Types, constants, built-ins, and the functions that others call.
pub const CONSTANTS: &str = "
OpDecorate %id BuiltIn SubgroupLocalInvocationId
OpDecorate %size BuiltIn SubgroupSize
OpDecorate %max_size BuiltIn SubgroupMaxSize
%two = OpTypeInt 2 0
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%pair = OpTypeVector %two 2
%uvec4 = OpTypeVector %uint 4
%input_uint = OpTypePointer Input %uint
%local = OpTypePointer Function %two
%local_uint = OpTypePointer Function %uint
%function = OpTypeFunction %pair %bool %two %two
%predicate = OpTypeFunction %bool %bool %two %two
%helper_type = OpTypeFunction %two %local
%subgroup = OpConstant %uint 3
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n4 = OpConstant %uint 4
%pairs = OpTypeArray %two %n2
%local_pairs = OpTypePointer Function %pairs
%grid = OpTypeArray %pairs %n2
%local_grid = OpTypePointer Function %grid
%empty_grid = OpConstantNull %grid
%killer_type = OpTypeFunction %two %bool %two
%c0 = OpConstant %two 0
%c1 = OpConstant %two 1
%c2 = OpConstant %two 2
%c3 = OpConstant %two 3
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%undef_two = OpUndef %two
%undef_bool = OpUndef %bool
%id = OpVariable %input_uint Input
%size = OpVariable %input_uint Input
%max_size = OpVariable %input_uint Input

%helper = OpFunction %two None %helper_type
%h_pointer = OpFunctionParameter %local
%h_entry = OpLabel
  %h_old = OpLoad %two %h_pointer
  %h_new = OpIAdd %two %h_old %c1
  OpStore %h_pointer %h_new
  OpReturnValue %h_old
OpFunctionEnd

%killer = OpFunction %two None %killer_type
%k_kills = OpFunctionParameter %bool
%k_in = OpFunctionParameter %two
%k_entry = OpLabel
  OpSelectionMerge %k_on None
  OpBranchConditional %k_kills %k_end %k_on
%k_end = OpLabel
  OpTerminateInvocation
%k_on = OpLabel
  OpReturnValue %k_in
OpFunctionEnd
";

/// A specialization constant, and one that is made from it.
pub const CHOICE: &str = "\
%choice = OpSpecConstantTrue %bool
%not_choice = OpSpecConstantOp %bool LogicalNot %choice
%undef_two = ";
