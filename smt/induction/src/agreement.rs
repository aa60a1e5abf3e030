//! Agreement of lanes: a guard ceases to hold for one of them if the lane that it selects is the
//! other.

use std::collections::HashMap;

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::ground::Ground;
use super::statement::{Agreement, Guard, Moment};

/// In this iteration the guard ceases to hold for a lane.
pub(super) fn fallen(
    ground: &mut Ground<'_, '_>,
    guard: Guard,
    lane: Term,
) -> Result<Term, DenoteError> {
    let before = guard.holds(ground, Moment::Before, lane)?;
    let after = guard.holds(ground, Moment::After, lane)?;
    let gone = ground.pool.not(after);
    Ok(ground.pool.and(before, gone))
}

/// Whether two lanes agree, by their state at a moment; `None` if agreement depends on more than
/// their state. One condition is used for all lanes and moments, so a candidate means the same as a
/// hypothesis and as a conclusion.
pub(super) fn agree(
    ground: &mut Ground<'_, '_>,
    guard: Guard,
    moment: Moment,
    lanes: [Term; 2],
) -> Result<Option<Term>, DenoteError> {
    let known = match ground.known.agreements.get(&guard) {
        Some(&known) => known,
        None => {
            let stand_in = [ground.enter_survey()?, ground.enter_survey()?];
            let read = agreement(ground, guard, stand_in);
            (0..stand_in.len()).for_each(|_| ground.world.quantifiers.leave());
            let read = read?;
            ground.known.agreements.insert(guard, read);
            read
        }
    };
    let Some(agreement) = known else { return Ok(None) };
    let places = HashMap::from([0, 1].map(|it| (agreement.lanes[it], lanes[it])));
    let holds = ground.pool.substitute(agreement.holds, &places);
    match moment {
        Moment::Before => Ok(Some(holds)),
        _ => ground.with_state_of(holds, moment, &lanes).map(Some),
    }
}

/// The condition under which the guard ceases to hold for lane `i`, with `j` as the first or last
/// lane that is selected, both at the header and without undefined values. `None` if it depends on
/// something else that changes between iterations.
fn agreement(
    ground: &mut Ground<'_, '_>,
    guard: Guard,
    [i, j]: [Term; 2],
) -> Result<Option<Agreement>, DenoteError> {
    let falls = fallen(ground, guard, i)?;
    let falls = ground.per_lane(falls);
    let falls = ground.assuming_live(falls, i)?;
    let in_any_iteration = falling(ground, falls, [i, j])?;
    if in_any_iteration.is_some() || guard == Guard::Live {
        return Ok(in_any_iteration);
    }
    // A lane's exit may depend on anything, but a flag changes only in lanes that go on.
    let falls = ground.assuming_back(falls, i)?;
    falling(ground, falls, [i, j])
}

/// The term `falls`, with the other of two lanes as the selected lane.
fn falling(
    ground: &mut Ground<'_, '_>,
    falls: Term,
    [i, j]: [Term; 2],
) -> Result<Option<Agreement>, DenoteError> {
    let falls = ground.with_named(falls, j);
    let mut falls = ground.assuming_live(falls, j)?;
    for lane in [i, j] {
        falls = ground.assuming_defined(falls, lane)?;
    }
    let lanes = [i, j];
    Ok(ground.is_of_moment(falls, &lanes).then_some(Agreement { lanes, holds: falls }))
}
