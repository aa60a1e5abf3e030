//! A flat function in any lane: values, activities and consequences as terms.

mod activity;
pub mod discard;
pub mod effects;
mod group_lanes;
pub mod memory;
pub mod race;
pub mod relation;
pub mod serialization;
mod side;
mod step_context;
mod tangle;
mod world;

use std::rc::Rc;
use std::time::Instant;

use laneproof_lower::{FlatValue, Indexed, Merge, Step, StepId, ValueId};
use laneproof_semantics::Scalar;
use laneproof_semantics::denote::{
    DenoteError, Instance, LaneOutcome, Leaf, choose_leaf, denote, denote_built_in,
};
use laneproof_semantics::language::ast::BuiltIn;
use laneproof_semantics::term::{Pool, Sort, Symbol, Term};

use self::step_context::StepContext;
use crate::input::InputLeaf;

pub use self::side::EncodedSide;
pub use self::world::{EntryState, World};

pub use self::tangle::{SWITCH_TANGLES, chosen_way};

/// What a step leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// What is drawn for an undefined leaf of this operand of the specification.
    Draw(usize),
    /// A result that a relation leaves open.
    Result,
    /// Which NaN a result is.
    Payload,
    /// Which of two values a lane takes.
    Either,
    /// The order in which lanes are serialized.
    Order,
    /// Which lanes of a switch are together.
    Tangle,
}

/// A symbol for a choice of a step, in each lane.
#[derive(Clone, Debug)]
pub struct OpenChoice {
    /// A function of the lane.
    pub symbol: Symbol,
    /// The step that leaves it open.
    pub step: StepId,
    /// What is left open.
    pub choice: Choice,
    /// Which leaf of it.
    pub leaf: usize,
}

/// Encodes one side of an obligation.
pub struct Encoder<'e, 'f, 'a> {
    /// The terms.
    pub pool: &'e mut Pool,
    /// The state that both sides share.
    pub world: &'e mut World<'a>,
    /// The side that is encoded.
    pub side: &'e mut EncodedSide<'f>,
}

/// The reading of where lanes meet again.
pub const RECONVERGENCE: &str = "reconvergence";

impl<'f, 'a> Encoder<'_, 'f, 'a> {
    /// Whether there is time left to encode more.
    fn in_time(&self) -> Result<(), DenoteError> {
        match Instant::now() > self.world.deadline {
            true => Err(DenoteError::OutOfTime),
            false => Ok(()),
        }
    }

    /// The leaves of a value in a lane.
    pub fn leaves(&mut self, value: ValueId, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        if let Some(known) = self.side.encoded.leaves.get(&(value, lane)) {
            return Ok(known.clone());
        }
        self.in_time()?;
        let flat = self.side.flat;
        let mut leaves = match flat.value(value) {
            FlatValue::Parameter(position) => self.parameter(*position, lane),
            FlatValue::Constant(bits) => {
                let scalars = flat.ty(value).leaves();
                bits.iter()
                    .zip(scalars)
                    .map(|(bits, scalar)| self.constant(*bits, scalar))
                    .collect()
            }
            FlatValue::BuiltIn(built_in, instance) => self.built_in(built_in, instance, lane)?,
            FlatValue::Result(step) if self.world.by_number => {
                let result = self.result(*step, lane)?;
                self.zero_where_absent(*step, lane, result)?
            }
            FlatValue::Result(step) => self.result(*step, lane)?,
            FlatValue::Held(slot) => self.held(*slot, value, lane),
            FlatValue::Merge(merge) => self.merge(merge, lane)?,
            FlatValue::Part(whole, start) => {
                let count = flat.ty(value).leaf_count();
                self.leaves(*whole, lane)?[*start..*start + count].to_vec()
            }
            FlatValue::Update(whole, start, part) => {
                let mut leaves = self.leaves(*whole, lane)?;
                let part = self.leaves(*part, lane)?;
                leaves[*start..*start + part.len()].copy_from_slice(&part);
                leaves
            }
            FlatValue::Element(whole, place) => {
                let count = flat.ty(value).leaf_count();
                self.element(*whole, place, count, lane)?
            }
            FlatValue::UpdateElement(whole, place, part) => {
                self.update_element(*whole, place, *part, lane)?
            }
            FlatValue::Loaded(access) => self.loaded(*access, lane)?,
            FlatValue::ArrayLength(region, start, stride) => {
                vec![self.array_length(*region, *start, *stride)?]
            }
        };
        if self.side.encoded.defined.contains(&value) {
            let undefined = self.pool.bool(false);
            leaves.iter_mut().for_each(|leaf| leaf.undefined = undefined);
        }
        self.side.encoded.leaves.insert((value, lane), leaves.clone());
        Ok(leaves)
    }

    /// The result of a group operation, 0 in lanes that do not execute it. A result that is equal
    /// in all lanes is kept as it is: one term for all lanes is better.
    fn zero_where_absent(
        &mut self,
        step: StepId,
        lane: Term,
        mut leaves: Vec<Leaf>,
    ) -> Result<Vec<Leaf>, DenoteError> {
        if !self.side.grouping.around.contains(&step) {
            return Ok(leaves);
        }
        let executes = self.activity(self.side.flat.step(step).activity, lane)?;
        if self.pool.bool_of(executes) == Some(true) {
            return Ok(leaves);
        }
        let first = self.pool.bits(0, 32);
        let in_first = self.result(step, first)?;
        for (leaf, first) in leaves.iter_mut().zip(in_first) {
            if leaf.bits == first.bits && leaf.undefined == first.undefined {
                continue;
            }
            let zero = match self.pool.sort(leaf.bits) {
                Sort::Bool => self.pool.bool(false),
                Sort::Bits(width) => self.pool.bits(0, width),
                Sort::Tag => continue,
            };
            leaf.bits = self.pool.ite(executes, leaf.bits, zero);
            leaf.undefined = self.pool.and(executes, leaf.undefined);
        }
        Ok(leaves)
    }

    fn parameter(&mut self, position: usize, lane: Term) -> Vec<Leaf> {
        let undefined = self.pool.bool(false);
        let first = self.pool.bits(0, 32);
        self.world.entry.inputs[position]
            .iter()
            .map(|leaf| {
                let bits = match *leaf {
                    InputLeaf::PerLane(symbol) => self.pool.apply(symbol, lane),
                    InputLeaf::Uniform(symbol) => self.pool.variable(symbol),
                    InputLeaf::Moved(source) => self.pool.tag(source, lane),
                    InputLeaf::MovedUniform(source) => self.pool.tag(source, first),
                };
                Leaf { bits, undefined }
            })
            .collect()
    }

    /// What a lane holds at the header of the loop that is cut open: anything.
    fn held(&mut self, slot: usize, value: ValueId, lane: Term) -> Vec<Leaf> {
        let flat = self.side.flat;
        let marked = flat.cut.as_ref().is_none_or(|cut| cut.slots[slot].marked);
        let scalars = flat.ty(value).leaves();
        let mut leaves = Vec::with_capacity(scalars.len());
        for (number, scalar) in scalars.into_iter().enumerate() {
            let (side, pool) = (&mut *self.side, &mut *self.pool);
            let (bits, mark) = *side.header.held.entry((slot, number)).or_insert_with(|| {
                let name = format!("{}.held.{slot}.{number}", side.name);
                let mark = marked.then(|| pool.symbol(format!("{name}.undefined"), Sort::Bool));
                (pool.symbol(name, Sort::from(scalar)), mark)
            });
            let undefined = match mark {
                Some(mark) => pool.apply(mark, lane),
                None => pool.bool(false),
            };
            leaves.push(Leaf { bits: pool.apply(bits, lane), undefined });
        }
        leaves
    }

    /// A lane is at the header of the loop that is cut open: one of those that entered.
    pub fn live(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let Some(cut) = &self.side.flat.cut else {
            return Err(DenoteError::Specification("no loop is cut open".into()));
        };
        let entered = self.activity(cut.entered, lane)?;
        let (side, pool) = (&mut *self.side, &mut *self.pool);
        let live = *side
            .header
            .live
            .get_or_insert_with(|| pool.symbol(format!("{}.live", side.name), Sort::Bool));
        let live = pool.apply(live, lane);
        Ok(pool.and(entered, live))
    }

    fn constant(&mut self, bits: Option<u64>, scalar: Scalar) -> Leaf {
        let undefined = self.pool.bool(bits.is_none());
        let value = bits.unwrap_or(0);
        let bits = match Sort::from(scalar) {
            Sort::Bits(width) => self.pool.bits(u128::from(value), width),
            Sort::Bool | Sort::Tag => self.pool.bool(value != 0),
        };
        Leaf { bits, undefined }
    }

    fn built_in(
        &mut self,
        built_in: &BuiltIn,
        instance: &Instance,
        lane: Term,
    ) -> Result<Vec<Leaf>, DenoteError> {
        let (specification, settled) = (self.world.specification, self.world.settled);
        let mut context = StepContext::new(self.reborrow(), None, lane)?;
        let lane = context.lane;
        let outcome =
            denote_built_in(specification, settled, built_in, instance, &mut context, lane)?;
        if !context.left_open
            && outcome.silence.is_empty()
            && outcome.undefined_behavior.is_empty()
            && outcome.such_that.is_empty()
        {
            Ok(outcome.leaves)
        } else {
            Err(DenoteError::NotModelled(format!("the built-in {}, left open,", built_in.name)))
        }
    }

    fn merge(&mut self, merge: &Merge, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let Some(((_, last), others)) = merge.arms.split_last() else {
            return Err(DenoteError::NotModelled("a value from nowhere".into()));
        };
        let mut conditions = Vec::with_capacity(others.len());
        for &(activity, value) in others {
            let condition = self.way(activity, merge.within, lane)?;
            match self.pool.bool_of(condition) {
                Some(false) => {}
                Some(true) => {
                    conditions.push((condition, value));
                    break;
                }
                None => conditions.push((condition, value)),
            }
        }
        // Arms after one that holds are never selected.
        let mut leaves = match conditions.last() {
            Some(&(condition, value)) if self.pool.bool_of(condition) == Some(true) => {
                conditions.pop();
                self.leaves(value, lane)?
            }
            _ => self.leaves(*last, lane)?,
        };
        for (condition, value) in conditions.into_iter().rev() {
            let arm = self.leaves(value, lane)?;
            for (leaf, arm) in leaves.iter_mut().zip(arm) {
                let arm = self.leaf_under(condition, true, arm);
                let other = self.leaf_under(condition, false, *leaf);
                *leaf = choose_leaf(self.pool, condition, arm, other)?;
            }
        }
        Ok(leaves)
    }

    /// A leaf as it is wherever `condition` is `value`.
    fn leaf_under(&mut self, condition: Term, value: bool, leaf: Leaf) -> Leaf {
        let bits = self.pool.under(condition, value, leaf.bits);
        let undefined = self.pool.under(condition, value, leaf.undefined);
        Leaf { bits, undefined }
    }

    /// The bits of a scalar that must be defined: an index, a selector, a condition.
    pub fn scalar(&mut self, value: ValueId, lane: Term) -> Result<Leaf, DenoteError> {
        let leaf = self.leaves(value, lane)?[0];
        match self.pool.sort(leaf.bits) {
            Sort::Tag => Err(DenoteError::NotMovement(self.pool.tag_sources(leaf.bits))),
            _ => Ok(leaf),
        }
    }

    fn index(&mut self, place: &Indexed, lane: Term) -> Result<Vec<Term>, DenoteError> {
        let index = self.scalar(place.index, lane)?.bits;
        let width = self.pool.width(index);
        Ok((0..place.length)
            .map(|position| {
                let position = self.pool.bits(u128::from(position), width);
                self.pool.equal(index, position)
            })
            .collect())
    }

    fn element(
        &mut self,
        whole: ValueId,
        place: &Indexed,
        count: usize,
        lane: Term,
    ) -> Result<Vec<Leaf>, DenoteError> {
        let whole = self.leaves(whole, lane)?;
        let here = self.index(place, lane)?;
        let part = |position: usize| {
            let start = place.start + position * place.stride;
            &whole[start..start + count]
        };
        let mut leaves = part(here.len().saturating_sub(1)).to_vec();
        for (position, &here) in here.iter().enumerate().rev().skip(1) {
            for (leaf, element) in leaves.iter_mut().zip(part(position)) {
                *leaf = choose_leaf(self.pool, here, *element, *leaf)?;
            }
        }
        Ok(leaves)
    }

    fn update_element(
        &mut self,
        whole: ValueId,
        place: &Indexed,
        part: ValueId,
        lane: Term,
    ) -> Result<Vec<Leaf>, DenoteError> {
        let mut leaves = self.leaves(whole, lane)?;
        let part = self.leaves(part, lane)?;
        for (position, here) in self.index(place, lane)?.into_iter().enumerate() {
            let start = place.start + position * place.stride;
            for (leaf, part) in leaves[start..start + part.len()].iter_mut().zip(&part) {
                *leaf = choose_leaf(self.pool, here, *part, *leaf)?;
            }
        }
        Ok(leaves)
    }

    /// What the clauses say of a step in a lane.
    pub fn outcome(&mut self, step: StepId, lane: Term) -> Result<Rc<LaneOutcome>, DenoteError> {
        if let Some(known) = self.side.encoded.outcomes.get(&(step, lane)) {
            return Ok(known.clone());
        }
        let flat = self.side.flat;
        let (specification, settled) = (self.world.specification, self.world.settled);
        let Step { instruction, instance, place: origin, .. } = flat.step(step);
        let mut context = StepContext::new(self.reborrow(), Some(step), lane)?;
        let place = context.lane;
        let outcome = denote(specification, settled, instruction, instance, &mut context, place)
            .map_err(|error| error.within(&instruction.name, origin.word, origin.line))?;
        let outcome = Rc::new(outcome);
        self.side.encoded.outcomes.insert((step, lane), outcome.clone());
        Ok(outcome)
    }

    fn reborrow(&mut self) -> Encoder<'_, 'f, 'a> {
        Encoder { pool: self.pool, world: self.world, side: self.side }
    }

    /// The symbol for a choice of a step in one leaf: the same at each call.
    pub fn open(&mut self, step: StepId, choice: Choice, leaf: usize, sort: Sort) -> Symbol {
        if let Some(&symbol) = self.side.open.get(&(step, choice, leaf)) {
            return symbol;
        }
        let what = match choice {
            Choice::Draw(_) => "draw",
            Choice::Result => "result",
            Choice::Payload => "payload",
            Choice::Either => "either",
            Choice::Order => "order",
            Choice::Tangle => "tangle",
        };
        let name = format!("{}.{what}.{}.{leaf}", self.side.name, self.side.choices.len());
        let symbol = self.pool.symbol(name, sort);
        self.side.open.insert((step, choice, leaf), symbol);
        self.side.choices.push(OpenChoice { symbol, step, choice, leaf });
        symbol
    }
}
