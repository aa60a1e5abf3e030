//! Loops with any number of iterations, by induction.
//!
//! One side has a loop that is cut open at its header ([`laneproof_lower::Cut`]). The invariant, about one lane or any two, begins as a
//! conjunction of all candidates (`candidates`); candidates that an iteration does not preserve are dropped until the rest is inductive.
//! When no lane is left in the loop, the invariant must imply the result. If the target has the loop, each iteration must behave and make
//! progress; if the source has it, both are hypotheses, because other states are excluded. All queries are about a few lanes, with
//! quantifiers instantiated at them (`quantifier`): proofs are sound, and a model decides nothing; then unrolling has to decide. If both
//! sides have a loop, their iterations are related one by one (`lockstep`).

mod agreement;
mod answers;
mod asked;
mod both_sides;
mod candidates;
mod classes;
mod dependence;
mod effects;
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
mod touched;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use laneproof_ask::{Questions, Stage};
use laneproof_encode::SizeSet;
use laneproof_obligation::Problem;
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use agreement::fallen;
use both_sides::BothSides;
use candidates::{candidates, drained};
use effects::Part;
use lockstep::{Lockstep, Way};
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
        let (way, met_sums) = (Way::Whole, Cell::new(false));
        let lockstep = Lockstep { problem, sizes, limits, questions, way, met_sums };
        return lockstep.attempt(spent, stated);
    }
    let mut sides = BothSides::new(problem, sizes, limits, questions, spent, stated)?;
    if let Some(why) = sides.out_of_scope() {
        return Ok(Induced::Unknown(why));
    }
    let bad = sides.bad(Part::Before)?;
    let behaves = sides.source_behaves(Part::Before)?;
    if !sides.excluded(Stage::Enters, &[], &behaves, bad)? {
        return Ok(sides.gives_up("what goes before the loop may misbehave"));
    }
    // Candidates that are rarely needed make every query longer, so they come second.
    let mut why = Some("an invariant is stated");
    if sides.claims.invariants.is_empty() && !sides.has_links()? {
        let common = candidates(&mut sides)?.into_iter().filter(Candidate::is_common);
        why = concluded(&mut sides, &common.collect::<Vec<_>>())?;
    }
    if why.is_some() {
        sides.join_covers()?;
        sides.read_invariants();
        sides.take_time(whole)?;
        let mut all = candidates(&mut sides)?;
        // The iterations of a scan change its slots.
        let scan = sides.lacks_own_part()?.is_some();
        all.retain(|it| !(scan && matches!(it, Candidate::Unchanged(_))));
        why = concluded(&mut sides, &all)?;
        sides.stand();
    }
    match (why, sides.out_of_scope()) {
        (Some(why), _) => Ok(sides.gives_up(why)),
        (None, Some(why)) => Ok(Induced::Unknown(why)),
        (None, None) => Ok(Induced::Proved {
            readings: sides.readings(),
            asks_for_place: sides.world.entry.place.consulted,
        }),
    }
}

/// The conclusion that does not follow from the inductive candidates; `None` if all follow.
fn concluded(
    sides: &mut BothSides<'_, '_>,
    candidates: &[Candidate],
) -> Result<Option<&'static str>, DenoteError> {
    let of = |wanted: &[Extent]| -> Vec<Candidate> {
        candidates.iter().copied().filter(|it| wanted.contains(&it.speaks_of())).collect()
    };
    let links = inductive(sides, of(&[Extent::Lane, Extent::Pair, Extent::Focus]), &[])?;
    let mut invariant = known(sides, &links)?;
    let covers = of(&[Extent::Cover]).into_iter();
    let covers = covers.filter(|it| {
        let bases = it.rests_on();
        bases.is_empty() || bases.iter().any(|base| links.contains(base))
    });
    let covers = inductive(sides, covers.collect(), &invariant)?;
    invariant.extend(known(sides, &covers)?);

    // An iteration behaves, and makes progress.
    let behaves = sides.source_behaves(Part::Iteration)?;
    let bad = sides.bad(Part::Iteration)?;
    if !sides.excluded(Stage::Behaves, &invariant, &behaves, bad)? {
        return Ok(Some("an iteration may misbehave"));
    }
    let lane = sides.lane;
    let live = sides.live(Moment::Before, lane)?;
    if sides.target_loops() {
        let mut ends = false;
        for guard in drained(sides)? {
            ends = ends || advances(sides, [&invariant, &behaves], guard, live)?;
        }
        for (slot, _) in sides.cuttings()?.into_iter().filter(|it| it.1 == Cutting::Mask) {
            ends = ends || clears(sides, [&invariant, &behaves], slot, live)?;
        }
        for slot in sides.numbers() {
            for monotonicity in Monotonicity::ALL {
                ends = ends || moves(sides, [&invariant, &behaves], (slot, monotonicity), live)?;
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
    let answers = inductive(sides, answers, &invariant)?;
    invariant.extend(known(sides, &answers)?);
    answered(sides, &invariant)
}

/// The condition on results after the loop that does not follow; `None` if all follow.
fn answered(
    sides: &mut BothSides<'_, '_>,
    invariant: &[Term],
) -> Result<Option<&'static str>, DenoteError> {
    let lane = sides.lane;
    let live = sides.live(Moment::Before, lane)?;
    let behaves = sides.source_behaves(Part::Iteration)?;
    if !sides.satisfiable(&[&behaves[..], invariant, &[live]].concat())? {
        return Ok(Some("no state is known in which the loop is entered"));
    }
    let behaves = sides.source_behaves(Part::After)?;
    let mut over = invariant.to_vec();
    over.push(sides.no_lane_is_live()?);
    let mut bad = vec![sides.bad(Part::After)?];
    bad.push(sides.disagrees(Moment::Before, lane)?);
    let bad = sides.pool.any(bad);
    let entered = sides.enters(lane);
    let bad = sides.pool.and(entered, bad);
    if !sides.excluded(Stage::Answers, &over, &behaves, bad)? {
        return Ok(Some("the invariant found does not say enough"));
    }
    if !sides.satisfiable(&[&behaves[..], &over, &[entered]].concat())? {
        return Ok(Some("no state is known in which the loop is over"));
    }
    Ok(None)
}

/// The candidates that hold initially and that every iteration preserves, given `given`, which is inductive already.
fn inductive(
    sides: &mut BothSides<'_, '_>,
    candidates: Vec<Candidate>,
    given: &[Term],
) -> Result<Vec<Candidate>, DenoteError> {
    let [i, j] = [sides.lane, sides.other];
    let behaves = sides.source_behaves(Part::Before)?;
    let mut kept = Vec::new();
    for candidate in candidates {
        let holds = candidate.holds(sides, Moment::Start, i, j)?;
        let fails = sides.pool.not(holds);
        if sides.excluded(Stage::Begins, &[], &behaves, fails)? {
            kept.push(candidate);
        } else {
            sides.note_lost(candidate, Moment::Start)?;
        }
    }
    // A candidate is checked again only if another one was dropped since.
    let behaves = sides.source_behaves(Part::Iteration)?;
    let (mut index, mut since) = (0, 0);
    while since < kept.len() {
        index %= kept.len();
        let known = [given, &known(sides, &kept)?].concat();
        let holds = kept[index].holds(sides, Moment::After, i, j)?;
        let fails = sides.pool.not(holds);
        if sides.excluded(Stage::Stays, &known, &behaves, fails)? {
            (index, since) = (index + 1, since + 1);
        } else {
            let lost = kept.remove(index);
            sides.note_lost(lost, Moment::After)?;
            since = 0;
        }
    }
    Ok(kept)
}

/// The candidates hold for any two lanes when an iteration begins.
fn known(
    sides: &mut BothSides<'_, '_>,
    candidates: &[Candidate],
) -> Result<Vec<Term>, DenoteError> {
    let mut known = Vec::new();
    for candidate in candidates {
        match candidate.speaks_of() {
            // Results are large terms, and those of other lanes are not needed; nor the lowest lane of their masks.
            Extent::Answer | Extent::Focus => {
                known.push(sides.of_focus(|sides, i| candidate.holds(sides, Moment::Before, i, i))?)
            }
            Extent::Cover => {
                known.push(sides.of_named(|sides, i| candidate.holds(sides, Moment::Before, i, i))?)
            }
            Extent::Lane => known
                .push(sides.of_any_lane(|sides, i| candidate.holds(sides, Moment::Before, i, i))?),
            Extent::Pair => known.push(
                sides.of_any_two(|sides, i, j| candidate.holds(sides, Moment::Before, i, j))?,
            ),
        }
    }
    Ok(known)
}

/// In an iteration that `live` executes, some selected lane leaves the loop or the lanes of `guard`, and no lane joins these.
fn advances(
    sides: &mut BothSides<'_, '_>,
    [known, behaves]: [&[Term]; 2],
    guard: Guard,
    live: Term,
) -> Result<bool, DenoteError> {
    let lane = sides.lane;
    let after = guard.holds(sides, Moment::After, lane)?;
    let before = guard.holds(sides, Moment::Before, lane)?;
    let stays_out = sides.pool.not(before);
    let comes = sides.pool.and(after, stays_out);
    if !sides.excluded(Stage::Ends, known, behaves, comes)? {
        return Ok(false);
    }
    let mut leave = Vec::new();
    for named in sides.named_lanes()? {
        for guard in [Guard::Live, guard] {
            leave.push(fallen(sides, guard, named)?);
        }
    }
    let advances = sides.pool.any(leave);
    let no_lane = sides.pool.not(advances);
    let stuck = sides.pool.and(live, no_lane);
    sides.excluded(Stage::Ends, known, behaves, stuck)
}

/// In an iteration from which lanes come back, a slot is monotonic in all of them and changes in some, and no lane joins. This terminates,
/// because numbers and lanes are finite.
fn moves(
    sides: &mut BothSides<'_, '_>,
    [known, behaves]: [&[Term]; 2],
    (slot, monotonicity): (usize, Monotonicity),
    live: Term,
) -> Result<bool, DenoteError> {
    let lane = sides.lane;
    let breaks_monotonicity = sides.breaks_monotonicity(slot, monotonicity, lane)?;
    let comes = sides.live(Moment::After, lane)?;
    let from_outside = comes_from_outside(sides, live)?;
    let bad = sides.pool.or(breaks_monotonicity, from_outside);
    if !sides.excluded(Stage::Ends, known, behaves, bad)? {
        return Ok(false);
    }
    let still = sides.nothing_moves(slot)?;
    let stuck = sides.pool.and(comes, still);
    sides.excluded(Stage::Ends, known, behaves, stuck)
}

/// Each lane that comes back from an iteration has cleared a bit of its mask and set none, and no lane joins.
fn clears(
    sides: &mut BothSides<'_, '_>,
    [known, behaves]: [&[Term]; 2],
    slot: usize,
    live: Term,
) -> Result<bool, DenoteError> {
    let [lane, other] = [sides.lane, sides.other];
    let sets = sides.sets_bit(slot, [lane, other])?;
    let from_outside = comes_from_outside(sides, live)?;
    let bad = sides.pool.or(sets, from_outside);
    if !sides.excluded(Stage::Ends, known, behaves, bad)? {
        return Ok(false);
    }
    let mut cleared = Vec::new();
    for named in sides.named_lanes()? {
        cleared.push(sides.clears_bit(slot, [lane, named])?);
    }
    let some = sides.pool.any(cleared);
    let none = sides.pool.not(some);
    let comes = sides.live(Moment::After, lane)?;
    let stuck = sides.pool.and(comes, none);
    sides.excluded(Stage::Ends, known, behaves, stuck)
}

/// A lane comes back from an iteration that it did not execute.
fn comes_from_outside(sides: &mut BothSides<'_, '_>, live: Term) -> Result<Term, DenoteError> {
    let lane = sides.lane;
    let comes = sides.live(Moment::After, lane)?;
    let was_out = sides.pool.not(live);
    Ok(sides.pool.and(comes, was_out))
}
