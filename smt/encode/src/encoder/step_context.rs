//! What clauses see of the state: the group that a step executes in.

use std::ops::Range;
use std::time::Instant;

use laneproof_lower::StepId;
use laneproof_semantics::denote::{
    DenoteError, Fold, Group, GroupScope, LanePosition, LaneQuantifier, Leaf, Read, State,
};
use laneproof_semantics::term::{Pool, Sort, Term};

use super::group_lanes::GroupLanes;
use super::{Choice, Encoder};
use crate::encoder::discard::{KILL, TERMINATE};

/// The state as a step (or a built-in variable) sees it.
pub(super) struct StepContext<'e, 'f, 'a> {
    encoder: Encoder<'e, 'f, 'a>,
    step: Option<StepId>,
    /// The lane whose outcome is computed: its index in the group.
    pub(super) lane: Term,
    /// The group, if it is not all encoded lanes.
    group_lanes: Option<GroupLanes>,
    /// A built-in variable leaves something open.
    pub(super) left_open: bool,
}

impl<'e, 'f, 'a> StepContext<'e, 'f, 'a> {
    /// The state as a step, or a built-in variable, sees it in an encoded lane.
    pub(super) fn new(
        encoder: Encoder<'e, 'f, 'a>,
        step: Option<StepId>,
        lane: Term,
    ) -> Result<Self, DenoteError> {
        let group_lanes = encoder.group_lanes(step, lane)?;
        let lane = group_lanes.map_or(lane, |group_lanes| group_lanes.place(encoder.pool, lane));
        Ok(Self { encoder, step, lane, group_lanes, left_open: false })
    }

    /// The encoded index of a lane.
    fn encoded_lane(&mut self, lane: Term) -> Term {
        self.group_lanes
            .map_or(lane, |group_lanes| group_lanes.encoded_lane(self.encoder.pool, lane))
    }

    /// The lanes that a computed lane may be, if these are encoded one by one.
    fn one_by_one(&self, lane: Term) -> Option<Range<u32>> {
        let Encoder { pool, world, .. } = &self.encoder;
        let computed = pool.bits_of(lane).is_none();
        match self.group_lanes {
            Some(group_lanes) => Some(group_lanes.carries()),
            None => (world.by_number && computed).then_some(0..world.entry.bound),
        }
    }

    /// What a step leaves open, in a lane.
    fn choice(&mut self, choice: Choice, leaf: usize, lane: Term, sort: Sort) -> Term {
        // Choices belong to steps: a built-in variable that has one is not supported.
        self.left_open |= self.step.is_none();
        let step = self.step.unwrap_or(StepId(u32::MAX));
        let symbol = self.encoder.open(step, choice, leaf, sort);
        let lane = self.encoded_lane(lane);
        self.encoder.pool.apply(symbol, lane)
    }

    /// A step uses other lanes' values. Implementations may then treat helpers as inactive.
    fn looks_around(&mut self, step: StepId) -> Result<(), DenoteError> {
        self.encoder.side.grouping.around.insert(step);
        let step = self.encoder.side.flat.step(step);
        self.encoder.side.grouping.apart |= !step.together;
        let name = &step.instruction.name;
        if step.helpers {
            return Err(DenoteError::NotModelled(format!("{name} where lanes may be helpers")));
        }
        if step.after_kill && self.encoder.reading(KILL)? != TERMINATE {
            let what = format!("{name} where OpKill may have made helpers");
            return Err(DenoteError::NotModelledBy(what, KILL.into()));
        }
        Ok(())
    }
}

impl Group for StepContext<'_, '_, '_> {
    fn pool(&mut self) -> &mut Pool {
        self.encoder.pool
    }

    fn operand(&mut self, operand: usize, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let Some(step) = self.step else {
            return Err(DenoteError::Specification("a built-in has no operands".into()));
        };
        if lane != self.lane {
            self.looks_around(step)?;
        }
        // Clauses that compare all pairs of lanes are expensive.
        if Instant::now() > self.encoder.world.deadline {
            return Err(DenoteError::OutOfTime);
        }
        let flat = self.encoder.side.flat;
        let values = &flat.step(step).operands[operand];
        let leaves = |encoder: &mut Encoder<'_, '_, '_>, lane: Term| {
            let mut leaves = Vec::new();
            for &value in values {
                leaves.extend(encoder.leaves(value, lane)?);
            }
            Ok(leaves)
        };
        match self.one_by_one(lane) {
            // Lanes of one subgroup that compute the same lane read the same value.
            Some(members) if self.group_lanes.is_none() => {
                if let Some(known) = self.encoder.side.encoded.elsewhere.get(&(step, operand, lane))
                {
                    return Ok(known.clone());
                }
                let found = self.encoder.of_member(members, lane, leaves)?;
                self.encoder.side.encoded.elsewhere.insert((step, operand, lane), found.clone());
                Ok(found)
            }
            Some(members) => self.encoder.of_member(members, lane, leaves),
            None => leaves(&mut self.encoder, lane),
        }
    }

    fn draw(&mut self, operand: usize, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.choice(Choice::Draw(operand), leaf, lane, sort)
    }

    /// A choice by an order is then a choice of an extreme in every state, executed or not.
    fn draws_where(&mut self, lane: Term) -> Result<Option<Term>, DenoteError> {
        match self.step.filter(|_| self.encoder.world.by_number) {
            Some(step) => {
                let activity = self.encoder.side.flat.step(step).activity;
                self.encoder.activity(activity, lane).map(Some)
            }
            None => Ok(None),
        }
    }

    fn active(&mut self, lane: Term) -> Result<Term, DenoteError> {
        if let Some(step) = self.step {
            self.looks_around(step)?;
        }
        let flat = self.encoder.side.flat;
        let step = self.step;
        let here = self.encoded_lane(self.lane);
        let gets_there = |encoder: &mut Encoder<'_, '_, '_>, lane: Term| match step {
            Some(step) => {
                let step = flat.step(step);
                let there = encoder.activity(step.activity, lane)?;
                if encoder.pool.bool_of(there) == Some(false) {
                    return Ok(there);
                }
                let together = encoder.together(step.tangle, here, lane)?;
                Ok(encoder.pool.and(there, together))
            }
            None => Ok(encoder.pool.bit(encoder.world.entry.active, lane)),
        };
        match self.one_by_one(lane) {
            // With several tangles, the result may depend on the tangle of the lane.
            Some(members)
                if let Some(step) = step
                    && self.group_lanes.is_none()
                    && !flat.is_split(flat.step(step).tangle) =>
            {
                if let Some(&known) = self.encoder.side.encoded.executing.get(&(step, lane)) {
                    return Ok(known);
                }
                let found = self.encoder.is_member(members, lane, gets_there)?;
                self.encoder.side.encoded.executing.insert((step, lane), found);
                Ok(found)
            }
            Some(members) => self.encoder.is_member(members, lane, gets_there),
            None => gets_there(&mut self.encoder, lane),
        }
    }

    fn exists(&mut self, lane: Term) -> Term {
        let existing = self.state(State::ExistingLanes);
        self.encoder.pool.less(lane, existing)
    }

    fn scope(&self) -> GroupScope {
        self.group_lanes.map_or(GroupScope::Subgroup, |group_lanes| group_lanes.scope)
    }

    fn state(&mut self, state: State) -> Term {
        let encoder = &mut self.encoder;
        match state {
            State::SubgroupSize => encoder.world.entry.size,
            State::SubgroupMaxSize => encoder.world.entry.max_size,
            State::ExistingLanes => match self.group_lanes {
                Some(group_lanes) => group_lanes.members(encoder.pool),
                None => encoder.world.entry.existing,
            },
        }
    }

    fn lane_position(
        &mut self,
        lane_position: LanePosition,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let Encoder { pool, world, .. } = &mut self.encoder;
        match (lane_position, self.group_lanes) {
            (
                LanePosition::WorkgroupId(_)
                | LanePosition::NumWorkgroups(_)
                | LanePosition::GlobalOffset(_)
                | LanePosition::WorkDim,
                _,
            ) => world.entry.surroundings.in_grid(lane_position),
            (_, Some(group_lanes)) => Ok(group_lanes.lane_position(pool, lane_position, lane)),
            (LanePosition::Id, None) => Ok(lane),
            (LanePosition::SubgroupId | LanePosition::NumSubgroups, None) => {
                world.entry.place.consulted = true;
                Ok(match lane_position {
                    LanePosition::SubgroupId => world.entry.place.subgroup,
                    _ => world.entry.place.subgroups,
                })
            }
            _ => world.entry.surroundings.lane_position(pool, lane_position, lane),
        }
    }

    fn lane_bound(&self) -> u32 {
        self.group_lanes.map_or(self.encoder.world.entry.bound, |group_lanes| group_lanes.bound)
    }

    fn open_result(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.choice(Choice::Result, leaf, lane, sort)
    }

    fn payload(&mut self, leaf: usize, lane: Term, sort: Sort) -> Term {
        self.choice(Choice::Payload, leaf, lane, sort)
    }

    fn any_lane(&mut self) -> Option<Term> {
        self.encoder.world.quantifiers.enter(self.encoder.pool)
    }

    fn leave(&mut self) {
        self.encoder.world.quantifiers.leave();
    }

    fn quantifier(
        &mut self,
        any: Term,
        here: Term,
        quantifier: LaneQuantifier,
    ) -> Result<Term, DenoteError> {
        self.encoder.world.quantifiers.term(self.encoder.pool, any, here, &quantifier)
    }

    fn either(&mut self, lane: Term) -> Result<Term, DenoteError> {
        Ok(self.choice(Choice::Either, 0, lane, Sort::Bool))
    }

    fn load(&mut self, read: Read, lane: Term) -> Result<Leaf, DenoteError> {
        let Some(step) = self.step else {
            return Err(DenoteError::Specification("a built-in reads no memory".into()));
        };
        if lane != self.lane {
            return Err(DenoteError::NotModelled("what another lane's pointer leads to".into()));
        }
        let lane = self.encoded_lane(lane);
        self.encoder.side.memory.looked_at.entry((step, lane)).or_default().push(read);
        self.encoder.looked_up(step, &read, lane)
    }

    fn extent(&mut self, target: usize) -> Result<(Term, Term), DenoteError> {
        match self.step {
            Some(step) => self.encoder.extent(step, target),
            None => Err(DenoteError::Specification("a built-in has no operands".into())),
        }
    }

    fn modified(&mut self, target: usize, lane: Term) -> Result<Term, DenoteError> {
        let lane = self.encoded_lane(lane);
        match self.step {
            Some(step) => self.encoder.modified(step, target, lane),
            None => Err(DenoteError::Specification("a built-in has no operands".into())),
        }
    }

    fn aligned(&mut self, target: usize, bytes: u32, lane: Term) -> Result<Term, DenoteError> {
        let lane = self.encoded_lane(lane);
        match self.step {
            Some(step) => self.encoder.aligned(step, target, bytes, lane),
            None => Err(DenoteError::Specification("a built-in has no operands".into())),
        }
    }

    fn fold(&mut self, fold: &Fold) -> Option<Term> {
        self.encoder.world.folds.term(self.encoder.pool, fold)
    }
}
