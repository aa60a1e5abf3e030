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
    claim(program, Some(program), weak)
}

/// One function against another one, or by itself.
fn claim(source: &Program, target: Option<&Program>, weak: bool) -> VerificationReport {
    let side = |program| Side { program, function: Program::function(program, "f").unwrap() };
    let reading = ("reconvergence".to_owned(), "uniform-control-flow".to_owned());
    let options = Options {
        states: States { sizes: vec![2, 4], ..States::default() },
        readings: if weak { vec![reading] } else { Vec::new() },
        ..Options::default()
    };
    verify(Specification::built_in(), side(source), target.map(side), &options).unwrap()
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

/// Whichever way the source's lanes come together.
#[test]
fn what_no_way_to_reconverge_explains_is_refuted_by_the_weaker_reading() {
    let wrong = function("one more", "%r = OpIAdd %uint %x %u1\nOpReturnValue %r");
    for &(name, body, _) in BODIES {
        let report = claim(&function(name, body), Some(&wrong), true);
        assert_eq!(report.verdict, Verdict::Refuted, "{name}: {:?}", report.reason);
        assert!(report.counterexample.is_some(), "{name}");
        assert!(!report.rests_on.contains(&"reconvergence".to_owned()), "{name}");
    }
}

/// A sum in an arm, after lanes went two ways in it, and one in each of these ways.
const INNER: &str = "OpSelectionMerge %m None\nOpBranchConditional %p %a %m\n%a = OpLabel
OpSelectionMerge %n None\nOpBranchConditional %q %b %c1\n";
const BEHIND: &str = "%b = OpLabel\nOpBranch %n\n%c1 = OpLabel\nOpBranch %n\n%n = OpLabel
SUM OpReturnValue %s\n%m = OpLabel\nOpReturnValue %x";
const WITHIN: &str = "%b = OpLabel\nSUM OpReturnValue %s\n%c1 = OpLabel
%t = OpGroupNonUniformIAdd %uint %subgroup Reduce %x\nOpReturnValue %t
%n = OpLabel\nOpUnreachable\n%m = OpLabel\nOpReturnValue %x";

/// The source may do what the target does, if lanes need not reconverge: the first lane is elsewhere.
#[test]
fn what_some_way_to_reconverge_explains_is_not_refuted_by_the_weaker_reading() {
    let some = |rest: &str| {
        let others =
            "%first = OpGroupNonUniformElect %bool %subgroup\n%o = OpLogicalNot %bool %first\n";
        format!("{others}{INNER}{rest}").replace("%p ", "%o ")
    };
    let behind = function("behind", &some(BEHIND));
    let within = function("within", &some(WITHIN));
    let report = claim(&behind, Some(&within), false);
    assert_eq!(report.verdict, Verdict::Refuted, "{:?}", report.reason);
    assert!(report.rests_on.contains(&"reconvergence".to_owned()), "{:?}", report.rests_on);
    let report = claim(&behind, Some(&within), true);
    assert_eq!(report.verdict, Verdict::Unknown, "{:?}", report.reason);
    assert!(report.counterexample.is_none());
}

/// The choice by which a target is refuted is made again where it runs.
#[test]
fn lanes_of_a_case_that_are_apart_refute_by_the_weaker_reading() {
    let all = function("all", "SUM OpReturnValue %s");
    let of_case = "OpSelectionMerge %m None\nOpSwitch %x %a 0 %a 1 %a\n%a = OpLabel
OpSelectionMerge %n None\nOpBranchConditional %p %b %n\n%b = OpLabel\nOpBranch %n\n%n = OpLabel
SUM OpReturnValue %s\n%m = OpLabel\nOpReturnValue %x";
    let of_case = function("of a case", of_case);
    for weak in [false, true] {
        let report = claim(&all, Some(&of_case), weak);
        assert_eq!(report.verdict, Verdict::Refuted, "{weak}: {:?}", report.reason);
    }
}

/// Lanes may meet at merge blocks, and then it is false.
#[test]
fn a_property_that_fails_where_lanes_reconverge_is_refuted_by_the_weaker_reading() {
    let property = |compared: &str| {
        let returned = format!("%e = OpIEqual %bool %s {compared}\nOpReturnValue %e");
        let body = format!("{INNER}{BEHIND}")
            .replace("OpReturnValue %s", &returned)
            .replace("OpReturnValue %x", "OpReturnValue %true");
        let text = module(&body)
            .replace("%f = OpFunction %uint", "%f = OpFunction %bool")
            .replace("%function = OpTypeFunction %uint", "%function = OpTypeFunction %bool")
            .replace("%u0 =", "%true = OpConstantTrue %bool\n%u0 =");
        claim(&program(&text, "property"), None, true)
    };
    assert_eq!(property("%x").verdict, Verdict::Refuted);
    // It may hold or not, as lanes are together.
    assert_eq!(property("%s").verdict, Verdict::Unknown);
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
