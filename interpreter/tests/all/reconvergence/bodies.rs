//! Functions of two Booleans and a number, some of which depend on where lanes that diverged are together
//! again.

const DECLARATIONS: &str = "\
OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpMemoryModel Logical GLSL450
OpName %f \"f\"
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%function = OpTypeFunction %uint %bool %bool %uint
%inner_type = OpTypeFunction %uint %bool %uint
%subgroup = OpConstant %uint 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%inner = OpFunction %uint None %inner_type
%c = OpFunctionParameter %bool
%v = OpFunctionParameter %uint
%inner_entry = OpLabel
OpSelectionMerge %inner_m None
OpBranchConditional %c %inner_a %inner_m
%inner_a = OpLabel
OpReturnValue %u1
%inner_m = OpLabel
OpReturnValue %v
OpFunctionEnd
%met = OpFunction %uint None %inner_type
%d = OpFunctionParameter %bool
%w = OpFunctionParameter %uint
%met_entry = OpLabel
OpSelectionMerge %met_m None
OpBranchConditional %d %met_a %met_m
%met_a = OpLabel
OpBranch %met_m
%met_m = OpLabel
OpReturnValue %w
OpFunctionEnd
%f = OpFunction %uint None %function
%p = OpFunctionParameter %bool
%q = OpFunctionParameter %bool
%x = OpFunctionParameter %uint
%entry = OpLabel
";

const SUM: &str = "%s = OpGroupNonUniformIAdd %uint %subgroup Reduce %x\n";

/// A name, a body in which `SUM` stands for a sum of all lanes, and whether it depends on the
/// reading.
pub const BODIES: &[(&str, &str, bool)] = &[
    ("a straight line", "SUM OpReturnValue %s", false),
    (
        "an arm",
        "OpSelectionMerge %m None\nOpBranchConditional %p %a %m\n%a = OpLabel\nSUM OpReturnValue %s
         %m = OpLabel\nOpReturnValue %x",
        false,
    ),
    (
        "the merge block of all lanes",
        "OpSelectionMerge %m None\nOpBranchConditional %p %a %m\n%a = OpLabel\nOpBranch %m
         %m = OpLabel\nSUM OpReturnValue %s",
        false,
    ),
    (
        "the merge block of an inner selection",
        "OpSelectionMerge %m None\nOpBranchConditional %p %a %m\n%a = OpLabel
         OpSelectionMerge %n None\nOpBranchConditional %q %b %n\n%b = OpLabel\nOpBranch %n
         %n = OpLabel\nSUM OpReturnValue %s\n%m = OpLabel\nOpReturnValue %x",
        true,
    ),
    (
        "what is left after an early return",
        "OpSelectionMerge %m None\nOpBranchConditional %p %a %m\n%a = OpLabel\nOpReturnValue %x
         %m = OpLabel\nSUM OpReturnValue %s",
        false,
    ),
    (
        "a merge block that not all lanes reach",
        "OpSelectionMerge %m None\nOpSwitch %x %m 0 %a 1 %b\n%a = OpLabel\nOpReturnValue %x
         %b = OpLabel\nOpBranch %m\n%m = OpLabel\nSUM OpReturnValue %s",
        true,
    ),
    (
        "a case that lanes fall into",
        "OpSelectionMerge %m None\nOpSwitch %x %m 0 %a 1 %b\n%a = OpLabel\nOpBranch %b
         %b = OpLabel\nSUM OpReturnValue %s\n%m = OpLabel\nOpReturnValue %x",
        true,
    ),
    (
        "after a call that has two returns",
        "%y = OpFunctionCall %uint %inner %p %x\nSUM OpReturnValue %s",
        true,
    ),
    (
        "after a loop that all lanes enter",
        "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %j %k\nOpLoopMerge %m %k None
         OpBranch %a\n%a = OpLabel\n%j = OpIAdd %uint %i %u1
         %l = OpUGreaterThanEqual %bool %j %u2\n%o = OpLogicalOr %bool %p %l
         OpBranchConditional %o %m %k\n%k = OpLabel\nOpBranch %h\n%m = OpLabel\nSUM OpReturnValue %s",
        false,
    ),
    (
        "iterations of which some lanes left",
        "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %j %k\nOpLoopMerge %m %k None
         OpBranch %a\n%a = OpLabel\nSUM %j = OpIAdd %uint %i %u1
         %l = OpUGreaterThanEqual %bool %j %u2\n%o = OpLogicalOr %bool %p %l
         OpBranchConditional %o %m %k\n%k = OpLabel\nOpBranch %h\n%m = OpLabel\nOpReturnValue %s",
        false,
    ),
    (
        "iterations before which lanes went two ways",
        "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %j %k\nOpLoopMerge %m %k None
         OpBranch %a\n%a = OpLabel\nSUM %j = OpIAdd %uint %i %u1
         OpSelectionMerge %n None\nOpBranchConditional %q %b %n\n%b = OpLabel\nOpBranch %n
         %n = OpLabel\n%l = OpUGreaterThan %bool %j %u2\n%o = OpLogicalOr %bool %p %l
         OpBranchConditional %o %m %k\n%k = OpLabel\nOpBranch %h\n%m = OpLabel\nOpReturnValue %s",
        true,
    ),
    (
        "iterations that lanes begin by two ways",
        "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %j %k\nOpLoopMerge %m %k None
         OpBranch %a\n%a = OpLabel\nSUM %j = OpIAdd %uint %i %u1
         OpSelectionMerge %n None\nOpBranchConditional %q %k %n\n%n = OpLabel
         %g = OpUGreaterThanEqual %bool %j %u2\n%o = OpLogicalOr %bool %p %g
         OpBranchConditional %o %m %k\n%k = OpLabel\n%l = OpUGreaterThanEqual %bool %j %u2
         OpBranchConditional %l %m %h\n%m = OpLabel\nOpReturnValue %s",
        true,
    ),
    (
        "after a call in which all lanes meet again",
        "%y = OpFunctionCall %uint %met %p %x\nSUM OpReturnValue %s",
        false,
    ),
    (
        "after a call of some lanes in which they meet again",
        "OpSelectionMerge %m None\nOpBranchConditional %p %a %m\n%a = OpLabel
         %y = OpFunctionCall %uint %met %q %x\nSUM OpReturnValue %s\n%m = OpLabel\nOpReturnValue %x",
        true,
    ),
    (
        "the merge block of a header with a call that has two returns",
        "%y = OpFunctionCall %uint %inner %p %x\nOpSelectionMerge %m None
         OpBranchConditional %q %a %m\n%a = OpLabel\nOpBranch %m\n%m = OpLabel\nSUM OpReturnValue %s",
        false,
    ),
    (
        "after a loop with such a header",
        "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %j %k
         %y = OpFunctionCall %uint %inner %p %x\nOpLoopMerge %m %k None\nOpBranch %a
         %a = OpLabel\n%j = OpIAdd %uint %i %u1\n%l = OpUGreaterThanEqual %bool %j %u2
         %o = OpLogicalOr %bool %q %l\nOpBranchConditional %o %m %k\n%k = OpLabel\nOpBranch %h
         %m = OpLabel\nSUM OpReturnValue %s",
        false,
    ),
];

/// A module with a function `f` of this body.
pub fn module(body: &str) -> String {
    let body = body.replace("SUM ", SUM).replace("SUM", SUM);
    format!("{DECLARATIONS}{body}\nOpFunctionEnd\n")
}
