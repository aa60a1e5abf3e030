//! A function as one flat graph of values over lanes, without control flow.
//!
//! Control flow becomes *activities* (sets of lanes that reach a point of the program), variables
//! become their successive values, and calls are inlined. What remains is a graph in which every
//! node is a function of the lane: the encoder evaluates any node in any lane, numbered or
//! symbolic.

mod build;
mod dominators;
mod instance;
mod interface;
mod layout;
mod region;
mod unmodelled;
mod unused;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use laneproof_module::{Place, Site};
use laneproof_semantics::Type;
use laneproof_semantics::denote::{Argument, GroupScope, Instance};
use laneproof_semantics::language::ast::{BuiltIn, SpecInstruction};

use unmodelled::unmodelled;

pub use build::{
    Barrier, Cut, Fence, Loops, OrderedBy, Slot, SwitchArrival, Tangle, TangleId, Way, flatten,
    specializations,
};
pub use instance::{GivenOperand, capability_names, execution_modes, pair, specified};
pub use interface::{FlatGlobal, FlatOutput, Interface};
pub use layout::scalar_bytes;
pub use region::{Access, Address, Epochs, MemoryRegion, Order, RegionKind, Scalars, Touch};
pub use unmodelled::Unmodelled;

/// A value of every lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A set of lanes that reach a point of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActivityId(pub u32);

/// One execution of a specified instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);

/// How a value is computed.
#[derive(Clone, Debug)]
pub enum FlatValue {
    /// Parameter of the function, by position.
    Parameter(usize),
    /// A constant, leaf by leaf; `None` is undefined.
    Constant(Vec<Option<u64>>),
    /// A built-in variable.
    BuiltIn(Arc<BuiltIn>, Instance),
    /// The result of a step.
    Result(StepId),
    /// A merge of the values of lanes that come by different ways.
    Merge(Merge),
    /// Some leaves of a value, from this one on.
    Part(ValueId, usize),
    /// A value with the leaves from this one on replaced.
    Update(ValueId, usize, ValueId),
    /// Leaves at `start + index · stride`, index computed.
    Element(ValueId, Indexed),
    /// A value with those leaves replaced.
    UpdateElement(ValueId, Indexed, ValueId),
    /// What an access to memory reads, by its number.
    Loaded(usize),
    /// The value of a slot at the header of the loop that is cut open.
    Held(usize),
    /// The number of elements that fit into a region: the region, the scalar at which the first
    /// begins, and the scalars of an element.
    ArrayLength(usize, u64, u64),
}

/// The first arm whose activity holds; the last arm where none does.
#[derive(Clone, Debug)]
pub struct Merge {
    /// For each way to it, its lanes and their value.
    pub arms: Vec<(ActivityId, ValueId)>,
    /// All lanes that come by these ways are in this activity, so the arms are distinguished only
    /// by further conditions.
    pub within: Option<ActivityId>,
}

/// A computed index into a value.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// First leaf of element 0.
    pub start: usize,
    /// Leaves from one element to the next.
    pub stride: usize,
    /// How many elements there are.
    pub length: u32,
    /// The index, an integer of any width.
    pub index: ValueId,
}

/// A set of lanes that reach a point of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// The lanes that enter the function.
    Entry,
    /// Lanes of an activity that leave a block this way.
    Edge(ActivityId, BranchTest),
    /// Lanes that come by any of several ways.
    Union(Vec<ActivityId>),
    /// Lanes at the header of the loop that is cut open.
    Live,
}

/// Which way a branch goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BranchTest {
    /// A Boolean is true.
    Holds(ValueId),
    /// A Boolean is false.
    Fails(ValueId),
    /// An integer is one of these.
    Equals(ValueId, Vec<u64>),
    /// An integer is none of these.
    Differs(ValueId, Vec<u64>),
}

/// One execution of an instruction, with its operands.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its specification.
    pub instruction: Arc<SpecInstruction>,
    /// Types and enumerants.
    pub instance: Instance,
    /// For each operand of the specification the values that it consists of.
    pub operands: Vec<Vec<ValueId>>,
    /// For each operand of the specification its position among the module's operands.
    pub positions: Vec<usize>,
    /// For each operand of the specification, where it points if it is a pointer.
    pub pointers: Vec<Option<Address>>,
    /// The lanes that execute it.
    pub activity: ActivityId,
    /// They execute it together under every reading of `reconvergence`.
    pub together: bool,
    /// Their tangle, in a case of a switch.
    pub tangle: Option<TangleId>,
    /// Some of them may be helpers.
    pub helpers: bool,
    /// Lanes that `OpKill` ended may be helpers, if it demotes.
    pub after_kill: bool,
    /// Where it is executed.
    pub site: Site,
    /// The same, for people.
    pub place: Place,
}

/// Something that can end an execution or rule it out.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A step's own undefined behavior and silence.
    Step(StepId),
    /// A branch on this value: undefined behavior where it is undefined.
    Branch(ActivityId, ValueId),
    /// An index into a variable: undefined behavior where undefined or out of bounds.
    Bounds(ActivityId, ValueId, u32),
    /// An access to memory, by its number: undefined behavior outside of it.
    Access(usize),
    /// `OpUnreachable`.
    Unreachable(ActivityId),
    /// Undefined behavior unless these are all existing lanes.
    Gathered(ActivityId, GroupScope),
    /// A barrier: those that reach it must be all that entered, or none. Anything else is not
    /// supported.
    Together {
        /// All that entered.
        entered: ActivityId,
        /// Those that reach it.
        reached_by: ActivityId,
        /// It waits for all invocations of the workgroup.
        scope: GroupScope,
    },
    /// Lanes that would enter an iteration past the last one that is unrolled.
    Overrun(ActivityId),
    /// `OpAssumeTrueKHR`.
    Assume(ActivityId, ValueId),
}

/// A parameter of the flattened function.
#[derive(Clone, Debug)]
pub struct FlatInput {
    /// Its name.
    pub name: String,
    /// Its type; for a pointer to function-local storage, the pointee's.
    pub ty: Type,
    /// It is equal in all lanes.
    pub uniform: bool,
    /// A pointer to memory. Its value is the number of the element that it points to.
    pub points: Option<Pointee>,
    /// An image, which has no value.
    pub image: bool,
    /// No parameter but a specialization constant, by its `SpecId`.
    pub spec_id: Option<u32>,
}

/// What a pointer parameter points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointee {
    /// Which memory it points into.
    pub region: RegionKind,
    /// Bytes that are there at least.
    pub size: u64,
    /// Bytes that its address is a multiple of.
    pub alignment: u64,
}

/// A step that a lane table can show.
#[derive(Clone, Debug)]
pub struct TableStep {
    /// Its `<id>`.
    pub id: u32,
    /// The name of the value.
    pub name: String,
    /// The value.
    pub value: ValueId,
}

/// Memory that lanes share, and the accesses to it.
#[derive(Clone, Debug, Default)]
pub struct SharedMemory {
    /// Memory that lanes share.
    pub regions: Vec<MemoryRegion>,
    /// The accesses, in program order.
    pub accesses: Vec<Access>,
    /// Barriers in all.
    pub epochs: Epochs,
    /// Barriers, in their order.
    pub barriers: Vec<Barrier>,
    /// Memory barriers that with atomics may order accesses of different subgroups.
    pub fences: Vec<Fence>,
    /// The lanes at some barrier are together only under the stronger reading of `reconvergence`.
    pub barrier_apart: bool,
    /// There are atomics, between which other lanes may execute theirs.
    pub atomics: bool,
    /// The scope of an atomic is smaller than the workgroup: between subgroups it races.
    pub narrow_atomics: bool,
}

/// Lanes that terminate early.
#[derive(Clone, Debug, Default)]
pub struct EarlyEnds {
    /// The lanes that executed `OpKill`.
    pub killed: Option<ActivityId>,
    /// The lanes that executed `OpTerminateInvocation`.
    pub terminated: Option<ActivityId>,
    /// Whether a lane was demoted to a helper.
    pub demoted: Option<ValueId>,
}

/// The sets of lanes that control flow makes.
#[derive(Clone, Debug, Default)]
pub struct LaneSets {
    /// All sets of lanes that control flow makes.
    pub activities: Vec<Activity>,
    /// Tangles in the cases of switches.
    pub tangles: Vec<Tangle>,
    /// The number of each activity.
    numbers: HashMap<Activity, ActivityId>,
    /// The immediate dominator of each activity.
    dominators: dominators::Dominators,
}

/// The whole graph.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    /// All values with their types, operands before what uses them.
    pub values: Vec<(FlatValue, Type)>,
    /// The sets of lanes that control flow makes.
    pub lanes: LaneSets,
    /// The instructions that have clauses.
    pub steps: Vec<Step>,
    /// All events besides results, in order.
    pub events: Vec<Event>,
    /// Inputs and outputs of a function.
    pub interface: Interface,
    /// Values that a counterexample shows on the way.
    pub shown: Vec<TableStep>,
    /// Memory that lanes share, and the accesses to it.
    pub memory: SharedMemory,
    /// Steps whose results nothing uses.
    pub unused: BTreeSet<StepId>,
    /// The loop, where it is cut open.
    pub cut: Option<Cut>,
    /// Lanes that terminate early.
    pub ends: EarlyEnds,
}

impl Flat {
    /// The value of this number.
    pub fn value(&self, id: ValueId) -> &FlatValue {
        &self.values[id.0 as usize].0
    }

    /// The type of this value.
    pub fn ty(&self, id: ValueId) -> &Type {
        &self.values[id.0 as usize].1
    }

    /// The step of this number.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// It reads the built-in variable of this name.
    pub fn reads_built_in(&self, name: &str) -> bool {
        let mut values = self.values.iter();
        values.any(|(value, _)| matches!(value, FlatValue::BuiltIn(it, _) if &*it.name == name))
    }

    /// Some loop may take more iterations than are unrolled.
    pub fn may_overrun(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Overrun(..)))
    }

    /// Barriers that all lanes of a subgroup have passed before an access (or at the end) and
    /// that order what they do in a region.
    pub fn epoch(&self, access: usize, region: usize) -> u32 {
        self.epochs_at(access).of_subgroup[self.memory_kind(region)]
    }

    /// The same of those that order what different subgroups do.
    pub fn workgroup_epoch(&self, access: usize, region: usize) -> u32 {
        self.epochs_at(access).of_workgroup[self.memory_kind(region)]
    }

    fn epochs_at(&self, access: usize) -> Epochs {
        self.memory.accesses.get(access).map_or(self.memory.epochs, |access| access.epochs)
    }

    /// Buffers, workgroup memory, images.
    fn memory_kind(&self, region: usize) -> usize {
        match self.memory.regions[region].kind {
            RegionKind::Image(_) => 2,
            RegionKind::WorkgroupArguments => 1,
            kind => usize::from(!kind.is_visible()),
        }
    }

    /// Some parameter is declared uniform, which does not constrain other subgroups.
    pub fn promises_uniformity(&self) -> bool {
        let own =
            |input: &FlatInput| input.points.is_none() && !input.image && input.spec_id.is_none();
        !self.interface.entry_point
            && self.interface.inputs.iter().any(|input| input.uniform && own(input))
    }

    /// Some step is executed by all invocations of a workgroup together.
    pub fn spans_workgroup(&self) -> bool {
        self.steps.iter().any(Step::spans_workgroup)
    }

    /// Which memory a barrier of the workgroup orders: buffers, workgroup memory, images.
    pub fn ordered_in_workgroup(&self) -> [bool; 3] {
        self.memory.epochs.of_workgroup.map(|barriers| barriers > 0)
    }

    /// Which memory may be written: buffers, workgroup memory, images.
    pub fn written(&self) -> [bool; 3] {
        let mut written = [false; 3];
        for access in &self.memory.accesses {
            match &access.what {
                Touch::Load(_) => {}
                Touch::Store(scalars, _) => {
                    written[self.memory_kind(scalars.address.region)] = true;
                }
                Touch::Step(step) => {
                    for pointer in self.step(*step).pointers.iter().flatten() {
                        written[self.memory_kind(pointer.region)] = true;
                    }
                }
            }
        }
        written
    }

    pub(crate) fn add(&mut self, value: FlatValue, ty: Type) -> ValueId {
        self.values.push((value, ty));
        ValueId(self.values.len() as u32 - 1)
    }

    fn activity(&mut self, activity: Activity) -> ActivityId {
        if let Some(&known) = self.lanes.numbers.get(&activity) {
            return known;
        }
        let id = ActivityId(self.lanes.activities.len() as u32);
        self.lanes.dominators.push(self.dominator(&activity));
        self.lanes.numbers.insert(activity.clone(), id);
        self.lanes.activities.push(activity);
        id
    }

    /// The lanes of any of these sets; both ways out of one branch are the branch's own lanes.
    fn union(&mut self, parts: Vec<ActivityId>) -> Option<ActivityId> {
        let parts = self.joined(parts);
        match parts.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => Some(self.activity(Activity::Union(parts))),
        }
    }

    /// The same lanes in as few sets as possible.
    fn joined(&self, parts: Vec<ActivityId>) -> Vec<ActivityId> {
        let mut kept: BTreeSet<ActivityId> = parts.into_iter().collect();
        let mut left: Vec<ActivityId> = kept.iter().copied().collect();
        // Ways out of each activity that have found no counterpart.
        let mut ways: HashMap<ActivityId, Vec<(ActivityId, &BranchTest)>> = HashMap::new();
        while let Some(part) = left.pop() {
            let Activity::Edge(from, test) = &self.lanes.activities[part.0 as usize] else {
                continue;
            };
            let others = ways.entry(*from).or_default();
            match others.iter().position(|(_, other)| test.opposes(other)) {
                None => others.push((part, test)),
                Some(position) => {
                    let (other, _) = others.swap_remove(position);
                    kept.remove(&part);
                    kept.remove(&other);
                    left.extend(Some(*from).filter(|from| kept.insert(*from)));
                }
            }
        }
        kept.into_iter().collect()
    }
}

impl Step {
    /// All invocations of a workgroup execute it together.
    pub fn spans_workgroup(&self) -> bool {
        let mut operands = self.instruction.operands.iter().zip(&self.instance.arguments);
        operands.any(|(operand, argument)| match argument {
            Argument::Enumerant(names) if operand.names_group() => {
                names.first().is_some_and(|name| &**name == "Workgroup")
            }
            _ => false,
        })
    }
}

impl BranchTest {
    fn value(&self) -> ValueId {
        match self {
            Self::Holds(value)
            | Self::Fails(value)
            | Self::Equals(value, _)
            | Self::Differs(value, _) => *value,
        }
    }

    fn opposes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Holds(a), Self::Fails(b)) | (Self::Fails(a), Self::Holds(b)) => a == b,
            (Self::Equals(a, x), Self::Differs(b, y))
            | (Self::Differs(a, x), Self::Equals(b, y)) => a == b && x == y,
            _ => false,
        }
    }
}
