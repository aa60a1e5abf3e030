//! What parameters of the functions that a target calls promise of the arguments. Calls are inlined, so
//! nothing else would show that an argument breaks such a promise.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{Function, Id, Instruction, ModuleType, Parameter, Program};

use super::{NATURAL, reached};

/// What is promised of a pointer beside that it aliases nothing, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    Alignment,
    Farthest,
    NoWrite,
    NoRead,
    ByValue,
}

impl Promise {
    fn all(parameter: &Parameter) -> impl Iterator<Item = (Self, u32)> + use<> {
        let promises = parameter.promises;
        let all = [
            (Self::Alignment, promises.alignment, promises.alignment > NATURAL),
            // The less is accessed, the more is promised.
            (
                Self::Farthest,
                u32::MAX - promises.farthest.unwrap_or(0),
                promises.farthest.is_some(),
            ),
            (Self::NoWrite, 0, promises.no_write),
            (Self::NoRead, 0, promises.no_read),
            (Self::ByValue, 0, promises.by_value),
        ];
        all.into_iter().filter_map(|(promise, much, made)| made.then_some((promise, much)))
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::Alignment => "has an `Alignment`",
            Self::Farthest => "has a `MaxByteOffset`",
            Self::NoWrite => "is not written",
            Self::NoRead => "is not read",
            Self::ByValue => "is `ByVal`",
        }
    }

    const fn may_be_broken(self, effects: &Effects) -> bool {
        match self {
            Self::Alignment | Self::Farthest => true,
            Self::NoWrite | Self::ByValue => effects.writes,
            Self::NoRead => effects.reads,
        }
    }
}

/// What is promised of the pointers that a function is called with, by their positions.
type Promised = BTreeMap<(usize, Promise), u32>;

/// The positions of what a function was called with, by the `<id>`s of its own parameters.
type Positions = BTreeMap<Id, usize>;

/// Functions that were looked through, and what is known of their parameters.
type Seen = BTreeSet<(Id, Positions)>;

fn positions(function: &Function) -> Positions {
    function.parameters.iter().enumerate().map(|(at, it)| (it.id, at)).collect()
}

/// Names a promise about an argument in the target's calls that may be broken, unless the source
/// makes it of the same pointer in each of its runs.
pub(crate) fn of_callees(
    (of_source, source): (&Program, &Function),
    (program, target): (&Program, &Function),
) -> Option<String> {
    let mut promised = Promised::new();
    for (at, parameter) in source.parameters.iter().enumerate() {
        promised.extend(Promise::all(parameter).map(|(promise, much)| ((at, promise), much)));
    }
    always(of_source, source, positions(source), (&mut promised, &mut Seen::new()));
    in_calls(program, target, positions(target), &promised, &mut Seen::new())
}

/// Adds what calls in every run promise: those in the first block.
fn always(
    program: &Program,
    caller: &Function,
    known: Positions,
    (promised, seen): (&mut Promised, &mut Seen),
) {
    if !seen.insert((caller.id, known.clone())) {
        return;
    }
    let first = caller.body.blocks().next().into_iter().flat_map(|block| &block.instructions);
    for call in first.filter(|it| it.opcode == Op::FunctionCall) {
        let Some((callee, arguments)) = called(program, call) else { continue };
        let mut further = Positions::new();
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            let Some(&at) = known.get(&argument) else { continue };
            further.insert(parameter.id, at);
            for (promise, much) in Promise::all(parameter) {
                let known = promised.entry((at, promise)).or_default();
                *known = much.max(*known);
            }
        }
        always(program, callee, further, (promised, seen));
    }
}

fn in_calls(
    program: &Program,
    caller: &Function,
    known: Positions,
    promised: &Promised,
    seen: &mut Seen,
) -> Option<String> {
    if !seen.insert((caller.id, known.clone())) {
        return None;
    }
    let calls = instructions(caller).filter(|it| it.opcode == Op::FunctionCall);
    calls.filter_map(|call| called(program, call)).find_map(|(callee, arguments)| {
        let positions: Vec<Option<usize>> =
            arguments.iter().map(|it| known.get(it).copied()).collect();
        let broken = of_call(program, (caller, callee), &arguments, &|parameter, promise, much| {
            let at = positions.get(parameter).copied().flatten();
            at.and_then(|at| promised.get(&(at, promise))).is_some_and(|known| *known >= much)
        });
        broken.or_else(|| {
            let own = callee.parameters.iter().zip(&positions);
            let further = own.filter_map(|(it, at)| Some((it.id, (*at)?))).collect();
            in_calls(program, callee, further, promised, seen)
        })
    })
}

/// The function that is called, and with what.
fn called<'p>(program: &'p Program, call: &Instruction) -> Option<(&'p Function, Vec<Id>)> {
    let mut ids = call.operands.iter().filter_map(|operand| operand.id_ref_any());
    let called = ids.next()?;
    Some((program.functions.iter().find(|it| it.id == called)?, ids.collect()))
}

fn of_call(
    program: &Program,
    (caller, callee): (&Function, &Function),
    arguments: &[Id],
    kept: &dyn Fn(usize, Promise, u32) -> bool,
) -> Option<String> {
    let effects = Effects::of(program, callee);
    let roots: Vec<Root> = arguments.iter().map(|id| root(program, caller, *id)).collect();
    let all = callee.parameters.iter().zip(&roots).enumerate();
    let pointers: Vec<(usize, &Parameter, &Root)> = all
        .filter(|(_, (it, _))| is_pointer(it))
        .map(|(at, (parameter, root))| (at, parameter, root))
        .collect();
    let broken = pointers.iter().find_map(|(at, parameter, root)| {
        let broken = Promise::all(parameter)
            .find(|(promise, much)| promise.may_be_broken(&effects) && !kept(*at, *promise, *much));
        if let Some((promise, _)) = broken {
            return Some((*parameter, promise.in_words()));
        }
        let mut others = pointers.iter().filter(|(other, ..)| other != at);
        let apart = !parameter.alone
            || !effects.writes
            || others.all(|(.., other)| root.is_apart(other))
                && root.is_apart_from_globals(program, &effects);
        (!apart).then_some((*parameter, "aliases nothing"))
    });
    let uniform = callee.parameters.iter().find(|it| it.uniform).map(|it| (it, "is `Uniform`"));
    let (parameter, what) = broken.or(uniform)?;
    let name = callee.name.clone().unwrap_or_else(|| format!("%{}", callee.id));
    Some(format!(
        "the target promises that `{}` of `{name}` {what}, which is not checked",
        parameter.name
    ))
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
        let accesses: BTreeSet<Access> = all.iter().flat_map(|it| accesses(program, it)).collect();
        let any = |own: Access| {
            unknown || accesses.contains(&own) || accesses.contains(&Access::ReadOrWrite)
        };
        let named = all.iter().flat_map(|it| instructions(it)).flat_map(|it| &it.operands);
        let named = named.filter_map(|operand| operand.id_ref_any());
        Self {
            writes: any(Access::Write),
            reads: any(Access::Read),
            globals: named.filter(|id| program.globals.contains_key(id)).collect(),
        }
    }
}

/// How an instruction may access memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Read,
    Write,
    ReadOrWrite,
}

/// How the instructions of a function may access memory. What is not known as data may be a pointer.
fn accesses<'p>(
    program: &'p Program,
    function: &'p Function,
) -> impl Iterator<Item = Access> + use<'p> {
    let parameters = function.parameters.iter().map(|it| (it.id, &it.ty));
    let phis = function.body.blocks().flat_map(|block| &block.phis).map(|it| (it.result, &it.ty));
    let results = instructions(function).filter_map(|it| Some((it.result?, it.ty.as_ref()?)));
    let locals = parameters.chain(phis).chain(results);
    let data: BTreeSet<Id> =
        locals.filter(|(_, ty)| matches!(ty, ModuleType::Data(_))).map(|(id, _)| id).collect();
    let may_lead = move |id: Id| {
        let known = data.contains(&id)
            || program.constants.contains_key(&id)
            || program.types.contains_key(&id)
            || program.preamble.instruction_sets.contains_key(&id);
        !known
    };
    instructions(function)
        .filter(move |it| it.operands.iter().filter_map(|it| it.id_ref_any()).any(&may_lead))
        .filter_map(|it| access(it.opcode))
}

/// How an instruction may access what it is given a pointer to, or an image; `None` where it computes
/// with the pointer itself.
fn access(opcode: Op) -> Option<Access> {
    match opcode {
        Op::Load
        | Op::AtomicLoad
        | Op::ImageRead
        | Op::SubgroupBlockReadINTEL
        | Op::SubgroupImageBlockReadINTEL => Some(Access::Read),
        Op::Store
        | Op::AtomicStore
        | Op::ImageWrite
        | Op::SubgroupBlockWriteINTEL
        | Op::SubgroupImageBlockWriteINTEL => Some(Access::Write),
        Op::AccessChain
        | Op::ArrayLength
        | Op::Bitcast
        | Op::ConvertPtrToU
        | Op::CopyObject
        | Op::FunctionCall
        | Op::GenericCastToPtr
        | Op::GenericCastToPtrExplicit
        | Op::ImageTexelPointer
        | Op::InBoundsAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::LifetimeStart
        | Op::LifetimeStop
        | Op::PtrAccessChain
        | Op::PtrCastToGeneric
        | Op::PtrDiff
        | Op::PtrEqual
        | Op::PtrNotEqual
        | Op::Select
        | Op::Variable => None,
        _ => Some(Access::ReadOrWrite),
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
