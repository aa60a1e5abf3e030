//! Instructions that make pointers, and those that go through them.

use laneproof_module::spirv::{AddressingModel, Op};
use laneproof_module::{Id, Instruction, ModuleType, Operand};

use super::Builder;
use super::pointer::{Holder, data};
use super::target::{Shared, Target};
use crate::flat::{ActivityId, Unmodelled, unmodelled};

impl Builder<'_> {
    /// A variable of the function's own, or one that holds a pointer.
    pub(super) fn own_variable(
        &mut self,
        instruction: &Instruction,
        initializer: &[Id],
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let Some(ModuleType::Pointer { pointee, .. }) = &instruction.ty else {
            return Err(unmodelled("OpVariable", place));
        };
        if matches!(**pointee, ModuleType::Pointer { .. }) && initializer.is_empty() {
            let target = Target::Holder(self.storage.holders.len());
            self.storage.holders.push(Holder { held: None, scope: activity });
            self.bind_pointer(instruction, target);
            return Ok(());
        }
        let ty = data(pointee, place)?;
        let initial = match initializer.first() {
            Some(&id) => self.value(id, place)?,
            None => self.undefined(&ty),
        };
        let pointer = self.variable(ty, initial, activity);
        self.bind_pointer(instruction, Target::Own(pointer));
        Ok(())
    }

    /// A pointer to a part.
    pub(super) fn chain(
        &mut self,
        instruction: &Instruction,
        base: Id,
        indexes: &[Id],
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let target = match self.whole(base, activity, place)? {
            Target::Own(pointer) => Target::Own(self.access(pointer, indexes, activity, place)?),
            Target::Shared(shared) => {
                Target::Shared(self.shared_access(shared, indexes, activity, place)?)
            }
            Target::Holder(_) => return Err(Unmodelled::pointer_in_memory(place)),
        };
        self.bind_pointer(instruction, target);
        Ok(())
    }

    /// A pointer to a part of the element some elements after another.
    pub(super) fn stepping_chain(
        &mut self,
        instruction: &Instruction,
        (base, element): (Id, Id),
        indexes: &[Id],
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let shared = match self.target(base, place)? {
            Target::Shared(shared) => shared,
            // A step of zero elements stays in the variable.
            Target::Own(pointer) if self.fixed(element) == Some(0) => {
                let pointer = self.access(pointer, indexes, activity, place)?;
                self.bind_pointer(instruction, Target::Own(pointer));
                return Ok(());
            }
            _ => return Err(unmodelled("a step past a variable", place)),
        };
        // Outside of its array such a pointer wraps, and may return into it.
        let may_wrap = self.module.program.preamble.addressing == AddressingModel::Physical32
            && instruction.opcode == Op::PtrAccessChain;
        if may_wrap {
            return Err(unmodelled("a pointer of 32 bits that wraps", place));
        }
        let shared = self.step_over(shared, (instruction.result, element), place)?;
        let shared = self.shared_access(shared, indexes, activity, place)?;
        self.bind_pointer(instruction, Target::Shared(shared));
        Ok(())
    }

    /// The same memory under another type.
    pub(super) fn retyped(
        &mut self,
        instruction: &Instruction,
        pointer: Id,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let Target::Shared(shared) = self.target(pointer, place)? else {
            return Err(unmodelled("another type for a variable", place));
        };
        if let Some((_, pointee)) = instruction.ty.as_ref().and_then(ModuleType::pointee) {
            let shared = Shared { ty: pointee.clone(), ..shared };
            self.bind_pointer(instruction, Target::Shared(shared));
        }
        Ok(())
    }

    /// The pointer that a variable holds.
    pub(super) fn held_pointer(
        &mut self,
        instruction: &Instruction,
        pointer: Id,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let Target::Holder(number) = self.target(pointer, place)? else {
            return Err(Unmodelled::pointer_in_memory(place));
        };
        let held = self.storage.holders[number].held.clone();
        let what = || "a pointer that nothing has set";
        let held = held.ok_or_else(|| unmodelled(what(), place))?;
        self.bind_pointer(instruction, held);
        Ok(())
    }

    /// A store of a value, or of a pointer into a variable that holds one.
    pub(super) fn store_object(
        &mut self,
        instruction: &Instruction,
        (pointer, object): (Id, Id),
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let target = self.target(pointer, place)?;
        if let Target::Holder(number) = target {
            let held = self.target(object, place)?;
            let holder = &mut self.storage.holders[number];
            if holder.scope != activity {
                let what = "a pointer chosen at run time";
                return Err(unmodelled(what, place));
            }
            holder.held = Some(held);
            return Ok(());
        }
        let object = self.value(object, place)?;
        let operands = instruction.operands.get(2..).unwrap_or_default();
        self.stored(&target, object, operands, activity, place)
    }

    /// A load and a store of the whole.
    pub(super) fn copy(
        &mut self,
        instruction: &Instruction,
        (target, source): (Id, Id),
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let operands = instruction.operands.get(2..).unwrap_or_default();
        let apart = |it: &&Operand| matches!(it, Operand::MemoryAccess(_));
        if operands.iter().filter(apart).count() > 1 {
            let what = "a copy with operands for each side";
            return Err(unmodelled(what, place));
        }
        let source = self.target(source, place)?;
        let target = self.target(target, place)?;
        let object = match source {
            Target::Own(pointer) => self.load(&pointer, activity),
            Target::Shared(shared) => self.load_shared(&shared, operands, activity, place)?,
            Target::Holder(_) => return Err(Unmodelled::pointer_in_memory(place)),
        };
        self.stored(&target, object, operands, activity, place)
    }
}
