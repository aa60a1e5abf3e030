//! Unrolled loops: a number of iterations of the body, one after the other.
//!
//! An iteration is executed by the lanes that wait at the header: first those that entered the
//! loop, then those that came back. After the loop, a lane has the values of its last iteration.
//! Lanes that come back after the last unrolled iteration are an event of their own; a state with
//! such lanes is undecided.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::{Block, Function, Id, Item, Loop, Place, Region, Terminator};

use super::Builder;
use crate::flat::{ActivityId, Event, Unmodelled, ValueId, unmodelled};

/// By header, the values that are computed in a loop and used after it, each with the label of
/// its block.
pub(super) type Escaping = BTreeMap<Id, Vec<(Id, Id)>>;

/// The escaping values of each iteration, with the lanes that computed them.
type Held = BTreeMap<Id, Vec<(ActivityId, ValueId)>>;

/// The largest number of iterations that are unrolled.
const ROUNDS: u32 = 256;

impl Builder<'_> {
    /// Unrolls a loop that lanes reach.
    pub(super) fn unroll(&mut self, inner: &Loop) -> Result<(), Unmodelled> {
        let escaping = self.loops.escaping.get(&inner.header).cloned().unwrap_or_default();
        let mut held = Held::new();
        self.path.push(0);
        let (mut iterations, mut rounds) = (self.loops.iterations, 0);
        while iterations > 0 && rounds < ROUNDS {
            let Some(entered) = self.waiting_at(inner.header) else { break };
            for (_, label) in &escaping {
                self.frame_mut().executed.remove(label);
            }
            self.region(&inner.body)?;
            for &(id, label) in &escaping {
                let Some(&activity) = self.frame().executed.get(&label) else { continue };
                if self.frame().pointers.contains_key(&id) {
                    let what = "a pointer that is made in a loop and used after it";
                    return Err(unmodelled(what, first_place(&inner.body)));
                }
                if let Some(&value) = self.frame().values.get(&id) {
                    held.entry(id).or_default().push((activity, value));
                }
            }
            if let Some(iteration) = self.path.last_mut() {
                *iteration += 1;
            }
            rounds += 1;
            // If all lanes are known to come back, the iteration does not count: the bound is for
            // loops with unknown conditions.
            if self.waiting_at(inner.header) != Some(entered) {
                iterations -= 1;
            }
        }
        self.path.pop();
        let more = self.frame_mut().incoming.remove(&inner.header).unwrap_or_default();
        self.forget_ways(inner.header);
        if let Some(more) = self.flat.union(more.iter().map(|(_, it)| *it).collect()) {
            self.flat.events.push(Event::Overrun(more));
            // Such states are undecided, so it does not matter where these lanes go on. Here they
            // leave the loop.
            self.leave(0, inner.merge, more);
        }
        self.keep(&escaping, held);
        Ok(())
    }

    /// The lanes that wait at a header.
    fn waiting_at(&mut self, header: Id) -> Option<ActivityId> {
        let ways = self.frame().incoming.get(&header)?;
        let ways = ways.iter().map(|(_, activity)| *activity).collect();
        self.flat.union(ways)
    }

    /// After a loop each lane has the values that it computed last.
    fn keep(&mut self, escaping: &[(Id, Id)], held: Held) {
        let mut executed: BTreeMap<Id, Vec<ActivityId>> = BTreeMap::new();
        for &(id, label) in escaping {
            let Some(iterations) = held.get(&id) else { continue };
            executed.insert(label, iterations.iter().map(|(activity, _)| *activity).collect());
            let arms: Vec<(ActivityId, ValueId)> = iterations.iter().rev().copied().collect();
            let value = match arms.as_slice() {
                [(_, only)] => *only,
                _ => {
                    let ty = self.flat.ty(arms[0].1).clone();
                    self.flat.merge(arms, ty)
                }
            };
            self.frame_mut().values.insert(id, value);
        }
        for (label, iterations) in executed {
            if let Some(any) = self.flat.union(iterations) {
                self.frame_mut().executed.insert(label, any);
            }
        }
    }
}

/// The values that leave the loops of a function, by header.
pub(super) fn escaping(function: &Function) -> Escaping {
    let mut found = Escaping::new();
    let mut uses = Uses::new();
    uses_of(&function.body, &mut Vec::new(), &mut uses);
    defined_in(&function.body, &mut Vec::new(), &mut |header, id, label| {
        let uses = uses.get(&id).map(Vec::as_slice).unwrap_or_default();
        if uses.iter().any(|loops| !loops.contains(&header)) {
            found.entry(header).or_default().push((id, label));
        }
    });
    found
}

/// By `<id>`, where it is used: the headers of the loops around.
type Uses = BTreeMap<Id, Vec<Vec<Id>>>;

fn uses_of(region: &Region, around: &mut Vec<Id>, uses: &mut Uses) {
    let mut seen: BTreeSet<Id> = BTreeSet::new();
    for item in &region.items {
        match item {
            Item::Block(block) => seen.extend(used_in(block)),
            Item::Loop(inner) => {
                around.push(inner.header);
                uses_of(&inner.body, around, uses);
                around.pop();
            }
        }
    }
    for id in seen {
        uses.entry(id).or_default().push(around.clone());
    }
}

fn used_in(block: &Block) -> Vec<Id> {
    let phis = block.phis.iter().flat_map(|phi| phi.incoming.iter().map(|(value, _)| *value));
    let operands = block.instructions.iter().flat_map(|instruction| &instruction.operands);
    let mut used: Vec<Id> = phis.chain(operands.filter_map(|it| it.id_ref_any())).collect();
    used.extend(match block.terminator {
        Terminator::Conditional { condition, .. } => Some(condition),
        Terminator::Switch { selector, .. } => Some(selector),
        Terminator::ReturnValue(value) => Some(value),
        _ => None,
    });
    used
}

/// Visits what is defined in loops: header, `<id>`, label; once for each loop around.
fn defined_in(region: &Region, around: &mut Vec<Id>, visit: &mut impl FnMut(Id, Id, Id)) {
    for item in &region.items {
        match item {
            Item::Block(block) => {
                let phis = block.phis.iter().map(|phi| phi.result);
                let results = block.instructions.iter().filter_map(|it| it.result);
                for id in phis.chain(results) {
                    around.iter().for_each(|&header| visit(header, id, block.label));
                }
            }
            Item::Loop(inner) => {
                around.push(inner.header);
                defined_in(&inner.body, around, visit);
                around.pop();
            }
        }
    }
}

/// The place of a region's first instruction.
pub(super) fn first_place(region: &Region) -> Place {
    region
        .items
        .iter()
        .find_map(|item| match item {
            Item::Block(block) => block.instructions.first().map(|first| first.place),
            Item::Loop(inner) => Some(first_place(&inner.body)),
        })
        .unwrap_or_default()
}
