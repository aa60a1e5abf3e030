//! Candidate invariants at the header of a loop.
//!
//! The candidates are generic. A guard selects lanes; a candidate says that these lanes hold the
//! result, that their values are defined or unchanged, or that lanes that *agree* are treated
//! alike. Two lanes agree if one of them would leave when the lane that it selects is the other.

use laneproof_semantics::Scalar;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Node, Scan, Term};

use super::agreement::agree;
use super::ground::Ground;
use super::statement::{Candidate, Cutting, Guard, Moment};

impl Guard {
    pub(super) fn holds(
        self,
        ground: &mut Ground<'_, '_>,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let entered = ground.entered(lane)?;
        match self {
            Self::Entered => Ok(entered),
            Self::Live => ground.live(moment, lane),
            Self::Left => {
                let live = ground.live(moment, lane)?;
                let gone = ground.pool.not(live);
                Ok(ground.pool.and(entered, gone))
            }
            Self::Flag(slot, wanted) => {
                let Some(leaf) = ground.held(moment, slot, lane)?.first().copied() else {
                    return Ok(ground.pool.bool(false));
                };
                let defined = ground.pool.not(leaf.undefined);
                let bits = if wanted { leaf.bits } else { ground.pool.not(leaf.bits) };
                Ok(ground.pool.all([entered, defined, bits]))
            }
        }
    }
}

impl Candidate {
    /// The candidate for these lanes, as a term.
    pub(super) fn holds(
        self,
        ground: &mut Ground<'_, '_>,
        moment: Moment,
        i: Term,
        j: Term,
    ) -> Result<Term, DenoteError> {
        let (guard, right) = match self {
            Self::Answered(guard) => (guard, ground.disagrees(moment, i)?),
            Self::Holds(guard, slot) => (guard, ground.slot_disagrees(moment, slot, i)?),
            Self::Defined(guard, slot) => {
                let leaves = ground.held(moment, slot, i)?;
                (guard, ground.pool.any(leaves.iter().map(|leaf| leaf.undefined)))
            }
            Self::Unchanged(slot) => {
                let began = ground.held(Moment::Start, slot, i)?;
                let found = ground.held(moment, slot, i)?;
                (Guard::Entered, ground.differ(&began, &found))
            }
            Self::Same(slot) => {
                let here = ground.held(moment, slot, i)?;
                let there = ground.held(moment, slot, j)?;
                let other = Guard::Live.holds(ground, moment, j)?;
                let differ = ground.differ(&here, &there);
                (Guard::Live, ground.pool.and(other, differ))
            }
            Self::Done(slot, wanted) => {
                let done = Guard::Flag(slot, wanted).holds(ground, moment, i)?;
                (Guard::Left, ground.pool.not(done))
            }
            Self::Together(guard) => {
                let other = ground.entered(j)?;
                let Some(agree) = agree(ground, guard, moment, [i, j])? else {
                    return Err(DenoteError::Specification("lanes agree by what passes".into()));
                };
                let apart = apart(ground, guard, moment, i, j)?;
                (Guard::Entered, ground.pool.all([other, agree, apart]))
            }
            Self::Everybody => {
                let other = ground.entered(j)?;
                let apart = apart(ground, Guard::Live, moment, i, j)?;
                (Guard::Entered, ground.pool.and(other, apart))
            }
            Self::Linked(slot, cutting) => {
                // A mask contains only lanes that entered, so this concerns other lanes, too.
                let other = match cutting {
                    Cutting::Mask => ground.pool.bool(true),
                    _ => ground.entered(j)?,
                };
                let linked = ground.is_linked(cutting, moment, slot, [i, j])?;
                let stray = ground.pool.not(linked);
                (Guard::Entered, ground.pool.and(other, stray))
            }
            Self::Led(slot) => {
                let led = ground.is_led(moment, slot, i)?;
                (Guard::Entered, ground.pool.not(led))
            }
            Self::Spent(slot, cutting) => {
                let spent = ground.is_spent(cutting, moment, slot, i)?;
                (Guard::Left, ground.pool.not(spent))
            }
            Self::Stated(number, _) => {
                let holds = ground.is_stated(number, moment, i)?;
                (Guard::Entered, ground.pool.not(holds))
            }
            Self::Covers(slot, cut, own) => {
                let covers = ground.covers(slot, cut, own, moment, i)?;
                (Guard::Entered, ground.pool.not(covers))
            }
        };
        let guard = guard.holds(ground, moment, i)?;
        let fails = ground.pool.and(guard, right);
        Ok(ground.pool.not(fails))
    }
}

fn apart(
    ground: &mut Ground<'_, '_>,
    guard: Guard,
    moment: Moment,
    i: Term,
    j: Term,
) -> Result<Term, DenoteError> {
    let here = guard.holds(ground, moment, i)?;
    let there = guard.holds(ground, moment, j)?;
    let same = ground.pool.equal(here, there);
    Ok(ground.pool.not(same))
}

/// The term selects the first or last lane of some set.
pub(super) fn looks_for(node: &Node) -> bool {
    matches!(node, Node::Scan(Scan::Lowest | Scan::Highest, _))
}

/// Boolean slots.
fn flags(ground: &Ground<'_, '_>) -> Vec<Guard> {
    let slots =
        ground.slots().into_iter().filter(|&slot| ground.scalar(slot) == Some(Scalar::Bool));
    slots.flat_map(|slot| [Guard::Flag(slot, true), Guard::Flag(slot, false)]).collect()
}

/// Sets of lanes that may shrink in every iteration.
pub(super) fn drained(ground: &Ground<'_, '_>) -> Result<Vec<Guard>, DenoteError> {
    let mut guards = vec![Guard::Live];
    guards.extend(flags(ground));
    Ok(guards)
}

/// All candidates for this loop.
pub(super) fn candidates(ground: &mut Ground<'_, '_>) -> Result<Vec<Candidate>, DenoteError> {
    let flags = flags(ground);
    let mut all = vec![Candidate::Everybody];
    for guard in [Guard::Live].into_iter().chain(flags.iter().copied()) {
        let (i, j) = (ground.lane, ground.other);
        // Where a guard never ceases to hold, no two lanes agree. A flag may say which lanes are left to
        // do, or which are done.
        if let Some(holds) = agree(ground, guard, Moment::Before, [i, j])?
            && ground.pool.bool_of(holds) != Some(false)
        {
            all.push(Candidate::Together(guard));
        }
    }
    let answered: Vec<Guard> = [Guard::Left].into_iter().chain(flags.iter().copied()).collect();
    let local = ground.result_is_local()?;
    let returned = ground.returned_slot()?;
    for &guard in &answered {
        if local {
            all.push(Candidate::Answered(guard));
        }
        let slots = ground.slots();
        let fitting = slots.into_iter().filter(|&slot| !local || Some(slot) != returned);
        for slot in fitting.collect::<Vec<_>>() {
            if ground.fits_result(slot)? {
                all.push(Candidate::Holds(guard, slot));
            }
        }
    }
    for slot in ground.slots() {
        if ground.marked(slot) {
            all.push(Candidate::Defined(Guard::Entered, slot));
        }
        if ground.begins(slot) {
            all.push(Candidate::Unchanged(slot));
        }
        all.push(Candidate::Same(slot));
    }
    for flag in flags {
        if let Guard::Flag(slot, wanted) = flag {
            all.push(Candidate::Done(slot, wanted));
        }
    }
    all.extend(ground.claims.stated.iter().enumerate().map(|(index, it)| it.candidate(index)));
    if let Some(own) = ground.lacks_own_part()? {
        for (link, cutting) in ground.cuttings()? {
            all.extend([Candidate::Linked(link, cutting), Candidate::Spent(link, cutting)]);
            if cutting == Cutting::Mask {
                all.push(Candidate::Led(link));
            }
            for slot in ground.slots() {
                if slot != link && ground.begins(slot) && ground.fits_result(slot)? {
                    all.push(Candidate::Covers(slot, (link, cutting), own));
                }
            }
        }
    }
    Ok(all)
}
