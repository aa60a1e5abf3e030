//! Where rules look: fields of instructions, and of what operands lead to.

use std::collections::HashSet;

use laneproof_module::grammar::{INSTRUCTION_TABLE, OperandQuantifier};
use laneproof_module::spirv::{Decoration, ImageOperands, Op};
use laneproof_module::{Decoded, Id, Operand};

use crate::found::FieldContent;
use crate::view::View;

/// Fields that an instruction has of the entry points that come to it, or of its module.
const AROUND: [&str; 3] = ["ExecutionModel", "AddressingModel", "MemoryModel"];

/// The content of a field of an instruction, or of the instruction to which its operand `within`
/// leads; `None` without such a field.
pub fn values_at(
    view: &View<'_>,
    index: Option<usize>,
    field: &str,
    within: Option<&str>,
) -> Option<Vec<FieldContent>> {
    let instruction = view.instructions().get(index?)?;
    match within {
        None => own(view, instruction, field)
            .or_else(|| AROUND.contains(&field).then(|| view.tokens_at(field, index))),
        Some(operand) => {
            let leading = own(view, instruction, operand)?;
            let found = leading.into_iter().map(|leading| match leading {
                FieldContent::Type(ty) | FieldContent::Value { ty: Some(ty), .. } => {
                    inside(view, ty, field)
                }
                _ => None,
            });
            Some(found.collect::<Option<Vec<_>>>()?.concat())
        }
    }
}

fn own(view: &View<'_>, instruction: &Decoded, field: &str) -> Option<Vec<FieldContent>> {
    if let Some(found) = decorated(view, instruction, field) {
        return Some(found);
    }
    match (field, instruction.opcode) {
        ("Lod", _) => return level(view, instruction),
        ("FloatWidth", Op::Decorate) => return Some(float_widths(view, instruction.id(0)?)),
        _ => {}
    }
    let Some(at) = view.position(instruction, field) else {
        // The type of what it results in; a parameter has no other.
        let named = field == "Result" || field == "Type" && instruction.operands.is_empty();
        return instruction.ty.filter(|_| named).map(|ty| vec![FieldContent::Type(ty)]);
    };
    let last = at + 1 == view.fields.names(instruction.opcode).len();
    let of = |operand| FieldContent::of(view, field, operand);
    match last && repeats(instruction.opcode) && instruction.operands.len() > at {
        true => Some(instruction.operands[at..].iter().map(|it| of(Some(it))).collect()),
        false => Some(vec![of(instruction.operands.get(at))]),
    }
}

/// The level of detail, among the operands that a mask announces.
fn level(view: &View<'_>, instruction: &Decoded) -> Option<Vec<FieldContent>> {
    let mask = view.position(instruction, "ImageOperands")?;
    let bits = match instruction.operands.get(mask) {
        Some(Operand::ImageOperands(bits)) => *bits,
        _ => ImageOperands::NONE,
    };
    let at = mask + 1 + usize::from(bits.contains(ImageOperands::BIAS));
    let given = bits.contains(ImageOperands::LOD).then(|| instruction.operands.get(at)).flatten();
    Some(vec![FieldContent::of(view, "Lod", given)])
}

/// The decorations of a variable, of the one that is read, or of a parameter.
fn decorated(view: &View<'_>, instruction: &Decoded, field: &str) -> Option<Vec<FieldContent>> {
    let (decoration, target) = match (instruction.opcode, field) {
        (Op::Variable, "BuiltIn") => (Decoration::BuiltIn, instruction.result?),
        (Op::Load, "BuiltIn") => (Decoration::BuiltIn, view.root(instruction.id(0)?)),
        (Op::Variable, "Volatile") => (Decoration::Volatile, instruction.result?),
        (Op::FunctionParameter, "FunctionParameterAttribute") => {
            (Decoration::FuncParamAttr, instruction.result?)
        }
        _ => return None,
    };
    let of = |it: &&Decoded| it.operands.get(1) == Some(&Operand::Decoration(decoration));
    let mut found = view.decorations(target).filter(of);
    if decoration == Decoration::Volatile {
        return Some(vec![FieldContent::of(
            view,
            field,
            found.next().and_then(|it| it.operands.get(1)),
        )]);
    }
    Some(found.map(|it| FieldContent::of(view, field, it.operands.get(2))).collect())
}

/// The widths of floating point in what a decorated instruction results in and in its operands.
fn float_widths(view: &View<'_>, target: Id) -> Vec<FieldContent> {
    let Some(decorated) = view.definition(target) else { return Vec::new() };
    let decorated: Vec<&Decoded> = match decorated.opcode {
        Op::DecorationGroup => {
            let given = view
                .instructions()
                .iter()
                .filter(|it| it.opcode == Op::GroupDecorate && it.id(0) == Some(target));
            let targets = given.flat_map(|it| it.ids(1));
            targets.filter_map(|id| view.definition(id)).collect()
        }
        _ => vec![decorated],
    };
    let types = decorated.into_iter().flat_map(|it| {
        let operands = it.operands.iter().filter_map(Operand::id_ref_any);
        it.ty.into_iter().chain(operands.filter_map(|id| view.type_of(id)))
    });
    let widths = types.filter_map(|ty| view.float_width(ty));
    widths.map(|width| FieldContent::Number(u64::from(width))).collect()
}

/// Its last operand may be repeated.
fn repeats(opcode: Op) -> bool {
    let row = INSTRUCTION_TABLE.lookup_opcode(opcode as u32);
    row.and_then(|row| row.operands.last())
        .is_some_and(|it| it.quantifier == OperandQuantifier::ZeroOrMore)
}

/// A field of a type, or of the one that it leads to: what a pointer points to, and the image of a
/// sampled one. What stands behind a pointer in memory is another object's.
fn inside(view: &View<'_>, ty: Id, field: &str) -> Option<Vec<FieldContent>> {
    let has = |of: Id| {
        let definition = view.definition(of)?;
        let position = view.fields.position(definition.opcode, field);
        position.map(|_| definition)
    };
    let leads = |opcode: Op, at: usize| {
        move |of: Id| {
            let definition = view.definition(of).filter(|it| it.opcode == opcode);
            definition.map_or(Some(of), |it| it.id(at))
        }
    };
    let (pointee, image) = (leads(Op::TypePointer, 1), leads(Op::TypeSampledImage, 0));
    let definition = has(ty).or_else(|| has(pointee(ty)?)).or_else(|| has(image(pointee(ty)?)?))?;
    match definition.opcode {
        Op::TypeStruct => Some(members(view, definition, field)),
        _ => own(view, definition, field),
    }
}

/// The members of a structure, and those of the structures in it.
fn members(view: &View<'_>, structure: &Decoded, field: &str) -> Vec<FieldContent> {
    let (mut found, mut seen) = (Vec::new(), HashSet::from([structure.result]));
    let mut pending = vec![structure];
    while let Some(structure) = pending.pop() {
        found.extend(own(view, structure, field).unwrap_or_default());
        let nested = structure.operands.iter().filter_map(|it| view.definition(it.id_ref_any()?));
        pending.extend(nested.filter(|it| it.opcode == Op::TypeStruct && seen.insert(it.result)));
    }
    found
}
