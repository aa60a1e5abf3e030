//! Agreement of lanes: a guard ceases to hold for one of them if the lane that it selects is the
//! other.

use std::collections::HashMap;

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::both_sides::BothSides;
use super::statement::{Agreement, Guard, Moment};

/// In this iteration the guard ceases to hold for a lane.
pub(super) fn fallen(
    sides: &mut BothSides<'_, '_>,
    guard: Guard,
    lane: Term,
) -> Result<Term, DenoteError> {
    let before = guard.holds(sides, Moment::Before, lane)?;
    let after = guard.holds(sides, Moment::After, lane)?;
    let gone = sides.pool.not(after);
    Ok(sides.pool.and(before, gone))
}

/// Whether two lanes agree, by their state at a moment; `None` if agreement depends on more than
/// their state. One condition is used for all lanes and moments, so a candidate means the same as a
/// hypothesis and as a conclusion.
pub(super) fn agree(
    sides: &mut BothSides<'_, '_>,
    guard: Guard,
    moment: Moment,
    lanes: [Term; 2],
) -> Result<Option<Term>, DenoteError> {
    let known = match sides.known.agreements.get(&guard) {
        Some(&known) => known,
        None => {
            let stand_in = [sides.enter_quantifier()?, sides.enter_quantifier()?];
            let read = agreement(sides, guard, stand_in);
            (0..stand_in.len()).for_each(|_| sides.world.quantifiers.leave());
            let read = read?;
            sides.known.agreements.insert(guard, read);
            read
        }
    };
    let Some(agreement) = known else { return Ok(None) };
    let places = HashMap::from([0, 1].map(|it| (agreement.lanes[it], lanes[it])));
    let holds = sides.pool.substitute(agreement.holds, &places);
    match moment {
        Moment::Before => Ok(Some(holds)),
        _ => sides.with_state_of(holds, moment, &lanes).map(Some),
    }
}

/// The condition under which the guard ceases to hold for lane `i`, with `j` as the first or last
/// lane that is selected, both at the header and without undefined values. `None` if it depends on
/// something else that changes between iterations.
fn agreement(
    sides: &mut BothSides<'_, '_>,
    guard: Guard,
    [i, j]: [Term; 2],
) -> Result<Option<Agreement>, DenoteError> {
    let falls = fallen(sides, guard, i)?;
    let falls = sides.per_lane(falls);
    let falls = sides.assuming_live(falls, i)?;
    let in_any_iteration = falling(sides, falls, [i, j])?;
    if in_any_iteration.is_some() || guard == Guard::Live {
        return Ok(in_any_iteration);
    }
    // A lane's exit may depend on anything, but a flag changes only in lanes that go on.
    let falls = sides.assuming_back(falls, i)?;
    falling(sides, falls, [i, j])
}

/// The term `falls`, with the other of two lanes as the selected lane.
fn falling(
    sides: &mut BothSides<'_, '_>,
    falls: Term,
    [i, j]: [Term; 2],
) -> Result<Option<Agreement>, DenoteError> {
    let falls = sides.with_named(falls, j);
    let mut falls = sides.assuming_live(falls, j)?;
    for lane in [i, j] {
        falls = sides.assuming_defined(falls, lane)?;
    }
    let lanes = [i, j];
    Ok(sides.is_of_moment(falls, &lanes).then_some(Agreement { lanes, holds: falls }))
}
