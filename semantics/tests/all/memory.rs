//! What the clauses of memory give, run by the evaluator: each expectation is written out.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::{
    Bits, Chosen, Execution, Explained, LaneResult, Memory, Serialization, Subgroup, execute,
    explained,
};
use laneproof_semantics::{Scalar, Specification, Type};

fn settled() -> Settled {
    Settled::by(&Specification::built_in().profiles["opencl"])
}

fn vector(width: u32, count: u32) -> Type {
    match count {
        1 => Type::Scalar(Scalar::uint(width)),
        _ => Type::Vector { element: Scalar::uint(width), count },
    }
}

fn instance(arguments: Vec<Argument>, result: Option<Type>) -> Instance {
    let capabilities = Arc::new(BTreeSet::from(["Kernel".to_owned()]));
    Instance {
        arguments,
        result,
        capabilities,
        modes: Arc::default(),
        version: (1, 2),
        decorations: BTreeSet::new(),
    }
}

/// All of `lanes` lanes, active, with M twice that.
fn subgroup(lanes: u32, operands: Vec<Vec<Vec<Bits>>>, memory: Memory) -> Subgroup {
    Subgroup {
        existing: lanes,
        size: lanes,
        max_size: 2 * lanes,
        workgroup: None,
        active: (1 << lanes) - 1,
        operands,
        memory: BTreeMap::from([(0, memory)]),
    }
}

fn buffer(elements: impl IntoIterator<Item = u64>, pointers: &[u32]) -> Memory {
    let elements = elements.into_iter().map(Some).collect();
    Memory::Buffer { address: 0, elements, pointers: pointers.to_vec() }
}

fn run(name: &str, instance: &Instance, subgroup: &Subgroup, order: &[u32]) -> Execution {
    let specification = Specification::built_in();
    let instruction = &specification.instructions[name];
    let mut draw = |_, _, _, _| 0;
    let serialization = Serialization { order, chosen: &[] };
    execute(specification, &settled(), instruction, instance, subgroup, serialization, &mut draw)
        .unwrap()
}

fn values(execution: &Execution) -> Vec<Vec<Bits>> {
    let lanes = execution.lanes.iter().map(|lane| match lane {
        Some(LaneResult::Value(leaves)) => leaves.clone(),
        other => panic!("{other:?}"),
    });
    lanes.collect()
}

fn undefined(execution: &Execution, lane: usize) -> &str {
    match &execution.lanes[lane] {
        Some(LaneResult::UndefinedBehavior(clause)) => clause,
        other => panic!("lane {lane}: {other:?}"),
    }
}

#[test]
fn a_block_read_strides_by_the_largest_size() {
    let read = instance(vec![Argument::Pointer(Type::U32)], Some(vector(32, 2)));
    let state = subgroup(2, vec![vec![]], buffer(100..116, &[1, 1]));
    let found = run("OpSubgroupBlockReadINTEL", &read, &state, &[]);
    assert_eq!(values(&found), [[Some(101), Some(105)], [Some(102), Some(106)]]);
    assert_eq!(found.memory, state.memory);
}

#[test]
fn a_block_read_past_the_end_is_undefined() {
    let read = instance(vec![Argument::Pointer(Type::U32)], Some(vector(32, 2)));
    let state = subgroup(2, vec![vec![]], buffer(0..5, &[0, 0]));
    let found = run("OpSubgroupBlockReadINTEL", &read, &state, &[]);
    assert_eq!(found.lanes[0], Some(LaneResult::Value(vec![Some(0), Some(4)])));
    assert_eq!(undefined(&found, 1), "access outside of memory");
}

#[test]
fn a_block_write_wants_sixteen_bytes() {
    let write = instance(vec![Argument::Pointer(Type::U32), Argument::Value(Type::U32)], None);
    let data: Vec<Vec<Bits>> = vec![vec![Some(7)], vec![Some(8)]];
    for (first, good) in [(0, true), (1, false), (2, false), (4, true)] {
        let memory = buffer([0; 8], &[first, first]);
        let state = subgroup(2, vec![vec![], data.clone()], memory);
        let found = run("OpSubgroupBlockWriteINTEL", &write, &state, &[]);
        if !good {
            let clause = "cl_intel_spirv_subgroups/OpSubgroupBlockWriteINTEL/15";
            assert_eq!(undefined(&found, 0), clause, "at {first}");
            continue;
        }
        let mut expected = [0; 8];
        expected[first as usize] = 7;
        expected[first as usize + 1] = 8;
        assert_eq!(found.memory[&0], buffer(expected, &[first, first]));
    }
}

#[test]
fn lanes_that_store_in_one_place_must_agree() {
    let write = instance(vec![Argument::Pointer(Type::U32), Argument::Value(Type::U32)], None);
    // Lane 1 is at its pointer plus 1.
    for (values, good) in [([5, 5], true), ([5, 6], false)] {
        let data: Vec<Vec<Bits>> = values.iter().map(|value| vec![Some(*value)]).collect();
        let mut state = subgroup(2, vec![vec![], data], buffer([0; 12], &[5, 4]));
        let literal = Settled::by(&Specification::built_in().profiles["literal"]);
        let specification = Specification::built_in();
        let instruction = &specification.instructions["OpSubgroupBlockWriteINTEL"];
        state.size = 2;
        let mut draw = |_, _, _, _| 0;
        // Alignment is silence here, which stands before the stores.
        let settled = literal.with("unmet-must", "undefined-value");
        let found = execute(
            specification,
            &settled,
            instruction,
            &write,
            &state,
            Serialization::default(),
            &mut draw,
        )
        .unwrap();
        let expected = match good {
            true => LaneResult::Value(vec![]),
            false => LaneResult::Silence("stores-meet".into()),
        };
        assert_eq!(found.lanes, [Some(expected.clone()), Some(expected)], "{values:?}");
    }
}

/// A 4 by 2 image whose byte b of row r is 16 r + b.
fn image() -> Memory {
    let word = |row: u64, column: u64| {
        let byte = |b: u64| (16 * row + 4 * column + b) << (8 * b);
        Some(byte(0) | byte(1) | byte(2) | byte(3))
    };
    let words = (0..2).flat_map(|row| (0..4).map(move |column| word(row, column))).collect();
    Memory::Image { width: 4, height: 2, words, texels: 4, texel_bytes: 4 }
}

fn coordinates(lanes: u32, x: i32, y: i32) -> Vec<Vec<Bits>> {
    vec![vec![Some(u64::from(x as u32)), Some(u64::from(y as u32))]; lanes as usize]
}

/// Width, components, x, y, and what two lanes read: worked out by hand.
type Read = (u32, u32, i32, i32, [&'static [u64]; 2]);

#[test]
fn an_image_block_read_clamps_words() {
    let read = |width, count| {
        let arguments = vec![Argument::Image, Argument::Value(vector(32, 2))];
        instance(arguments, Some(vector(width, count)))
    };
    let cases: &[Read] = &[
        (32, 1, 0, 0, [&[0x0302_0100], &[0x0706_0504]]),
        (32, 2, 4, 0, [&[0x0706_0504, 0x1716_1514], &[0x0b0a_0908, 0x1b1a_1918]]),
        (32, 1, 1, 1, [&[0x1413_1211], &[0x1817_1615]]),
        (16, 1, 3, 0, [&[0x0403], &[0x0605]]),
        (8, 1, 2, 1, [&[0x12], &[0x13]]),
        // Past the right edge, the left one, the lower one and the upper one.
        (32, 1, 12, 0, [&[0x0f0e_0d0c], &[0x0f0e_0d0c]]),
        (32, 1, -4, 0, [&[0x0302_0100], &[0x0302_0100]]),
        (32, 2, 0, 1, [&[0x1312_1110, 0x1312_1110], &[0x1716_1514, 0x1716_1514]]),
        (32, 1, 8, -7, [&[0x0b0a_0908], &[0x0f0e_0d0c]]),
        // Across the edge: the last word again, byte for byte.
        (32, 1, 14, 0, [&[0x0d0c_0f0e], &[0x0d0c_0f0e]]),
        (16, 1, 14, 0, [&[0x0f0e], &[0x0d0c]]),
    ];
    for &(width, count, x, y, expected) in cases {
        let state = subgroup(2, vec![vec![], coordinates(2, x, y)], image());
        let found = run("OpSubgroupImageBlockReadINTEL", &read(width, count), &state, &[]);
        let expected = expected.map(|lane| lane.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(values(&found), expected, "u{width}x{count} at {x}, {y}");
    }
}

/// Width, x, y, and the words that change.
type Written = (u32, i32, i32, &'static [(usize, u64)]);

#[test]
fn an_image_block_write_outside_is_ignored() {
    let write = |width| {
        let value = Argument::Value(vector(width, 1));
        instance(vec![Argument::Image, Argument::Value(vector(32, 2)), value], None)
    };
    let data: Vec<Vec<Bits>> = vec![vec![Some(0xaa)], vec![Some(0xbb)]];
    let cases: &[Written] = &[
        (32, 4, 1, &[(5, 0xaa), (6, 0xbb)]),
        (32, 12, 0, &[(3, 0xaa)]),
        (32, -4, 0, &[(0, 0xbb)]),
        (32, 0, 2, &[]),
        (16, 8, 0, &[(2, 0x00bb_00aa)]),
        (8, 0, 1, &[(4, 0x1312_bbaa)]),
    ];
    for &(width, x, y, expected) in cases {
        let operands = vec![vec![], coordinates(2, x, y), data.clone()];
        let state = subgroup(2, operands, image());
        let found = run("OpSubgroupImageBlockWriteINTEL", &write(width), &state, &[]);
        let Memory::Image { mut words, .. } = image() else { unreachable!() };
        expected.iter().for_each(|&(index, value)| words[index] = Some(value));
        let Memory::Image { words: left, .. } = &found.memory[&0] else { unreachable!() };
        assert_eq!(*left, words, "u{width} at {x}, {y}");
    }
    let state = subgroup(2, vec![vec![], coordinates(2, 2, 0), data], image());
    let found = run("OpSubgroupImageBlockWriteINTEL", &write(32), &state, &[]);
    let clause = "cl_intel_spirv_subgroups/OpSubgroupImageBlockWriteINTEL/27";
    assert_eq!(undefined(&found, 0), clause);
}

/// Arguments of an atomic with one Value.
fn atomic(values: usize) -> Instance {
    let scope = || Argument::Enumerant(vec!["Device".into()]);
    let mut arguments = vec![Argument::Pointer(Type::U32), scope(), Argument::Value(Type::U32)];
    arguments.extend((0..values).map(|_| Argument::Value(Type::U32)));
    instance(arguments, Some(Type::U32))
}

fn atomic_state(start: u64, values: &[u64]) -> Subgroup {
    let lanes = values.len() as u32;
    let each = |value: Option<u64>| vec![vec![value]; lanes as usize];
    let data = values.iter().map(|value| vec![Some(*value)]).collect();
    let memory = buffer([start], &vec![0; values.len()]);
    subgroup(lanes, vec![vec![], vec![], each(Some(0)), data], memory)
}

#[test]
fn atomics_follow_an_order_and_every_order_explains_itself() {
    let specification = Specification::built_in();
    let cases: &[(&str, [u64; 4], u64)] = &[
        // In the order 2, 0, 1 from 10 with 3, 4, 5.
        ("OpAtomicIAdd", [15, 18, 10, 22], 1),
        ("OpAtomicISub", [5, 2, 10, 0xffff_fffe], 1),
        ("OpAtomicExchange", [5, 3, 10, 4], 1),
        ("OpAtomicUMin", [5, 3, 10, 3], 1),
        ("OpAtomicSMax", [10, 10, 10, 10], 1),
        ("OpAtomicXor", [15, 12, 10, 8], 1),
    ];
    for (name, [first, second, third, last], wrong) in cases {
        let instruction = &specification.instructions[*name];
        let state = atomic_state(10, &[3, 4, 5]);
        let instance = atomic(1);
        let found = run(name, &instance, &state, &[2, 0, 1]);
        let expected = [[Some(*first)], [Some(*second)], [Some(*third)]];
        assert_eq!(values(&found), expected, "{name}");
        assert_eq!(found.memory[&0], buffer([*last], &[0, 0, 0]), "{name}");
        let ask = |lanes: &[Vec<Bits>], memory: &BTreeMap<usize, Memory>| {
            let seen: Vec<_> = lanes.iter().cloned().map(Some).collect();
            let settled = settled();
            let mut draw = |_, _, _, _| 0;
            explained(
                specification,
                &settled,
                instruction,
                &instance,
                &state,
                &seen,
                memory,
                &mut draw,
            )
            .unwrap()
        };
        let mut lanes = values(&found);
        assert_eq!(ask(&lanes, &found.memory), Explained::Yes, "{name}");
        lanes[1][0] = lanes[1][0].map(|value| value ^ (wrong << 20));
        assert_eq!(ask(&lanes, &found.memory), Explained::No, "{name}: a lane");
        let memory = BTreeMap::from([(0, buffer([last ^ 0x100], &[0, 0, 0]))]);
        assert_eq!(ask(&values(&found), &memory), Explained::No, "{name}: memory");
    }
}

#[test]
fn a_wide_subgroup_of_atomics_is_decided() {
    let specification = Specification::built_in();
    for name in ["OpAtomicIAdd", "OpAtomicOr", "OpAtomicUMax", "OpAtomicExchange", "OpAtomicXor"] {
        let instruction = &specification.instructions[name];
        let values_in: Vec<u64> = (0..64).map(|lane| lane * 37 % 11).collect();
        let mut state = atomic_state(3, &values_in[..1]);
        state = Subgroup {
            existing: 64,
            size: 64,
            max_size: 64,
            workgroup: None,
            active: u128::from(u64::MAX),
            ..state
        };
        state.operands[2] = vec![vec![Some(0)]; 64];
        state.operands[3] = values_in.iter().map(|value| vec![Some(*value)]).collect();
        state.memory.insert(0, buffer([3], &[0; 64]));
        let order: Vec<u32> = (0..64).map(|step| step * 29 % 64).collect();
        let found = run(name, &atomic(1), &state, &order);
        let seen: Vec<_> = values(&found).into_iter().map(Some).collect();
        let mut draw = |_, _, _, _| 0;
        let verdict = explained(
            specification,
            &settled(),
            instruction,
            &atomic(1),
            &state,
            &seen,
            &found.memory,
            &mut draw,
        );
        assert_eq!(verdict.unwrap(), Explained::Yes, "{name}");
    }
}

/// An atomic on half-precision numbers.
fn on_halves() -> Instance {
    let half = Type::Scalar(Scalar::F16);
    let scope = Argument::Enumerant(vec!["Device".into()]);
    let value = Argument::Value(half.clone());
    let arguments = vec![Argument::Pointer(half.clone()), scope, Argument::Value(Type::U32), value];
    instance(arguments, Some(half))
}

const ONE: u64 = 0x3c00;
const NEGATIVE: u64 = 0xc000;
const ZERO: u64 = 0x0000;
const MINUS_ZERO: u64 = 0x8000;
const INFINITY: u64 = 0x7c00;
const QUIET: u64 = 0x7e00;
const QUIET_TOO: u64 = 0xfe05;
const SIGNALING: u64 = 0x7c01;

/// An atomic, what stands in memory, what one lane gives, and what may be left there.
type Left = (&'static str, u64, u64, &'static [u64], &'static [u64]);

#[test]
fn an_atomic_on_numbers_leaves_what_may_be_left() {
    let specification = Specification::built_in();
    let cases: &[Left] = &[
        ("OpAtomicFAddEXT", ONE, ONE, &[0x4000], &[ONE, QUIET]),
        ("OpAtomicFAddEXT", ONE, QUIET, &[QUIET, QUIET_TOO, SIGNALING], &[ONE]),
        ("OpAtomicFAddEXT", INFINITY, 0xfc00, &[QUIET, SIGNALING], &[ZERO, INFINITY]),
        ("OpAtomicFMinEXT", ONE, NEGATIVE, &[NEGATIVE], &[ONE]),
        ("OpAtomicFMinEXT", NEGATIVE, ONE, &[NEGATIVE], &[ONE]),
        ("OpAtomicFMaxEXT", ONE, NEGATIVE, &[ONE], &[NEGATIVE]),
        ("OpAtomicFMinEXT", ZERO, MINUS_ZERO, &[ZERO, MINUS_ZERO], &[ONE]),
        ("OpAtomicFMaxEXT", ZERO, MINUS_ZERO, &[ZERO, MINUS_ZERO], &[QUIET]),
        ("OpAtomicFMinEXT", ONE, QUIET, &[ONE], &[QUIET, SIGNALING]),
        ("OpAtomicFMinEXT", QUIET, ONE, &[ONE], &[QUIET, SIGNALING]),
        ("OpAtomicFMaxEXT", ONE, SIGNALING, &[ONE, QUIET, SIGNALING], &[ZERO]),
        ("OpAtomicFMaxEXT", SIGNALING, ONE, &[ONE, QUIET_TOO, SIGNALING], &[ZERO]),
        ("OpAtomicFMinEXT", QUIET, QUIET_TOO, &[QUIET, QUIET_TOO], &[SIGNALING, ONE]),
        ("OpAtomicFMinEXT", QUIET, SIGNALING, &[QUIET, QUIET_TOO, SIGNALING], &[ONE]),
    ];
    for &(name, found, given, may, may_not) in cases {
        let values = vec![vec![Some(given)]];
        let operands = vec![vec![], vec![], vec![vec![Some(0)]], values];
        let state = subgroup(1, operands, buffer([found], &[0]));
        let instruction = &specification.instructions[name];
        let ask = |left: u64| {
            let memory = BTreeMap::from([(0, buffer([left], &[0]))]);
            let seen = [Some(vec![Some(found)])];
            let (settled, instance) = (settled(), on_halves());
            let mut draw = |_, _, _, _| 0;
            explained(
                specification,
                &settled,
                instruction,
                &instance,
                &state,
                &seen,
                &memory,
                &mut draw,
            )
            .unwrap()
        };
        for &left in may {
            assert_eq!(ask(left), Explained::Yes, "{name} {found:x} {given:x}: {left:x}");
        }
        for &left in may_not {
            assert_eq!(ask(left), Explained::No, "{name} {found:x} {given:x}: {left:x}");
        }
        // What a lane chooses is among it.
        for (nan, first) in [(0, false), (0, true), (1, false), (0x8234, true)] {
            let chosen = [Chosen { nan, first }];
            let serialization = Serialization { order: &[0], chosen: &chosen };
            let mut draw = |_, _, _, _| 0;
            let (settled, instance) = (settled(), on_halves());
            let run = execute(
                specification,
                &settled,
                instruction,
                &instance,
                &state,
                serialization,
                &mut draw,
            );
            let Memory::Buffer { elements, .. } = &run.unwrap().memory[&0] else { unreachable!() };
            assert_eq!(ask(elements[0].unwrap()), Explained::Yes, "{name} {found:x} {given:x}");
        }
    }
}

#[test]
fn a_lane_whose_result_nobody_saw_may_come_at_any_time() {
    let specification = Specification::built_in();
    // Lane 0 writes what is there already; lane 1 writes something else in between.
    let state = atomic_state(5, &[5, 7]);
    let settled = settled();
    for (left, expected) in [(5, Explained::Yes), (7, Explained::Yes), (6, Explained::No)] {
        let memory = BTreeMap::from([(0, buffer([left], &[0, 0]))]);
        let mut draw = |_, _, _, _| 0;
        let found = explained(
            specification,
            &settled,
            &specification.instructions["OpAtomicExchange"],
            &atomic(1),
            &state,
            &[None, None],
            &memory,
            &mut draw,
        );
        assert_eq!(found.unwrap(), expected, "{left}");
    }
}

#[test]
fn a_sum_of_nans_is_followed_from_lane_to_lane() {
    let specification = Specification::built_in();
    let half = |bits: &[u64]| bits.iter().map(|bits| vec![Some(*bits)]).collect::<Vec<_>>();
    let operands = vec![vec![], vec![], half(&[0, 0, 0]), half(&[QUIET, ONE, ONE])];
    let state = subgroup(3, operands, buffer([ONE], &[0, 0, 0]));
    let settled = settled();
    // Lane 0 makes a NaN of it, which one of the others finds; what that leaves is new again.
    for (seen, left, expected) in [
        ([ONE, QUIET_TOO, SIGNALING], QUIET, Explained::Yes),
        ([ONE, QUIET_TOO, QUIET_TOO], QUIET_TOO, Explained::Yes),
        ([0x4000, ONE, QUIET], SIGNALING, Explained::Yes),
        ([ONE, ONE, QUIET], QUIET, Explained::No),
        ([ONE, QUIET, QUIET], ONE, Explained::No),
    ] {
        let memory = BTreeMap::from([(0, buffer([left], &[0, 0, 0]))]);
        let seen: Vec<_> = seen.iter().map(|bits| Some(vec![Some(*bits)])).collect();
        let mut draw = |_, _, _, _| 0;
        let found = explained(
            specification,
            &settled,
            &specification.instructions["OpAtomicFAddEXT"],
            &on_halves(),
            &state,
            &seen,
            &memory,
            &mut draw,
        );
        assert_eq!(found.unwrap(), expected, "{seen:x?} {left:x}");
    }
}

#[test]
fn a_flag_tells_whether_it_was_set() {
    let scope = || Argument::Enumerant(vec!["Device".into()]);
    let arguments = vec![Argument::Pointer(Type::U32), scope(), Argument::Value(Type::U32)];
    let set = instance(arguments.clone(), Some(Type::BOOL));
    let operands = vec![vec![], vec![], vec![vec![Some(0)]; 2]];
    for (flag, results) in [(0, [Some(1), Some(0)]), (1, [Some(1), Some(1)]), (7, [Some(1), None])]
    {
        let state = subgroup(2, operands.clone(), buffer([flag], &[0, 0]));
        let found = run("OpAtomicFlagTestAndSet", &set, &state, &[1, 0]);
        assert_eq!(values(&found), results.map(|result| vec![result]), "{flag}");
        assert_eq!(found.memory[&0], buffer([1], &[0, 0]));
        let clear = instance(arguments.clone(), None);
        let found = run("OpAtomicFlagClear", &clear, &state, &[1, 0]);
        assert_eq!(found.memory[&0], buffer([0], &[0, 0]));
    }
}
