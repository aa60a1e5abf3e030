//! Reductions where an environment lets every rounding go to either neighbour: what some tree with
//! some roundings gives is allowed, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use crate::support::{Numbers, SameResult, of_halves};
use laneproof_interpreter::{
    Allowance, Allowed, Call, CallArgument, LaneValue, Latitude, Leeway, RunOptions, Sizes, Stop,
    call,
};

/// The finite numbers of 16 bits in order, each zero by itself.
fn halves() -> Vec<(f64, u64)> {
    let value = |bits: u64| {
        let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
        let size = match exponent {
            0 => fraction * 2f64.powi(-24),
            _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
        };
        if bits >> 15 == 1 { -size } else { size }
    };
    let mut all: Vec<(f64, u64)> = (0..1 << 16)
        .filter(|bits| bits & 0x7fff < 0x7c00)
        .map(|bits| (value(bits), bits))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// What every tree over the numbers gives, each operation rounded to either neighbour; nothing where
/// one leaves the range.
fn reached(halves: &[(f64, u64)], parts: &[f64], op: fn(f64, f64) -> f64) -> Option<BTreeSet<u64>> {
    let mut found = BTreeSet::new();
    if let [only] = parts {
        let same = halves.iter().filter(|(value, _)| value == only);
        found.extend(same.map(|(_, bits)| *bits));
        return Some(found);
    }
    for second in 1..parts.len() {
        for first in 0..second {
            let mut rest = parts.to_vec();
            let right = rest.remove(second);
            let exact = op(rest.remove(first), right);
            let above = halves.partition_point(|(value, _)| *value < exact);
            let at = halves.get(above)?.0;
            let below = if at == exact { at } else { halves.get(above.checked_sub(1)?)?.0 };
            for neighbour in [below, at] {
                let parts = [&rest[..], &[neighbour]].concat();
                found.extend(reached(halves, &parts, op)?);
            }
        }
    }
    Some(found)
}

/// Small numbers and large ones, some with all their bits.
const PARTS: [f64; 12] =
    [1.0, 2.0, -3.0, 0.5, 1024.0, -2047.0, 0.333_251_953_125, 3.0, 0.062_5, -1.0, 7.0, 100.0];

#[test]
fn nothing_else_is_allowed() {
    let halves = halves();
    let either_way = Allowance {
        allowed: Allowed::EitherWay,
        bound: None,
        formats: Vec::new(),
        instructions: Vec::new(),
        unless: None,
    };
    let add: fn(f64, f64) -> f64 = |a, b| a + b;
    let multiply: fn(f64, f64) -> f64 = |a, b| a * b;
    let mut numbers = Numbers(5);
    let (mut rounded, mut single) = (0, 0);
    for (instruction, op) in [("OpGroupNonUniformFAdd", add), ("OpGroupNonUniformFMul", multiply)] {
        let program = of_halves(&format!("%r = {instruction} %f16 %subgroup Reduce %x"));
        let latitude = Latitude { allowances: vec![either_way.clone()] };
        let leeway = Leeway::new(latitude, &program);
        for round in 0..120 {
            let parts: Vec<f64> =
                (0..1 + round % 4).map(|_| PARTS[numbers.below(12) as usize]).collect();
            let Some(reached) = reached(&halves, &parts, op) else { continue };
            let bits = |part: &f64| halves.iter().find(|(value, _)| value == part).unwrap().1;
            let lanes = parts.iter().map(|part| LaneValue(vec![Some(bits(part))])).collect();
            let sizes = Sizes { existing: parts.len() as u32, subgroup: 4, max: 4 };
            let request = Call {
                program: &program,
                function: program.function("f").expect("f").id,
                sizes,
                active: sizes.lanes(),
                arguments: vec![CallArgument::PerLane(lanes)],
            };
            let judged = |given: u64| {
                let options = RunOptions { leeway: Some(&leeway), ..RunOptions::default() };
                match call(&request, &options, &mut SameResult(given)) {
                    Ok(_) => true,
                    Err(Stop::Illegal { .. }) => false,
                    Err(other) => panic!("{other}"),
                }
            };
            for bits in &reached {
                assert!(judged(*bits), "{instruction} of {parts:?} may be {bits:#x}");
            }
            let values = reached.iter().map(|bits| bits & 0x7fff != 0);
            let one = reached.len() == 1 || values.clone().all(|nonzero| !nonzero);
            *(if one { &mut single } else { &mut rounded }) += 1;
            for near in reached.iter().flat_map(|bits| [bits ^ 1, bits ^ 0x8000, bits + 2]) {
                let allowed = reached.contains(&near);
                assert_eq!(judged(near), allowed, "{instruction} of {parts:?}, {near:#x}");
            }
        }
    }
    assert_eq!((single, rounded), (179, 50));
}
