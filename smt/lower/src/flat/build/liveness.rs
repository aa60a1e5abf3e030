//! Liveness by path: values as the lanes that use them see them.
//!
//! A value matters only in the lanes that reach a use of it. So a load under an activity sees the store
//! under that activity and no store on another branch, and the arms of a merge are distinguished only by
//! the conditions in which their paths differ. So a loop counter is a constant in each iteration, and a
//! value chosen by a branch is the same term as one chosen by `OpSelect`.

use laneproof_semantics::Type;

use super::Builder;
use crate::flat::{Activity, ActivityId, Flat, FlatValue, Merge, ValueId};

/// The most arms of stores that are searched.
const STORES: usize = 160;
/// The most arms for which is checked whether they are all ways together.
const WAYS: usize = 8;

impl Flat {
    /// The smallest other activity that contains this one: its immediate dominator.
    pub(in crate::flat) fn dominator(&self, activity: &Activity) -> Option<ActivityId> {
        match activity {
            Activity::Entry | Activity::Live => None,
            Activity::Edge(from, _) => Some(*from),
            Activity::Union(parts) => self.common(parts.iter().copied()),
        }
    }

    /// The smallest known activity that contains all of these.
    fn common(&self, parts: impl IntoIterator<Item = ActivityId>) -> Option<ActivityId> {
        parts.into_iter().map(Some).reduce(|a, b| self.lanes.dominators.meet(a?, b?))?
    }

    /// The two are disjoint: they are different ways of one branch.
    fn excludes(&self, a: ActivityId, b: ActivityId) -> bool {
        let Some(fork) = self.lanes.dominators.meet(a, b) else { return false };
        let way = |to: ActivityId| self.lanes.dominators.next_below(fork, to);
        let test = |way: ActivityId| match &self.lanes.activities[way.0 as usize] {
            Activity::Edge(from, test) if *from == fork => Some(test),
            _ => None,
        };
        match (way(a).and_then(test), way(b).and_then(test)) {
            (Some(a), Some(b)) => a.opposes(b),
            _ => false,
        }
    }

    /// The first of these arms whose activity holds; the last where none does.
    pub(super) fn merge(&mut self, arms: Vec<(ActivityId, ValueId)>, ty: Type) -> ValueId {
        let within = self.common(arms.iter().map(|(activity, _)| *activity));
        self.add(FlatValue::Merge(Merge { arms, within }), ty)
    }
}

impl Builder<'_> {
    /// The value as these lanes see it; in other lanes it is arbitrary.
    pub(super) fn seen(&mut self, value: ValueId, by: ActivityId) -> ValueId {
        let mut arms: Vec<(ActivityId, ValueId)> = Vec::new();
        let mut rest = value;
        let mut looked = 0;
        let mut fewer = false;
        'outer: while let FlatValue::Merge(Merge { arms: inner, .. }) = self.flat.value(rest) {
            let Some(((_, last), others)) = inner.split_last() else { break };
            looked += inner.len();
            if looked > STORES {
                break;
            }
            for &(activity, arm) in others {
                if self.flat.lanes.dominators.includes(activity, by) {
                    (rest, fewer) = (arm, true);
                    continue 'outer;
                }
                match self.flat.excludes(activity, by) {
                    true => fewer = true,
                    false => arms.push((activity, arm)),
                }
            }
            rest = *last;
            let ways = || arms.iter().map(|(activity, _)| *activity).collect();
            if arms.len() <= WAYS
                && let [all] = self.flat.joined(ways())[..]
                && self.flat.lanes.dominators.includes(all, by)
                && let Some((_, last)) = arms.pop()
            {
                (rest, fewer) = (last, true);
            }
        }
        if !fewer {
            return value;
        }
        if arms.is_empty() {
            return rest;
        }
        arms.push((by, rest));
        let ty = self.flat.ty(rest).clone();
        self.flat.merge(arms, ty)
    }
}
