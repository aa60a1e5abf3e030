//! Which entry points are functions of what each lane loads and stores at its own place: two sides are, or
//! are not, whatever they store.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::support::pair::Pair;
use laneproof_lower::{Flat, Loops, as_pure_functions, flatten, specializations};
use laneproof_semantics::Specification;

const HEAD: &str = "; lanes: 4
OpCapability Shader
OpCapability GroupNonUniform
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %src \"src\" %id %results %values
OpEntryPoint GLCompute %tgt \"tgt\" %id %results %values
OpExecutionMode %src LocalSize 4 1 1
OpExecutionMode %tgt LocalSize 4 1 1
OpName %src \"src\"
OpName %tgt \"tgt\"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %numbers ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 0
OpDecorate %values DescriptorSet 0
OpDecorate %values Binding 1
OpDecorate %values NonWritable
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%place = OpTypeVector %uint 3
%in_place = OpTypePointer Input %place
%id = OpVariable %in_place Input
%numbers = OpTypeRuntimeArray %uint
%block = OpTypeStruct %numbers
%buffer = OpTypePointer StorageBuffer %block
%number = OpTypePointer StorageBuffer %uint
%results = OpVariable %buffer StorageBuffer
%values = OpVariable %buffer StorageBuffer
%function = OpTypeFunction %void
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u72 = OpConstant %uint 72
";

/// A function from its acts: `S` stores at the lane's own place, `O` at another, `L` loads there, `B` is a
/// barrier, `R` returns, `[a|b]` branches, `{a|b|c}` switches, with `c` by default.
struct Body<'a> {
    acts: std::iter::Peekable<std::str::Chars<'a>>,
    side: &'static str,
    text: String,
    next: u32,
}

impl Body<'_> {
    fn assemble(side: &'static str, acts: &str) -> String {
        let begin = format!(
            "%{side} = OpFunction %void None %function\n%{side}_entry = OpLabel\n\
             %{side}_id = OpLoad %place %id\n%{side}_i = OpCompositeExtract %uint %{side}_id 0\n\
             %{side}_j = OpIAdd %uint %{side}_i %u1\n\
             %{side}_from = OpAccessChain %number %values %u0 %{side}_i\n\
             %{side}_x = OpLoad %uint %{side}_from\n%{side}_k = OpBitwiseAnd %uint %{side}_x %u2\n\
             %{side}_c = OpIEqual %bool %{side}_k %u0\n\
             %{side}_own = OpAccessChain %number %results %u0 %{side}_i\n\
             %{side}_other = OpAccessChain %number %results %u0 %{side}_j\n"
        );
        let mut body = Body { acts: acts.chars().peekable(), side, text: begin, next: 0 };
        if body.acts() {
            body.text.push_str("OpReturn\n");
        }
        body.text + "OpFunctionEnd\n"
    }

    /// The acts up to the end of an arm; false where none comes after them.
    fn acts(&mut self) -> bool {
        let side = self.side;
        let mut goes_on = true;
        while let Some(act) = self.acts.next_if(|it| !"|]}".contains(*it)) {
            self.next += 1;
            let next = self.next;
            let line = match act {
                'S' => format!("OpStore %{side}_own %{side}_x\n"),
                'O' => format!("OpStore %{side}_other %{side}_x\n"),
                'L' => format!("%{side}_{next} = OpLoad %uint %{side}_own\n"),
                'B' => "OpControlBarrier %u3 %u3 %u72\n".to_owned(),
                'R' => {
                    goes_on = false;
                    "OpReturn\n".to_owned()
                }
                '[' | '{' => {
                    self.arms(next, act == '{');
                    continue;
                }
                other => panic!("no act: {other}"),
            };
            self.text.push_str(&line);
        }
        goes_on
    }

    fn arms(&mut self, number: u32, switch: bool) {
        let label = |arm: usize| format!("%{}_{number}_{arm}", self.side);
        let (first, second, third) = (label(0), label(1), label(2));
        let (side, done) = (self.side, label(9));
        let branch = match switch {
            true => format!("OpSwitch %{side}_k {third} 0 {first} 2 {second}\n"),
            false => format!("OpBranchConditional %{side}_c {first} {second}\n"),
        };
        let _ = write!(self.text, "OpSelectionMerge {done} None\n{branch}");
        for label in [first, second, third].into_iter().take(if switch { 3 } else { 2 }) {
            let _ = writeln!(self.text, "{label} = OpLabel");
            if self.acts() {
                let _ = writeln!(self.text, "OpBranch {done}");
            }
            self.acts.next();
        }
        let _ = writeln!(self.text, "{done} = OpLabel");
    }
}

/// What both sides store is a result.
fn stores_are_results(source: &str, target: &str) -> bool {
    let text = HEAD.to_owned() + &Body::assemble("src", source) + &Body::assemble("tgt", target);
    let pair = Pair::parse(&format!("{source} and {target}"), &text);
    let (source, target) = pair.sides();
    let target = target.unwrap();
    let given = specializations([source.program, target.program].into_iter()).unwrap();
    let [source, target]: [Flat; 2] = [source, target].map(|side| {
        let (program, function) = (side.program, side.function);
        let (loops, apart) = (Loops::Iterations(4), BTreeSet::new());
        let specification = Specification::built_in();
        flatten(program, specification, function, &given, loops, &apart).unwrap()
    });
    let functions = as_pure_functions(&source, &target);
    functions.is_some_and(|sides| sides.iter().all(|it| it.interface.result.is_some()))
}

#[test]
fn a_side_that_stores_at_its_own_place_alone_is_a_function() {
    let functions = [
        ("S", "S"),
        ("[S|S]", "S"),
        ("[SR|]S", "S"),
        ("{S|S|S}", "S"),
        ("[[S|S]|{S|S|S}]", "[S|]S"),
        ("{SR||}[S|S]", "S"),
        ("[[SR|]|{SR||}][S|S]", "S"),
        ("SS", "S[S|]"),
        // Where a lane of the target stores nothing, its result is undefined.
        ("S", "[S|]"),
        ("S", "[R|]S"),
        ("S", "{S|S|}"),
        ("S", "SB"),
        ("SB", "S"),
    ];
    for (source, target) in functions {
        assert!(stores_are_results(source, target), "{source} {target}");
    }
}

#[test]
fn a_side_that_leaves_out_a_lane_or_touches_more_is_none() {
    let others = [
        ("[S|]", "S"),
        ("[S|R]", "S"),
        ("[R|]S", "S"),
        ("{S|S|}", "S"),
        ("{|S|S}", "S"),
        ("{SR||}[S|]", "S"),
        ("[[SR|]|{SR||}][S|]", "S"),
        ("{R||}[S|S]", "S"),
        ("S", "O"),
        ("S", "OS"),
        ("S", "[O|]S"),
        ("[O|S]", "S"),
        ("S", "LS"),
        ("SL", "S"),
        // Different lanes could store at one place, one before the barrier and one after it.
        ("[S|]BS", "S"),
    ];
    for (source, target) in others {
        assert!(!stores_are_results(source, target), "{source} {target}");
    }
}
