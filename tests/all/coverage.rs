//! What the cross-check's generator makes: every type, size, active set and payload occurs.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arbitrary::Unstructured;
use laneproof_forms::{CheckedSubject, Form, Numbers, Prepared, Target, state, targets};
use laneproof_semantics::ModuleKind;
use laneproof_semantics::denote::Argument;
use laneproof_semantics::evaluate::Subgroup;
use laneproof_semantics::language::ast::{OperandType, TypeRule};
use laneproof_semantics::{FloatFormat, Scalar, Specification, Type};

/// Forms of all targets, each with states of up to 128 lanes.
fn each(mut look: impl FnMut(&Prepared, &Subgroup)) {
    for (number, target) in targets(Specification::built_in()).0.iter().enumerate() {
        let mut numbers = Numbers::new(4_000 + number as u64);
        for _ in 0..16 {
            let bytes = numbers.bytes(1024);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u).unwrap();
            for _ in 0..4 {
                let subgroup = state(&prepared, 128, &mut u).unwrap();
                look(&prepared, &subgroup);
            }
        }
    }
}

fn named(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "bool".into(),
        Scalar::Int { width, .. } => format!("u{width}"),
        Scalar::Float(format) => format!("f{}", format.width()),
    }
}

#[test]
fn every_component_occurs_in_every_length() {
    let mut seen = BTreeSet::new();
    each(|prepared, _| {
        for argument in &prepared.form.arguments {
            match argument {
                Argument::Value(Type::Scalar(scalar)) => _ = seen.insert((named(*scalar), 1)),
                Argument::Value(Type::Vector { element, count }) => {
                    seen.insert((named(*element), *count));
                }
                _ => {}
            }
        }
    });
    for element in ["bool", "u8", "u16", "u32", "u64", "f16", "f32", "f64"] {
        for count in [1, 2, 3, 4, 8, 16] {
            assert!(seen.contains(&(element.to_owned(), count)), "{element}, {count} components");
        }
    }
}

/// The components that a rule of the specification allows, by its words.
fn allowed(rule: &TypeRule) -> Vec<Scalar> {
    let (integers, floats) =
        ([8, 16, 32, 64].map(Scalar::uint), [Scalar::F16, Scalar::F32, Scalar::F64]);
    let of = |word: &Arc<str>| match &**word {
        "bool" => vec![Scalar::Bool],
        "int" => integers.to_vec(),
        "float" => floats.to_vec(),
        sized if sized.starts_with('u') => vec![Scalar::uint(sized[1..].parse().unwrap())],
        sized => {
            let format = FloatFormat::ieee(sized[1..].parse().unwrap());
            vec![Scalar::Float(format.unwrap())]
        }
    };
    rule.elements.iter().flat_map(of).collect()
}

/// Rules that say less than the documents: the place in an image has two components, a local id
/// is a number or, in a workgroup, has one for each axis; what a cast gives has as many bits; packed
/// vectors are words; sums of products that saturate have room for these.
const NARROWER: [(&str, &str); 15] = [
    ("OpSubgroupImageBlock", "U"),
    ("OpGroupBroadcast", "L"),
    ("OpBitcast", "U"),
    ("OpVectorShuffle", "R"),
    ("OpVectorShuffle", "W"),
    ("GLSL.std.450 PackDouble2x32", "T"),
    ("GLSL.std.450 UnpackDouble2x32", "T"),
    ("GLSL.std.450 Pack", "T"),
    ("GLSL.std.450 Unpack", "T"),
    ("OpSDot", "V"),
    ("OpUDot", "V"),
    ("OpSUDot", "V"),
    ("OpSDotAccSat", "R"),
    ("OpUDotAccSat", "R"),
    ("OpSUDotAccSat", "R"),
];

/// The type is the rule's variable, or a pointer to it.
fn names(ty: &OperandType, rule: &TypeRule) -> bool {
    let variable = &rule.variable;
    *ty == OperandType::Variable(variable.clone()) || *ty == OperandType::Pointer(variable.clone())
}

/// Component and length of a type that is no aggregate.
fn shape(ty: &Type) -> Option<(Scalar, u32)> {
    match ty {
        Type::Scalar(scalar) => Some((*scalar, 1)),
        Type::Vector { element, count } => Some((*element, *count)),
        _ => None,
    }
}

/// The types that an instruction's rule allows and none of many forms has. Vectors of 8 and 16
/// belong to kernels.
fn missing(target: &Target, rule: &TypeRule) -> Vec<(Scalar, u32)> {
    let CheckedSubject::Instruction(instruction) = &target.subject else { return Vec::new() };
    let variable = |ty: &OperandType| *ty == OperandType::Variable(rule.variable.clone());
    let pointer = |ty: &OperandType| *ty == OperandType::Pointer(rule.variable.clone());
    let place = |of: &dyn Fn(&OperandType) -> bool| {
        instruction.operands.iter().position(|operand| of(&operand.ty))
    };
    // What is only pointed to shows in the pointer.
    let given = instruction.result.as_ref().is_some_and(variable);
    let shown = |ty: &OperandType| !given && pointer(ty);
    let operand = place(&variable).or_else(|| place(&shown));
    let mut seen = BTreeSet::new();
    let mut wanted: BTreeSet<(Scalar, u32)> = BTreeSet::new();
    let mut numbers = Numbers::new(9_000);
    for number in 0..20_000 {
        let bytes = numbers.bytes(256);
        let Ok(form) = Form::arbitrary(target, &mut Unstructured::new(&bytes)) else { continue };
        let lengths: &[u32] = match (form.module_kind, rule.scalar, rule.vector) {
            (_, true, false) => &[1],
            (ModuleKind::Shader, true, _) => &[1, 2, 3, 4],
            (ModuleKind::Shader, ..) => &[2, 3, 4],
            (_, true, _) => &[1, 2, 3, 4, 8, 16],
            _ => &[2, 3, 4, 8, 16],
        };
        wanted
            .extend(allowed(rule).into_iter().flat_map(|it| lengths.iter().map(move |n| (it, *n))));
        let ty = match operand.map(|place| &form.arguments[place]) {
            Some(Argument::Value(ty) | Argument::Pointer(ty)) => Some(ty),
            _ => form.result.as_ref(),
        };
        seen.extend(ty.and_then(shape));
        if number > 100 && wanted.is_subset(&seen) {
            break;
        }
    }
    assert!(!seen.is_empty(), "{target}");
    wanted.difference(&seen).copied().collect()
}

#[test]
fn every_type_that_an_instruction_allows_occurs() {
    let mut rules = 0;
    for target in &targets(Specification::built_in()).0 {
        let CheckedSubject::Instruction(instruction) = &target.subject else { continue };
        let fits = |rule: &&TypeRule| {
            let narrower = |(name, variable): &(&str, &str)| {
                instruction.name.starts_with(name) && *rule.variable == **variable
            };
            !rule.any
                && rule.component_of.is_none()
                && rule.pair_of.is_none()
                // The type of a pair's second member shows in the pair only.
                && (instruction.operands.iter().any(|it| names(&it.ty, rule))
                    || instruction.result.iter().any(|it| names(it, rule)))
                && !NARROWER.iter().any(narrower)
        };
        for rule in instruction.type_rules.iter().filter(fits) {
            let missing = missing(target, rule);
            assert!(missing.is_empty(), "{target}, {}: {missing:?}", rule.variable);
            rules += 1;
        }
    }
    assert_eq!(rules, 428);
}

/// What shape a set of lanes has, beside others that it may have too.
fn shapes(active: u128, existing: u32) -> Vec<&'static str> {
    let all = if existing == 128 { u128::MAX } else { (1 << existing) - 1 };
    let (lowest, count) = (active.trailing_zeros(), active.count_ones());
    let solid = (active >> lowest).trailing_ones() == count;
    let shapes = [
        ("all", active == all),
        ("one", count == 1),
        ("all but one", existing > 1 && count == existing - 1),
        ("prefix", lowest == 0 && solid && active != all),
        ("suffix", solid && lowest + count == existing && active != all),
        ("alternating", existing > 3 && active & active >> 1 == 0 && count >= existing / 2),
        ("scattered", !solid),
    ];
    shapes.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
}

#[test]
fn every_size_and_active_set_occurs() {
    let mut sizes = BTreeSet::new();
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    // By target: fewer lanes exist than S, S lanes exist, M is larger.
    let mut quantities: BTreeMap<String, [bool; 3]> = BTreeMap::new();
    each(|prepared, subgroup| {
        let Subgroup { existing, size, max_size, active, workgroup, .. } = subgroup;
        let mut count = |kind| *kinds.entry(kind).or_default() += 1;
        shapes(*active, *existing).into_iter().for_each(&mut count);
        if workgroup.is_some() {
            count("workgroup");
            if existing > size {
                count("several subgroups");
            }
            if existing % size != 0 {
                count("last subgroup partial");
            }
            return;
        }
        sizes.insert(*size);
        let seen = quantities.entry(prepared.form.target.to_string()).or_default();
        let here = [existing < size, existing == size, size < max_size];
        seen.iter_mut().zip(here).for_each(|(seen, here)| *seen |= here);
        if existing < size {
            count("partial");
        }
        if size < max_size {
            count("larger M");
        }
        if existing < size && size < max_size {
            count("three sizes");
        }
        if !size.is_power_of_two() {
            count("odd size");
        }
    });
    assert_eq!(quantities.len(), 422);
    for (target, seen) in quantities {
        assert_eq!(seen, [true; 3], "{target}");
    }
    for power in 0..8 {
        assert!(sizes.contains(&(1 << power)), "no subgroups of {}", 1 << power);
    }
    let expected = [
        "all",
        "one",
        "all but one",
        "prefix",
        "suffix",
        "alternating",
        "scattered",
        "workgroup",
        "several subgroups",
        "last subgroup partial",
        "partial",
        "larger M",
        "three sizes",
        "odd size",
    ];
    for kind in expected {
        assert!(kinds.get(kind).is_some_and(|count| *count >= 50), "{kind}: {kinds:?}");
    }
}

#[test]
fn every_extreme_payload_occurs() {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    each(|prepared, subgroup| {
        for (argument, lanes) in prepared.form.arguments.iter().zip(&subgroup.operands) {
            let Argument::Value(ty) = argument else { continue };
            let Some(scalar) = ty.element() else { continue };
            for bits in lanes.iter().flatten() {
                let kind = match bits {
                    Some(bits) => payload(scalar, *bits),
                    None => Some("undefined"),
                };
                let Some(kind) = kind else { continue };
                *kinds.entry(format!("{} {kind}", named(scalar))).or_default() += 1;
            }
        }
    });
    let (integers, floats) = (["u8", "u16", "u32", "u64"], ["f16", "f32", "f64"]);
    let integer = ["0", "1", "all ones", "sign", "largest", "undefined"];
    let float = ["0", "-0", "infinity", "-infinity", "NaN", "one", "subnormal", "undefined"];
    let all = integers.iter().flat_map(|of| integer.map(|kind| format!("{of} {kind}")));
    let all = all.chain(floats.iter().flat_map(|of| float.map(|kind| format!("{of} {kind}"))));
    for kind in all {
        assert!(kinds.get(&kind).is_some_and(|count| *count >= 20), "{kind}: {kinds:?}");
    }
}

/// The bits of bfloat16 numbers are integers to the conversions of SPV_INTEL_bfloat16_conversion.
#[test]
fn every_kind_of_bfloat16_is_converted() {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    let targets = targets(Specification::built_in()).0;
    let conversions: Vec<_> = targets.iter().filter(|it| it.name().contains("BF16")).collect();
    assert_eq!(conversions.len(), 2);
    for (number, target) in conversions.into_iter().enumerate() {
        let mut numbers = Numbers::new(6_000 + number as u64);
        for _ in 0..200 {
            let bytes = numbers.bytes(1024);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u).unwrap();
            let subgroup = state(&prepared, 32, &mut u).unwrap();
            let lanes = subgroup.operands.iter().flatten().flatten().flatten();
            for bits in lanes {
                // A float of 32 bits shows its bfloat16 in the upper half.
                let wide = target.name().starts_with("OpConvertF");
                let (upper, rest) = if wide { (bits >> 16, bits & 0xffff) } else { (*bits, 0) };
                let kind = match (upper & 0x7fff, upper >> 15, rest) {
                    (0, 1, 0) => "-0",
                    (0, ..) => "0 or nearly",
                    (0x7f80, 0, 0) => "infinity",
                    (0x7f80, 1, 0) => "-infinity",
                    (0x7f80.., ..) => "NaN",
                    (0x7f7f, _, 0x8000..) => "rounds to infinity",
                    (1..0x80, ..) => "subnormal",
                    (number, _, 0x8000) if number & 1 == 1 => "tie to even, up",
                    (_, _, 0x8000) => "tie to even, down",
                    (_, _, 0) => "exact",
                    _ => "rounded",
                };
                *kinds.entry(format!("{} {kind}", target.name())).or_default() += 1;
            }
        }
    }
    let both = ["-0", "0 or nearly", "infinity", "-infinity", "NaN", "subnormal", "exact"];
    let narrowing = ["rounds to infinity", "tie to even, up", "tie to even, down", "rounded"];
    let narrowing = both.iter().chain(&narrowing).map(|kind| ("OpConvertFToBF16INTEL", kind));
    let widening = both.iter().map(|kind| ("OpConvertBF16ToFINTEL", kind));
    for (name, kind) in narrowing.chain(widening) {
        let count = kinds.get(&format!("{name} {kind}"));
        assert!(count.is_some_and(|count| *count >= 20), "{name} {kind}: {kinds:?}");
    }
}

fn payload(scalar: Scalar, bits: u64) -> Option<&'static str> {
    let width = scalar.width();
    let ones = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    if !scalar.is_float() {
        let kinds = [(0, "0"), (1, "1"), (ones, "all ones"), (sign, "sign"), (sign - 1, "largest")];
        return kinds.into_iter().find(|(value, _)| *value == bits).map(|(_, kind)| kind);
    }
    let fraction = match width {
        16 => 10,
        32 => 23,
        _ => 52,
    };
    let infinity = (sign - 1) >> fraction << fraction;
    Some(match bits {
        0 => "0",
        _ if bits == sign => "-0",
        _ if bits == infinity => "infinity",
        _ if bits == infinity | sign => "-infinity",
        _ if bits & !sign > infinity => "NaN",
        _ if bits == (sign - 1) >> (fraction + 1) << fraction => "one",
        _ if bits & !sign < 1 << fraction => "subnormal",
        _ => return None,
    })
}
