//! How large a module may be. Every cap is far above what compilers write and low enough that
//! nothing downstream can run out of time, memory or stack.

use std::collections::HashMap;
use std::time::Duration;

use rspirv::spirv::Op;

use crate::words::Module;

/// Bytes of a file, binary or text.
pub const MAX_BYTES: usize = 16 << 20;
/// The header's bound on ids: the validator's own limit.
pub const MAX_ID_BOUND: u32 = 0x3f_ffff;
/// Instructions of a module.
pub const MAX_INSTRUCTIONS: usize = 1 << 20;
/// Types nested in one another, pointers included.
pub const MAX_TYPE_DEPTH: u32 = 100;
/// Types that a type mentions, each as often as it does: the validator walks them all.
pub const MAX_TYPE_NODES: u64 = 1 << 14;
/// The same of all types of a module together.
pub const MAX_ALL_TYPE_NODES: u64 = 1 << 22;
/// Scalars in a type that is plain data; larger ones are opaque.
pub const MAX_LEAVES: u64 = 1 << 18;
/// Scalars in all constants of a module.
pub const MAX_CONSTANT_LEAVES: u64 = 1 << 21;
/// `OpSpecConstantOp`s of a module.
pub const MAX_FOLDED: usize = 1 << 16;
/// Blocks of a function.
pub const MAX_BLOCKS: usize = 1 << 14;
/// Loops nested in one another.
pub const MAX_LOOP_DEPTH: usize = 256;

/// How long the validator may take.
pub const MAX_VALIDATION: Duration = Duration::from_secs(20);

/// What is too large: the instruction's ordinal, where there is one, and the reason.
pub(crate) type Excess = (Option<usize>, String);

/// Refuses modules that would take the validator or an engine too long, before either sees them.
pub(crate) fn check(module: &Module) -> Result<(), Excess> {
    if module.bound() > MAX_ID_BOUND {
        let reason = format!("the id bound {} exceeds {MAX_ID_BOUND}", module.bound());
        return Err((None, reason));
    }
    if module.len() > MAX_INSTRUCTIONS {
        return Err((None, format!("more than {MAX_INSTRUCTIONS} instructions")));
    }
    let (mut blocks, mut folded, mut all_nodes) = (0, 0, 0_u64);
    let mut types: HashMap<u32, (u32, u64)> = HashMap::new();
    for (ordinal, words) in module.instructions().enumerate() {
        let opcode = words[0] & 0xffff;
        if opcode == Op::Function as u32 {
            blocks = 0;
        } else if opcode == Op::Label as u32 {
            blocks += 1;
            if blocks > MAX_BLOCKS {
                let reason = format!("a function of more than {MAX_BLOCKS} blocks");
                return Err((Some(ordinal), reason));
            }
        } else if opcode == Op::SpecConstantOp as u32 {
            folded += 1;
            if folded > MAX_FOLDED {
                return Err((Some(ordinal), format!("more than {MAX_FOLDED} OpSpecConstantOp")));
            }
        } else if let (Some(result), Some(parts)) = (words.get(1), type_parts(opcode, words)) {
            let (mut depth, mut nodes) = (0, 1_u64);
            for part in parts {
                let &(part_depth, part_nodes) = types.get(part).unwrap_or(&(0, 1));
                depth = depth.max(part_depth + 1);
                nodes = nodes.saturating_add(part_nodes);
            }
            if depth > MAX_TYPE_DEPTH {
                let reason = format!("types nested deeper than {MAX_TYPE_DEPTH}");
                return Err((Some(ordinal), reason));
            }
            if nodes > MAX_TYPE_NODES {
                let reason = format!("a type made of more than {MAX_TYPE_NODES} types");
                return Err((Some(ordinal), reason));
            }
            all_nodes = all_nodes.saturating_add(nodes);
            if all_nodes > MAX_ALL_TYPE_NODES {
                let reason = format!("types made of more than {MAX_ALL_TYPE_NODES} types together");
                return Err((Some(ordinal), reason));
            }
            types.insert(*result, (depth, nodes));
        }
    }
    Ok(())
}

/// The words of a type declaration that are ids of other types.
fn type_parts(opcode: u32, words: &[u32]) -> Option<&[u32]> {
    const STRUCT: u32 = Op::TypeStruct as u32;
    const FUNCTION: u32 = Op::TypeFunction as u32;
    const POINTER: u32 = Op::TypePointer as u32;
    const ONE_PART: [u32; 6] = [
        Op::TypeVector as u32,
        Op::TypeMatrix as u32,
        Op::TypeArray as u32,
        Op::TypeRuntimeArray as u32,
        Op::TypeImage as u32,
        Op::TypeSampledImage as u32,
    ];
    match opcode {
        STRUCT | FUNCTION => words.get(2..),
        POINTER => words.get(3..4),
        opcode if ONE_PART.contains(&opcode) => words.get(2..3),
        _ => None,
    }
}
