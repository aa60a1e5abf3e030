//! Partitions under every reading: which results are legal, which are walked, which are taken.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use laneproof_interpreter::{
    Call, CallArgument, Choices, Enumerate, LaneValue, Readings, RunOptions, Sizes, Stop, Zeros,
    call,
};
use laneproof_module::{Program, Site, load_text_unvalidated};

const NAN: u64 = 0x7fc0_0000;
const OTHER_NAN: u64 = 0x7fc0_0001;
const ONE: u64 = 0x3f80_0000;

fn program() -> Program {
    let text = r#"OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformPartitionedNV
OpExtension "SPV_NV_shader_subgroup_partitioned"
OpMemoryModel Logical GLSL450
OpName %f "f"
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uvec4 = OpTypeVector %uint 4
%fn = OpTypeFunction %uvec4 %float
%f = OpFunction %uvec4 None %fn
%x = OpFunctionParameter %float
%l = OpLabel
%p = OpGroupNonUniformPartitionNV %uvec4 %x
OpReturnValue %p
OpFunctionEnd
"#;
    load_text_unvalidated(text, "generated").expect("it assembles")
}

/// The low words of the active lanes' results.
fn run(
    values: &[u64],
    active: u128,
    readings: &[(&str, &str)],
    choices: &mut dyn Choices,
) -> Result<Vec<u64>, Stop> {
    let program = program();
    let lanes = values.iter().map(|value| LaneValue::scalar(*value)).collect();
    let request = Call {
        program: &program,
        function: program.function("f").expect("f").id,
        sizes: Sizes::full(values.len() as u32),
        active,
        arguments: vec![CallArgument::PerLane(lanes)],
    };
    let readings =
        readings.iter().fold(Readings::default(), |all, (name, way)| all.with(name, way));
    let finished = call(&request, &RunOptions { readings, ..RunOptions::default() }, choices)?;
    Ok(finished.results.into_iter().flatten().map(|value| value.0[0].unwrap()).collect())
}

/// How many different results are walked, and in how many runs.
fn walked(values: &[u64], active: u128, readings: &[(&str, &str)]) -> (usize, u64) {
    let mut choices = Enumerate::new(10_000);
    let mut seen = BTreeSet::new();
    while choices.next() {
        seen.insert(run(values, active, readings, &mut choices).unwrap());
    }
    assert!(choices.complete());
    (seen.len(), choices.runs())
}

const BITWISE: (&str, &str) = ("partition-equality", "bitwise");
const OPEN: (&str, &str) = ("partition-other-bits", "open");

#[test]
fn every_legal_partition_is_walked_once() {
    // As numbers there is one; as bits, NaNs of the same bits are parted in every way.
    assert_eq!(walked(&[NAN; 4], 0xf, &[]), (1, 1));
    assert_eq!(walked(&[NAN; 4], 0xf, &[BITWISE]), (15, 15));
    assert_eq!(walked(&[NAN, OTHER_NAN, NAN, OTHER_NAN], 0xf, &[BITWISE]), (4, 4));
    assert_eq!(walked(&[ONE, NAN, ONE, NAN], 0xf, &[BITWISE]), (2, 2));
    assert_eq!(walked(&[ONE; 4], 0xf, &[BITWISE]), (1, 1));
}

#[test]
fn bits_of_inactive_lanes_are_walked_by_subset_and_others_by_lane() {
    // Two subsets, one inactive lane; bits past the last lane in each of three lanes.
    assert_eq!(walked(&[ONE, NAN, ONE, ONE], 0b0111, &[OPEN]), (4 * 8, 4 * 8));
}

/// Gives these low words as what was chosen.
struct Given<'g>(&'g [u64]);

impl Choices for Given<'_> {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        0
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        0
    }

    fn open(&mut self, _: &Site, lane: u32, leaf: usize, width: u32) -> Option<u64> {
        assert_eq!(width, 32);
        Some(if leaf == 0 { self.0[lane as usize] } else { 0 })
    }
}

#[test]
fn a_given_result_is_taken_only_if_it_is_legal() {
    type Case<'c> = (&'c [u64], u128, &'c [(&'c str, &'c str)], &'c [u64], bool);
    let cases: &[Case<'_>] = &[
        (&[NAN, NAN], 3, &[], &[1, 2], true),
        (&[NAN, NAN], 3, &[], &[3, 3], false),
        (&[NAN, NAN], 3, &[BITWISE], &[1, 2], true),
        (&[NAN, NAN], 3, &[BITWISE], &[3, 3], true),
        (&[NAN, NAN], 3, &[BITWISE], &[3, 2], false), // they do not agree
        (&[NAN, OTHER_NAN], 3, &[BITWISE], &[3, 3], false), // not the same bits
        (&[ONE, ONE], 3, &[BITWISE], &[1, 2], false), // numbers are not parted
        (&[ONE, ONE], 3, &[BITWISE], &[2, 1], false), // not in its own subset
        (&[ONE, ONE], 1, &[], &[3, 0], false),        // the bit of an inactive lane
        (&[ONE, ONE], 1, &[OPEN], &[3, 0], true),
        (&[ONE, ONE], 1, &[OPEN], &[0x10001, 0], true),
        (&[ONE, ONE, ONE], 3, &[OPEN], &[7, 3, 0], false), // a subset does not agree on lane 2
        (&[ONE, ONE, ONE], 3, &[OPEN], &[0x83, 0x103, 0], true), // no lane, no agreement
    ];
    for (values, active, readings, given, legal) in cases {
        let found = run(values, *active, readings, &mut Given(given));
        let what = format!("{values:x?} {active:x} {readings:?} {given:x?}: {found:?}");
        match found {
            Ok(found) => assert!(*legal && given.starts_with(&found), "{what}"),
            Err(stop) => assert!(!legal && matches!(stop, Stop::Illegal { .. }), "{what}"),
        }
    }
    assert_eq!(run(&[NAN, NAN, ONE], 7, &[BITWISE], &mut Zeros).unwrap(), [3, 3, 4]);
}

/// An alternative that the interpreter does not implement is an error, and not its default.
#[test]
#[should_panic(expected = "no `partition-equality = neither`")]
fn an_unknown_alternative_is_an_error() {
    let _ = Readings::default().with("partition-equality", "neither");
}
