//! What of a program no run shows: orders that this interpreter does not know.

use std::collections::BTreeSet;

use laneproof_interpreter::relaxed_beside_floats;
use laneproof_module::spirv::Op;
use laneproof_module::{Instruction, Item, Operand, Program, Region};

/// What a program has that runs do not show in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blind {
    /// Memory barriers, or atomics that order other accesses: lanes that seem to race need not.
    pub ordering: bool,
    /// Images are written by one of several instructions: lanes that race for them are not seen.
    pub images: bool,
    /// Two variables alias one buffer: a scalar may be read as parts of another type.
    pub aliases: bool,
    /// Less precision is allowed where runs have no margin for it.
    pub precision: bool,
}

impl Blind {
    /// Looks through all functions.
    pub fn of(program: &Program) -> Self {
        let mut all = Vec::new();
        program.functions.iter().for_each(|function| collect(&function.body, &mut all));
        let images = |written: bool| {
            let wanted = |it: &&&Instruction| match it.opcode {
                Op::SubgroupImageBlockWriteINTEL => true,
                Op::SubgroupImageBlockReadINTEL => !written,
                _ => false,
            };
            all.iter().filter(wanted).count()
        };
        let bindings: Vec<_> = program.globals.values().filter_map(|it| it.binding).collect();
        Self {
            ordering: all.iter().any(|instruction| orders(program, instruction)),
            images: images(true) > 0 && images(false) > 1,
            aliases: bindings.iter().collect::<BTreeSet<_>>().len() < bindings.len(),
            precision: relaxed_beside_floats(program),
        }
    }
}

fn collect<'p>(region: &'p Region, all: &mut Vec<&'p Instruction>) {
    for item in &region.items {
        match item {
            Item::Block(block) => all.extend(&block.instructions),
            Item::Loop(inner) => collect(&inner.body, all),
        }
    }
}

/// Orders accesses to memory, without being a barrier that lanes wait at.
fn orders(program: &Program, instruction: &Instruction) -> bool {
    const ORDERING: u64 = 0x2 | 0x4 | 0x8 | 0x10;
    let ordering = |operand: &Operand| match operand {
        // What is not known may order.
        Operand::IdMemorySemantics(id) => {
            program.integer(*id).is_none_or(|semantics| semantics & ORDERING != 0)
        }
        _ => false,
    };
    match instruction.opcode {
        Op::MemoryBarrier => true,
        Op::ControlBarrier => false,
        _ => instruction.operands.iter().any(ordering),
    }
}
