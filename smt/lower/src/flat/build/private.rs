//! Private variables of the module: each lane has its own.
//!
//! For an entry point they have their initializers. For another function they have what its unknown
//! callers left, which is undefined here if anything in the module stores to them.

use std::collections::BTreeSet;

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{Function, Id, ModuleType, Place, Program};

use super::Builder;
use super::pointer::data;
use crate::flat::{Unmodelled, ValueId};

impl Builder<'_> {
    /// Creates them; returns those that may hold what callers left.
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
            let unchanged = !global.linked && only_read(program, global.id);
            let known = entry || global.initializer.is_some() && unchanged;
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

/// The module only loads the variable, or parts of it.
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
