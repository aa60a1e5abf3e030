//! What accesses to memory find, where that is anything.

use std::collections::HashMap;

use laneproof_semantics::denote::Leaf;
use laneproof_semantics::term::{Pool, Sort, Symbol, Term};

/// What accesses find, by their number and leaf: bits, and whether they are undefined.
#[derive(Debug, Default)]
pub struct Oracle {
    found: HashMap<(usize, usize), [Symbol; 2]>,
}

impl Oracle {
    /// What `lane` finds in a leaf of access `number`.
    pub fn found(
        &mut self,
        pool: &mut Pool,
        (number, leaf): (usize, usize),
        sort: Sort,
        lane: Term,
    ) -> Leaf {
        let [bits, undefined] = *self.found.entry((number, leaf)).or_insert_with(|| {
            let name = format!("found.{number}.{leaf}");
            [pool.symbol(name.clone(), sort), pool.symbol(name + ".undefined", Sort::Bool)]
        });
        Leaf { bits: pool.apply(bits, lane), undefined: pool.apply(undefined, lane) }
    }
}
