//! What no sentence settles is a reading: under another alternative there is another result.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::{Bits, LaneResult, Memory, Subgroup, Turns, evaluate, execute};
use laneproof_semantics::{Scalar, Specification, Type};

fn settled(reading: &str, alternative: &str) -> Settled {
    let settled = Settled::by(&Specification::built_in().profiles["vulkan"]);
    settled.with(reading, alternative).with("nan-payload", "canonical")
}

fn instance(arguments: Vec<Argument>, result: Type) -> Instance {
    Instance {
        arguments,
        result: Some(result),
        capabilities: Arc::new(BTreeSet::from(["Shader".to_owned()])),
        version: (1, 6),
        decorations: BTreeSet::new(),
    }
}

fn subgroup(operands: Vec<Vec<Bits>>) -> Subgroup {
    let existing = operands.iter().map(Vec::len).max().unwrap() as u32;
    let operands: Vec<Vec<Vec<Bits>>> =
        operands.into_iter().map(|lanes| lanes.into_iter().map(|it| vec![it]).collect()).collect();
    Subgroup {
        existing,
        size: existing,
        max_size: existing,
        active: (1 << existing) - 1,
        workgroup: None,
        operands,
        memory: BTreeMap::new(),
    }
}

/// The first lane's result.
fn first(name: &str, settled: &Settled, instance: &Instance, subgroup: &Subgroup) -> Bits {
    let specification = Specification::built_in();
    let instruction = &specification.instructions[name];
    let mut draw = |_: usize, _: usize, _: u32, _: u32| 0;
    let results =
        evaluate(specification, settled, instruction, instance, subgroup, &mut draw, None).unwrap();
    match results[0].clone().unwrap() {
        LaneResult::Value(leaves) => leaves[0],
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn which_lanes_a_cluster_has_is_a_reading() {
    let u32s = Argument::Value(Type::U32);
    let word = |name: &str| Argument::Enumerant(vec![name.into()]);
    let form = |operation: &str, size: Argument| {
        instance(vec![word("Subgroup"), word(operation), u32s.clone(), size], Type::U32)
    };
    let values = vec![Some(1), Some(2), Some(4), Some(8)];
    let lanes = subgroup(vec![vec![], vec![], values, vec![Some(2); 4]]);
    let clustered = form("ClusteredReduce", u32s.clone());
    let whole = form("Reduce", Argument::Absent);
    let sum = |alternative: &str, form: &Instance| {
        first("OpGroupNonUniformIAdd", &settled("cluster-members", alternative), form, &lanes)
    };
    assert_eq!(sum("consecutive-lanes", &clustered), Some(3));
    assert_eq!(sum("undefined-value", &clustered), None);
    assert_eq!(sum("undefined-value", &whole), Some(15));
}

#[test]
fn a_slip_in_a_maximum_is_a_reading() {
    let specification = Specification::built_in();
    let f32_type = Type::Scalar(Scalar::float(32));
    let (device, number) = (Argument::Enumerant(vec!["Device".into()]), Argument::Value(Type::U32));
    let arguments = vec![
        Argument::Pointer(f32_type.clone()),
        device,
        number,
        Argument::Value(f32_type.clone()),
    ];
    let form = instance(arguments, f32_type);
    let (one, two) = (0x3f80_0000, 0x4000_0000);
    let left = |name: &str, alternative: &str| {
        let mut lanes = subgroup(vec![vec![], vec![], vec![Some(0)], vec![Some(two)]]);
        let buffer = Memory::Buffer { address: 0, elements: vec![Some(one)], pointers: vec![0] };
        lanes.memory.insert(0, buffer);
        let mut draw = |_: usize, _: usize, _: u32, _: u32| 0;
        let settled = settled("atomic-maximum", alternative);
        let turns = Turns { order: &[0], ..Turns::default() };
        let instruction = &specification.instructions[name];
        let done =
            execute(specification, &settled, instruction, &form, &lanes, turns, &mut draw).unwrap();
        match &done.memory[&0] {
            Memory::Buffer { elements, .. } => elements[0],
            Memory::Image { .. } => panic!("a buffer"),
        }
    };
    assert_eq!(left("OpAtomicFMaxEXT", "greater"), Some(two));
    assert_eq!(left("OpAtomicFMaxEXT", "as-written"), Some(one));
    assert_eq!(left("OpAtomicFMinEXT", "as-written"), Some(one));
}
