//! Which values come from arithmetic on floating point: those may be combined with what computes
//! with them.

use std::collections::BTreeMap;

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{
    Block, Id, Instruction, Item, ModuleType, Operand, Program, Region, Terminator,
};

use crate::opcode::{Floats, OpcodeFacts};

/// What a value is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// It comes from arithmetic.
    pub computed: bool,
    /// It comes from a product.
    pub product: bool,
}

impl Origin {
    fn join(&mut self, other: Self) {
        self.computed |= other.computed;
        self.product |= other.product;
    }
}

/// Of every value of a program that is made of something; of all paths together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    of: BTreeMap<Id, Origin>,
    /// The arithmetic that values are the results of.
    arithmetic: BTreeMap<Id, Instruction>,
    /// Where pointers lead.
    storage: BTreeMap<Id, StorageClass>,
    /// Of all that is stored in memory that one workgroup has for itself.
    stored: Origin,
    /// Of all that is passed to functions, and of all that they return.
    passed: Origin,
    returned: Origin,
}

impl Origins {
    /// Follows values through a program until nothing new is found.
    pub fn of(program: &Program) -> Self {
        let blocks = blocks(program);
        let mut origins = Self { storage: storage(program, &blocks), ..Self::default() };
        loop {
            let before = (origins.of.clone(), origins.stored, origins.passed, origins.returned);
            for function in &program.functions {
                // The arguments of a function that is called from outside are not computed.
                for parameter in &function.parameters {
                    origins.of.entry(parameter.id).or_default().join(origins.passed);
                }
            }
            blocks.iter().for_each(|block| origins.block(block));
            if before == (origins.of.clone(), origins.stored, origins.passed, origins.returned) {
                let all = blocks.iter().flat_map(|block| &block.instructions);
                let all = all.filter(|it| {
                    OpcodeFacts::of(it.opcode).floats == Floats::Computes
                        || it.opcode == Op::FNegate
                });
                origins.arithmetic = all.filter_map(|it| Some((it.result?, it.clone()))).collect();
                return origins;
            }
        }
    }

    /// What a value is made of.
    pub fn value(&self, id: Id) -> Origin {
        self.of.get(&id).copied().unwrap_or_default()
    }

    /// The arithmetic that a value is the result of.
    pub fn arithmetic(&self, id: Id) -> Option<&Instruction> {
        self.arithmetic.get(&id)
    }

    fn block(&mut self, block: &Block) {
        for phi in &block.phis {
            for (incoming, _) in &phi.incoming {
                let origin = self.value(*incoming);
                self.of.entry(phi.result).or_default().join(origin);
            }
        }
        block.instructions.iter().for_each(|instruction| self.instruction(instruction));
        if let Terminator::ReturnValue(id) = block.terminator {
            self.returned.join(self.value(id));
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let mut origin = Origin::default();
        for operand in &instruction.operands {
            if let Operand::IdRef(id) = operand {
                origin.join(self.value(*id));
            }
        }
        match instruction.opcode {
            Op::Store if self.is_private(instruction) => self.stored.join(origin),
            Op::Store => {}
            Op::FunctionCall => {
                self.passed.join(origin);
                origin = self.returned;
            }
            Op::Load => {
                origin = if self.is_private(instruction) { self.stored } else { Origin::default() };
            }
            opcode if OpcodeFacts::of(opcode).floats == Floats::Computes => {
                let sum = matches!(opcode, Op::FAdd | Op::FSub | Op::FDiv | Op::FConvert);
                origin = Origin { computed: true, product: !sum };
            }
            // A number that was made from bits, compared or counted is no number any more.
            opcode if moves(opcode) => {}
            _ => origin = Origin::default(),
        }
        if let Some(id) = instruction.result {
            self.of.entry(id).or_default().join(origin);
        }
    }

    /// It loads from, or stores to, memory that a compiler may keep in registers.
    fn is_private(&self, instruction: &Instruction) -> bool {
        let Some(Operand::IdRef(pointer)) = instruction.operands.first() else { return true };
        self.storage.get(pointer).is_none_or(|storage| {
            matches!(
                storage,
                StorageClass::Function | StorageClass::Private | StorageClass::Workgroup
            )
        })
    }
}

fn storage(program: &Program, blocks: &[&Block]) -> BTreeMap<Id, StorageClass> {
    let of = |ty: &ModuleType| match ty {
        ModuleType::Pointer { storage, .. } => Some(*storage),
        _ => None,
    };
    let globals = program.globals.values().map(|global| (global.id, global.storage));
    let parameters = program.functions.iter().flat_map(|function| &function.parameters);
    let parameters = parameters.filter_map(|it| Some((it.id, of(&it.ty)?)));
    let instructions = blocks.iter().flat_map(|block| &block.instructions);
    let instructions = instructions.filter_map(|it| Some((it.result?, of(it.ty.as_ref()?)?)));
    globals.chain(parameters).chain(instructions).collect()
}

fn moves(opcode: Op) -> bool {
    use Op::*;
    matches!(
        opcode,
        Phi | Select
            | CopyObject
            | CopyLogical
            | CompositeExtract
            | CompositeInsert
            | CompositeConstruct
            | VectorShuffle
            | VectorExtractDynamic
            | VectorInsertDynamic
            | FNegate
            | Transpose
            | Bitcast
            | FunctionParameter
    )
}

/// Every block of a program.
pub(super) fn blocks(program: &Program) -> Vec<&Block> {
    let mut blocks = Vec::new();
    program.functions.iter().for_each(|function| collect(&function.body, &mut blocks));
    blocks
}

fn collect<'p>(region: &'p Region, all: &mut Vec<&'p Block>) {
    for item in &region.items {
        match item {
            Item::Block(block) => all.push(block),
            Item::Loop(inner) => collect(&inner.body, all),
        }
    }
}
