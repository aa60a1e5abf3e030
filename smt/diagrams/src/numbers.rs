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
    /// Whether one number is less than another one of this width.
    pub(crate) fn is_less(self, a: u128, b: u128, width: u32) -> bool {
        let sign = 1 << (width - 1);
        let key = |bits: u128| match self {
            Self::Unsigned => bits,
            Self::Signed => bits ^ sign,
            Self::Magnitude if bits & sign != 0 => ones(width) ^ bits,
            Self::Magnitude => bits | sign,
        };
        key(a) < key(b)
    }

    /// The number that is next above another one, or next below.
    pub(crate) fn beside(self, bits: u128, above: bool, width: u32) -> Option<u128> {
        let sign = 1 << (width - 1);
        let turned = self == Self::Magnitude && bits & sign != 0;
        let next = match above != turned {
            _ if self == Self::Magnitude && bits & !sign == 0 && above == turned => bits ^ sign,
            true => bits.wrapping_add(1) & ones(width),
            false => bits.wrapping_sub(1) & ones(width),
        };
        let [low, high] = if above { [bits, next] } else { [next, bits] };
        self.is_less(low, high, width).then_some(next)
    }

    /// Of numbers with a sign or without one.
    pub(crate) fn signed(signed: bool) -> Self {
        if signed { Self::Signed } else { Self::Unsigned }
    }
}
