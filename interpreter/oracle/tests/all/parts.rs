//! What is open and is seen as part of something else: halves, wider integers, numbers for Booleans.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use crate::support::{Numbers, load};
use laneproof_interpreter::{Call, CallArgument, Choices, LaneValue, RunOptions, Sizes, call};
use laneproof_module::{Program, Site};
use laneproof_oracle::{Blind, Cell, OracleVerdict, SearchClock, SearchLimits, judge};
use laneproof_semantics::Scalar;

const LANES: u32 = 8;

/// A function from a type to a result that is seen as words.
fn program(ty: &str, result: &str, body: &str) -> Program {
    load(&format!(
        r#"
OpCapability Shader
OpCapability Linkage
OpCapability Float16
OpCapability Float64
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformShuffleRelative
OpMemoryModel Logical GLSL450
OpName %f "f"
%f16 = OpTypeFloat 16
%f64 = OpTypeFloat 64
%u8 = OpTypeInt 8 0
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%bool = OpTypeBool
%words = OpTypeVector %u32 2
%subgroup = OpConstant %u32 3
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%three = OpConstant %u32 3
%fn = OpTypeFunction {result} {ty}
%f = OpFunction {result} None %fn
%x = OpFunctionParameter {ty}
%l = OpLabel
{body}
OpReturnValue %r
OpFunctionEnd
"#
    ))
}

/// Chooses at random.
struct Drawn(Numbers);

impl Choices for Drawn {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, width: u32) -> u64 {
        let bits = self.0.next();
        if width < 64 { bits & ((1 << width) - 1) } else { bits }
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.0.below(options)
    }
}

/// The words of all lanes, `None` where they are undefined.
fn run(
    program: &Program,
    values: &[u64],
    follow: bool,
    choices: &mut dyn Choices,
) -> Result<Vec<Option<u64>>, laneproof_interpreter::Stop> {
    let lanes = values.iter().map(|bits| LaneValue(vec![Some(*bits)])).collect();
    let sizes = Sizes { existing: LANES, subgroup: LANES, max: LANES };
    let call_ = Call {
        program,
        function: program.function("f").expect("f").id,
        sizes,
        active: sizes.lanes(),
        arguments: vec![CallArgument::PerLane(lanes)],
    };
    let options = RunOptions { follow, in_full: follow, fences: true, ..RunOptions::default() };
    let results = call(&call_, &options, choices)?.results;
    Ok(results.into_iter().flat_map(|value| value.expect("it returns").0).collect())
}

/// The verdict, and how many runs it took.
fn ask(program: &Program, values: &[u64], observed: &[Option<u64>]) -> (OracleVerdict, u64) {
    let cell = |bits: &Option<u64>| Cell { scalar: Scalar::uint(32), observed: *bits };
    let cells: Vec<Cell> = observed.iter().map(cell).collect();
    let runs = std::cell::Cell::new(0);
    let subject = |follow: bool, choices: &mut dyn Choices| {
        runs.set(runs.get() + 1);
        run(program, values, follow, choices)
    };
    let limits =
        SearchLimits { runs: 256, time: Duration::from_secs(20), clock: SearchClock::Wall };
    (judge(&cells, &subject, Blind::default(), limits), runs.get())
}

struct Case {
    ty: &'static str,
    result: &'static str,
    body: &'static str,
    /// Inputs are some of these.
    values: &'static [u64],
    /// A bit that no choice sets where it is not set.
    never: u32,
}

const CASES: [Case; 6] = [
    Case {
        ty: "%f16",
        result: "%u32",
        body: "%a = OpGroupNonUniformFAdd %f16 %subgroup Reduce %x\n%b = OpBitcast %u16 %a\n\
               %r = OpUConvert %u32 %b",
        values: &[0x3c00, 0x6800, 0x3c01, 0x5555],
        never: 16,
    },
    Case {
        ty: "%f64",
        result: "%words",
        body: "%a = OpGroupNonUniformFAdd %f64 %subgroup Reduce %x\n%r = OpBitcast %words %a",
        values: &[0x3ff0_0000_0000_0000, 0x4340_0000_0000_0000, 0x3ff0_0000_0000_0001],
        never: 31,
    },
    Case {
        ty: "%u8",
        result: "%u32",
        body: "%a = OpGroupNonUniformShuffleUp %u8 %subgroup %x %three\n%r = OpUConvert %u32 %a",
        values: &[0, 7, 255],
        never: 8,
    },
    Case {
        ty: "%u32",
        result: "%u32",
        body: "%c = OpIEqual %bool %x %one\n\
               %a = OpGroupNonUniformShuffleDown %bool %subgroup %c %three\n\
               %r = OpSelect %u32 %a %one %zero",
        values: &[0, 1, 2],
        never: 1,
    },
    Case {
        ty: "%f16",
        result: "%u32",
        body: "%n = OpFSub %f16 %x %x\n%a = OpFDiv %f16 %n %n\n%b = OpBitcast %u16 %a\n\
               %r = OpUConvert %u32 %b",
        values: &[0x3c00, 0x7c00],
        never: 16,
    },
    Case {
        ty: "%f64",
        result: "%words",
        body: "%a = OpGroupNonUniformShuffleUp %f64 %subgroup %x %three\n%r = OpBitcast %words %a",
        values: &[0x3ff0_0000_0000_0000, 0],
        never: 32,
    },
];

/// The result of some run is found in few runs, and a result of no run is never found: it is refused
/// if every open scalar is judged.
#[test]
fn what_is_open_is_found_in_parts_of_what_is_seen() {
    let mut numbers = Numbers(5);
    let mut all_refused = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        let program = program(case.ty, case.result, case.body);
        let (mut most, mut refused) = (0, 0);
        for _ in 0..40 {
            let of = case.values.len() as u64;
            let values: Vec<u64> =
                (0..LANES).map(|_| case.values[numbers.below(of) as usize]).collect();
            let mut drawn = Drawn(Numbers(numbers.next()));
            let observed = run(&program, &values, false, &mut drawn).unwrap();
            let (verdict, runs) = ask(&program, &values, &observed);
            assert_eq!(verdict, OracleVerdict::Allowed, "{number}: {values:x?} gave {observed:x?}");
            most = most.max(runs);
            let Some(defined) = observed.iter().rposition(Option::is_some) else { continue };
            if case.never < 32 {
                let mut wrong = observed.clone();
                wrong[defined] = wrong[defined].map(|bits| bits ^ 1 << case.never);
                match ask(&program, &values, &wrong).0 {
                    OracleVerdict::NotAllowed { .. } => refused += 1,
                    OracleVerdict::Undecided { .. } => {}
                    other => panic!("{number}: {values:x?} gave {wrong:x?}: {other:?}"),
                }
            }
        }
        all_refused.push(refused);
        assert!(most <= 32, "{number}: {most} runs");
    }
    // Not in doubt, but for what stands before a narrow float.
    assert_eq!(all_refused, [0, 40, 40, 40, 0, 0]);
}
