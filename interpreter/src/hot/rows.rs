//! Rows of lanes: what is done in every lane of one, in loops that a compiler can vectorise.

use super::Active;
use crate::lane::lanes;

/// Computes a row from others in the active lanes.
pub(super) fn each<const N: usize>(
    to: &mut [u64],
    from: [&[u64]; N],
    active: Active,
    compute: impl Fn([u64; N]) -> u64,
) {
    let count = to.len();
    if active.all && from.iter().all(|row| row.len() >= count) {
        let from = from.map(|row| &row[..count]);
        for (lane, to) in to.iter_mut().enumerate() {
            *to = compute(from.map(|row| row[lane]));
        }
    } else {
        for lane in lanes(active.set).map(|lane| lane as usize) {
            to[lane] = compute(from.map(|row| row[lane]));
        }
    }
}

/// True when something holds of some active lane.
pub(super) fn any(row: &[u64], active: Active, holds: impl Fn(u64) -> bool) -> bool {
    if active.all {
        row.iter().fold(false, |found, value| found | holds(*value))
    } else {
        lanes(active.set).any(|lane| holds(row[lane as usize]))
    }
}
