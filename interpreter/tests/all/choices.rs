//! Choices: how they are made, how often, and their effects; imported functions; traces; invalid
//! calls.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use crate::support::load;
use laneproof_interpreter::{
    Call, CallArgument, Choices, Enumerate, Gave, LaneValue, PrimitiveCall, PrimitiveFailure,
    Primitives, RunOptions, Sizes, Stop, Zeros, call,
};
use laneproof_module::{Program, Site};

/// A module with a function `f` of one parameter `%x`, of two-bit numbers so that every draw
/// can be tried. The validator knows no such width.
fn two_bits(body: &str) -> Program {
    let text = format!(
        r#"OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformVote
OpMemoryModel Logical GLSL450
OpName %f "f"
%t = OpTypeInt 2 0
%w = OpTypeInt 32 0
%bool = OpTypeBool
%pair = OpTypeStruct %t %t
%scope = OpConstant %w 3
%w0 = OpConstant %w 0
%w1 = OpConstant %w 1
%w2 = OpConstant %w 2
%fn = OpTypeFunction %t %t
%helper = OpFunction %t None %fn
%hx = OpFunctionParameter %t
%hl = OpLabel
%hr = OpNot %t %hx
OpReturnValue %hr
OpFunctionEnd
%f = OpFunction %t None %fn
%x = OpFunctionParameter %t
%l = OpLabel
{body}
OpReturnValue %r
OpFunctionEnd
"#
    );
    laneproof_module::load_text_unvalidated(&text, "generated").expect("it assembles")
}

fn request(program: &Program, lanes: u32, values: Vec<Option<u64>>) -> Call<'_> {
    let arguments =
        vec![CallArgument::PerLane(values.into_iter().map(|leaf| LaneValue(vec![leaf])).collect())];
    let function = program.function("f").expect("f").id;
    let sizes = Sizes::full(lanes);
    Call { program, function, sizes, active: sizes.lanes(), arguments }
}

/// The joint results of all choices, as they are returned by the lanes.
fn all_results(body: &str, values: &[Option<u64>]) -> BTreeSet<Vec<Option<u64>>> {
    let program = two_bits(body);
    let request = request(&program, values.len() as u32, values.to_vec());
    let mut choices = Enumerate::new(100_000);
    let mut seen = BTreeSet::new();
    while choices.next() {
        let finished = call(&request, &RunOptions::default(), &mut choices).expect("it finishes");
        seen.insert(finished.results.into_iter().map(|value| value.unwrap().0[0]).collect());
    }
    assert!(choices.complete(), "the enumeration was cut short");
    seen
}

#[test]
fn an_undefined_value_is_not_the_same_at_each_use() {
    let seen = all_results("%r = OpISub %t %x %x", &[None]);
    assert_eq!(seen.len(), 4, "x - x of an undefined x is anything");
    let seen = all_results("%z = OpISub %t %x %x\n%r = OpISub %t %z %z", &[None]);
    assert_eq!(seen, [vec![Some(0)]].into(), "but what was computed is one value");
}

#[test]
fn lanes_draw_on_their_own() {
    let seen = all_results("%r = OpNot %t %x", &[None, None]);
    assert_eq!(seen.len(), 16);
}

#[test]
fn a_reduction_draws_each_contribution_once_for_the_group() {
    let seen = all_results("%r = OpGroupNonUniformIAdd %t %scope Reduce %x", &[None, Some(1)]);
    let expected: BTreeSet<_> = (0..4).map(|sum| vec![Some(sum), Some(sum)]).collect();
    assert_eq!(seen, expected, "both lanes get the same sum");
    let seen = all_results(
        "%a = OpGroupNonUniformIAdd %t %scope ExclusiveScan %x\n%r = OpCopyObject %t %a",
        &[None, None, Some(0)],
    );
    assert!(seen.iter().all(|lanes| lanes[0] == Some(0)), "nothing goes into the first lane");
    assert_eq!(seen.len(), 16, "lane 1 gets one draw, lane 2 the sum of it and another");
}

#[test]
fn a_broadcast_undefined_value_stays_undefined_and_is_drawn_where_it_is_used() {
    let body = "%b = OpGroupNonUniformBroadcast %t %scope %x %w0\n%r = OpNot %t %b";
    assert_eq!(all_results(body, &[None, Some(0)]).len(), 16);
    let body = "%r = OpGroupNonUniformBroadcast %t %scope %x %w0";
    assert_eq!(all_results(body, &[None, Some(0)]), [vec![None, None]].into());
}

#[test]
fn a_call_and_a_copy_carry_the_mark() {
    assert_eq!(all_results("%r = OpFunctionCall %t %helper %x", &[None]).len(), 4);
    assert_eq!(all_results("%r = OpCopyObject %t %x", &[None]), [vec![None]].into());
}

#[test]
fn lanes_are_serialized_at_atomics_in_any_order() {
    let text = r#"
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %f "f"
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%workgroup = OpConstant %uint 2
%pointer = OpTypePointer Workgroup %uint
%counter = OpVariable %pointer Workgroup
%fn = OpTypeFunction %uint %uint
%f = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%l = OpLabel
OpStore %counter %u0
%r = OpAtomicIAdd %uint %counter %workgroup %u0 %x
OpReturnValue %r
OpFunctionEnd
"#;
    let program = load(text);
    let request = request(&program, 3, vec![Some(1), Some(2), Some(4)]);
    let mut choices = Enumerate::new(100);
    let mut seen = BTreeSet::new();
    while choices.next() {
        let finished = call(&request, &RunOptions::default(), &mut choices).unwrap();
        seen.insert(
            finished.results.into_iter().map(|value| value.unwrap().0[0]).collect::<Vec<_>>(),
        );
    }
    assert!(choices.complete());
    // What each lane finds is the sum of those before it.
    let mut expected = BTreeSet::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut found = vec![None; 3];
        let mut sum = 0;
        for lane in order {
            found[lane] = Some(sum);
            sum += 1 << lane;
        }
        expected.insert(found);
    }
    assert_eq!(seen, expected);
}

#[test]
fn a_cap_ends_the_walk_and_says_so() {
    let mut choices = Enumerate::new(10);
    while choices.next() {
        choices.draw(&Site::default(), 0, 0, 0, 64);
    }
    assert_eq!((choices.runs(), choices.complete()), (10, false));
}

/// That a walk cannot be completed is known early, and is never said of one that can.
#[test]
fn what_cannot_be_completed_is_said_before_the_cap() {
    let site = Site::default();
    for cap in 1..10 {
        let mut choices = Enumerate::new(cap);
        let mut hopeless = None;
        while choices.next() {
            let first = choices.pick(&site, 3);
            for _ in 0..first {
                choices.pick(&site, 2);
            }
            hopeless = hopeless.or((!choices.may_complete()).then_some(choices.runs()));
        }
        assert_eq!(hopeless.is_none(), choices.complete(), "{cap}: {hopeless:?}");
    }
    let mut choices = Enumerate::new(1 << 16);
    assert!(choices.next());
    choices.draw(&site, 0, 0, 0, 32);
    assert!(!choices.may_complete());
}

#[test]
fn an_enumeration_follows_choices_that_depend_on_choices() {
    let site = Site::default();
    let mut choices = Enumerate::new(100);
    let mut seen = Vec::new();
    while choices.next() {
        let first = choices.pick(&site, 3);
        let rest = (0..first).map(|_| choices.pick(&site, 2)).collect::<Vec<_>>();
        seen.push((first, rest));
    }
    assert_eq!(seen.len(), 1 + 2 + 4);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len());
    assert!(choices.complete());
}

/// Remembers every question.
#[derive(Default)]
struct Asked(BTreeMap<(Site, usize, usize, u32), u32>);

impl Choices for Asked {
    fn draw(&mut self, site: &Site, operand: usize, leaf: usize, lane: u32, _: u32) -> u64 {
        *self.0.entry((site.clone(), operand, leaf, lane)).or_default() += 1;
        0
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        0
    }
}

#[test]
fn each_dynamic_instance_is_a_site_of_its_own() {
    // The helper is called twice, then a loop of two iterations computes with x in each.
    let program = two_bits(
        "%a = OpFunctionCall %t %helper %x
         %b = OpFunctionCall %t %helper %x
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %w %w0 %l %next %again
         %more = OpULessThan %bool %i %w2
         OpLoopMerge %after %again None
         OpBranchConditional %more %again %after
         %again = OpLabel
         %c = OpIAdd %t %x %x
         %next = OpIAdd %w %i %w1
         OpBranch %head
         %after = OpLabel
         %r = OpCopyObject %t %x",
    );
    let request = request(&program, 2, vec![None, Some(1)]);
    let mut asked = Asked::default();
    call(&request, &RunOptions::default(), &mut asked).unwrap();
    assert_eq!(asked.0.len(), 2 + 2 * 2, "two calls, two iterations of two operands");
    assert!(asked.0.values().all(|times| *times == 1), "no choice is made twice: {asked:?}");
    assert!(asked.0.keys().all(|(_, _, _, lane)| *lane == 0), "lane 1 is defined");
    let depths: BTreeSet<_> = asked.0.keys().map(|(site, ..)| site.path.clone()).collect();
    assert_eq!(depths.len(), 4, "two calls and two iterations: {depths:?}");
    assert!(depths.contains(&vec![0]) && depths.contains(&vec![1]), "iterations count from 0");
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(&self.0).finish()
    }
}

const IMPORTED: &str = r#"
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %f "f"
OpDecorate %primitive LinkageAttributes "machine.reverse" Import
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %uint %uint
%primitive = OpFunction %uint None %fn
%px = OpFunctionParameter %uint
OpFunctionEnd
%f = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%l = OpLabel
%r = OpFunctionCall %uint %primitive %x
OpReturnValue %r
OpFunctionEnd
"#;

/// Knows one instruction of an imaginary machine: the lanes of a full subgroup in reverse.
struct Reverse;

impl Primitives for Reverse {
    fn execute(
        &self,
        call: &PrimitiveCall<'_>,
        _: &mut dyn Choices,
    ) -> Result<Vec<LaneValue>, PrimitiveFailure> {
        if call.name != "machine.reverse" {
            return Err(PrimitiveFailure::Unknown);
        }
        if call.active != call.sizes.lanes() {
            let missing = (0..call.sizes.existing).filter(|lane| call.active >> lane & 1 == 0);
            let reason = "the subgroup is not full";
            return Err(PrimitiveFailure::UndefinedBehavior(missing.collect(), reason.into()));
        }
        Ok(call.arguments[0].iter().rev().cloned().collect())
    }
}

#[test]
fn imported_functions_do_what_they_are_said_to_do() {
    let program = load(IMPORTED);
    let mut request = request(&program, 4, vec![Some(1), None, Some(3), Some(4)]);
    let stop = call(&request, &RunOptions::default(), &mut Zeros).unwrap_err();
    assert!(matches!(stop, Stop::NotModelled { .. }), "{stop}");
    let options = RunOptions { primitives: Some(&Reverse), ..RunOptions::default() };
    let finished = call(&request, &options, &mut Zeros).unwrap();
    let results: Vec<_> = finished.results.into_iter().map(|value| value.unwrap().0[0]).collect();
    assert_eq!(results, [Some(4), Some(3), None, Some(1)]);
    request.active = 7;
    let stop = call(&request, &options, &mut Zeros).unwrap_err();
    assert!(matches!(stop, Stop::UndefinedBehavior { .. }), "{stop}");
}

#[test]
fn a_trace_holds_what_every_lane_got_last() {
    let program = two_bits("%r = OpIAdd %t %x %x");
    let mut request = request(&program, 3, vec![Some(1), Some(2), Some(3)]);
    request.active = 5;
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let trace = call(&request, &options, &mut Zeros).unwrap().trace.unwrap();
    let values: Vec<_> = trace.into_values().collect();
    let two = Some(Gave { value: LaneValue::scalar(2), times: 1 });
    let expected = vec![two.clone(), None, two];
    assert_eq!(values, [expected]);
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let program = two_bits("%r = OpIAdd %t %x %x");
    let good = request(&program, 2, vec![Some(1), Some(2)]);
    let sizes = |existing, subgroup, max| Sizes { existing, subgroup, max };
    let bad = [
        Call { sizes: sizes(0, 2, 2), ..good.clone() },
        Call { sizes: sizes(2, 1, 2), ..good.clone() },
        Call { sizes: sizes(2, 4, 2), ..good.clone() },
        Call { sizes: sizes(2, 2, 129), ..good.clone() },
        Call { active: 0, ..good.clone() },
        Call { active: 4, ..good.clone() },
        Call { function: 0, ..good.clone() },
        Call { arguments: Vec::new(), ..good.clone() },
        Call { arguments: vec![CallArgument::PerLane(Vec::new())], ..good.clone() },
        Call { arguments: vec![CallArgument::Uniform(LaneValue(Vec::new()))], ..good.clone() },
    ];
    for call_to_make in &bad {
        let stop = call(call_to_make, &RunOptions::default(), &mut Zeros).unwrap_err();
        assert!(matches!(stop, Stop::BadCall { .. }), "{stop}");
    }
    assert!(call(&good, &RunOptions::default(), &mut Zeros).is_ok());
}

#[test]
fn what_would_take_too_much_memory_or_time_is_given_up() {
    let module = |length: u32, body: &str| {
        load(&format!(
            r#"
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %f "f"
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%true = OpConstantTrue %bool
%u0 = OpConstant %uint 0
%length = OpConstant %uint {length}
%array = OpTypeArray %uint %length
%pointer = OpTypePointer Function %array
%element = OpTypePointer Function %uint
%fn = OpTypeFunction %uint %uint
%f = OpFunction %uint None %fn
%x = OpFunctionParameter %uint
%l = OpLabel
%v = OpVariable %pointer Function
{body}
OpReturnValue %x
OpFunctionEnd
"#
        ))
    };
    let ends = |program: &Program| {
        let request = request(program, 64, vec![Some(1); 64]);
        let options = RunOptions { step_limit: 1_000_000, ..RunOptions::default() };
        call(&request, &options, &mut Zeros).unwrap_err()
    };
    let stop = ends(&module(100_000, ""));
    assert!(matches!(stop, Stop::NotModelled { .. }), "one value of too many scalars: {stop}");
    let loads: String = (0..40).map(|load| format!("%a{load} = OpLoad %array %v\n")).collect();
    assert_eq!(ends(&module(60_000, &loads)), Stop::MemoryLimit, "too many large values");
    let forever = "OpBranch %head
        %head = OpLabel
        %k = OpPhi %uint %u0 %l %more %again
        OpLoopMerge %after %again None
        OpBranch %again
        %again = OpLabel
        %more = OpIAdd %uint %k %length
        %a = OpLoad %array %v
        %on = OpUGreaterThanEqual %bool %more %u0
        OpBranchConditional %on %head %after
        %after = OpLabel";
    assert_eq!(ends(&module(1_000, forever)), Stop::StepLimit, "large values for ever");
    let unchanged = "OpBranch %head
        %head = OpLabel
        OpLoopMerge %after %again None
        OpBranch %again
        %again = OpLabel
        OpBranchConditional %true %head %after
        %after = OpLabel";
    let endless = Stop::Endless { lanes: (0..64).collect() };
    assert_eq!(ends(&module(1, unchanged)), endless, "iterations that change nothing");
    let counting = forever.replace("%on %head", "%true %head");
    assert_eq!(ends(&module(1, &counting)), endless, "iterations that change nothing of their end");
    let stored =
        counting.replace("%a = ", "%p = OpAccessChain %element %v %u0\nOpStore %p %k\n%a = ");
    assert_eq!(
        ends(&module(1, &stored)),
        Stop::StepLimit,
        "iterations that leave something in memory"
    );
}
