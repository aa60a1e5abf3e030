//! Whether the interpreter runs a state under the readings that were asked for.
//!
//! It follows some readings in one way only. A run says something under another alternative only if
//! no instruction consults the reading in that state, whatever is chosen.

use std::collections::BTreeSet;

use laneproof_encode::{EncodedSide, EncodingPlan, RECONVERGENCE, SizeSet};
use laneproof_obligation::{Problem, build};

use super::Session;
use super::runs::fixed;
use crate::replay::{State, not_followed};

impl Session<'_> {
    /// A reading on which a run of either side from this state depends, and of which the interpreter
    /// follows another alternative.
    pub(super) fn read_otherwise(&self, state: &State) -> Option<String> {
        self.otherwise(state, true)
    }

    /// The same of a run of the source.
    pub(super) fn source_read_otherwise(&self, state: &State) -> Option<String> {
        self.otherwise(state, false)
    }

    fn otherwise(&self, state: &State, both: bool) -> Option<String> {
        let kernel = self.source.program.is_kernel();
        let mut unfollowed = not_followed(self.problem.specification, self.problem.settled, kernel);
        // What depends on this one is judged by itself.
        unfollowed.remove(RECONVERGENCE);
        // One that is not settled has no encoding where it is consulted.
        unfollowed.retain(|reading| self.problem.settled.alternative(reading).is_some());
        let any = unfollowed.first()?.clone();
        let fixed = fixed(state);
        let problem = Problem { fixed: Some(&fixed), ..self.problem };
        let plan = EncodingPlan::per_lane(SizeSet::One(state.size), false);
        // What is not encoded may consult any.
        let Ok(built) = build(&problem, &plan, self.effort.limits.deadline()) else {
            return Some(any);
        };
        if built.pool.bool_of(built.asks.overrun) != Some(false) {
            return Some(any);
        }
        let target = built.target.as_ref().filter(|_| both);
        let sides = [Some(&built.source), target].into_iter().flatten();
        let consulted: BTreeSet<&str> = sides.flat_map(EncodedSide::readings).collect();
        unfollowed.into_iter().find(|it| consulted.contains(it.as_str()))
    }
}
