//! A claim, checked by the interpreter alone in random states, without terms or solver. It can only
//! refute; if it refutes a proved claim, either the proof or the interpreter is wrong.

use fastrand::Rng;
use laneproof_interpreter::{
    Call, CallArgument, Caller, Choices, Finished, LaneValue, Reachable, RunOptions, Sizes, Stop,
    WorkgroupCall, call, call_in_workgroup,
};
use laneproof_module::spirv::StorageClass;
use laneproof_module::{
    Function, Grid, LaneIndices, ModuleType, Parameter, Program, Site, WorkgroupPlace,
};
use laneproof_semantics::denote::Settled;
use laneproof_semantics::{Scalar, Specification};
use laneproof_verify::{Evaluated, readings};
use serde::Serialize;

use crate::header::{Active, Header, SubgroupChoice};
use crate::sample_memory::{SampledMemory, same};
use laneproof_verify::Claim;

/// Instructions of one run.
const STEPS: u64 = 200_000;

/// What the runs showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sampled {
    /// States in which the source's behavior is one alone, and the target was held against it.
    pub compared: u32,
    /// The first state in which the target did something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

/// Runs both functions of a claim, or its property, in `states` states. None of them counts in
/// which the source chooses, assumes what is false or misbehaves.
pub fn sample(
    claim: &Claim<'_>,
    header: &Header,
    specification: &Specification,
    settled: &Settled,
    states: u32,
) -> Sampled {
    let source = claim.source;
    let mut sampled = Sampled::default();
    let Some(widths) = widths(source.function) else { return sampled };
    let primitives = Evaluated::new(specification, settled, source.program);
    let mut rng = Rng::with_seed(0x6c61_6e65);
    for number in 0..states {
        let mut state =
            State::any(&mut rng, number, header, source.program, source.function, &widths);
        let programs: Vec<&Program> =
            [Some(source), claim.target].into_iter().flatten().map(|it| it.program).collect();
        let size = state.sizes.subgroup;
        let word = |rng: &mut Rng| scalar(rng, number, size, 32) as u32;
        let one = alone(number, size as usize);
        state.memory = SampledMemory::any(&programs, one, word, &mut rng);
        let mut run = |program: &Program, function: &Function| {
            let mut choices = Random { rng: rng.fork(), chosen: false };
            let variables = state.memory.variables(program);
            let options = RunOptions {
                step_limit: STEPS,
                races: true,
                primitives: Some(&primitives),
                readings: readings(settled),
                caller: Caller { place: state.place, lane_indices: Some(&state.lane_indices) },
                fences: state.workgroup.is_some(),
                reachable: Reachable {
                    buffers: &state.memory.buffers,
                    variables: &variables,
                    ..Reachable::default()
                },
                ..RunOptions::default()
            };
            let ended = state.run(program, function, &options, &mut choices);
            (ended, choices.chosen)
        };
        let (expected, chosen) = run(source.program, source.function);
        let verdict = match &claim.target {
            None => holds(&expected, &state),
            Some(_) if chosen => None,
            Some(target) => match &expected {
                Ok(expected) => agrees(expected, &run(target.program, target.function).0, &state),
                Err(_) => None,
            },
        };
        match verdict {
            None => {}
            Some(true) => sampled.compared += 1,
            Some(false) => {
                sampled.differs = Some(format!("{state:?}"));
                break;
            }
        }
    }
    sampled
}

/// A property holds if it is true in every lane that returns; `None` if an assumption is false.
fn holds(ended: &Result<Finished, Stop>, state: &State) -> Option<bool> {
    match ended {
        Ok(finished) => {
            let results = returned(finished, state);
            Some(results.into_iter().flatten().all(|value| value.0 == [Some(1)]))
        }
        Err(Stop::UndefinedBehavior { .. }) => Some(false),
        Err(_) => None,
    }
}

/// The target does what the source did, or gives a value where the source's is undefined.
fn agrees(source: &Finished, target: &Result<Finished, Stop>, state: &State) -> Option<bool> {
    match target {
        Ok(target) => {
            let (expected, found) = (returned(source, state), returned(target, state));
            let alike = |expected: &Option<u64>, found: &Option<u64>| {
                expected.is_none() || expected == found
            };
            let returned =
                expected.iter().zip(found).all(|(expected, found)| match (expected, found) {
                    (Some(expected), Some(found)) => {
                        expected.0.iter().zip(&found.0).all(|(a, b)| alike(a, b))
                    }
                    (expected, found) => expected.is_none() && found.is_none(),
                });
            Some(returned && same(&source.buffers, &target.buffers))
        }
        Err(Stop::UndefinedBehavior { .. } | Stop::Endless { .. }) => Some(false),
        Err(_) => None,
    }
}

/// What the active lanes returned.
fn returned<'f>(finished: &'f Finished, state: &State) -> Vec<Option<&'f LaneValue>> {
    let active = |lane: &usize| state.active >> lane & 1 == 1;
    (0..finished.results.len()).filter(active).map(|it| finished.results[it].as_ref()).collect()
}

/// Widths of the scalars of each parameter; `None` where one is no value, nor a pointer to the
/// function's own copy of one.
fn widths(function: &Function) -> Option<Vec<Vec<u32>>> {
    let of = |parameter: &Parameter| {
        let ty = match &parameter.ty {
            ModuleType::Pointer { storage: StorageClass::Function, pointee }
                if !parameter.is_output() =>
            {
                pointee
            }
            other => other,
        };
        match ty {
            ModuleType::Data(ty) => Some(ty.leaves().into_iter().map(Scalar::width).collect()),
            _ => None,
        }
    };
    function.parameters.iter().map(of).collect()
}

/// What a run starts from.
#[derive(Debug)]
struct State {
    sizes: Sizes,
    active: u128,
    place: WorkgroupPlace,
    lane_indices: LaneIndices,
    /// The size of the workgroup, where lanes are all of its invocations.
    workgroup: Option<[u32; 3]>,
    arguments: Vec<CallArgument>,
    memory: SampledMemory,
}

impl State {
    /// Any state that the header asks about.
    fn any(
        rng: &mut Rng,
        number: u32,
        header: &Header,
        program: &Program,
        function: &Function,
        widths: &[Vec<u32>],
    ) -> Self {
        let size = rng.choice(header.states.sizes.iter().copied()).unwrap_or(1);
        let twice = program.is_kernel() && size < 128 && rng.bool();
        let subgroups = rng.choice(header.states.subgroups.iter().copied());
        let existing = if header.states.partial { rng.u32(1..=size) } else { size };
        let sizes = Sizes { existing, subgroup: size, max: if twice { 2 * size } else { size } };
        let existing = existing + subgroups.map_or(0, |subgroups| (subgroups - 1) * size);
        let workgroup = subgroups.map(|_| shape(rng, existing));
        let all = Sizes::full(existing).lanes();
        let some = match rng.u8(..4) {
            0 => all,
            1 => 1 << rng.u32(..existing),
            _ => rng.u128(..) & all,
        };
        let active = if header.states.active == Active::All || some == 0 { all } else { some };
        let subgroup = if header.states.subgroup == SubgroupChoice::Any { rng.u32(..4) } else { 0 };
        let mut indices: Vec<u32> = (0..2 * size).collect();
        rng.shuffle(&mut indices);
        indices.truncate(existing as usize);
        let (row, id) = (1 << rng.u32(..=size.ilog2() + 1), [0; 3].map(|_| rng.u32(..3)));
        let grid = Grid {
            size: [row, 2 * size / row, 1],
            id,
            count: id.map(|id| id + rng.u32(1..3)),
            offset: [0; 3].map(|_| rng.u32(..100)),
            dimensions: 3,
        };
        let place = WorkgroupPlace { subgroup, subgroups: subgroup + rng.u32(1..4) };
        let mut arguments = Vec::new();
        for (parameter, widths) in function.parameters.iter().zip(widths) {
            let mut value = || {
                LaneValue(widths.iter().map(|&it| Some(scalar(rng, number, size, it))).collect())
            };
            arguments.push(match parameter.uniform {
                true => CallArgument::Uniform(value()),
                false => {
                    let mut lanes: Vec<LaneValue> = (0..existing).map(|_| value()).collect();
                    let one = alone(number, lanes.len());
                    if let Some(one) = one {
                        let other = lanes[(one + 1) % lanes.len()].clone();
                        (0..lanes.len()).filter(|it| *it != one).for_each(|it| {
                            lanes[it].clone_from(&other);
                        });
                    }
                    CallArgument::PerLane(lanes)
                }
            });
        }
        let lane_indices = LaneIndices { grid, indices };
        let memory = SampledMemory::default();
        Self { sizes, active, place, lane_indices, workgroup, arguments, memory }
    }

    fn run(
        &self,
        program: &Program,
        function: &Function,
        options: &RunOptions<'_>,
        choices: &mut dyn Choices,
    ) -> Result<Finished, Stop> {
        let (function, sizes, active) = (function.id, self.sizes, self.active);
        let arguments = self.arguments.clone();
        if let Some(size) = self.workgroup {
            let (grid, subgroup, max) = (Grid::of_one(size), sizes.subgroup, sizes.max);
            let request =
                WorkgroupCall { program, function, grid, subgroup, max, active, arguments };
            return call_in_workgroup(&request, options, choices);
        }
        call(&Call { program, function, sizes, active, arguments }, options, choices)
    }
}

/// A workgroup of this number of invocations: a row, or some other shape.
fn shape(rng: &mut Rng, invocations: u32) -> [u32; 3] {
    let mut divisor = |of: u32| {
        let divisors: Vec<u32> = (1..=of).filter(|it| of.is_multiple_of(*it)).collect();
        rng.choice(divisors).unwrap_or(of)
    };
    let x = divisor(invocations);
    let y = divisor(invocations / x);
    [x, y, invocations / x / y]
}

/// In some states one lane has a value of its own and all others have another: among many lanes, an
/// operator that keeps a bit once it is set would hide what one of them has.
fn alone(number: u32, lanes: usize) -> Option<usize> {
    (number % 16 == 14).then_some(number as usize / 16 % lanes)
}

/// A scalar: anything, a lane's number, one of few, a border case.
fn scalar(rng: &mut Rng, number: u32, size: u32, width: u32) -> u64 {
    let mask = u64::MAX >> (64 - width.clamp(1, 64));
    let any = rng.u64(..);
    mask & match number % 4 {
        0 => u64::from(rng.u32(..size)),
        1 => any & 3,
        2 => [0, 1, mask, mask >> 1, 1 << (width - 1), u64::from(size)][rng.usize(..6)],
        _ => any,
    }
}

/// Makes random choices, and records whether there were any.
struct Random {
    rng: Rng,
    chosen: bool,
}

impl Choices for Random {
    fn draw(&mut self, _: &Site, _: usize, _: usize, _: u32, _: u32) -> u64 {
        self.chosen = true;
        self.rng.u64(..)
    }

    fn payload(&mut self, _: &Site, _: u32, _: usize) -> Option<u64> {
        self.chosen = true;
        None
    }

    fn either(&mut self, _: &Site, _: u32) -> Option<bool> {
        self.chosen = true;
        None
    }

    fn pick(&mut self, _: &Site, options: u64) -> u64 {
        self.chosen = true;
        self.rng.u64(..options.max(1))
    }
}
