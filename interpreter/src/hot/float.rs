//! Floating point in the processor's own numbers: IEEE 754, nearest even, subnormals kept, as
//! the language promises for everything but the bits of a NaN. Those are open, so a result that
//! is one is not decided here.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Active;
use super::rows::{any, each};

/// An operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatAction {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Compare(Truth),
}

/// When a comparison is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    /// A number is NaN.
    pub unordered: bool,
}

/// A number of the processor.
pub(super) trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn is_nan(self) -> bool;
}

impl Number for f32 {
    fn of(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }

    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }
}

impl Number for f64 {
    fn of(bits: u64) -> Self {
        Self::from_bits(bits)
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }
}

impl FloatAction {
    /// One scalar of the result in all active lanes; nothing where it is a NaN.
    pub fn row<N: Number>(self, to: &mut [u64], from: [&[u64]; 2], active: Active) -> Option<()> {
        match self {
            Self::Add => arithmetic::<N>(to, from, active, |a, b| a + b),
            Self::Subtract => arithmetic::<N>(to, from, active, |a, b| a - b),
            Self::Multiply => arithmetic::<N>(to, from, active, |a, b| a * b),
            Self::Divide => arithmetic::<N>(to, from, active, |a, b| a / b),
            Self::Negate => arithmetic::<N>(to, from, active, |a, _| -a),
            Self::Compare(truth) => {
                each(to, from, active, |[a, b]| {
                    u64::from(match N::of(a).partial_cmp(&N::of(b)) {
                        Some(Ordering::Less) => truth.less,
                        Some(Ordering::Equal) => truth.equal,
                        Some(Ordering::Greater) => truth.greater,
                        None => truth.unordered,
                    })
                });
                Some(())
            }
        }
    }
}

fn arithmetic<N: Number>(
    to: &mut [u64],
    from: [&[u64]; 2],
    active: Active,
    compute: impl Fn(N, N) -> N,
) -> Option<()> {
    each(to, from, active, |[a, b]| compute(N::of(a), N::of(b)).bits());
    (!any(to, active, |result| N::of(result).is_nan())).then_some(())
}
