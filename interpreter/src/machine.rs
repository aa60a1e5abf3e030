//! The state of a run outside any function.

use std::rc::Rc;
use std::time::Instant;

use laneproof_module::spirv::Op;
use laneproof_module::{
    Function, Id, Instruction, LaneIndices, ModuleType, Named, Place, Program, Site, WorkgroupPlace,
};

use crate::choices::Choices;
use crate::defined::Implementation;
use crate::frame::{Register, Slot};
use crate::ids::IdMap;
use crate::lane::{LaneValue, Sizes};
use crate::latitude::Leeway;
use crate::memory::Image;
use crate::memory::{Buffer, Memory};
use crate::outcome::{Gave, Stop, Trace};
use crate::plan::Plan;
use crate::primitive::Primitives;
use crate::reading::{Kill, Readings};
use crate::serialization::SerializationOrder;
use crate::taint::Taint;
use crate::value::Value;

/// Memory that a function called on its own can reach.
#[derive(Clone, Copy, Default)]
pub struct Reachable<'o> {
    /// Memory that a function called on its own can reach, see [`crate::CallArgument::Pointer`].
    pub buffers: &'o [Buffer],
    /// Images that such a function can reach, see [`crate::CallArgument::Image`].
    pub images: &'o [Image],
    /// Module-scope variables for some of it, each with the index of its buffer.
    pub variables: &'o [(Id, usize)],
    /// Module-scope variables of each lane of which [`crate::Finished::outputs`] has what is left in
    /// them, behind the parameters.
    pub left: &'o [Id],
}

/// A subgroup that calls a function on its own.
#[derive(Clone, Copy)]
pub struct Caller<'o> {
    /// Which subgroup of its workgroup it is.
    pub place: WorkgroupPlace,
    /// The positions of its lanes in the workgroup and the grid, if known.
    pub lane_indices: Option<&'o LaneIndices>,
}

/// How to run.
#[derive(Clone, Copy)]
pub struct RunOptions<'o> {
    /// How many instructions may be executed, counted once for all lanes of a subgroup; one that
    /// writes a large value counts as several.
    pub step_limit: u64,
    /// The deadline, checked once in some thousands of steps.
    pub deadline: Option<Instant>,
    /// Record what every instruction gives.
    pub trace: bool,
    /// Execute every instruction in full, none by the short form that common ones have: slower,
    /// with the same outcome.
    pub in_full: bool,
    /// What imported functions do.
    pub primitives: Option<&'o dyn Primitives>,
    /// How sentences are read that can be read in several ways.
    pub readings: Readings,
    /// What the environment leaves to devices in floating point: results may be other ones than the
    /// correctly rounded. Needs `in_full`.
    pub leeway: Option<&'o Leeway>,
    /// Memory that a function called on its own can reach.
    pub reachable: Reachable<'o>,
    /// Two lanes that race for memory are undefined behavior, not a matter of their order.
    pub races: bool,
    /// A barrier orders the memory that its semantics name, and no other.
    pub fences: bool,
    /// Track choices instead of making them: markers ([`Choices::marker`]) represent open scalars
    /// while they are only moved, computations with them are undefined, and the run stops if more
    /// than values could depend on them. So every final value that is defined and not a marker is
    /// equal under all choices. Needs `in_full`.
    pub follow: bool,
    /// The position of a subgroup that calls a function on its own.
    pub caller: Caller<'o>,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            step_limit: 10_000_000,
            deadline: None,
            trace: false,
            in_full: false,
            primitives: None,
            readings: Readings::default(),
            leeway: None,
            reachable: Reachable { buffers: &[], images: &[], variables: &[], left: &[] },
            races: false,
            fences: false,
            follow: false,
            caller: Caller { place: WorkgroupPlace::ALONE, lane_indices: None },
        }
    }
}

/// Lanes that execute an instruction together: one subgroup of the workgroup.
#[derive(Clone, Debug)]
pub(crate) struct Group<'p> {
    /// Its sizes.
    pub sizes: Sizes,
    /// The lanes that entered.
    pub entered: u128,
    /// The lanes that were demoted to helpers: their stores to shared memory are dropped.
    pub helpers: u128,
    /// Module-scope variables that it sees, by `<id>`: pointers, the same in every lane.
    pub globals: IdMap<Register<'p>>,
    /// Of all subgroups of a workgroup as one: the workgroup's size along each axis.
    pub whole: Option<[u32; 3]>,
}

impl Group<'_> {
    /// A group without module-scope variables.
    pub fn new(sizes: Sizes, entered: u128) -> Self {
        Self { sizes, entered, helpers: 0, globals: IdMap::default(), whole: None }
    }
}

/// How deep calls may nest. SPIR-V has no recursion in shaders, but the interpreter has a stack.
pub(crate) const MAX_DEPTH: usize = 64;

/// Scalars that one value may have in all lanes together; larger ones are not modelled.
pub(crate) const MAX_VALUE: usize = 1 << 22;

/// Scalars that a run may hold at a time.
const MAX_HELD: usize = 1 << 25;
/// Steps between two looks at the clock.
const LOOK: u64 = 1 << 12;

/// The calls that a run is in.
pub(crate) struct Calls<'p> {
    /// Calls and iterations entered, see [`Site`].
    pub path: Vec<u32>,
    /// Calls entered.
    pub depth: usize,
    /// The functions that were called, decoded, by `<id>`.
    plans: IdMap<Rc<Plan<'p>>>,
}

/// What a run may still use.
pub(crate) struct Budget {
    /// Steps left.
    pub fuel: u64,
    /// When it must have ended.
    pub deadline: Option<Instant>,
    /// Scalars held in registers and variables.
    pub held: usize,
}

/// The state of a run.
pub(crate) struct Machine<'p, 'c> {
    /// What is run.
    pub program: &'p Program,
    /// Decides the choices.
    pub choices: &'c mut dyn Choices,
    /// How to run.
    pub options: RunOptions<'c>,
    /// All objects.
    pub memory: Memory,
    /// The subgroups.
    pub groups: Vec<Group<'p>>,
    /// The size of the workgroup that they make, along each axis, where they make a whole one.
    pub workgroup: Option<[u32; 3]>,
    /// The calls that a run is in.
    pub(crate) calls: Calls<'p>,
    /// What a run may still use.
    pub(crate) budget: Budget,
    /// What every instruction gave.
    pub trace: Option<Trace>,
    /// What is open among the operands that an instruction computes with.
    pub taint: Taint,
    /// What showed of the implementation so far.
    pub implementation: Implementation,
    /// The order of the lanes at atomics since the last barrier.
    pub serialization: SerializationOrder,
}

/// Some instruction is one on atomic flags.
fn has_flags(program: &Program) -> bool {
    let mut blocks = program.functions.iter().flat_map(|function| function.body.blocks());
    blocks.any(|block| {
        let flag = |opcode| matches!(opcode, Op::AtomicFlagTestAndSet | Op::AtomicFlagClear);
        block.instructions.iter().any(|instruction| flag(instruction.opcode))
    })
}

impl<'p, 'c> Machine<'p, 'c> {
    /// A machine before its first instruction, with no memory.
    pub fn new(
        program: &'p Program,
        groups: Vec<Group<'p>>,
        options: &RunOptions<'c>,
        choices: &'c mut dyn Choices,
    ) -> Self {
        Self {
            program,
            choices,
            options: *options,
            memory: Memory::watched(options.races, has_flags(program)),
            groups,
            workgroup: None,
            calls: Calls { path: Vec::new(), depth: 0, plans: IdMap::default() },
            budget: Budget { fuel: options.step_limit, deadline: options.deadline, held: 0 },
            trace: options.trace.then(Trace::new),
            taint: Taint::default(),
            implementation: Implementation::default(),
            serialization: SerializationOrder::default(),
        }
    }

    /// A function, decoded.
    pub fn plan(&mut self, function: &'p Function) -> Rc<Plan<'p>> {
        let lanes = self.groups.iter().map(|group| group.sizes.existing).max().unwrap_or(0);
        let (program, all, primitives) =
            (self.program, self.options.in_full, self.options.primitives);
        // A short form knows nothing of what a user's specification says of its instruction.
        let in_full =
            |instruction: &Instruction| all || primitives.is_some_and(|it| it.changes(instruction));
        let reconvergence = self.options.readings.tangles.reconvergence;
        let decode = || Rc::new(Plan::of(program, function, lanes, &in_full, reconvergence));
        Rc::clone(self.calls.plans.entry(function.id).or_insert_with(decode))
    }

    /// Whether `OpKill` makes helper invocations: an implementation does so always or never.
    pub fn kill_demotes(&mut self, site: &Site) -> bool {
        match self.options.readings.kill {
            Kill::Terminate => false,
            Kill::Demote => true,
            Kill::ImplementationChooses => {
                let choices = &mut *self.choices;
                *self.implementation.kill_demotes.get_or_insert_with(|| {
                    choices.kill_demotes().unwrap_or_else(|| choices.pick(site, 2) == 1)
                })
            }
        }
    }

    /// The dynamic instance of the instruction at `word` in subgroup `group`.
    pub fn site(&self, group: usize, word: u32) -> Site {
        let mut path = Vec::with_capacity(self.calls.path.len() + 1);
        if self.groups.len() > 1 {
            path.push(group as u32);
        }
        path.extend_from_slice(&self.calls.path);
        Site { path, word }
    }

    /// Counts one step.
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.budget.fuel = self.budget.fuel.checked_sub(1).ok_or(Stop::StepLimit)?;
        let late = |budget: &Budget| budget.deadline.is_some_and(|it| it <= Instant::now());
        match self.budget.fuel.is_multiple_of(LOOK) && late(&self.budget) {
            true => Err(Stop::TimeLimit),
            false => Ok(()),
        }
    }

    /// Counts the writing of `cells` scalars: large values take more than one step.
    pub fn write(&mut self, cells: usize) -> Result<(), Stop> {
        self.budget.fuel =
            self.budget.fuel.checked_sub(cells as u64 >> 6).ok_or(Stop::StepLimit)?;
        Ok(())
    }

    /// Counts `cells` more scalars as held, and what comes with the least of values.
    pub fn hold(&mut self, cells: usize) -> Result<(), Stop> {
        self.budget.held += cells + 64;
        if self.budget.held > MAX_HELD { Err(Stop::MemoryLimit) } else { Ok(()) }
    }

    /// The index of each subgroup's first lane among all lanes.
    pub fn starts(&self) -> Vec<u32> {
        let groups = self.groups.iter().filter(|group| group.whole.is_none());
        groups
            .scan(0, |next, group| {
                let start = *next;
                *next += group.sizes.existing;
                Some(start)
            })
            .collect()
    }

    /// How many lanes all subgroups have together.
    pub fn lanes(&self) -> u32 {
        let groups = self.groups.iter().filter(|group| group.whole.is_none());
        groups.map(|group| group.sizes.existing).sum()
    }

    /// Records what an instruction gave in the lanes of `set`, of one subgroup.
    pub fn record(&mut self, id: Id, value: &Value, set: u128, group: usize) {
        let Some((start, entry)) = self.traced(id, group) else { return };
        for lane in crate::lane::lanes(set) {
            if let Some(place) = entry.get_mut((start + lane) as usize) {
                let times = place.as_ref().map_or(1, |before| before.times.saturating_add(1));
                *place = Some(Gave { value: value.lane(lane), times });
            }
        }
    }

    /// Puts another value in the place of what was recorded last.
    pub fn amend(&mut self, id: Id, value: &Value, set: u128, group: usize) {
        let Some((start, entry)) = self.traced(id, group) else { return };
        for lane in crate::lane::lanes(set) {
            if let Some(Some(gave)) = entry.get_mut((start + lane) as usize) {
                gave.value = value.lane(lane);
            }
        }
    }

    /// The recorded results of an instruction in all lanes, and the index of this subgroup's first
    /// lane; `None` if nothing is recorded.
    fn traced(&mut self, id: Id, group: usize) -> Option<(u32, &mut Vec<Option<Gave>>)> {
        if self.trace.is_none() || self.groups[group].whole.is_some() {
            return None;
        }
        let (start, all) = (self.starts()[group], self.lanes());
        let entry = self.trace.as_mut()?.entry(id).or_insert_with(|| vec![None; all as usize]);
        Some((start, entry))
    }
}

/// The name that documents give an instruction.
pub(crate) fn name_of(instruction: &Instruction) -> String {
    instruction.opcode.name().to_owned()
}

/// What cannot be run, at an instruction.
pub(crate) fn not_modelled(instruction: &Instruction, why: impl Into<String>) -> Stop {
    Stop::NotModelled {
        instruction: name_of(instruction),
        place: instruction.place,
        why: why.into(),
    }
}

/// What cannot be run, at a part of the module that is not an instruction of a block.
pub(crate) fn not_modelled_at(part: &str, place: Place, why: impl Into<String>) -> Stop {
    Stop::NotModelled { instruction: part.into(), place, why: why.into() }
}

/// The stop for something that is not supported, at an unknown place.
pub(crate) fn not_modelled_part(part: &str, why: impl Into<String>) -> Stop {
    not_modelled_at(part, Place::default(), why)
}

/// A slot that holds `values`, by lane.
pub(crate) fn slot_of(ty: &ModuleType, values: &[LaneValue]) -> Option<Slot> {
    let mut value = Value::undefined(crate::shape::leaf_count(ty)?, values.len() as u32);
    for (lane, given) in values.iter().enumerate() {
        value.set_lane(lane as u32, given);
    }
    Some(Slot::Data(Rc::new(value)))
}
