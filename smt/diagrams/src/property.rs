//! What is known of floating-point numbers, one by one.

use laneproof_semantics::term::FloatFormat;

/// What may be certain of a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Property {
    /// It is no NaN of this format.
    Number(FloatFormat),
    /// It is no zero.
    NonZero,
    /// Its sign is not set.
    Positive,
    /// It is not −0.
    NotMinusZero,
}

impl Property {
    /// A flip of the sign takes it away.
    pub(crate) const fn is_of_sign(self) -> bool {
        matches!(self, Self::Positive | Self::NotMinusZero)
    }
}
