//! Loop rotation: one of two loops is guarded by a test and tests at its end.
//!
//! One loop tests at the top of an iteration, the other at the bottom, guarded by an `if` with the same
//! test. The lanes at the header of the second are those that come back from the current iteration of
//! the first. The first *leads*: it has one more iteration, in which lanes only leave and the second
//! loop is idle. If the target's loop leads, it ends one iteration after the source's; if the source's
//! leads, the target's ends before it.
//!
//! Lanes may also stay in the leading loop until all are done, with a flag in a slot that says which are
//! not: these are the ones at the header of the second. Then the leading loop must end where no lane
//! is at the header of the second any more, which an iteration shows that begins so.
//!
//! Lanes that enter only the leading loop pass no test and keep their initial values. Their slots of the
//! other loop are not used, like those of lanes that enter no loop, so they may have any value.

use std::collections::HashMap;

use laneproof_semantics::Scalar;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::both_sides::{BothSides, Leader};
use super::places::{Hypotheses, Place};
use super::relations::{Relation, Statement};
use super::statement::Moment;

/// The condition under which a lane at the header of the leading loop is at that of the other, too: it
/// comes back, or a flag says so.
#[derive(Clone, Copy)]
pub(super) struct Test {
    /// A placeholder for any lane.
    stand_in: Term,
    /// By what that lane holds at the header.
    stays: Term,
}

impl BothSides<'_, '_> {
    /// Considers the leading loop, or else the source's.
    pub(super) fn of_leading(&self) -> bool {
        self.loops.leads.is_some_and(|leader| leader.of_target)
    }

    /// A lane enters the loops of these slots.
    pub(super) fn entered_by(&mut self, places: &[Place], lane: Term) -> Result<Term, DenoteError> {
        let leading = self.of_leading();
        let entered = self.on(leading, |sides| sides.entered(lane))?;
        if self.loops.leads.is_none() || places.iter().all(|place| place.of_target == leading) {
            return Ok(entered);
        }
        let other = self.on(!leading, |sides| sides.entered(lane))?;
        Ok(self.pool.and(entered, other))
    }

    /// A lane is at the headers of the loops of these slots.
    pub(super) fn live_by(
        &mut self,
        places: &[Place],
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let leading = self.of_leading();
        let live = self.live_leading(moment, lane)?;
        if self.loops.leads.is_none() || places.iter().all(|place| place.of_target == leading) {
            return Ok(live);
        }
        let other = self.on(!leading, |sides| sides.live(moment, lane))?;
        Ok(self.pool.and(live, other))
    }

    /// Whether the second of two slots of a lane must equal the first. For a slot of the loop behind
    /// that is not used after the loop, only lanes at its header count: in other lanes it may be taken
    /// to equal the first slot, which belongs to the leading loop and is proved for all of its lanes.
    pub(super) fn looked_at(
        &mut self,
        [first, second]: [Place; 2],
        used_after: &[Place],
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let leading = self.of_leading();
        let behind = first.of_target == leading && second.of_target != leading;
        if self.loops.leads.is_some() && behind && !used_after.contains(&second) {
            return self.on(second.of_target, |sides| sides.live(moment, lane));
        }
        self.entered_by(&[first, second], lane)
    }

    /// A lane is at the header of the loop that leads.
    pub(super) fn live_leading(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        self.on(self.of_leading(), |sides| sides.live(moment, lane))
    }

    /// The Boolean slots of the leading loop, each with both values: one of them may say which lanes are
    /// at the header of the other.
    pub(super) fn flags(&mut self, of_target: bool) -> Result<Vec<Leader>, DenoteError> {
        let mut flags = Vec::new();
        self.on(of_target, |sides| {
            for slot in 0..sides.cut()?.slots.len() {
                if sides.scalar(slot) == Some(Scalar::Bool) && sides.begins(slot) {
                    let leader = |value| Leader { of_target, flag: Some((slot, value)) };
                    flags.extend([true, false].map(leader));
                }
            }
            Ok(flags)
        })
    }

    /// Where no lane is at the header of the loop behind, none comes back in the leading one. Where the
    /// source's loop leads, the target ends before it in any case.
    pub(super) fn ends_behind(&mut self, given: Hypotheses<'_>) -> Result<bool, DenoteError> {
        if self.loops.leads.is_none_or(|leader| leader.flag.is_none() || !leader.of_target) {
            return Ok(true);
        }
        let none = self.on(false, BothSides::no_lane_is_live)?;
        let known = [given.known, &[none]].concat();
        let lane = self.lane;
        let back = self.live_leading(Moment::After, lane)?;
        self.never(Hypotheses { known: &known, ..given }, back)
    }

    /// The test of the leading loop, if it depends only on the lane's state; or the flag's.
    pub(super) fn read_test(&mut self) -> Result<Option<Test>, DenoteError> {
        let stand_in = self.enter_quantifier()?;
        if let Some(Leader { of_target, flag: Some((slot, value)) }) = self.loops.leads {
            let held = self.on(of_target, |sides| sides.held(Moment::Before, slot, stand_in));
            self.world.quantifiers.leave();
            let [leaf] = held?[..] else { return Ok(None) };
            let stays = if value { leaf.bits } else { self.pool.not(leaf.bits) };
            return Ok(Some(Test { stand_in, stays }));
        }
        let found = self.on(self.of_leading(), |sides| {
            let back = sides.live(Moment::After, stand_in)?;
            let comes_back = sides.assuming_live(back, stand_in)?;
            let is_test = sides.is_of_moment(comes_back, &[stand_in]);
            Ok(is_test.then_some(Test { stand_in, stays: comes_back }))
        });
        self.world.quantifiers.leave();
        found
    }

    /// A lane is at the header of the loop behind if and only if it is at that of the leading loop and
    /// passes its test.
    pub(super) fn is_behind(
        &mut self,
        test: Test,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let Test { stand_in, stays } = test;
        let stays = self.pool.substitute(stays, &HashMap::from([(stand_in, lane)]));
        let stays = match moment {
            Moment::Before => stays,
            _ => self.on(self.of_leading(), |sides| sides.with_state_of(stays, moment, &[lane]))?,
        };
        let live = self.live_leading(moment, lane)?;
        let stays = self.pool.and(live, stays);
        let other = self.on(!self.of_leading(), |sides| sides.live(moment, lane))?;
        Ok(self.pool.equal(other, stays))
    }

    /// The values of lanes that do not enter the loop behind.
    pub(super) fn as_begun(&mut self) -> Result<Vec<Relation>, DenoteError> {
        let mut found = Vec::new();
        for place in self.places()? {
            let leads = place.of_target == self.of_leading();
            if leads && self.on(place.of_target, |sides| sides.begins(place.slot)) {
                found.push(Relation::from(Statement::AsBegun(place)));
            }
        }
        Ok(found)
    }
}
