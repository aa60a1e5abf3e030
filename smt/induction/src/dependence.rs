//! Dependence of an iteration's terms on slots, on lanes, and on the set of lanes at the header.

use std::collections::{HashMap, HashSet};

use laneproof_encode::{ANY, DEEPEST, HERE, READING, lane_sort};
use laneproof_semantics::denote::{DenoteError, LaneQuantifier};
use laneproof_semantics::term::{Compare, Node, Scan, Symbol, Term};

use super::both_sides::BothSides;
use super::candidates::looks_for;
use super::effects::Part;
use super::statement::Moment;

impl BothSides<'_, '_> {
    /// Everything below some terms, and below the quantifiers in them.
    pub(super) fn below(&self, terms: &[Term]) -> Vec<Term> {
        let mut roots = terms.to_vec();
        let mut met: HashSet<Symbol> = HashSet::new();
        loop {
            let below = self.pool.reachable(&roots);
            let before = met.len();
            for &term in &below {
                if let Node::Apply(symbol, _) = *self.pool.node(term)
                    && let Some(quantifier) = self.world.quantifiers.definitions.get(&symbol)
                    && met.insert(symbol)
                {
                    roots.extend(match *quantifier {
                        LaneQuantifier::Every(holds) | LaneQuantifier::Set(holds) => vec![holds],
                        LaneQuantifier::Fold { member, value, .. } => vec![member, value],
                    });
                }
            }
            if met.len() == before {
                return below;
            }
        }
    }

    /// The slots on which the result, the effects of the iteration or the exit of lanes depends.
    pub(super) fn slots_in_use(&mut self) -> Result<Vec<usize>, DenoteError> {
        let lane = self.lane;
        let mut roots = vec![
            self.disagrees(Moment::Before, lane)?,
            self.live(Moment::After, lane)?,
            self.bad(Part::Iteration)?,
            self.bad(Part::After)?,
        ];
        let mut used: Vec<usize> = Vec::new();
        loop {
            let side = if self.loops.of_target { &self.target } else { &self.source };
            let slots: HashMap<Symbol, usize> = side
                .header
                .held
                .iter()
                .flat_map(|(&(slot, _), &(bits, mark))| {
                    [Some(bits), mark].into_iter().flatten().map(move |symbol| (symbol, slot))
                })
                .collect();
            let before = used.len();
            for term in self.below(&roots) {
                if let Node::Apply(symbol, _) = *self.pool.node(term)
                    && let Some(&slot) = slots.get(&symbol)
                    && !used.contains(&slot)
                {
                    used.push(slot);
                }
            }
            if used.len() == before {
                used.sort_unstable();
                return Ok(used);
            }
            for slot in used[before..].iter().copied() {
                for leaf in self.held(Moment::After, slot, lane)? {
                    roots.extend([leaf.bits, leaf.undefined]);
                }
            }
        }
    }

    /// The first or last lanes of sets that an iteration selects, and the symbolic lane.
    pub(super) fn named_lanes(&mut self) -> Result<Vec<Term>, DenoteError> {
        let lane = self.lane;
        let mut roots = vec![self.live(Moment::After, lane)?];
        for slot in self.slots() {
            for leaf in self.held(Moment::After, slot, lane)? {
                roots.extend([leaf.bits, leaf.undefined]);
            }
        }
        let mut named = vec![lane];
        for term in self.below(&roots) {
            if looks_for(self.pool.node(term)) && self.is_closed(term) {
                named.push(term);
            }
        }
        Ok(named)
    }

    /// It has no free placeholder.
    pub(super) fn is_closed(&mut self, term: Term) -> bool {
        let below = self.pool.reachable(&[term]);
        let mut lanes = (READING..=READING + DEEPEST).chain([ANY, HERE]);
        lanes.all(|index| !below.contains(&self.pool.placeholder(index, lane_sort())))
    }

    /// Replaces membership in quantified sets by its definition.
    pub(super) fn per_lane(&mut self, term: Term) -> Term {
        let mut replacements = HashMap::new();
        for it in self.pool.reachable(&[term]) {
            let Node::Bit(set, lane) = *self.pool.node(it) else { continue };
            let Node::Apply(symbol, here) = *self.pool.node(set) else { continue };
            if let Some(&LaneQuantifier::Set(holds)) =
                self.world.quantifiers.definitions.get(&symbol)
            {
                let places = HashMap::from([
                    (self.pool.placeholder(ANY, lane_sort()), lane),
                    (self.pool.placeholder(HERE, lane_sort()), here),
                ]);
                let member = self.pool.substitute(holds, &places);
                replacements.insert(it, member);
            }
        }
        self.pool.substitute(term, &replacements)
    }

    /// Simplifies a term for a lane that is at the header.
    pub(super) fn assuming_live(&mut self, term: Term, lane: Term) -> Result<Term, DenoteError> {
        let live = self.live(Moment::Before, lane)?;
        Ok(self.assuming(term, live))
    }

    /// Simplifies a term for a lane that comes back from the iteration.
    pub(super) fn assuming_back(&mut self, term: Term, lane: Term) -> Result<Term, DenoteError> {
        let back = self.live(Moment::After, lane)?;
        let back = self.per_lane(back);
        Ok(self.assuming(term, back))
    }

    /// Simplifies a term under a condition.
    fn assuming(&mut self, term: Term, condition: Term) -> Term {
        let parts = match self.pool.node(condition) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![condition],
        };
        let mut replacements = HashMap::new();
        for part in parts {
            let (part, holds) = match *self.pool.node(part) {
                Node::Not(fails) => (fails, false),
                _ => (part, true),
            };
            replacements.insert(part, self.pool.bool(holds));
            if let Node::Compare(Compare::Less, a, b) = *self.pool.node(part) {
                let otherwise = self.pool.less_equal(b, a);
                replacements.insert(otherwise, self.pool.bool(!holds));
            }
        }
        self.pool.substitute(term, &replacements)
    }

    /// Simplifies a term for a lane without undefined values.
    pub(super) fn assuming_defined(&mut self, term: Term, lane: Term) -> Result<Term, DenoteError> {
        let mut replacements = HashMap::new();
        for slot in 0..self.cut()?.slots.len() {
            for leaf in self.held(Moment::Before, slot, lane)? {
                if self.pool.bool_of(leaf.undefined).is_none() {
                    replacements.insert(leaf.undefined, self.pool.bool(false));
                }
            }
        }
        Ok(self.pool.substitute(term, &replacements))
    }

    /// Replaces the lanes that a term selects by another lane; the sets that contain one are not
    /// empty.
    pub(super) fn with_named(&mut self, term: Term, lane: Term) -> Term {
        let mut replacements = HashMap::new();
        for it in self.pool.reachable(&[term]) {
            let Node::Scan(Scan::Lowest | Scan::Highest, set) = *self.pool.node(it) else {
                continue;
            };
            if self.pool.sort(it) != lane_sort() {
                continue;
            }
            let nothing = self.pool.bits(0, self.pool.width(set));
            let empty = self.pool.equal(set, nothing);
            replacements.insert(it, lane);
            replacements.insert(empty, self.pool.bool(false));
        }
        self.pool.substitute(term, &replacements)
    }
}
