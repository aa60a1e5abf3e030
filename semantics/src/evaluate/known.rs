//! A group in which everything is known.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::{Deref, DerefMut};

use crate::Scalar;
use crate::denote::{
    Argument, DenoteError, Group, GroupScope, Instance, LaneOutcome, LanePosition, Leaf, Read,
    State, Texels,
};
use crate::term::{Pool, Sort, Term};

use super::given::Results;
use super::memory::Place;
use super::{Bits, Chosen, Draw, LaneResult, Memory, Subgroup};

/// The placeholder for the NaN that a lane leaves in memory, where that is open.
pub(super) const NAN: u8 = 2;
/// The placeholder for taking the first one of two values.
pub(super) const FIRST: u8 = 3;

thread_local! {
    /// A pool for reuse.
    static SPARE: RefCell<Option<Pool>> = const { RefCell::new(None) };
}

/// A pool of more terms takes longer to clear than to make.
const SMALL: usize = 1 << 12;

/// An empty pool, in memory that the evaluation before had.
pub(super) struct ReusedPool(Pool);

impl Default for ReusedPool {
    fn default() -> Self {
        Self(SPARE.take().unwrap_or_default())
    }
}

impl Drop for ReusedPool {
    fn drop(&mut self) {
        if self.0.len() <= SMALL {
            self.0.clear();
            SPARE.set(Some(std::mem::take(&mut self.0)));
        }
    }
}

impl Deref for ReusedPool {
    type Target = Pool;

    fn deref(&self) -> &Pool {
        &self.0
    }
}

impl DerefMut for ReusedPool {
    fn deref_mut(&mut self) -> &mut Pool {
        &mut self.0
    }
}

/// A group in which everything is known: every term folds to a constant.
pub(super) struct Known<'a, 'd> {
    pub(super) pool: ReusedPool,
    pub(super) instance: &'a Instance,
    pub(super) subgroup: &'a Subgroup,
    draw: Draw<'d>,
    /// What its lanes were given.
    pub(super) given: Results,
    /// What its lanes choose in their updates; `None` where that stays open.
    pub(super) chosen: Option<&'d [Chosen]>,
    /// Whether an undefined value was computed with.
    pub(super) drawn: bool,
    /// Whether the current lane read out of bounds.
    pub(super) outside: bool,
    /// For each existing lane, where it may have read.
    pub(super) read: Vec<BTreeSet<Place>>,
}

impl<'a, 'd> Known<'a, 'd> {
    pub(super) fn new(instance: &'a Instance, subgroup: &'a Subgroup, draw: Draw<'d>) -> Self {
        Self {
            pool: ReusedPool::default(),
            instance,
            subgroup,
            draw,
            given: Results::default(),
            chosen: Some(&[]),
            drawn: false,
            outside: false,
            read: vec![BTreeSet::new(); subgroup.existing as usize],
        }
    }

    pub(super) fn into_draw(self) -> Draw<'d> {
        self.draw
    }

    pub(super) fn lane(&mut self, lane: u32) -> Term {
        self.pool.bits(u128::from(lane), 32)
    }

    pub(super) fn holds(&self, condition: Term) -> Result<bool, DenoteError> {
        self.pool.bool_of(condition).ok_or_else(|| {
            DenoteError::NotModelled("a result that only a relation describes".into())
        })
    }

    pub(super) fn leaf(&self, leaf: Leaf) -> Result<Bits, DenoteError> {
        if self.holds(leaf.undefined)? {
            return Ok(None);
        }
        match self.pool.constant(leaf.bits) {
            Some(constant) => Ok(Some(constant.as_bits() as u64)),
            None => Err(DenoteError::NotModelled("a result that stays open".into())),
        }
    }

    /// A leaf with terms put in the place of others.
    pub(super) fn leaf_with(
        &mut self,
        leaf: Leaf,
        given: &HashMap<Term, Term>,
    ) -> Result<Bits, DenoteError> {
        let bits = self.pool.substitute(leaf.bits, given);
        let undefined = self.pool.substitute(leaf.undefined, given);
        self.leaf(Leaf { bits, undefined })
    }

    pub(super) fn result(&mut self, outcome: &LaneOutcome) -> Result<LaneResult, DenoteError> {
        self.result_of(std::iter::once(outcome))
    }

    /// A lane's result, with terms put in the place of others.
    pub(super) fn result_with(
        &mut self,
        outcome: &LaneOutcome,
        found: &HashMap<Term, Term>,
    ) -> Result<LaneResult, DenoteError> {
        self.result_of_with(std::iter::once(outcome), found)
    }

    /// A lane's result, made of these parts.
    pub(super) fn result_of<'o>(
        &mut self,
        outcomes: impl Iterator<Item = &'o LaneOutcome> + Clone,
    ) -> Result<LaneResult, DenoteError> {
        self.result_of_with(outcomes, &HashMap::new())
    }

    fn result_of_with<'o>(
        &mut self,
        outcomes: impl Iterator<Item = &'o LaneOutcome> + Clone,
        found: &HashMap<Term, Term>,
    ) -> Result<LaneResult, DenoteError> {
        for cause in outcomes.clone().flat_map(|outcome| &outcome.undefined_behavior) {
            let condition = self.pool.substitute(cause.condition, found);
            if self.holds(condition)? {
                return Ok(LaneResult::UndefinedBehavior(cause.clause.clone()));
            }
        }
        for cause in outcomes.clone().flat_map(|outcome| &outcome.silence) {
            let condition = self.pool.substitute(cause.condition, found);
            if self.holds(condition)? {
                return Ok(LaneResult::Silence(cause.clause.clone()));
            }
        }
        for &relation in outcomes.clone().flat_map(|outcome| &outcome.such_that) {
            match self.pool.bool_of(relation) {
                Some(true) => {}
                Some(false) => return Ok(LaneResult::Illegal),
                None if self.given.are_known() => {
                    return Err(DenoteError::Undecided("a result in any order".into()));
                }
                None => self.holds(relation).map(|_| ())?,
            }
        }
        let leaves = outcomes.flat_map(|outcome| &outcome.leaves);
        let leaves = leaves.map(|leaf| self.leaf_with(*leaf, found));
        Ok(LaneResult::Value(leaves.collect::<Result<_, DenoteError>>()?))
    }

    /// What a lane was given; 0 where it was given nothing in particular.
    fn given_bits(&self, leaf: usize, lane: Term) -> Option<u64> {
        self.given.at(leaf, self.pool.bits_of(lane)?)
    }

    /// What a lane chooses in its update, unless that is open.
    fn choice(&self, lane: Term) -> Option<Chosen> {
        let lane = self.pool.bits_of(lane).unwrap_or(0) as usize;
        Some(self.chosen?.get(lane).copied().unwrap_or_default())
    }

    /// A scalar's bits and mark as terms.
    fn held(&mut self, scalar: Scalar, bits: Bits) -> Leaf {
        let undefined = self.pool.bool(bits.is_none());
        let bits = bits.unwrap_or(0);
        let bits = match scalar {
            Scalar::Bool => self.pool.bool(bits != 0),
            other => self.pool.bits(u128::from(bits), other.width()),
        };
        Leaf { bits, undefined }
    }

    fn scalars(&self, operand: usize) -> Vec<Scalar> {
        match self.instance.arguments.get(operand) {
            Some(Argument::Value(ty)) => ty.leaves(),
            Some(Argument::Values(types)) => types.iter().flat_map(crate::Type::leaves).collect(),
            _ => Vec::new(),
        }
    }
}

impl Group for Known<'_, '_> {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let lane = self.pool.bits_of(lane).unwrap_or(u128::MAX) as usize;
        let scalars = self.scalars(operand);
        // A lane that does not exist holds nothing: what is read there is a presupposition's
        // business, not a value's.
        let given = self.subgroup.operands.get(operand).and_then(|lanes| lanes.get(lane));
        let leaves = scalars.into_iter().enumerate().map(|(leaf, scalar)| {
            let bits = given.and_then(|leaves| leaves.get(leaf).copied()).flatten();
            self.held(scalar, bits)
        });
        Ok(leaves.collect())
    }

    fn operand_leaf(
        &mut self,
        operand: usize,
        leaf: usize,
        lane: Term,
    ) -> Result<Option<Leaf>, DenoteError> {
        let Some(Argument::Value(ty)) = self.instance.arguments.get(operand) else {
            return Ok(None);
        };
        if leaf >= ty.leaf_count() {
            return Ok(None);
        }
        let Some(scalar) = ty.element().or_else(|| ty.leaves().get(leaf).copied()) else {
            return Ok(None);
        };
        let lane = self.pool.bits_of(lane).unwrap_or(u128::MAX) as usize;
        let given = self.subgroup.operands.get(operand).and_then(|lanes| lanes.get(lane));
        let bits = given.and_then(|leaves| leaves.get(leaf).copied()).flatten();
        Ok(Some(self.held(scalar, bits)))
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        // What a lane finds in its update is not known yet.
        self.drawn |= !matches!(self.instance.arguments.get(operand), Some(Argument::Pointer(_)));
        let lane = self.pool.bits_of(lane).unwrap_or(0) as u32;
        match sort {
            Sort::Bits(width) => {
                let drawn = (self.draw)(operand, leaf, lane, width);
                self.pool.bits(u128::from(drawn), width)
            }
            Sort::Bool | Sort::Tag => {
                let drawn = (self.draw)(operand, leaf, lane, 1);
                self.pool.bool(drawn & 1 == 1)
            }
        }
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        if let Some(known) = self.pool.bits_of(lane) {
            let active = known < 128 && self.subgroup.active >> known & 1 == 1;
            return Ok(self.pool.bool(active));
        }
        let active = self.pool.bits(self.subgroup.active, 128);
        Ok(self.pool.bit(active, lane))
    }

    fn exists(&mut self, lane: Term) -> Term {
        if let Some(known) = self.pool.bits_of(lane) {
            return self.pool.bool(known < u128::from(self.subgroup.existing));
        }
        let existing = self.pool.bits(u128::from(self.subgroup.existing), 32);
        self.pool.less(lane, existing)
    }

    fn state(&mut self, state: State) -> Term {
        let value = match state {
            State::SubgroupSize => self.subgroup.size,
            State::SubgroupMaxSize => self.subgroup.max_size,
            State::ExistingLanes => self.subgroup.existing,
        };
        self.pool.bits(u128::from(value), 32)
    }

    fn scope(&self) -> GroupScope {
        match self.subgroup.workgroup {
            Some(_) => GroupScope::Workgroup,
            None => GroupScope::Subgroup,
        }
    }

    fn lane_position(
        &mut self,
        lane_position: LanePosition,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let place = self.pool.bits_of(lane).unwrap_or(0) as u32;
        let value = self.subgroup.lane_position(lane_position, place)?;
        Ok(self.pool.bits(u128::from(value), 32))
    }

    fn lane_bound(&self) -> u32 {
        self.subgroup.existing
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        match self.given_bits(leaf, lane) {
            Some(bits) => match sort {
                Sort::Bits(width) => self.pool.bits(u128::from(bits), width),
                Sort::Bool | Sort::Tag => self.pool.bool(bits & 1 == 1),
            },
            None => self.pool.fresh(format!("result.{leaf}.{}", lane.number()), sort),
        }
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        let Sort::Bits(width) = sort else { return self.pool.bool(false) };
        let given = self.given_bits(leaf, lane);
        match (given, self.choice(lane)) {
            (Some(bits), _) => self.pool.bits(u128::from(bits), width),
            (None, Some(chosen)) => self.pool.bits(u128::from(chosen.nan), width),
            (None, None) => self.pool.placeholder(NAN, sort),
        }
    }

    fn either(&mut self, lane: Term) -> Result<Term, DenoteError> {
        Ok(match self.choice(lane) {
            Some(chosen) => self.pool.bool(chosen.first),
            None => self.pool.placeholder(FIRST, Sort::Bool),
        })
    }

    fn load(&mut self, read: Read, lane: Term) -> Result<Leaf, DenoteError> {
        let Read { target, spot, .. } = read;
        let scalar = match self.instance.arguments.get(target) {
            Some(Argument::Pointer(ty)) => ty.element(),
            _ => Some(Scalar::uint(32)),
        };
        let scalar = scalar.ok_or_else(|| DenoteError::NotModelled("such a pointer".into()))?;
        let lane = self.pool.bits_of(lane).unwrap_or(u128::MAX) as u32;
        let memory = self.subgroup.memory.get(&target);
        let place = memory.and_then(|it| Some((it, it.index(&self.pool, spot, lane)?)));
        self.outside |= place.is_none();
        if let (Some((memory, index)), Some(read)) = (place, self.read.get_mut(lane as usize)) {
            read.extend(
                memory.parts(index, 0, 4, None).into_iter().map(|(part, _)| (target, part)),
            );
        }
        let value = place.and_then(|(memory, index)| memory.at(index));
        Ok(self.held(scalar, value))
    }

    fn extent(&mut self, target: usize) -> Result<(Term, Term), DenoteError> {
        let Some(&Memory::Image { width, height, .. }) = self.subgroup.memory.get(&target) else {
            return Err(DenoteError::NotModelled("the size of no image".into()));
        };
        Ok((self.lane(width), self.lane(height)))
    }

    fn texels(&mut self, target: usize) -> Result<Texels, DenoteError> {
        let Some(&Memory::Image { texels, texel_bytes, .. }) = self.subgroup.memory.get(&target)
        else {
            return Err(DenoteError::NotModelled("the elements of no image".into()));
        };
        let [row, bytes] = [texels, texel_bytes].map(|it| self.lane(it));
        Ok(Texels { row, bytes, row_bytes: self.lane(texels * texel_bytes) })
    }

    fn reach(&mut self, target: usize, lane: Term) -> Result<(Term, Term), DenoteError> {
        let Some(Memory::Buffer { elements, pointers, .. }) = self.subgroup.memory.get(&target)
        else {
            return Err(DenoteError::NotModelled("where such memory ends".into()));
        };
        let lane = self.pool.bits_of(lane).unwrap_or(u128::MAX) as usize;
        // A lane that does not exist points nowhere: a presupposition's business.
        let place = pointers.get(lane).copied().unwrap_or(0);
        let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        Ok((self.lane(count), self.lane(place)))
    }

    /// A state of one instruction has no history.
    fn modified(&mut self, _target: usize, _lane: Term) -> Result<Term, DenoteError> {
        Ok(self.pool.bool(false))
    }

    fn aligned(&mut self, target: usize, bytes: u32, lane: Term) -> Result<Term, DenoteError> {
        let lane = self.pool.bits_of(lane).unwrap_or(u128::MAX) as usize;
        let size = match self.instance.arguments.get(target) {
            Some(Argument::Pointer(ty)) => ty.element().map(|scalar| u64::from(scalar.width() / 8)),
            _ => None,
        };
        let first = match self.subgroup.memory.get(&target) {
            Some(Memory::Buffer { address, pointers, .. }) => {
                pointers.get(lane).map(|first| (*address, u64::from(*first)))
            }
            _ => None,
        };
        match (size, first) {
            (Some(size), Some((address, first))) => {
                let aligned = (address + first * size).is_multiple_of(u64::from(bytes.max(1)));
                Ok(self.pool.bool(aligned))
            }
            _ => Err(DenoteError::NotModelled("the alignment of such a pointer".into())),
        }
    }
}
