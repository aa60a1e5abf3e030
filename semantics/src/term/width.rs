//! Numbers of a width.

/// A number of `width` bits, all set.
pub(crate) const fn ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A two's complement number of `width` bits.
pub(crate) const fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}
