//! Lanes as terms.

use laneproof_semantics::term::{Binary, Pool, Sort, Term};

/// The largest subgroup.
pub const LARGEST: u32 = 128;

/// The set of the lanes below `count`.
pub fn lanes_below(count: u32) -> u128 {
    if count >= LARGEST { u128::MAX } else { (1 << count) - 1 }
}

/// Lanes are numbers of 32 bits.
pub fn lane_sort() -> Sort {
    Sort::Bits(32)
}

/// A symbolic lane. Its term is below [`LARGEST`] by construction, so no query has to assert it,
/// and comparisons are cheap.
pub fn some_lane(pool: &mut Pool, name: impl Into<String>) -> Term {
    small(pool, name, LARGEST - 1)
}

/// A number of 32 bits; only as many are free as `largest` needs.
pub fn small(pool: &mut Pool, name: impl Into<String>, largest: u32) -> Term {
    let free = (u32::BITS - largest.leading_zeros()).max(1);
    let number = pool.fresh(name.into(), Sort::Bits(free));
    pool.zero_extend(number, 32)
}

/// The set of the lanes below `existing`, 128 bits.
pub fn below(pool: &mut Pool, existing: Term) -> Term {
    let one = pool.bits(1, LARGEST);
    let wide = pool.zero_extend(existing, LARGEST);
    let end = pool.binary(Binary::ShiftLeft, one, wide);
    pool.binary(Binary::Sub, end, one)
}
