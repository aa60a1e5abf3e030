//! Relaxed precision of what is no floating-point arithmetic.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::spirv::{BuiltIn, Op};
use laneproof_module::{Global, Id, Instruction, Program};

use super::{Types, element};
use crate::float_format::format;
use crate::opcode::OpcodeFacts;

/// A lane's number or a subgroup's size: sixteen bits hold it.
fn is_small(global: &Global) -> bool {
    matches!(
        global.built_in,
        Some(BuiltIn::SubgroupLocalInvocationId | BuiltIn::SubgroupSize | BuiltIn::SubgroupMaxSize)
    )
}

/// A subgroup's size as it is loaded: at least one.
fn is_size(program: &Program, id: Id) -> bool {
    let load = program.instruction(id).filter(|it| it.opcode == Op::Load);
    let variable = load.and_then(|it| it.operands.first()?.id_ref_any());
    let built_in = variable.and_then(|it| program.globals.get(&it)?.built_in);
    matches!(built_in, Some(BuiltIn::SubgroupSize | BuiltIn::SubgroupMaxSize))
}

/// An upper bound of an integer that is computed from small ones and does not wrap.
fn bound(program: &Program, known: &BTreeMap<Id, u64>, instruction: &Instruction) -> Option<u64> {
    let id = |number: usize| instruction.operands.get(number)?.id_ref_any();
    if instruction.opcode == Op::Load {
        let global = program.globals.get(&id(0)?)?;
        return is_small(global).then_some(128);
    }
    let of = |number: usize| {
        let id = id(number)?;
        known.get(&id).copied().or_else(|| program.integer(id))
    };
    let ones = |bound: u64| bound.checked_add(1)?.checked_next_power_of_two();
    match instruction.opcode {
        Op::IAdd => of(0)?.checked_add(of(1)?),
        Op::ISub if is_size(program, id(0)?) && of(1)? <= 1 => of(0),
        Op::IMul => of(0)?.checked_mul(of(1)?),
        Op::BitwiseAnd => [of(0), of(1)].into_iter().flatten().min(),
        Op::BitwiseOr | Op::BitwiseXor => ones(of(0)?.max(of(1)?)),
        Op::ShiftRightLogical | Op::UDiv | Op::UMod | Op::CopyObject => of(0),
        _ => None,
    }
}

/// Less precision is allowed for something else than arithmetic on floating point, which has its
/// margins: an integer operation may be one of 16 bits (SPIR-V, "Relaxed Precision"), and memory may
/// hold less.
pub fn relaxed_beside_floats(program: &Program) -> bool {
    let types = Types::of(program);
    let mut exact: BTreeSet<Id> =
        program.globals.values().filter(|it| is_small(it)).map(|it| it.id).collect();
    // Of what is known to be small, in the order of definitions: its least upper bound.
    let mut bounds: BTreeMap<Id, u64> = BTreeMap::new();
    for instruction in types.blocks.iter().flat_map(|block| &block.instructions) {
        let Some(id) = instruction.result else { continue };
        let result = instruction.ty.as_ref().and_then(element);
        if OpcodeFacts::of(instruction.opcode).rounds() && result.and_then(format).is_some() {
            exact.insert(id);
        }
        let bound = bound(program, &bounds, instruction);
        if let Some(bound) = bound.filter(|bound| *bound < 1 << 15) {
            exact.insert(id);
            bounds.insert(id, bound);
        }
    }
    !program.decorations.relaxed.is_subset(&exact)
}
