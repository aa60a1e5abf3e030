//! Candidate invariants at the header of a loop.
//!
//! The candidates are generic. A guard selects lanes; a candidate says that these lanes hold the
//! result, that their values are defined or unchanged, or that lanes that *agree* are treated
//! alike. Two lanes agree if one of them would leave when the lane that it selects is the other.

use laneproof_semantics::Scalar;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Node, Scan, Term};

use super::agreement::agree;
use super::both_sides::BothSides;
use super::statement::{Candidate, Cutting, Guard, Moment};

impl Guard {
    pub(super) fn holds(
        self,
        sides: &mut BothSides<'_, '_>,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let entered = sides.entered(lane)?;
        match self {
            Self::Entered => Ok(entered),
            Self::Live => sides.live(moment, lane),
            Self::Left => {
                let live = sides.live(moment, lane)?;
                let gone = sides.pool.not(live);
                Ok(sides.pool.and(entered, gone))
            }
            Self::Flag(slot, wanted) => {
                let Some(leaf) = sides.held(moment, slot, lane)?.first().copied() else {
                    return Ok(sides.pool.bool(false));
                };
                let defined = sides.pool.not(leaf.undefined);
                let bits = if wanted { leaf.bits } else { sides.pool.not(leaf.bits) };
                Ok(sides.pool.all([entered, defined, bits]))
            }
        }
    }
}

impl Candidate {
    /// The candidate for these lanes, as a term.
    pub(super) fn holds(
        self,
        sides: &mut BothSides<'_, '_>,
        moment: Moment,
        i: Term,
        j: Term,
    ) -> Result<Term, DenoteError> {
        let (guard, right) = match self {
            Self::Answered(guard) => (guard, sides.disagrees(moment, i)?),
            Self::Holds(guard, slot) => (guard, sides.slot_disagrees(moment, slot, i)?),
            Self::Defined(guard, slot) => {
                let leaves = sides.held(moment, slot, i)?;
                (guard, sides.pool.any(leaves.iter().map(|leaf| leaf.undefined)))
            }
            Self::Unchanged(slot) => {
                let began = sides.held(Moment::Start, slot, i)?;
                let found = sides.held(moment, slot, i)?;
                (Guard::Entered, sides.differ(&began, &found))
            }
            Self::Same(slot) => {
                let here = sides.held(moment, slot, i)?;
                let there = sides.held(moment, slot, j)?;
                let other = Guard::Live.holds(sides, moment, j)?;
                let differ = sides.differ(&here, &there);
                (Guard::Live, sides.pool.and(other, differ))
            }
            Self::Done(slot, wanted) => {
                let done = Guard::Flag(slot, wanted).holds(sides, moment, i)?;
                (Guard::Left, sides.pool.not(done))
            }
            Self::Together(guard) => {
                let other = sides.entered(j)?;
                let Some(agree) = agree(sides, guard, moment, [i, j])? else {
                    return Err(DenoteError::Specification("lanes agree by what passes".into()));
                };
                let apart = apart(sides, guard, moment, i, j)?;
                (Guard::Entered, sides.pool.all([other, agree, apart]))
            }
            Self::Everybody => {
                let other = sides.entered(j)?;
                let apart = apart(sides, Guard::Live, moment, i, j)?;
                (Guard::Entered, sides.pool.and(other, apart))
            }
            Self::Linked(slot, cutting) => {
                // A mask contains only lanes that entered, so this concerns other lanes, too.
                let other = match cutting {
                    Cutting::Mask => sides.pool.bool(true),
                    _ => sides.entered(j)?,
                };
                let linked = sides.is_linked(cutting, moment, slot, [i, j])?;
                let stray = sides.pool.not(linked);
                (Guard::Entered, sides.pool.and(other, stray))
            }
            Self::LeadOutcome(slot) => {
                let led = sides.is_led(moment, slot, i)?;
                (Guard::Entered, sides.pool.not(led))
            }
            Self::Spent(slot, cutting) => {
                let spent = sides.is_spent(cutting, moment, slot, i)?;
                (Guard::Left, sides.pool.not(spent))
            }
            Self::Stated(number, _) => {
                let holds = sides.is_stated(number, moment, i)?;
                (Guard::Entered, sides.pool.not(holds))
            }
            Self::Covers(slot, cut, own) => {
                let covers = sides.covers(slot, cut, own, moment, i)?;
                (Guard::Entered, sides.pool.not(covers))
            }
        };
        let guard = guard.holds(sides, moment, i)?;
        let fails = sides.pool.and(guard, right);
        Ok(sides.pool.not(fails))
    }
}

fn apart(
    sides: &mut BothSides<'_, '_>,
    guard: Guard,
    moment: Moment,
    i: Term,
    j: Term,
) -> Result<Term, DenoteError> {
    let here = guard.holds(sides, moment, i)?;
    let there = guard.holds(sides, moment, j)?;
    let same = sides.pool.equal(here, there);
    Ok(sides.pool.not(same))
}

/// The term selects the first or last lane of some set.
pub(super) fn looks_for(node: &Node) -> bool {
    matches!(node, Node::Scan(Scan::Lowest | Scan::Highest, _))
}

/// Boolean slots.
fn flags(sides: &BothSides<'_, '_>) -> Vec<Guard> {
    let slots = sides.slots().into_iter().filter(|&slot| sides.scalar(slot) == Some(Scalar::Bool));
    slots.flat_map(|slot| [Guard::Flag(slot, true), Guard::Flag(slot, false)]).collect()
}

/// Sets of lanes that may shrink in every iteration.
pub(super) fn drained(sides: &BothSides<'_, '_>) -> Result<Vec<Guard>, DenoteError> {
    let mut guards = vec![Guard::Live];
    guards.extend(flags(sides));
    Ok(guards)
}

/// All candidates for this loop.
pub(super) fn candidates(sides: &mut BothSides<'_, '_>) -> Result<Vec<Candidate>, DenoteError> {
    let flags = flags(sides);
    let mut all = vec![Candidate::Everybody];
    for guard in [Guard::Live].into_iter().chain(flags.iter().copied()) {
        let (i, j) = (sides.lane, sides.other);
        // Where a guard never ceases to hold, no two lanes agree. A flag may say which lanes are left to
        // do, or which are done.
        if let Some(holds) = agree(sides, guard, Moment::Before, [i, j])?
            && sides.pool.bool_of(holds) != Some(false)
        {
            all.push(Candidate::Together(guard));
        }
    }
    let answered: Vec<Guard> = [Guard::Left].into_iter().chain(flags.iter().copied()).collect();
    let local = sides.result_is_local()?;
    let returned = sides.returned_slot()?;
    for &guard in &answered {
        if local {
            all.push(Candidate::Answered(guard));
        }
        let slots = sides.slots();
        let fitting = slots.into_iter().filter(|&slot| !local || Some(slot) != returned);
        for slot in fitting.collect::<Vec<_>>() {
            if sides.fits_result(slot)? {
                all.push(Candidate::Holds(guard, slot));
            }
        }
    }
    for slot in sides.slots() {
        if sides.marked(slot) {
            all.push(Candidate::Defined(Guard::Entered, slot));
        }
        if sides.begins(slot) {
            all.push(Candidate::Unchanged(slot));
        }
        all.push(Candidate::Same(slot));
    }
    for flag in flags {
        if let Guard::Flag(slot, wanted) = flag {
            all.push(Candidate::Done(slot, wanted));
        }
    }
    all.extend(sides.claims.stated.iter().enumerate().map(|(index, it)| it.candidate(index)));
    if let Some(own) = sides.lacks_own_part()? {
        for (link, cutting) in sides.cuttings()? {
            all.extend([Candidate::Linked(link, cutting), Candidate::Spent(link, cutting)]);
            if cutting == Cutting::Mask {
                all.push(Candidate::LeadOutcome(link));
            }
            for slot in sides.slots() {
                if slot != link && sides.begins(slot) && sides.fits_result(slot)? {
                    all.push(Candidate::Covers(slot, (link, cutting), own));
                }
            }
        }
    }
    Ok(all)
}
