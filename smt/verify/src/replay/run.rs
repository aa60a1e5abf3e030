//! Runs a function from a state.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_interpreter::{
    Buffer, Call, CallArgument, Caller, Choices, Finished, Image, ImplementationDefined, LaneValue,
    OfOpenCl, Reachable, Readings, RunOptions, Sizes, Stop, WorkgroupCall, call, call_in_workgroup,
};
use laneproof_lower::{Pointee, RegionKind};
use laneproof_module::{Grid, Program, WorkgroupPlace};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

use super::{State, Subject};
use crate::counterexample::WorkgroupShape;
use crate::evaluated::Evaluated;
use crate::memory_state::MemoryState;

/// How many instructions a replay may execute.
pub(crate) const STEPS: u64 = 1_000_000;

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Its outcome only.
    Plain,
    /// With the result of every instruction, for presentation.
    Traced,
    /// What is equal under all choices.
    Following,
    /// The same, with the result of every instruction.
    TracedFollowing,
}

/// Runs a function from a state.
pub(crate) fn run(
    subject: Subject<'_>,
    state: &State,
    specification: &Specification,
    settled: &Settled,
    choices: &mut dyn Choices,
    mode: Mode,
) -> Result<Finished, Stop> {
    run_within(STEPS, subject, state, specification, settled, choices, mode)
}

/// The same with another limit of instructions.
pub(super) fn run_within(
    step_limit: u64,
    subject: Subject<'_>,
    state: &State,
    specification: &Specification,
    settled: &Settled,
    choices: &mut dyn Choices,
    mode: Mode,
) -> Result<Finished, Stop> {
    let specialized = specialized(subject, state)?;
    let program = specialized.as_ref().unwrap_or(subject.program);
    let primitives = Evaluated::new(specification, settled, program);
    let arguments = state
        .parameters
        .iter()
        .zip(&subject.flat.interface.inputs)
        .enumerate()
        .filter(|(_, (_, input))| input.spec_id.is_none())
        .map(|(position, (lanes, input))| match (input.points, input.uniform, lanes.first()) {
            _ if input.image => image(state, position),
            (Some(Pointee { region, .. }), _, Some(base)) => pointer(state, region, base),
            (None, true, Some(value)) => CallArgument::Uniform(value.clone()),
            _ => CallArgument::PerLane(lanes.clone()),
        })
        .collect();
    let Memories { buffers, images, variables } = Memories::of(subject, state);
    let left: Vec<u32> =
        subject.flat.interface.outputs.iter().filter_map(|output| output.global).collect();
    let followed = readings(settled);
    let follow = matches!(mode, Mode::Following | Mode::TracedFollowing);
    let options = RunOptions {
        reachable: Reachable {
            buffers: &buffers,
            images: &images,
            variables: &variables,
            left: &left,
        },
        races: true,
        step_limit,
        deadline: None,
        trace: matches!(mode, Mode::Traced | Mode::TracedFollowing),
        follow,
        in_full: follow,
        primitives: Some(&primitives),
        readings: Readings {
            // A refutation is for one implementation, the same on both sides.
            implementation_defined: match settled.alternative("implementation-defined") {
                Some(it) if **it == *"one-value" => ImplementationDefined::Fixed,
                Some(_) => followed.implementation_defined,
                None => ImplementationDefined::Undefined,
            },
            ..followed
        },
        caller: Caller {
            place: state.place.unwrap_or(WorkgroupPlace::ALONE),
            lane_indices: Some(&state.lane_indices),
        },
        // Barriers order memory between subgroups as their operands say.
        fences: state.workgroup.is_some(),
        leeway: None,
    };
    let (function, active) = (subject.function.id, state.active);
    if let Some(WorkgroupShape { size, .. }) = state.workgroup {
        let (subgroup, max) = (state.size, state.max_size);
        let grid = Grid { size, ..state.lane_indices.grid };
        let request = WorkgroupCall { program, function, grid, subgroup, max, active, arguments };
        return call_in_workgroup(&request, &options, choices);
    }
    let sizes = Sizes { existing: state.existing, subgroup: state.size, max: state.max_size };
    call(&Call { program, function, sizes, active, arguments }, &options, choices)
}

/// What pointers and variables of a run lead to.
struct Memories {
    buffers: Vec<Buffer>,
    images: Vec<Image>,
    /// Variables of the module, and the buffer of each.
    variables: Vec<(u32, usize)>,
}

impl Memories {
    fn of(subject: Subject<'_>, state: &State) -> Self {
        let lines = || state.memories.iter().filter(|memory| memory.sides.is_none());
        // A memory that no side accesses is not in the state; the last one of its kind is used instead.
        let mut buffers: Vec<Buffer> = lines().map(MemoryState::bytes).collect();
        buffers.push(Buffer::default());
        let mut images: Vec<Image> = state.memories.iter().filter_map(MemoryState::image).collect();
        images.push(Image { width: 1, height: 1, bytes: vec![None; 4] });
        let number = |kind: RegionKind| lines().position(|memory| memory.kind == kind);
        let nothing = lines().count();
        let of_region = |kind: RegionKind| match kind {
            RegionKind::Binding(..) | RegionKind::PushConstants => {
                Some(number(kind).unwrap_or(nothing))
            }
            _ => number(kind),
        };
        let regions = &subject.flat.memory.regions;
        let variables = regions
            .iter()
            .filter_map(|region| Some((region, of_region(region.kind)?)))
            .flat_map(|(region, number)| region.variables.iter().map(move |&id| (id, number)))
            .collect();
        Self { buffers, images, variables }
    }
}

/// The module, specialized with the state's constants, if it has any.
fn specialized(subject: Subject<'_>, state: &State) -> Result<Option<Program>, Stop> {
    let known: BTreeSet<u32> =
        subject.program.specialization_constants().map(|(spec_id, ..)| spec_id).collect();
    let inputs = subject.flat.interface.inputs.iter().zip(&state.parameters);
    let values: BTreeMap<u32, u64> = inputs
        .filter_map(|(input, lanes)| {
            let spec_id = input.spec_id.filter(|spec_id| known.contains(spec_id))?;
            Some((spec_id, lanes.first()?.0.first().copied().flatten()?))
        })
        .collect();
    if values.is_empty() {
        return Ok(None);
    }
    let specialized = subject.program.specialized(&values);
    specialized.map(Some).map_err(|error| Stop::BadCall { reason: error.to_string() })
}

/// The address of a pointer parameter, whose value is the number of an element.
fn pointer(state: &State, region: RegionKind, base: &LaneValue) -> CallArgument {
    let lines = || state.memories.iter().filter(|memory| memory.sides.is_none());
    let found = lines().enumerate().find(|(_, it)| it.kind == region);
    let Some((buffer, memory)) = found else {
        // It is never dereferenced.
        return CallArgument::Pointer { buffer: lines().count(), offset: 0 };
    };
    let element = base.0.first().copied().flatten().unwrap_or(0);
    CallArgument::Pointer { buffer, offset: element * memory.unit() }
}

/// An image parameter.
fn image(state: &State, position: usize) -> CallArgument {
    let images = || state.memories.iter().filter(|memory| memory.sides.is_some());
    let kind = RegionKind::Image(position);
    let found = images().position(|memory| memory.kind == kind);
    CallArgument::Image(found.unwrap_or_else(|| images().count()))
}

/// The readings as the interpreter follows them where it is not told otherwise: as the environment of
/// the module's kind does.
pub(crate) fn usual(specification: &Specification, kernel: bool) -> Settled {
    let usual = specification.profiles.get(Specification::environment_of(kernel));
    usual.map(|profile| Settled::by(profile)).unwrap_or_default()
}

/// The readings of which the interpreter follows another alternative than the one that is settled: it
/// reads what it cannot settle as the environment of the module's kind does.
pub fn not_followed(
    specification: &Specification,
    settled: &Settled,
    kernel: bool,
) -> BTreeSet<String> {
    let usual = usual(specification, kernel);
    let differs = |name: &&str| {
        let followed = Readings::NAMES.contains(name) && settled.alternative(name).is_some();
        !followed && settled.alternative(name) != usual.alternative(name)
    };
    specification.readings.keys().map(|name| &**name).filter(differs).map(str::to_owned).collect()
}

/// The settled readings that the interpreter implements.
pub fn readings(settled: &Settled) -> Readings {
    // Level Zero's guide takes OpenCL's numerical compliance over, and nothing that OpenCL C says.
    let lacks = |document: &str| {
        let holds = |name| Specification::built_in().holds(document, name);
        settled.environment().is_some_and(|name| !holds(name))
    };
    let of_opencl = match (lacks("OpenCL"), lacks("OpenCL_numerics")) {
        (_, true) => OfOpenCl::Nothing,
        (true, false) => OfOpenCl::Numerics,
        (false, false) => OfOpenCl::All,
    };
    let given = Readings { of_opencl, ..Readings::default() };
    Readings::NAMES.iter().fold(given, |readings, name| match settled.alternative(name) {
        Some(alternative) => readings.with(name, alternative),
        None => readings,
    })
}
