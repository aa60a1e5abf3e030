//! Functions, block by block.

use std::collections::{HashMap, HashSet};

use rspirv::dr::Operand;
use rspirv::grammar::reflect::is_block_terminator;
use rspirv::spirv::{
    Decoration, FunctionParameterAttribute, LinkageType, MemoryModel, Op, StorageClass,
};

use super::fold::width_mask;
use super::raw_block::{Merge, RawBlock};
use super::structure::structure;
use super::{Builder, Failure};
use crate::decode::Decoded;
use crate::names::Named;
use crate::program::{
    Block, Direction, Function, Id, Instruction, ModuleType, Parameter, Phi, Place, Region,
    Terminator,
};

impl Builder {
    /// Adds all functions, from the instructions after the module's globals. No id of the module is
    /// `fresh` or above.
    pub(super) fn add_functions(
        &mut self,
        instructions: &[Decoded],
        mut fresh: Id,
    ) -> Result<(), Failure> {
        let refused = self.refused_outside();
        for function in instructions.split(|found| found.opcode == Op::FunctionEnd) {
            let start = function.iter().position(|found| !self.is_non_semantic(found));
            if let Some([first, body @ ..]) = start.map(|start| &function[start..]) {
                let body = self.with_lifetimes(body, &mut fresh);
                let body = self.rewritten(&body, &mut fresh).into_owned();
                let mut function = self.function(first, &body)?;
                if let Some(reason) = refused.clone().or_else(|| self.refused_inside(first, &body))
                {
                    function.body = Region::default();
                    function.unmodelled = Some(reason);
                }
                if let Some(reason) = &function.unmodelled {
                    self.unmodelled(first, reason);
                }
                self.program.functions.push(function);
            }
        }
        Ok(())
    }

    fn function(&self, first: &Decoded, body: &[Decoded]) -> Result<Function, Failure> {
        let (Op::Function, Some(id), Some(result)) = (first.opcode, first.result, first.ty) else {
            return Err(malformed(first, "outside a function"));
        };
        let result = self.ty(result, first.place)?;
        let parameters = body.iter().take_while(|found| found.opcode == Op::FunctionParameter);
        let parameters: Result<Vec<Parameter>, Failure> =
            parameters.map(|found| self.parameter(found)).collect();
        let parameters = parameters?;
        let promises = self.promises(first, body);
        let rest: Vec<&Decoded> = body[parameters.len()..].iter().collect();
        let blocks = self.blocks(&rest, &self.selector_widths(body))?;
        let (body, unmodelled) = match structure(blocks) {
            Ok(region) => (region, None),
            Err(reason) => (Region::default(), Some(reason)),
        };
        let linkage = self.annotations.linkage(id);
        Ok(Function {
            id,
            name: self.function_name(id),
            import: linkage
                .filter(|(_, linkage)| *linkage == LinkageType::Import)
                .map(|(name, _)| name.to_owned()),
            linked: linkage.is_some(),
            result,
            parameters,
            body,
            promises,
            unmodelled,
            place: first.place,
        })
    }

    /// `OpName` up to the first `(`, where compilers append the parameters' types; otherwise the
    /// linkage name.
    fn function_name(&self, id: Id) -> Option<String> {
        let debug = self.program.debug.names.get(&id).and_then(|name| name.split('(').next());
        let linkage = self.annotations.linkage(id).map(|(name, _)| name);
        debug.filter(|name| !name.is_empty()).or(linkage).map(str::to_owned)
    }

    fn parameter(&self, found: &Decoded) -> Result<Parameter, Failure> {
        let (Some(id), Some(ty)) = (found.result, found.ty) else {
            return Err(malformed(found, "a parameter without a type"));
        };
        let [volatile, coherent] = self.is_shared_in_special_ways(id, ty);
        Ok(Parameter {
            id,
            ty: self.ty(ty, found.place)?,
            name: self.program.name_of(id),
            uniform: self.annotations.has(id, Decoration::Uniform)
                || self.annotations.has(id, Decoration::UniformId),
            volatile,
            coherent,
            alone: self.is_alone(id, ty),
            promises: self.parameter_promises(id),
            direction: Direction::Unknown,
        })
    }

    /// OpenCL's memory model has pointers that may alias unless one is decorated `Restrict`, or the
    /// attribute `NoAlias` says the same; the others have such as do not, unless decorated `Aliased`.
    /// One to a physical address has to be decorated either way, so what is not promises nothing.
    fn is_alone(&self, id: Id, ty: Id) -> bool {
        let has_any = |decorations: [Decoration; 2]| {
            decorations.iter().any(|it| self.annotations.has(id, *it))
        };
        let restricted = has_any([Decoration::Restrict, Decoration::RestrictPointer])
            || self.annotations.has_attribute(id, FunctionParameterAttribute::NoAlias);
        let aliased = has_any([Decoration::Aliased, Decoration::AliasedPointer]);
        let physical = matches!(
            self.program.types.get(&ty),
            Some(ModuleType::Pointer { storage: StorageClass::PhysicalStorageBuffer, .. })
        );
        match self.program.preamble.memory_model {
            MemoryModel::OpenCL => restricted,
            _ => !aliased && (restricted || !physical),
        }
    }

    fn blocks(
        &self,
        body: &[&Decoded],
        selectors: &HashMap<Id, u32>,
    ) -> Result<Vec<RawBlock>, Failure> {
        let mut blocks: Vec<RawBlock> = Vec::new();
        let mut open: Option<(Id, Open)> = None;
        for found in body {
            let Some((label, block)) = &mut open else {
                match (found.opcode, found.result) {
                    (Op::Label, Some(label)) => open = Some((label, Open::default())),
                    _ if self.is_non_semantic(found) => {}
                    _ => return Err(malformed(found, "outside a block")),
                }
                continue;
            };
            match found.opcode {
                Op::Phi => block.phis.push(self.phi(found)?),
                Op::SelectionMerge => block.merge = found.id(0).map(Merge::Selection),
                Op::LoopMerge => {
                    block.merge = found
                        .id(0)
                        .zip(found.id(1))
                        .map(|(merge, continue_target)| Merge::Loop { merge, continue_target });
                }
                Op::Label | Op::FunctionParameter => {
                    return Err(malformed(found, "inside a block"));
                }
                opcode if is_block_terminator(opcode) => {
                    let terminator = terminator(found, selectors)?;
                    // What ends a lane in a way that only some stages know stays visible.
                    let plain = opcode == Op::TerminateInvocation;
                    if matches!(terminator, Terminator::Terminate) && !plain {
                        block.instructions.push(self.instruction(found)?);
                    }
                    let label = *label;
                    let block = open.take().map(|(_, block)| block).unwrap_or_default();
                    blocks.push(block.close(label, terminator, found.place));
                }
                _ if self.is_non_semantic(found) => {}
                _ => block.instructions.push(self.instruction(found)?),
            }
        }
        match (open, body.last()) {
            (Some(_), Some(last)) => Err(malformed(last, "the block has no terminator")),
            _ => Ok(blocks),
        }
    }

    /// Bits of each switch's selector.
    fn selector_widths(&self, body: &[Decoded]) -> HashMap<Id, u32> {
        let switches = body.iter().filter(|found| found.opcode == Op::Switch);
        let selectors: HashSet<Id> = switches.filter_map(|found| found.id(0)).collect();
        let constants = selectors.iter().filter_map(|selector| {
            let constant = self.program.constants.get(selector)?;
            Some((*selector, constant.ty.element()?.width()))
        });
        let values = body.iter().filter_map(|found| {
            let id = found.result.filter(|id| selectors.contains(id))?;
            match self.program.types.get(&found.ty?)? {
                ModuleType::Data(data) => Some((id, data.element()?.width())),
                _ => None,
            }
        });
        constants.chain(values).collect()
    }

    fn phi(&self, found: &Decoded) -> Result<Phi, Failure> {
        let (Some(result), Some(ty)) = (found.result, found.ty) else {
            return Err(malformed(found, "a phi without a type"));
        };
        let ids: Vec<Id> = found.ids(0).collect();
        let incoming =
            ids.as_chunks::<2>().0.iter().map(|&[value, label]| (value, label)).collect();
        Ok(Phi { result, ty: self.ty(ty, found.place)?, incoming, place: found.place })
    }

    fn instruction(&self, found: &Decoded) -> Result<Instruction, Failure> {
        Ok(Instruction {
            opcode: found.opcode,
            result: found.result,
            ty: found.ty.map(|ty| self.ty(ty, found.place)).transpose()?,
            operands: found.operands.clone(),
            decorations: found
                .result
                .map_or_else(Vec::new, |id| self.annotations.altering(found.opcode, id)),
            place: found.place,
        })
    }
}

/// A block before its terminator.
#[derive(Default)]
struct Open {
    phis: Vec<Phi>,
    instructions: Vec<Instruction>,
    merge: Option<Merge>,
}

impl Open {
    fn close(self, label: Id, terminator: Terminator, end: Place) -> RawBlock {
        let selection_merge = match self.merge {
            Some(Merge::Selection(merge)) => Some(merge),
            _ => None,
        };
        let Self { phis, instructions, merge } = self;
        let switch_join = None;
        let block =
            Block { label, phis, instructions, terminator, end, selection_merge, switch_join };
        RawBlock { block, merge }
    }
}

fn terminator(found: &Decoded, selectors: &HashMap<Id, u32>) -> Result<Terminator, Failure> {
    let id = |index| found.id(index).ok_or_else(|| malformed(found, "an operand is missing"));
    Ok(match found.opcode {
        Op::Branch => Terminator::Branch(id(0)?),
        Op::BranchConditional => {
            Terminator::Conditional { condition: id(0)?, then: id(1)?, otherwise: id(2)? }
        }
        Op::Switch => {
            let (selector, default) = (id(0)?, id(1)?);
            // Literals of narrow signed selectors are sign-extended to a word.
            let width = selectors.get(&selector);
            let width = width.ok_or_else(|| malformed(found, "the selector is no number"))?;
            let mask = width_mask(*width);
            let cases = found.operands[2..].as_chunks::<2>().0.iter().map(|pair| match pair {
                [Operand::LiteralBit32(value), Operand::IdRef(target)] => {
                    Some((u64::from(*value) & mask, *target))
                }
                [Operand::LiteralBit64(value), Operand::IdRef(target)] => {
                    Some((*value & mask, *target))
                }
                _ => None,
            });
            let cases: Option<Vec<(u64, Id)>> = cases.collect();
            let cases = cases.ok_or_else(|| malformed(found, "a case is not a literal"))?;
            Terminator::Switch { selector, default, cases }
        }
        Op::Return => Terminator::Return,
        Op::ReturnValue => Terminator::ReturnValue(id(0)?),
        Op::Unreachable => Terminator::Unreachable,
        Op::Kill => Terminator::Kill,
        _ => Terminator::Terminate,
    })
}

fn malformed(found: &Decoded, reason: &str) -> Failure {
    Failure::Malformed(found.place, format!("{}: {reason}", found.opcode.name()))
}
