//! Reads states and choices from a model.

use std::collections::HashMap;

use laneproof_module::{Site, WorkgroupPlace};

use laneproof_encode::{
    Choice, EncodedSide, InputLeaf, OpenChoice, WorkgroupSubgroups, chosen_way,
};
use laneproof_interpreter::{Arrival, Choices, LaneValue};
use laneproof_lower::{Flat, Step};
use laneproof_obligation::Built;
use laneproof_semantics::term::{GroundValue, Interpretation, Pool, Term};
use laneproof_solve::Model;

use super::State;
use crate::counterexample::WorkgroupShape;
use crate::memory_state::{memories, payload};

/// The target's choices in a model.
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
    /// By site: the order of lanes, each as its position among those still waiting.
    serialization: HashMap<Site, Vec<u64>>,
    /// By case of a switch and way to it: the colours of tangles, by what their lanes have in
    /// common.
    colours: HashMap<(Site, u32), HashMap<u32, u64>>,
    /// The colours that lanes were given last.
    coloured: HashMap<u32, u32>,
    /// `OpKill` demotes.
    kill_demotes: bool,
    /// What is drawn where the model has no value: it knows of some that results are undefined, not by which
    /// value that shows.
    unrecorded: u64,
}

/// A value that sums and masks of undefined values rarely hide.
const TELLING: u64 = 0x5a5a_5a5a_5a5a_5a5a;

impl Recorded {
    /// The same with other values where the model has none.
    pub(crate) fn drawing_otherwise(&self) -> Self {
        Self { unrecorded: TELLING, ..self.clone() }
    }

    /// The same with the values of others where the model has none.
    pub(crate) fn drawing_as(self, others: &Self) -> Self {
        Self { unrecorded: others.unrecorded, ..self }
    }

    /// The same without open results, which the interpreter then chooses.
    pub(crate) fn without_results(&self) -> Self {
        Self { open: HashMap::new(), payloads: HashMap::new(), ..self.clone() }
    }
}

impl Choices for Recorded {
    fn draw(&mut self, site: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        let value = self.drawn.get(&(site.clone(), operand, leaf, lane)).copied();
        let value = value.unwrap_or(self.unrecorded);
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
        match self.serialization.get_mut(site) {
            Some(places) if !places.is_empty() => places.remove(0),
            _ => 0,
        }
    }
}

/// Reads a model as a state and the target's choices.
pub(crate) fn read(built: &Built<'_>, model: &Model, flat: &Flat) -> (State, Recorded) {
    let pool = &built.pool;
    let number = |term: Term| pool.evaluate(&[term], model)[0].as_bits();
    let existing = number(built.entry.existing) as u32;
    let seen = payloads_seen(built, model);
    let mut number_of_leaf = 0;
    let mut parameters = Vec::new();
    for (input, leaves) in flat.interface.inputs.iter().zip(&built.entry.inputs) {
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
                            .unwrap_or_else(|| payload(source, lane, *scalar, &seen)),
                        InputLeaf::Uniform(symbol) => model.variable(symbol),
                        InputLeaf::Moved(_) => payload(source, lane, *scalar, &seen),
                        InputLeaf::MovedUniform(_) => payload(source, 0, *scalar, &seen),
                    };
                    Some(constant.as_bits() as u64)
                });
            LaneValue(values.collect())
        });
        parameters.push(lanes.collect());
    }
    let state = State {
        size: number(built.entry.size) as u32,
        max_size: number(built.entry.max_size) as u32,
        existing,
        place: built.entry.place.consulted.then(|| WorkgroupPlace {
            subgroup: number(built.entry.place.subgroup) as u32,
            subgroups: number(built.entry.place.subgroups) as u32,
        }),
        lane_indices: built.entry.surroundings.lane_indices(pool, model, existing),
        indexed: built.entry.surroundings.is_indexed(),
        gridded: built.entry.surroundings.is_gridded(),
        workgroup: built.entry.workgroup.map(|workgroup| WorkgroupShape {
            subgroups: workgroup.subgroups,
            size: workgroup.sides.map(|side| number(side) as u32),
        }),
        active: number(built.entry.active),
        parameters,
        memories: memories(built, model, &seen),
    };
    (state, recorded(built, model))
}

/// Payloads that the source returns in the lane that disagrees. If values are too narrow to be all
/// different, these still differ from the others.
fn payloads_seen(built: &Built<'_>, model: &Model) -> Vec<(u32, u32)> {
    let pool: &Pool = &built.pool;
    built
        .results
        .iter()
        .filter_map(|(source, _)| match pool.evaluate(&[source.bits], model)[0] {
            GroundValue::Tag(leaf, lane) => Some((leaf, lane)),
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
            choices.serialization.insert(step.site.clone(), places);
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

/// A step's site and an encoded lane in the interpreter's terms: in a workgroup of several
/// subgroups, a site begins with the subgroup's number (one past the last if all execute the step
/// together), and lanes are indices in the group.
fn seen_from(built: &Built<'_>, step: &Step, lane: u32) -> (Site, u32) {
    let mut site = step.site.clone();
    let Some(WorkgroupSubgroups { size, subgroups, .. }) = built.entry.workgroup else {
        return (site, lane);
    };
    if step.spans_workgroup() {
        site.path.insert(0, subgroups);
        return (site, lane);
    }
    if subgroups > 1 {
        site.path.insert(0, lane / size);
    }
    (site, lane % size)
}

/// The serialization order: the position of each lane among those still waiting.
fn places(built: &Built<'_>, model: &Model, side: &EncodedSide<'_>, open: &OpenChoice) -> Vec<u64> {
    let Some(order) = side.serialization.orders.get(&open.step) else { return Vec::new() };
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
