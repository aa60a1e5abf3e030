//! The state of the loop, before and after an iteration, as terms.

use std::collections::{HashMap, HashSet};

use laneproof_encode::{Content, InputLeaf};
use laneproof_obligation::{disagrees, pairs};
use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Node, Pool, Symbol, Term};

use super::both_sides::BothSides;
use super::statement::Moment;

impl BothSides<'_, '_> {
    /// A lane enters the functions.
    pub(super) fn enters(&mut self, lane: Term) -> Term {
        let active = self.pool.bit(self.world.entry.active, lane);
        let exists = self.pool.less(lane, self.world.entry.existing);
        self.pool.and(active, exists)
    }

    /// A lane enters the loop.
    pub(super) fn entered(&mut self, lane: Term) -> Result<Term, DenoteError> {
        let entered = self.cut()?.entered;
        let entered = self.activity(entered, lane)?;
        let enters = self.enters(lane);
        Ok(self.pool.and(enters, entered))
    }

    /// A lane is at the header.
    pub(super) fn live(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        let entered = self.entered(lane)?;
        let live = match (moment, self.cut()?.back) {
            (Moment::Start, _) => return Ok(entered),
            (Moment::After, None) => return Ok(self.pool.bool(false)),
            (Moment::After, Some(back)) => self.activity(back, lane)?,
            (Moment::Before, _) => self.encoder().live(lane)?,
        };
        Ok(self.pool.and(entered, live))
    }

    /// What a lane holds.
    pub(super) fn held(
        &mut self,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<Vec<Leaf>, DenoteError> {
        let slot = self.slot(slot)?;
        let value = match moment {
            Moment::Start => slot.initial.unwrap_or(slot.held),
            Moment::Before => slot.held,
            Moment::After => slot.next,
        };
        self.encoder().leaves(value, lane)
    }

    /// Some leaf differs, in its value or in being defined.
    pub(super) fn differ(&mut self, a: &[Leaf], b: &[Leaf]) -> Term {
        let mut differ = Vec::new();
        for (a, b) in a.iter().zip(b) {
            let same_mark = self.pool.equal(a.undefined, b.undefined);
            let same_bits = self.pool.equal(a.bits, b.bits);
            let either = self.pool.or(a.undefined, same_bits);
            let same = self.pool.and(same_mark, either);
            differ.push(self.pool.not(same));
        }
        self.pool.any(differ)
    }

    pub(super) fn results(&mut self, lane: Term) -> Result<Vec<(Leaf, Leaf)>, DenoteError> {
        let outputs = self.outputs;
        let (source, target) = (&mut self.source, &mut self.target);
        pairs(&mut self.pool, &mut self.world, source, target, lane, outputs)
    }

    /// The results of a lane disagree, by its state.
    pub(super) fn disagrees(&mut self, moment: Moment, lane: Term) -> Result<Term, DenoteError> {
        let mut differ = Vec::new();
        for (expected, found) in self.results(lane)? {
            differ.push(disagrees(&mut self.pool, expected, found)?);
        }
        let differ = self.pool.any(differ);
        if moment == Moment::Before {
            return Ok(differ);
        }
        self.with_state_of(differ, moment, &[lane])
    }

    /// Moves a term about some lanes' state at the beginning of an iteration to another moment.
    pub(super) fn with_state_of(
        &mut self,
        term: Term,
        moment: Moment,
        lanes: &[Term],
    ) -> Result<Term, DenoteError> {
        let mut replacements = HashMap::new();
        for slot in 0..self.cut()?.slots.len() {
            for &lane in lanes {
                let before = self.held(Moment::Before, slot, lane)?;
                let there = self.held(moment, slot, lane)?;
                for (before, there) in before.iter().zip(there) {
                    replacements.insert(before.bits, there.bits);
                    replacements.insert(before.undefined, there.undefined);
                }
            }
        }
        replacements.retain(|before, _| self.pool.constant(*before).is_none());
        Ok(self.pool.substitute(term, &replacements))
    }

    /// A term depends only on the state of these lanes at the beginning of an iteration and on what is
    /// equal in every iteration: parameters, sizes, the active set, what memory holds at first. Everything else may differ in the
    /// next iteration: draws, the lanes at the header, the state of other lanes.
    pub(super) fn is_of_moment(&self, term: Term, lanes: &[Term]) -> bool {
        let looping = if self.loops.of_target { &self.target } else { &self.source };
        let held: HashSet<Symbol> = looping
            .header
            .held
            .values()
            .flat_map(|&(bits, mark)| [Some(bits), mark])
            .flatten()
            .collect();
        let mut given = self.parameters();
        let memories = self.world.entry.memories.values();
        given.extend(memories.filter_map(|memory| match memory.content {
            Content::Free(symbol) => Some(symbol),
            Content::Moved(_) => None,
        }));
        let direct: HashSet<Term> = self.pool.reachable(&[term]).into_iter().collect();
        self.below(&[term]).into_iter().all(|it| match *self.pool.node(it) {
            Node::Apply(symbol, at) => {
                let held_here = held.contains(&symbol) && direct.contains(&it);
                // The definition of a quantifier counts as below it.
                given.contains(&symbol)
                    || self.world.quantifiers.definitions.contains_key(&symbol)
                    || (held_here && lanes.contains(&at))
            }
            _ => true,
        })
    }

    /// Parameters that are functions of the lane.
    pub(super) fn parameters(&self) -> HashSet<Symbol> {
        let leaves = self.world.entry.inputs.iter().flatten();
        let symbols = leaves.filter_map(|leaf| match leaf {
            InputLeaf::PerLane(symbol) => Some(*symbol),
            _ => None,
        });
        symbols.collect()
    }

    /// A slot, compared as if it were the result.
    pub(super) fn slot_disagrees(
        &mut self,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let held = self.held(moment, slot, lane)?;
        let mut differ = Vec::new();
        for ((expected, found), held) in self.results(lane)?.into_iter().zip(held) {
            let (expected, found) =
                if self.loops.of_target { (expected, held) } else { (held, found) };
            differ.push(disagrees(&mut self.pool, expected, found)?);
        }
        Ok(self.pool.any(differ))
    }

    /// A slot has the shape of the result.
    pub(super) fn fits_result(&mut self, slot: usize) -> Result<bool, DenoteError> {
        let lane = self.lane;
        let held = self.held(Moment::Before, slot, lane)?;
        let results = self.results(lane)?;
        let sorts = |pool: &Pool, leaf: &Leaf| pool.sort(leaf.bits);
        Ok(held.len() == results.len()
            && held.iter().zip(&results).all(|(held, (expected, found))| {
                let sort = sorts(&self.pool, held);
                sort == sorts(&self.pool, expected) && sort == sorts(&self.pool, found)
            }))
    }

    /// The slot that is returned unchanged.
    pub(super) fn returned_slot(&mut self) -> Result<Option<usize>, DenoteError> {
        let lane = self.lane;
        let results = self.results(lane)?;
        let target_loops = self.loops.of_target;
        let of_loop: Vec<Leaf> =
            results.iter().map(|it| if target_loops { it.1 } else { it.0 }).collect();
        for slot in self.slots() {
            if self.held(Moment::Before, slot, lane)? == of_loop {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// The result depends only on the state of its own lane.
    pub(super) fn result_is_local(&mut self) -> Result<bool, DenoteError> {
        let lane = self.lane;
        let of_lane = self.disagrees(Moment::Before, lane)?;
        Ok(self.is_of_moment(of_lane, &[lane]))
    }
}
