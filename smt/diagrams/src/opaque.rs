//! Uninterpreted functions and relations of payloads, by name.

use laneproof_semantics::term::{Binary, FloatFormat, FloatOp, Symbol};

use crate::flips::Flips;
use crate::numbers::Numbers;
use crate::property::Property;

/// An uninterpreted function: equal arguments give equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    /// What an implementation defines, of the operation with this number.
    Implementation(u32),
    /// The argument itself, under a name.
    Named,
    Complement,
    /// Bits flipped by the sign.
    Flipped(Flips),
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend,
    SignExtend,
    Concat,
    Binary(Binary),
    Float(FloatOp, FloatFormat),
    Payload(FloatFormat),
    Canonical(FloatFormat),
    AnyOrder(FloatOp, FloatFormat),
    /// Whether a number lacks a property.
    Lacks(Property),
    /// A free function of a lane, at a computed lane.
    Applied(Symbol),
}

/// A relation of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Equal,
    /// Of a difference and its opposite: both are 0. They can be equal where they are not.
    Zero,
    Less(Numbers),
    /// Of the numbers whose bits these are, where both zeros are equal.
    LessNumber,
}
