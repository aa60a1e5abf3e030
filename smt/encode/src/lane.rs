//! Lanes as terms.

use laneproof_semantics::term::{Binary, Pool, Sort, Term};

/// No subgroup is larger.
pub const LARGEST: u32 = 128;

/// Lanes are numbers of 32 bits.
pub fn lane_sort() -> Sort {
    Sort::Bits(32)
}

/// Some lane: below [`LARGEST`] by the way it is made, so no question has to say so, and two of
/// them are soon compared.
pub fn some_lane(pool: &mut Pool, name: impl Into<String>) -> Term {
    small(pool, name, LARGEST - 1)
}

/// A number of 32 bits of which only as many are free as `largest` takes.
pub fn small(pool: &mut Pool, name: impl Into<String>, largest: u32) -> Term {
    let free = (u32::BITS - largest.leading_zeros()).max(1);
    let number = pool.fresh(name.into(), Sort::Bits(free));
    pool.zero_extend(number, 32)
}

/// The lanes of which there are so many, 128 bits.
pub fn below(pool: &mut Pool, existing: Term) -> Term {
    let one = pool.bits(1, LARGEST);
    let wide = pool.zero_extend(existing, LARGEST);
    let end = pool.binary(Binary::ShiftLeft, one, wide);
    pool.binary(Binary::Sub, end, one)
}
