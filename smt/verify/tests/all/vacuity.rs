//! A proof about no state is vacuous: states are found where there are some, also in the largest
//! subgroups.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::pair::{ABSTRACTION_SETS, Pair};
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Verdict, verify};

/// A function against itself; `body` computes `%r` from `%x` and `%key`.
fn verdict(parameter: &str, assumption: &str, body: &str) -> (Verdict, Option<String>) {
    let (types, given) = match parameter {
        "" => (String::new(), String::new()),
        ty => (" %given".to_owned(), format!("%p = OpFunctionParameter %given\n{ty}")),
    };
    let given_type = given.lines().nth(1).unwrap_or_default().to_owned();
    let given = given.lines().next().unwrap_or_default().to_owned();
    let text = format!(
        "; lanes: 128
OpCapability Shader
OpCapability Linkage
OpCapability ExpectAssumeKHR
OpCapability StorageImageWriteWithoutFormat
OpCapability VariablePointersStorageBuffer
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformPartitionedNV
OpExtension \"SPV_KHR_expect_assume\"
OpExtension \"SPV_NV_shader_subgroup_partitioned\"
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uvec4 = OpTypeVector %uint 4
{given_type}
%function = OpTypeFunction %uint %uint %uint{types}
%subgroup = OpConstant %uint 3
%true = OpConstantTrue %bool
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u128 = OpConstant %uint 128
%src = OpFunction %uint None %function
%x = OpFunctionParameter %uint
%key = OpFunctionParameter %uint
{given}
%entry = OpLabel
%everyone = OpGroupNonUniformBallot %uvec4 %subgroup %true
%count = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %everyone
{assumption}
{body}
OpReturnValue %r
OpFunctionEnd
%tgt = OpFunction %uint None %function
%x_t = OpFunctionParameter %uint
%key_t = OpFunctionParameter %uint
{given_t}
%entry_t = OpLabel
{body_t}
OpReturnValue %r_t
OpFunctionEnd
",
        given_t = given.replace("%p ", "%p_t "),
        body_t = ["%x", "%key", "%r", "%part"]
            .iter()
            .fold(body.to_owned(), |text, name| renamed(&text, name)),
    );
    let pair = Pair::parse("vacuity", &text);
    let (source, target) = pair.sides();
    let abstractions = [Abstraction::Movement, Abstraction::Laws, Abstraction::Bits];
    let report =
        verify(Specification::built_in(), source, target, &pair.options(&abstractions)).unwrap();
    (report.verdict, report.reason)
}

/// The target has ids of its own.
fn renamed(text: &str, name: &str) -> String {
    let rename = |word: &str| if word == name { format!("{word}_t") } else { word.to_owned() };
    let line = |line: &str| line.split(' ').map(rename).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

const MOVES: &str = "%r = OpIAdd %uint %x %key";
const PARTITIONED: &str = "%part = OpGroupNonUniformPartitionNV %uvec4 %key
%r = OpGroupNonUniformIAdd %uint %subgroup PartitionedReduceNV %x %part";
const TWO_LANES: &str = "%two = OpUGreaterThanEqual %bool %count %u2\nOpAssumeTrueKHR %two";
const TOO_MANY: &str = "%many = OpUGreaterThan %bool %count %u128\nOpAssumeTrueKHR %many";

#[test]
fn states_are_found_in_the_largest_subgroup() {
    for (assumption, body) in [("", PARTITIONED), (TWO_LANES, MOVES)] {
        let (verdict, reason) = verdict("", assumption, body);
        assert_eq!(verdict, Verdict::Proved, "{assumption} {body}: {reason:?}");
    }
}

#[test]
fn a_proof_that_no_state_meets_is_vacuous() {
    for body in [MOVES, PARTITIONED] {
        let (verdict, reason) = verdict("", TOO_MANY, body);
        assert_eq!(verdict, Verdict::Vacuous, "{body}: {reason:?}");
    }
}

#[test]
fn what_nobody_accesses_is_no_obstacle() {
    let pointer = "%given = OpTypePointer StorageBuffer %uint";
    let image = "%given = OpTypeImage %float 2D 0 0 0 2 Unknown";
    for parameter in [pointer, image] {
        let (verdict, reason) = verdict(parameter, "", MOVES);
        assert_eq!(verdict, Verdict::Proved, "{parameter}: {reason:?}");
    }
}

/// Two loops that count to `end`; a condition on what they sum up, where there is one.
fn loops(end: u32, condition: &str) -> String {
    let function = |name: &str, sum: &str, condition: &str| {
        let text = "\
%NAME = OpFunction %uint None %function
$x = OpFunctionParameter %uint
$entry = OpLabel
OpBranch $head
$head = OpLabel
$k = OpPhi %uint %u0 $entry $more $again
$acc = OpPhi %uint %u0 $entry $next $again
OpLoopMerge $done $again None
OpBranch $test
$test = OpLabel
$on = OpULessThan %bool $k %end
OpBranchConditional $on $again $done
$again = OpLabel
$next = OpIAdd %uint SUM
$more = OpIAdd %uint $k %u1
OpBranch $head
$done = OpLabel
CONDITION
OpReturnValue $acc
OpFunctionEnd
";
        let text = text.replace("NAME", name).replace("SUM", sum).replace("CONDITION", condition);
        text.replace('$', &format!("%{name}_"))
    };
    format!(
        "; lanes: 1,2,4
OpCapability Shader
OpCapability Linkage
OpCapability ExpectAssumeKHR
OpExtension \"SPV_KHR_expect_assume\"
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%function = OpTypeFunction %uint %uint
%false = OpConstantFalse %bool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u7 = OpConstant %uint 7
%end = OpConstant %uint {end}
{}{}",
        function("src", "$acc $x", condition),
        function("tgt", "$x $acc", ""),
    )
}

/// What follows `end` iterations is in every state, and so is what meets a condition there.
const IN_SOME_STATE: [&str; 2] = ["", "$rare = OpIEqual %bool $x %u7\nOpAssumeTrueKHR $rare"];

#[test]
fn loops_longer_than_what_is_unrolled_have_states() {
    // The first unrolling has four iterations, the last 130.
    for (end, condition) in [(3, 1), (4, 0), (5, 1), (16, 0), (40, 1), (500, 0)] {
        let text = loops(end, IN_SOME_STATE[condition]);
        let pair = Pair::parse("vacuity", &text);
        let (source, target) = pair.sides();
        let options = pair.options(ABSTRACTION_SETS[ABSTRACTION_SETS.len() - 1]);
        let report = verify(Specification::built_in(), source, target, &options).unwrap();
        assert_eq!(report.verdict, Verdict::Proved, "{end}: {:?}\n{text}", report.reason);
    }
}

#[test]
fn loops_that_no_state_survives_are_vacuous() {
    for end in [2, 16] {
        let text = loops(end, "OpAssumeTrueKHR %false");
        let pair = Pair::parse("vacuity", &text);
        let (source, target) = pair.sides();
        let options = pair.options(ABSTRACTION_SETS[ABSTRACTION_SETS.len() - 1]);
        let report = verify(Specification::built_in(), source, target, &options).unwrap();
        assert_eq!(report.verdict, Verdict::Vacuous, "{end}: {:?}\n{text}", report.reason);
    }
}
