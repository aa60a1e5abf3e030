//! When two leaves disagree.

use std::collections::BTreeSet;

use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Pool, Term};

/// The source's leaf is defined, and the target's is not that value. An undefined value of the
/// target never refines a defined one of the source, not even a drawn one: two uses may see two
/// values.
pub fn disagrees(pool: &mut Pool, source: Leaf, target: Leaf) -> Result<Term, DenoteError> {
    let defined = pool.not(source.undefined);
    let same = if pool.sort(source.bits) == pool.sort(target.bits) {
        pool.equal(source.bits, target.bits)
    } else {
        let either = pool.or(source.undefined, target.undefined);
        if pool.bool_of(either) != Some(true) {
            let sources: BTreeSet<u32> =
                [source, target].iter().flat_map(|leaf| pool.tag_sources(leaf.bits)).collect();
            return Err(DenoteError::NotMovement(sources));
        }
        pool.bool(false)
    };
    let found = pool.not(target.undefined);
    let agrees = pool.and(found, same);
    let differs = pool.not(agrees);
    Ok(pool.and(defined, differs))
}
