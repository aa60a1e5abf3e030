//! What induction over iterations does not carry: each has a name, and none is guessed at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::pair::Pair;
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Verdict, verify};

const HEAD: &str = "; lanes: 1,2,4
OpCapability Shader
OpCapability Linkage
OpCapability VariablePointersStorageBuffer
OpMemoryModel Logical GLSL450
OpName %src \"src\"
OpName %tgt \"tgt\"
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%pointer = OpTypePointer StorageBuffer %uint
%function = OpTypeFunction %uint %uint %pointer
%subgroup = OpConstant %uint 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u4 = OpConstant %uint 4
%anything = OpUndef %uint
";
/// Four iterations of adding one, in place `#`; `BODY` stands before the back edge.
const LOOP: &str = "OpBranch %head#
%head# = OpLabel
%i# = OpPhi %uint %u0 %from# %next# %back#
%a# = OpPhi %uint %start# %from# %more# %back#
OpLoopMerge %done# %back# None
OpBranch %test#
%test# = OpLabel
%on# = OpULessThan %bool %i# %u4
OpBranchConditional %on# %body# %done#
%body# = OpLabel
BODY
OpBranch %back#
%back# = OpLabel
%more# = OpIAdd %uint %result# %u1
%next# = OpIAdd %uint %i# %u1
OpBranch %head#
%done# = OpLabel
";

fn looped(place: &str, [from, start, result]: [&str; 3], body: &str) -> String {
    let text = LOOP.replace("%from#", from).replace("%start#", start).replace("%result#", result);
    text.replace('#', place).replace("BODY\n", body)
}

/// What is said of a source and a target by induction alone.
fn reason(source: &str, target: &str) -> String {
    let function = |name: &str, suffix: &str, body: &str| {
        format!(
            "%{name} = OpFunction %uint None %function
%x{suffix} = OpFunctionParameter %uint
%p{suffix} = OpFunctionParameter %pointer
%entry{suffix} = OpLabel
{body}OpFunctionEnd\n"
        )
    };
    let text = format!("{HEAD}{}{}", function("src", "", source), function("tgt", "_t", target));
    let pair = Pair::parse("loops", &text);
    let (source, target) = pair.sides();
    let options = pair.options(&[Abstraction::Induction]);
    let report = verify(Specification::built_in(), source, target, &options).unwrap();
    assert_eq!(report.verdict, Verdict::Unknown, "{text}");
    report.reason.unwrap_or_default()
}

const PLAIN: &str = "%r = OpIAdd %uint %x %u4\nOpReturnValue %r\n";

fn target(before: &str, loops: &str, after: &str) -> String {
    format!("{before}{loops}{after}OpReturnValue %r_t\n")
}

#[test]
fn what_is_beside_or_within_a_loop_is_named() {
    let first = looped("1", ["%entry_t", "%x_t", "%a1"], "");
    let second = looped("2", ["%done1", "%a1", "%a2"], "");
    let inner = looped("2", ["%body1", "%a1", "%a2"], "");
    let nested = looped("1", ["%entry_t", "%x_t", "%a2"], &inner);
    let result = |value: &str| format!("%r_t = OpCopyObject %uint {value}\n");
    let store = "OpStore %p_t %a1\n";
    let cases = [
        (PLAIN, target("", &(first.clone() + &second), &result("%a2")), "a second loop"),
        (PLAIN, target("", &nested, &result("%a1")), "a loop within a loop"),
        (PLAIN, target("", &first, &(store.to_owned() + &result("%a1"))), "memory beside a loop"),
        (
            "%y = OpIAdd %uint %anything %u1\n%r = OpIAdd %uint %x %y\nOpReturnValue %r\n",
            target("", &first, &result("%a1")),
            "a source with choices beside a loop",
        ),
    ];
    for (source, target, expected) in &cases {
        let found = reason(source, target);
        assert!(found.contains(expected), "{expected}: {found}\n{target}");
    }
}
