//! Types of operands and results that no document has for a group instruction: of each instruction, each
//! value in turn, whether or not the reference validator asks it.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use crate::support::{found, prepared};
use laneproof_environment::{Body, Environment, Severity};
use laneproof_module::names::InstructionClass;
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::{OperandType, SpecInstruction};

/// Types by the words of declarations, each with a value of it.
const TYPES: [(&str, &str); 12] = [
    ("u32", "OpTypeInt 32 0"),
    ("f32", "OpTypeFloat 32"),
    ("bool", "OpTypeBool"),
    ("u8", "OpTypeInt 8 0"),
    ("u64", "OpTypeInt 64 0"),
    ("i32", "OpTypeInt 32 1"),
    ("f64", "OpTypeFloat 64"),
    ("u32x2", "OpTypeVector %u32 2"),
    ("u32x4", "OpTypeVector %u32 4"),
    ("f32x2", "OpTypeVector %f32 2"),
    ("boolx2", "OpTypeVector %bool 2"),
    ("pointer", "OpTypePointer Workgroup %u32"),
];

fn scalar(ty: &str) -> &str {
    ty.split('x').next().unwrap()
}

/// Whether a declaration that is no variable has the type; none of what is no value.
fn fits(declared: &OperandType, ty: &str) -> Option<bool> {
    let is_integer = !ty.contains('x') && (ty.starts_with('u') || ty.starts_with('i'));
    Some(match declared {
        OperandType::Bool => ty == "bool",
        OperandType::Int(width) => is_integer && ty[1..] == width.to_string(),
        OperandType::AnyInt => is_integer,
        OperandType::Ballot => ty == "u32x4",
        _ => return None,
    })
}

/// Whether a variable may have the type, whatever else has it.
fn admitted(instruction: &SpecInstruction, variable: &str, ty: &str) -> bool {
    let Some(rule) = instruction.type_rules.iter().find(|it| &*it.variable == variable) else {
        return true;
    };
    let shape = if ty.contains('x') { rule.vector } else { rule.scalar };
    let element = scalar(ty);
    let is = |word: &str| match word {
        "int" => element.starts_with('u') || element.starts_with('i'),
        "float" => element.starts_with('f'),
        _ => word == element || element.starts_with('i') && word[1..] == element[1..],
    };
    rule.any || ty != "pointer" && shape && rule.elements.iter().any(|word| is(word))
}

/// A value of the instruction: whose types, and the words around it.
enum Part {
    Typed(OperandType),
    Fixed(&'static str),
}

/// The result and the operands that must be there; none where one is of a kind that is not tried.
fn parts(instruction: &SpecInstruction) -> Option<Vec<Part>> {
    let part = |ty: &OperandType| {
        Some(match ty {
            OperandType::Scope => Part::Fixed("%subgroup"),
            OperandType::Enumerant(_) => Part::Fixed("Reduce"),
            OperandType::Variable(_) => Part::Typed(ty.clone()),
            _ if fits(ty, "u32").is_some() => Part::Typed(ty.clone()),
            _ => return None,
        })
    };
    let operands = instruction.operands.iter().filter(|it| !it.optional).map(|it| &it.ty);
    instruction.result.iter().chain(operands).map(part).collect()
}

/// The errors of an instruction whose parts have these types, and those that no sentence has.
fn said(body: &Body<'_>, name: &str, parts: &[Part], types: &[&str]) -> (usize, usize) {
    let words = parts.iter().zip(types).skip(1).map(|(part, ty)| match part {
        Part::Fixed(word) => (*word).to_owned(),
        Part::Typed(_) => format!("%a_{ty}"),
    });
    let words: Vec<String> = words.collect();
    let declared: Vec<String> = TYPES
        .iter()
        .map(|(name, ty)| format!("%{name} = {ty}\n%a_{name} = OpUndef %{name}"))
        .collect();
    let text = format!(
        "; Version: 1.6\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n{}\n\
         %void = OpTypeVoid\n%subgroup = OpConstant %u32 3\n%fn = OpTypeFunction %void\n\
         %main = OpFunction %void None %fn\n%start = OpLabel\n%r = {name} %{} {}\nOpReturn\n\
         OpFunctionEnd\n",
        declared.join("\n"),
        types[0],
        words.join(" ")
    );
    let found = found(body, &prepared(&text, ""));
    // The environment's own lists are about legal types.
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    let errors: Vec<_> = errors.filter(|it| !it.rule.starts_with("vulkan/")).collect();
    let declared = errors.iter().filter(|it| !it.citation.contains("sentence")).count();
    (errors.len(), declared)
}

#[test]
fn each_value_of_a_group_instruction_has_a_type_that_is_declared() {
    let body = Body::new(Environment::Vulkan, Specification::built_in());
    let (mut instructions, mut wrong) = (0, 0);
    for instruction in Specification::built_in().instructions.values() {
        let is_group = InstructionClass::of_name(&instruction.name).is_some_and(|it| it.is_group());
        let Some(parts) = parts(instruction).filter(|it| is_group && !it.is_empty()) else {
            continue;
        };
        if instruction.result.is_none() {
            continue;
        }
        let names: Vec<&str> = TYPES.iter().map(|it| it.0).collect();
        let mut variables: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        let right: Vec<&str> = parts
            .iter()
            .map(|part| match part {
                Part::Fixed(_) => "u32",
                Part::Typed(OperandType::Variable(variable)) => {
                    let first = names.iter().find(|ty| admitted(instruction, variable, ty));
                    let entry = variables.entry(variable).or_insert((0, first.unwrap()));
                    entry.0 += 1;
                    entry.1
                }
                Part::Typed(ty) => names.iter().find(|it| fits(ty, it) == Some(true)).unwrap(),
            })
            .collect();
        assert_eq!(
            said(&body, &instruction.name, &parts, &right),
            (0, 0),
            "{} {right:?}",
            instruction.name
        );
        instructions += 1;
        for (at, part) in parts.iter().enumerate() {
            let Part::Typed(declared) = part else { continue };
            for ty in &names {
                let legal = match declared {
                    OperandType::Variable(variable) => {
                        let (uses, chosen) = variables[&**variable];
                        *ty == chosen || uses == 1 && admitted(instruction, variable, ty)
                    }
                    other => fits(other, ty) == Some(true),
                };
                let mut types = right.clone();
                types[at] = ty;
                let (all, declared) = said(&body, &instruction.name, &parts, &types);
                let name = &instruction.name;
                assert!(legal || all > 0, "{name} {types:?}");
                assert!(!legal || declared == 0, "{name} {types:?}");
                wrong += usize::from(!legal);
            }
        }
    }
    assert!(instructions >= 60, "{instructions}");
    assert!(wrong >= 1000, "{wrong}");
}
