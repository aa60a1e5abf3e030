//! Format strings of OpenCL's `printf`.

use std::collections::HashSet;

use laneproof_module::spirv::{Op, OpenclStd100Op};
use laneproof_module::{Id, Operand};

use crate::view::{View, string};

/// The instructions that print by a format which is made when the kernel runs: an argument of the
/// kernel's, or one that memory holds. A helper's argument may be known once it is inlined.
pub fn formats(view: &View<'_>) -> Vec<usize> {
    let instructions = view.instructions();
    let imports = instructions.iter().filter(|it| it.opcode == Op::ExtInstImport);
    let standard = imports.filter(|it| string(it, 0).as_deref() == Some("OpenCL.std"));
    let standard: HashSet<Id> = standard.filter_map(|it| it.result).collect();
    let mut found = Vec::new();
    for (at, it) in instructions.iter().enumerate().filter(|(_, it)| it.opcode == Op::ExtInst) {
        let of_set = it.id(0).is_some_and(|set| standard.contains(&set));
        let number = match it.operands.get(1) {
            Some(Operand::LiteralExtInstInteger(number)) => Some(*number),
            _ => None,
        };
        let printed = of_set && number == Some(OpenclStd100Op::printf as u32);
        if printed && it.id(2).is_some_and(|format| is_made_by_a_run(view, format, at)) {
            found.push(at);
        }
    }
    found
}

/// What a pointer is made of is not known before the kernel runs.
fn is_made_by_a_run(view: &View<'_>, pointer: Id, at: usize) -> bool {
    let (mut root, mut seen) = (pointer, HashSet::new());
    while let Some(definition) = view.definition(root).filter(|_| seen.insert(root)) {
        match (definition.opcode, definition.id(0)) {
            (
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::CopyObject
                | Op::Bitcast,
                Some(base),
            ) => root = base,
            (Op::FunctionParameter, _) => return view.in_entry_function(at),
            (opcode, _) => return matches!(opcode, Op::Load | Op::ConvertUToPtr),
        }
    }
    false
}
