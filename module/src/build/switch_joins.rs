//! Where the lanes of an `OpSwitch` are together again.

use super::raw_block::RawBlock;
use crate::program::Terminator;

/// Notes for each `OpSwitch` its merge block, or where none is declared, as in kernels, its
/// immediate postdominator: the nearest block that every way from it to a function's end passes.
pub(super) fn find(blocks: &mut [RawBlock], successors: &[Vec<usize>]) {
    let is_switch = |raw: &RawBlock| matches!(raw.block.terminator, Terminator::Switch { .. });
    let mut postdominators = None;
    for block in 0..blocks.len() {
        if !is_switch(&blocks[block]) {
            continue;
        }
        blocks[block].block.switch_join = match blocks[block].block.selection_merge {
            Some(merge) => Some(merge),
            None => {
                let known =
                    postdominators.get_or_insert_with(|| immediate_postdominators(successors));
                known[block].map(|join| blocks[join].block.label)
            }
        };
    }
}

/// The immediate postdominator of each block; `None` where that is the function's end, or where the
/// end is never reached. Iterates as Cooper, Harvey and Kennedy do, "A Simple, Fast Dominance
/// Algorithm", on the reversed graph.
fn immediate_postdominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let end = successors.len();
    let mut predecessors = vec![Vec::new(); end + 1];
    for (block, targets) in successors.iter().enumerate() {
        for &target in targets {
            predecessors[target].push(block);
        }
        if targets.is_empty() {
            predecessors[end].push(block);
        }
    }
    let order = postorder(end, &predecessors);
    let mut rank = vec![None; end + 1];
    for (place, &block) in order.iter().enumerate() {
        rank[block] = Some(place);
    }
    let mut found: Vec<Option<usize>> = vec![None; end + 1];
    found[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().skip(1) {
            let targets: &[usize] =
                if successors[block].is_empty() { &[end] } else { &successors[block] };
            let known = targets.iter().copied().filter(|&target| found[target].is_some());
            let join = known.reduce(|a, b| meet(a, b, &found, &rank));
            if join.is_some() && found[block] != join {
                found[block] = join;
                changed = true;
            }
        }
    }
    found.truncate(end);
    found.into_iter().map(|join| join.filter(|&join| join != end)).collect()
}

/// The nearest block that postdominates both.
fn meet(mut a: usize, mut b: usize, found: &[Option<usize>], rank: &[Option<usize>]) -> usize {
    while a != b {
        let lower = if rank[a] < rank[b] { &mut a } else { &mut b };
        match found[*lower] {
            Some(next) => *lower = next,
            // Only the root has no other, and it has the highest rank.
            None => return *lower,
        }
    }
    a
}

/// Blocks from which the end is reached, each after those that are met from it; the end last.
fn postorder(end: usize, predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; predecessors.len()];
    seen[end] = true;
    let mut path = vec![(end, predecessors[end].iter())];
    while let Some((block, rest)) = path.last_mut() {
        match rest.next() {
            Some(&next) if !seen[next] => {
                seen[next] = true;
                path.push((next, predecessors[next].iter()));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order
}
