//! A tree as SPIR-V.

mod control;
mod declarations;
mod foreign;
mod frame;
mod interface;

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::Type;
use rspirv::binary::Assemble as _;
use rspirv::dr::{self, Instruction, Operand as Word};
use rspirv::spirv::{self, FunctionControl, Op};

use crate::tree::{End, Tree, TreeBlock, TreeOperand, TreeValue};
use declarations::Declarations;
use interface::Interface;

/// The words of a module.
pub fn words(tree: &Tree) -> Vec<u32> {
    let mut emitter = Emitter {
        tree,
        declarations: Declarations::new(tree),
        interface: Interface::default(),
        values: BTreeMap::new(),
        variables: Vec::new(),
        blocks: Vec::new(),
        current: dr::Block::new(),
        loops: Vec::new(),
        next_case: None,
        functions: Vec::new(),
        foreign: Vec::new(),
        exact: BTreeSet::new(),
    };
    emitter.whole();
    emitter.finish()
}

/// What is being written.
pub(crate) struct Emitter<'t> {
    tree: &'t Tree,
    declarations: Declarations,
    interface: Interface,
    values: BTreeMap<TreeValue, u32>,
    /// Function-local variables of the entry point.
    variables: Vec<u32>,
    blocks: Vec<dr::Block>,
    current: dr::Block,
    loops: Vec<control::LoopTarget>,
    /// Where a case falls through to.
    next_case: Option<u32>,
    /// The functions beside the entry point.
    functions: Vec<u32>,
    /// Those of another module that can be called.
    foreign: Vec<u32>,
    /// Results of theirs that must not be fused into others.
    exact: BTreeSet<u32>,
}

impl Emitter<'_> {
    fn whole(&mut self) {
        let tree = self.tree;
        self.interface = Interface::declare(tree, &mut self.declarations);
        if let Some(foreign) = &tree.foreign {
            self.adopt(foreign);
        }
        self.functions = tree.functions.iter().map(|_| self.declarations.id()).collect();
        for (index, function) in tree.functions.iter().enumerate() {
            let parameters: Vec<Type> =
                function.parameters.iter().map(|it| it.ty.clone()).collect();
            let result = self.declarations.ty(&function.result);
            let types: Vec<u32> = parameters.iter().map(|ty| self.declarations.ty(ty)).collect();
            let ty = self.declarations.function_type(result, &types);
            let mut parameters = Vec::new();
            for (parameter, ty) in function.parameters.iter().zip(types) {
                let id = self.declarations.id();
                self.values.insert(parameter.value, id);
                parameters.push(instruction(Op::FunctionParameter, Some(ty), Some(id), vec![]));
            }
            let id = self.functions[index];
            self.start_block();
            self.body(&function.body);
            self.end_function(id, result, ty, parameters);
        }
        self.entry();
    }

    fn entry(&mut self) {
        let void = self.declarations.void();
        let parameter_types = self.interface.parameter_types();
        let ty = self.declarations.function_type(void, &parameter_types);
        let parameters = self
            .interface
            .parameters
            .iter()
            .map(|(id, ty)| instruction(Op::FunctionParameter, Some(*ty), Some(*id), vec![]));
        let parameters = parameters.collect();
        self.start_block();
        for ty in &self.tree.variables {
            let of = self.declarations.ty(ty);
            let pointer = self.declarations.pointer(spirv::StorageClass::Function, of);
            let class = Word::StorageClass(spirv::StorageClass::Function);
            let id = self.emit(Op::Variable, pointer, vec![class]);
            self.variables.push(id);
        }
        self.load_inputs();
        self.body(&self.tree.body);
        let main = self.interface.main;
        self.end_function(main, void, ty, parameters);
    }

    /// The body of a function: nothing comes out of it but by returning.
    fn body(&mut self, block: &TreeBlock) {
        self.block(block);
        if block.end == End::Unreachable {
            self.terminate(Op::Unreachable, vec![]);
        }
    }

    fn end_function(&mut self, id: u32, result: u32, ty: u32, parameters: Vec<Instruction>) {
        let operands = vec![Word::FunctionControl(FunctionControl::NONE), Word::IdRef(ty)];
        let function = dr::Function {
            def: Some(instruction(Op::Function, Some(result), Some(id), operands)),
            end: Some(instruction(Op::FunctionEnd, None, None, vec![])),
            parameters,
            blocks: std::mem::take(&mut self.blocks),
        };
        self.declarations.module.functions.push(function);
    }

    fn finish(mut self) -> Vec<u32> {
        self.interface.entry_point(self.tree, &mut self.declarations);
        self.declarations.finish(self.tree).assemble()
    }

    /// The id of an operand.
    fn operand(&mut self, operand: &TreeOperand) -> u32 {
        match operand {
            TreeOperand::Value(value) => self.values.get(value).copied().unwrap_or_default(),
            TreeOperand::Constant(constant) => self.declarations.constant(constant),
            TreeOperand::Operation(_) | TreeOperand::Literal(_) => 0,
        }
    }

    fn word(&mut self, operand: &TreeOperand) -> Word {
        match operand {
            TreeOperand::Operation(operation) => Word::GroupOperation(*operation),
            TreeOperand::Literal(number) => Word::LiteralBit32(*number),
            other => Word::IdRef(self.operand(other)),
        }
    }
}

pub(crate) fn instruction(
    op: Op,
    ty: Option<u32>,
    id: Option<u32>,
    operands: Vec<Word>,
) -> Instruction {
    Instruction::new(op, ty, id, operands)
}
