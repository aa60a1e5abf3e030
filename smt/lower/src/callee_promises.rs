//! What parameters of the functions that a target calls promise of the arguments. Calls are inlined, so
//! nothing else would show that an argument breaks such a promise.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{Function, Id, Instruction, ModuleType, Parameter, Program, opcode_name};

use crate::promises::{NATURAL, reached};

/// Names a promise about an argument in these functions' calls that may be broken.
pub(crate) fn of_callees(program: &Program, functions: &[&Function]) -> Option<String> {
    functions.iter().find_map(|caller| {
        let calls = instructions(caller).filter(|it| it.opcode == Op::FunctionCall);
        calls.filter_map(|call| of_call(program, caller, call)).next()
    })
}

fn of_call(program: &Program, caller: &Function, call: &Instruction) -> Option<String> {
    let mut ids = call.operands.iter().filter_map(|operand| operand.id_ref_any());
    let called = ids.next()?;
    let callee = program.functions.iter().find(|it| it.id == called)?;
    let effects = Effects::of(program, callee);
    let roots: Vec<Root> = ids.map(|id| root(program, caller, id)).collect();
    let pointers = callee.parameters.iter().zip(&roots).filter(|(it, _)| is_pointer(it));
    let pointers: Vec<(&Parameter, &Root)> = pointers.collect();
    let uniform = callee.parameters.iter().find(|it| it.uniform).map(|it| (it, "is `Uniform`"));
    let broken = (0..pointers.len())
        .find_map(|at| Some((pointers[at].0, broken(program, &effects, &pointers, at)?)));
    let (parameter, what) = broken.or(uniform)?;
    let name = callee.name.clone().unwrap_or_else(|| format!("%{}", callee.id));
    Some(format!(
        "the target promises that `{}` of `{name}` {what}, which is not checked",
        parameter.name
    ))
}

/// What is promised of the pointer at this place and may be broken.
fn broken(
    program: &Program,
    effects: &Effects,
    pointers: &[(&Parameter, &Root)],
    at: usize,
) -> Option<&'static str> {
    let (parameter, root) = pointers.get(at)?;
    let promises = parameter.promises;
    let is_apart = || {
        let mut others = pointers.iter().enumerate().filter(|(other, _)| *other != at);
        others.all(|(_, (_, other))| root.is_apart(other))
            && root.is_apart_from_globals(program, effects)
    };
    if promises.alignment > NATURAL {
        Some("has an `Alignment`")
    } else if promises.farthest.is_some() {
        Some("has a `MaxByteOffset`")
    } else if promises.no_write && effects.writes || promises.no_read && effects.reads {
        Some("is not accessed so")
    } else if promises.by_value && effects.writes {
        Some("is `ByVal`")
    } else if parameter.alone && effects.writes && !is_apart() {
        Some("aliases nothing")
    } else {
        None
    }
}

fn is_pointer(parameter: &Parameter) -> bool {
    matches!(parameter.ty, ModuleType::Pointer { .. })
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.body.blocks().flat_map(|block| &block.instructions)
}

/// What a function and those that it calls may do to memory.
struct Effects {
    writes: bool,
    reads: bool,
    /// Variables of the module that they name.
    globals: BTreeSet<Id>,
}

impl Effects {
    fn of(program: &Program, callee: &Function) -> Self {
        let all = reached(program, callee);
        // Nothing is known of what is only imported.
        let unknown = all.iter().any(|it| it.import.is_some() || it.unmodelled.is_some());
        let touches = |pure: &[Op]| {
            let mut all = all.iter().flat_map(|it| instructions(it));
            unknown || all.any(|it| touches_memory(it) && !pure.contains(&it.opcode))
        };
        let named = all.iter().flat_map(|it| instructions(it)).flat_map(|it| &it.operands);
        let named = named.filter_map(|operand| operand.id_ref_any());
        Self {
            writes: touches(&[Op::Load, Op::AtomicLoad]),
            reads: touches(&[Op::Store, Op::AtomicStore]),
            globals: named.filter(|id| program.globals.contains_key(id)).collect(),
        }
    }
}

/// It is given a pointer and is no computation of one.
fn touches_memory(instruction: &Instruction) -> bool {
    match instruction.opcode {
        Op::Load | Op::Store | Op::CopyMemory | Op::CopyMemorySized => true,
        opcode => {
            let name = opcode_name(opcode);
            name.starts_with("OpAtomic")
                || name.contains("BlockRead")
                || name.contains("BlockWrite")
        }
    }
}

/// What a pointer in a caller leads to.
enum Root {
    /// A variable.
    Variable(Id),
    /// What a parameter of the caller leads to, and nothing else.
    Apart(Id),
    /// Anything, in this storage class if that is known.
    Anything(Option<StorageClass>),
}

impl Root {
    fn is_apart(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Variable(one), Self::Variable(other))
            | (Self::Apart(one), Self::Apart(other)) => one != other,
            (Self::Apart(_), Self::Variable(_)) | (Self::Variable(_), Self::Apart(_)) => true,
            _ => false,
        }
    }

    fn is_apart_from_globals(&self, program: &Program, effects: &Effects) -> bool {
        match self {
            Self::Variable(id) => !effects.globals.contains(id),
            Self::Apart(_) => true,
            Self::Anything(storage) => effects.globals.iter().all(|id| {
                let global = program.globals.get(id);
                global.is_some_and(|it| storage.is_some_and(|storage| it.storage != storage))
            }),
        }
    }
}

fn root(program: &Program, caller: &Function, pointer: Id) -> Root {
    let defined: BTreeMap<Id, &Instruction> =
        instructions(caller).filter_map(|it| Some((it.result?, it))).collect();
    let mut id = pointer;
    loop {
        if program.globals.get(&id).is_some_and(|it| !it.aliased) {
            return Root::Variable(id);
        }
        if let Some(parameter) = caller.parameters.iter().find(|it| it.id == id) {
            return match (&parameter.ty, parameter.alone) {
                (_, true) => Root::Apart(id),
                (ModuleType::Pointer { storage, .. }, false) => Root::Anything(Some(*storage)),
                _ => Root::Anything(None),
            };
        }
        let Some(instruction) = defined.get(&id) else { return Root::Anything(None) };
        match instruction.opcode {
            Op::Variable => return Root::Variable(id),
            Op::AccessChain
            | Op::InBoundsAccessChain
            | Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain
            | Op::Bitcast
            | Op::CopyObject => match instruction.operands.first().and_then(|it| it.id_ref_any()) {
                Some(base) => id = base,
                None => return Root::Anything(None),
            },
            _ => return Root::Anything(None),
        }
    }
}
