//! An instruction's short form and its full one have the same results, ends and choices, in full
//! and partial subgroups, with undefined values and without.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use crate::support::{Numbers, load, states};
use laneproof_interpreter::{
    Call, CallArgument, Choices, Finished, LaneValue, RunOptions, Stop, call,
};
use laneproof_module::{Program, Site};

/// Opcodes by what they take and give: `i` an integer, `f` a floating-point number, `b` a
/// Boolean, each with every shape; `#` a 32-bit scalar.
const FORMS: [(&str, &str, &str); 7] = [
    ("i", "i", "SNegate Not"),
    (
        "i",
        "ii",
        "IAdd ISub IMul UDiv UMod BitwiseAnd BitwiseOr BitwiseXor ShiftLeftLogical ShiftRightLogical ShiftRightArithmetic",
    ),
    (
        "b",
        "ii",
        "IEqual INotEqual ULessThan ULessThanEqual UGreaterThan UGreaterThanEqual SLessThan SLessThanEqual SGreaterThan SGreaterThanEqual",
    ),
    ("f", "f", "FNegate"),
    ("f", "ff", "FAdd FSub FMul FDiv"),
    (
        "b",
        "ff",
        "FOrdEqual FOrdNotEqual FOrdLessThan FOrdLessThanEqual FOrdGreaterThan FOrdGreaterThanEqual FUnordEqual FUnordNotEqual FUnordLessThan FUnordLessThanEqual FUnordGreaterThan FUnordGreaterThanEqual",
    ),
    ("b", "bb", "LogicalAnd LogicalOr LogicalEqual LogicalNotEqual"),
];

/// Opcodes that take something else.
const OTHERS: &str = "
    u32 UConvert u64 | u64 UConvert u32 | u16 SConvert u64 | u64 SConvert u16 | u64v2 SConvert u16v2
    u32 Bitcast f32 | f64 Bitcast u64 | u32v2 Bitcast u64 | bool LogicalNot bool | bool IsNan f32
    boolv2 IsNan f64v2 | u32 Select bool u32 u32 | f64 Select bool f64 f64 | u16v2 Select boolv2 u16v2 u16v2
    f32v2 VectorTimesScalar f32v2 f32 | boolv2 LogicalNot boolv2
    u32 GroupNonUniformShuffle scope u32 u32 | f64v2 GroupNonUniformShuffle scope f64v2 u32
    u16 GroupNonUniformShuffleXor scope u16 u32 | u32 GroupNonUniformShuffleUp scope u32 u32
    bool GroupNonUniformShuffleDown scope bool u32 | u64v2 GroupNonUniformBroadcastFirst scope u64v2
    u32 GroupNonUniformBroadcast scope u32 u32";

const SCALARS: [(&str, &str, u32); 6] = [
    ("bool", "OpTypeBool", 1),
    ("u16", "OpTypeInt 16 0", 16),
    ("u32", "OpTypeInt 32 0", 32),
    ("u64", "OpTypeInt 64 0", 64),
    ("f32", "OpTypeFloat 32", 32),
    ("f64", "OpTypeFloat 64", 64),
];

struct Form {
    name: String,
    result: String,
    operands: Vec<String>,
}

fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |result: String, name: &str, operands: Vec<String>| {
        forms.push(Form { name: name.into(), result, operands });
    };
    for (result, operands, names) in FORMS {
        let kinds = operands.chars().next().unwrap();
        let types: &[&str] = match kinds {
            'i' => &["u16", "u32", "u64", "u32v2"],
            'f' => &["f32", "f64", "f64v2"],
            _ => &["bool", "boolv2"],
        };
        for name in names.split_whitespace() {
            for ty in types {
                let given = match (result, ty.ends_with("v2")) {
                    ("b", true) => "boolv2",
                    ("b", false) => "bool",
                    _ => ty,
                };
                add(given.into(), name, vec![ty.to_string(); operands.len()]);
            }
        }
    }
    for line in OTHERS.lines().flat_map(|line| line.split('|')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [result, name, operands @ ..] = &*words else { continue };
        add((*result).into(), name, operands.iter().map(ToString::to_string).collect());
    }
    forms
}

/// A function `op` for a form, whose parameters are its operands.
fn module(form: &Form) -> Program {
    let mut text = String::from(
        "OpCapability Shader\nOpCapability Linkage\nOpCapability Int16\nOpCapability Int64
         OpCapability Float64\nOpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformBallot
         OpCapability GroupNonUniformShuffleRelative
         OpMemoryModel Logical GLSL450\nOpName %op \"op\"\n",
    );
    for (name, declaration, _) in SCALARS {
        text += &format!("%{name} = {declaration}\n%{name}v2 = OpTypeVector %{name} 2\n");
    }
    let types: Vec<&String> = form.operands.iter().filter(|ty| *ty != "scope").collect();
    let parameters: String = types.iter().map(|ty| format!(" %{ty}")).collect();
    text +=
        &format!("%scope = OpConstant %u32 3\n%ty = OpTypeFunction %{}{parameters}\n", form.result);
    text += &format!("%op = OpFunction %{} None %ty\n", form.result);
    let mut operands = String::new();
    for (number, ty) in form.operands.iter().enumerate() {
        if ty == "scope" {
            operands += " %scope";
        } else {
            text += &format!("%p{number} = OpFunctionParameter %{ty}\n");
            operands += &format!(" %p{number}");
        }
    }
    let Form { name, result, .. } = form;
    text += &format!("%entry = OpLabel\n%r = Op{name} %{result}{operands}\n");
    text += "OpReturnValue %r\nOpFunctionEnd\n";
    load(&text)
}

/// Makes every choice by a number, and records it.
#[derive(Default)]
struct Asked(Vec<(Site, usize, usize, u32, u64)>);

impl Choices for Asked {
    fn draw(&mut self, site: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        self.0.push((site.clone(), operand, leaf, lane, u64::from(width)));
        (operand + 2 * leaf) as u64 + u64::from(lane) / 3
    }

    fn pick(&mut self, site: &Site, options: u64) -> u64 {
        self.0.push((site.clone(), 0, 0, 0, options));
        self.0.len() as u64 % options
    }
}

type Outcome = (Result<Finished, Stop>, Vec<(Site, usize, usize, u32, u64)>);

fn outcome(request: &Call<'_>, in_full: bool) -> Outcome {
    let mut asked = Asked::default();
    let options = RunOptions { in_full, trace: true, step_limit: 20_000, ..RunOptions::default() };
    (call(request, &options, &mut asked), asked.0)
}

/// A value: often a small number or one at an end of the range.
fn scalar(numbers: &mut Numbers, width: u32, float: bool) -> u64 {
    let all = u64::MAX >> (64 - width);
    let bits = match numbers.below(6) {
        0 => numbers.below(4),
        1 => all.wrapping_sub(numbers.below(3)),
        2 => (all >> 1) + numbers.below(2),
        3 if float && width == 32 => u64::from((numbers.below(9) as f32 - 4.5).to_bits()),
        3 if float => (numbers.below(9) as f64 - 4.5).to_bits(),
        // An infinity, with or without something in the fraction.
        4 if float && width == 32 => 0x7f80_0000 | numbers.below(2),
        4 if float => 0x7ff0_0000_0000_0000 | numbers.below(2),
        4 => numbers.below(u64::from(width) + 2),
        _ => numbers.next(),
    };
    bits & all
}

/// A type's lanes; every eighth argument has undefined values.
fn argument(numbers: &mut Numbers, ty: &str, existing: u32, same: bool) -> CallArgument {
    let (scalar_type, count) = match ty.strip_suffix("v2") {
        Some(scalar_type) => (scalar_type, 2),
        None => (ty, 1),
    };
    let width = SCALARS.iter().find(|(name, ..)| *name == scalar_type).unwrap().2;
    let marked = numbers.below(8) == 0;
    let mut lane = || {
        let leaf = |_| {
            let bits = scalar(numbers, width, scalar_type.starts_with('f'));
            (!marked || numbers.below(5) > 0).then_some(bits)
        };
        LaneValue((0..count).map(leaf).collect())
    };
    if same {
        return CallArgument::Uniform(lane());
    }
    CallArgument::PerLane((0..existing).map(|_| lane()).collect())
}

#[test]
fn short_forms_do_what_full_ones_do() {
    let mut numbers = Numbers(7);
    let mut compared = 0;
    let mut ends: BTreeMap<bool, u64> = BTreeMap::new();
    let forms = forms();
    assert_eq!(forms.len(), 174);
    for form in &forms {
        let program = module(form);
        let function = program.function("op").unwrap().id;
        for (sizes, active) in states(&mut numbers) {
            let types = form.operands.iter().filter(|ty| *ty != "scope");
            let same = numbers.below(4) == 0;
            let arguments =
                types.map(|ty| argument(&mut numbers, ty, sizes.existing, same)).collect();
            let request = Call { program: &program, function, sizes, active, arguments };
            let (short, full) = (outcome(&request, false), outcome(&request, true));
            assert_eq!(short, full, "Op{} of {:?}: {request:?}", form.name, form.operands);
            *ends.entry(full.0.is_ok()).or_default() += 1;
            compared += u64::from(full.1.is_empty());
        }
    }
    assert_eq!((compared, ends[&true], ends[&false]), (28389, 34099, 587));
}

#[test]
fn so_do_they_where_lanes_part_and_come_round() {
    let mut numbers = Numbers(11);
    for name in ["straight", "divergent"] {
        let path = format!("{}/benches/{name}.spvasm", env!("CARGO_MANIFEST_DIR"));
        let program = load(&std::fs::read_to_string(path).unwrap());
        let function = program.function("kernel").unwrap();
        let mut finished = 0;
        for (sizes, active) in states(&mut numbers) {
            let arguments = (0..function.parameters.len())
                .map(|_| {
                    let lane = |_| LaneValue::scalar(1 + numbers.below(40));
                    CallArgument::PerLane((0..sizes.existing).map(lane).collect())
                })
                .collect();
            let request =
                Call { program: &program, function: function.id, sizes, active, arguments };
            let (short, full) = (outcome(&request, false), outcome(&request, true));
            assert_eq!(short, full, "{name}: {request:?}");
            finished += u32::from(full.0.is_ok());
        }
        assert!(finished > 100, "{name}: {finished}");
    }
}
