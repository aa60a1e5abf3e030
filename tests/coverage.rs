//! What the cross-check's generator makes: every type, size, active set and payload occurs.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use laneproof_fuzz::{Numbers, Prepared, state, targets};
use laneproof_semantics::denote::Argument;
use laneproof_semantics::evaluate::Subgroup;
use laneproof_semantics::{Scalar, Specification, Type};

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
        Scalar::Float { width, .. } => format!("f{width}"),
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
    each(|_, subgroup| {
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
