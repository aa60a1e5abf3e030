//! What lanes return that have left two loops.
//!
//! The two sides may compute a result from what a lane holds in different ways: `r + 1` after one loop,
//! and `1 + r` returned from within the other. So no slot of the one equals one of the other. But where the
//! results follow from what the lane itself holds, they are equal from the iteration on in which it leaves,
//! since what it holds does not change any more.

use std::collections::{HashMap, HashSet};

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Node, Symbol, Term};

use super::both_sides::BothSides;
use super::places::Hypotheses;
use super::statement::Moment;

impl BothSides<'_, '_> {
    /// A lane has left the loops and returns something else than the source allows, by what it holds.
    fn answers_apart(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        let entered = self.entered(lane)?;
        let live = self.live(moment, lane)?;
        let gone = self.pool.not(live);
        let disagrees = self.disagrees(Moment::Before, lane)?;
        let disagrees = self.with_state_of_both(disagrees, moment, lane)?;
        Ok(self.pool.all([entered, gone, disagrees]))
    }

    /// Lanes that have left return the same, as far as iterations go.
    pub(super) fn stay_answered(&mut self, given: Hypotheses<'_>) -> Result<bool, DenoteError> {
        let lane = self.lane;
        let disagrees = self.disagrees(Moment::Before, lane)?;
        // Where one loop leads, lanes leave at different times.
        if self.loops.leads.is_some() || !self.is_of_lane_in_both(disagrees, lane) {
            return Ok(false);
        }
        let before = self.are_answered()?;
        let bad = self.answers_apart(Moment::After, lane)?;
        let known = [given.known, &[before]].concat();
        self.never(Hypotheses { known: &known, ..given }, bad)
    }

    /// All lanes that have left return the same.
    pub(super) fn are_answered(&mut self) -> Result<Term, DenoteError> {
        self.of_any_lane(|sides, any| {
            let apart = sides.answers_apart(Moment::Before, any)?;
            Ok(sides.pool.not(apart))
        })
    }

    /// Moves a term about what a lane holds in both loops to another moment, in both at once.
    fn with_state_of_both(
        &mut self,
        term: Term,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let mut replacements = HashMap::new();
        for place in self.places()? {
            let before = self.held_in(place, Moment::Before, lane)?;
            let there = self.held_in(place, moment, lane)?;
            for (before, there) in before.iter().zip(there) {
                replacements.entry(before.bits).or_insert(there.bits);
                replacements.entry(before.undefined).or_insert(there.undefined);
            }
        }
        replacements.retain(|before, _| self.pool.constant(*before).is_none());
        Ok(self.pool.substitute(term, &replacements))
    }

    /// A term depends only on what this lane holds in the two loops, and on what is equal in all
    /// iterations.
    fn is_of_lane_in_both(&mut self, term: Term, lane: Term) -> bool {
        let held = |sides: &Self, of_target: bool| {
            let side = if of_target { &sides.target } else { &sides.source };
            side.header
                .held
                .values()
                .flat_map(|&(bits, mark)| [Some(bits), mark])
                .flatten()
                .collect()
        };
        let held: [HashSet<Symbol>; 2] = [false, true].map(|of_target| held(self, of_target));
        // What each of the loops has its own symbols for is looked at by itself.
        let direct = self.pool.reachable(&[term]);
        let elsewhere = direct.iter().any(|it| match *self.pool.node(*it) {
            Node::Apply(symbol, at) => at != lane && held.iter().any(|of| of.contains(&symbol)),
            _ => false,
        });
        let mut replaced = HashMap::new();
        for it in direct {
            if let Node::Apply(symbol, at) = *self.pool.node(it)
                && at == lane
                && held.iter().any(|of| of.contains(&symbol))
            {
                let sort = self.pool.sort(it);
                replaced.insert(it, self.pool.fresh("held", sort));
            }
        }
        let without = self.pool.substitute(term, &replaced);
        !elsewhere && self.is_of_moment(without, &[lane])
    }
}
