//! Types, with the layout that decorations or, for kernels, the C rules give them.

use std::sync::Arc;

use laneproof_semantics::{FloatFormat, Scalar, Type as Data};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, Dim, FPEncoding, ImageFormat, Op, StorageClass};

use super::{Builder, Failure};
use crate::decode::Decoded;
use crate::limits::MAX_LEAVES;
use crate::program::{Constant, Id, Layout, ModuleType};

/// Decorations of a member that are looked at in the whole.
const PASSED_ON: [Decoration; 2] = [Decoration::Volatile, Decoration::Coherent];

impl Builder {
    /// Adds the type that an instruction declares.
    pub(super) fn add_type(&mut self, instruction: &Decoded) -> Result<(), Failure> {
        let Some(id) = instruction.result else { return Ok(()) };
        let ty = match instruction.opcode {
            Op::TypeVoid => ModuleType::Void,
            Op::TypeFunction => self.function_type(instruction)?,
            Op::TypePointer => self.pointer_type(instruction),
            Op::TypeStruct => self.struct_type(id, instruction)?,
            Op::TypeArray => self.array_type(id, instruction)?,
            Op::TypeRuntimeArray => self.runtime_array_type(id, instruction)?,
            Op::TypeVector => self.vector_type(instruction)?,
            Op::TypeMatrix => self.matrix_type(id, instruction)?,
            Op::TypeImage if is_plain_image(instruction) => ModuleType::Image,
            // A value that can be kept and handed on, and has nothing to look at.
            Op::TypeEvent => {
                self.events.insert(id);
                ModuleType::Data(Data::Struct([].into()))
            }
            _ => match scalar(instruction) {
                Some(scalar) => ModuleType::Data(Data::Scalar(scalar)),
                None => ModuleType::Opaque(instruction.opcode),
            },
        };
        for decoration in PASSED_ON {
            let decorated = |(member, _)| {
                instruction.opcode == Op::TypeStruct
                    && self.annotations.has_of_member(id, member, decoration)
            };
            if instruction.ids(0).any(|part| self.passed_on.contains(&(part, decoration)))
                || (0..).zip(instruction.ids(0)).any(decorated)
            {
                self.passed_on.insert((id, decoration));
            }
        }
        self.program.types.insert(id, ty);
        Ok(())
    }

    fn part(&self, instruction: &Decoded, index: usize) -> Result<ModuleType, Failure> {
        let missing = || Failure::Malformed(instruction.place, "a type is missing".into());
        self.ty(instruction.id(index).ok_or_else(missing)?, instruction.place)
    }

    /// A part of the type that is declared is an event.
    fn has_events(&self, instruction: &Decoded) -> bool {
        instruction.ids(0).any(|part| self.events.contains(&part))
    }

    fn function_type(&self, instruction: &Decoded) -> Result<ModuleType, Failure> {
        let parameters: Result<Vec<ModuleType>, Failure> =
            instruction.ids(1).map(|id| self.ty(id, instruction.place)).collect();
        let result = Arc::new(self.part(instruction, 0)?);
        Ok(ModuleType::Function { result, parameters: parameters?.into() })
    }

    /// Until the pointer itself is declared, what it points to stays opaque.
    pub(super) fn add_forward_pointer(&mut self, instruction: &Decoded) {
        if let (Some(id), Some(&Operand::StorageClass(storage))) =
            (instruction.id(0), instruction.operands.get(1))
        {
            let pointee = Arc::new(ModuleType::Opaque(Op::TypeForwardPointer));
            self.program.types.insert(id, ModuleType::Pointer { storage, pointee });
        }
    }

    /// A pointee that is only declared later (a list that points to itself) stays opaque.
    fn pointer_type(&self, instruction: &Decoded) -> ModuleType {
        let pointee = instruction.id(1).and_then(|id| self.program.types.get(&id).cloned());
        let pointee = pointee.unwrap_or(ModuleType::Opaque(Op::TypeForwardPointer));
        match instruction.operands.first() {
            Some(&Operand::StorageClass(storage)) => {
                let own = matches!(
                    storage,
                    StorageClass::Function | StorageClass::Private | StorageClass::Generic
                );
                let homeless = !own && self.has_events(instruction);
                let pointee = if homeless { ModuleType::Opaque(Op::TypeEvent) } else { pointee };
                let in_workgroup = storage == StorageClass::Workgroup;
                let laid = !own && !in_workgroup && self.has_matrices(instruction);
                let pointee = if laid { ModuleType::Opaque(Op::TypeMatrix) } else { pointee };
                ModuleType::Pointer { storage, pointee: Arc::new(pointee) }
            }
            _ => ModuleType::Opaque(instruction.opcode),
        }
    }

    fn vector_type(&self, instruction: &Decoded) -> Result<ModuleType, Failure> {
        Ok(match (self.part(instruction, 0)?, instruction.literal(1)) {
            (ModuleType::Data(Data::Scalar(element)), Some(count @ 2..=16)) => {
                ModuleType::Data(Data::Vector { element, count })
            }
            _ => ModuleType::Opaque(instruction.opcode),
        })
    }

    /// The columns in a row. No document lays matrices of kernels out in memory.
    fn matrix_type(&mut self, id: Id, instruction: &Decoded) -> Result<ModuleType, Failure> {
        let column = self.part(instruction, 0)?;
        let shader = self.program.preamble.capabilities.contains(&Capability::Shader);
        Ok(match (column, instruction.literal(1)) {
            (ModuleType::Data(column @ Data::Vector { .. }), Some(length @ 2..=4)) if shader => {
                self.matrices.insert(id);
                ModuleType::Data(Data::Array { element: Arc::new(column), length })
            }
            _ => ModuleType::Opaque(instruction.opcode),
        })
    }

    /// A part of the type that is declared is a matrix or has elements that are.
    fn has_matrices(&self, instruction: &Decoded) -> bool {
        instruction.ids(0).any(|part| self.matrices.contains(&part))
    }

    fn array_type(&mut self, id: Id, instruction: &Decoded) -> Result<ModuleType, Failure> {
        let element = self.part(instruction, 0)?;
        let opaque = ModuleType::Opaque(instruction.opcode);
        let length = instruction.id(1);
        let fixed = |id| self.program.constants.get(&id).is_none_or(Constant::is_fixed);
        if !length.is_none_or(fixed) {
            self.program.sized_by_specialization.get_or_insert(instruction.place);
        }
        let length = length.and_then(|length| self.program.integer(length));
        let Some(length @ 1..) = length.and_then(|length| u32::try_from(length).ok()) else {
            return Ok(opaque);
        };
        match (element, self.annotations.literal(id, Decoration::ArrayStride)) {
            (ModuleType::Data(element), None) => {
                if self.has_events(instruction) {
                    self.events.insert(id);
                }
                if self.has_matrices(instruction) {
                    self.matrices.insert(id);
                }
                let leaves = (element.leaf_count() as u64).saturating_mul(length.into());
                if leaves > MAX_LEAVES {
                    return Ok(opaque);
                }
                Ok(ModuleType::Data(Data::Array { element: Arc::new(element), length }))
            }
            _ if self.has_events(instruction) || self.has_matrices(instruction) => Ok(opaque),
            (element, stride) => Ok(self.laid_array(element, Some(length), stride, opaque)),
        }
    }

    fn runtime_array_type(&self, id: Id, instruction: &Decoded) -> Result<ModuleType, Failure> {
        let element = self.part(instruction, 0)?;
        if self.has_events(instruction) || self.has_matrices(instruction) {
            return Ok(ModuleType::Opaque(instruction.opcode));
        }
        let stride = self.annotations.literal(id, Decoration::ArrayStride);
        Ok(self.laid_array(element, None, stride, ModuleType::Opaque(instruction.opcode)))
    }

    fn laid_array(
        &self,
        element: ModuleType,
        length: Option<u32>,
        stride: Option<u32>,
        otherwise: ModuleType,
    ) -> ModuleType {
        let natural = || {
            let (size, alignment) = element.size_and_alignment(self.program.pointer_bytes())?;
            u32::try_from(size.checked_next_multiple_of(alignment)?).ok()
        };
        match stride.or_else(natural) {
            Some(stride) => ModuleType::Laid(Arc::new(Layout::Array(element, length, stride))),
            None => otherwise,
        }
    }

    fn struct_type(&self, id: Id, instruction: &Decoded) -> Result<ModuleType, Failure> {
        let mut members = Vec::new();
        for (index, member) in (0..).zip(instruction.ids(0)) {
            let laid = self.annotations.has_of_member(id, index, Decoration::MatrixStride);
            members.push(match laid && self.matrices.contains(&member) {
                true => ModuleType::Opaque(Op::TypeMatrix),
                false => self.ty(member, instruction.place)?,
            });
        }
        if self.has_events(instruction) {
            return Ok(ModuleType::Opaque(instruction.opcode));
        }
        let offsets: Vec<Option<u32>> =
            (0..members.len()).map(|index| self.annotations.offset(id, index as u32)).collect();
        let packed = self.annotations.has(id, Decoration::CPacked);

        let plain = !packed && offsets.iter().all(Option::is_none);
        let data: Option<Vec<Data>> = members
            .iter()
            .map(|member| match member {
                ModuleType::Data(data) if plain => Some(data.clone()),
                _ => None,
            })
            .collect();
        if let Some(data) = data {
            let leaves: usize = data.iter().map(Data::leaf_count).sum();
            return Ok(if leaves as u64 > MAX_LEAVES {
                ModuleType::Opaque(instruction.opcode)
            } else {
                ModuleType::Data(Data::Struct(data.into()))
            });
        }
        Ok(match self.laid_members(members, &offsets, packed) {
            Some(laid) => ModuleType::Laid(Arc::new(Layout::Struct(laid))),
            None => ModuleType::Opaque(instruction.opcode),
        })
    }

    /// Members with their offsets; one without `Offset` follows the one before it.
    fn laid_members(
        &self,
        members: Vec<ModuleType>,
        offsets: &[Option<u32>],
        packed: bool,
    ) -> Option<Vec<(ModuleType, u32)>> {
        let mut end = 0_u64;
        let mut laid = Vec::with_capacity(members.len());
        for (member, offset) in members.into_iter().zip(offsets) {
            let extent = member.size_and_alignment(self.program.pointer_bytes());
            let at = match (offset, extent) {
                (Some(offset), _) => u64::from(*offset),
                (None, Some(_)) if packed => end,
                (None, Some((_, alignment))) => end.checked_next_multiple_of(alignment)?,
                (None, None) => return None,
            };
            end = at.checked_add(extent.map_or(0, |(size, _)| size))?;
            laid.push((member, u32::try_from(at).ok()?));
        }
        Some(laid)
    }
}

/// Two-dimensional, of elements of four bytes as far as a format is named, and nothing more.
fn is_plain_image(instruction: &Decoded) -> bool {
    let two_dimensional = instruction.operands.get(1) == Some(&Operand::Dim(Dim::Dim2D));
    let depth_arrayed_multisampled = [2, 3, 4].map(|place| instruction.literal(place));
    let four_bytes = matches!(
        instruction.operands.get(6),
        Some(Operand::ImageFormat(
            ImageFormat::Unknown
                | ImageFormat::R32ui
                | ImageFormat::R32i
                | ImageFormat::R32f
                | ImageFormat::Rg16
                | ImageFormat::Rg16f
                | ImageFormat::Rg16i
                | ImageFormat::Rg16ui
                | ImageFormat::Rg16Snorm
                | ImageFormat::Rgba8
                | ImageFormat::Rgba8i
                | ImageFormat::Rgba8ui
                | ImageFormat::Rgba8Snorm
                | ImageFormat::Rgb10A2
                | ImageFormat::Rgb10a2ui
                | ImageFormat::R11fG11fB10f
        ))
    );
    two_dimensional && depth_arrayed_multisampled == [Some(0); 3] && four_bytes
}

/// The scalar type that an instruction declares.
fn scalar(instruction: &Decoded) -> Option<Scalar> {
    match (instruction.opcode, instruction.literal(0), instruction.operands.get(1)) {
        (Op::TypeBool, ..) => Some(Scalar::Bool),
        (Op::TypeInt, Some(width @ 1..=64), Some(Operand::LiteralBit32(signedness))) => {
            Some(Scalar::Int { width, signed: *signedness != 0 })
        }
        (Op::TypeFloat, Some(width), None) => FloatFormat::ieee(width).map(Scalar::Float),
        (Op::TypeFloat, Some(16), Some(Operand::FPEncoding(FPEncoding::BFloat16KHR))) => {
            Some(Scalar::Float(FloatFormat::Bfloat16))
        }
        _ => None,
    }
}
