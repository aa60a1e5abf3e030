//! Constants and NaNs as bit-vectors of Z3.

use laneproof_semantics::term::FloatFormat;
use z3::ast::{BV, Bool};

/// True for the bits of a NaN.
pub fn is_nan(format: FloatFormat, bits: &BV) -> Bool {
    let infinity = constant(format.infinity(), format.width() - 1);
    bits.extract(format.width() - 2, 0).bvugt(infinity)
}

/// These bits, or those of the canonical NaN in the place of any NaN's.
pub fn canonical(format: FloatFormat, bits: &BV) -> BV {
    is_nan(format, bits).ite(&constant(format.canonical_nan(), format.width()), bits)
}

pub fn constant(value: u128, width: u32) -> BV {
    if width <= 64 {
        BV::from_u64(value as u64, width)
    } else {
        BV::from_u64((value >> 64) as u64, width - 64).concat(BV::from_u64(value as u64, 64))
    }
}
