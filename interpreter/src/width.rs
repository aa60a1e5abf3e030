//! Numbers of a width in words of 64 bits.

/// The lower `width` bits.
pub fn truncate(width: u32, bits: u64) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

/// The lower `width` bits as a two's complement number.
pub fn signed(width: u32, bits: u64) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    (bits << unused) as i64 >> unused
}
