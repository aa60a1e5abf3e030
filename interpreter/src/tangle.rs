//! Which lanes execute a block together (SPV_KHR_maximal_reconvergence, Tangle).
//!
//! Lanes of one selector value come to a case together. Whether those of other values, or of a case
//! that falls through, are with them is up to the implementation, until the switch is left.

use laneproof_module::{Id, Site};

use crate::choices::{Arrival, Choices};

/// The tangles of a function in execution, by node ([`crate::plan::Arrangement`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tangles {
    /// By node and lane of all subgroups, the lowest lane of its tangle. Node 0, where all are
    /// together, is not stored.
    nodes: Vec<Vec<u32>>,
    /// Lanes on their way to a case.
    classes: Vec<Class>,
}

/// Lanes that come to a case together, whatever is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    block: usize,
    arrival: Arrival,
    /// Their tangles before the switch, and where they come from.
    home: u32,
    from: u32,
    lanes: Vec<u32>,
}

/// A lane of a subgroup, among all subgroups.
fn number(group: usize, lane: u32) -> u32 {
    group as u32 * 128 + lane
}

/// Lanes that leave a block for a case.
pub(crate) struct Leaving {
    /// The number of the case's block.
    pub block: usize,
    /// The label of the block that they leave.
    pub label: Id,
    /// The selector's value, for those that a switch sends there.
    pub selector: Option<u64>,
    /// The node of the block that they leave.
    pub node: usize,
    /// The node of the switch.
    pub home: usize,
}

impl Tangles {
    /// All lanes of all subgroups are together.
    pub fn new(nodes: usize, groups: usize) -> Self {
        Self { nodes: vec![vec![0; groups * 128]; nodes], classes: Vec::new() }
    }

    fn of(&self, node: usize, lane: u32) -> u32 {
        match node {
            0 => 0,
            _ => self.nodes[node][lane as usize],
        }
    }

    /// A lane goes to a case.
    pub fn leave(&mut self, leaving: &Leaving, group: usize, lane: u32) {
        let lane = number(group, lane);
        let arrival = Arrival { from: leaving.label, selector: leaving.selector };
        let (home, from) = (self.of(leaving.home, lane), self.of(leaving.node, lane));
        let alike = |it: &&mut Class| {
            (it.block, it.arrival, it.home, it.from) == (leaving.block, arrival, home, from)
        };
        match self.classes.iter_mut().find(alike) {
            Some(class) => class.lanes.push(lane),
            None => {
                let block = leaving.block;
                self.classes.push(Class { block, arrival, home, from, lanes: vec![lane] });
            }
        }
    }

    /// The most classes at a block, some of which the implementation may join.
    pub fn joinable(&self, block: usize) -> usize {
        let here = || self.classes.iter().filter(|class| class.block == block);
        here().map(|class| here().filter(|it| it.home == class.home).count()).max().unwrap_or(0)
    }

    /// Arranges the lanes that have come to a case, as `choices` have it.
    pub fn arrange(&mut self, block: usize, node: usize, site: &Site, choices: &mut dyn Choices) {
        let (mut here, rest): (Vec<Class>, Vec<Class>) =
            std::mem::take(&mut self.classes).into_iter().partition(|class| class.block == block);
        self.classes = rest;
        here.iter_mut().for_each(|class| class.lanes.sort_unstable());
        here.sort_by_key(|class| class.lanes[0]);
        // Each with its home and the colour that it was given.
        let mut tangles: Vec<(u32, Option<u64>, Vec<u32>)> = Vec::new();
        for Class { arrival, home, lanes, .. } in here {
            let colour = choices.tangle(site, &arrival, &lanes);
            let near: Vec<usize> =
                (0..tangles.len()).filter(|&place| tangles[place].0 == home).collect();
            let place = match colour {
                Some(_) => near.iter().copied().find(|&place| tangles[place].1 == colour),
                None if near.is_empty() => None,
                None => {
                    let choice = choices.pick(site, near.len() as u64 + 1);
                    usize::try_from(choice).ok().and_then(|choice| near.get(choice)).copied()
                }
            };
            match place {
                Some(place) => tangles[place].2.extend(lanes),
                None => tangles.push((home, colour, lanes)),
            }
        }
        for (_, _, lanes) in tangles {
            let lowest = lanes.iter().copied().min().unwrap_or(0);
            for lane in lanes {
                self.nodes[node][lane as usize] = lowest;
            }
        }
    }

    /// The lanes of `active`, by subgroup, tangle by tangle.
    pub fn apart(&self, node: usize, active: &[u128]) -> Vec<Vec<u128>> {
        let mut tangles: Vec<(u32, Vec<u128>)> = Vec::new();
        for (group, set) in active.iter().enumerate() {
            for lane in crate::lane::lanes(*set) {
                let tangle = self.of(node, number(group, lane));
                let place = tangles.iter().position(|(known, _)| *known == tangle);
                let place = place.unwrap_or_else(|| {
                    tangles.push((tangle, vec![0; active.len()]));
                    tangles.len() - 1
                });
                tangles[place].1[group] |= 1 << lane;
            }
        }
        tangles.into_iter().map(|(_, sets)| sets).collect()
    }
}
