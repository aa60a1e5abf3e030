//! Instructions that read and write memory: what the two meanings make of it.
//!
//! A pointer operand leads into a buffer, each lane's to an element of its own; an image operand is
//! one image. If lanes are serialized, the interpreter's order is drawn from the state; the
//! evaluator runs the same order, and then decides whether any order explains the results.

use std::collections::BTreeMap;

use laneproof_forms::{CheckedSubject, Prepared, drawn};
use laneproof_module::Site;

use laneproof_interpreter::{
    Buffer, CallArgument as Given, Choices, Image, LaneValue, Reachable, RunOptions, Stop, call,
};
use laneproof_semantics::denote::{Argument, DenoteError, Settled};
use laneproof_semantics::evaluate::{
    Bits, Chosen, Execution, Explained, LaneResult, Memory, Serialization, Subgroup, execute,
    explained,
};
use laneproof_semantics::language::ast::SpecInstruction;
use laneproof_semantics::{Scalar, Specification};

use crate::observe::{Agreement, call_of};
use laneproof_generator::mixed;

/// What the interpreter made of an instruction and of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// The result in each active lane (without leaves if there is no result), and memory.
    Memory(Vec<Option<Vec<Bits>>>, BTreeMap<usize, Memory>),
    /// Undefined behavior.
    UndefinedBehavior,
}

/// Runs the module.
///
/// # Errors
///
/// Where the interpreter stops for another reason than undefined behavior.
pub fn observe_memory(prepared: &Prepared, subgroup: &Subgroup) -> Result<Left, Stop> {
    observe_memory_with(prepared, subgroup, &mut Drawn { asked: 0, seed: seed(subgroup) })
}

/// The same under other choices.
pub(crate) fn observe_memory_with(
    prepared: &Prepared,
    subgroup: &Subgroup,
    choices: &mut dyn Choices,
) -> Result<Left, Stop> {
    let (mut buffers, mut images, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    for (operand, argument) in prepared.form.arguments.iter().enumerate() {
        match (argument, subgroup.memory.get(&operand)) {
            (Argument::Pointer(ty), Some(Memory::Buffer { elements, pointers, .. })) => {
                arguments.push(Given::Pointer { buffer: buffers.len(), offset: 0 });
                let place = |index: &u32| LaneValue(vec![Some(u64::from(*index))]);
                arguments.push(Given::PerLane(pointers.iter().map(place).collect()));
                buffers.push(bytes(elements, size(ty.element())));
            }
            (Argument::Image, Some(Memory::Image { width, height, words, .. })) => {
                arguments.push(Given::Image(images.len()));
                let bytes = bytes(words, 4);
                images.push(Image { width: *width, height: *height, bytes });
            }
            (Argument::Value(_), _) if prepared.form.constants[operand].is_none() => {
                let lanes = subgroup.operands[operand].iter();
                arguments.push(Given::PerLane(lanes.map(|it| LaneValue(it.clone())).collect()));
            }
            _ => {}
        }
    }
    let request = call_of(prepared, subgroup, arguments);
    let options = RunOptions {
        reachable: Reachable { buffers: &buffers, images: &images, ..Reachable::default() },
        ..RunOptions::default()
    };
    let finished = match call(&request, &options, choices) {
        Ok(finished) => finished,
        Err(Stop::UndefinedBehavior { .. }) => return Ok(Left::UndefinedBehavior),
        Err(stop) => return Err(stop),
    };
    let mut buffers = finished.buffers.iter();
    let mut images = finished.images.iter();
    let mut memory = subgroup.memory.clone();
    for (operand, memory) in &mut memory {
        match memory {
            Memory::Buffer { elements, .. } => {
                let width = match &prepared.form.arguments[*operand] {
                    Argument::Pointer(ty) => size(ty.element()),
                    _ => 4,
                };
                *elements = buffers.next().map(|it| scalars(it, width)).unwrap_or_default();
            }
            Memory::Image { words, .. } => {
                *words = images.next().map(|it| scalars(&it.bytes, 4)).unwrap_or_default();
            }
        }
    }
    let lanes = finished.results.into_iter().enumerate().map(|(lane, result)| {
        let active = subgroup.active >> lane & 1 == 1;
        active.then(|| result.map(|value| value.0).unwrap_or_default())
    });
    Ok(Left::Memory(lanes.collect(), memory))
}

/// Whether what the interpreter left is what the clauses say: under the same serialization order,
/// and as the outcome of some order.
///
/// # Errors
///
/// Where it is not, what the clauses say instead.
pub fn agrees_with_memory(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    left: &Left,
) -> Result<Agreement, String> {
    let instruction = instruction_in(specification, prepared)?;
    let found = executed(specification, settled, instruction, prepared, subgroup)
        .map_err(|error| error.to_string())?;
    let silent = found.lanes.iter().flatten().find_map(|lane| match lane {
        LaneResult::Silence(clause) => Some(clause),
        _ => None,
    });
    let undefined = found.lanes.iter().flatten().find_map(|lane| match lane {
        LaneResult::UndefinedBehavior(clause) => Some(clause),
        _ => None,
    });
    let (lanes, memory) = match (undefined, silent, left) {
        (Some(_), _, Left::UndefinedBehavior) => {
            return Ok(Agreement { behavior: 1, ..Agreement::default() });
        }
        (Some(clause), ..) => return Err(format!("undefined behavior: {clause}")),
        (_, Some(clause), _) => return Err(format!("silence: {clause}")),
        (.., Left::UndefinedBehavior) => return Err(format!("{found:x?}")),
        (.., Left::Memory(lanes, memory)) => (lanes, memory),
    };
    let ours: Vec<Option<Vec<Bits>>> = found
        .lanes
        .iter()
        .map(|lane| match lane {
            Some(LaneResult::Value(leaves)) => Some(leaves.clone()),
            _ => None,
        })
        .collect();
    if ours != *lanes || found.memory != *memory {
        return Err(format!("{found:x?}"));
    }
    match in_some_order(specification, settled, prepared, subgroup, lanes, memory)? {
        Explained::No => Err("no order of the lanes gives this".into()),
        Explained::Yes | Explained::Undecided => {
            let leaves = || lanes.iter().flatten().flatten();
            let all = || leaves().chain(memory.values().flat_map(contents));
            let values = all().flatten().count() as u64;
            let undefined = all().count() as u64 - values;
            Ok(Agreement { values, undefined, ..Agreement::default() })
        }
    }
}

/// Whether some serialization order gives these results and this memory, as the clauses have it.
///
/// # Errors
///
/// Where they say nothing of the kind.
pub(crate) fn in_some_order(
    specification: &Specification,
    settled: &Settled,
    prepared: &Prepared,
    subgroup: &Subgroup,
    lanes: &[Option<Vec<Bits>>],
    memory: &BTreeMap<usize, Memory>,
) -> Result<Explained, String> {
    let instruction = instruction_in(specification, prepared)?;
    let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
        drawn(prepared.position(operand), leaf, lane, width)
    };
    let instance = &prepared.instance;
    let found = explained(
        specification,
        settled,
        instruction,
        instance,
        subgroup,
        lanes,
        memory,
        &mut draw,
    );
    found.map_err(|error| error.to_string())
}

/// The prepared instruction as a specification has it, which may be a changed one.
fn instruction_in<'a>(
    specification: &'a Specification,
    prepared: &'a Prepared,
) -> Result<&'a SpecInstruction, String> {
    let CheckedSubject::Instruction(known) = &prepared.form.target.subject else {
        return Err("a built-in variable has no memory".into());
    };
    let name = prepared.form.target.name();
    Ok(specification.instructions.get(name).unwrap_or(known))
}

/// The scalars of a memory.
pub(crate) fn contents(memory: &Memory) -> &Vec<Bits> {
    match memory {
        Memory::Buffer { elements, .. } => elements,
        Memory::Image { words, .. } => words,
    }
}

/// What the clauses say where lanes are serialized as in [`observe_memory`].
///
/// # Errors
///
/// As [`execute`].
pub fn executed(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    prepared: &Prepared,
    subgroup: &Subgroup,
) -> Result<Execution, DenoteError> {
    let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
        drawn(prepared.position(operand), leaf, lane, width)
    };
    let instance = &prepared.instance;
    let (order, chosen) = serialization(subgroup);
    let serialization = Serialization { order: &order, chosen: &chosen };
    execute(specification, settled, instruction, instance, subgroup, serialization, &mut draw)
}

/// In which order lanes are serialized in [`observe_memory`], and what each of them chooses.
pub fn serialization(subgroup: &Subgroup) -> (Vec<u32>, Vec<Chosen>) {
    let chosen = (0..subgroup.existing).map(|lane| choice(seed(subgroup), lane)).collect();
    (order(subgroup), chosen)
}

/// A lane's choice in its update: often the NaN without payload.
fn choice(seed: u64, lane: u32) -> Chosen {
    let bits = mixed(seed ^ mixed(u64::from(lane)));
    Chosen { nan: if bits >> 1 & 1 == 0 { 0 } else { mixed(bits) }, first: bits & 1 == 1 }
}

/// The serialization order that [`Drawn`] leads to.
fn order(subgroup: &Subgroup) -> Vec<u32> {
    let mut picks = Drawn { asked: 0, seed: seed(subgroup) };
    let mut waiting: Vec<u32> =
        (0..subgroup.existing).filter(|lane| subgroup.active >> lane & 1 == 1).collect();
    let mut order = Vec::with_capacity(waiting.len());
    while waiting.len() > 1 {
        let next = picks.next(waiting.len() as u64);
        order.push(waiting.remove(next as usize));
    }
    order.extend(waiting);
    order
}

fn seed(subgroup: &Subgroup) -> u64 {
    mixed(subgroup.active as u64 ^ (subgroup.active >> 64) as u64 ^ u64::from(subgroup.size))
}

/// The draws that the evaluator makes too, and an order that is found again.
struct Drawn {
    asked: u64,
    seed: u64,
}

impl Drawn {
    fn next(&mut self, options: u64) -> u64 {
        self.asked += 1;
        mixed(self.seed.wrapping_add(self.asked)) % options
    }
}

impl Choices for Drawn {
    fn draw(&mut self, _: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        drawn(operand, leaf, lane, width)
    }

    fn payload(&mut self, _: &Site, lane: u32, _: usize) -> Option<u64> {
        Some(choice(self.seed, lane).nan)
    }

    fn either(&mut self, _: &Site, lane: u32) -> Option<bool> {
        Some(choice(self.seed, lane).first)
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.next(options)
    }
}

/// Bytes of a scalar.
fn size(scalar: Option<Scalar>) -> usize {
    scalar.map_or(4, |scalar| scalar.width() as usize / 8)
}

pub(crate) fn bytes(elements: &[Bits], size: usize) -> Buffer {
    let of = |element: &Bits| {
        let element = *element;
        (0..size).map(move |byte| element.map(|bits| (bits >> (8 * byte)) as u8))
    };
    elements.iter().flat_map(of).collect()
}

fn scalars(bytes: &Buffer, size: usize) -> Vec<Bits> {
    let scalar = |bytes: &[Option<u8>]| {
        let mut from_the_top = bytes.iter().rev();
        from_the_top.try_fold(0, |bits, byte| byte.map(|byte| bits << 8 | u64::from(byte)))
    };
    bytes.chunks_exact(size).map(scalar).collect()
}
