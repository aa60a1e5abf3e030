//! Memory that lanes share: regions, addresses and accesses in program order.

pub(in crate::flat) mod fences;
pub(in crate::flat) mod ordering;

use laneproof_module::spirv::{AddressingModel, Op, StorageClass};
use laneproof_module::{Id, Instruction, ModuleType, Operand, Parameter, Place};
use laneproof_semantics::{Scalar, Type as Data};

use self::ordering::AccessOperands;
use super::Builder;
use super::pointer::data;
use super::target::{Shared, Target};
use crate::flat::layout::{Parts, least_size, parts, scalar_bytes, scalars};
use crate::flat::region::{Order, Scaled};
use crate::flat::{
    Access, ActivityId, Address, Event, FlatInput, FlatValue, MemoryRegion, Pointee, RegionKind,
    Scalars, Touch, Unmodelled, ValueId, unmodelled,
};

/// Memory outside a function that pointers may point to.
pub(super) fn is_buffer(storage: StorageClass) -> bool {
    use StorageClass as Class;
    matches!(
        storage,
        Class::StorageBuffer
            | Class::Uniform
            | Class::CrossWorkgroup
            | Class::PhysicalStorageBuffer
    )
}

impl Builder<'_> {
    fn memory(&mut self, kind: RegionKind) -> usize {
        let regions = &mut self.flat.memory.regions;
        if let Some(known) = regions.iter().position(|region| region.kind == kind) {
            return known;
        }
        regions.push(MemoryRegion {
            kind,
            scalar: None,
            least: 0,
            size: None,
            variables: Vec::new(),
            zeroed: false,
            aliased: false,
            volatile: false,
            coherent: false,
        });
        regions.len() - 1
    }

    /// A parameter points into workgroup memory of which nothing is known, as callers left it. What an
    /// entry point finds there is undefined, and a promise that such memory is apart is not used.
    pub(super) fn is_shared_argument(
        &self,
        storage: StorageClass,
        position: usize,
        entry: bool,
    ) -> bool {
        storage == StorageClass::Workgroup
            && !entry
            && !self.module.apart.contains(&position)
            && self.module.program.is_kernel()
    }

    /// A parameter that points to memory: its base is an input like any other.
    pub(super) fn pointer_parameter(
        &mut self,
        position: usize,
        parameter: &Parameter,
        (storage, pointee): (StorageClass, &ModuleType),
    ) -> Target {
        let kind = match (storage, self.module.apart.contains(&position)) {
            (StorageClass::Workgroup, _) => RegionKind::WorkgroupArguments,
            (_, true) => RegionKind::Argument(position),
            (_, false) => RegionKind::Arguments,
        };
        let region = self.memory(kind);
        let ty = Data::Scalar(Scalar::uint(32));
        let base = self.flat.add(FlatValue::Parameter(position), ty.clone());
        let (size, natural) = pointee.size_and_alignment(8).unwrap_or((0, 1));
        // What a parameter promises holds in every state that counts.
        let promised = u64::from(parameter.promises.alignment);
        let alignment = if promised.is_power_of_two() { natural.max(promised) } else { natural };
        // A physical address may be null.
        let size = match self.module.program.preamble.addressing {
            AddressingModel::Logical => size.max(least_size(pointee)).max(1),
            _ => 0,
        };
        self.flat.interface.inputs.push(FlatInput {
            name: parameter.name.clone(),
            ty,
            uniform: true,
            points: Some(Pointee { region: kind, size, alignment }),
            image: false,
            spec_id: None,
        });
        let address = Address { region, base: Some(base), offset: 0, indexes: Vec::new() };
        Target::Shared(Shared { address, ty: pointee.clone() })
    }

    /// Memory behind a parameter that is decorated `Volatile` or `Coherent`.
    pub(super) fn note_decorations(&mut self, parameter: &Parameter, target: &Target) {
        if let Target::Shared(shared) = target {
            let region = &mut self.flat.memory.regions[shared.address.region];
            region.volatile |= parameter.volatile;
            region.coherent |= parameter.coherent;
        }
    }

    /// A parameter that is an image, the same in all lanes; its region.
    pub(super) fn image_parameter(&mut self, position: usize, name: &str) -> usize {
        let ty = Data::Scalar(Scalar::uint(32));
        self.flat.interface.inputs.push(FlatInput {
            name: name.to_owned(),
            ty,
            uniform: true,
            points: None,
            image: true,
            spec_id: None,
        });
        let region = self.memory(RegionKind::Image(position));
        self.flat.memory.regions[region].scalar = Some(Scalar::uint(32));
        region
    }

    /// A specified instruction reads an image, or writes scalars of these widths to it. The image's
    /// scalars are as wide as the narrowest write.
    pub(super) fn step_image(
        &mut self,
        region: usize,
        written: impl Iterator<Item = u32>,
    ) -> Address {
        let known = &mut self.flat.memory.regions[region].scalar;
        let narrowest = known.iter().map(|scalar| scalar.width()).chain(written).fold(32, u32::min);
        *known = Some(Scalar::uint(narrowest));
        Address { region, base: None, offset: 0, indexes: Vec::new() }
    }

    /// The memory of a module-scope variable, if lanes share it.
    pub(super) fn global_memory(&mut self, id: Id) -> Option<Target> {
        let global = self.module.program.globals.get(&id)?;
        let ModuleType::Pointer { pointee, .. } = &global.ty else { return None };
        let kind = match (global.storage, global.binding) {
            (StorageClass::StorageBuffer | StorageClass::Uniform, Some((set, binding))) => {
                RegionKind::Binding(set, binding)
            }
            (StorageClass::PushConstant, _) => RegionKind::PushConstants,
            // What a function finds that is no entry point is what its callers left.
            (StorageClass::Workgroup, _)
                if global.initializer.is_none() || self.module.is_entry =>
            {
                RegionKind::Workgroup(id)
            }
            _ => return None,
        };
        let zeroed = match global.initializer {
            Some(id) if matches!(kind, RegionKind::Workgroup(_)) => {
                let constant = self.module.program.constants.get(&id)?;
                constant.leaves.iter().all(|leaf| *leaf == Some(0)).then_some(true)?
            }
            _ => false,
        };
        // An array of descriptors is not one memory.
        if let (RegionKind::Binding(..), Some(Parts::Elements(..))) = (kind, parts(pointee)) {
            return None;
        }
        let region = self.memory(kind);
        let known = &mut self.flat.memory.regions[region];
        known.zeroed = zeroed;
        known.aliased |= global.aliased;
        known.volatile |= global.volatile;
        known.coherent |= global.coherent;
        known.least = known.least.max(least_size(pointee));
        if !kind.is_visible() {
            known.size = Some(pointee.size_and_alignment(8)?.0);
        }
        if !known.variables.contains(&id) {
            known.variables.push(id);
        }
        let address = Address { region, base: None, offset: 0, indexes: Vec::new() };
        Some(Target::Shared(Shared { address, ty: (**pointee).clone() }))
    }

    /// `OpAccessChain` into memory.
    pub(super) fn shared_access(
        &mut self,
        mut shared: Shared,
        indexes: &[Id],
        activity: ActivityId,
        place: Place,
    ) -> Result<Shared, Unmodelled> {
        for &index in indexes {
            let constant = self.fixed(index);
            match parts(&shared.ty) {
                Some(Parts::Members(members)) => {
                    let member = constant.and_then(|it| members.into_iter().nth(it as usize));
                    let (ty, offset) = member.ok_or_else(|| {
                        unmodelled("an index that a structure does not have", place)
                    })?;
                    shared.address.offset += offset;
                    shared.ty = ty;
                }
                Some(Parts::Elements(element, stride, count)) => {
                    self.element(&mut shared.address, index, stride, count, activity, place)?;
                    shared.ty = element;
                }
                None => return Err(unmodelled("an index into a scalar in memory", place)),
            }
        }
        Ok(shared)
    }

    fn element(
        &mut self,
        address: &mut Address,
        index: Id,
        stride: u64,
        count: Option<u32>,
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let index = self.value(index, place)?;
        let Some(Scalar::Int { width, .. }) = self.flat.ty(index).element() else {
            return Err(unmodelled("an index that is no integer", place));
        };
        let length = match count {
            Some(count) => count,
            // A runtime array has no length here, so only a negative index is out of bounds.
            None if width <= 32 => 1 << (width - 1),
            None => return Err(unmodelled("an index of 64 bits into an array without end", place)),
        };
        self.flat.events.push(Event::Bounds(activity, index, length));
        address.indexes.push(Scaled { index, stride, signed: false });
        Ok(())
    }

    /// `OpPtrAccessChain`: steps over whole pointees first.
    pub(super) fn step_over(
        &mut self,
        mut shared: Shared,
        (chain, element): (Option<Id>, Id),
        place: Place,
    ) -> Result<Shared, Unmodelled> {
        let stride = self
            .module
            .program
            .element_stride(chain, &shared.ty)
            .ok_or_else(|| unmodelled("a step over something of no fixed size", place))?;
        let index = self.value(element, place)?;
        match self.flat.ty(index).element() {
            Some(Scalar::Int { width: 32 | 64, .. }) => {}
            _ => return Err(unmodelled("an index of this type over pointees", place)),
        }
        shared.address.indexes.push(Scaled { index, stride, signed: true });
        Ok(shared)
    }

    /// Scalars at a pointer, all of the region's one type.
    fn scalars_at(
        &mut self,
        shared: &Shared,
        memory_operands: &[Operand],
        place: Place,
    ) -> Result<(Scalars, Order), Unmodelled> {
        let placed = scalars(&shared.ty).ok_or_else(|| {
            let what = match shared.ty {
                ModuleType::Opaque(Op::TypeMatrix) => "a matrix in memory that has a layout",
                _ => "an access to so large a piece of memory",
            };
            unmodelled(what, place)
        })?;
        for &(_, scalar) in &placed {
            self.holds(shared.address.region, scalar, place)?;
        }
        let offsets: Vec<u64> = placed.iter().map(|(offset, _)| *offset).collect();
        let unit = placed.first().map_or(1, |(_, scalar)| scalar_bytes(*scalar));
        self.in_units(&shared.address, &offsets, unit, place)?;
        let AccessOperands { alignment, order } = self
            .access_operands(memory_operands)
            .ok_or_else(|| unmodelled("a volatile access", place))?;
        Ok((Scalars { address: shared.address.clone(), offsets, alignment }, order))
    }

    /// A region's elements are scalars of one width.
    pub(super) fn holds(
        &mut self,
        region: usize,
        scalar: Scalar,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let region = &mut self.flat.memory.regions[region];
        if region.volatile {
            return Err(unmodelled("an access to memory decorated `Volatile`", place));
        }
        match region.scalar {
            Some(known) if (known == Scalar::Bool) != (scalar == Scalar::Bool) => {
                Err(unmodelled("one memory accessed as Booleans and as numbers", place))
            }
            Some(known) if known.width() != scalar.width() => {
                Err(unmodelled("one memory accessed in scalars of different widths", place))
            }
            Some(_) => Ok(()),
            None => {
                region.scalar = Some(scalar);
                Ok(())
            }
        }
    }

    /// Everything in an address counts whole elements.
    pub(super) fn in_units(
        &self,
        address: &Address,
        offsets: &[u64],
        unit: u64,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let strides = address.indexes.iter().map(|scaled| &scaled.stride);
        let mut all = strides.chain(offsets).chain([&address.offset]);
        if all.all(|bytes| bytes.is_multiple_of(unit)) {
            Ok(())
        } else {
            Err(unmodelled("an access that is not aligned to its scalars", place))
        }
    }

    /// The address in a pointer operand of a specified instruction, and the pointee's type.
    pub(super) fn step_pointer(
        &mut self,
        id: Id,
        place: Place,
    ) -> Result<(Address, Data), Unmodelled> {
        let Target::Shared(Shared { address, ty }) = self.target(id, place)? else {
            return Err(unmodelled("this instruction on a variable of each lane's own", place));
        };
        let ty = data(&ty, place)?;
        let Data::Scalar(scalar) = ty else {
            return Err(unmodelled("a pointer to something other than a scalar there", place));
        };
        self.holds(address.region, scalar, place)?;
        self.in_units(&address, &[], scalar_bytes(scalar), place)?;
        Ok((address, ty))
    }

    pub(super) fn touch(&mut self, what: Touch, activity: ActivityId, order: Order) -> usize {
        let (epochs, barriers) = (self.flat.memory.epochs, self.flat.memory.barriers.len());
        self.flat.memory.accesses.push(Access { what, activity, epochs, barriers, order });
        let number = self.flat.memory.accesses.len() - 1;
        self.flat.events.push(Event::Access(number));
        number
    }

    pub(super) fn load_shared(
        &mut self,
        shared: &Shared,
        memory_operands: &[Operand],
        activity: ActivityId,
        place: Place,
    ) -> Result<ValueId, Unmodelled> {
        let (scalars, order) = self.scalars_at(shared, memory_operands, place)?;
        let ty = data(&shared.ty, place)?;
        let access = self.touch(Touch::Load(scalars), activity, order);
        Ok(self.flat.add(FlatValue::Loaded(access), ty))
    }

    pub(super) fn store_shared(
        &mut self,
        shared: &Shared,
        object: ValueId,
        memory_operands: &[Operand],
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        let (scalars, order) = self.scalars_at(shared, memory_operands, place)?;
        self.touch(Touch::Store(scalars, object), activity, order);
        Ok(())
    }

    /// `OpArrayLength`: the number of whole elements of a runtime array.
    pub(super) fn array_length(
        &mut self,
        instruction: &Instruction,
    ) -> Result<ValueId, Unmodelled> {
        let place = instruction.place;
        let no_array = || unmodelled("OpArrayLength of something else than a buffer", place);
        let [Operand::IdRef(pointer), Operand::LiteralBit32(member)] = &instruction.operands[..]
        else {
            return Err(no_array());
        };
        let Target::Shared(shared) = self.target(*pointer, place)? else { return Err(no_array()) };
        let Some(Parts::Members(members)) = parts(&shared.ty) else { return Err(no_array()) };
        let member = members.into_iter().nth(*member as usize);
        let (array, offset) = member.ok_or_else(no_array)?;
        let Some(Parts::Elements(element, stride, None)) = parts(&array) else {
            return Err(no_array());
        };
        let scalar = scalars(&element).and_then(|all| all.first().map(|(_, scalar)| *scalar));
        let scalar = scalar.ok_or_else(no_array)?;
        let address = shared.address;
        if address.base.is_some() || !address.indexes.is_empty() {
            return Err(no_array());
        }
        self.holds(address.region, scalar, place)?;
        let unit = scalar_bytes(scalar);
        let offset = offset + address.offset;
        if !offset.is_multiple_of(unit) || !stride.is_multiple_of(unit) || stride == 0 {
            return Err(no_array());
        }
        let ty = data(instruction.ty.as_ref().unwrap_or(&ModuleType::Void), place)?;
        let value = FlatValue::ArrayLength(address.region, offset / unit, stride / unit);
        Ok(self.flat.add(value, ty))
    }
}
