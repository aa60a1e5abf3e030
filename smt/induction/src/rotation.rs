//! Two loops of which one is rotated: it is entered past a test, and tests at its end.
//!
//! Where the one tests at the top of an iteration and the other, behind an `if` of the same test, at the
//! bottom, the lanes at the header of the other are those that the one comes back from in this
//! iteration. The one *leads*: it has one iteration more, in which lanes only leave. Side by side both
//! go on, the other idle in the end. If it is the target's that leads, it ends one iteration after the
//! source's; if it is the source's, the target's ends before it.
//!
//! Lanes that enter the loop that leads and not the other go past no test, and hold what they began
//! with. Nothing looks at what they hold in a slot of the other, as nothing does of lanes that enter
//! no loop: it may be taken for anything.

use std::collections::HashMap;

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::ground::Ground;
use super::places::Place;
use super::relations::{Relation, Statement};
use super::statement::Moment;

/// The condition on which a lane at the header of the loop that leads comes back.
#[derive(Clone, Copy)]
pub(super) struct Test {
    /// A lane that stands for any.
    stand_in: Term,
    /// By what that lane holds at the header.
    comes_back: Term,
}

impl Ground<'_, '_> {
    /// The target's loop is looked at where one stands for both: the one that leads, or else the
    /// source's.
    pub(super) fn of_leading(&self) -> bool {
        self.loops.leads == Some(true)
    }

    /// A lane enters the loops of these slots.
    pub(super) fn entered_by(&mut self, places: &[Place], lane: Term) -> Result<Term, DenoteError> {
        let leading = self.of_leading();
        let entered = self.on(leading, |ground| ground.entered(lane))?;
        if self.loops.leads.is_none() || places.iter().all(|place| place.of_target == leading) {
            return Ok(entered);
        }
        let other = self.on(!leading, |ground| ground.entered(lane))?;
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
        let other = self.on(!leading, |ground| ground.live(moment, lane))?;
        Ok(self.pool.and(live, other))
    }

    /// What a lane holds in the second of two slots is looked at, beside the first. Of a slot of the
    /// loop that is behind, and that is not looked at when that is over, this is so of the lanes
    /// at its header alone: what others hold there may be taken for what the first, which is of the loop
    /// that leads and shown of all its lanes, holds.
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
            return self.on(second.of_target, |ground| ground.live(moment, lane));
        }
        self.entered_by(&[first, second], lane)
    }

    /// A lane is at the header of the loop that leads.
    pub(super) fn live_leading(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        self.on(self.of_leading(), |ground| ground.live(moment, lane))
    }

    /// The test of the loop that leads, if it depends on nothing but what a lane holds.
    pub(super) fn read_test(&mut self) -> Result<Option<Test>, DenoteError> {
        let stand_in = self.enter_survey()?;
        let found = self.on(self.of_leading(), |ground| {
            let back = ground.live(Moment::After, stand_in)?;
            let comes_back = ground.assuming_live(back, stand_in)?;
            let is_test = ground.is_of_moment(comes_back, &[stand_in]);
            Ok(is_test.then_some(Test { stand_in, comes_back }))
        });
        self.world.quantifiers.leave();
        found
    }

    /// A lane is at the header of the loop that is behind just if it is at that of the other and goes
    /// past its test.
    pub(super) fn is_behind(
        &mut self,
        test: Test,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let Test { stand_in, comes_back } = test;
        let comes_back = self.pool.substitute(comes_back, &HashMap::from([(stand_in, lane)]));
        let comes_back = match moment {
            Moment::Before => comes_back,
            _ => self.on(self.of_leading(), |ground| {
                ground.with_state_of(comes_back, moment, &[lane])
            })?,
        };
        let live = self.live_leading(moment, lane)?;
        let stays = self.pool.and(live, comes_back);
        let other = self.on(!self.of_leading(), |ground| ground.live(moment, lane))?;
        Ok(self.pool.equal(other, stays))
    }

    /// What lanes hold that do not enter the loop that is behind.
    pub(super) fn as_begun(&mut self) -> Result<Vec<Relation>, DenoteError> {
        let mut found = Vec::new();
        for place in self.places()? {
            let leads = place.of_target == self.of_leading();
            if leads && self.on(place.of_target, |ground| ground.begins(place.slot)) {
                found.push(Relation::from(Statement::AsBegun(place)));
            }
        }
        Ok(found)
    }
}
