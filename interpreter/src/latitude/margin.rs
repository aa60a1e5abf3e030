//! What a latitude comes to for one instruction.

use rustc_apfloat::Round;

/// What it comes to for one instruction and format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Margin {
    pub flushed: bool,
    pub finite: bool,
    pub either_way: bool,
    /// To the nearest number, or toward zero.
    pub or_toward_zero: bool,
    pub combining: Combining,
    /// In units in the last place.
    pub error: f64,
    pub single: bool,
    pub out_of_range: bool,
    pub large_divisors: bool,
    /// A function with a bound of its own.
    pub bounded: bool,
    /// What execution modes request.
    pub requested: Requested,
    /// By an unknown amount.
    pub anything: bool,
}

impl Margin {
    /// What is allowed of one or of the other of two operations that are contracted. Where they are to be
    /// combined in different ways, nothing is known.
    pub fn of_either(self, other: Self) -> Self {
        let alike = self.combining.rearranged == other.combining.rearranged
            && self.requested == other.requested
            && self.single == other.single;
        Self {
            flushed: self.flushed || other.flushed,
            either_way: self.either_way || other.either_way,
            or_toward_zero: self.or_toward_zero || other.or_toward_zero,
            error: self.error.max(other.error),
            anything: self.anything || other.anything || !alike,
            ..self
        }
    }
}

/// How operations may be combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Combining {
    /// As real numbers allow.
    pub rearranged: bool,
    /// What is computed between is not rounded.
    pub contracted: bool,
    /// This one with what computes its operands.
    pub combined: bool,
    /// What computes its operands, or theirs, has an error: the result follows from no one number.
    pub inexact: bool,
}

/// What execution modes request for a format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Requested {
    /// Rounding toward zero.
    pub toward_zero: bool,
    /// Flushing of subnormal numbers.
    pub flushes: bool,
    /// The direction in which a decoration has the result rounded.
    pub direction: Option<Round>,
}
