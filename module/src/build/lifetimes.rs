//! How long a variable is used: what it holds when that begins, and when it has ended, is undefined.

use std::borrow::Cow;
use std::collections::HashSet;

use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass};

use super::Builder;
use crate::decode::Decoded;
use crate::program::{Id, ModuleType};

impl Builder {
    /// A body in which an undefined value is stored where a variable's lifetime begins or ends,
    /// without the casts of pointers that only the notes of that need. A note that is not of a whole
    /// variable stays, and is not modelled.
    pub(super) fn with_lifetimes<'a>(
        &self,
        body: &'a [Decoded],
        fresh: &mut Id,
    ) -> Cow<'a, [Decoded]> {
        let is_note =
            |found: &Decoded| matches!(found.opcode, Op::LifetimeStart | Op::LifetimeStop);
        if !body.iter().any(is_note) {
            return Cow::Borrowed(body);
        }
        let mut all = Vec::with_capacity(body.len());
        for found in body {
            match self.variable_of(found, body).filter(|_| is_note(found)) {
                Some((variable, ty)) => {
                    all.push(Decoded {
                        opcode: Op::Undef,
                        ty: Some(ty),
                        result: Some(*fresh),
                        operands: Vec::new(),
                        place: found.place,
                    });
                    all.push(Decoded {
                        opcode: Op::Store,
                        ty: None,
                        result: None,
                        operands: vec![Operand::IdRef(variable), Operand::IdRef(*fresh)],
                        place: found.place,
                    });
                    *fresh += 1;
                }
                None => all.push(found.clone()),
            }
        }
        let used: HashSet<Id> = all.iter().flat_map(|found| found.ids(0)).collect();
        all.retain(|found| {
            let cast = found.opcode == Op::Bitcast
                && matches!(self.type_of(found), Some(ModuleType::Pointer { .. }));
            !cast || found.result.is_some_and(|id| used.contains(&id))
        });
        Cow::Owned(all)
    }

    fn type_of(&self, found: &Decoded) -> Option<&ModuleType> {
        self.program.types.get(&found.ty?)
    }

    /// The variable of which a note is, as a whole, and the type of what it holds.
    fn variable_of(&self, note: &Decoded, body: &[Decoded]) -> Option<(Id, Id)> {
        let mut id = note.id(0)?;
        let variable = loop {
            let found = body.iter().find(|it| it.result == Some(id))?;
            match found.opcode {
                Op::Bitcast | Op::CopyObject => id = found.id(0)?,
                Op::Variable => break found,
                _ => return None,
            }
        };
        let ModuleType::Pointer { storage: StorageClass::Function, pointee, .. } =
            self.type_of(variable)?
        else {
            return None;
        };
        if matches!(**pointee, ModuleType::Pointer { .. }) {
            return None;
        }
        let (size, _) = pointee.size_and_alignment(self.program.pointer_bytes())?;
        // Without a size it is of the whole.
        let stated = note.literal(1).unwrap_or(0);
        if stated != 0 && u64::from(stated) != size {
            return None;
        }
        let ty = self.program.types.iter().find(|(_, ty)| **ty == **pointee)?;
        Some((id, *ty.0))
    }
}
