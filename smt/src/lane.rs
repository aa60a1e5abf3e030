//! Lanes as terms.

use laneproof_semantics::term::{Pool, Sort, Term};

use crate::obligation::LARGEST;

/// Lanes are numbers of 32 bits.
pub(crate) fn lane_sort() -> Sort {
    Sort::Bits(32)
}

/// Some lane: below [`LARGEST`] by the way it is made, so no question has to say so, and two of
/// them are soon compared.
pub(crate) fn some_lane(pool: &mut Pool, name: impl Into<String>) -> Term {
    small(pool, name, LARGEST - 1)
}

/// A number of 32 bits of which only as many are free as `largest` takes.
pub(crate) fn small(pool: &mut Pool, name: impl Into<String>, largest: u32) -> Term {
    let free = (u32::BITS - largest.leading_zeros()).max(1);
    let number = pool.fresh(name.into(), Sort::Bits(free));
    pool.zero_extend(number, 32)
}
