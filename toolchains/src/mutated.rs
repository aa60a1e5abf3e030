//! Valid modules with one thing changed: neighbors of a user's own.

use std::collections::BTreeMap;

use laneproof_generator::Numbers;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{GroupOperation, Op};

use crate::apply::bytes_of;

/// How often a change may turn out invalid before the next is not tried.
const TRIES: usize = 8;

/// The module with an operand, an operator or a group operation changed, still valid; `None` where
/// no such change was found.
pub fn mutated(words: &[u32], numbers: &mut Numbers) -> Option<Vec<u32>> {
    let module = rspirv::dr::load_words(words).ok()?;
    let count = instructions(&mut module.clone()).count() as u64;
    for _ in 0..TRIES {
        let mut changed = module.clone();
        let types = types(&changed);
        let wanted = numbers.below(count.max(1)) as usize;
        let all: Vec<Instruction> = instructions(&mut changed).map(|it| it.clone()).collect();
        let Some(instruction) = instructions(&mut changed).nth(wanted) else { continue };
        if !change(instruction, &all[..wanted], &types, numbers) {
            continue;
        }
        let words = changed.assemble();
        if laneproof_module::load_bytes(&bytes_of(&words), "changed").is_ok() {
            return Some(words);
        }
    }
    None
}

/// The instructions in functions' blocks.
fn instructions(module: &mut Module) -> impl Iterator<Item = &mut Instruction> {
    let functions = module.functions.iter_mut();
    let blocks = functions.flat_map(|function| &mut function.blocks);
    blocks.flat_map(|block| &mut block.instructions)
}

/// The type of each result.
fn types(module: &Module) -> BTreeMap<u32, u32> {
    module.all_inst_iter().filter_map(|it| Some((it.result_id?, it.result_type?))).collect()
}

/// Changes one thing; whether there was one to change.
fn change(
    instruction: &mut Instruction,
    before: &[Instruction],
    types: &BTreeMap<u32, u32>,
    numbers: &mut Numbers,
) -> bool {
    match numbers.below(4) {
        0 => swap(instruction),
        1 => other_operation(instruction, numbers),
        2 => other_operator(instruction),
        _ => other_operand(instruction, before, types, numbers),
    }
}

fn swap(instruction: &mut Instruction) -> bool {
    match instruction.operands.as_mut_slice() {
        [.., Operand::IdRef(first), Operand::IdRef(second)] if first != second => {
            std::mem::swap(first, second);
            true
        }
        _ => false,
    }
}

fn other_operation(instruction: &mut Instruction, numbers: &mut Numbers) -> bool {
    const PLAIN: [GroupOperation; 3] =
        [GroupOperation::Reduce, GroupOperation::InclusiveScan, GroupOperation::ExclusiveScan];
    for operand in &mut instruction.operands {
        if let Operand::GroupOperation(operation) = operand
            && PLAIN.contains(operation)
        {
            let other = PLAIN[numbers.below(3) as usize];
            let changes = other != *operation;
            *operation = other;
            return changes;
        }
    }
    false
}

/// An operator that takes and gives the same.
fn other_operator(instruction: &mut Instruction) -> bool {
    const ALIKE: [(Op, Op); 8] = [
        (Op::IAdd, Op::ISub),
        (Op::BitwiseAnd, Op::BitwiseOr),
        (Op::LogicalAnd, Op::LogicalOr),
        (Op::IEqual, Op::INotEqual),
        (Op::ULessThan, Op::UGreaterThanEqual),
        (Op::GroupNonUniformUMin, Op::GroupNonUniformUMax),
        (Op::GroupNonUniformShuffleUp, Op::GroupNonUniformShuffleDown),
        (Op::GroupNonUniformAll, Op::GroupNonUniformAny),
    ];
    let op = instruction.class.opcode;
    let other = ALIKE.iter().find_map(|(one, two)| match op {
        _ if op == *one => Some(*two),
        _ if op == *two => Some(*one),
        _ => None,
    });
    let Some(other) = other else { return false };
    let (ty, result) = (instruction.result_type, instruction.result_id);
    *instruction = Instruction::new(other, ty, result, std::mem::take(&mut instruction.operands));
    true
}

/// An earlier result of the same type in the place of an operand.
fn other_operand(
    instruction: &mut Instruction,
    before: &[Instruction],
    types: &BTreeMap<u32, u32>,
    numbers: &mut Numbers,
) -> bool {
    let places: Vec<usize> = (0..instruction.operands.len())
        .filter(
            |at| matches!(instruction.operands[*at], Operand::IdRef(id) if types.contains_key(&id)),
        )
        .collect();
    if places.is_empty() {
        return false;
    }
    let place = places[numbers.below(places.len() as u64) as usize];
    let Operand::IdRef(old) = instruction.operands[place] else { return false };
    let others: Vec<u32> = before
        .iter()
        .filter_map(|it| it.result_id)
        .filter(|id| *id != old && types.get(id) == types.get(&old))
        .collect();
    if others.is_empty() {
        return false;
    }
    let new = others[numbers.below(others.len() as u64) as usize];
    instruction.operands[place] = Operand::IdRef(new);
    true
}
