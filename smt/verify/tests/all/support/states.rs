//! Every state of a pair.

use std::collections::BTreeMap;

use laneproof_interpreter::{CallArgument, LaneValue, Sizes};
use laneproof_module::spirv::StorageClass;
use laneproof_module::{Function, ModuleType};
use laneproof_semantics::Scalar;
use laneproof_verify::Counterexample;

use super::pair::Pair;

/// What a run starts from.
#[derive(Clone, Debug)]
pub struct State {
    pub sizes: Sizes,
    pub active: u128,
    pub arguments: Vec<CallArgument>,
    /// The scalars of the one memory, a byte each.
    pub memory: Vec<u64>,
    /// Which values the specialization constants have, of [`Pair::specialized`].
    pub specialization: usize,
}

impl State {
    pub fn active_lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let active = self.active;
        (0..self.sizes.existing as usize).filter(move |lane| active >> lane & 1 == 1)
    }
}

/// A parameter's scalars.
struct Shape {
    widths: Vec<u32>,
    uniform: bool,
    /// A pointer to a memory of this number of scalars.
    points: Option<usize>,
}

/// Bits of a scalar in memory.
const CELL: u32 = 2;

/// The value in lanes that never entered; no lane may use it.
const NEVER_SEEN: u64 = 1;

/// Visits every state; stops at the first that `visit` answers true for. Panics past `cap`.
pub fn every_state(pair: &Pair, cap: u64, mut visit: impl FnMut(&State) -> bool) -> bool {
    let shapes = shapes(pair);
    let mut visited = 0;
    let all = sizes(pair).into_iter();
    let all = all.flat_map(|sizes| (0..pair.specialized.len()).map(move |it| (sizes, it)));
    for (sizes, specialization) in all {
        for active in active_sets(pair, sizes.existing) {
            let digits = digits(&shapes, sizes, active);
            let bits: u32 = digits.iter().sum::<u32>() + CELL * pair.memory as u32;
            visited += 1u64 << bits;
            assert!(visited <= cap, "{}: more than {cap} states", pair.name);
            for number in 0..1u64 << bits {
                let mut number = number;
                let mut cell = || {
                    let value = number & ((1 << CELL) - 1);
                    number >>= CELL;
                    value
                };
                let memory = (0..pair.memory).map(|_| cell()).collect();
                let arguments = arguments(&shapes, sizes, active, number);
                if visit(&State { sizes, active, arguments, memory, specialization }) {
                    return true;
                }
            }
        }
    }
    false
}

/// Sizes, as the command line's contract has them: M = S, or up to twice that in kernels.
fn sizes(pair: &Pair) -> Vec<Sizes> {
    let mut all = Vec::new();
    for &subgroup in &pair.sizes {
        let kernel = pair.program.is_kernel() && subgroup < 128;
        let maxes = if kernel { vec![subgroup, 2 * subgroup] } else { vec![subgroup] };
        let first = if pair.partial { 1 } else { subgroup };
        for max in maxes {
            all.extend((first..=subgroup).map(|existing| Sizes { existing, subgroup, max }));
        }
    }
    all
}

fn active_sets(pair: &Pair, existing: u32) -> Vec<u128> {
    let all = (1u128 << existing) - 1;
    if pair.all_active { vec![all] } else { (1..=all).collect() }
}

fn shapes(pair: &Pair) -> Vec<Shape> {
    let function: &Function = pair.source();
    let shape = |parameter: &laneproof_module::Parameter| {
        if let ModuleType::Pointer { storage: StorageClass::StorageBuffer, .. } = parameter.ty {
            assert!(pair.memory.is_power_of_two(), "{}: a size for the memory", pair.name);
            let widths = vec![pair.memory.trailing_zeros()];
            return Shape { widths, uniform: true, points: Some(pair.memory) };
        }
        let ty = match &parameter.ty {
            ModuleType::Pointer { pointee, .. } => pointee,
            ty => ty,
        };
        match ty {
            ModuleType::Data(ty) => Shape {
                widths: ty.leaves().into_iter().map(Scalar::width).collect(),
                uniform: parameter.uniform,
                points: None,
            },
            other => panic!("a parameter of type {other:?}"),
        }
    };
    function.parameters.iter().map(shape).collect()
}

/// The widths of all scalars that a state fixes.
fn digits(shapes: &[Shape], sizes: Sizes, active: u128) -> Vec<u32> {
    let lanes = (active & sizes_lanes(sizes)).count_ones() as usize;
    let mut digits = Vec::new();
    for shape in shapes {
        let times = if shape.uniform { 1 } else { lanes };
        for _ in 0..times {
            digits.extend(&shape.widths);
        }
    }
    digits
}

fn sizes_lanes(sizes: Sizes) -> u128 {
    (1 << sizes.existing) - 1
}

fn arguments(shapes: &[Shape], sizes: Sizes, active: u128, mut number: u64) -> Vec<CallArgument> {
    let mut value = |widths: &[u32]| {
        let leaves = widths.iter().map(|width| {
            let bits = number & ((1 << width) - 1);
            number >>= width;
            Some(bits)
        });
        LaneValue(leaves.collect())
    };
    let mut arguments = Vec::new();
    for Shape { widths, uniform, points } in shapes {
        arguments.push(if points.is_some() {
            let offset = value(widths).0[0].unwrap_or(0);
            CallArgument::Pointer { buffer: 0, offset }
        } else if *uniform {
            CallArgument::Uniform(value(widths))
        } else {
            let lane = |lane: u32| match active >> lane & 1 {
                1 => value(widths),
                _ => LaneValue(vec![Some(NEVER_SEEN); widths.len()]),
            };
            CallArgument::PerLane((0..sizes.existing).map(lane).collect())
        });
    }
    arguments
}

/// The state that a counterexample tells of.
pub fn of_counterexample(pair: &Pair, found: &Counterexample) -> State {
    let sizes =
        Sizes { existing: found.existing(), subgroup: found.subgroup_size, max: found.max_size };
    let active = found.lanes.iter().filter(|row| row.active).map(|row| 1 << row.lane).sum();
    let shapes = shapes(pair);
    let argument = |(position, shape): (usize, &Shape)| {
        let lane = |row: &laneproof_verify::LaneRow| match &row.inputs[position].leaves {
            Some(leaves) if row.active || shape.uniform => LaneValue(leaves.clone()),
            _ => LaneValue(vec![Some(NEVER_SEEN); shape.widths.len()]),
        };
        let lanes: Vec<LaneValue> = found.lanes.iter().map(lane).collect();
        if shape.uniform {
            CallArgument::Uniform(lanes[active_index(active)].clone())
        } else {
            CallArgument::PerLane(lanes)
        }
    };
    let arguments = shapes.iter().enumerate().map(argument).collect();
    // They come after the parameters, in the order of their numbers.
    let constants = &found.lanes[active_index(active)].inputs[shapes.len()..];
    let bits: Vec<Option<u64>> =
        constants.iter().map(|it| it.leaves.as_ref().and_then(|leaves| leaves[0])).collect();
    let same = |(values, _): &(_, _)| constants_are(values, &bits);
    let specialization = pair.specialized.iter().position(same).expect("known values");
    State { sizes, active, arguments, memory: Vec::new(), specialization }
}

fn constants_are(values: &BTreeMap<u32, u64>, bits: &[Option<u64>]) -> bool {
    values.values().map(|value| Some(*value)).eq(bits.iter().copied())
}

fn active_index(active: u128) -> usize {
    active.trailing_zeros() as usize
}
