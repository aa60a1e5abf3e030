//! Reductions of floating point under every reading, results that are given in advance, and
//! bfloat16 in integers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use crate::support::{Numbers, load, per_lane, run, scalar};
use laneproof_interpreter::{Call, Choices, Enumerate, Readings, RunOptions, Sizes, Stop, call};
use laneproof_module::{Program, Site};

/// A half-precision reduction as a module.
fn reduction(instruction: &str, operation: &str) -> Program {
    load(&format!(
        "OpCapability Shader\nOpCapability Linkage\nOpCapability Float16\nOpCapability GroupNonUniformArithmetic\nOpMemoryModel Logical GLSL450\nOpName %f \"f\"\n%t = OpTypeFloat 16\n%w = OpTypeInt 32 0\n%s = OpConstant %w 3\n%fn = OpTypeFunction %t %t\n%f = OpFunction %t None %fn\n%a = OpFunctionParameter %t\n%l = OpLabel\n%r = OpGroupNonUniform{instruction} %t %s {operation} %a\nOpReturnValue %r\nOpFunctionEnd\n"
    ))
}

fn outcome(
    program: &Program,
    values: &[u64],
    reading: (&str, &str),
    choices: &mut dyn Choices,
) -> Result<Vec<u64>, Stop> {
    let sizes = Sizes::full(values.len() as u32);
    let request = Call {
        program,
        function: program.function("f").unwrap().id,
        sizes,
        active: sizes.lanes(),
        arguments: vec![per_lane(values)],
    };
    let readings = Readings::default().with(reading.0, reading.1);
    let options = RunOptions { readings, ..RunOptions::default() };
    let finished = call(&request, &options, choices)?;
    Ok((0..sizes.existing).map(|lane| scalar(&finished, lane).unwrap()).collect())
}

#[test]
fn each_reading_has_its_results() {
    let rounds: &[u64] = &[0x6800, 0x3c00, 0x3c00];
    let both = [0x6800, 0x6801];
    let each: BTreeSet<Vec<u64>> =
        (0..8).map(|which| (0..3).map(|lane| both[which >> lane & 1]).collect()).collect();
    let of = |results: &[&[u64]]| results.iter().map(|it| it.to_vec()).collect::<BTreeSet<_>>();
    let cases = [
        ("FAdd Reduce", rounds, ("reduction-order", "each"), each),
        ("FAdd Reduce", rounds, ("reduction-order", "one"), of(&[&[0x6800; 3], &[0x6801; 3]])),
        ("FAdd Reduce", &[0x8000], ("identity-inserted", "never"), of(&[&[0x8000]])),
        ("FAdd Reduce", &[0x8000], ("identity-inserted", "anywhere"), of(&[&[0x8000], &[0]])),
        ("FAdd ExclusiveScan", &[0x3c00], ("sum-identity", "negative"), of(&[&[0x8000]])),
        ("FAdd ExclusiveScan", &[0x3c00], ("sum-identity", "positive"), of(&[&[0]])),
        ("FMin Reduce", &[0x8000, 0], ("signed-zeros", "ordered"), of(&[&[0x8000; 2]])),
        ("FMax Reduce", &[0x8000, 0], ("signed-zeros", "ordered"), of(&[&[0; 2]])),
        ("FMax Reduce", &[0x8000, 0], ("signed-zeros", "equal"), of(&[&[0; 2], &[0x8000; 2]])),
        ("FAdd Reduce", &[0x7c00, 0xfc00], ("nan-payload", "canonical"), of(&[&[0x7e00; 2]])),
    ];
    for (reduced, values, reading, expected) in cases {
        let (instruction, operation) = reduced.split_once(' ').unwrap();
        let program = reduction(instruction, operation);
        let mut choices = Enumerate::new(20_000);
        let mut seen = BTreeSet::new();
        while choices.next() {
            seen.insert(outcome(&program, values, reading, &mut choices).unwrap());
        }
        assert!(choices.complete());
        assert_eq!(seen, expected, "{reduced} of {values:x?}, {reading:?}");
    }
}

/// Given results.
struct Given<'g>(&'g [u64]);

impl Choices for Given<'_> {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        0
    }

    fn open(&mut self, _: &Site, lane: u32, _: usize, _: u32) -> Option<u64> {
        self.0.get(lane as usize).copied()
    }

    fn pick(&mut self, _: &Site, _: u64) -> u64 {
        0
    }
}

#[test]
fn only_legal_results_are_taken() {
    let sum: &[u64] = &[0x6800, 0x3c00, 0x3c00];
    let cases: [(&str, &[u64], &[u64], bool); 9] = [
        ("FAdd Reduce", sum, &[0x6801; 3], true),
        ("FAdd Reduce", sum, &[0x6800; 3], true),
        ("FAdd Reduce", sum, &[0x6802; 3], false),
        ("FAdd Reduce", sum, &[0x6801, 0x6801, 0x6800], false),
        ("FAdd Reduce", &[0x7c00, 0xfc00], &[0x7e00, 0xfc01], true),
        ("FAdd Reduce", &[0x7c00, 0xfc00], &[0x7c00, 0x7c00], false),
        ("FMin Reduce", &[0x8000, 0, 0x3c00], &[0; 3], true),
        ("FMin Reduce", &[0x8000, 0, 0x3c00], &[0, 0x8000, 0], false),
        ("FMul InclusiveScan", &[0x4000, 0x4200], &[0x4000, 0x4600], true),
    ];
    for (reduced, values, given, legal) in cases {
        let (instruction, operation) = reduced.split_once(' ').unwrap();
        let program = reduction(instruction, operation);
        let found =
            outcome(&program, values, ("kill", "implementation-chooses"), &mut Given(given));
        match found {
            Ok(found) => assert!(legal && found == given, "{reduced} of {values:x?}: {found:x?}"),
            Err(Stop::Illegal { .. }) => assert!(!legal, "{reduced} of {values:x?}"),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn bfloat16_is_the_upper_half_rounded_to_even() {
    let text = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int16\nOpCapability BFloat16ConversionINTEL\nOpExtension \"SPV_INTEL_bfloat16_conversion\"\nOpMemoryModel Physical64 OpenCL\nOpName %n \"narrow\"\nOpName %w \"widen\"\n%f = OpTypeFloat 32\n%u = OpTypeInt 16 0\n%uf = OpTypeFunction %u %f\n%fu = OpTypeFunction %f %u\n%n = OpFunction %u None %uf\n%a = OpFunctionParameter %f\n%l = OpLabel\n%r = OpConvertFToBF16INTEL %u %a\nOpReturnValue %r\nOpFunctionEnd\n%w = OpFunction %f None %fu\n%b = OpFunctionParameter %u\n%m = OpLabel\n%s = OpConvertBF16ToFINTEL %f %b\nOpReturnValue %s\nOpFunctionEnd\n";
    let program = load(text);
    let one = |function: &str, value: u64| {
        let finished =
            run(&program, function, (Sizes::full(1), 1), vec![per_lane(&[value])]).unwrap();
        scalar(&finished, 0).unwrap()
    };
    let mut numbers = Numbers(29);
    let (mut ties, mut nans) = (0, 0);
    for _ in 0..20_000 {
        let any = numbers.next() as u32;
        let bits = match numbers.below(3) {
            0 => any & 0xffff_8000,
            1 => any & 0x807f_ffff,
            _ => any,
        };
        let got = one("narrow", u64::from(bits)) as u32;
        if f32::from_bits(bits).is_nan() {
            assert!(f32::from_bits(got << 16).is_nan(), "{bits:x}");
            nans += 1;
            continue;
        }
        ties += u32::from(bits & 0xffff == 0x8000);
        assert_eq!(got, (bits + 0x7fff + (bits >> 16 & 1)) >> 16, "{bits:x}");
        assert_eq!(one("widen", u64::from(got)), u64::from(got << 16));
    }
    assert_eq!((ties, nans), (3341, 46));
    assert_eq!(one("narrow", 0x7f7f_ffff), 0x7f80, "the largest become infinite");
}
