//! Which functions use the constant that is decorated `WorkgroupSize`.

use std::collections::BTreeSet;

use rspirv::spirv::Op;

use crate::decode::Decoded;
use crate::program::Id;

/// The functions that use `constant`, or anything at module scope that depends on it, or call such
/// a function.
pub(super) fn users(constant: Id, globals: &[Decoded], functions: &[Decoded]) -> BTreeSet<Id> {
    // Everything at module scope is defined before its uses, except forward pointers.
    let mut made_of_it = BTreeSet::from([constant]);
    for instruction in globals {
        if let Some(result) = instruction.result
            && names(instruction, &made_of_it)
        {
            made_of_it.insert(result);
        }
    }
    let bodies: Vec<(Id, &[Decoded])> = functions
        .chunk_by(|_, next| next.opcode != Op::Function)
        .filter_map(|body| Some((body.first()?.result?, body)))
        .collect();
    let mut users = BTreeSet::new();
    loop {
        let before = users.len();
        for (function, body) in &bodies {
            let calls = |it: &Decoded| {
                it.opcode == Op::FunctionCall && it.id(0).is_some_and(|it| users.contains(&it))
            };
            if body.iter().any(|it| names(it, &made_of_it) || calls(it)) {
                users.insert(*function);
            }
        }
        if users.len() == before {
            return users;
        }
    }
}

/// The type of the instruction or one of its operands is one of these.
fn names(instruction: &Decoded, ids: &BTreeSet<Id>) -> bool {
    let operands = instruction.operands.iter().filter_map(rspirv::dr::Operand::id_ref_any);
    operands.chain(instruction.ty).any(|id| ids.contains(&id))
}
