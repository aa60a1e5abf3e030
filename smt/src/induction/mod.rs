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
use std::time::Duration;

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use crate::limit::Limits;
use crate::obligation::{Problem, Sizes};
use crate::question::{Questions, Stage};
use candidates::{Candidate, Extent, Guard, candidates, drained, fallen};
use ground::{Ground, Moment, Part};

/// What became of an attempt.
pub(crate) enum Induced {
    /// The target refines the source, as far as there are states at all; the readings consulted.
    Proved(BTreeSet<String>),
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
    spent: &mut Duration,
) -> Induced {
    match attempt(problem, sizes, limits, questions, spent) {
        Ok(induced) => induced,
        Err(error) => Induced::Unknown(error.to_string()),
    }
}

fn attempt(
    problem: &Problem<'_>,
    sizes: &Sizes,
    limits: &Limits,
    questions: &Questions,
    spent: &mut Duration,
) -> Result<Induced, DenoteError> {
    let mut ground = Ground::new(problem, sizes, limits, questions, spent)?;
    let unknown = |why: &str| Ok(Induced::Unknown(why.into()));
    if let Some(why) = ground.out_of_scope() {
        return unknown(why);
    }
    let bad = ground.bad(Part::Before)?;
    let behaves = ground.source_behaves(Part::Before)?;
    if !ground.excluded(Stage::Enters, &[], &behaves, bad)? {
        return unknown("what goes before the loop may misbehave");
    }
    let all = candidates(&mut ground)?;
    // What is seldom needed makes every question longer.
    let common: Vec<Candidate> = all.iter().copied().filter(Candidate::is_common).collect();
    let mut why = concluded(&mut ground, &common)?;
    if why.is_some() && common.len() < all.len() {
        why = concluded(&mut ground, &all)?;
    }
    match why.or_else(|| ground.out_of_scope()) {
        Some(why) => unknown(why),
        None => Ok(Induced::Proved(ground.readings())),
    }
}

/// What the inductive ones among the candidates do not say enough for; `None` where they do.
fn concluded(
    ground: &mut Ground<'_, '_>,
    candidates: &[Candidate],
) -> Result<Option<&'static str>, DenoteError> {
    let (answers, rest): (Vec<Candidate>, Vec<Candidate>) =
        candidates.iter().partition(|it| it.speaks_of() == Extent::Answer);
    let invariant = inductive(ground, rest, &[])?;
    let invariant = known(ground, &invariant)?;

    // A round behaves, and brings the loop nearer to its end.
    let behaves = ground.source_behaves(Part::Round)?;
    let bad = ground.bad(Part::Round)?;
    if !ground.excluded(Stage::Behaves, &invariant, &behaves, bad)? {
        return Ok(Some("a round may misbehave"));
    }
    let lane = ground.lane;
    let live = ground.live(Moment::Before, lane)?;
    if ground.target_loops() {
        let mut ends = false;
        for guard in drained(ground)? {
            ends = ends || advances(ground, [&invariant, &behaves], guard, live)?;
        }
        if !ends {
            return Ok(Some("no lane is known to leave in every round"));
        }
    }

    // When it is over, the results are right.
    let answers = inductive(ground, answers, &invariant)?;
    let invariant = [invariant, known(ground, &answers)?].concat();
    if !ground.satisfiable(&[&behaves[..], &invariant, &[live]].concat())? {
        return Ok(Some("no state is known in which the loop is entered"));
    }
    let behaves = ground.source_behaves(Part::After)?;
    let mut over = invariant;
    over.push(ground.nobody_is_live()?);
    let mut bad = vec![ground.bad(Part::After)?];
    bad.push(ground.disagrees(Moment::Before, lane)?);
    let bad = ground.pool.any(bad);
    let entered = ground.enters(lane);
    let bad = ground.pool.and(entered, bad);
    if !ground.excluded(Stage::Answers, &over, &behaves, bad)? {
        return Ok(Some("the invariant found does not say enough"));
    }
    if !ground.satisfiable(&[&behaves[..], &over, &[entered]].concat())? {
        return Ok(Some("no state is known in which the loop is over"));
    }
    Ok(None)
}

/// The candidates that hold at first and that every round keeps in which `given` holds, which
/// every round keeps, too.
fn inductive(
    ground: &mut Ground<'_, '_>,
    candidates: Vec<Candidate>,
    given: &[Term],
) -> Result<Vec<Candidate>, DenoteError> {
    let [i, j] = [ground.lane, ground.other];
    let behaves = ground.source_behaves(Part::Before)?;
    let mut kept = Vec::new();
    for candidate in candidates {
        let holds = candidate.holds(ground, Moment::Start, i, j)?;
        let fails = ground.pool.not(holds);
        if ground.excluded(Stage::Begins, &[], &behaves, fails)? {
            kept.push(candidate);
        }
    }
    // Nothing is asked again unless something was dropped since.
    let behaves = ground.source_behaves(Part::Round)?;
    let (mut index, mut since) = (0, 0);
    while since < kept.len() {
        index %= kept.len();
        let known = [given, &known(ground, &kept)?].concat();
        let holds = kept[index].holds(ground, Moment::After, i, j)?;
        let fails = ground.pool.not(holds);
        if ground.excluded(Stage::Stays, &known, &behaves, fails)? {
            (index, since) = (index + 1, since + 1);
        } else {
            kept.remove(index);
            since = 0;
        }
    }
    Ok(kept)
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
    [known, behaves]: [&[Term]; 2],
    guard: Guard,
    live: Term,
) -> Result<bool, DenoteError> {
    let lane = ground.lane;
    let after = guard.holds(ground, Moment::After, lane)?;
    let before = guard.holds(ground, Moment::Before, lane)?;
    let stays_out = ground.pool.not(before);
    let comes = ground.pool.and(after, stays_out);
    if !ground.excluded(Stage::Ends, known, behaves, comes)? {
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
    ground.excluded(Stage::Ends, known, behaves, stuck)
}
