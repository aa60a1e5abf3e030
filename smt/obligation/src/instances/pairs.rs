//! Axioms about pairs of reductions: equal over the same parts, combined with a part for one
//! additional lane, combined with each other if disjoint.

use laneproof_semantics::denote::LaneQuantifier;
use laneproof_semantics::term::{Pool, Symbol, Term};
use laneproof_solve::combined;

use super::{Application, Instances, instance};

impl Instances<'_> {
    /// For reductions by one operator: over the same parts they are equal; with one additional
    /// lane, its part is combined.
    pub(super) fn pairs(
        &mut self,
        pool: &mut Pool,
        applications: &[Application],
        new: &mut Vec<Term>,
    ) {
        let folds: Vec<_> = applications
            .iter()
            .filter_map(|&at| match self.quantifiers.definitions.get(&at.symbol) {
                Some(&LaneQuantifier::Fold { operator, identity, member, value }) => {
                    let Application { term, symbol, here } = at;
                    Some(Reduction { term, symbol, here, operator, identity, member, value })
                }
                _ => None,
            })
            .collect();
        for a in &folds {
            for b in &folds {
                if a.term == b.term || (a.operator, a.identity) != (b.operator, b.identity) {
                    continue;
                }
                if a.term < b.term && self.paired.compared.insert((a.term, b.term)) {
                    let lane = self.witness(pool, "apart");
                    let differ = differ(pool, a, b, lane);
                    let equal = pool.equal(a.term, b.term);
                    new.push(pool.or(equal, differ));
                    self.look(lane);
                }
                for lane in self.lanes.clone() {
                    let added =
                        self.quantifiers.instance_lanes.added.contains(&lane) && a.here == b.here;
                    let own = !self.quantifiers.instance_lanes.joins
                        && (lane == a.here || lane == b.here);
                    if !self.quantifiers.instance_lanes.brief && (added || own) {
                        self.one_more(pool, a, b, lane, new);
                    }
                }
                if self.quantifiers.instance_lanes.joins
                    && !self.quantifiers.instance_lanes.brief
                    && a.symbol == b.symbol
                {
                    for whole in folds.iter().filter(|it| it.symbol != a.symbol) {
                        self.together(pool, whole, [a, b], new);
                    }
                }
            }
        }
    }

    /// A reduction over the disjoint union of two others' lanes, with their parts, is their
    /// combination.
    fn together(
        &mut self,
        pool: &mut Pool,
        whole: &Reduction,
        [a, b]: [&Reduction; 2],
        new: &mut Vec<Term>,
    ) {
        if (whole.operator, whole.identity) != (a.operator, a.identity)
            || a.term > b.term
            || !self.paired.joined.insert((whole.term, a.term, b.term))
        {
            return;
        }
        let lane = self.witness(pool, "split");
        let (in_a, in_b) = (a.takes(pool, lane), b.takes(pool, lane));
        let in_whole = whole.takes(pool, lane);
        let either = pool.or(in_a, in_b);
        let both = pool.and(in_a, in_b);
        let apart = pool.not(both);
        let same_lanes = pool.equal(in_whole, either);
        let mut same = vec![apart, same_lanes];
        let value = instance(pool, whole.value, lane, whole.here);
        for part in [a, b] {
            let takes = part.takes(pool, lane);
            let part = instance(pool, part.value, lane, part.here);
            let equal = pool.equal(part, value);
            same.push(pool.implies(takes, equal));
        }
        let same = pool.all(same);
        let differ = pool.not(same);
        let combined = combined(pool, whole.operator, a.term, b.term);
        let equal = pool.equal(whole.term, combined);
        new.push(pool.or(equal, differ));
        self.look(lane);
    }

    fn one_more(
        &mut self,
        pool: &mut Pool,
        fewer: &Reduction,
        more: &Reduction,
        lane: Term,
        new: &mut Vec<Term>,
    ) {
        if !self.paired.stepped.insert((fewer.term, more.term, lane)) {
            return;
        }
        let without = fewer.takes(pool, lane);
        let with = more.takes(pool, lane);
        let value = instance(pool, more.value, lane, more.here);
        let other = self.witness(pool, "apart");
        let same_lane = pool.equal(lane, other);
        let elsewhere = pool.not(same_lane);
        let differ = differ(pool, fewer, more, other);
        let differ = pool.and(elsewhere, differ);
        let step = combined(pool, fewer.operator, fewer.term, value);
        let stepped = pool.equal(more.term, step);
        let without = pool.not(without);
        let grows = pool.and(with, without);
        let either = pool.or(stepped, differ);
        new.push(pool.implies(grows, either));
        self.look(other);
    }
}

/// A reduction that a lane evaluates.
pub(super) struct Reduction {
    pub(super) term: Term,
    pub(super) symbol: Symbol,
    pub(super) here: Term,
    pub(super) operator: Term,
    pub(super) identity: Term,
    pub(super) member: Term,
    pub(super) value: Term,
}

impl Reduction {
    fn takes(&self, pool: &mut Pool, lane: Term) -> Term {
        instance(pool, self.member, lane, self.here)
    }
}

/// The two have different parts of a lane. A lane that is no member has the identity.
fn differ(pool: &mut Pool, a: &Reduction, b: &Reduction, lane: Term) -> Term {
    let (in_a, in_b) = (a.takes(pool, lane), b.takes(pool, lane));
    let part_of_a = instance(pool, a.value, lane, a.here);
    let part_of_b = instance(pool, b.value, lane, b.here);
    let [not_in_a, not_in_b] = [in_a, in_b].map(|it| pool.not(it));
    let ways = [
        ([in_a, in_b], [part_of_a, part_of_b]),
        ([in_a, not_in_b], [part_of_a, a.identity]),
        ([not_in_a, in_b], [a.identity, part_of_b]),
    ];
    let same = ways.map(|(taken, [part, other])| {
        let taken = pool.all(taken);
        let equal = pool.equal(part, other);
        pool.implies(taken, equal)
    });
    let same = pool.all(same);
    pool.not(same)
}
