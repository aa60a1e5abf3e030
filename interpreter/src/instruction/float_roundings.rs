//! What a sum or product of a few numbers can be where an environment leaves its devices how each
//! intermediate result is rounded, and whether subnormal numbers are zeros.

use std::collections::BTreeSet;

use super::float::combine_by;
use super::float_orders::Orders;
use super::margins::flushed;
use crate::float_format::Format;
use crate::latitude::{Margin, Permitted};

/// The most contributions whose orders are enumerated.
const FEW: usize = 6;
/// The most sets of intermediate results that are looked at.
const LOOKED_AT: usize = 20_000;

/// All results, where there are not too many; `None` where nothing but a bound is known.
pub(super) fn results(orders: Orders, margin: Margin, values: &[u64]) -> Option<Permitted> {
    let format = orders.format;
    let narrower = margin.single && format == Format::Double;
    let unknown = margin.error > 0.0 || margin.anything || margin.bounded || narrower;
    if unknown || values.is_empty() || values.len() > FEW {
        return None;
    }
    let special = |bits: u64| margin.finite && format.magnitude(bits) >= format.infinity();
    if values.iter().copied().any(special) {
        return Some(Permitted::anything());
    }
    let mut pending = vec![values.to_vec()];
    if !orders.bare {
        pending.push([values, &[orders.identity]].concat());
    }
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut permitted = Permitted::default();
    while let Some(mut parts) = pending.pop() {
        parts.sort_unstable();
        if !seen.insert(parts.clone()) {
            continue;
        }
        if seen.len() > LOOKED_AT {
            return None;
        }
        if let [only] = parts.as_slice() {
            permitted.add(format, margin, *only);
        }
        for second in 1..parts.len() {
            for first in 0..second {
                let mut rest = parts.clone();
                let pair = [rest.remove(second), rest.remove(first)];
                for result in combined(orders, margin, pair) {
                    if special(result) {
                        return Some(Permitted::anything());
                    }
                    pending.push([rest.as_slice(), &[result]].concat());
                }
            }
        }
    }
    Some(permitted)
}

/// What two parts come to.
fn combined(orders: Orders, margin: Margin, pair: [u64; 2]) -> BTreeSet<u64> {
    let Orders { format, operation, .. } = orders;
    let inputs = flushed(margin, pair, [Some(format); 2]).into_iter();
    inputs
        .flat_map(|[a, b]| {
            margin.rounds().iter().map(move |round| combine_by(format, operation, a, b, *round))
        })
        .collect()
}
