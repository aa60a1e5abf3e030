//! What engines ask a program.

use std::collections::BTreeSet;

use laneproof_semantics::{Scalar, Type as Data};
use rspirv::dr::Operand;
use rspirv::spirv::{AddressingModel, Capability, Op, Scope, StorageClass};

use crate::limits::MAX_LEAVES;
use crate::names::{InstructionClass, name_of_number};
use crate::program::{Constant, Function, Id, Instruction, Layout, ModuleType, Program};

impl Constant {
    /// It is the same however the module is specialized.
    pub fn is_fixed(&self) -> bool {
        self.spec_id.is_none() && self.derived.is_none()
    }
}

impl Program {
    /// True for modules that declare `Kernel`.
    pub fn is_kernel(&self) -> bool {
        self.preamble.capabilities.contains(&Capability::Kernel)
    }

    /// The first function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions_named(name).into_iter().next()
    }

    /// All functions of this name, which a source language may overload; where no function has it,
    /// those of the entry points that have it.
    pub fn functions_named(&self, name: &str) -> Vec<&Function> {
        let named = |function: &&Function| function.name.as_deref() == Some(name);
        let enters = |function: &&Function| {
            let mut entries = self.entry_points.iter();
            entries.any(|entry| entry.function == function.id && entry.name == name)
        };
        let found: Vec<&Function> = self.functions.iter().filter(named).collect();
        match found.is_empty() {
            true => self.functions.iter().filter(enters).collect(),
            false => found,
        }
    }

    /// The function of this `<id>`.
    pub fn function_by_id(&self, id: Id) -> Option<&Function> {
        self.functions.iter().find(|function| function.id == id)
    }

    /// The extended instruction that an `OpExtInst` is, by set and name, or by its number where the
    /// set is not known.
    pub fn extended(&self, instruction: &Instruction) -> Option<String> {
        let (Op::ExtInst, [Operand::IdRef(set), Operand::LiteralExtInstInteger(number), ..]) =
            (instruction.opcode, instruction.operands.as_slice())
        else {
            return None;
        };
        let set = self.preamble.instruction_sets.get(set)?;
        Some(match name_of_number(set, *number) {
            Some(name) => format!("{set} {name}"),
            None => format!("{set} {number}"),
        })
    }

    /// The instruction with this result, in a function's body.
    pub fn instruction(&self, result: Id) -> Option<&Instruction> {
        let blocks = self.functions.iter().flat_map(|function| function.body.blocks());
        blocks.flat_map(|block| &block.instructions).find(|it| it.result == Some(result))
    }

    /// How many bytes apart the elements are that an `OpPtrAccessChain` with this result steps over:
    /// the `ArrayStride` of its base's type, else the size of what it points to.
    pub fn element_stride(&self, chain: Option<Id>, pointee: &ModuleType) -> Option<u64> {
        let declared = chain.and_then(|chain| self.strides.get(&chain));
        let natural = || {
            let (size, alignment) = pointee.size_and_alignment(self.pointer_bytes())?;
            size.checked_next_multiple_of(alignment.max(1))
        };
        declared.map(|stride| u64::from(*stride)).or_else(natural)
    }

    /// How people know an `<id>`: its name, or `%id` as the assembly writes it, or its number.
    pub fn name_of(&self, id: Id) -> String {
        let written = || match self.debug.written.get(&id) {
            Some(written) => format!("%{written}"),
            None => format!("%{id}"),
        };
        self.debug.names.get(&id).cloned().unwrap_or_else(written)
    }

    /// The bits of a scalar integer or Boolean constant, zero-extended; `None` for every other
    /// id and for undefined values.
    pub fn integer(&self, id: Id) -> Option<u64> {
        match self.constants.get(&id)? {
            Constant { ty: Data::Scalar(scalar), leaves, .. } if !scalar.is_float() => {
                leaves.first().copied().flatten()
            }
            _ => None,
        }
    }

    /// The scope with a constant's value.
    pub fn scope(&self, id: Id) -> Option<Scope> {
        Scope::from_u32(u32::try_from(self.integer(id)?).ok()?)
    }

    /// Bytes of a physical pointer; 8 as well where addressing is logical, for pointers into
    /// physical storage buffers.
    pub fn pointer_bytes(&self) -> u64 {
        if self.preamble.addressing == AddressingModel::Physical32 { 4 } else { 8 }
    }
}

impl Function {
    /// Some instruction of its body, those of called functions aside, writes memory that is not a
    /// variable of the function's own.
    pub fn writes_memory(&self) -> bool {
        let mut own = BTreeSet::new();
        for instruction in self.body.blocks().flat_map(|block| &block.instructions) {
            let of_own = match instruction.operands.first() {
                Some(Operand::IdRef(pointer)) => own.contains(pointer),
                _ => false,
            };
            let opcode = instruction.opcode;
            match opcode {
                Op::Variable => own.extend(instruction.result),
                Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject if of_own => {
                    own.extend(instruction.result);
                }
                Op::Store | Op::CopyMemory | Op::CopyMemorySized if !of_own => return true,
                Op::ImageWrite => return true,
                _ if InstructionClass::of(opcode) == InstructionClass::Atomic && !of_own => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

impl ModuleType {
    /// Values of this type as scalars: plain data itself, and structures and sized arrays with
    /// a layout once the layout is taken away. `None` for pointers, runtime arrays, what
    /// contains them, and what has more scalars than [`MAX_LEAVES`].
    pub fn data(&self) -> Option<Data> {
        let data = match self {
            Self::Data(data) => data.clone(),
            Self::Laid(layout) => match &**layout {
                Layout::Struct(members) => {
                    let members: Option<Vec<Data>> =
                        members.iter().map(|(member, _)| member.data()).collect();
                    Data::Struct(members?.into())
                }
                Layout::Array(element, length, _) => {
                    Data::Array { element: element.data()?.into(), length: (*length)? }
                }
            },
            _ => return None,
        };
        (data.leaf_count() as u64 <= MAX_LEAVES).then_some(data)
    }

    /// What a pointer points to, and where.
    pub fn pointee(&self) -> Option<(StorageClass, &ModuleType)> {
        match self {
            Self::Pointer { storage, pointee } => Some((*storage, pointee)),
            _ => None,
        }
    }

    /// Size and alignment in bytes: of a laid-out type as its offsets and strides say, of plain
    /// data by the rules of C in OpenCL (a vector of three takes the room of four). `None` for
    /// what has neither.
    pub fn size_and_alignment(&self, pointer_bytes: u64) -> Option<(u64, u64)> {
        match self {
            Self::Data(data) => data_size_and_alignment(data),
            Self::Pointer { .. } => Some((pointer_bytes, pointer_bytes)),
            Self::Laid(layout) => match &**layout {
                Layout::Array(element, length, stride) => {
                    let (_, alignment) = element.size_and_alignment(pointer_bytes)?;
                    Some((u64::from(*stride) * u64::from((*length)?), alignment))
                }
                Layout::Struct(members) => {
                    let (mut end, mut alignment, mut aligned) = (0, 1, true);
                    for (member, offset) in members {
                        let (size, needed) = member.size_and_alignment(pointer_bytes)?;
                        let offset = u64::from(*offset);
                        end = end.max(offset.checked_add(size)?);
                        alignment = alignment.max(needed);
                        aligned &= offset.is_multiple_of(needed);
                    }
                    // A packed structure is aligned to nothing.
                    let alignment = if aligned { alignment } else { 1 };
                    Some((end.checked_next_multiple_of(alignment)?, alignment))
                }
            },
            Self::Void | Self::Function { .. } | Self::Image | Self::Opaque(_) => None,
        }
    }
}

fn data_size_and_alignment(data: &Data) -> Option<(u64, u64)> {
    match data {
        Data::Scalar(scalar) => {
            let bytes = scalar_bytes(*scalar);
            Some((bytes, bytes))
        }
        Data::Vector { element, count } => {
            let bytes = scalar_bytes(*element) * u64::from(count.next_power_of_two());
            Some((bytes, bytes))
        }
        Data::Array { element, length } => {
            let (size, alignment) = data_size_and_alignment(element)?;
            Some((size.checked_mul(u64::from(*length))?, alignment))
        }
        Data::Struct(members) => {
            let (mut end, mut alignment) = (0_u64, 1);
            for member in members.iter() {
                let (size, needed) = data_size_and_alignment(member)?;
                end = end.checked_next_multiple_of(needed)?.checked_add(size)?;
                alignment = alignment.max(needed);
            }
            Some((end.checked_next_multiple_of(alignment)?, alignment))
        }
    }
}

fn scalar_bytes(scalar: Scalar) -> u64 {
    u64::from(scalar.width().div_ceil(8).next_power_of_two())
}
