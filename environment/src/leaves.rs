//! What is known of a value's scalars: constants, and what is composed of them.

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id, Operand};
use laneproof_semantics::{FloatFormat, Scalar, Type};

use crate::view::View;

/// A value's scalars, those of them that are constants and cannot be specialized.
pub type Leaves = Vec<Option<u64>>;

/// How many instructions that compose a value are followed.
const DEPTH: u32 = 16;

/// The scalars of a value, if any of them is known.
pub fn leaves(view: &View<'_>, id: Id) -> Option<Leaves> {
    followed(view, id, DEPTH).filter(|leaves| leaves.iter().any(Option::is_some))
}

fn followed(view: &View<'_>, id: Id, depth: u32) -> Option<Leaves> {
    let definition = view.definition(id)?;
    let count = type_of(view, definition.ty?)?.leaf_count();
    if let Some(number) = view.constant(id) {
        return (count == 1 || definition.opcode == Op::ConstantNull)
            .then(|| vec![Some(number); count]);
    }
    let found = match depth.checked_sub(1) {
        Some(depth) => composed(view, definition, depth),
        None => None,
    };
    Some(found.filter(|it| it.len() == count).unwrap_or_else(|| vec![None; count]))
}

/// The scalars of what an instruction puts together.
fn composed(view: &View<'_>, definition: &Decoded, depth: u32) -> Option<Leaves> {
    let of = |id: Id| followed(view, id, depth);
    let operand = |at: usize| of(definition.id(at)?);
    match definition.opcode {
        Op::CopyObject => operand(0),
        Op::ConstantComposite | Op::SpecConstantComposite | Op::CompositeConstruct => {
            let parts = definition.operands.iter().map(|part| of(part.id_ref_any()?));
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        Op::CompositeExtract => {
            let &at = operand(0)?.get(index(definition, 1)?)?;
            Some(vec![at])
        }
        Op::CompositeInsert => {
            let (object, mut whole) = (operand(0)?, operand(1)?);
            *whole.get_mut(index(definition, 2)?)? = *object.first()?;
            Some(whole)
        }
        Op::VectorShuffle => {
            let both = [operand(0)?, operand(1)?].concat();
            let chosen = definition.operands.get(2..)?.iter().map(|it| match it {
                Operand::LiteralBit32(at) => both.get(*at as usize).copied().flatten(),
                _ => None,
            });
            Some(chosen.collect())
        }
        _ => None,
    }
}

/// The one index of an access to a vector, at this operand.
fn index(definition: &Decoded, at: usize) -> Option<usize> {
    match definition.operands.get(at..)? {
        [Operand::LiteralBit32(index)] => Some(*index as usize),
        _ => None,
    }
}

/// A scalar or vector type as clauses have it.
pub fn type_of(view: &View<'_>, ty: Id) -> Option<Type> {
    let definition = view.definition(ty)?;
    if definition.opcode == Op::TypeVector {
        let Type::Scalar(element) = type_of(view, definition.id(0)?)? else { return None };
        return Some(Type::Vector { element, count: definition.literal(1)? });
    }
    let width = definition.literal(0).unwrap_or(1);
    Some(Type::Scalar(match definition.opcode {
        Op::TypeBool => Scalar::Bool,
        Op::TypeInt => Scalar::Int { width, signed: definition.literal(1) == Some(1) },
        Op::TypeFloat if definition.operands.len() == 1 => Scalar::Float(FloatFormat::ieee(width)?),
        _ => return None,
    }))
}
