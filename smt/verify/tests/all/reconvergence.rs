//! Which functions depend on lanes being together again at merge blocks: each refines itself, and
//! by the weaker reading only those are proved that need no more than the core text promises.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../interpreter/tests/all/reconvergence/bodies.rs"]
mod bodies;

use laneproof_module::{Program, load_text_unvalidated};
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Options, Side, States, Verdict, VerificationReport, verify};

use bodies::{BODIES, module};

fn function(name: &str, body: &str) -> Program {
    program(&module(body), name)
}

fn program(text: &str, name: &str) -> Program {
    match load_text_unvalidated(text, name) {
        Ok(program) => program,
        Err(error) => panic!("{name}: {error}\n{text}"),
    }
}

/// A function against itself.
fn itself(program: &Program, weak: bool) -> VerificationReport {
    let side = Side { program, function: program.function("f").unwrap() };
    let reading = ("reconvergence".to_owned(), "uniform-control-flow".to_owned());
    let options = Options {
        states: States { sizes: vec![2, 4], ..States::default() },
        readings: if weak { vec![reading] } else { Vec::new() },
        ..Options::default()
    };
    verify(Specification::built_in(), side, Some(side), &options).unwrap()
}

#[test]
fn what_the_core_text_promises_is_proved_by_the_weaker_reading() {
    for &(name, body, depends) in BODIES {
        let program = function(name, body);
        let report = itself(&program, false);
        assert_eq!(report.verdict, Verdict::Proved, "{name}: {:?}", report.reason);
        let rests = report.rests_on.contains(&"reconvergence".to_owned());
        assert_eq!(rests, depends, "{name}: {:?}", report.rests_on);
        let expected = if depends { Verdict::Unknown } else { Verdict::Proved };
        let report = itself(&program, true);
        assert_eq!(report.verdict, expected, "{name}, weaker: {:?}", report.reason);
    }
}

#[test]
fn by_induction_alone_the_same_rounds_hang_on_the_reading() {
    let mut looked_at = 0;
    for (name, body, depends) in BODIES.iter().filter(|(name, ..)| name.starts_with("iterations")) {
        let program = function(name, body);
        let side = Side { program: &program, function: program.function("f").unwrap() };
        let options =
            Options { abstractions: [Abstraction::Induction].into(), ..Options::default() };
        let report = verify(Specification::built_in(), side, Some(side), &options).unwrap();
        assert_eq!(report.verdict, Verdict::Proved, "{name}: {:?}", report.reason);
        let rests = report.rests_on.contains(&"reconvergence".to_owned());
        assert_eq!(rests, *depends, "{name}: {:?}", report.rests_on);
        looked_at += 1;
    }
    assert_eq!(looked_at, 3);
}

/// A sum at an inner merge block, left in a buffer.
fn entry_point(mode: &str) -> String {
    format!(
        "\
OpCapability Shader
OpCapability GroupNonUniformArithmetic
OpExtension \"SPV_KHR_maximal_reconvergence\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %f \"f\" %id %buffer
OpExecutionMode %f LocalSize 4 1 1
{mode}
OpName %f \"f\"
OpDecorate %id BuiltIn SubgroupLocalInvocationId
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%to_block = OpTypePointer StorageBuffer %block
%to_word = OpTypePointer StorageBuffer %uint
%input = OpTypePointer Input %uint
%function = OpTypeFunction %void
%subgroup = OpConstant %uint 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%id = OpVariable %input Input
%buffer = OpVariable %to_block StorageBuffer
%f = OpFunction %void None %function
%entry = OpLabel
%lane = OpLoad %uint %id
%odd = OpBitwiseAnd %uint %lane %u1
%high = OpBitwiseAnd %uint %lane %u2
%p = OpIEqual %bool %odd %u1
%q = OpIEqual %bool %high %u2
%at = OpAccessChain %to_word %buffer %u0 %lane
OpSelectionMerge %m None
OpBranchConditional %p %a %m
%a = OpLabel
OpSelectionMerge %n None
OpBranchConditional %q %b %n
%b = OpLabel
OpBranch %n
%n = OpLabel
%s = OpGroupNonUniformIAdd %uint %subgroup Reduce %lane
OpStore %at %s
OpBranch %m
%m = OpLabel
OpReturn
OpFunctionEnd
"
    )
}

#[test]
fn an_entry_point_may_promise_to_meet_at_merge_blocks() {
    let plain = program(&entry_point(""), "plain");
    let promising =
        program(&entry_point("OpExecutionMode %f MaximallyReconvergesKHR"), "promising");
    assert_eq!(itself(&plain, true).verdict, Verdict::Unknown);
    let report = itself(&promising, true);
    assert_eq!(report.verdict, Verdict::Proved, "{:?}", report.reason);
    assert!(!report.rests_on.contains(&"reconvergence".to_owned()), "{:?}", report.rests_on);
}
