//! The entry point: built-in inputs, buffers of 32-bit words, and how values go in and out.
//!
//! | binding, argument | words | what |
//! | --- | --- | --- |
//! | 0 | inputs of an invocation, one invocation after the other | read only |
//! | 1 | outputs of an invocation, likewise | written |
//! | 2 | `SubgroupSize`, lane index, `SubgroupId` of each invocation | written: who is who |
//! | 3 | [`crate::ATOMIC_WORDS`] | atomics |

use std::collections::BTreeMap;

use laneproof_semantics::{Scalar, Type};
use rspirv::dr::Operand as Word;
use rspirv::spirv::{
    self, BuiltIn, Decoration, ExecutionMode, ExecutionModel, MemoryAccess, Op, Scope, StorageClass,
};

use super::declarations::Declarations;
use super::{Emitter, instruction};
use crate::tree::{
    SHARED_WORDS, Tree, TreeConstant, TreeOperand, TreePlace, TreeStatement, scalar_words,
};
use laneproof_semantics::ModuleKind;

/// How many buffers an entry point has.
pub(super) const BUFFERS: usize = 4;

/// What the entry point sees.
#[derive(Default)]
pub(super) struct Interface {
    pub main: u32,
    /// Of kernels, by buffer: id and type.
    pub parameters: Vec<(u32, u32)>,
    /// By buffer.
    buffers: Vec<u32>,
    /// A pointer to a word of a buffer.
    word_pointer: u32,
    lane: u32,
    size: u32,
    subgroup: u32,
    index: u32,
    /// Loaded at the beginning of the entry point.
    invocation: Invocation,
    shared: Option<u32>,
    variables: Vec<u32>,
    /// Built-in inputs that functions from elsewhere read.
    pub more_inputs: Vec<u32>,
}

/// Which invocation runs, as ids of 32 bits.
#[derive(Default)]
struct Invocation {
    index: u32,
    /// By buffer, the first of its words.
    first: BTreeMap<usize, u32>,
}

impl Interface {
    pub fn declare(tree: &Tree, to: &mut Declarations) -> Self {
        let word = to.ty(&Type::U32);
        let mut interface = Self { main: to.id(), ..Self::default() };
        let input = |to: &mut Declarations, ty: u32, built_in: BuiltIn| {
            let pointer = to.pointer(StorageClass::Input, ty);
            let id = to.id();
            to.global(
                Op::Variable,
                Some(pointer),
                id,
                vec![Word::StorageClass(StorageClass::Input)],
            );
            to.decorate(id, Decoration::BuiltIn, vec![Word::BuiltIn(built_in)]);
            id
        };
        interface.lane = input(to, word, BuiltIn::SubgroupLocalInvocationId);
        interface.size = input(to, word, BuiltIn::SubgroupSize);
        interface.subgroup = input(to, word, BuiltIn::SubgroupId);
        // A workgroup has one dimension. Kernels take the id that every front end writes: not every
        // OpenCL runtime knows the other.
        let (index, built_in) = match tree.target.flavor {
            ModuleKind::Shader => (word, BuiltIn::LocalInvocationIndex),
            ModuleKind::Kernel => {
                let ty = Type::Vector { element: Scalar::uint(64), count: 3 };
                (to.ty(&ty), BuiltIn::LocalInvocationId)
            }
        };
        interface.index = input(to, index, built_in);
        interface.variables =
            vec![interface.lane, interface.size, interface.subgroup, interface.index];
        match tree.target.flavor {
            ModuleKind::Shader => {
                to.needs(&[spirv::Capability::GroupNonUniform], None);
                interface.shader_buffers(word, to);
            }
            ModuleKind::Kernel => {
                // The built-ins of subgroups.
                to.needs(&[spirv::Capability::SubgroupDispatch], None);
                interface.word_pointer = to.pointer(StorageClass::CrossWorkgroup, word);
                let pointer = interface.word_pointer;
                interface.parameters = (0..BUFFERS).map(|_| (to.id(), pointer)).collect();
                interface.buffers = interface.parameters.iter().map(|(id, _)| *id).collect();
            }
        }
        let mut shares = false;
        tree.each(&mut |statement| {
            shares |= matches!(
                statement,
                crate::TreeStatement::Load { from: TreePlace::Shared(_), .. }
                    | crate::TreeStatement::Store { to: TreePlace::Shared(_), .. }
            );
        });
        if shares {
            let length = to.constant(&TreeConstant::word(SHARED_WORDS));
            let array = to.once(Op::TypeArray, None, [word, length].map(Word::IdRef).to_vec());
            let pointer = to.pointer(StorageClass::Workgroup, array);
            let id = to.id();
            let class = Word::StorageClass(StorageClass::Workgroup);
            to.global(Op::Variable, Some(pointer), id, vec![class]);
            interface.shared = Some(id);
            interface.variables.push(id);
        }
        interface
    }

    fn shader_buffers(&mut self, word: u32, to: &mut Declarations) {
        let words = to.once(Op::TypeRuntimeArray, None, vec![Word::IdRef(word)]);
        to.decorate(words, Decoration::ArrayStride, vec![Word::LiteralBit32(4)]);
        let block = to.once(Op::TypeStruct, None, vec![Word::IdRef(words)]);
        to.decorate(block, Decoration::Block, vec![]);
        let offset = vec![
            Word::IdRef(block),
            Word::LiteralBit32(0),
            Word::Decoration(Decoration::Offset),
            Word::LiteralBit32(0),
        ];
        to.module.annotations.push(instruction(Op::MemberDecorate, None, None, offset));
        let pointer = to.pointer(StorageClass::StorageBuffer, block);
        self.word_pointer = to.pointer(StorageClass::StorageBuffer, word);
        for binding in 0..BUFFERS {
            let id = to.id();
            let class = Word::StorageClass(StorageClass::StorageBuffer);
            to.global(Op::Variable, Some(pointer), id, vec![class]);
            to.decorate(id, Decoration::DescriptorSet, vec![Word::LiteralBit32(0)]);
            to.decorate(id, Decoration::Binding, vec![Word::LiteralBit32(binding as u32)]);
            self.buffers.push(id);
            self.variables.push(id);
        }
    }

    /// The entry point's own variable of a built-in, if it has one.
    pub fn input(&self, built_in: BuiltIn) -> Option<u32> {
        match built_in {
            BuiltIn::SubgroupLocalInvocationId => Some(self.lane),
            BuiltIn::SubgroupSize => Some(self.size),
            BuiltIn::SubgroupId => Some(self.subgroup),
            BuiltIn::LocalInvocationIndex if self.parameters.is_empty() => Some(self.index),
            BuiltIn::LocalInvocationId if !self.parameters.is_empty() => Some(self.index),
            _ => None,
        }
    }

    pub fn parameter_types(&self) -> Vec<u32> {
        self.parameters.iter().map(|(_, ty)| *ty).collect()
    }

    /// The entry point and its modes.
    pub fn entry_point(&self, tree: &Tree, to: &mut Declarations) {
        let (model, name) = match tree.target.flavor {
            ModuleKind::Shader => (ExecutionModel::GLCompute, "main"),
            ModuleKind::Kernel => (ExecutionModel::Kernel, "subject"),
        };
        let mut operands = vec![
            Word::ExecutionModel(model),
            Word::IdRef(self.main),
            Word::LiteralString(name.to_owned()),
        ];
        // Since 1.4 all variables that are not function-local are listed.
        let listed = if tree.target.version >= (1, 4) { self.variables.len() } else { 4 };
        let variables = self.variables[..listed].iter().chain(&self.more_inputs);
        operands.extend(variables.map(|id| Word::IdRef(*id)));
        to.module.entry_points.push(instruction(Op::EntryPoint, None, None, operands));
        let mut mode = |mode: ExecutionMode, more: &[u32]| {
            let mut operands = vec![Word::IdRef(self.main), Word::ExecutionMode(mode)];
            operands.extend(more.iter().map(|number| Word::LiteralBit32(*number)));
            to.module.execution_modes.push(instruction(Op::ExecutionMode, None, None, operands));
        };
        mode(ExecutionMode::LocalSize, &[tree.target.workgroup, 1, 1]);
        if tree.target.flavor == ModuleKind::Kernel {
            mode(ExecutionMode::ContractionOff, &[]);
            mode(ExecutionMode::SubgroupSize, &[tree.target.subgroup_size]);
        }
        if tree.target.maximal_reconvergence {
            mode(ExecutionMode::MaximallyReconvergesKHR, &[]);
        }
    }
}

impl Emitter<'_> {
    /// Loads built-ins and inputs, and stores each invocation's identity.
    pub(super) fn load_inputs(&mut self) {
        let tree = self.tree;
        let word = self.declarations.ty(&Type::U32);
        let load = |it: &mut Self, from: u32| it.emit(Op::Load, word, vec![Word::IdRef(from)]);
        let [lane, size, subgroup] =
            [self.interface.lane, self.interface.size, self.interface.subgroup]
                .map(|variable| load(self, variable));
        self.values.insert(tree.lane, lane);
        self.interface.invocation.index = match tree.target.flavor {
            ModuleKind::Shader => load(self, self.interface.index),
            ModuleKind::Kernel => {
                let long = Type::Scalar(Scalar::uint(64));
                let triple = Type::Vector { element: Scalar::uint(64), count: 3 };
                let vector = self.declarations.ty(&triple);
                let long = self.declarations.ty(&long);
                let from = Word::IdRef(self.interface.index);
                let vector = Word::IdRef(self.emit(Op::Load, vector, vec![from]));
                let first = vec![vector, Word::LiteralBit32(0)];
                let long = self.emit(Op::CompositeExtract, long, first);
                self.emit(Op::UConvert, word, vec![Word::IdRef(long)])
            }
        };
        self.values.insert(tree.invocation, self.interface.invocation.index);
        let mut outputs = 0;
        tree.body.each(&mut |statement| {
            if matches!(statement, TreeStatement::Output { .. }) {
                outputs = tree.output_words;
            }
        });
        for (buffer, each) in [(0, tree.input_words()), (1, outputs), (2, 3)] {
            let first = self.first_word(each);
            self.interface.invocation.first.extend(first.map(|id| (buffer, id)));
        }
        for (number, value) in [size, lane, subgroup].into_iter().enumerate() {
            let at = self.element(2, number as u32);
            self.store_word(at, value);
        }
        let mut next = 0;
        for input in &tree.inputs {
            let mut parts = Vec::new();
            for scalar in input.ty.leaves() {
                let mut words = Vec::new();
                for _ in 0..scalar_words(scalar) {
                    let at = self.element(0, next);
                    words.push(self.load_word(at));
                    next += 1;
                }
                parts.push(self.scalar_of(scalar, &words));
            }
            let value = match parts.as_slice() {
                [one] => *one,
                several => {
                    let ty = self.declarations.ty(&input.ty);
                    let parts = several.iter().map(|id| Word::IdRef(*id)).collect();
                    self.emit(Op::CompositeConstruct, ty, parts)
                }
            };
            self.values.insert(input.value, value);
        }
    }

    /// A pointer to a word of a buffer: `number` of those that this invocation has.
    fn element(&mut self, buffer: usize, number: u32) -> u32 {
        let first = self.interface.invocation.first.get(&buffer).copied().unwrap_or_default();
        if number == 0 {
            return self.word_at(buffer, first);
        }
        let (word, number) = (self.declarations.ty(&Type::U32), self.constant(number));
        let index = self.emit(Op::IAdd, word, [first, number].map(Word::IdRef).to_vec());
        self.word_at(buffer, index)
    }

    /// The index of this invocation's first word in a buffer with `each` words per invocation.
    fn first_word(&mut self, each: u32) -> Option<u32> {
        let index = self.interface.invocation.index;
        match each {
            0 => None,
            1 => Some(index),
            _ => {
                let (word, each) = (self.declarations.ty(&Type::U32), self.constant(each));
                Some(self.emit(Op::IMul, word, [index, each].map(Word::IdRef).to_vec()))
            }
        }
    }

    fn word_at(&mut self, buffer: usize, index: u32) -> u32 {
        let (pointer, buffer) = (self.interface.word_pointer, self.interface.buffers[buffer]);
        match self.tree.target.flavor {
            ModuleKind::Shader => {
                let zero = self.constant(0);
                self.emit(Op::AccessChain, pointer, [buffer, zero, index].map(Word::IdRef).to_vec())
            }
            ModuleKind::Kernel => {
                let operands = [buffer, index].map(Word::IdRef).to_vec();
                self.emit(Op::InBoundsPtrAccessChain, pointer, operands)
            }
        }
    }

    fn load_word(&mut self, at: u32) -> u32 {
        let word = self.declarations.ty(&Type::U32);
        let mut operands = vec![Word::IdRef(at)];
        operands.extend(self.aligned());
        self.emit(Op::Load, word, operands)
    }

    fn store_word(&mut self, at: u32, value: u32) {
        let mut operands = vec![Word::IdRef(at), Word::IdRef(value)];
        operands.extend(self.aligned());
        self.push(Op::Store, None, None, operands);
    }

    /// Kernels say how memory is aligned.
    fn aligned(&self) -> Vec<Word> {
        match self.tree.target.flavor {
            ModuleKind::Shader => Vec::new(),
            ModuleKind::Kernel => {
                vec![Word::MemoryAccess(MemoryAccess::ALIGNED), Word::LiteralBit32(4)]
            }
        }
    }

    /// A scalar out of words.
    fn scalar_of(&mut self, scalar: Scalar, words: &[u32]) -> u32 {
        let ty = self.declarations.ty(&Type::Scalar(scalar));
        let word = Word::IdRef(words.first().copied().unwrap_or_default());
        match scalar {
            Scalar::Bool => {
                let one = self.constant(1);
                let number = self.declarations.ty(&Type::U32);
                let bit = self.emit(Op::BitwiseAnd, number, vec![word, Word::IdRef(one)]);
                let zero = self.constant(0);
                self.emit(Op::INotEqual, ty, [bit, zero].map(Word::IdRef).to_vec())
            }
            _ if scalar == Scalar::uint(32) => words[0],
            _ if scalar.width() == 32 => self.emit(Op::Bitcast, ty, vec![word]),
            _ if scalar.width() == 64 => {
                let pair = Type::Vector { element: Scalar::uint(32), count: 2 };
                let pair = self.declarations.ty(&pair);
                let words = words.iter().map(|id| Word::IdRef(*id)).collect();
                let pair = self.emit(Op::CompositeConstruct, pair, words);
                self.emit(Op::Bitcast, ty, vec![Word::IdRef(pair)])
            }
            _ => {
                let narrow = self.declarations.ty(&Type::Scalar(Scalar::uint(scalar.width())));
                let bits = self.emit(Op::UConvert, narrow, vec![word]);
                if narrow == ty {
                    bits
                } else {
                    self.emit(Op::Bitcast, ty, vec![Word::IdRef(bits)])
                }
            }
        }
    }

    /// The words of a scalar.
    fn split(&mut self, scalar: Scalar, value: u32) -> Vec<u32> {
        let word = self.declarations.ty(&Type::U32);
        let value = Word::IdRef(value);
        match scalar {
            Scalar::Bool => {
                let [one, zero] = [self.constant(1), self.constant(0)].map(Word::IdRef);
                vec![self.emit(Op::Select, word, vec![value, one, zero])]
            }
            _ if scalar.width() == 64 => {
                let pair = Type::Vector { element: Scalar::uint(32), count: 2 };
                let pair = self.declarations.ty(&pair);
                let pair = self.emit(Op::Bitcast, pair, vec![value]);
                [0, 1]
                    .map(|part| {
                        let operands = vec![Word::IdRef(pair), Word::LiteralBit32(part)];
                        self.emit(Op::CompositeExtract, word, operands)
                    })
                    .to_vec()
            }
            _ if scalar.width() == 32 => vec![self.emit(Op::Bitcast, word, vec![value])],
            _ => {
                let narrow = self.declarations.ty(&Type::Scalar(Scalar::uint(scalar.width())));
                let bits = match scalar {
                    Scalar::Int { .. } => value,
                    _ => Word::IdRef(self.emit(Op::Bitcast, narrow, vec![value])),
                };
                vec![self.emit(Op::UConvert, word, vec![bits])]
            }
        }
    }

    pub(super) fn output(&mut self, first: u32, value: &TreeOperand, ty: &Type) {
        let value = self.operand(value);
        let (scalars, mut next) = (ty.leaves(), first);
        for (index, scalar) in scalars.iter().enumerate() {
            let part = if scalars.len() == 1 {
                value
            } else {
                let element = self.declarations.ty(&Type::Scalar(*scalar));
                let operands = vec![Word::IdRef(value), Word::LiteralBit32(index as u32)];
                self.emit(Op::CompositeExtract, element, operands)
            };
            let words =
                if *scalar == Scalar::uint(32) { vec![part] } else { self.split(*scalar, part) };
            for word in words {
                let at = self.element(1, next);
                self.store_word(at, word);
                next += 1;
            }
        }
    }

    fn place(&mut self, place: &TreePlace) -> u32 {
        match place {
            TreePlace::Variable(index) => self.variables[*index],
            TreePlace::Shared(index) => {
                let word = self.declarations.ty(&Type::U32);
                let pointer = self.declarations.pointer(StorageClass::Workgroup, word);
                let (index, mask) = (self.operand(index), self.constant(SHARED_WORDS - 1));
                let index =
                    self.emit(Op::BitwiseAnd, word, [index, mask].map(Word::IdRef).to_vec());
                let shared = self.interface.shared.unwrap_or_default();
                let operands = [shared, index].map(Word::IdRef).to_vec();
                let op = match self.tree.target.flavor {
                    ModuleKind::Shader => Op::AccessChain,
                    ModuleKind::Kernel => Op::InBoundsAccessChain,
                };
                self.emit(op, pointer, operands)
            }
        }
    }

    pub(super) fn load(&mut self, from: &TreePlace, ty: &Type) -> u32 {
        let at = self.place(from);
        let ty = self.declarations.ty(ty);
        self.emit(Op::Load, ty, vec![Word::IdRef(at)])
    }

    pub(super) fn store(&mut self, to: &TreePlace, value: &TreeOperand) {
        let (at, value) = (self.place(to), self.operand(value));
        self.push(Op::Store, None, None, [at, value].map(Word::IdRef).to_vec());
    }

    pub(super) fn atomic(&mut self, op: Op, word: u32, value: &TreeOperand) -> u32 {
        let index = self.constant(word);
        let at = self.word_at(3, index);
        let (scope, relaxed) = (self.constant(Scope::Device as u32), self.constant(0));
        let value = self.operand(value);
        let ty = self.declarations.ty(&Type::U32);
        self.emit(op, ty, [at, scope, relaxed, value].map(Word::IdRef).to_vec())
    }
}
