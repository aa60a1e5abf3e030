//! Models of a state that is given: the one in which every choice is the first, or assertions that
//! fix the state in a query.

use laneproof_encode::{Content, InputLeaf, MemoryExtent};
use laneproof_interpreter::LaneValue;
use laneproof_obligation::Built;
use laneproof_semantics::term::{GroundValue, Node, Pool, Sort, Symbol, Term};
use laneproof_solve::Model;

use crate::memory_state::MemoryState;
use crate::replay::State;

/// Memories with more scalars are not simplified.
const FEW_SCALARS: usize = 64;

/// The model of a state that was not read from one, if all assertions hold in it.
pub(super) fn model_of(built: &Built<'_>, state: &State, assertions: &[Term]) -> Option<Model> {
    let (entry, pool) = (&built.entry, &built.pool);
    let mut model = Model::default();
    let mut set = |term: Term, value: u32| set(pool, &mut model, term, value.into());
    set(entry.size, state.size);
    set(entry.max_size, state.max_size);
    set(entry.existing, state.existing);
    for (memory, held) in entry.memories.values().zip(&state.memories) {
        match (memory.extent, held.sides) {
            (MemoryExtent::Plane { width, height }, Some(sides)) => {
                set(width, sides.0);
                set(height, sides.1);
            }
            (MemoryExtent::Line(end), _) => set(end, held.scalars.len() as u32),
            (MemoryExtent::Plane { .. }, None) => return None,
        }
    }
    for lane in 0..state.existing {
        for symbol in entry.surroundings.in_order() {
            model.choose(symbol, lane, GroundValue::Bits(lane.into()));
        }
    }
    altered(built, &model, state, assertions)
}

/// Sets a constant, if the term is a free one.
fn set(pool: &Pool, model: &mut Model, term: Term, value: u128) {
    match *pool.node(term) {
        Node::Variable(symbol) => {
            model.variables.insert(symbol, GroundValue::Bits(value));
        }
        Node::ZeroExtend(inner, _) => set(pool, model, inner, value),
        _ => {}
    }
}

/// The model with the values of this state, if all assertions hold in it; for some value of the
/// symbolic lane.
pub(super) fn altered(
    built: &Built<'_>,
    model: &Model,
    state: &State,
    assertions: &[Term],
) -> Option<Model> {
    let pool = &built.pool;
    let mut model = model.clone();
    set(pool, &mut model, built.entry.active, state.active);
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
    for (symbol, held) in contents(built, state).filter(|(_, held)| held.sides.is_none()) {
        all.extend((0..).zip(&held.scalars).map(|(place, &bits)| (symbol, Some(place), bits)));
    }
    all
}

/// The memories whose content is arbitrary: the symbol, and what this state has there.
fn contents<'s>(
    built: &'s Built<'_>,
    state: &'s State,
) -> impl Iterator<Item = (Symbol, &'s MemoryState)> {
    built.entry.memories.values().zip(&state.memories).filter_map(|(memory, held)| {
        match memory.content {
            Content::Free(symbol) => Some((symbol, held)),
            Content::Moved(_) => None,
        }
    })
}

/// A memory that is simplified. Images are not.
pub(super) fn is_small(memory: &MemoryState) -> bool {
    memory.sides.is_none() && memory.scalars.len() <= FEW_SCALARS
}

/// Assertions that fix this state: the active set and the parameters.
pub(super) fn pinned(built: &mut Built<'_>, state: &State) -> Vec<Term> {
    let large: Vec<Symbol> =
        contents(built, state).filter(|(_, held)| !is_small(held)).map(|it| it.0).collect();
    let mut values = given(built, state);
    values.retain(|(symbol, ..)| !large.contains(symbol));
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
