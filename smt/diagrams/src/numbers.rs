//! How bits are ordered.

/// What bits are as numbers; each gives a total order of all bits of a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Numbers {
    /// Without a sign.
    Unsigned,
    /// In two's complement.
    Signed,
    /// A sign and a magnitude, as floating-point numbers are; −0 is less than +0.
    Magnitude,
}

/// The greatest number of this many bits.
pub(crate) fn ones(width: u32) -> u128 {
    if width >= u128::BITS { u128::MAX } else { (1 << width) - 1 }
}

impl Numbers {
    /// Of numbers with a sign or without one.
    pub(crate) fn signed(signed: bool) -> Self {
        if signed { Self::Signed } else { Self::Unsigned }
    }
}
