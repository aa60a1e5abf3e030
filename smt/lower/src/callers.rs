//! Values that the callers of a function may have left in memory. Unless the function is an entry
//! point, they are unknown; reading them is not undefined behavior, so it excuses nothing.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{Function, Id, Instruction, Program};

use crate::aliasing::{reads, writes};
use crate::flat::{Flat, RegionKind};

impl Flat {
    /// Names a value that callers left and that is read for certain.
    pub fn depends_on_callers(&self) -> Option<String> {
        let interface = &self.interface;
        if interface.entry_point {
            return None;
        }
        let found = match self.workgroup_memory().find(|&it| reads(self, it) && !writes(self, it)) {
            Some(kind) => format!("the workgroup variable {kind}"),
            None if interface.reads_globals => "a variable of the module".into(),
            None => return None,
        };
        Some(format!("the source reads what its callers left in {found}, and they are not known"))
    }

    /// It may read what callers left in workgroup memory.
    pub fn may_see_callers(&self) -> bool {
        !self.interface.entry_point && self.workgroup_memory().any(|it| reads(self, it))
    }

    fn workgroup_memory(&self) -> impl Iterator<Item = RegionKind> {
        let kinds = self.memory.regions.iter().map(|region| region.kind);
        kinds.filter(|kind| matches!(kind, RegionKind::Workgroup(_)))
    }
}

/// The variables of each lane that functions other than `compared`, and those that only these call,
/// may read, or other modules: what is left there is seen.
pub fn seen_by_callers(program: &Program, compared: &[Id]) -> BTreeSet<Id> {
    let calls = |function: &Function| -> BTreeSet<Id> {
        instructions(function)
            .filter(|it| it.opcode == Op::FunctionCall)
            .filter_map(called)
            .collect()
    };
    let calls: BTreeMap<Id, BTreeSet<Id>> =
        program.functions.iter().map(|function| (function.id, calls(function))).collect();
    let entry = |id: &Id| program.entry_points.iter().any(|entry| entry.function == *id);
    let linked = |id: &Id| program.functions.iter().any(|it| it.id == *id && it.linked);
    // Called by the compared ones alone, until proved otherwise.
    let mut own: BTreeSet<Id> = calls.values().flatten().copied().collect();
    own.retain(|id| !entry(id) && !linked(id));
    own.extend(compared);
    loop {
        let others = calls.iter().filter(|(id, _)| !own.contains(id));
        let called: BTreeSet<Id> = others.flat_map(|(_, called)| called).copied().collect();
        let before = own.len();
        own.retain(|id| compared.contains(id) || !called.contains(id));
        if own.len() == before {
            break;
        }
    }
    let others = program.functions.iter().filter(|function| !own.contains(&function.id));
    let used: BTreeSet<Id> = others.flat_map(instructions).flat_map(read_through).collect();
    let linked = program.globals.values().filter(|it| it.linked).map(|it| it.id);
    let own =
        |id: &Id| program.globals.get(id).is_some_and(|it| it.storage == StorageClass::Private);
    used.into_iter().chain(linked).filter(own).collect()
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.body.blocks().flat_map(|block| &block.instructions)
}

fn called(call: &Instruction) -> Option<Id> {
    call.operands.first()?.id_ref_any()
}

/// The `<id>`s that an instruction does not merely store to.
fn read_through(instruction: &Instruction) -> impl Iterator<Item = Id> {
    let stored_to = usize::from(instruction.opcode == Op::Store);
    instruction.operands.iter().skip(stored_to).filter_map(|operand| operand.id_ref_any())
}
