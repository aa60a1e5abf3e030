//! Lane indices in groups: which lanes execute a step together, and the index of a lane among them.
//!
//! If one subgroup is encoded, the group is that subgroup. In a workgroup, a step is executed by
//! each subgroup or, if its operand `Execution` says so, by all invocations; clauses use the lane
//! indices of their own group.

use std::ops::Range;

use laneproof_lower::StepId;
use laneproof_semantics::denote::{DenoteError, GroupScope, LanePosition, Leaf, choose_leaf};
use laneproof_semantics::term::{Binary, Pool, Term};

use super::Encoder;
use crate::workgroup::WorkgroupSubgroups;

/// A group within a workgroup.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupLanes {
    workgroup: WorkgroupSubgroups,
    pub(super) scope: GroupScope,
    /// The encoded index of the group's first lane.
    first: u32,
    /// All lane indices in the group are below this.
    pub(super) bound: u32,
}

impl GroupLanes {
    /// The encoded indices of its lanes.
    pub(super) fn carries(&self) -> Range<u32> {
        self.first..self.first + self.bound
    }

    /// The index in the group of an encoded lane.
    pub(super) fn place(&self, pool: &mut Pool, lane: Term) -> Term {
        let first = pool.bits(u128::from(self.first), 32);
        pool.binary(Binary::Sub, lane, first)
    }

    /// The encoded index of a lane of the group.
    pub(super) fn encoded_lane(&self, pool: &mut Pool, lane: Term) -> Term {
        let first = pool.bits(u128::from(self.first), 32);
        pool.add(lane, first)
    }

    /// How many lanes the group has, 32 bits.
    pub(super) fn members(&self, pool: &mut Pool) -> Term {
        let WorkgroupSubgroups { size, subgroups, existing, .. } = self.workgroup;
        match self.scope {
            GroupScope::Workgroup => existing,
            GroupScope::Subgroup if self.first / size + 1 == subgroups => {
                let before = pool.bits(u128::from(self.first), 32);
                pool.binary(Binary::Sub, existing, before)
            }
            GroupScope::Subgroup => pool.bits(u128::from(size), 32),
        }
    }

    /// The position of a lane of the group in its workgroup, 32 bits.
    pub(super) fn lane_position(
        &self,
        pool: &mut Pool,
        lane_position: LanePosition,
        lane: Term,
    ) -> Term {
        let size = pool.bits(u128::from(self.workgroup.size), 32);
        let index = self.encoded_lane(pool, lane);
        let alone = self.scope == GroupScope::Subgroup;
        match lane_position {
            LanePosition::Id if alone => lane,
            LanePosition::Id => pool.binary(Binary::RemUnsigned, index, size),
            LanePosition::SubgroupId if alone => {
                pool.bits(u128::from(self.first / self.workgroup.size), 32)
            }
            LanePosition::SubgroupId => pool.binary(Binary::DivUnsigned, index, size),
            LanePosition::NumSubgroups => pool.bits(u128::from(self.workgroup.subgroups), 32),
            LanePosition::WorkgroupSize(axis) | LanePosition::EnqueuedWorkgroupSize(axis) => {
                self.workgroup.sides[axis]
            }
            _ => index,
        }
    }
}

impl Encoder<'_, '_, '_> {
    /// The group that executes a step (or reads a built-in variable) with an encoded lane; `None`
    /// if it is all encoded lanes.
    pub(super) fn group_lanes(
        &self,
        step: Option<StepId>,
        lane: Term,
    ) -> Result<Option<GroupLanes>, DenoteError> {
        let Some(workgroup) = self.world.entry.workgroup else { return Ok(None) };
        let Some(number) = self.pool.bits_of(lane) else {
            return Err(DenoteError::NotModelled("a lane of a workgroup that is computed".into()));
        };
        let spans = step.is_some_and(|step| self.side.flat.step(step).spans_workgroup());
        let size = workgroup.size;
        Ok(Some(match spans {
            true => GroupLanes {
                workgroup,
                scope: GroupScope::Workgroup,
                first: 0,
                bound: self.world.entry.bound,
            },
            false => GroupLanes {
                workgroup,
                scope: GroupScope::Subgroup,
                first: number as u32 / size * size,
                bound: size,
            },
        }))
    }

    /// What `get` gives for a lane of a group; for a computed lane, a choice among all lanes of the
    /// group. Values of lanes outside of the group are never used.
    pub(super) fn of_member(
        &mut self,
        members: Range<u32>,
        lane: Term,
        mut get: impl FnMut(&mut Self, Term) -> Result<Vec<Leaf>, DenoteError>,
    ) -> Result<Vec<Leaf>, DenoteError> {
        let mut at = |encoder: &mut Self, number: u32| {
            let encoded_lane = encoder.pool.bits(u128::from(members.start + number), 32);
            get(encoder, encoded_lane)
        };
        let last = members.len() as u32 - 1;
        if let Some(number) = self.pool.bits_of(lane) {
            return at(self, number.min(u128::from(last)) as u32);
        }
        let mut found = at(self, last)?;
        for number in (0..last).rev() {
            let here = self.pool.bits(u128::from(number), 32);
            let here = self.pool.equal(lane, here);
            if self.pool.bool_of(here) == Some(false) {
                continue;
            }
            let own = at(self, number)?;
            for (found, own) in found.iter_mut().zip(own) {
                *found = choose_leaf(self.pool, here, own, *found)?;
            }
        }
        Ok(found)
    }

    /// Whether `holds` is true for a lane of a group; it is false for lanes outside of the group.
    pub(super) fn is_member(
        &mut self,
        members: Range<u32>,
        lane: Term,
        mut holds: impl FnMut(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let mut any = Vec::new();
        for number in 0..members.len() as u32 {
            let own = self.pool.bits(u128::from(number), 32);
            let here = self.pool.equal(lane, own);
            if self.pool.bool_of(here) != Some(false) {
                let encoded_lane = self.pool.bits(u128::from(members.start + number), 32);
                let holds = holds(self, encoded_lane)?;
                any.push(self.pool.and(here, holds));
            }
        }
        Ok(self.pool.any(any))
    }
}
