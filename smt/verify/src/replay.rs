//! Counterexamples run again in the interpreter, which knows nothing of the clauses.

mod orders;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use laneproof_encode::{Choice, InputLeaf, Open, Side, Workgroup, chosen_way};
use laneproof_interpreter::{
    Argument, Arrival, Buffer, Call, Choices, Finished, Grid, Image, LaneValue, Options, Readings,
    Seating, Site, Sizes, Stop, WorkgroupCall, WorkgroupPlace, call, call_in_workgroup,
};
use laneproof_lower::{Evaluated, Event, Flat, RegionKind, Step};
use laneproof_module::{Function as ModuleFunction, Program};
use laneproof_obligation::Built;
use laneproof_outcome::{Location, NotReplayed, Unknown, Unsupported};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::term::{Constant, Interpretation, Pool, Term};
use laneproof_solve::Model;

use self::orders::{Explained, Walk, by_any_order};
use crate::counterexample::WorkgroupShape;
use crate::memory_state::{self, MemoryState, memories, payload};

/// How many runs of the source may be walked to show that none explains the target.
const SOURCE_RUNS: u64 = 1 << 16;
/// How many instructions a replay may execute.
const STEPS: u64 = 1_000_000;

/// Everything that a run starts from.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub size: u32,
    pub max_size: u32,
    pub existing: u32,
    /// Which subgroup of its workgroup it is, where that was asked for.
    pub place: Option<WorkgroupPlace>,
    /// Where its lanes stand in their workgroup and its grid.
    pub seating: Seating,
    /// Which invocations they are was asked for.
    pub indexed: bool,
    /// Something of the workgroup's size or its grid was asked for.
    pub gridded: bool,
    /// The workgroup, where lanes are all of its invocations.
    pub workgroup: Option<WorkgroupShape>,
    pub active: u128,
    /// By parameter and lane.
    pub parameters: Vec<Vec<LaneValue>>,
    /// What stands in memory.
    pub memories: Vec<MemoryState>,
}

/// What the solver chose for the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// By site, operand, leaf and lane.
    drawn: HashMap<(Site, usize, usize, u32), u64>,
    /// By site, leaf and lane.
    open: HashMap<(Site, usize, u32), u64>,
    /// By site, leaf and lane: bits that name a NaN.
    payloads: HashMap<(Site, usize, u32), u64>,
    /// By site and lane: whether the first of two values is taken.
    taken: HashMap<(Site, u32), bool>,
    /// By site, the places among those who wait, one after the other.
    turns: HashMap<Site, Vec<u64>>,
    /// By case of a switch and way to it, colours of tangles by what lanes have in common.
    colours: HashMap<(Site, u32), HashMap<u32, u64>>,
    /// The colours that lanes were given last.
    coloured: HashMap<u32, u32>,
    /// `OpKill` makes helpers.
    kill_demotes: bool,
}

impl Choices for Recorded {
    fn draw(&mut self, site: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        let value = self.drawn.get(&(site.clone(), operand, leaf, lane)).copied().unwrap_or(0);
        if width >= 64 { value } else { value & ((1 << width) - 1) }
    }

    fn open(&mut self, site: &Site, lane: u32, leaf: usize, _width: u32) -> Option<u64> {
        self.open.get(&(site.clone(), leaf, lane)).copied()
    }

    fn payload(&mut self, site: &Site, lane: u32, leaf: usize) -> Option<u64> {
        Some(self.payloads.get(&(site.clone(), leaf, lane)).copied().unwrap_or(0))
    }

    fn either(&mut self, site: &Site, lane: u32) -> Option<bool> {
        Some(self.taken.get(&(site.clone(), lane)).copied().unwrap_or(false))
    }

    fn tangle(&mut self, site: &Site, arrival: &Arrival, lanes: &[u32]) -> Option<u64> {
        let by = match arrival.selector {
            Some(value) => value as u32,
            None => lanes.first().and_then(|lane| self.coloured.get(lane)).copied().unwrap_or(0),
        };
        let colours = self.colours.get(&(site.clone(), arrival.from));
        let colour = colours.and_then(|colours| colours.get(&by)).copied().unwrap_or(0);
        self.coloured.extend(lanes.iter().map(|&lane| (lane, colour as u32)));
        Some(colour)
    }

    fn kill_demotes(&mut self) -> Option<bool> {
        Some(self.kill_demotes)
    }

    fn pick(&mut self, site: &Site, _: u64) -> u64 {
        match self.turns.get_mut(site) {
            Some(places) if !places.is_empty() => places.remove(0),
            _ => 0,
        }
    }
}

/// One of the two functions, where the interpreter finds it.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub program: &'a Program,
    pub function: &'a ModuleFunction,
    pub flat: &'a Flat,
}

/// How a replay ended.
#[derive(Debug)]
pub(crate) enum Replay {
    /// No choice of the source gives what the target did.
    Confirmed(Box<Replayed>),
    /// Some choice does, or the source excludes the state.
    Explained,
    /// The source never ends.
    Endless,
    /// It could not be run to an end.
    Undecided(Unknown),
}

/// What a confirmed replay showed.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub source: Option<Finished>,
    pub target: Result<Finished, Stop>,
}

/// Reads a model as a state and the target's choices.
pub(crate) fn read(built: &Built<'_>, model: &Model, flat: &Flat) -> (State, Recorded) {
    let pool = &built.pool;
    let number = |term: Term| pool.evaluate(&[term], model)[0].as_bits();
    let existing = number(built.existing) as u32;
    let seen = payloads_seen(built, model);
    let mut number_of_leaf = 0;
    let mut parameters = Vec::new();
    for (input, leaves) in flat.inputs.iter().zip(&built.inputs) {
        let scalars = input.ty.leaves();
        let first = number_of_leaf;
        number_of_leaf += leaves.len() as u32;
        let lanes = (0..existing).map(|lane| {
            let values =
                leaves.iter().zip(&scalars).enumerate().map(|(position, (leaf, scalar))| {
                    let source = first + position as u32;
                    let constant = match *leaf {
                        InputLeaf::PerLane(symbol) => model
                            .chosen(symbol, lane)
                            .unwrap_or_else(|| payload(source, lane, scalar.width(), &seen)),
                        InputLeaf::Uniform(symbol) => model.variable(symbol),
                        InputLeaf::Moved(_) => payload(source, lane, scalar.width(), &seen),
                        InputLeaf::MovedUniform(_) => payload(source, 0, scalar.width(), &seen),
                    };
                    Some(constant.as_bits() as u64)
                });
            LaneValue(values.collect())
        });
        parameters.push(lanes.collect());
    }
    let state = State {
        size: number(built.size) as u32,
        max_size: number(built.max_size) as u32,
        existing,
        place: built.place.consulted.then(|| WorkgroupPlace {
            subgroup: number(built.place.subgroup) as u32,
            subgroups: number(built.place.subgroups) as u32,
        }),
        seating: built.surroundings.seating(pool, model, existing),
        indexed: built.surroundings.is_indexed(),
        gridded: built.surroundings.is_gridded(),
        workgroup: built.workgroup.map(|workgroup| WorkgroupShape {
            subgroups: workgroup.subgroups,
            size: workgroup.sides.map(|side| number(side) as u32),
        }),
        active: number(built.active),
        parameters,
        memories: memories(built, model, &seen),
    };
    (state, recorded(built, model))
}

/// Payloads that the source returns in the lane that disagrees: where values are too narrow
/// to be all different, these differ from the others.
fn payloads_seen(built: &Built<'_>, model: &Model) -> Vec<(u32, u32)> {
    let pool: &Pool = &built.pool;
    built
        .results
        .iter()
        .filter_map(|(source, _)| match pool.evaluate(&[source.bits], model)[0] {
            Constant::Tag(leaf, lane) => Some((leaf, lane)),
            _ => None,
        })
        .collect()
}

fn recorded(built: &Built<'_>, model: &Model) -> Recorded {
    let mut choices = Recorded::default();
    let target = built.target.as_ref().unwrap_or(&built.source);
    choices.kill_demotes =
        target.kill_demotes.is_some_and(|term| built.pool.evaluate(&[term], model)[0].is_true());
    for open in &target.choices {
        if let Some(tangle) = chosen_way(open.step).filter(|_| open.choice == Choice::Tangle) {
            let tangle = target.flat.tangle(tangle);
            let Some(way) = tangle.ways.get(open.leaf) else { continue };
            let of_way = model.applications().filter(|(symbol, ..)| *symbol == open.symbol);
            let colours = of_way.map(|(_, by, colour)| (by, colour.as_bits() as u64)).collect();
            choices.colours.insert((tangle.site.clone(), way.from), colours);
            continue;
        }
        let Some(step) = target.flat.steps.get(open.step.0 as usize) else { continue };
        if open.choice == Choice::Order {
            let places = places(built, model, target, open);
            choices.turns.insert(step.site.clone(), places);
            continue;
        }
        for (symbol, lane, value) in model.applications() {
            if symbol != open.symbol {
                continue;
            }
            let (site, lane) = seen_from(built, step, lane);
            let value = value.as_bits() as u64;
            match open.choice {
                Choice::Draw(operand) => {
                    let key = (site, step.positions[operand], open.leaf, lane);
                    choices.drawn.insert(key, value);
                }
                Choice::Result => {
                    choices.open.insert((site, open.leaf, lane), value);
                }
                Choice::Payload => {
                    choices.payloads.insert((site, open.leaf, lane), value);
                }
                Choice::Either => {
                    choices.taken.insert((site, lane), value & 1 == 1);
                }
                Choice::Order | Choice::Tangle => {}
            }
        }
    }
    choices
}

/// A step's site and a lane that is carried, as the interpreter calls them: in a workgroup of
/// several subgroups a site begins with the subgroup's number, one past the last where all
/// execute together, and lanes are those of the group.
fn seen_from(built: &Built<'_>, step: &Step, lane: u32) -> (Site, u32) {
    let mut site = step.site.clone();
    let Some(Workgroup { size, subgroups, .. }) = built.workgroup else { return (site, lane) };
    if step.spans_workgroup() {
        site.path.insert(0, subgroups);
        return (site, lane);
    }
    if subgroups > 1 {
        site.path.insert(0, lane / size);
    }
    (site, lane % size)
}

/// In which order the lanes take their turns: the place of each among those who still wait.
fn places(built: &Built<'_>, model: &Model, side: &Side<'_>, open: &Open) -> Vec<u64> {
    let Some(order) = side.orders.get(&open.step) else { return Vec::new() };
    let active = built.pool.evaluate(&order.active, model);
    let mut waiting: Vec<u32> =
        (0..).zip(&active).filter(|(_, it)| it.is_true()).map(|(lane, _)| lane).collect();
    let mut ranked = waiting.clone();
    ranked.sort_by_key(|&lane| model.apply(open.symbol, lane).as_bits());
    let mut places = Vec::with_capacity(ranked.len());
    for lane in ranked {
        if let Some(place) = waiting.iter().position(|&it| it == lane) {
            places.push(place as u64);
            waiting.remove(place);
        }
    }
    places
}

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Its outcome.
    Plain,
    /// To be shown, with what every instruction gave.
    Traced,
    /// What is so under all choices.
    Following,
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
    let specialized = specialized(subject, state)?;
    let program = specialized.as_ref().unwrap_or(subject.program);
    let primitives = Evaluated::new(specification, settled, program);
    let arguments = state
        .parameters
        .iter()
        .zip(&subject.flat.inputs)
        .enumerate()
        .filter(|(_, (_, input))| input.spec_id.is_none())
        .map(|(position, (lanes, input))| match (input.points, input.uniform, lanes.first()) {
            _ if input.image => image(state, position),
            (Some(_), _, Some(base)) => pointer(state, base),
            (None, true, Some(value)) => Argument::Uniform(value.clone()),
            _ => Argument::PerLane(lanes.clone()),
        })
        .collect();
    let lines = || state.memories.iter().filter(|memory| memory.sides.is_none());
    // What no side touches has no memory in the state: the last of each stands for it.
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
    let variables: Vec<(u32, usize)> = subject
        .flat
        .regions
        .iter()
        .filter_map(|region| Some((region, of_region(region.kind)?)))
        .flat_map(|(region, number)| region.variables.iter().map(move |&id| (id, number)))
        .collect();
    let options = Options {
        buffers: &buffers,
        images: &images,
        variables: &variables,
        races: true,
        step_limit: STEPS,
        trace: mode == Mode::Traced,
        follow: mode == Mode::Following,
        in_full: mode == Mode::Following,
        primitives: Some(&primitives),
        readings: readings(settled),
        place: state.place.unwrap_or(WorkgroupPlace::ALONE),
        seating: Some(&state.seating),
        // Subgroups are ordered by what a barrier says it orders.
        fences: state.workgroup.is_some(),
        leeway: None,
    };
    let (function, active) = (subject.function.id, state.active);
    if let Some(WorkgroupShape { size, .. }) = state.workgroup {
        let (subgroup, max) = (state.size, state.max_size);
        let grid = Grid { size, ..state.seating.grid };
        let request = WorkgroupCall { program, function, grid, subgroup, max, active, arguments };
        return call_in_workgroup(&request, &options, choices);
    }
    let sizes = Sizes { existing: state.existing, subgroup: state.size, max: state.max_size };
    call(&Call { program, function, sizes, active, arguments }, &options, choices)
}

/// The module with the state's specialization constants, where it has any.
fn specialized(subject: Subject<'_>, state: &State) -> Result<Option<Program>, Stop> {
    let known: BTreeSet<u32> =
        subject.program.specialization_constants().map(|(spec_id, ..)| spec_id).collect();
    let inputs = subject.flat.inputs.iter().zip(&state.parameters);
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

/// The address that a pointer parameter is: its value is the number of an element.
fn pointer(state: &State, base: &LaneValue) -> Argument {
    let lines = || state.memories.iter().filter(|memory| memory.sides.is_none());
    let found = lines().enumerate().find(|(_, it)| it.kind == RegionKind::Arguments);
    let Some((buffer, memory)) = found else {
        // Nothing ever follows it.
        return Argument::Pointer { buffer: lines().count(), offset: 0 };
    };
    let element = base.0.first().copied().flatten().unwrap_or(0);
    Argument::Pointer { buffer, offset: element * memory.unit() }
}

/// The image that a parameter is.
fn image(state: &State, position: usize) -> Argument {
    let images = || state.memories.iter().filter(|memory| memory.sides.is_some());
    let kind = RegionKind::Image(position);
    let found = images().position(|memory| memory.kind == kind);
    Argument::Image(found.unwrap_or_else(|| images().count()))
}

/// What is settled, as far as the interpreter can read a sentence in several ways.
pub fn readings(settled: &Settled) -> Readings {
    Readings::NAMES.iter().fold(Readings::default(), |readings, name| {
        match settled.alternative(name) {
            Some(alternative) => readings.with(name, alternative),
            None => readings,
        }
    })
}

/// Runs the target under its recorded choices, then the source under all of its own; as many
/// as can be walked by the `deadline` where a query has shown that no choice of the source explains
/// the target (`refuted_for_all`).
#[allow(clippy::too_many_arguments)] // one call, all of it needed
pub(crate) fn replay(
    source: Subject<'_>,
    target: Option<Subject<'_>>,
    state: &State,
    choices: &Recorded,
    specification: &Specification,
    settled: &Settled,
    outputs: bool,
    refuted_for_all: bool,
    deadline: Instant,
) -> Replay {
    let Some(target) = target else {
        return replay_property(source, state, choices, specification, settled, deadline);
    };
    let found = run(target, state, specification, settled, &mut choices.clone(), Mode::Traced);
    // A result that is not legal, too: the solver took it for one.
    let fails = |stop: &Stop| {
        matches!(
            stop,
            Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. } | Stop::Endless { .. }
        )
    };
    if let Err(stop) = &found
        && !fails(stop)
    {
        return Replay::Undecided(stopped("target", stop));
    }
    let mut walk = Walk::new(SOURCE_RUNS);
    let mut first = None;
    while walk.next_run() {
        if first.is_some() && Instant::now() >= deadline {
            break;
        }
        let mode = if first.is_none() { Mode::Traced } else { Mode::Plain };
        let expected = run(source, state, specification, settled, &mut walk, mode);
        match (&expected, &found) {
            (Err(Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. }), _) => {
                return Replay::Explained;
            }
            (Err(Stop::Endless { .. }), _) => return Replay::Endless,
            (Err(stop), _) => return Replay::Undecided(stopped("source", stop)),
            (Ok(expected), Ok(found)) if agree(expected, found, state, outputs) => {
                return Replay::Explained;
            }
            _ => {}
        }
        if first.is_none() {
            first = expected.ok();
        }
    }
    if !walk.complete() && !refuted_for_all {
        return Replay::Undecided(not_replayed(NotReplayed::TooManyChoices("source")));
    }
    if walk.misses_orders(source.flat) {
        let explained = match &found {
            Ok(found) => {
                by_any_order(source, state, found, specification, settled, outputs, deadline)
            }
            // Some order may misbehave, too.
            Err(_) => Explained::Unknown,
        };
        match explained {
            Explained::No => {}
            Explained::Yes => return Replay::Explained,
            Explained::Unknown => {
                return Replay::Undecided(not_replayed(NotReplayed::Orders(orders::OUT_OF_STEP)));
            }
        }
    }
    Replay::Confirmed(Box::new(Replayed { source: first, target: found }))
}

/// A property fails in a state where some run of it does not give true, and none breaks an
/// assumption.
fn replay_property(
    property: Subject<'_>,
    state: &State,
    choices: &Recorded,
    specification: &Specification,
    settled: &Settled,
    deadline: Instant,
) -> Replay {
    let found = run(property, state, specification, settled, &mut choices.clone(), Mode::Traced);
    match &found {
        Err(Stop::AssumptionFailed { .. } | Stop::Endless { .. }) => return Replay::Explained,
        Err(Stop::UndefinedBehavior { .. }) => {}
        Err(stop) => return Replay::Undecided(stopped("property", stop)),
        Ok(finished) if holds(finished, state) => return Replay::Explained,
        Ok(_) => {}
    }
    let assumes = property.flat.events.iter().any(|event| matches!(event, Event::Assume(..)));
    let mut walk = Walk::new(SOURCE_RUNS);
    while assumes && walk.next_run() {
        if walk.runs() > 1 && Instant::now() >= deadline {
            break;
        }
        let other = run(property, state, specification, settled, &mut walk, Mode::Plain);
        if let Err(Stop::AssumptionFailed { .. } | Stop::Endless { .. }) = other {
            return Replay::Explained;
        }
    }
    if assumes && !walk.complete() {
        return Replay::Undecided(not_replayed(NotReplayed::TooManyChoices("property")));
    }
    if assumes && walk.misses_orders(property.flat) {
        return Replay::Undecided(not_replayed(NotReplayed::Orders(orders::OUT_OF_STEP)));
    }
    Replay::Confirmed(Box::new(Replayed { source: None, target: found }))
}

/// True in every active lane.
fn holds(finished: &Finished, state: &State) -> bool {
    active_lanes(state).all(|lane| {
        let result = finished.results.get(lane as usize).and_then(Option::as_ref);
        result.is_some_and(|value| value.0.first() == Some(&Some(1)))
    })
}

fn not_replayed(why: NotReplayed) -> Unknown {
    Unknown::NotReplayed(why)
}

/// Why a run that stopped is no replay.
pub(crate) fn stopped(side: &'static str, stop: &Stop) -> Unknown {
    match stop {
        Stop::NotModelled { instruction, place, why } => Unknown::Unsupported(Unsupported {
            what: why.clone(),
            instruction: Some(instruction.clone()),
            location: Location::of(*place),
        }),
        _ => not_replayed(NotReplayed::Stopped { side, why: stop.to_string() }),
    }
}

fn active_lanes(state: &State) -> impl Iterator<Item = u32> {
    let active = state.active;
    (0..state.existing).filter(move |lane| active >> lane & 1 == 1)
}

/// All lanes' results agree, jointly: one run of the source gives what the target gave.
fn agree(source: &Finished, target: &Finished, state: &State, outputs: bool) -> bool {
    let results = active_lanes(state).all(|lane| {
        let index = lane as usize;
        let helper = |finished: &Finished| finished.helpers >> lane & 1 == 1;
        let gone = |finished: &Finished| finished.results[index].is_none();
        // Demoted or not, who was ended is gone.
        let ended = |finished: &Finished| gone(finished) && !helper(finished);
        if ended(source) || ended(target) {
            return ended(source) == ended(target);
        }
        helper(source) == helper(target)
            && match (&source.results[index], &target.results[index]) {
                (Some(expected), Some(found)) => fits(expected, found),
                (expected, _) => expected.as_ref().is_none_or(|it| it.0.is_empty()),
            }
    });
    let left = |finished: &Finished| finished.outputs.clone();
    results
        && memory_state::agree(&state.memories, source, target)
        && (!outputs
            || left(source).iter().zip(left(target)).all(|(expected, found)| {
                let mut left = active_lanes(state).map(|lane| lane as usize);
                let killed = |lane: usize| source.results[lane].is_none();
                left.all(|lane| killed(lane) || fits(&expected[lane], &found[lane]))
            }))
}

/// An undefined leaf of the source accepts anything, a defined one only its value.
pub(crate) fn fits(expected: &LaneValue, found: &LaneValue) -> bool {
    expected.0.len() == found.0.len()
        && expected.0.iter().zip(&found.0).all(|(expected, found)| match (expected, found) {
            (None, _) => true,
            (Some(expected), Some(found)) => expected == found,
            (Some(_), None) => false,
        })
}
