//! Arbitrary results of accesses to memory, equal for both sides.

use std::collections::HashMap;

use laneproof_semantics::denote::Leaf;
use laneproof_semantics::term::{Pool, Sort, Symbol, Term};

/// What accesses read, by their number and leaf: bits, and whether they are undefined.
#[derive(Debug, Default)]
pub struct Oracle {
    found: HashMap<(usize, usize), [Symbol; 2]>,
    /// Whether another instruction stored there before, by the number of the access.
    modified: HashMap<usize, Symbol>,
}

impl Oracle {
    /// What `lane` reads in a leaf of access `number`.
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

    /// Whether another instruction stored before access `number` at the address of `lane`.
    pub fn modified(&mut self, pool: &mut Pool, number: usize, lane: Term) -> Term {
        let symbol = *self
            .modified
            .entry(number)
            .or_insert_with(|| pool.symbol(format!("modified.{number}"), Sort::Bool));
        pool.apply(symbol, lane)
    }
}
