//! Asynchronous copies of a workgroup: which lanes must execute them, and what is not supported.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::run_only_entry;
use serde_json::{Value, json};

/// A kernel of four invocations in subgroups of two with a buffer at `%data`, workgroup memory at
/// `%tile` and a list of two events.
fn run(body: &str) -> Value {
    let text = format!(
        r#"; Version: 1.2
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Groups
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main" %index
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%event = OpTypeEvent
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%subgroup = OpConstant %uint 3
%none = OpConstant %ulong 0
%one = OpConstant %ulong 1
%no_event = OpConstantNull %event
%list = OpTypeArray %event %u2
%plist = OpTypePointer Function %list
%pevent = OpTypePointer Function %event
%puint = OpTypePointer CrossWorkgroup %uint
%plocal = OpTypePointer Workgroup %uint
%pin = OpTypePointer Input %ulong
%fn = OpTypeFunction %void %puint
%index = OpVariable %pin Input
%tile = OpVariable %plocal Workgroup
%main = OpFunction %void None %fn
%data = OpFunctionParameter %puint
%start = OpLabel
%events = OpVariable %plist Function
%first = OpAccessChain %pevent %events %u0
%second = OpAccessChain %pevent %events %u1
%i = OpLoad %ulong %index
%zeroth = OpIEqual %bool %i %none
{body}
OpReturn
OpFunctionEnd
"#
    );
    let document = json!({ "arguments": [{ "buffer": { "type": "u32", "values": [7] } }] });
    let left = run_only_entry(&text, [4, 1, 1], 2, &document);
    match left.pointer("/arguments/0/buffer/values") {
        Some(values) => values.clone(),
        None => left,
    }
}

const COPY: &str = "%copied = OpGroupAsyncCopy %event %u2 %tile %data %none %one %no_event
    OpStore %first %copied
    %again = OpGroupAsyncCopy %event %u2 %data %tile %none %one %copied
    OpStore %second %again";

#[test]
fn a_workgroup_copies_nothing_and_waits_for_it() {
    let waits = format!(
        "{COPY}
         OpGroupWaitEvents %u2 %u2 %first
         OpStore %data %u1 Aligned 4"
    );
    assert_eq!(run(&waits), json!([1]));
}

#[test]
fn a_wait_to_which_not_all_subgroups_come_is_undefined_behavior() {
    let waits = format!(
        "{COPY}
         OpSelectionMerge %after None
         OpBranchConditional %zeroth %then %after
         %then = OpLabel
         OpGroupWaitEvents %u2 %u2 %first
         OpBranch %after
         %after = OpLabel"
    );
    let behavior = &run(&waits)["undefined_behavior"];
    assert_eq!(behavior["instruction"], "OpGroupWaitEvents");
    assert_eq!(behavior["lanes"], json!([1, 2, 3]));
}

#[test]
fn a_copy_in_a_branch_is_undefined_behavior() {
    let copies = format!(
        "OpSelectionMerge %after None
         OpBranchConditional %zeroth %after %else
         %else = OpLabel
         {COPY}
         OpBranch %after
         %after = OpLabel"
    );
    let behavior = &run(&copies)["undefined_behavior"];
    assert_eq!(behavior["instruction"], "OpGroupAsyncCopy");
    assert_eq!(behavior["lanes"], json!([0]));
}

#[test]
fn a_subgroup_neither_copies_nor_waits() {
    let waits = run("OpGroupWaitEvents %subgroup %u1 %first");
    assert_eq!(waits["undefined_behavior"]["instruction"], "OpGroupWaitEvents");
    let copies = run(&COPY.replace("%u2", "%subgroup"));
    assert_eq!(copies["undefined_behavior"]["instruction"], "OpGroupAsyncCopy");
}

#[test]
fn a_copy_of_something_is_not_modelled() {
    let copies = run(&COPY.replace("%none", "%one"));
    assert_eq!(copies["unknown"]["instruction"], "OpGroupAsyncCopy", "{copies}");
}
