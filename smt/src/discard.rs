//! Which lanes are left in the end: source and target kill the same ones, and demote the same
//! ones to helpers.

use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Pool, Term};

use crate::encode::{Encoder, Side, World};

/// Adds who is discarded to the leaves that are compared in a lane. What a killed lane would have
/// returned is compared with nothing.
pub(crate) fn add<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut Side<'f>,
    target: &mut Side<'f>,
    lane: Term,
    pairs: &mut Vec<(Leaf, Leaf)>,
) -> Result<(), DenoteError> {
    let entry_point = source.flat.entry_point && target.flat.entry_point;
    let [killed, demoted] = Encoder { pool, world, side: source }.discards(lane)?;
    let found = Encoder { pool, world, side: target }.discards(lane)?;
    let known = pool.bool(false);
    for (leaf, _) in pairs.iter_mut() {
        leaf.undefined = pool.or(leaf.undefined, killed);
    }
    let mut compare = |expected: Term, undefined: Term, found: Term| {
        if expected != found {
            let expected = Leaf { bits: expected, undefined };
            pairs.push((expected, Leaf { bits: found, undefined: known }));
        }
    };
    if entry_point {
        // Killed or demoted, it leaves nothing behind from there.
        let expected = pool.or(killed, demoted);
        let found = pool.or(found[0], found[1]);
        compare(expected, known, found);
    } else {
        compare(killed, known, found[0]);
        compare(demoted, killed, found[1]);
    }
    Ok(())
}

impl Encoder<'_, '_, '_> {
    /// A lane was killed; it was demoted, or never was.
    fn discards(&mut self, lane: Term) -> Result<[Term; 2], DenoteError> {
        let flat = self.side.flat;
        let killed = match flat.killed {
            Some(killed) => self.activity(killed, lane)?,
            None => self.pool.bool(false),
        };
        let demoted = match flat.demoted {
            Some(demoted) => self.scalar(demoted, lane)?.bits,
            None => self.pool.bool(false),
        };
        Ok([killed, demoted])
    }
}
