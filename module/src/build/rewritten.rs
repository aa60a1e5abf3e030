//! Instructions that say in one step what others say in several, as those: an extended instruction
//! that leaves its second result behind a pointer, and a copy of as many bytes as a variable has.

use std::borrow::Cow;
use std::collections::HashSet;

use laneproof_semantics::Type;
use rspirv::dr::Operand;
use rspirv::spirv::{GlslStd450Op as Glsl, Op};

use super::Builder;
use crate::decode::Decoded;
use crate::program::{Id, ModuleType};

/// Each instruction with a pointer for its second result, and the one that has both in a structure.
const WITH_POINTER: [(Glsl, Glsl); 2] =
    [(Glsl::Modf, Glsl::ModfStruct), (Glsl::Frexp, Glsl::FrexpStruct)];

impl Builder {
    /// The body of a function, with others in place of these instructions.
    pub(super) fn rewritten<'a>(
        &mut self,
        body: &'a [Decoded],
        fresh: &mut Id,
    ) -> Cow<'a, [Decoded]> {
        if !body.iter().any(|it| matches!(it.opcode, Op::ExtInst | Op::CopyMemorySized)) {
            return Cow::Borrowed(body);
        }
        let mut all = Vec::with_capacity(body.len());
        let mut copied = false;
        for found in body {
            let parts = self.parts_stored(found, body, fresh);
            let copy = self.copy_of_whole(found, body);
            copied |= copy.is_some();
            match parts.or(copy.map(|it| vec![it])) {
                Some(instead) => all.extend(instead),
                None => all.push(found.clone()),
            }
        }
        if copied {
            let used: HashSet<Id> = all.iter().flat_map(|found| found.ids(0)).collect();
            all.retain(|found| {
                let cast = found.opcode == Op::Bitcast && self.pointee_of(found.ty).is_some();
                !cast || found.result.is_some_and(|id| used.contains(&id))
            });
        }
        Cow::Owned(all)
    }

    /// Both results in a structure, and the second stored.
    fn parts_stored(
        &mut self,
        found: &Decoded,
        body: &[Decoded],
        fresh: &mut Id,
    ) -> Option<Vec<Decoded>> {
        let [set, Operand::LiteralExtInstInteger(number), operand, pointer] = &found.operands[..]
        else {
            return None;
        };
        let named = self.program.preamble.instruction_sets.get(&set.id_ref_any()?)?;
        let (_, both) = WITH_POINTER
            .into_iter()
            .find(|(with, _)| named == "GLSL.std.450" && *with as u32 == *number)?;
        let first = found.ty?;
        let pointee = self.pointee_of(self.type_in(pointer.id_ref_any()?, body))?;
        let second = *self.program.types.iter().find(|(_, ty)| **ty == pointee)?.0;
        let [ModuleType::Data(one), ModuleType::Data(other)] =
            [self.program.types.get(&first)?, &pointee]
        else {
            return None;
        };
        let structure = ModuleType::Data(Type::Struct([one.clone(), other.clone()].into()));
        let [ty, whole, part] = [*fresh, *fresh + 1, *fresh + 2];
        *fresh += 3;
        self.program.types.insert(ty, structure);
        self.stand_ins.extend(found.result.map(|result| (whole, result)));
        let step = |opcode, ty, result, operands| Decoded {
            opcode,
            ty,
            result,
            operands,
            place: found.place,
        };
        let of = |index| vec![Operand::IdRef(whole), Operand::LiteralBit32(index)];
        let number = Operand::LiteralExtInstInteger(both as u32);
        Some(vec![
            step(Op::ExtInst, Some(ty), Some(whole), vec![set.clone(), number, operand.clone()]),
            step(Op::CompositeExtract, Some(first), found.result, of(0)),
            step(Op::CompositeExtract, Some(second), Some(part), of(1)),
            step(Op::Store, None, None, vec![pointer.clone(), Operand::IdRef(part)]),
        ])
    }

    /// A copy of all bytes that one type has, without any between its scalars.
    fn copy_of_whole(&self, found: &Decoded, body: &[Decoded]) -> Option<Decoded> {
        if found.opcode != Op::CopyMemorySized {
            return None;
        }
        let [target, source, size] = [found.id(0)?, found.id(1)?, found.id(2)?];
        let size = self.program.constants.get(&size)?;
        if size.spec_id.is_some() || size.derived.is_some() {
            return None;
        }
        let size = size.leaves.first().copied().flatten()?;
        let [(target, one), (source, other)] = [
            self.pointer_to_whole(target, size, body)?,
            self.pointer_to_whole(source, size, body)?,
        ];
        if one != other {
            return None;
        }
        let rest = found.operands.get(3..).unwrap_or_default();
        let operands = [Operand::IdRef(target), Operand::IdRef(source)];
        let operands = operands.into_iter().chain(rest.iter().cloned()).collect();
        Some(Decoded {
            opcode: Op::CopyMemory,
            ty: None,
            result: None,
            operands,
            place: found.place,
        })
    }

    /// The pointer from which this one was cast and that points to as many bytes, with what it
    /// points to.
    fn pointer_to_whole(&self, id: Id, size: u64, body: &[Decoded]) -> Option<(Id, ModuleType)> {
        let mut id = id;
        loop {
            let pointee = self.pointee_of(self.type_in(id, body))?;
            if self.has_bytes(&pointee, size) {
                return Some((id, pointee));
            }
            let cast = body.iter().find(|it| it.result == Some(id))?;
            if !matches!(cast.opcode, Op::Bitcast | Op::CopyObject) {
                return None;
            }
            id = cast.id(0)?;
        }
    }

    /// It has this size, and scalars of so many bytes.
    fn has_bytes(&self, ty: &ModuleType, size: u64) -> bool {
        let ModuleType::Data(data) = ty else { return false };
        let bits: u64 = data.leaves().iter().map(|it| u64::from(it.width())).sum();
        let whole = ty.size_and_alignment(self.program.pointer_bytes()).map(|(size, _)| size);
        size > 0 && whole == Some(size) && bits == size * 8
    }

    fn pointee_of(&self, ty: Option<Id>) -> Option<ModuleType> {
        match self.program.types.get(&ty?)? {
            ModuleType::Pointer { pointee, .. } => Some((**pointee).clone()),
            _ => None,
        }
    }

    /// The type of a value of the function, or of a variable of the module.
    fn type_in(&self, id: Id, body: &[Decoded]) -> Option<Id> {
        let own = body.iter().find(|it| it.result == Some(id)).and_then(|it| it.ty);
        own.or_else(|| {
            let global = self.program.globals.get(&id)?;
            Some(*self.program.types.iter().find(|(_, ty)| **ty == global.ty)?.0)
        })
    }
}
