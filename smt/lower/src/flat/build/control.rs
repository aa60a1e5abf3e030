//! Control flow as activities: blocks, branches, and how lanes end.

use laneproof_module::{Block, Function, Id, Item, ModuleType, Phi, Region, Terminator};
use laneproof_semantics::Type as Data;

use super::Builder;
use super::cut::OVER;
use super::pointer::data;
use super::tangle::SwitchArrival;
use super::unroll::escaping;
use crate::flat::{Activity, ActivityId, BranchTest, Event, Unmodelled, ValueId, unmodelled};

/// How many blocks a function may have once loops are unrolled.
const BLOCK_LIMIT: usize = 50_000;

impl Builder<'_> {
    /// Walks a function's blocks; returns its result and the lanes that return from it.
    pub(super) fn body(
        &mut self,
        function: &Function,
        activity: ActivityId,
    ) -> Result<(Option<ValueId>, Option<ActivityId>), Unmodelled> {
        if let Some(why) = &function.unmodelled {
            return Err(unmodelled(why.clone(), function.place));
        }
        match function.body.items.first() {
            Some(Item::Block(first)) => {
                self.leave(0, first.label, activity);
            }
            Some(Item::Loop(_)) | None => {
                let what = "a function whose first block is not a plain block";
                return Err(unmodelled(what, function.place));
            }
        }
        if function.body.items.iter().any(|item| matches!(item, Item::Loop(_))) {
            self.loops.escaping.extend(escaping(function));
        }
        let killed = self.ended.killed.len() + self.ended.terminated.len();
        self.region(&function.body)?;
        let returns = std::mem::take(&mut self.frame_mut().returns);
        // If no lane is killed, all that enter return.
        let back = match self.ended.killed.len() + self.ended.terminated.len() == killed {
            true => Some(activity),
            false => self.flat.union(returns.iter().map(|(activity, _)| *activity).collect()),
        };
        self.at.together = self.come_back_together();
        let arms: Vec<(ActivityId, ValueId)> =
            returns.iter().filter_map(|&(activity, value)| Some((activity, value?))).collect();
        if function.result == ModuleType::Void {
            return Ok((None, back));
        }
        let ty = data(&function.result, function.place)?;
        let result = match arms.as_slice() {
            [] => self.undefined(&ty),
            [(_, only)] => *only,
            _ => self.flat.merge(arms, ty),
        };
        Ok((Some(result), back))
    }

    pub(super) fn region(&mut self, region: &Region) -> Result<(), Unmodelled> {
        for (position, item) in region.items.iter().enumerate() {
            match item {
                Item::Block(block) => self.block(block)?,
                Item::Loop(inner) => {
                    if self.frame().incoming.contains_key(&inner.header) {
                        self.open_construct(inner);
                        match self.loops.cut {
                            true => self.cut(inner, &region.items[position + 1..])?,
                            false => self.unroll(inner)?,
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<(), Unmodelled> {
        let together = self.arrive_together(block.label);
        let tangle = match self.frame().incoming.contains_key(&block.label) {
            true => self.arrive_in_tangle(block.label, block.end),
            false => None,
        };
        let Some(incoming) = self.frame_mut().incoming.remove(&block.label) else {
            return Ok(());
        };
        self.forget_ways(block.label);
        let Some(activity) = self.flat.union(incoming.iter().map(|(_, it)| *it).collect()) else {
            return Ok(());
        };
        (self.at.here, self.at.together, self.at.tangle) = (activity, together, tangle);
        self.open_selection(block);
        self.walked.blocks += 1;
        if self.walked.blocks > BLOCK_LIMIT {
            return Err(unmodelled("a function of this size", block.end));
        }
        if !self.frame_mut().bound.remove(&block.label) {
            let mut merged = Vec::new();
            for phi in &block.phis {
                let arms = self.phi_arms(phi, &incoming)?;
                let ty = data(&phi.ty, phi.place)?;
                merged.push((phi.result, self.merged(arms, &ty)));
            }
            self.frame_mut().values.extend(merged);
        }
        self.frame_mut().executed.insert(block.label, activity);
        if let Some(merge) = block.selection_merge {
            let all_lanes = together && activity == self.entry;
            self.frame_mut().tangles.merges.insert(merge, all_lanes);
        }
        let mut activity = activity;
        for instruction in &block.instructions {
            match self.instruction(instruction, activity)? {
                Some(left) => (activity, self.at.here) = (left, left),
                None => return Ok(()),
            }
        }
        self.terminator(block, activity)
    }

    /// The values of a phi, by the way that lanes come.
    pub(super) fn phi_arms(
        &mut self,
        phi: &Phi,
        incoming: &[(Id, ActivityId)],
    ) -> Result<Vec<(ActivityId, ValueId)>, Unmodelled> {
        let mut arms = Vec::new();
        if let Some(&held) = self.frame().taken_along.get(&phi.result) {
            let over = incoming.iter().filter(|(label, _)| *label == OVER);
            arms.extend(over.map(|&(_, edge)| (edge, held)));
        }
        for &(value, from) in &phi.incoming {
            for &(_, edge) in incoming.iter().filter(|(label, _)| *label == from) {
                arms.push((edge, self.value(value, phi.place)?));
            }
        }
        Ok(arms)
    }

    pub(super) fn merged(&mut self, arms: Vec<(ActivityId, ValueId)>, ty: &Data) -> ValueId {
        match arms.as_slice() {
            [] => self.undefined(ty),
            _ => self.flat.merge(arms, ty.clone()),
        }
    }

    pub(super) fn leave(&mut self, from: Id, to: Id, activity: ActivityId) {
        self.leave_by(from, to, activity, SwitchArrival::Tangle(self.at.tangle));
    }

    fn leave_by(&mut self, from: Id, to: Id, activity: ActivityId, arrival: SwitchArrival) {
        let together = self.at.together;
        let frame = self.frame_mut();
        frame.incoming.entry(to).or_default().push((from, activity));
        frame.tangles.ways.entry(to).or_default().push((together, arrival));
    }

    fn branch(&mut self, block: &Block, target: Id, activity: ActivityId, test: BranchTest) {
        let edge = self.flat.activity(Activity::Edge(activity, test));
        self.leave(block.label, target, edge);
    }

    /// The ways out of an `OpSwitch`.
    fn switch(&mut self, block: &Block, activity: ActivityId) -> Result<(), Unmodelled> {
        let Terminator::Switch { selector, default, cases } = &block.terminator else {
            return Ok(());
        };
        let selector = self.value(*selector, block.end)?;
        self.flat.events.push(Event::Branch(activity, selector));
        self.open_cases(block, selector);
        let mut targets: Vec<Id> = Vec::new();
        for (_, target) in cases {
            if target != default && !targets.contains(target) {
                targets.push(*target);
            }
        }
        // One target after the other: the two ways of each test together are all lanes that are
        // left, so the union of all ways is the set of lanes that came.
        let mut left = activity;
        for target in targets {
            let literals: Vec<u64> =
                cases.iter().filter(|(_, to)| *to == target).map(|(it, _)| *it).collect();
            let arrival = self.arrival(selector, literals.len());
            let test = BranchTest::Equals(selector, literals.clone());
            let edge = self.flat.activity(Activity::Edge(left, test));
            self.leave_by(block.label, target, edge, arrival);
            let others = BranchTest::Differs(selector, literals);
            left = self.flat.activity(Activity::Edge(left, others));
        }
        let arrival = self.arrival(selector, usize::MAX);
        self.leave_by(block.label, *default, left, arrival);
        Ok(())
    }

    fn terminator(&mut self, block: &Block, activity: ActivityId) -> Result<(), Unmodelled> {
        let place = block.end;
        match &block.terminator {
            Terminator::Branch(target) => self.leave(block.label, *target, activity),
            Terminator::Conditional { condition, then, otherwise } => {
                let condition = self.value(*condition, place)?;
                self.flat.events.push(Event::Branch(activity, condition));
                let only = match self.known(condition) {
                    _ if then == otherwise => Some(*then),
                    known => known.map(|holds| if holds == 0 { *otherwise } else { *then }),
                };
                if let Some(only) = only {
                    self.leave(block.label, only, activity);
                    return Ok(());
                }
                self.branch(block, *then, activity, BranchTest::Holds(condition));
                self.branch(block, *otherwise, activity, BranchTest::Fails(condition));
            }
            Terminator::Switch { .. } => self.switch(block, activity)?,
            Terminator::Return => {
                self.return_here();
                self.frame_mut().returns.push((activity, None));
            }
            Terminator::ReturnValue(value) => {
                let value = self.value(*value, place)?;
                self.return_here();
                self.frame_mut().returns.push((activity, Some(value)));
            }
            Terminator::Kill => self.kill(activity, place)?,
            Terminator::Terminate => self.terminate(activity, place)?,
            Terminator::Unreachable => {
                self.flat.events.push(Event::Unreachable(activity));
            }
        }
        Ok(())
    }
}
