//! Functions of another module with less in them: what a reducer tries.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::binary::Assemble as _;
use rspirv::dr::{Function, Instruction, Module, Operand as Word};
use rspirv::spirv::Op;

use super::{Foreign, covers, types};

impl Foreign {
    /// How many instructions its functions have. Labels, merges, plain branches and returns do not count.
    pub fn instructions(&self) -> usize {
        let functions = self.module.functions.iter();
        functions.flat_map(instructions).filter(|it| counts(it.class.opcode)).count()
    }

    /// Without the functions that those at these places do not call, if there are any.
    pub(crate) fn only(&self, called: &BTreeSet<usize>) -> Option<Self> {
        let reached = self.reached(called);
        let mut module = self.module.clone();
        module.functions.retain(|it| it.def_id().is_some_and(|id| reached.contains(&id)));
        (module.functions.len() < self.module.functions.len()).then(|| self.with(module))
    }

    /// Each without one of the functions that nothing calls. If what is wrong has to do with a function
    /// that is not called, then not with each.
    pub(crate) fn without_one(&self, called: &BTreeSet<usize>) -> Vec<Self> {
        let reached = self.reached(called);
        let functions = self.module.functions.iter().filter_map(Function::def_id);
        let unneeded = functions.filter(|id| !reached.contains(id));
        let without = |id: u32| {
            let mut module = self.module.clone();
            module.functions.retain(|it| it.def_id() != Some(id));
            self.with(module)
        };
        unneeded.map(without).collect()
    }

    /// Each with one instruction less, whose result was not used, or for which something else of its
    /// type stands: one of its operands, or a constant. Not each is valid.
    pub(crate) fn shorter(&self) -> Vec<Self> {
        let of_type = typed(&self.module);
        let constants = self.module.types_global_values.iter().filter(|it| is_constant(it));
        let constants: Vec<u32> = constants.filter_map(|it| it.result_id).collect();
        let mut found = Vec::new();
        for instruction in self.module.functions.iter().flat_map(instructions) {
            let (Some(result), Some(ty)) = (instruction.result_id, instruction.result_type) else {
                continue;
            };
            let fits = |id: &u32| of_type.get(id) == Some(&ty) && *id != result;
            let operands = instruction.operands.iter().filter_map(Word::id_ref_any);
            let is_used =
                self.module.functions.iter().flat_map(instructions).any(|it| {
                    it.operands.iter().any(|operand| operand.id_ref_any() == Some(result))
                });
            let instead: BTreeSet<u32> = match is_used {
                true => operands.chain(constants.iter().copied()).filter(fits).collect(),
                false => BTreeSet::from([0]),
            };
            found.extend(instead.iter().map(|id| self.with(without(&self.module, result, *id))));
        }
        found
    }

    fn with(&self, module: Module) -> Self {
        let types = types(&module);
        let mut functions = self.functions.clone();
        for function in &mut functions {
            let there = module.functions.iter().find(|it| it.def_id() == Some(function.id));
            if let Some(there) = there {
                function.covers = covers(there, &types);
            }
        }
        let words = module.assemble();
        Self {
            functions,
            words,
            module,
            name: self.name.clone(),
            sizes: self.sizes.clone(),
            ..*self
        }
    }

    /// The ids of functions at these places, and of all that they call.
    fn reached(&self, called: &BTreeSet<usize>) -> BTreeSet<u32> {
        let called = called.iter().filter_map(|index| self.functions.get(*index));
        let mut open: Vec<u32> = called.map(|it| it.id).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if reached.insert(id) {
                let here = self.module.functions.iter().filter(|it| it.def_id() == Some(id));
                let calls =
                    here.flat_map(instructions).filter(|it| it.class.opcode == Op::FunctionCall);
                open.extend(calls.filter_map(|it| it.operands.first()?.id_ref_any()));
            }
        }
        reached
    }
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| &block.instructions)
}

fn counts(op: Op) -> bool {
    !matches!(
        op,
        Op::SelectionMerge
            | Op::LoopMerge
            | Op::Branch
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
    )
}

fn is_constant(instruction: &Instruction) -> bool {
    matches!(instruction.class.opcode, Op::Constant | Op::ConstantTrue | Op::ConstantFalse)
}

/// The types of all results, by id.
fn typed(module: &Module) -> BTreeMap<u32, u32> {
    module.all_inst_iter().filter_map(|it| Some((it.result_id?, it.result_type?))).collect()
}

/// The module without the instruction of this result, for which another id stands.
fn without(module: &Module, result: u32, instead: u32) -> Module {
    let mut module = module.clone();
    let about = |it: &Instruction| it.operands.first() == Some(&Word::IdRef(result));
    module.annotations.retain(|it| !about(it));
    module.debug_names.retain(|it| !about(it));
    let blocks = module.functions.iter_mut().flat_map(|function| &mut function.blocks);
    for block in blocks {
        block.instructions.retain(|it| it.result_id != Some(result));
        let operands = block.instructions.iter_mut().flat_map(|it| &mut it.operands);
        for id in operands.filter_map(Word::id_ref_any_mut).filter(|id| **id == result) {
            *id = instead;
        }
    }
    module
}
