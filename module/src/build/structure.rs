//! Blocks to nested regions, in an order that an engine can follow once through.

use std::collections::HashMap;

use super::natural_loops::{self, Members};
use super::raw_block::{Merge, RawBlock};
use super::switch_joins;
use crate::limits::MAX_LOOP_DEPTH;
use crate::program::{Id, Item, Loop, Region, Terminator};

/// Orders and nests a function's blocks, the entry block first; unreachable ones are dropped.
///
/// The order is the reverse postorder of the graph in which each header has its merge block and
/// continue target as first successors: a merge block then follows its whole construct, and a
/// loop's blocks are contiguous between header and merge block. The rules for shader modules
/// guarantee that; for kernels it is checked.
///
/// # Errors
///
/// Why there is no such order: a cycle that is no plain loop, a loop entered from the side.
pub(super) fn structure(mut blocks: Vec<RawBlock>) -> Result<Region, String> {
    if blocks.is_empty() {
        return Ok(Region::default());
    }
    let index: HashMap<Id, usize> =
        blocks.iter().enumerate().map(|(index, raw)| (raw.block.label, index)).collect();
    let successors = successors(&blocks, &index)?;
    let recovered = natural_loops::recover(&mut blocks, &successors);
    switch_joins::find(&mut blocks, &successors);
    let graph = Graph::new(&blocks, index, successors, &recovered)?;
    let loops = graph.loops(&blocks)?;
    graph.check_edges(&loops)?;
    Ok(nest(&graph, loops, blocks))
}

/// The control flow graph by indices into the function's blocks.
struct Graph {
    index: HashMap<Id, usize>,
    successors: Vec<Vec<usize>>,
    /// All blocks that the order knows, unreachable merge blocks among them.
    order: Vec<usize>,
    /// The place of each block in the order.
    position: Vec<Option<usize>>,
    reachable: Vec<bool>,
}

/// A loop as a range of positions: the header's up to the merge block's.
struct Extent {
    header: Id,
    merge: Id,
    continue_target: Id,
    start: usize,
    end: usize,
}

impl Graph {
    fn new(
        blocks: &[RawBlock],
        index: HashMap<Id, usize>,
        successors: Vec<Vec<usize>>,
        recovered: &[Members],
    ) -> Result<Self, String> {
        let mut visits = Vec::with_capacity(blocks.len());
        for (raw, targets) in blocks.iter().zip(&successors) {
            // The first visited is finished first, and so is last.
            let mut visit = match raw.merge {
                Some(Merge::Selection(merge)) => vec![find(&index, merge)?],
                Some(Merge::Loop { merge, continue_target }) => {
                    vec![find(&index, merge)?, find(&index, continue_target)?]
                }
                None => Vec::new(),
            };
            visit.extend(targets.iter().rev());
            visits.push(visit);
        }
        let mut order = postorder(&visits);
        order.reverse();
        gather(&mut order, blocks, &index, recovered)?;
        let mut position = vec![None; blocks.len()];
        for (place, &block) in order.iter().enumerate() {
            position[block] = Some(place);
        }
        let mut reachable = vec![false; blocks.len()];
        for block in postorder(&successors) {
            reachable[block] = true;
        }
        Ok(Self { index, successors, order, position, reachable })
    }

    fn position_of(&self, label: Id) -> Option<usize> {
        self.position[*self.index.get(&label)?]
    }

    /// The loops of reachable headers, outer ones before inner ones.
    fn loops(&self, blocks: &[RawBlock]) -> Result<Vec<Extent>, String> {
        let mut loops = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (start, &block) in self.order.iter().enumerate() {
            let (true, Some(Merge::Loop { merge, continue_target })) =
                (self.reachable[block], blocks[block].merge)
            else {
                continue;
            };
            let header = blocks[block].block.label;
            let end = self.position_of(merge).filter(|&end| end > start);
            let end = end.ok_or_else(|| format!("the loop %{header} does not end at its merge"))?;
            open.retain(|&outer| outer > start);
            if open.last().is_some_and(|&outer| outer < end) {
                return Err(format!("the loop %{header} overlaps another"));
            }
            open.push(end);
            if open.len() > MAX_LOOP_DEPTH {
                return Err(format!("loops nested deeper than {MAX_LOOP_DEPTH}"));
            }
            loops.push(Extent { header, merge, continue_target, start, end });
        }
        Ok(loops)
    }

    /// Backward edges go to the header of a loop around them, forward ones enter loops at the
    /// header only.
    fn check_edges(&self, loops: &[Extent]) -> Result<(), String> {
        let headers: HashMap<usize, &Extent> =
            loops.iter().map(|extent| (extent.start, extent)).collect();
        // The innermost loop of each position, leaving out a loop at its own header.
        let mut around: Vec<Option<&Extent>> = vec![None; self.order.len()];
        let mut open: Vec<&Extent> = Vec::new();
        for (place, slot) in around.iter_mut().enumerate() {
            while open.last().is_some_and(|extent| extent.end <= place) {
                open.pop();
            }
            *slot = open.last().copied();
            open.extend(headers.get(&place).copied());
        }
        let edges =
            self.order.iter().filter(|&&block| self.reachable[block]).flat_map(|&block| {
                self.successors[block].iter().map(move |&target| (block, target))
            });
        for (block, target) in edges {
            let (Some(from), Some(to)) = (self.position[block], self.position[target]) else {
                continue;
            };
            if to <= from {
                let header = headers.get(&to).filter(|extent| from < extent.end);
                header.ok_or("a cycle that is no plain loop")?;
            } else if let Some(extent) = around[to]
                && !(extent.start..extent.end).contains(&from)
            {
                return Err(format!("the loop %{} is entered from the side", extent.header));
            }
        }
        Ok(())
    }
}

/// Cuts the order into nested regions.
fn nest(graph: &Graph, loops: Vec<Extent>, blocks: Vec<RawBlock>) -> Region {
    let mut blocks: Vec<Option<RawBlock>> = blocks.into_iter().map(Some).collect();
    let mut loops = loops.into_iter().peekable();
    // The regions around the current position, each but the outermost with its loop.
    let mut open: Vec<(Extent, Region)> = Vec::new();
    let mut outermost = Region::default();
    for (place, &block) in graph.order.iter().enumerate() {
        while open.last().is_some_and(|(extent, _)| extent.end <= place) {
            close(&mut open, &mut outermost);
        }
        if let Some(extent) = loops.next_if(|extent| extent.start == place) {
            open.push((extent, Region::default()));
        }
        let Some(raw) = blocks[block].take().filter(|_| graph.reachable[block]) else { continue };
        let mut block = raw.block;
        for phi in &mut block.phis {
            phi.incoming.retain(|(_, label)| {
                graph.index.get(label).is_some_and(|&index| graph.reachable[index])
            });
        }
        let region = open.last_mut().map_or(&mut outermost, |(_, region)| region);
        region.items.push(Item::Block(block));
    }
    while !open.is_empty() {
        close(&mut open, &mut outermost);
    }
    outermost
}

/// Moves the innermost open loop into the region around it.
fn close(open: &mut Vec<(Extent, Region)>, outermost: &mut Region) {
    if let Some((extent, body)) = open.pop() {
        let Extent { header, merge, continue_target, .. } = extent;
        let region = open.last_mut().map_or(outermost, |(_, region)| region);
        region.items.push(Item::Loop(Loop { header, merge, continue_target, body }));
    }
}

/// Moves blocks that are among those of a recovered loop, but not part of it, before its header:
/// another path to the merge block, which the order has there or after the loop, depending on its
/// branch. No block of the loop leads to it, because all exits go to the merge block.
fn gather(
    order: &mut [usize],
    blocks: &[RawBlock],
    index: &HashMap<Id, usize>,
    recovered: &[Members],
) -> Result<(), String> {
    for Members { header, members } in recovered {
        let Some(Merge::Loop { merge, .. }) = blocks[*header].merge else { continue };
        let merge = find(index, merge)?;
        let place = |wanted: usize| order.iter().position(|&block| block == wanted);
        let (Some(start), Some(end)) = (place(*header), place(merge)) else { continue };
        if start < end {
            // A stable sort: false before true.
            order[start..end].sort_by_key(|block| members.contains(block));
        }
    }
    Ok(())
}

fn find(index: &HashMap<Id, usize>, label: Id) -> Result<usize, String> {
    index.get(&label).copied().ok_or_else(|| format!("%{label} is not a block"))
}

/// The blocks to which each block goes.
fn successors(blocks: &[RawBlock], index: &HashMap<Id, usize>) -> Result<Vec<Vec<usize>>, String> {
    let of_block = |raw: &RawBlock| {
        targets(&raw.block.terminator).into_iter().map(|label| find(index, label)).collect()
    };
    blocks.iter().map(of_block).collect()
}

/// The labels that a terminator names, in its order.
fn targets(terminator: &Terminator) -> Vec<Id> {
    match terminator {
        Terminator::Branch(target) => vec![*target],
        Terminator::Conditional { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { default, cases, .. } => {
            let mut targets: Vec<Id> = cases.iter().map(|&(_, target)| target).collect();
            targets.push(*default);
            targets
        }
        _ => Vec::new(),
    }
}

/// Blocks reachable from the first one, each after what it visits.
fn postorder(visits: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(visits.len());
    let mut seen = vec![false; visits.len()];
    seen[0] = true;
    let mut path = vec![(0, visits[0].iter())];
    while let Some((block, rest)) = path.last_mut() {
        match rest.next() {
            Some(&next) if !seen[next] => {
                seen[next] = true;
                path.push((next, visits[next].iter()));
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
