//! Payloads sorted into classes of those that are equal, see [`crate::classes`].

use std::collections::BTreeSet;

use laneproof_semantics::term::{Node, Pool, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::bdd::Bdd;

/// Classes of more lanes are too many.
pub(crate) const MOST: u32 = 16;

/// What is known of the payloads that lanes hold, lane by lane.
#[derive(Default)]
pub(crate) struct Classes {
    /// Each payload with its function and its lane, if they are sorted into classes.
    pub(crate) members: FxHashMap<Term, (Symbol, u32)>,
    /// The payloads of each function by lane.
    pub(crate) functions: FxHashMap<Symbol, Vec<(u32, Term)>>,
    /// The set of the lanes that take part.
    pub(crate) set: Option<Term>,
    pub(crate) sorted: FxHashMap<Symbol, Sorted>,
}

/// The classes of one function, for the lanes that were gone through.
#[derive(Default)]
pub(crate) struct Sorted {
    /// Where the number of classes so far is that.
    pub(crate) number: Vec<Bdd>,
    /// For each lane where it is in each class.
    pub(crate) joined: FxHashMap<u32, Vec<Bdd>>,
}

impl Classes {
    /// Of these functions at numbered lanes; the first set of lanes of the question, by its single bits, is
    /// that of those that take part.
    pub(crate) fn new(
        pool: &Pool,
        functions: FxHashMap<Symbol, Vec<(u32, Term)>>,
        by_bits: &BTreeSet<Term>,
    ) -> Self {
        let lanes = functions.values().flatten().map(|&(lane, _)| lane + 1).max().unwrap_or(0);
        let is_set =
            |it: &Term| matches!(pool.node(*it), Node::Variable(_)) && pool.width(*it) >= lanes;
        let set = by_bits.iter().copied().find(is_set);
        let mut classes = Self { set, ..Self::default() };
        for (symbol, mut lanes) in functions {
            lanes.sort_unstable();
            if (2..=MOST as usize).contains(&lanes.len()) {
                classes.members.extend(lanes.iter().map(|&(lane, it)| (it, (symbol, lane))));
                classes.functions.insert(symbol, lanes);
            }
        }
        classes
    }
}
