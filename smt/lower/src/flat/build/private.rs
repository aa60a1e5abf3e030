//! Variables of the module that each lane has for itself.
//!
//! An entry point finds them as they are initialized. Another function finds what its callers left, who
//! are not known: something undefined, where anything in the module stores there.

use std::collections::BTreeSet;

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{Function, Id, ModuleType, Place, Program};

use super::Builder;
use super::pointer::data;
use crate::flat::{Unmodelled, ValueId};

impl Builder<'_> {
    /// Opens them; which of them hold what callers left.
    pub(super) fn private_variables(
        &mut self,
        function: &Function,
    ) -> Result<BTreeSet<ValueId>, Unmodelled> {
        let program = self.module.program;
        let entry = program.entry_points.iter().any(|entry| entry.function == function.id);
        let mut left = BTreeSet::new();
        for global in program.globals.values() {
            if global.storage != StorageClass::Private {
                continue;
            }
            let ModuleType::Pointer { pointee, .. } = &global.ty else { continue };
            let Ok(ty) = data(pointee, Place::default()) else { continue };
            let known = entry || global.initializer.is_some() && only_read(program, global.id);
            let initial = match global.initializer.filter(|_| known) {
                Some(id) => self.value(id, Place::default())?,
                None => self.undefined(&ty),
            };
            if !known {
                left.insert(initial);
            }
            let pointer = self.variable(ty, initial, self.entry);
            self.storage.globals.insert(global.id, pointer);
        }
        Ok(left)
    }
}

/// Nothing in the module does more with a variable than load it, or parts of it.
fn only_read(program: &Program, global: Id) -> bool {
    program.functions.iter().all(|function| {
        let mut pointers = BTreeSet::from([global]);
        let mut all = function.body.blocks().flat_map(|block| &block.instructions);
        all.all(|instruction| {
            let mut ids = instruction.operands.iter().filter_map(|it| it.id_ref_any());
            if !ids.any(|id| pointers.contains(&id)) {
                return true;
            }
            match instruction.opcode {
                Op::AccessChain | Op::InBoundsAccessChain => {
                    pointers.extend(instruction.result);
                    true
                }
                Op::Load => true,
                _ => false,
            }
        })
    })
}
