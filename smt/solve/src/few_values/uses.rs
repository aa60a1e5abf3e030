//! What is done with payloads.

use std::collections::BTreeSet;

/// What a term is of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// All of it.
    Whole,
    /// A floating-point number without its sign.
    Magnitude,
    /// The signed integer by which floating-point numbers are ordered.
    Key,
    /// The signed integer by which all their bits are ordered, -0 before +0.
    TotalKey,
}

/// Payloads that are chosen among each other or compared with each other, and what is done with them.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub width: u32,
    /// How many of them are free.
    pub free: u128,
    pub known: BTreeSet<u128>,
    /// They are ordered as signed integers.
    pub signed: bool,
    /// They are ordered as unsigned integers.
    pub unsigned: bool,
    /// Whether they are negative is asked for.
    pub sign: bool,
    /// They are signs and magnitudes.
    pub number: bool,
    /// They are negated as integers.
    pub negated: bool,
    /// They are complemented.
    pub inverted: bool,
    /// Something else is done with them.
    pub other: bool,
}

impl Uses {
    pub(super) fn join(&mut self, other: Self) {
        self.free += other.free;
        self.known.extend(other.known);
        self.signed |= other.signed;
        self.unsigned |= other.unsigned;
        self.sign |= other.sign;
        self.number |= other.number;
        self.negated |= other.negated;
        self.inverted |= other.inverted;
        self.other |= other.other || self.width != other.width;
    }
}
