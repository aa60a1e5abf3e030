//! Whether the interpreter runs a state under the readings that were asked for.
//!
//! It follows some readings in one way only. A run says something under another alternative only if
//! no instruction consults the reading in that state, whatever is chosen.

use std::collections::BTreeSet;

use laneproof_encode::{EncodedSide, EncodingPlan, RECONVERGENCE, SizeSet};
use laneproof_obligation::{Built, Problem, build};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::term::GroundValue;

use super::Session;
use super::runs::fixed;
use crate::replay::{State, not_followed, usual};

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
        // What the profile leaves open is judged under each alternative.
        let asked = &self.options.readings;
        unfollowed.retain(|reading| asked.iter().any(|(name, _)| name == reading));
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
        unfollowed.retain(|it| consulted.contains(it.as_str()));
        let first = unfollowed.first()?.clone();
        // An instruction may consult a reading where it changes nothing.
        let usual = as_run(self.problem.specification, self.problem.settled, kernel, &unfollowed);
        let problem = Problem { settled: &usual, ..problem };
        let as_asked = outcome(&built, both);
        match build(&problem, &plan, self.effort.limits.deadline()) {
            Ok(built) if as_asked.is_some() && outcome(&built, both) == as_asked => None,
            _ => Some(first),
        }
    }
}

/// What comes of a state in which no choice is left: whether the source behaves, its results are legal
/// and, if the target counts, whether that fails, whether the results differ, and what the target gives.
fn outcome(built: &Built<'_>, both: bool) -> Option<Vec<GroundValue>> {
    let asks = &built.asks;
    let of_source = [asks.source_behaves, asks.source_legal];
    let of_target = [asks.target_fails, asks.disagrees];
    let conditions = of_source.into_iter().chain(of_target.into_iter().filter(|_| both));
    let results = built.returned.iter().filter(|_| both).map(|(_, bits)| *bits);
    conditions.chain(results).map(|it| built.pool.constant(it)).collect()
}

/// These readings as the interpreter reads them.
fn as_run(
    specification: &Specification,
    settled: &Settled,
    kernel: bool,
    readings: &BTreeSet<String>,
) -> Settled {
    let usual = usual(specification, kernel);
    let alternatives = readings.iter().filter_map(|it| Some((it, usual.alternative(it)?)));
    alternatives
        .fold(settled.clone(), |settled, (reading, alternative)| settled.with(reading, alternative))
}
