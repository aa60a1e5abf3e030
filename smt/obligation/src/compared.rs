//! The leaves that are compared in a lane.

use laneproof_encode::{EncodedSide, Encoder, World, add_discards};
use laneproof_lower::{Flat, ValueId};
use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Pool, Term};

/// Result leaves of both sides in a lane, and the final values of pointer parameters.
pub fn pairs<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut EncodedSide<'f>,
    target: &mut EncodedSide<'f>,
    lane: Term,
    outputs: bool,
) -> Result<Vec<(Leaf, Leaf)>, DenoteError> {
    let values = |flat: &Flat| -> Vec<ValueId> {
        let left = flat.interface.outputs.iter().map(|(_, value)| *value).filter(|_| outputs);
        flat.interface.result.into_iter().chain(left).collect()
    };
    let mut all = Vec::new();
    for (expected, found) in values(source.flat).into_iter().zip(values(target.flat)) {
        let expected = Encoder { pool, world, side: source }.leaves(expected, lane)?;
        let found = Encoder { pool, world, side: target }.leaves(found, lane)?;
        all.extend(expected.into_iter().zip(found));
    }
    add_discards(pool, world, source, target, lane, &mut all)?;
    Ok(all)
}

/// A property's result beside `true`.
pub(crate) fn property<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut EncodedSide<'f>,
    lane: Term,
) -> Result<Vec<(Leaf, Leaf)>, DenoteError> {
    let expected = Leaf { bits: pool.bool(true), undefined: pool.bool(false) };
    if source.flat.ends.killed.is_some() || source.flat.ends.terminated.is_some() {
        return Err(DenoteError::NotModelled("a killed lane in a property".into()));
    }
    let Some(result) = source.flat.interface.result else { return Ok(Vec::new()) };
    let found = Encoder { pool, world, side: source }.leaves(result, lane)?;
    Ok(found.into_iter().map(|found| (expected, found)).collect())
}
