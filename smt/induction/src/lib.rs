//! Loops with any number of iterations, by induction.
//!
//! One side has a loop that is cut open at its header ([`laneproof_lower::Cut`]). The invariant, about one lane or any two, begins as a
//! conjunction of all candidates (`candidates`); candidates that an iteration does not preserve are dropped until the rest is inductive.
//! When no lane is left in the loop, the invariant must imply the result. If the target has the loop, each iteration must behave and make
//! progress; if the source has it, both are hypotheses, because other states are excluded. All queries are about a few lanes, with
//! quantifiers instantiated at them (`quantifier`): proofs are sound, and a model decides nothing; then unrolling has to decide. If both
//! sides have a loop, their iterations are related one by one (`lockstep`).

mod agreement;
mod asked;
mod candidates;
mod classes;
mod dependence;
mod effects;
mod ground;
mod invariant;
mod links;
mod lockstep;
mod monotonicity;
mod places;
mod relations;
mod rotation;
mod state;
mod stated;
mod statement;

use std::collections::BTreeSet;
use std::time::Duration;

use laneproof_ask::{Questions, Stage};
use laneproof_encode::SizeSet;
use laneproof_obligation::Problem;
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use agreement::fallen;
use candidates::{candidates, drained};
use effects::Part;
use ground::Ground;
use lockstep::Lockstep;
use monotonicity::Monotonicity;
use statement::{Candidate, Cutting, Extent, Guard, Moment};

pub use crate::invariant::{Invariant, InvariantStatus};

/// The outcome of an attempt.
pub enum Induced {
    /// The target refines the source, possibly vacuously.
    Proved {
        /// The readings that were consulted.
        readings: BTreeSet<String>,
        /// Something depends on which subgroup of the workgroup this is.
        asks_for_place: bool,
    },
    /// Why not.
    Unknown(Unknown),
}

/// The invariants that a user states; their status is written here.
pub type StatedInvariants<'t> = &'t mut Vec<Invariant>;

/// Tries to prove that the target refines the source at all sizes, with loops cut open. The second limit applies if an invariant is likely
/// to be found, else the first.
pub fn induct(
    problem: &Problem<'_>,
    sizes: &SizeSet,
    limits: [&Limits; 2],
    questions: &Questions,
    spent: &mut Duration,
    stated: StatedInvariants<'_>,
) -> Induced {
    match attempt(problem, sizes, limits, questions, spent, stated) {
        Ok(induced) => induced,
        Err(error) => Induced::Unknown(error.into()),
    }
}

fn attempt(
    problem: &Problem<'_>,
    sizes: &SizeSet,
    [limits, whole]: [&Limits; 2],
    questions: &Questions,
    spent: &mut Duration,
    stated: StatedInvariants<'_>,
) -> Result<Induced, DenoteError> {
    if problem.source.cut.is_some() && problem.target.is_some_and(|target| target.cut.is_some()) {
        return Lockstep { problem, sizes, limits, questions }.attempt(spent, stated);
    }
    let mut ground = Ground::new(problem, sizes, limits, questions, spent, stated)?;
    if let Some(why) = ground.out_of_scope() {
        return Ok(Induced::Unknown(why));
    }
    let bad = ground.bad(Part::Before)?;
    let behaves = ground.source_behaves(Part::Before)?;
    if !ground.excluded(Stage::Enters, &[], &behaves, bad)? {
        return Ok(ground.gives_up("what goes before the loop may misbehave"));
    }
    // Candidates that are rarely needed make every query longer, so they come second.
    let mut why = Some("an invariant is stated");
    if ground.claims.invariants.is_empty() && !ground.has_links()? {
        let common = candidates(&mut ground)?.into_iter().filter(Candidate::is_common);
        why = concluded(&mut ground, &common.collect::<Vec<_>>())?;
    }
    if why.is_some() {
        ground.join_covers()?;
        ground.read_invariants();
        ground.take_time(whole)?;
        let mut all = candidates(&mut ground)?;
        // The iterations of a scan change its slots.
        let scan = ground.lacks_own_part()?.is_some();
        all.retain(|it| !(scan && matches!(it, Candidate::Unchanged(_))));
        why = concluded(&mut ground, &all)?;
        ground.stand();
    }
    match (why, ground.out_of_scope()) {
        (Some(why), _) => Ok(ground.gives_up(why)),
        (None, Some(why)) => Ok(Induced::Unknown(why)),
        (None, None) => Ok(Induced::Proved {
            readings: ground.readings(),
            asks_for_place: ground.world.entry.place.consulted,
        }),
    }
}

/// The conclusion that does not follow from the inductive candidates; `None` if all follow.
fn concluded(
    ground: &mut Ground<'_, '_>,
    candidates: &[Candidate],
) -> Result<Option<&'static str>, DenoteError> {
    let of = |wanted: &[Extent]| -> Vec<Candidate> {
        candidates.iter().copied().filter(|it| wanted.contains(&it.speaks_of())).collect()
    };
    let links = inductive(ground, of(&[Extent::Lane, Extent::Pair, Extent::Focus]), &[])?;
    let mut invariant = known(ground, &links)?;
    let covers = of(&[Extent::Cover]).into_iter();
    let covers = covers.filter(|it| {
        let bases = it.rests_on();
        bases.is_empty() || bases.iter().any(|base| links.contains(base))
    });
    let covers = inductive(ground, covers.collect(), &invariant)?;
    invariant.extend(known(ground, &covers)?);

    // An iteration behaves, and makes progress.
    let behaves = ground.source_behaves(Part::Iteration)?;
    let bad = ground.bad(Part::Iteration)?;
    if !ground.excluded(Stage::Behaves, &invariant, &behaves, bad)? {
        return Ok(Some("an iteration may misbehave"));
    }
    let lane = ground.lane;
    let live = ground.live(Moment::Before, lane)?;
    if ground.target_loops() {
        let mut ends = false;
        for guard in drained(ground)? {
            ends = ends || advances(ground, [&invariant, &behaves], guard, live)?;
        }
        for (slot, _) in ground.cuttings()?.into_iter().filter(|it| it.1 == Cutting::Mask) {
            ends = ends || clears(ground, [&invariant, &behaves], slot, live)?;
        }
        for slot in ground.numbers() {
            for monotonicity in Monotonicity::ALL {
                ends = ends || moves(ground, [&invariant, &behaves], (slot, monotonicity), live)?;
            }
        }
        if !ends {
            return Ok(Some("no lane is known to leave in every iteration"));
        }
    }

    // After the loop, the results are right.
    let mut answers = of(&[Extent::Answer]);
    if !covers.is_empty() {
        // The partial results determine the other slots.
        answers.retain(|it| matches!(it, Candidate::Answered(_)));
    }
    let answers = inductive(ground, answers, &invariant)?;
    invariant.extend(known(ground, &answers)?);
    answered(ground, &invariant)
}

/// The condition on results after the loop that does not follow; `None` if all follow.
fn answered(
    ground: &mut Ground<'_, '_>,
    invariant: &[Term],
) -> Result<Option<&'static str>, DenoteError> {
    let lane = ground.lane;
    let live = ground.live(Moment::Before, lane)?;
    let behaves = ground.source_behaves(Part::Iteration)?;
    if !ground.satisfiable(&[&behaves[..], invariant, &[live]].concat())? {
        return Ok(Some("no state is known in which the loop is entered"));
    }
    let behaves = ground.source_behaves(Part::After)?;
    let mut over = invariant.to_vec();
    over.push(ground.no_lane_is_live()?);
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

/// The candidates that hold initially and that every iteration preserves, given `given`, which is inductive already.
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
        } else {
            ground.note_lost(candidate, Moment::Start)?;
        }
    }
    // A candidate is checked again only if another one was dropped since.
    let behaves = ground.source_behaves(Part::Iteration)?;
    let (mut index, mut since) = (0, 0);
    while since < kept.len() {
        index %= kept.len();
        let known = [given, &known(ground, &kept)?].concat();
        let holds = kept[index].holds(ground, Moment::After, i, j)?;
        let fails = ground.pool.not(holds);
        if ground.excluded(Stage::Stays, &known, &behaves, fails)? {
            (index, since) = (index + 1, since + 1);
        } else {
            let lost = kept.remove(index);
            ground.note_lost(lost, Moment::After)?;
            since = 0;
        }
    }
    Ok(kept)
}

/// The candidates hold for any two lanes when an iteration begins.
fn known(ground: &mut Ground<'_, '_>, candidates: &[Candidate]) -> Result<Vec<Term>, DenoteError> {
    let mut known = Vec::new();
    for candidate in candidates {
        match candidate.speaks_of() {
            // Results are large terms, and those of other lanes are not needed; nor the lowest lane of their masks.
            Extent::Answer | Extent::Focus => known
                .push(ground.of_focus(|ground, i| candidate.holds(ground, Moment::Before, i, i))?),
            Extent::Cover => known
                .push(ground.of_named(|ground, i| candidate.holds(ground, Moment::Before, i, i))?),
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

/// In an iteration that `live` executes, some selected lane leaves the loop or the lanes of `guard`, and no lane joins these.
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
    let no_lane = ground.pool.not(advances);
    let stuck = ground.pool.and(live, no_lane);
    ground.excluded(Stage::Ends, known, behaves, stuck)
}

/// In an iteration from which lanes come back, a slot is monotonic in all of them and changes in some, and no lane joins. This terminates,
/// because numbers and lanes are finite.
fn moves(
    ground: &mut Ground<'_, '_>,
    [known, behaves]: [&[Term]; 2],
    (slot, monotonicity): (usize, Monotonicity),
    live: Term,
) -> Result<bool, DenoteError> {
    let lane = ground.lane;
    let breaks_monotonicity = ground.breaks_monotonicity(slot, monotonicity, lane)?;
    let comes = ground.live(Moment::After, lane)?;
    let from_outside = comes_from_outside(ground, live)?;
    let bad = ground.pool.or(breaks_monotonicity, from_outside);
    if !ground.excluded(Stage::Ends, known, behaves, bad)? {
        return Ok(false);
    }
    let still = ground.nothing_moves(slot)?;
    let stuck = ground.pool.and(comes, still);
    ground.excluded(Stage::Ends, known, behaves, stuck)
}

/// Each lane that comes back from an iteration has cleared a bit of its mask and set none, and no lane joins.
fn clears(
    ground: &mut Ground<'_, '_>,
    [known, behaves]: [&[Term]; 2],
    slot: usize,
    live: Term,
) -> Result<bool, DenoteError> {
    let [lane, other] = [ground.lane, ground.other];
    let sets = ground.sets_bit(slot, [lane, other])?;
    let from_outside = comes_from_outside(ground, live)?;
    let bad = ground.pool.or(sets, from_outside);
    if !ground.excluded(Stage::Ends, known, behaves, bad)? {
        return Ok(false);
    }
    let mut cleared = Vec::new();
    for named in ground.named_lanes()? {
        cleared.push(ground.clears_bit(slot, [lane, named])?);
    }
    let some = ground.pool.any(cleared);
    let none = ground.pool.not(some);
    let comes = ground.live(Moment::After, lane)?;
    let stuck = ground.pool.and(comes, none);
    ground.excluded(Stage::Ends, known, behaves, stuck)
}

/// A lane comes back from an iteration that it did not execute.
fn comes_from_outside(ground: &mut Ground<'_, '_>, live: Term) -> Result<Term, DenoteError> {
    let lane = ground.lane;
    let comes = ground.live(Moment::After, lane)?;
    let was_out = ground.pool.not(live);
    Ok(ground.pool.and(comes, was_out))
}
