//! Loops without `OpLoopMerge`, which kernels may have.

use std::collections::{BTreeMap, BTreeSet};

use super::raw_block::{Merge, RawBlock};
use crate::limits::MAX_LOOP_DEPTH;

/// Gives a merge block and a continue target to each loop whose shape leaves no choice: all its
/// iterations end in one block, and all lanes that leave it go to one block. Other cycles stay
/// as they are. What was found, outer loops before inner ones.
pub(super) fn recover(blocks: &mut [RawBlock], successors: &[Vec<usize>]) -> Vec<Members> {
    let mut found = Vec::new();
    let walk = Walk::new(successors);
    // Nested as deep as regions may be, loops have no more members than this together.
    let mut budget = MAX_LOOP_DEPTH * blocks.len();
    for (&header, latches) in &walk.latches {
        let Some(&latch) = latches.first().filter(|_| latches.len() == 1) else { continue };
        if blocks[header].merge.is_some() {
            continue;
        }
        let members = walk.members(header, latch);
        match budget.checked_sub(members.len()) {
            Some(rest) => budget = rest,
            None => break,
        }
        let exits: BTreeSet<usize> = members
            .iter()
            .flat_map(|&member| &successors[member])
            .filter(|target| !members.contains(target))
            .copied()
            .collect();
        if let Some(&merge) = exits.first().filter(|_| exits.len() == 1) {
            let merge = blocks[merge].block.label;
            let continue_target = blocks[latch].block.label;
            blocks[header].merge = Some(Merge::Loop { merge, continue_target });
            found.push(Members { header, members });
        }
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.members.len()));
    found
}

/// A loop that was recovered.
pub(super) struct Members {
    pub(super) header: usize,
    /// All of its blocks, the header among them.
    pub(super) members: BTreeSet<usize>,
}

/// What a depth-first walk from the entry finds.
struct Walk {
    /// Sources of the edges back to each block that is on the path to them.
    latches: BTreeMap<usize, BTreeSet<usize>>,
    /// Reached blocks before each block.
    predecessors: Vec<Vec<usize>>,
}

impl Walk {
    fn new(successors: &[Vec<usize>]) -> Self {
        let mut latches: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut predecessors = vec![Vec::new(); successors.len()];
        let mut seen = vec![false; successors.len()];
        let mut on_path = vec![false; successors.len()];
        let mut path = vec![(0, successors[0].iter())];
        (seen[0], on_path[0]) = (true, true);
        while let Some((block, rest)) = path.last_mut() {
            let block = *block;
            let Some(&next) = rest.next() else {
                on_path[block] = false;
                path.pop();
                continue;
            };
            predecessors[next].push(block);
            if on_path[next] {
                latches.entry(next).or_default().insert(block);
            }
            if !seen[next] {
                (seen[next], on_path[next]) = (true, true);
                path.push((next, successors[next].iter()));
            }
        }
        Self { latches, predecessors }
    }

    /// The blocks from which the latch is reached without passing the header, which is one too.
    fn members(&self, header: usize, latch: usize) -> BTreeSet<usize> {
        let mut members = BTreeSet::from([header]);
        let mut pending = vec![latch];
        while let Some(block) = pending.pop() {
            if members.insert(block) {
                pending.extend(&self.predecessors[block]);
            }
        }
        members
    }
}
