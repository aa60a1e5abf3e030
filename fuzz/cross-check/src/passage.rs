//! A barrier with memory around it: every lane writes its part of a block, waits, and reads what
//! some lane wrote. Where the barrier does not put that in order two lanes race.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_forms::{FUNCTION, Numbers, Prepared, low};
use laneproof_interpreter::{
    Call, CallArgument as Given, Image, LaneValue, Reachable, RunOptions, Sizes, Stop, Zeros, call,
};
use laneproof_module::load_text_unvalidated;
use laneproof_semantics::denote::{Argument, DenoteError, Instance, Settled};
use laneproof_semantics::evaluate::{
    Bits, Execution, LaneResult, Memory, Serialization, Subgroup, Workgroup, execute,
};
use laneproof_semantics::language::ast::SpecInstruction;
use laneproof_semantics::{Scalar, Specification, Type};

use crate::memory::bytes;
use crate::passage_text::{Around, ROW, program_text};

/// Rows of the image.
const ROWS: u32 = 2;

/// What the lanes of a passage end with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// What each lane read.
    Read(Vec<Bits>),
    /// Lanes race, or the barrier itself is undefined behavior.
    UndefinedBehavior,
}

/// A full subgroup on its way past a barrier.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Where it writes and reads.
    pub around: Around,
    lanes: u32,
    /// What each lane writes.
    data: Vec<Bits>,
    /// Where each lane reads: an element, or a byte and a row.
    from: Vec<Vec<Bits>>,
}

impl Passage {
    /// A passage of up to eight lanes.
    pub fn arbitrary(numbers: &mut Numbers) -> Self {
        let lanes = 1 << numbers.below(4);
        let around = Around::ALL[numbers.below(4) as usize];
        // Often all lanes read where they wrote, or all that a neighbour wrote.
        let (same, apart) = (numbers.below(3), numbers.once_in(2));
        let from = (0..u64::from(lanes)).map(|lane| {
            let past = if apart { numbers.below(u64::from(lanes)) } else { same };
            match around {
                // A block starts at the lane's own place.
                Around::Buffer | Around::ShaderBuffer | Around::Workgroup => vec![Some(past)],
                Around::Image => vec![Some(4 * past), Some((lane & numbers.below(2)) & 1)],
            }
        });
        let from = from.collect();
        let data = (0..lanes).map(|_| Some(low(numbers.bits(), 32))).collect();
        Self { around, lanes, data, from }
    }

    /// What the clauses say.
    ///
    /// # Errors
    ///
    /// Where they have no executable meaning.
    pub fn clause_order(
        &self,
        specification: &Specification,
        settled: &Settled,
        barrier: &SpecInstruction,
        prepared: &Prepared,
    ) -> Result<Passed, DenoteError> {
        let run = |instruction: &SpecInstruction, instance: &Instance, subgroup: &Subgroup| {
            let mut draw = |_, _, _, _| 0;
            let serialization = Serialization::default();
            execute(
                specification,
                settled,
                instruction,
                instance,
                subgroup,
                serialization,
                &mut draw,
            )
        };
        let named = |name: &str| {
            let known = specification.instructions.get(name);
            known.ok_or_else(|| DenoteError::Specification(format!("there is no {name}")))
        };
        let [write, read] = self.around.blocks();
        let (pointer, coordinate) = (self.argument(), self.around.coordinate());
        let word = Argument::Value(Type::U32);
        let instance = |arguments: Vec<Argument>, result: Option<Type>| Instance {
            arguments,
            result,
            ..within(&prepared.instance, "Kernel")
        };
        let arguments = [pointer.clone()].into_iter().chain(coordinate.clone()).chain([word]);
        let start = vec![vec![Some(0); 2]; self.lanes as usize];
        let words = self.data.iter().map(|bits| vec![*bits]).collect();
        let operands = vec![Vec::new()].into_iter().chain(coordinate.as_ref().map(|_| start));
        let memory = self.memory(None);
        let before = subgroup(self.lanes, operands.chain([words]).collect(), Some(memory));
        let before = run(named(write)?, &instance(arguments.collect(), None), &before)?;
        let waiting =
            ordered(specification, settled, (barrier, prepared), self.around, self.lanes)?;
        let arguments = [pointer].into_iter().chain(coordinate.clone()).collect();
        let operands = vec![Vec::new()].into_iter().chain(coordinate.map(|_| self.from.clone()));
        let memory = self.memory(before.memory.get(&0));
        let after = subgroup(self.lanes, operands.collect(), Some(memory));
        let after = run(named(read)?, &instance(arguments, Some(Type::U32)), &after)?;
        let storage = self.around.storage();
        let race = !waiting.orders.contains(&storage) && races(&before, &after);
        if race || [&before, &waiting, &after].into_iter().any(misbehaves) {
            return Ok(Passed::UndefinedBehavior);
        }
        let result = |lane: &Option<LaneResult>| match lane {
            Some(LaneResult::Value(leaves)) => leaves.first().copied().flatten(),
            _ => None,
        };
        Ok(Passed::Read(after.lanes.iter().map(result).collect()))
    }

    /// What the interpreter does.
    ///
    /// # Errors
    ///
    /// Where it stops for another reason than undefined behavior.
    pub fn observed(&self, prepared: &Prepared) -> Result<Passed, Stop> {
        let bad = |reason: String| Stop::BadCall { reason };
        let text = program_text(prepared, self.around);
        let program = load_text_unvalidated(&text, FUNCTION);
        let program = program.map_err(|error| bad(format!("{error}\n{text}")))?;
        let function = program.function(FUNCTION).map_or(0, |function| function.id);
        let lanes =
            |values: Vec<Vec<Bits>>| Given::PerLane(values.into_iter().map(LaneValue).collect());
        let (mut buffers, mut images) = (Vec::new(), Vec::new());
        let memory = match self.memory(None) {
            // The module has a variable of its own.
            _ if self.around == Around::Workgroup => None,
            Memory::Buffer { elements, .. } => {
                buffers.push(bytes(&elements, 4));
                Some(Given::Pointer { buffer: 0, offset: 0 })
            }
            Memory::Image { width, height, words, .. } => {
                images.push(Image { width, height, bytes: bytes(&words, 4) });
                Some(Given::Image(0))
            }
        };
        let data = self.data.iter().map(|bits| vec![*bits]).collect();
        let request = Call {
            program: &program,
            function,
            sizes: Sizes { existing: self.lanes, subgroup: self.lanes, max: self.lanes },
            active: (1 << self.lanes) - 1,
            arguments: memory.into_iter().chain([lanes(self.from.clone()), lanes(data)]).collect(),
        };
        let options = RunOptions {
            reachable: Reachable { buffers: &buffers, images: &images, ..Reachable::default() },
            races: true,
            ..RunOptions::default()
        };
        match call(&request, &options, &mut Zeros) {
            Ok(finished) => {
                let read = |lane: Option<LaneValue>| lane.and_then(|it| it.0.first().copied()?);
                Ok(Passed::Read(finished.results.into_iter().map(read).collect()))
            }
            Err(Stop::UndefinedBehavior { .. }) => Ok(Passed::UndefinedBehavior),
            Err(stop) => Err(stop),
        }
    }

    fn argument(&self) -> Argument {
        match self.around {
            Around::Image => Argument::Image,
            _ => Argument::Pointer(Type::Scalar(Scalar::uint(32))),
        }
    }

    /// Memory before the passage, or the given one; each lane's pointer is where it writes or,
    /// after the barrier, where it reads.
    fn memory(&self, now: Option<&Memory>) -> Memory {
        let content = |count: u32| (0..count).map(|word| Some(u64::from(word) + 1000)).collect();
        match (self.around, now) {
            (Around::Image, Some(now)) => now.clone(),
            (Around::Image, None) => {
                let width = 2 * self.lanes;
                let words = content(width * ROWS);
                Memory::Image { width, height: ROWS, words, texels: width, texel_bytes: 4 }
            }
            (_, Some(Memory::Buffer { elements, .. })) => {
                let place = |from: &Vec<Bits>| from.first().copied().flatten().unwrap_or(0) as u32;
                let pointers = self.from.iter().map(place).collect();
                Memory::Buffer { address: 0, elements: elements.clone(), pointers }
            }
            _ => {
                let elements = match self.around {
                    Around::Workgroup => vec![None; ROW as usize],
                    _ => content(2 * self.lanes + 2),
                };
                Memory::Buffer { address: 0, elements, pointers: vec![0; self.lanes as usize] }
            }
        }
    }
}

/// An instance in a module with one capability, whatever the barrier is from; blocks are a kernel's.
fn within(instance: &Instance, capability: &str) -> Instance {
    let capabilities = Arc::new(BTreeSet::from([capability.to_owned()]));
    Instance { capabilities, ..instance.clone() }
}

/// The order by the clauses of a barrier that all of these lanes reach, in a module with such memory.
///
/// # Errors
///
/// Where they have no executable meaning.
pub fn ordered(
    specification: &Specification,
    settled: &Settled,
    (barrier, prepared): (&SpecInstruction, &Prepared),
    around: Around,
    lanes: u32,
) -> Result<Execution, DenoteError> {
    let constants = prepared.form.constants.iter();
    let operands = constants.map(|constant| match constant {
        Some(bits) => vec![vec![Some(*bits)]; lanes as usize],
        None => vec![Vec::new(); lanes as usize],
    });
    let mut subgroup = subgroup(lanes, operands.collect(), None);
    subgroup.workgroup = prepared.spans_workgroup().then_some(Workgroup {
        size: [lanes, 1, 1],
        id: [0; 3],
        enqueued: [lanes, 1, 1],
        count: [1; 3],
        offset: [0; 3],
        dimensions: 1,
    });
    let (mut draw, serialization) =
        (|_: usize, _: usize, _: u32, _: u32| 0, Serialization::default());
    execute(
        specification,
        settled,
        barrier,
        &within(&prepared.instance, around.capability()),
        &subgroup,
        serialization,
        &mut draw,
    )
}

fn subgroup(lanes: u32, operands: Vec<Vec<Vec<Bits>>>, memory: Option<Memory>) -> Subgroup {
    Subgroup {
        existing: lanes,
        size: lanes,
        max_size: lanes,
        workgroup: None,
        active: (1 << lanes) - 1,
        operands,
        memory: memory.into_iter().map(|memory| (0, memory)).collect::<BTreeMap<_, _>>(),
    }
}

fn misbehaves(execution: &Execution) -> bool {
    let mut lanes = execution.lanes.iter().flatten();
    lanes.any(|lane| matches!(lane, LaneResult::UndefinedBehavior(_)))
}

/// Some lane reads afterwards what another one wrote before.
fn races(before: &Execution, after: &Execution) -> bool {
    let common = |written: &BTreeSet<_>, read: &BTreeSet<_>| !written.is_disjoint(read);
    let mut pairs = before.stored.iter().enumerate().flat_map(|(writer, written)| {
        after.read.iter().enumerate().map(move |(reader, read)| (writer, written, reader, read))
    });
    pairs.any(|(writer, written, reader, read)| writer != reader && common(written, read))
}
