//! Floating-point arithmetic, held against the arithmetic of the machine that runs the tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use crate::support::{Numbers, load, per_lane, run, scalar};
use laneproof_interpreter::{Call, Enumerate, RunOptions, Sizes, Stop, call};
use laneproof_module::Program;

const BINARY: [&str; 4] = ["FAdd", "FSub", "FMul", "FDiv"];

fn module() -> Program {
    let mut text = String::from(
        "OpCapability Shader\nOpCapability Linkage\nOpCapability Float16\nOpCapability Float64\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n",
    );
    let unary = [
        ("FNegate", "f32", "f32"),
        ("FConvert", "f64", "f32"),
        ("FConvert", "f32", "f64"),
        ("FConvert", "f32", "f16"),
        ("ConvertUToF", "u64", "f32"),
        ("ConvertSToF", "u64", "f64"),
        ("ConvertFToU", "f32", "u32"),
        ("ConvertFToS", "f64", "u32"),
    ];
    for float in ["f32", "f64"] {
        for name in BINARY {
            text += &format!("OpName %{name}_{float} \"{name} {float}\"\n");
        }
    }
    for (name, from, to) in unary {
        text += &format!("OpName %{name}_{from}_{to} \"{name} {from} {to}\"\n");
    }
    text += "%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n";
    for float in ["f32", "f64"] {
        text += &format!("%fn_{float} = OpTypeFunction %{float} %{float} %{float}\n");
    }
    for (name, from, to) in unary {
        let id = format!("{name}_{from}_{to}");
        text += &format!("%t_{id} = OpTypeFunction %{to} %{from}\n");
    }
    for float in ["f32", "f64"] {
        for name in BINARY {
            let id = format!("{name}_{float}");
            text += &format!(
                "%{id} = OpFunction %{float} None %fn_{float}\n%a_{id} = OpFunctionParameter %{float}\n%b_{id} = OpFunctionParameter %{float}\n%l_{id} = OpLabel\n%r_{id} = Op{name} %{float} %a_{id} %b_{id}\nOpReturnValue %r_{id}\nOpFunctionEnd\n"
            );
        }
    }
    for (name, from, to) in unary {
        let id = format!("{name}_{from}_{to}");
        text += &format!(
            "%{id} = OpFunction %{to} None %t_{id}\n%a_{id} = OpFunctionParameter %{from}\n%l_{id} = OpLabel\n%r_{id} = Op{name} %{to} %a_{id}\nOpReturnValue %r_{id}\nOpFunctionEnd\n"
        );
    }
    // A module may have only one function type of a signature.
    let mut seen = BTreeSet::new();
    let mut kept = String::new();
    let mut names = std::collections::BTreeMap::new();
    for line in text.lines() {
        if let Some((id, ty)) = line.split_once(" = OpTypeFunction ") {
            names.entry(ty.to_string()).or_insert_with(|| id.to_string());
            if !seen.insert(ty.to_string()) {
                continue;
            }
        }
        kept += line;
        kept.push('\n');
    }
    load(&kept)
}

/// Numbers of every kind: any bits, small integers, the ends of the range.
fn some(numbers: &mut Numbers, fraction: u32, width: u32) -> u64 {
    let any = numbers.next() >> (64 - width);
    let exponent = (1 << (width - 1 - fraction)) / 2 - 1;
    match numbers.below(5) {
        0 => (exponent + numbers.below(4)) << fraction | numbers.below(4) << (fraction - 2),
        1 => numbers.below(8),
        2 => any >> 1 << 1 >> fraction << fraction,
        _ => any,
    }
}

fn one(program: &Program, function: &str, values: &[u64]) -> Result<u64, Stop> {
    let arguments = values.iter().map(|value| per_lane(&[*value])).collect();
    run(program, function, (Sizes::full(1), 1), arguments)
        .map(|finished| scalar(&finished, 0).expect("a defined number"))
}

#[test]
fn sums_and_products_are_those_of_ieee_754() {
    let program = module();
    let mut numbers = Numbers(11);
    let (mut compared, mut nans) = (0, 0);
    for _ in 0..20_000 {
        let (a, b) = (some(&mut numbers, 23, 32) as u32, some(&mut numbers, 23, 32) as u32);
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        for (name, expected) in BINARY.iter().zip([x + y, x - y, x * y, x / y]) {
            let got = one(&program, &format!("{name} f32"), &[u64::from(a), u64::from(b)]).unwrap();
            let got = f32::from_bits(got as u32);
            nans += u32::from(got.is_nan());
            let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(same, "{name} {a:#x} {b:#x}: {got:?}, not {expected:?}");
            compared += 1;
        }
        let (a, b) = (some(&mut numbers, 52, 64), some(&mut numbers, 52, 64));
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        for (name, expected) in BINARY.iter().zip([x + y, x - y, x * y, x / y]) {
            let got = f64::from_bits(one(&program, &format!("{name} f64"), &[a, b]).unwrap());
            let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(same, "{name} {a:#x} {b:#x}: {got:?}, not {expected:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 160_000);
    assert_eq!(nans, 295);
}

#[test]
fn conversions_round_once() {
    let program = module();
    let mut numbers = Numbers(13);
    let (mut compared, mut undefined) = (0, 0);
    for _ in 0..20_000 {
        let wide = some(&mut numbers, 52, 64);
        let expected = f64::from_bits(wide) as f32;
        let got = f32::from_bits(one(&program, "FConvert f64 f32", &[wide]).unwrap() as u32);
        assert!(got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan());
        let integer = numbers.next() >> numbers.below(64);
        let got = one(&program, "ConvertUToF u64 f32", &[integer]).unwrap();
        assert_eq!(got, u64::from((integer as f32).to_bits()));
        let got = one(&program, "ConvertSToF u64 f64", &[integer]).unwrap();
        assert_eq!(got, (integer as i64 as f64).to_bits());
        let narrow = some(&mut numbers, 23, 32);
        let number = f32::from_bits(narrow as u32);
        let got = one(&program, "ConvertFToU f32 u32", &[narrow]);
        if number.trunc() >= 0.0 && number < 4_294_967_296.0 {
            assert_eq!(got.unwrap(), u64::from(number as u32), "{number}");
        } else {
            assert!(matches!(got, Err(Stop::UndefinedBehavior { .. })), "{number}");
            undefined += 1;
        }
        compared += 4;
    }
    assert_eq!(compared, 80_000);
    assert_eq!(undefined, 5365);
    assert_eq!(one(&program, "ConvertFToS f64 u32", &[(-1.5f64).to_bits()]).unwrap(), 0xffff_ffff);
    assert_eq!(one(&program, "FConvert f32 f16", &[u64::from(1e-8f32.to_bits())]).unwrap(), 0);
    assert_eq!(one(&program, "FConvert f32 f16", &[u64::from(6e-8f32.to_bits())]).unwrap(), 1);
    assert_eq!(one(&program, "FNegate f32 f32", &[0]).unwrap(), 0x8000_0000);
}

#[test]
fn which_nan_a_result_is_is_open() {
    let text = "OpCapability Shader\nOpCapability Linkage\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpName %f \"f\"\n%t = OpTypeFloat 16\n%fn = OpTypeFunction %t %t %t\n%f = OpFunction %t None %fn\n%a = OpFunctionParameter %t\n%b = OpFunctionParameter %t\n%l = OpLabel\n%r = OpFSub %t %a %b\nOpReturnValue %r\nOpFunctionEnd\n";
    let program = load(text);
    let function = program.function("f").unwrap().id;
    let infinity = per_lane(&[0x7c00]);
    let arguments = vec![infinity.clone(), infinity];
    let request = Call { program: &program, function, sizes: Sizes::full(1), active: 1, arguments };
    let mut choices = Enumerate::new(10_000);
    let mut seen = Vec::new();
    while choices.next() {
        let finished = call(&request, &RunOptions::default(), &mut choices).unwrap();
        seen.push(scalar(&finished, 0).unwrap());
    }
    assert!(choices.complete());
    assert_eq!(seen[0], 0x7e00, "the first is the quiet one without a payload");
    let distinct: BTreeSet<u64> = seen.iter().copied().collect();
    assert_eq!((seen.len(), distinct.len()), (2046, 2046));
    assert!(distinct.iter().all(|bits| bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0));
}

/// All joint results of a reduction of four half-precision numbers.
fn all_sums(instruction: &str, operation: &str, values: &[u64]) -> BTreeSet<Vec<Option<u64>>> {
    let text = format!(
        "OpCapability Shader\nOpCapability Linkage\nOpCapability Float16\nOpCapability GroupNonUniformArithmetic\nOpMemoryModel Logical GLSL450\nOpName %f \"f\"\n%t = OpTypeFloat 16\n%w = OpTypeInt 32 0\n%s = OpConstant %w 3\n%fn = OpTypeFunction %t %t\n%f = OpFunction %t None %fn\n%a = OpFunctionParameter %t\n%l = OpLabel\n%r = Op{instruction} %t %s {operation} %a\nOpReturnValue %r\nOpFunctionEnd\n"
    );
    let program = load(&text);
    let function = program.function("f").unwrap().id;
    let sizes = Sizes::full(values.len() as u32);
    let arguments = vec![per_lane(values)];
    let request = Call { program: &program, function, sizes, active: sizes.lanes(), arguments };
    let mut choices = Enumerate::new(100_000);
    let mut seen = BTreeSet::new();
    while choices.next() {
        let finished = call(&request, &RunOptions::default(), &mut choices).unwrap();
        seen.insert((0..sizes.existing).map(|lane| scalar(&finished, lane)).collect());
    }
    assert!(choices.complete());
    seen
}

#[test]
fn a_sum_is_that_of_some_tree_and_the_same_for_the_group() {
    // In half precision 2048 + 1 is 2048, but 2048 + (1 + 1) is 2050.
    let sums = all_sums("GroupNonUniformFAdd", "Reduce", &[0x6800, 0x3c00, 0x3c00]);
    let expected = [0x6800, 0x6801].map(|sum| vec![Some(sum); 3]);
    assert_eq!(sums, expected.into());
    // The identity may be added: it hides the sign of a zero.
    let sums = all_sums("GroupNonUniformFAdd", "Reduce", &[0x8000]);
    assert_eq!(sums, [vec![Some(0)], vec![Some(0x8000)]].into());
    // An exclusive scan begins with the identity.
    let scans = all_sums("GroupNonUniformFMul", "ExclusiveScan", &[0x4000, 0x4200]);
    assert_eq!(scans, [vec![Some(0x3c00), Some(0x4000)]].into());
}

#[test]
fn the_least_number_is_no_nan_and_either_zero() {
    let least = all_sums("GroupNonUniformFMin", "Reduce", &[0x7e00, 0x8000, 0, 0x3c00]);
    assert_eq!(least, [vec![Some(0); 4], vec![Some(0x8000); 4]].into());
    let least = all_sums("GroupNonUniformFMin", "Reduce", &[0x7e00, 0xc000, 0x3c00]);
    assert_eq!(least, [vec![Some(0xc000); 3]].into());
    let least = all_sums("GroupNonUniformFMin", "Reduce", &[0x7e00, 0xfe01]);
    assert_eq!(least, [vec![None; 2]].into());
}
