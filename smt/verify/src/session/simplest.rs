//! Simplifies a counterexample: as many active lanes as possible, so that an inactive one is
//! significant, and small values.
//!
//! A simpler state is used only if the interpreter confirms the refutation in it. Explanations come
//! from a model of that state: the first model with other values, if all assertions hold in it, or a
//! new one from the solver. Without such a model the original state is shown.

use std::time::Instant;

use laneproof_ask::QuestionKind;
use laneproof_encode::{Content, EncodingPlan, InputLeaf};
use laneproof_interpreter::LaneValue;
use laneproof_obligation::Built;
use laneproof_semantics::Scalar;
use laneproof_semantics::term::{GroundValue, Node, Sort, Symbol, Term};
use laneproof_solve::{Model, SolverAnswer};

use super::Session;
use crate::memory_state::MemoryState;
use crate::replay::{Confirmed, Recorded, Replay, State, read};

/// The total number of lanes that are run in the search: a limit of work, so that the result does
/// not depend on the machine.
const LANES_RUN: u32 = 2048;
/// Simple values.
const PLAIN: [u64; 4] = [0, 1, 2, 3];
/// The most lanes for which the solver is used.
const FEW_LANES: u32 = 16;
/// Memories with more scalars are not simplified.
const FEW_SCALARS: usize = 64;

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
        Scalar::Float { width: 32, .. } => u64::from((number as f32).to_bits()),
        Scalar::Float { width: 64, .. } => (number as f64).to_bits(),
        Scalar::Float { .. } => 0,
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
        let runs = (LANES_RUN / found.existing.max(1)).clamp(16, 256);
        let deadline = self.effort.limits.deadline();
        let own = choices.without_results();
        let mut search = Search {
            session: self,
            choices: [choices, &own],
            best: found.clone(),
            runs,
            changed: false,
            deadline,
        };
        search.more_lanes();
        search.smaller_parameters(built);
        search.smaller_memories(built);
        // With simple values, more lanes may be active.
        search.more_lanes();
        let Search { best, changed, .. } = search;
        if !changed {
            return None;
        }
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
        let (state, choices) = read(built, &model, self.source.flat);
        match self.replay(&state, &choices, false) {
            Replay::Confirmed(shown) => Some(Confirmed { model, state, shown }),
            _ => None,
        }
    }
}

/// Simplifies a state step by step.
struct Search<'s, 'a> {
    session: &'s Session<'a>,
    /// The target's choices in the model; and the same without results, which depend on the state.
    choices: [&'s Recorded; 2],
    best: State,
    /// The remaining number of lanes.
    runs: u32,
    changed: bool,
    deadline: Instant,
}

impl Search<'_, '_> {
    /// Takes a state if the refutation is confirmed in it.
    fn take(&mut self, state: &State) -> bool {
        if self.runs == 0 || Instant::now() >= self.deadline {
            return false;
        }
        self.runs -= 1;
        let confirmed = self.choices.iter().any(|choices| {
            matches!(self.session.replay(state, choices, false), Replay::Confirmed(_))
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

    fn smaller_parameters(&mut self, built: &Built<'_>) {
        for (number, leaves) in built.entry.inputs.iter().enumerate() {
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

    fn smaller_memories(&mut self, built: &Built<'_>) {
        for (number, memory) in built.entry.memories.values().enumerate() {
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

/// The model with the values of this state, if all assertions hold in it; for some value of the
/// symbolic lane.
fn altered(built: &Built<'_>, model: &Model, state: &State, assertions: &[Term]) -> Option<Model> {
    let pool = &built.pool;
    let mut model = model.clone();
    if let Node::Variable(symbol) = *pool.node(built.entry.active) {
        model.variables.insert(symbol, GroundValue::Bits(state.active));
    }
    for (given, place, value) in given(built, state) {
        let value = match pool.symbol_sort(given) {
            Sort::Bool => GroundValue::Bool(value & 1 == 1),
            _ => GroundValue::Bits(u128::from(value)),
        };
        match place {
            Some(place) => model.choose(given, place, value),
            None => drop(model.variables.insert(given, value)),
        }
    }
    let seen_from = built.lane.and_then(|lane| match *pool.node(lane) {
        Node::Variable(symbol) => Some(symbol),
        _ => None,
    });
    let order = pool.reachable(assertions);
    let holds =
        |model: &Model| pool.evaluate_in(&order, assertions, model).iter().all(|it| it.is_true());
    let Some(seen_from) = seen_from else { return holds(&model).then_some(model) };
    (0..state.existing).find_map(|lane| {
        model.variables.insert(seen_from, GroundValue::Bits(lane.into()));
        holds(&model).then(|| model.clone())
    })
}

/// The values of parameters and memories in this state: the symbol, the lane or address, and the
/// value.
fn given(built: &Built<'_>, state: &State) -> Vec<(Symbol, Option<u32>, u64)> {
    let mut all = Vec::new();
    for (leaves, lanes) in built.entry.inputs.iter().zip(&state.parameters) {
        for (leaf, given) in leaves.iter().enumerate() {
            let value = |lane: &LaneValue| lane.0.get(leaf).copied().flatten();
            match *given {
                InputLeaf::PerLane(symbol) => all.extend(
                    (0..)
                        .zip(lanes)
                        .filter_map(|(lane, held)| Some((symbol, Some(lane), value(held)?))),
                ),
                InputLeaf::Uniform(symbol) => {
                    all.extend(lanes.first().and_then(|held| Some((symbol, None, value(held)?))));
                }
                InputLeaf::Moved(_) | InputLeaf::MovedUniform(_) => {}
            }
        }
    }
    for (memory, held) in built.entry.memories.values().zip(&state.memories) {
        if let Content::Free(symbol) = memory.content
            && is_small(held)
        {
            all.extend((0..).zip(&held.scalars).map(|(place, &bits)| (symbol, Some(place), bits)));
        }
    }
    all
}

/// A memory that is simplified. Images are not.
fn is_small(memory: &MemoryState) -> bool {
    memory.sides.is_none() && memory.scalars.len() <= FEW_SCALARS
}

/// Assertions that fix this state: the active set and the parameters.
fn pinned(built: &mut Built<'_>, state: &State) -> Vec<Term> {
    let values = given(built, state);
    let pool = &mut built.pool;
    let active = pool.bits(state.active, 128);
    let mut all = vec![pool.equal(built.entry.active, active)];
    for (symbol, place, value) in values {
        let held = match place {
            Some(place) => {
                let place = pool.bits(place.into(), 32);
                pool.apply(symbol, place)
            }
            None => pool.variable(symbol),
        };
        let value = match pool.symbol_sort(symbol) {
            Sort::Bool => pool.bool(value & 1 == 1),
            _ => {
                let width = pool.width(held);
                pool.bits(value.into(), width)
            }
        };
        all.push(pool.equal(held, value));
    }
    all
}
