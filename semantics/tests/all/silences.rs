//! What no sentence settles is a reading: under another alternative there is another result.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::{
    Bits, LaneResult, Memory, Serialization, Subgroup, evaluate, execute,
};
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
        modes: Arc::default(),
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
    first_by(Specification::built_in(), name, settled, instance, subgroup)
}

fn first_by(
    specification: &Specification,
    name: &str,
    settled: &Settled,
    instance: &Instance,
    subgroup: &Subgroup,
) -> Bits {
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

/// What a document that adds to an instruction defines, its own clauses see, and no others: neither
/// those of the instruction's document nor functions.
#[test]
fn a_definition_is_of_its_document() {
    let added = |definition: &str| {
        let text = format!(
            "document MINE revision 1 \"Mine\"\nextend OpGroupNonUniformIAdd section \"More\"\n\
             [1] \"Something of its own\"\n let {definition}\n\
             document OURS revision 1 \"Ours\"\nextend OpGroupNonUniformIAdd section \"More\"\n\
             [1] \"A definition of the same name\"\n let {definition}\n"
        );
        Specification::built_in().extended_with("mine.lps", &text).unwrap()
    };
    let word = |name: &str| Argument::Enumerant(vec![name.into()]);
    let u32s = Argument::Value(Type::U32);
    let values = vec![Some(1), Some(2), Some(4), Some(8)];
    let lanes = subgroup(vec![vec![], vec![], values, vec![Some(2); 4]]);
    let arguments = vec![word("Subgroup"), word("ClusteredReduce"), u32s.clone(), u32s];
    let form = instance(arguments, Type::U32);
    for definition in ["same_cluster(a, b, size) = true", "exceeds(a, b) = true"] {
        let settled = settled("cluster-members", "consecutive-lanes");
        let sum = first_by(&added(definition), "OpGroupNonUniformIAdd", &settled, &form, &lanes);
        assert_eq!(sum, Some(3), "{definition}");
    }
}

#[test]
fn which_lanes_a_scan_has_is_a_reading() {
    let word = |name: &str| Argument::Enumerant(vec![name.into()]);
    let u32s = Argument::Value(Type::U32);
    let values = vec![Some(1), Some(2)];
    let lanes = subgroup(vec![vec![], vec![], values, vec![]]);
    for scan in ["InclusiveScan", "ExclusiveScan", "Reduce"] {
        let arguments = vec![word("Subgroup"), word(scan), u32s.clone(), Argument::Absent];
        let form = instance(arguments, Type::U32);
        let given =
            |it: &str| first("OpGroupNonUniformIAdd", &settled("scan-members", it), &form, &lanes);
        assert!(given("active-lanes").is_some(), "{scan}");
        assert_eq!(given("undefined-value").is_some(), scan == "Reduce", "{scan}");
    }
}

#[test]
fn an_identity_that_no_list_has_is_a_reading() {
    let word = |name: &str| Argument::Enumerant(vec![name.into()]);
    let names = ["SMin", "UMin", "SMax", "UMax", "BitwiseAnd", "IMul"];
    for (name, width) in names.iter().flat_map(|name| [8, 16, 32, 64].map(|it| (name, it))) {
        let ty = Type::Scalar(Scalar::uint(width));
        let values = vec![Some(1), Some(2)];
        let lanes = subgroup(vec![vec![], vec![], values, vec![]]);
        let own = Argument::Value(ty.clone());
        for scan in ["InclusiveScan", "ExclusiveScan"] {
            let arguments = vec![word("Subgroup"), word(scan), own.clone(), Argument::Absent];
            let form = instance(arguments, ty.clone());
            let name = format!("OpGroupNonUniform{name}");
            let given = |it: &str| first(&name, &settled("narrow-identity", it), &form, &lanes);
            assert!(given("of-the-type").is_some(), "{name} {width} {scan}");
            let unlisted = ["SMin", "UMin", "SMax"].iter().any(|it| name.ends_with(it));
            let open = unlisted && width < 32 && scan == "ExclusiveScan";
            assert_eq!(given("undefined-value").is_none(), open, "{name} {width} {scan}");
        }
    }
}

#[test]
fn how_bfloat16_rounds_is_a_reading() {
    let f32s = Argument::Value(Type::Scalar(Scalar::F32));
    let form = instance(vec![f32s], Type::Scalar(Scalar::uint(16)));
    let lanes = subgroup(vec![vec![Some(0x3f80_8001)]]);
    let given =
        |it: &str| first("OpConvertFToBF16INTEL", &settled("bfloat16-rounding", it), &form, &lanes);
    assert_eq!(given("nearest-even"), Some(0x3f81));
    assert_eq!(given("undefined-value"), None);
}

#[test]
fn among_whom_an_id_is_uniform_is_a_reading() {
    let specification = Specification::built_in();
    let word = |name: &str| Argument::Enumerant(vec![name.into()]);
    let u32s = Argument::Value(Type::U32);
    let form = instance(vec![word("Subgroup"), u32s.clone(), u32s], Type::U32);
    let lanes = subgroup(vec![vec![], vec![Some(7), Some(8)], vec![Some(1), Some(1)]]);
    let instruction = &specification.instructions["OpGroupNonUniformBroadcast"];
    let mut draw = |_: usize, _: usize, _: u32, _: u32| 0;
    let mut given = |alternative: &str| {
        let settled = settled("dynamic-uniformity", alternative);
        evaluate(specification, &settled, instruction, &form, &lanes, &mut draw, None).unwrap()
    };
    assert!(matches!(given("subgroup")[0], Some(LaneResult::Value(_))));
    assert!(matches!(given("invocation-group")[0], Some(LaneResult::Silence(_))));
}

#[test]
fn a_slip_in_a_maximum_is_a_reading() {
    let specification = Specification::built_in();
    let f32_type = Type::Scalar(Scalar::F32);
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
        let serialization = Serialization { order: &[0], ..Serialization::default() };
        let instruction = &specification.instructions[name];
        let done =
            execute(specification, &settled, instruction, &form, &lanes, serialization, &mut draw)
                .unwrap();
        match &done.memory[&0] {
            Memory::Buffer { elements, .. } => elements[0],
            Memory::Image { .. } => panic!("a buffer"),
        }
    };
    assert_eq!(left("OpAtomicFMaxEXT", "greater"), Some(two));
    assert_eq!(left("OpAtomicFMaxEXT", "as-written"), Some(one));
    assert_eq!(left("OpAtomicFMinEXT", "as-written"), Some(one));
}
