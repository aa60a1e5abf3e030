//! What attempts to refute a question learn.

use std::collections::BTreeSet;

use laneproof_semantics::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bdd::Level;
use crate::care::Saved;
use crate::order::Records;

/// What one attempt says to the next.
pub(crate) struct Learned {
    /// Bits that have one value in all states that satisfy the assertions.
    pub(crate) fixed: FxHashMap<Level, bool>,
    /// Free constants whose single bits matter: they are words, not atoms.
    pub(crate) by_bits: BTreeSet<Term>,
    /// What floating-point operations are done to.
    pub(crate) numbers: FxHashSet<Term>,
    /// All states that satisfy the assertions are in this set.
    pub(crate) care: Option<Saved>,
    /// Sums without atoms are kept apart by lane.
    pub(crate) apart: bool,
    /// The lane that all comparisons are with, if there is one.
    pub(crate) own_lane: Option<u32>,
    /// Numbers may take part behind tests; then whether one is a NaN or a zero is one variable, which says
    /// nothing of its bits.
    pub(crate) alone: bool,
    /// Equal payloads are in one class.
    pub(crate) classes: bool,
    /// Payloads are compared with extremes as wholes.
    pub(crate) records: Option<Records>,
}

impl Learned {
    /// Nothing yet but what the terms of a question show.
    pub(crate) fn new(by_bits: BTreeSet<Term>, numbers: FxHashSet<Term>) -> Self {
        Self {
            fixed: FxHashMap::default(),
            by_bits,
            numbers,
            care: None,
            apart: true,
            own_lane: None,
            alone: true,
            classes: false,
            records: None,
        }
    }
}
