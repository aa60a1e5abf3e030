//! Simplifies a counterexample: as many active lanes as possible, so that an inactive one is
//! significant, and small values.
//!
//! A simpler state is used only if the interpreter confirms the refutation in it. Explanations come
//! from a model of that state: the first model with other values, if all assertions hold in it, or a
//! new one from the solver. Without such a model the original state is shown.

use std::time::Instant;

use laneproof_ask::QuestionKind;
use laneproof_encode::{Content, EncodingPlan, EntryState, InputLeaf};
use laneproof_obligation::Built;
use laneproof_semantics::{FloatFormat, Scalar};
use laneproof_solve::{Model, SolverAnswer};

use super::Session;
use super::pinned::{altered, is_small, pinned};
use crate::replay::{Confirmed, Recorded, Replay, RunLimits, State, read};

/// The total number of lanes in the states that are tried: a limit of work, as the number of runs is, so
/// that the result does not depend on the machine.
const LANES_RUN: u32 = 2048;
/// The most instructions of a run from a simpler state.
const SIMPLE_STEPS: u64 = 1 << 14;
/// Simple values.
const PLAIN: [u64; 4] = [0, 1, 2, 3];
/// The most lanes for which the solver is used.
const FEW_LANES: u32 = 16;

/// The values of all lanes, or of all scalars of a memory.
#[derive(Clone, Copy)]
enum Filling {
    /// Numbers that differ over all parameters and memories: they show which value went where.
    Different(usize),
    /// The index of the lane or the scalar.
    Numbers,
    /// One value everywhere.
    All(u64),
}

/// The distance between the numbers of one parameter and those of the next.
const APART: usize = 256;
/// Narrower values have no such numbers.
const WIDE: u32 = 16;

impl Filling {
    /// The fillings for the parameter or memory of this number, the most instructive first.
    fn all(parameter: usize) -> [Self; 4] {
        [Self::Different(parameter), Self::Numbers, Self::All(0), Self::All(1)]
    }

    fn at(self, number: usize, scalar: Scalar) -> u64 {
        let number = match self {
            Self::Different(parameter) if scalar.width() >= WIDE => {
                (parameter + 1) * APART + number
            }
            Self::Different(_) | Self::Numbers => number,
            Self::All(value) => return number_as(value, scalar),
        };
        number_as(number as u64, scalar)
    }
}

/// A small number as bits of a scalar; of a narrow float, zero.
fn number_as(number: u64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool => number & 1,
        Scalar::Float(FloatFormat::Single) => u64::from((number as f32).to_bits()),
        Scalar::Float(FloatFormat::Double) => (number as f64).to_bits(),
        Scalar::Float(FloatFormat::Half | FloatFormat::Bfloat16) => 0,
        Scalar::Int { width: 64.., .. } => number,
        Scalar::Int { width, .. } => number & ((1 << width) - 1),
    }
}

impl Session<'_> {
    /// The same refutation in a simpler state, if there is one.
    pub(super) fn simplest(
        &mut self,
        built: &mut Built<'_>,
        plan: &EncodingPlan,
        model: &Model,
        found: &State,
        choices: &Recorded,
    ) -> Option<Confirmed> {
        let best = self.simpler(&built.entry, found, choices)?;
        let mut assertions = built.states.known.clone();
        let bad = built.pool.or(built.asks.target_fails, built.asks.disagrees);
        assertions.extend([built.asks.source_legal, built.asks.source_behaves, bad]);
        let model = match altered(built, model, &best, &assertions) {
            Some(model) => model,
            // A query about memories, or about many lanes, is large.
            None if built.entry.memories.is_empty() && best.existing <= FEW_LANES => {
                assertions.extend(pinned(built, &best));
                match self.ask(built, plan, QuestionKind::Simplest, &assertions) {
                    SolverAnswer::Sat(model) => model,
                    _ => return None,
                }
            }
            None => return None,
        };
        let (state, own) = read(built, &model, self.source.flat);
        match self.replay(&state, &own.drawing_as(choices)) {
            Replay::Confirmed(shown) => Some(Confirmed { model, state, shown }),
            _ => None,
        }
    }

    /// A simpler state in which the interpreter confirms the refutation, if there is one. `entry`:
    /// what a state consists of.
    pub(super) fn simpler(
        &self,
        entry: &EntryState,
        found: &State,
        choices: &Recorded,
    ) -> Option<State> {
        let own = choices.without_results();
        let mut search = Search {
            session: self,
            choices: [choices, &own],
            best: found.clone(),
            states: (LANES_RUN / found.existing.max(1)).clamp(16, 256),
            changed: false,
            limits: RunLimits {
                steps: SIMPLE_STEPS,
                ..RunLimits::new(self.effort.limits.deadline())
            },
        };
        search.more_lanes();
        search.smaller_parameters(entry);
        search.smaller_memories(entry);
        // With simple values, more lanes may be active.
        search.more_lanes();
        search.changed.then_some(search.best)
    }
}

/// Simplifies a state step by step.
struct Search<'s, 'a> {
    session: &'s Session<'a>,
    /// The target's choices in the model; and the same without results, which depend on the state.
    choices: [&'s Recorded; 2],
    best: State,
    /// The number of states that may still be tried.
    states: u32,
    changed: bool,
    /// What all of their replays may take together.
    limits: RunLimits,
}

impl Search<'_, '_> {
    /// Takes a state if the refutation is confirmed in it.
    fn take(&mut self, state: &State) -> bool {
        if self.states == 0 || Instant::now() >= self.limits.deadline {
            return false;
        }
        self.states -= 1;
        let limits = &mut self.limits;
        let confirmed = self.choices.iter().any(|choices| {
            let replayed = self.session.replay_within(state, choices, limits);
            matches!(replayed, Replay::Confirmed(_))
        });
        if confirmed {
            self.best.clone_from(state);
            self.changed = true;
        }
        confirmed
    }

    /// Activates all lanes, or all but one (the lowest first), or further lanes one by one.
    fn more_lanes(&mut self) {
        if self.best.workgroup.is_some() || self.session.problem.group.all_active {
            return;
        }
        let lanes = 0..self.best.existing;
        let all = lanes.clone().fold(0, |set: u128, lane| set | 1 << lane);
        let but_one = lanes.clone().map(|lane| all & !(1 << lane)).filter(|set| *set != 0);
        let few = if self.best.existing > 16 { 1 } else { usize::MAX };
        for active in std::iter::once(all).chain(but_one.take(few)) {
            if active == self.best.active || self.take(&State { active, ..self.best.clone() }) {
                return;
            }
        }
        for lane in lanes {
            let active = self.best.active | 1 << lane;
            if active != self.best.active {
                self.take(&State { active, ..self.best.clone() });
            }
        }
    }

    fn smaller_parameters(&mut self, entry: &EntryState) {
        for (number, leaves) in entry.inputs.iter().enumerate() {
            let input = &self.session.source.flat.interface.inputs[number];
            if input.points.is_some() || input.image || input.spec_id.is_some() {
                continue;
            }
            let scalars = input.ty.leaves();
            for (leaf, (given, scalar)) in leaves.iter().zip(scalars).enumerate() {
                match given {
                    InputLeaf::PerLane(_) => self.smaller_leaf(number, leaf, scalar),
                    InputLeaf::Uniform(_) => self.smaller_uniform(number, leaf, scalar),
                    // Tags are simple already.
                    InputLeaf::Moved(_) | InputLeaf::MovedUniform(_) => {}
                }
            }
        }
    }

    /// The state with another value of a leaf in some lanes; `None` if nothing changes.
    fn with(
        &self,
        parameter: usize,
        leaf: usize,
        lanes: impl Iterator<Item = usize>,
        value: impl Fn(usize) -> u64,
    ) -> Option<State> {
        let mut state = self.best.clone();
        let mut changed = false;
        for lane in lanes {
            let held = &mut state.parameters[parameter][lane].0[leaf];
            let value = Some(value(lane));
            changed |= *held != value;
            *held = value;
        }
        changed.then_some(state)
    }

    fn smaller_leaf(&mut self, parameter: usize, leaf: usize, scalar: Scalar) {
        let lanes = self.best.existing as usize;
        for filling in Filling::all(parameter) {
            match self.with(parameter, leaf, 0..lanes, |lane| filling.at(lane, scalar)) {
                None => return,
                Some(state) if self.take(&state) => return,
                Some(_) => {}
            }
        }
        for lane in 0..lanes {
            for plain in PLAIN {
                let one = std::iter::once(lane);
                match self.with(parameter, leaf, one, |_| number_as(plain, scalar)) {
                    None => break,
                    Some(state) if self.take(&state) => break,
                    Some(_) => {}
                }
            }
        }
    }

    fn smaller_uniform(&mut self, parameter: usize, leaf: usize, scalar: Scalar) {
        let lanes = self.best.existing as usize;
        for plain in PLAIN {
            match self.with(parameter, leaf, 0..lanes, |_| number_as(plain, scalar)) {
                None => return,
                Some(state) if self.take(&state) => return,
                Some(_) => {}
            }
        }
    }

    fn smaller_memories(&mut self, entry: &EntryState) {
        for (number, memory) in entry.memories.values().enumerate() {
            if matches!(memory.content, Content::Free(_)) && is_small(&self.best.memories[number]) {
                self.smaller_memory(number, memory.scalar);
            }
        }
    }

    fn smaller_memory(&mut self, memory: usize, scalar: Scalar) {
        let before = &self.best.memories[memory].scalars;
        let length = before.len();
        for filling in Filling::all(memory) {
            let mut state = self.best.clone();
            let scalars: Vec<u64> = (0..length).map(|place| filling.at(place, scalar)).collect();
            if scalars == state.memories[memory].scalars {
                return;
            }
            state.memories[memory].scalars = scalars;
            if self.take(&state) {
                return;
            }
        }
        for place in 0..length {
            for plain in PLAIN {
                let mut state = self.best.clone();
                let held = &mut state.memories[memory].scalars[place];
                let value = number_as(plain, scalar);
                if *held == value {
                    break;
                }
                *held = value;
                if self.take(&state) {
                    break;
                }
            }
        }
    }
}
