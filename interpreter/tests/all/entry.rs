//! Whole entry points: documents in, one workgroup, documents out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::run_only_entry as run;
use serde_json::{Value, json};

/// A compute shader with one buffer of unsigned integers at 0.0 behind `%buffer`, workgroup
/// memory of eight and the built-in inputs.
fn shader(body: &str) -> String {
    format!(
        r#"; Version: 1.3
OpCapability Shader
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index %local %lane %subgroup_id %count
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %local BuiltIn LocalInvocationId
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
OpDecorate %subgroup_id BuiltIn SubgroupId
OpDecorate %count BuiltIn NumSubgroups
OpDecorate %values ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%subgroup = OpConstant %uint 3
%u7 = OpConstant %uint 7
%u8 = OpConstant %uint 8
%u16 = OpConstant %uint 16
%acquire_release = OpConstant %uint 264
%values = OpTypeRuntimeArray %uint
%block = OpTypeStruct %values
%array = OpTypeArray %uint %u8
%pblock = OpTypePointer StorageBuffer %block
%pvalue = OpTypePointer StorageBuffer %uint
%parray = OpTypePointer Workgroup %array
%pslot = OpTypePointer Workgroup %uint
%pinput = OpTypePointer Input %uint
%pinput3 = OpTypePointer Input %uvec3
%buffer = OpVariable %pblock StorageBuffer
%shared = OpVariable %parray Workgroup
%index = OpVariable %pinput Input
%local = OpVariable %pinput3 Input
%lane = OpVariable %pinput Input
%subgroup_id = OpVariable %pinput Input
%count = OpVariable %pinput Input
%main = OpFunction %void None %fn
%start = OpLabel
%i = OpLoad %uint %index
%mine = OpAccessChain %pvalue %buffer %u0 %i
{body}
OpReturn
OpFunctionEnd
"#
    )
}

fn buffer(values: Value) -> Value {
    json!({ "bindings": { "0.0": { "type": "u32", "values": values } } })
}

#[test]
fn subgroups_of_a_workgroup_sum_on_their_own_and_the_last_is_partial() {
    let text = shader(
        "%v = OpLoad %uint %mine
         %sum = OpGroupNonUniformIAdd %uint %subgroup Reduce %v
         OpStore %mine %sum",
    );
    let out = run(&text, [6, 1, 1], 4, &buffer(json!([1, 2, 3, 4, 5, 6, 7])));
    assert_eq!(out, buffer(json!([10, 10, 10, 10, 11, 11, 7])));
}

#[test]
fn subgroups_meet_at_a_workgroup_barrier() {
    // Each invocation reads what the one across the workgroup wrote before the barrier.
    let text = shader(
        "%v = OpLoad %uint %mine
         %here = OpAccessChain %pslot %shared %i
         OpStore %here %v
         OpControlBarrier %u2 %u2 %acquire_release
         %across = OpISub %uint %u7 %i
         %there = OpAccessChain %pslot %shared %across
         %w = OpLoad %uint %there
         OpStore %mine %w",
    );
    let out = run(&text, [8, 1, 1], 4, &buffer(json!([1, 2, 3, 4, 5, 6, 7, 8])));
    assert_eq!(out, buffer(json!([8, 7, 6, 5, 4, 3, 2, 1])));
}

#[test]
fn a_barrier_that_some_do_not_reach_is_undefined_behavior() {
    let text = shader(
        "%few = OpULessThan %bool %i %u2
         OpSelectionMerge %after None
         OpBranchConditional %few %then %after
         %then = OpLabel
         OpControlBarrier %u2 %u2 %acquire_release
         OpBranch %after
         %after = OpLabel",
    );
    let out = run(&text, [4, 1, 1], 2, &buffer(json!([0, 0, 0, 0])));
    let behavior = &out["undefined_behavior"];
    assert_eq!(behavior["instruction"], "OpControlBarrier");
    assert_eq!(behavior["lanes"], json!([0, 1]), "both lanes of the second subgroup");
    assert_eq!(behavior["path"][0], 1, "the second subgroup");
}

#[test]
fn built_in_inputs_number_the_workgroup() {
    let text = shader(
        "%l = OpLoad %uvec3 %local
         %x = OpCompositeExtract %uint %l 0
         %y = OpCompositeExtract %uint %l 1
         %z = OpCompositeExtract %uint %l 2
         %n = OpLoad %uint %lane
         %s = OpLoad %uint %subgroup_id
         %c = OpLoad %uint %count
         %a1 = OpIMul %uint %x %u8
         %a2 = OpIAdd %uint %a1 %y
         %a3 = OpIMul %uint %a2 %u8
         %a4 = OpIAdd %uint %a3 %z
         %a5 = OpIMul %uint %a4 %u8
         %a6 = OpIAdd %uint %a5 %n
         %a7 = OpIMul %uint %a6 %u8
         %a8 = OpIAdd %uint %a7 %s
         %a9 = OpIMul %uint %a8 %u8
         %a10 = OpIAdd %uint %a9 %c
         OpStore %mine %a10",
    );
    // As digits to base 8: x, y, z, lane, subgroup, number of subgroups.
    let expected: Vec<u32> = (0..12)
        .map(|i| {
            let digits = [i % 3, i / 3 % 2, i / 6, i % 8, i / 8, 2];
            digits.iter().fold(0, |number, digit| number * 8 + digit)
        })
        .collect();
    let out = run(&text, [3, 2, 2], 8, &buffer(json!(vec![0; 12])));
    assert_eq!(out, buffer(json!(expected)));
}

#[test]
fn memory_outside_a_buffer_is_undefined_behavior() {
    let text = shader("OpStore %mine %i");
    let out = run(&text, [4, 1, 1], 4, &buffer(json!([0, 0])));
    assert_eq!(out["undefined_behavior"]["lanes"], json!([2, 3]));
    assert_eq!(out["undefined_behavior"]["instruction"], "OpStore");
}

#[test]
fn the_length_of_a_runtime_array_is_what_the_buffer_holds() {
    let text = shader(
        "%n = OpArrayLength %uint %buffer 0
         OpStore %mine %n",
    );
    let out = run(&text, [1, 1, 1], 1, &buffer(json!([0, 0, 0])));
    assert_eq!(out, buffer(json!([3, 0, 0])));
}

#[test]
fn undefined_values_in_buffers_come_back_as_null() {
    let text = shader(
        "%u = OpUndef %uint
         OpStore %mine %u",
    );
    let out = run(&text, [2, 1, 1], 2, &buffer(json!([5, 5, 5])));
    assert_eq!(out, buffer(json!([null, null, 5])));
}

#[test]
fn a_binding_that_nobody_gave_is_named() {
    let text = shader("OpStore %mine %i");
    let out = run(&text, [1, 1, 1], 1, &json!({}));
    assert_eq!(out["reason"], "binding 0.0 is missing from --inputs");
}

const KERNEL: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpCapability Int64
OpCapability SubgroupShuffleINTEL
OpExtension "SPV_INTEL_subgroups"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %gid Constant
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uchar = OpTypeInt 8 0
%ulong = OpTypeInt 64 0
%ulong3 = OpTypeVector %ulong 3
%uint3 = OpTypeVector %uint 3
%record = OpTypeStruct %uchar %uint
%pinput = OpTypePointer Input %ulong3
%puint = OpTypePointer CrossWorkgroup %uint
%puint3 = OpTypePointer CrossWorkgroup %uint3
%precord = OpTypePointer CrossWorkgroup %record
%fn = OpTypeFunction %void %puint %precord %uint
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%gid = OpVariable %pinput Input
%main = OpFunction %void None %fn
%data = OpFunctionParameter %puint
%records = OpFunctionParameter %precord
%delta = OpFunctionParameter %uint
%start = OpLabel
%g = OpLoad %ulong3 %gid
%i = OpCompositeExtract %ulong %g 0
%at = OpInBoundsPtrAccessChain %puint %data %i
%v = OpLoad %uint %at Aligned 4
%w = OpSubgroupShuffleDownINTEL %uint %v %u0 %delta
OpStore %at %w Aligned 4
%field = OpInBoundsPtrAccessChain %puint %records %i %u1
OpStore %field %v Aligned 4
OpReturn
OpFunctionEnd
"#;

#[test]
fn a_kernel_sees_buffers_behind_pointers_in_their_natural_layout() {
    // A record is a byte and, aligned, a word: two words apart.
    let document = json!({ "arguments": [
        { "buffer": { "type": "u32", "values": [10, 11, 12, 13] } },
        { "buffer": { "type": "u32", "values": [0, 0, 0, 0, 0, 0, 0, 0] } },
        { "type": "u32", "value": 1 },
    ] });
    let out = run(KERNEL, [4, 1, 1], 4, &document);
    let expected = json!({ "arguments": [
        { "buffer": { "type": "u32", "values": [11, 12, 13, 0] } },
        { "buffer": { "type": "u32", "values": [0, 10, 0, 11, 0, 12, 0, 13] } },
        { "type": "u32", "value": 1 },
    ] });
    assert_eq!(out, expected);
}

#[test]
fn a_kernel_wants_the_arguments_that_it_declares() {
    let out = run(KERNEL, [1, 1, 1], 1, &json!({ "arguments": [] }));
    assert_eq!(out["reason"], "the entry point takes 3 arguments, not 0");
    let out = run(
        KERNEL,
        [1, 1, 1],
        1,
        &json!({ "arguments": [
            { "type": "u32", "value": 3 },
            { "type": "u32", "value": 3 },
            { "type": "u32", "value": 1 },
        ] }),
    );
    assert!(out["reason"].as_str().is_some_and(|error| error.contains("does not fit")), "{out}");
}
