//! Lanes that are terminated or demoted: source and target must terminate the same lanes and demote
//! the same lanes.

use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Pool, Sort, Term};

use crate::encoder::{EncodedSide, Encoder, World};

/// The reading of what `OpKill` does.
pub const KILL: &str = "kill";
/// The alternative by which it terminates lanes.
pub const TERMINATE: &str = "terminate";
/// The alternative by which it demotes lanes to helpers.
const DEMOTE: &str = "demote";

/// What becomes of a lane.
struct Discards {
    /// It was terminated.
    terminated: Term,
    /// It was demoted.
    demoted: Term,
    /// Either of the two: it returns nothing.
    gone: Term,
}

/// Adds termination and demotion to the leaves that are compared in a lane. The result of a lane
/// that is gone is not compared.
pub fn add_discards<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut EncodedSide<'f>,
    target: &mut EncodedSide<'f>,
    lane: Term,
    pairs: &mut Vec<(Leaf, Leaf)>,
) -> Result<(), DenoteError> {
    let entry_point = source.flat.interface.entry_point && target.flat.interface.entry_point;
    let [expected, found] = discards(pool, world, source, target, lane, entry_point)?;
    let known = pool.bool(false);
    for (leaf, of_target) in pairs.iter_mut() {
        leaf.undefined = pool.or(leaf.undefined, expected.gone);
        of_target.undefined = pool.or(of_target.undefined, found.gone);
    }
    let mut compare = |expected: Term, undefined: Term, found: Term| {
        if expected != found {
            let expected = Leaf { bits: expected, undefined };
            pairs.push((expected, Leaf { bits: found, undefined: known }));
        }
    };
    if entry_point {
        // Terminated or demoted, it has no effect from there on.
        let expected = pool.or(expected.terminated, expected.demoted);
        let found = pool.or(found.terminated, found.demoted);
        compare(expected, known, found);
    } else {
        compare(expected.terminated, known, found.terminated);
        compare(expected.demoted, expected.terminated, found.demoted);
    }
    Ok(())
}

/// For source and target. `OpKill` terminates lanes or demotes them; where that is a choice, the
/// source chooses what the target does.
fn discards<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut EncodedSide<'f>,
    target: &mut EncodedSide<'f>,
    lane: Term,
    alike: bool,
) -> Result<[Discards; 2], DenoteError> {
    // Where both alternatives have the same effect, there is no choice.
    let of_target = match target.flat.ends.killed {
        Some(_) if !alike => {
            let mut encoder = Encoder { pool, world, side: target };
            encoder.kill_demotes(None)?
        }
        _ => pool.bool(target.flat.ends.demoted.is_some() && target.flat.ends.terminated.is_none()),
    };
    let of_source = match source.flat.ends.killed {
        Some(_) if !alike => {
            let mut encoder = Encoder { pool, world, side: source };
            encoder.kill_demotes(Some(of_target))?
        }
        _ => pool.bool(false),
    };
    let expected = Encoder { pool, world, side: source }.discards(lane, of_source)?;
    let found = Encoder { pool, world, side: target }.discards(lane, of_target)?;
    Ok([expected, found])
}

impl Encoder<'_, '_, '_> {
    /// Whether `OpKill` demotes; if that is a choice, it is `choice`.
    fn kill_demotes(&mut self, choice: Option<Term>) -> Result<Term, DenoteError> {
        Ok(match self.reading(KILL)? {
            TERMINATE => self.pool.bool(false),
            DEMOTE => self.pool.bool(true),
            _ => match (choice, self.side.kill_demotes) {
                (Some(term), _) | (None, Some(term)) => term,
                (None, None) => {
                    let term = self.pool.fresh("kill.demotes", Sort::Bool);
                    self.side.kill_demotes = Some(term);
                    term
                }
            },
        })
    }

    /// What becomes of a lane, given whether `OpKill` demotes.
    fn discards(&mut self, lane: Term, kill_demotes: Term) -> Result<Discards, DenoteError> {
        let flat = self.side.flat;
        let mut among = |activity: Option<_>| match activity {
            Some(activity) => self.activity(activity, lane),
            None => Ok(self.pool.bool(false)),
        };
        let (ended, killed) = (among(flat.ends.terminated)?, among(flat.ends.killed)?);
        let demoted = match flat.ends.demoted {
            Some(demoted) => self.scalar(demoted, lane)?.bits,
            None => self.pool.bool(false),
        };
        let gone = self.pool.or(ended, killed);
        let helper = self.pool.and(killed, kill_demotes);
        let demoted = self.pool.or(demoted, helper);
        let stays = self.pool.not(kill_demotes);
        let killed = self.pool.and(killed, stays);
        let terminated = self.pool.or(ended, killed);
        Ok(Discards { terminated, demoted, gone })
    }
}
