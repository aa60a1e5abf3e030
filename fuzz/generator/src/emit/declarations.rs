//! Types, constants, capabilities and decorations of the module that is being written.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::{FloatFormat, Scalar, Type};
use rspirv::binary::Assemble;
use rspirv::dr::{self, Instruction, ModuleHeader, Operand as Word};
use rspirv::spirv::{
    self, AddressingModel, Capability, Decoration, FPEncoding, MemoryModel, Op, StorageClass,
};

use super::instruction;
use crate::tree::{Tree, TreeConstant};
use laneproof_semantics::ModuleKind;

/// The part of a module before its functions.
pub(super) struct Declarations {
    pub module: dr::Module,
    next: u32,
    /// Global instructions without their results, as words.
    known: BTreeMap<Vec<u32>, u32>,
    pub capabilities: BTreeSet<Capability>,
    extensions: BTreeSet<String>,
    module_kind: ModuleKind,
}

impl Declarations {
    pub fn new(tree: &Tree) -> Self {
        let capabilities = match tree.target.module_kind {
            ModuleKind::Shader => [Capability::Shader].into(),
            ModuleKind::Kernel => {
                [Capability::Kernel, Capability::Addresses, Capability::Int64].into()
            }
        };
        Self {
            module: dr::Module::new(),
            next: 1,
            known: BTreeMap::new(),
            capabilities,
            extensions: BTreeSet::new(),
            module_kind: tree.target.module_kind,
        }
    }

    /// A new id.
    pub fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    pub fn extension(&mut self, name: &str) {
        self.extensions.insert(name.to_owned());
    }

    pub fn needs(&mut self, capabilities: &[Capability], extension: Option<&'static str>) {
        self.capabilities.extend(capabilities);
        self.extensions.extend(extension.map(str::to_owned));
        for capability in capabilities {
            match capability {
                Capability::GroupNonUniformPartitionedEXT => {
                    self.extension("SPV_NV_shader_subgroup_partitioned");
                }
                // Shaders have no group operations without it.
                Capability::GroupUniformArithmeticKHR if self.module_kind == ModuleKind::Shader => {
                    self.capabilities.insert(Capability::GroupNonUniformArithmetic);
                }
                _ => {}
            }
        }
    }

    /// A global instruction, once for all uses of it.
    pub fn once(&mut self, op: Op, ty: Option<u32>, operands: Vec<Word>) -> u32 {
        let key = instruction(op, ty, None, operands.clone()).assemble();
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.id();
        self.known.insert(key, id);
        self.global(op, ty, id, operands);
        id
    }

    /// A global instruction of its own.
    pub fn global(&mut self, op: Op, ty: Option<u32>, id: u32, operands: Vec<Word>) {
        self.module.types_global_values.push(instruction(op, ty, Some(id), operands));
    }

    pub fn void(&mut self) -> u32 {
        self.once(Op::TypeVoid, None, vec![])
    }

    pub fn function_type(&mut self, result: u32, parameters: &[u32]) -> u32 {
        let operands = std::iter::once(result).chain(parameters.iter().copied());
        self.once(Op::TypeFunction, None, operands.map(Word::IdRef).collect())
    }

    pub fn pointer(&mut self, class: StorageClass, to: u32) -> u32 {
        self.once(Op::TypePointer, None, vec![Word::StorageClass(class), Word::IdRef(to)])
    }

    /// A scalar or vector type.
    pub fn ty(&mut self, ty: &Type) -> u32 {
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar),
            other => {
                let element = self.scalar(other.element().unwrap_or(Scalar::Bool));
                let count = other.leaf_count() as u32;
                if count > 4 {
                    self.capabilities.insert(Capability::Vector16);
                }
                let operands = vec![Word::IdRef(element), Word::LiteralBit32(count)];
                self.once(Op::TypeVector, None, operands)
            }
        }
    }

    fn scalar(&mut self, scalar: Scalar) -> u32 {
        let capability = match scalar {
            Scalar::Int { width: 8, .. } => Some(Capability::Int8),
            Scalar::Int { width: 16, .. } => Some(Capability::Int16),
            Scalar::Int { width: 64, .. } => Some(Capability::Int64),
            Scalar::Float(FloatFormat::Half) => Some(Capability::Float16),
            Scalar::Float(FloatFormat::Bfloat16) => Some(Capability::BFloat16TypeKHR),
            Scalar::Float(FloatFormat::Double) => Some(Capability::Float64),
            Scalar::Float(FloatFormat::Single) | Scalar::Bool | Scalar::Int { .. } => None,
        };
        self.capabilities.extend(capability);
        match scalar {
            Scalar::Bool => self.once(Op::TypeBool, None, vec![]),
            Scalar::Int { width, signed } => {
                let operands = [width, u32::from(signed)].map(Word::LiteralBit32).to_vec();
                self.once(Op::TypeInt, None, operands)
            }
            Scalar::Float(format) => {
                let encoding = match format {
                    FloatFormat::Bfloat16 => Some(Word::FPEncoding(FPEncoding::BFloat16KHR)),
                    FloatFormat::Half | FloatFormat::Single | FloatFormat::Double => None,
                };
                let width = Word::LiteralBit32(format.width());
                self.once(Op::TypeFloat, None, [width].into_iter().chain(encoding).collect())
            }
        }
    }

    /// A constant's id.
    pub fn constant(&mut self, constant: &TreeConstant) -> u32 {
        let element = constant.ty.element().unwrap_or(Scalar::Bool);
        let scalar = self.scalar(element);
        let ids: Vec<u32> = constant
            .bits
            .iter()
            .map(|bits| match element {
                Scalar::Bool if *bits & 1 == 1 => self.once(Op::ConstantTrue, Some(scalar), vec![]),
                Scalar::Bool => self.once(Op::ConstantFalse, Some(scalar), vec![]),
                _ => {
                    let literal = if element.width() > 32 {
                        Word::LiteralBit64(*bits)
                    } else {
                        Word::LiteralBit32(narrow(element, *bits))
                    };
                    self.once(Op::Constant, Some(scalar), vec![literal])
                }
            })
            .collect();
        match ids.as_slice() {
            [one] => *one,
            several => {
                let ty = self.ty(&constant.ty);
                let operands = several.iter().map(|id| Word::IdRef(*id)).collect();
                self.once(Op::ConstantComposite, Some(ty), operands)
            }
        }
    }

    pub fn decorate(&mut self, id: u32, decoration: Decoration, more: Vec<Word>) {
        let mut operands = vec![Word::IdRef(id), Word::Decoration(decoration)];
        operands.extend(more);
        self.module.annotations.push(instruction(Op::Decorate, None, None, operands));
    }

    /// Arithmetic is exact as written. Kernels have no such decoration, they have a mode.
    pub fn no_contraction(&mut self, id: u32) {
        if self.module_kind == ModuleKind::Shader {
            self.decorate(id, Decoration::NoContraction, vec![]);
        }
    }

    /// Puts the header and what was collected before the rest.
    pub fn finish(mut self, tree: &Tree) -> dr::Module {
        let mut header = ModuleHeader::new(self.next);
        header.set_version(tree.target.version.0, tree.target.version.1);
        self.module.header = Some(header);
        if tree.target.maximal_reconvergence {
            self.extension("SPV_KHR_maximal_reconvergence");
        }
        let capabilities = self.capabilities.iter();
        self.module.capabilities = capabilities
            .map(|it| instruction(Op::Capability, None, None, vec![Word::Capability(*it)]))
            .collect();
        let extension = |name: &String| -> Instruction {
            instruction(Op::Extension, None, None, vec![Word::LiteralString(name.clone())])
        };
        self.module.extensions = self.extensions.iter().map(extension).collect();
        let (addressing, memory) = match tree.target.module_kind {
            ModuleKind::Shader => (AddressingModel::Logical, MemoryModel::GLSL450),
            ModuleKind::Kernel => (AddressingModel::Physical64, MemoryModel::OpenCL),
        };
        let model = vec![Word::AddressingModel(addressing), Word::MemoryModel(memory)];
        self.module.memory_model = Some(instruction(spirv::Op::MemoryModel, None, None, model));
        self.module
    }
}

/// Bits of a narrow integer as a literal has them: with the sign in the higher bits.
fn narrow(scalar: Scalar, bits: u64) -> u32 {
    match scalar {
        Scalar::Int { width, signed: true } if width < 32 => {
            let shift = 32 - width;
            (((bits as u32) << shift) as i32 >> shift) as u32
        }
        _ => bits as u32,
    }
}
