//! Control flow of functions: which branches make it irreducible.

use std::collections::HashMap;

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id};

/// The blocks of one function, by number; the first one is the entry.
#[derive(Default)]
struct Graph {
    /// The block of each label.
    numbers: HashMap<Id, usize>,
    /// The index of each block's last instruction.
    ends: Vec<usize>,
    successors: Vec<Vec<usize>>,
}

/// The first branch in each function that enters a loop elsewhere than at its header: one that leads
/// back to a block through which not every way to it goes.
pub(crate) fn irreducible(instructions: &[Decoded]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, instruction) in instructions.iter().enumerate() {
        match instruction.opcode {
            Op::Function => start = at,
            Op::FunctionEnd => {
                let body = &instructions[start..at];
                found.extend(Graph::of(body).entering().map(|end| start + end));
            }
            _ => {}
        }
    }
    found
}

impl Graph {
    fn of(body: &[Decoded]) -> Self {
        let mut graph = Self::default();
        for instruction in body.iter().filter(|it| it.opcode == Op::Label) {
            let number = graph.numbers.len();
            graph.numbers.extend(instruction.result.map(|label| (label, number)));
        }
        let mut last = None;
        for (at, instruction) in body.iter().enumerate() {
            let ends = body.get(at + 1).is_none_or(|next| next.opcode == Op::Label);
            if instruction.opcode == Op::Label {
                last = instruction.result;
            }
            if ends && last.take().is_some() {
                // Only labels lead anywhere; a condition or a selector is none.
                let labels = instruction.operands.iter().filter_map(|it| it.id_ref_any());
                let next = labels.filter_map(|label| graph.numbers.get(&label).copied());
                graph.successors.push(next.collect());
                graph.ends.push(at);
            }
        }
        graph
    }

    /// The end of the first block that leads back to one which does not dominate it.
    fn entering(&self) -> Option<usize> {
        let order = self.reverse_postorder();
        let mut rank = vec![usize::MAX; self.successors.len()];
        order.iter().enumerate().for_each(|(at, &block)| rank[block] = at);
        let dominators = self.dominators(&order, &rank);
        let dominates = |block: usize, mut other: usize| {
            while rank[other] > rank[block] {
                other = dominators[other];
            }
            other == block
        };
        let enters = |block: &&usize| {
            let back = self.successors[**block].iter().filter(|next| rank[**next] <= rank[**block]);
            back.into_iter().any(|next| !dominates(*next, **block))
        };
        order.iter().find(enters).map(|&block| self.ends[block])
    }

    fn reverse_postorder(&self) -> Vec<usize> {
        let mut seen = vec![false; self.successors.len()];
        let (mut order, mut way) = (Vec::new(), Vec::new());
        if let Some(entry) = seen.first_mut() {
            *entry = true;
            way.push((0, 0));
        }
        while let Some((block, next)) = way.pop() {
            match self.successors[block].get(next) {
                Some(&successor) => {
                    way.push((block, next + 1));
                    if !std::mem::replace(&mut seen[successor], true) {
                        way.push((successor, 0));
                    }
                }
                None => order.push(block),
            }
        }
        order.reverse();
        order
    }

    /// The immediate dominator of each block that is reached; the entry's is itself.
    fn dominators(&self, order: &[usize], rank: &[usize]) -> Vec<usize> {
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for &block in order {
            self.successors[block].iter().for_each(|&next| predecessors[next].push(block));
        }
        let mut dominators = vec![usize::MAX; self.successors.len()];
        if let Some(&entry) = order.first() {
            dominators[entry] = entry;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let known = predecessors[block].iter().copied();
                let known = known.filter(|&it| dominators[it] != usize::MAX);
                let meet = |mut one: usize, mut other: usize| {
                    while one != other {
                        match rank[one] > rank[other] {
                            true => one = dominators[one],
                            false => other = dominators[other],
                        }
                    }
                    one
                };
                let Some(nearest) = known.reduce(meet) else { continue };
                changed |= dominators[block] != nearest;
                dominators[block] = nearest;
            }
        }
        dominators
    }
}
