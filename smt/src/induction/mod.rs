//! A loop of however many rounds, by induction over them.
//!
//! One side has a loop that is cut open at its header ([`crate::flat::Cut`]). An invariant, which
//! speaks of one lane or of any two, is guessed ([`candidates`]) and thinned out until every
//! round keeps it. What it says when nobody is left in the loop must be enough for the result.
//! Of the target's rounds it must follow that each behaves and that some lane leaves; of the
//! source's both is presumed, since states in which it does otherwise are excluded. All questions
//! are about a few lanes and known by instances ([`crate::survey`]): what follows, follows; a
//! model says nothing, and leaves it to the rounds written out.

mod candidates;
mod ground;

use std::collections::BTreeSet;

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use crate::limit::Limits;
use crate::obligation::{Problem, Sizes};
use crate::question::{Questions, Stage};
use crate::verdict::Rung;
use candidates::{Candidate, Extent, Guard, candidates, drained, fallen};
use ground::{Ground, Moment, Part};

/// What became of an attempt.
pub(crate) enum Induced {
    /// The target refines the source, as far as there are states at all.
    Proved(Rung, BTreeSet<String>),
    /// Why not.
    Unknown(String),
}

/// Tries to prove that the target refines the source at all sizes, one of the two having a loop
/// that is cut open.
pub(crate) fn induct(
    problem: &Problem<'_>,
    sizes: &Sizes,
    limits: &Limits,
    questions: &Questions,
) -> Induced {
    match attempt(problem, sizes, limits, questions) {
        Ok(induced) => induced,
        Err(error) => Induced::Unknown(error.to_string()),
    }
}

fn attempt(
    problem: &Problem<'_>,
    sizes: &Sizes,
    limits: &Limits,
    questions: &Questions,
) -> Result<Induced, DenoteError> {
    let mut ground = Ground::new(problem, sizes, limits, questions)?;
    let unknown = |why: &str| Ok(Induced::Unknown(why.into()));
    if let Some(why) = ground.out_of_scope() {
        return unknown(why);
    }
    let bad = ground.bad(Part::Before)?;
    let behaves = ground.source_behaves(Part::Before)?;
    if !ground.excluded(Stage::Enters, &behaves, bad)? {
        return unknown("what goes before the loop may misbehave");
    }
    let invariant = invariant(&mut ground)?;
    let known = known(&mut ground, &invariant)?;

    // A round behaves, and brings the loop nearer to its end.
    let mut within = ground.source_behaves(Part::Round)?;
    within.extend(&known);
    let bad = ground.bad(Part::Round)?;
    if !ground.excluded(Stage::Behaves, &within, bad)? {
        return unknown("a round may misbehave");
    }
    let lane = ground.lane;
    let live = ground.live(Moment::Before, lane)?;
    if ground.target_loops() {
        let mut ends = false;
        for guard in drained(&ground)? {
            ends = ends || advances(&mut ground, &within, guard, live)?;
        }
        if !ends {
            return unknown("no lane is known to leave in every round");
        }
    }
    let mut met = within.clone();
    met.push(live);
    if !ground.satisfiable(&met)? {
        return unknown("no state is known in which the loop is entered");
    }

    // When it is over, the results are right.
    let mut over = ground.source_behaves(Part::After)?;
    over.extend(&known);
    over.push(ground.nobody_is_live()?);
    let mut bad = vec![ground.bad(Part::After)?];
    bad.push(ground.disagrees(Moment::Before, lane)?);
    let bad = ground.pool.any(bad);
    let entered = ground.enters(lane);
    let bad = ground.pool.and(entered, bad);
    if !ground.excluded(Stage::Answers, &over, bad)? {
        return unknown("the invariant found does not say enough");
    }
    over.push(entered);
    if !ground.satisfiable(&over)? {
        return unknown("no state is known in which the loop is over");
    }
    if let Some(why) = ground.out_of_scope() {
        return unknown(why);
    }
    Ok(Induced::Proved(ground.rung(), ground.readings()))
}

/// The candidates that hold at first and that every round keeps.
fn invariant(ground: &mut Ground<'_, '_>) -> Result<Vec<Candidate>, DenoteError> {
    let [i, j] = [ground.lane, ground.other];
    let mut kept = Vec::new();
    let behaves = ground.source_behaves(Part::Before)?;
    for candidate in candidates(ground)? {
        let holds = candidate.holds(ground, Moment::Start, i, j)?;
        let fails = ground.pool.not(holds);
        if ground.excluded(Stage::Begins, &behaves, fails)? {
            kept.push(candidate);
        }
    }
    loop {
        let before = kept.len();
        let mut index = 0;
        while index < kept.len() {
            let mut hypotheses = ground.source_behaves(Part::Round)?;
            hypotheses.extend(known(ground, &kept)?);
            let holds = kept[index].holds(ground, Moment::After, i, j)?;
            let fails = ground.pool.not(holds);
            if ground.excluded(Stage::Stays, &hypotheses, fails)? {
                index += 1;
            } else {
                kept.remove(index);
            }
        }
        if kept.len() == before {
            return Ok(kept);
        }
    }
}

/// That the candidates hold of any two lanes when a round begins.
fn known(ground: &mut Ground<'_, '_>, candidates: &[Candidate]) -> Result<Vec<Term>, DenoteError> {
    let mut known = Vec::new();
    for candidate in candidates {
        match candidate.speaks_of() {
            // Answers are long, and nobody asks for those of other lanes.
            Extent::Answer => known
                .push(ground.of_focus(|ground, i| candidate.holds(ground, Moment::Before, i, i))?),
            Extent::Lane => known.push(
                ground.of_any_lane(|ground, i| candidate.holds(ground, Moment::Before, i, i))?,
            ),
            Extent::Pair => known.push(
                ground.of_any_two(|ground, i, j| candidate.holds(ground, Moment::Before, i, j))?,
            ),
        }
    }
    Ok(known)
}

/// In a round that `live` is in, some lane that is named leaves the loop, or the lanes that
/// `guard` holds of; and nobody comes to be among these.
fn advances(
    ground: &mut Ground<'_, '_>,
    within: &[Term],
    guard: Guard,
    live: Term,
) -> Result<bool, DenoteError> {
    let lane = ground.lane;
    let after = guard.holds(ground, Moment::After, lane)?;
    let before = guard.holds(ground, Moment::Before, lane)?;
    let stays_out = ground.pool.not(before);
    let comes = ground.pool.and(after, stays_out);
    if !ground.excluded(Stage::Ends, within, comes)? {
        return Ok(false);
    }
    let mut leave = Vec::new();
    for named in ground.named_lanes()? {
        for guard in [Guard::Live, guard] {
            leave.push(fallen(ground, guard, named)?);
        }
    }
    let advances = ground.pool.any(leave);
    let nobody = ground.pool.not(advances);
    let stuck = ground.pool.and(live, nobody);
    ground.excluded(Stage::Ends, within, stuck)
}
