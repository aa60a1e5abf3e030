//! Reductions that a loop computes step by step: partial results and the lanes that they cover.
//!
//! A slot may *cut* the lanes of the source's reduction in two: those after a link, those nearer than
//! a distance, those below a counter, those whose bit of a mask is cleared. A partial result covers
//! one part. If an iteration combines two partial results, its own and that of the linked lane, their
//! lanes must be adjacent, which is part of the invariant about links; if it adds one lane's part, it
//! covers one more lane.

use std::collections::HashMap;

use laneproof_ask::Stage;
use laneproof_encode::{ANY, HERE, LARGEST, lane_sort};
use laneproof_semantics::Scalar;
use laneproof_semantics::denote::{DenoteError, LaneQuantifier};
use laneproof_semantics::term::{Binary, Compare, Node, Scan, Term};

use super::both_sides::BothSides;
use super::statement::{Candidate, Cutting, Moment};

/// A link that names no lane, as two's complement.
const NONE: u128 = 0xffff_ffff;

impl BothSides<'_, '_> {
    /// The slots that may cut the lanes in two, and how.
    pub(super) fn cuttings(&mut self) -> Result<Vec<(usize, Cutting)>, DenoteError> {
        let mut found = Vec::new();
        for slot in self.slots() {
            if !self.begins(slot) {
                continue;
            }
            if let Some(Scalar::Int { width: 32, .. }) = self.scalar(slot) {
                let cuttings = [Cutting::Link, Cutting::Distance, Cutting::Counter];
                found.extend(cuttings.map(|cutting| (slot, cutting)));
            }
            if self.may_be_mask(slot)? {
                found.push((slot, Cutting::Mask));
            }
        }
        Ok(found)
    }

    /// A slot has at most as many bits as there are lanes, and depends on the active set.
    fn may_be_mask(&mut self, slot: usize) -> Result<bool, DenoteError> {
        let leaves = self.leaves_of(slot)?;
        let width: u32 = leaves.iter().map(|leaf| leaf.width()).sum();
        if !self.holds_integers(slot) || width > LARGEST {
            return Ok(false);
        }
        let lane = self.lane;
        let at_first = self.number(Moment::Start, slot, lane)?;
        Ok(self.pool.bits_of(at_first).is_none())
    }

    /// The bits of a slot in a lane; the first component of a vector is lowest.
    pub(super) fn number(
        &mut self,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let leaves = self.held(moment, slot, lane)?;
        let none = || DenoteError::Specification("a slot without scalars".into());
        let whole = leaves.iter().map(|leaf| leaf.bits);
        whole.reduce(|low, high| self.pool.concat(high, low)).ok_or_else(none)
    }

    /// `there` is in the nearer part, by the slot of lane `here`.
    fn is_near(
        &mut self,
        cutting: Cutting,
        moment: Moment,
        slot: usize,
        [there, here]: [Term; 2],
    ) -> Result<Term, DenoteError> {
        let number = self.number(moment, slot, here)?;
        let pool = &mut self.pool;
        Ok(match cutting {
            Cutting::Link => pool.compare(Compare::LessSigned, number, there),
            Cutting::Distance => {
                let last = pool.binary(Binary::Sub, here, number);
                pool.compare(Compare::LessSigned, last, there)
            }
            Cutting::Counter => pool.less(there, number),
            Cutting::Mask => {
                let left = pool.bit(number, there);
                pool.not(left)
            }
        })
    }

    /// A link is a lower lane that entered, or none. A distance is equal in all lanes, here `i` and
    /// `j`, and in range. A counter is a lane index; a mask contains only lanes that entered.
    pub(super) fn is_linked(
        &mut self,
        cutting: Cutting,
        moment: Moment,
        slot: usize,
        [i, j]: [Term; 2],
    ) -> Result<Term, DenoteError> {
        let number = self.number(moment, slot, i)?;
        match cutting {
            Cutting::Link => {
                let entered = self.entered(number)?;
                let pool = &mut self.pool;
                let none = pool.bits(NONE, 32);
                let none = pool.equal(number, none);
                let before = pool.less(number, i);
                let linked = pool.and(before, entered);
                Ok(pool.or(none, linked))
            }
            Cutting::Distance => {
                let theirs = self.number(moment, slot, j)?;
                let pool = &mut self.pool;
                let most = pool.bits(u128::from(2 * LARGEST), 32);
                let zero = pool.bits(0, 32);
                let some = pool.less(zero, number);
                let bounded = pool.less_equal(number, most);
                let same = pool.equal(number, theirs);
                Ok(pool.all([some, bounded, same]))
            }
            Cutting::Counter => {
                let size = self.world.entry.size;
                Ok(self.pool.less_equal(number, size))
            }
            Cutting::Mask => {
                let left = self.pool.bit(number, j);
                let entered = self.entered(j)?;
                Ok(self.pool.implies(left, entered))
            }
        }
    }

    /// The lowest lane of a nonempty mask entered. This follows from the fact about all lanes of the
    /// mask; it is stated because this lane occurs in terms.
    pub(super) fn is_led(
        &mut self,
        moment: Moment,
        slot: usize,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let mask = self.number(moment, slot, lane)?;
        let lowest = self.pool.scan(Scan::Lowest, mask);
        let end = self.pool.bits(u128::from(self.pool.width(mask)), 32);
        let some = self.pool.less(lowest, end);
        let entered = self.entered(lowest)?;
        Ok(self.pool.implies(some, entered))
    }

    /// No lane below `i` is after the cut.
    pub(super) fn is_spent(
        &mut self,
        cutting: Cutting,
        moment: Moment,
        slot: usize,
        i: Term,
    ) -> Result<Term, DenoteError> {
        let number = self.number(moment, slot, i)?;
        let size = self.world.entry.size;
        let pool = &mut self.pool;
        Ok(match cutting {
            Cutting::Link => {
                let none = pool.bits(NONE, 32);
                pool.equal(number, none)
            }
            Cutting::Distance | Cutting::Counter => pool.less_equal(size, number),
            Cutting::Mask => {
                let nothing = pool.bits(0, pool.width(number));
                pool.equal(number, nothing)
            }
        })
    }

    /// `slot` is the source's reduction over the nearer lanes by `link`; with the lane's own part, if
    /// the source's reduction excludes it.
    pub(super) fn covers(
        &mut self,
        slot: usize,
        (link, cutting): (usize, Cutting),
        own: bool,
        moment: Moment,
        i: Term,
    ) -> Result<Term, DenoteError> {
        let none = || DenoteError::Specification("no reduction to cover".into());
        let (operator, identity, member, value) = self.reduction(i)?.ok_or_else(none)?;
        let any = self.world.quantifiers.enter(&mut self.pool).ok_or_else(none)?;
        let mut replace = |term| {
            let places = HashMap::from([
                (self.pool.placeholder(ANY, lane_sort()), any),
                (self.pool.placeholder(HERE, lane_sort()), i),
            ]);
            self.pool.substitute(term, &places)
        };
        let (mut member, value) = (replace(member), replace(value));
        if own {
            let itself = self.pool.equal(any, i);
            member = self.pool.or(member, itself);
        }
        let near = self.is_near(cutting, moment, link, [any, i])?;
        let member = self.pool.and(member, near);
        let cover = LaneQuantifier::Fold { operator, identity, member, value };
        let cover = self.world.quantifiers.term(&mut self.pool, any, i, &cover)?;
        self.world.quantifiers.leave();
        let held = self.held(moment, slot, i)?;
        let Some(held) = held.first() else { return Err(none()) };
        let equal = self.pool.equal(held.bits, cover);
        let defined = self.pool.not(held.undefined);
        Ok(self.pool.and(defined, equal))
    }

    /// The reduction that the side without a loop returns: operator, identity, members, parts.
    fn reduction(&mut self, lane: Term) -> Result<Option<(Term, Term, Term, Term)>, DenoteError> {
        let results = self.results(lane)?;
        let [(expected, found)] = results.as_slice() else { return Ok(None) };
        let plain = if self.loops.of_target { expected } else { found };
        let Node::Apply(symbol, _) = *self.pool.node(plain.bits) else { return Ok(None) };
        Ok(match self.world.quantifiers.definitions.get(&symbol) {
            Some(&LaneQuantifier::Fold { operator, identity, member, value }) => {
                Some((operator, identity, member, value))
            }
            _ => None,
        })
    }

    /// From now on the axioms of combined reductions are used, and those about the parts of other
    /// lanes that an iteration reads.
    pub(super) fn join_covers(&mut self) -> Result<(), DenoteError> {
        let lane = self.lane;
        let mut roots = Vec::new();
        for slot in self.slots() {
            roots.extend(self.held(Moment::After, slot, lane)?.iter().map(|leaf| leaf.bits));
        }
        let parameters = self.parameters();
        let mut others = Vec::new();
        for term in self.below(&roots) {
            match *self.pool.node(term) {
                Node::Apply(symbol, at) if at != lane && parameters.contains(&symbol) => {
                    others.push(at);
                }
                _ => {}
            }
        }
        others.retain(|&at| self.is_closed(at));
        self.world.quantifiers.instance_lanes.added = others;
        self.world.quantifiers.instance_lanes.joins = true;
        Ok(())
    }

    /// If the side without a loop returns a reduction, whether it may exclude the lane's own part.
    pub(super) fn lacks_own_part(&mut self) -> Result<Option<bool>, DenoteError> {
        let lane = self.lane;
        let Some((_, _, member, _)) = self.reduction(lane)? else { return Ok(None) };
        let places = [ANY, HERE].map(|it| (self.pool.placeholder(it, lane_sort()), lane));
        let own = self.pool.substitute(member, &HashMap::from(places));
        let lacks = self.pool.not(own);
        let entered = self.enters(lane);
        let lacks = self.pool.and(entered, lacks);
        Ok(Some(!self.excluded(Stage::Begins, &[], &[], lacks)?))
    }

    /// The source is a scan, and some slot is a link when the loop is entered.
    pub(super) fn has_links(&mut self) -> Result<bool, DenoteError> {
        if self.lacks_own_part()?.is_none() {
            return Ok(false);
        }
        let (lanes, mut found) = ([self.lane, self.other], false);
        for (slot, cutting) in self.cuttings()? {
            let linked = Candidate::Linked(slot, cutting);
            let holds = linked.holds(self, Moment::Start, lanes[0], lanes[1])?;
            let fails = self.pool.not(holds);
            found = found || self.excluded(Stage::Begins, &[], &[], fails)?;
        }
        Ok(found)
    }
}
