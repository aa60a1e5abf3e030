//! A state as people read it.

use std::collections::BTreeMap;

use laneproof_semantics::Type;
use laneproof_semantics::denote::{Argument, Instance};
use laneproof_semantics::evaluate::{Bits, Memory, Subgroup};
use laneproof_semantics::language::ast::{Operand, SpecInstruction};
use serde_json::{Map, Value, json};

use crate::finding::{MemoryView, Witness};

/// The state, with the lane in which something shows.
pub fn witness(
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
    lane: u32,
) -> Witness {
    let (mut operands, mut lanes) = (Map::new(), Map::new());
    let values = instruction.operands.iter().zip(&subgroup.operands).zip(&instance.arguments);
    for (index, ((operand, held), argument)) in values.enumerate() {
        if let Some(Memory::Buffer { address, pointers, .. }) = subgroup.memory.get(&index) {
            let bytes = element_bytes(argument);
            let shown = |first: &u32| json!(format!("{:#x}", address + u64::from(*first) * bytes));
            operands.extend(
                pointers.get(lane as usize).map(|own| (operand.name.to_string(), shown(own))),
            );
            if pointers.iter().any(|other| Some(other) != pointers.first()) {
                lanes.insert(operand.name.to_string(), pointers.iter().map(shown).collect());
            }
        }
        let Argument::Value(ty) = argument else { continue };
        let shown = |lane: &Vec<Bits>| value(ty, lane);
        if let Some(own) = held.get(lane as usize) {
            operands.insert(operand.name.to_string(), shown(own));
        }
        if held.iter().any(|other| Some(other) != held.first()) {
            lanes.insert(operand.name.to_string(), held.iter().map(shown).collect());
        }
    }
    Witness {
        instruction: instruction.name.to_string(),
        form: form(instruction, instance),
        floats: floats(instruction, instance),
        subgroup_size: subgroup.size,
        max_size: subgroup.max_size,
        existing: subgroup.existing,
        active: (0..subgroup.existing).filter(|lane| subgroup.active >> lane & 1 == 1).collect(),
        lane,
        operands,
        lanes,
        memory: memory(instruction, instance, subgroup),
    }
}

/// What pointers and images lead to, by operand.
fn memory(
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
) -> BTreeMap<String, MemoryView> {
    let views = subgroup.memory.iter().map(|(&operand, memory)| {
        let name = instruction.operands[operand].name.to_string();
        let cell = |bits: &Bits| bits.map(|bits| format!("{bits:#x}"));
        let view = match memory {
            Memory::Buffer { address, elements, .. } => MemoryView::Buffer {
                address: format!("{address:#x}"),
                element_bytes: element_bytes(&instance.arguments[operand]),
                elements: elements.iter().map(cell).collect(),
            },
            Memory::Image { width, height, words, texels, texel_bytes } => MemoryView::Image {
                width: *texels,
                height: *height,
                texel_bytes: *texel_bytes,
                rows: words
                    .chunks((*width).max(1) as usize)
                    .map(|row| row.iter().map(cell).collect())
                    .collect(),
            },
        };
        (name, view)
    });
    views.collect()
}

fn element_bytes(argument: &Argument) -> u64 {
    match argument {
        Argument::Pointer(ty) => ty.element().map_or(4, |scalar| u64::from(scalar.width() / 8)),
        _ => 4,
    }
}

/// The operands that are floating-point scalars, with their widths.
fn floats(instruction: &SpecInstruction, instance: &Instance) -> BTreeMap<String, u32> {
    let float = |(operand, argument): (&Operand, &Argument)| match argument {
        Argument::Value(Type::Scalar(scalar)) if scalar.is_float() => {
            Some((operand.name.to_string(), scalar.width()))
        }
        _ => None,
    };
    instruction.operands.iter().zip(&instance.arguments).filter_map(float).collect()
}

fn form(instruction: &SpecInstruction, instance: &Instance) -> String {
    let mut words: Vec<String> = Vec::new();
    for (operand, argument) in instruction.operands.iter().zip(&instance.arguments) {
        match argument {
            Argument::Enumerant(names) => {
                words.extend(names.first().map(|name| format!("{} = {name}", operand.name)));
            }
            Argument::Value(ty) => words.push(format!("{} : {ty}", operand.name)),
            Argument::Pointer(ty) => words.push(format!("{} : pointer to {ty}", operand.name)),
            Argument::Image => words.push(format!("{} : image", operand.name)),
            _ => {}
        }
    }
    words.extend(instance.result.iter().map(|ty| format!("result {ty}")));
    words.extend(instance.capabilities.iter().map(|name| format!("{name} module")));
    words.join(", ")
}

fn value(ty: &Type, leaves: &[Bits]) -> Value {
    let shown = |bits: &Bits| bits.map_or(Value::Null, |bits| json!(format!("{bits:#x}")));
    match (ty, leaves) {
        (Type::Scalar(_), [one]) => shown(one),
        _ => leaves.iter().map(shown).collect(),
    }
}
