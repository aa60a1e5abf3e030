//! A loop cut open: one iteration, from any state at its header to the next.
//!
//! The state is a function of the lane: whether it is at the header, header phis, variables that the
//! body stores to, and the values with which a lane left: values that are used after the loop, the
//! merge block's phis, the result. The graph has the body once, executed by an arbitrary set of lanes;
//! the code after the loop begins in the state in which no lane is at the header.
//!
//! Lanes may bypass the loop, in another branch or directly to its merge block. Their values stay as
//! they were: after the loop a variable is a merge of both, and so is a phi of the merge block. A slot
//! describes only lanes that entered.

use std::ops::Range;

use laneproof_module::{Block, Id, Item, Loop, Place};
use laneproof_semantics::{Scalar, Type as Data};

use super::Builder;
use super::pointer::data;
use super::target::Target;
use crate::flat::{Activity, ActivityId, BranchTest, FlatValue, Unmodelled, ValueId, unmodelled};

/// The label that stands for the end of the loop among the ways to its merge block.
pub(super) const OVER: Id = 0;

/// The loop of a function, cut open at its header.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The lanes that enter the loop.
    pub entered: ActivityId,
    /// The lanes that go on to the next iteration; `None`: no lane ever does.
    pub back: Option<ActivityId>,
    /// The state besides the set of lanes at the header; [`FlatValue::Held`] by position.
    pub slots: Vec<Slot>,
    /// The events of the iteration; those before and after it are outside of the loop.
    pub iteration: Range<usize>,
}

/// A part of the state.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name in the module; empty if it has none.
    pub name: String,
    /// Its value at the header.
    pub held: ValueId,
    /// Its value when the loop is entered; `None`: arbitrary.
    pub initial: Option<ValueId>,
    /// Its value after an iteration.
    pub next: ValueId,
    /// It may be an undefined value.
    pub marked: bool,
    /// After the loop it is used only in lanes in which this slot is true.
    pub only_of: Option<usize>,
}

impl Builder<'_> {
    /// Cuts open a loop that lanes reach; `rest` is what follows it in its region.
    pub(super) fn cut(&mut self, inner: &Loop, rest: &[Item]) -> Result<(), Unmodelled> {
        let place = super::unroll::first_place(&inner.body);
        self.only_cut(place)?;
        let stored = self.stored_in(inner)?;
        let together = self.meet_each_iteration(inner)?;
        let incoming = self.frame_mut().incoming.remove(&inner.header).unwrap_or_default();
        let Some(entered) = self.flat.union(incoming.iter().map(|(_, it)| *it).collect()) else {
            return Ok(());
        };
        let Some(Item::Block(header)) = inner.body.items.first() else {
            return Err(unmodelled("a loop without a header", place));
        };
        let live = self.flat.activity(Activity::Live);
        self.flat.cut = Some(Cut { entered, back: None, slots: Vec::new(), iteration: 0..0 });
        let mut phis = Vec::new();
        for phi in &header.phis {
            let ty = data(&phi.ty, phi.place)?;
            let initial = self.phi_arms(phi, &incoming)?;
            let initial = self.merged(initial, &ty);
            let name = self.module.program.name_of(phi.result);
            let (slot, held) = self.hold(name, ty, Some(initial), true);
            self.frame_mut().values.insert(phi.result, held);
            phis.push(slot);
        }
        self.frame_mut().bound.insert(inner.header);
        let mut variables = Vec::new();
        for variable in stored {
            let current = self.storage.variables[variable].current;
            let ty = self.flat.ty(current).clone();
            let name = self.variable_name(variable);
            let (slot, held) = self.hold(name, ty, Some(current), true);
            self.storage.variables[variable].current = held;
            variables.push((variable, slot, current));
        }
        let escaping = self.loops.escaping.get(&inner.header).cloned().unwrap_or_default();
        let around = self.frame_mut().incoming.remove(&inner.merge).unwrap_or_default();
        let (returned, waiting) = (self.frame().returns.len(), self.waiting());
        let first = self.flat.events.len();
        self.forget_ways(inner.header);
        self.at.together = together;
        self.at.tangle = self.arrive_in_tangle(inner.header, place);
        self.leave(0, inner.header, live);
        self.region(&inner.body)?;
        let iteration = first..self.flat.events.len();
        let back = self.frame_mut().incoming.remove(&inner.header).unwrap_or_default();
        for (phi, &slot) in header.phis.iter().zip(&phis) {
            let arms = self.phi_arms(phi, &back)?;
            self.next(slot, arms);
        }
        for &(variable, slot, before) in &variables {
            let next = self.storage.variables[variable].current;
            self.set_next(slot, next);
            self.storage.variables[variable].current = self.after(slot, entered, variable, before);
        }
        let leaving = self.frame_mut().incoming.remove(&inner.merge).unwrap_or_default();
        if self.waiting() != waiting {
            return Err(unmodelled("a loop that is left to several places", place));
        }
        self.take_along_merge_phis(inner, rest, &leaving)?;
        self.hold_escaping(&escaping);
        let after = self.returned_inside(returned, entered)?;
        let union = self.flat.union(back.iter().map(|(_, it)| *it).collect());
        if let Some(cut) = &mut self.flat.cut {
            (cut.back, cut.iteration) = (union, iteration);
        }
        if let Some(after) = after
            && !leaving.is_empty()
        {
            self.leave(OVER, inner.merge, after);
        }
        if !around.is_empty() {
            self.frame_mut().incoming.entry(inner.merge).or_default().extend(around);
        }
        Ok(())
    }

    /// No other loop is cut open.
    fn only_cut(&self, place: Place) -> Result<(), Unmodelled> {
        match &self.flat.cut {
            // Its iteration is not finished yet.
            Some(cut) if cut.iteration.is_empty() => {
                Err(unmodelled("a loop within a loop, by induction,", place))
            }
            Some(_) => Err(unmodelled("a second loop, by induction,", place)),
            None => Ok(()),
        }
    }

    /// Values of the iteration that are used after the loop.
    fn hold_escaping(&mut self, escaping: &[(Id, Id)]) {
        for &(id, label) in escaping {
            let (Some(&activity), Some(&value)) =
                (self.frame().executed.get(&label), self.frame().values.get(&id))
            else {
                continue;
            };
            let ty = self.flat.ty(value).clone();
            let (slot, held) = self.hold(self.module.program.name_of(id), ty, None, true);
            self.next(slot, vec![(activity, value)]);
            self.frame_mut().values.insert(id, held);
        }
    }

    /// The value of a variable after the loop: the slot's in lanes that entered, the old one in others.
    fn after(
        &mut self,
        slot: usize,
        entered: ActivityId,
        variable: usize,
        before: ValueId,
    ) -> ValueId {
        let held = self.flat.cut.as_ref().map_or(before, |cut| cut.slots[slot].held);
        let scope = self.storage.variables[variable].scope;
        if entered == scope {
            return held;
        }
        let ty = self.flat.ty(before).clone();
        self.flat.merge(vec![(entered, held), (scope, before)], ty)
    }

    /// Edges to blocks that were not walked yet.
    fn waiting(&self) -> usize {
        self.frame().incoming.values().map(Vec::len).sum()
    }

    /// A trial walk of an unfinished iteration, to be discarded; and the lanes that may begin the
    /// iteration.
    fn trial_iteration(&self) -> (Self, ActivityId) {
        let mut walk = self.clone();
        let live = walk.flat.activity(Activity::Live);
        walk.flat.cut = Some(Cut { entered: live, back: None, slots: Vec::new(), iteration: 0..0 });
        (walk, live)
    }

    /// The variables of the function that the loop stores to, found by a trial walk.
    fn stored_in(&mut self, inner: &Loop) -> Result<Vec<usize>, Unmodelled> {
        let (mut walk, _) = self.trial_iteration();
        let before: Vec<ValueId> = self.storage.variables.iter().map(|it| it.current).collect();
        walk.loops.iterations = 1;
        walk.unroll(inner)?;
        let after = walk.storage.variables.iter().map(|it| it.current);
        Ok(before
            .iter()
            .zip(after)
            .enumerate()
            .filter(|(_, (a, b))| *a != b)
            .map(|it| it.0)
            .collect())
    }

    /// All lanes that begin an iteration are together for certain: those that enter the loop are, and
    /// if an iteration begins so, those that come back come by one way. Found by a trial walk of an
    /// iteration that some lanes may not begin.
    fn meet_each_iteration(&mut self, inner: &Loop) -> Result<bool, Unmodelled> {
        if !self.arrive_together(inner.header) {
            return Ok(false);
        }
        let (mut walk, live) = self.trial_iteration();
        walk.entry = live;
        walk.region(&inner.body)?;
        Ok(walk.arrive_together(inner.header))
    }

    /// The name of a variable that some `<id>` of the function points to as a whole.
    fn variable_name(&self, variable: usize) -> String {
        let of_it = |target: &Target| match target {
            Target::Own(pointer) => {
                pointer.variable == variable && pointer.start == 0 && pointer.computed.is_empty()
            }
            _ => false,
        };
        let whole = self.frame().pointers.iter().filter(|(_, target)| of_it(target));
        let first = whole.map(|(&id, _)| id).min();
        first.map(|id| self.module.program.name_of(id)).unwrap_or_default()
    }

    /// A new part of the state, and its value at the header.
    fn hold(
        &mut self,
        name: String,
        ty: Data,
        initial: Option<ValueId>,
        marked: bool,
    ) -> (usize, ValueId) {
        let slot = self.flat.cut.as_ref().map_or(0, |cut| cut.slots.len());
        let held = self.flat.add(FlatValue::Held(slot), ty);
        if let Some(cut) = &mut self.flat.cut {
            cut.slots.push(Slot { name, held, initial, next: held, marked, only_of: None });
        }
        (slot, held)
    }

    fn set_next(&mut self, slot: usize, next: ValueId) {
        if let Some(slot) = self.flat.cut.as_mut().and_then(|cut| cut.slots.get_mut(slot)) {
            slot.next = next;
        }
    }

    /// A lane that comes by none of these ways keeps its value.
    fn next(&mut self, slot: usize, mut arms: Vec<(ActivityId, ValueId)>) {
        let Some(cut) = &self.flat.cut else { return };
        let (entered, held) = (cut.entered, cut.slots[slot].held);
        arms.push((entered, held));
        let ty = self.flat.ty(held).clone();
        let next = self.flat.merge(arms, ty);
        self.set_next(slot, next);
    }

    /// The phis of the merge block are decided when a lane leaves; for lanes that go around the
    /// loop, by the way that they come.
    fn take_along_merge_phis(
        &mut self,
        inner: &Loop,
        rest: &[Item],
        leaving: &[(u32, ActivityId)],
    ) -> Result<(), Unmodelled> {
        let merge = rest.iter().find_map(|item| match item {
            Item::Block(block) if block.label == inner.merge => Some(block),
            _ => None,
        });
        let Some(Block { phis, .. }) = merge else {
            return match leaving.is_empty() {
                true => Ok(()),
                false => {
                    let place = super::unroll::first_place(&inner.body);
                    Err(unmodelled("a loop that another one follows at once", place))
                }
            };
        };
        for phi in phis {
            let ty = data(&phi.ty, phi.place)?;
            let arms = self.phi_arms(phi, leaving)?;
            let name = self.module.program.name_of(phi.result);
            let (slot, held) = self.hold(name, ty, None, true);
            self.next(slot, arms);
            self.frame_mut().taken_along.insert(phi.result, held);
        }
        Ok(())
    }

    /// The lanes that go on after the loop: those that entered it and did not return inside.
    fn returned_inside(
        &mut self,
        before: usize,
        entered: ActivityId,
    ) -> Result<Option<ActivityId>, Unmodelled> {
        let inside = self.frame_mut().returns.split_off(before);
        if inside.is_empty() {
            return Ok(Some(entered));
        }
        let never = self.flat.add(FlatValue::Constant(vec![Some(0)]), Data::Scalar(Scalar::Bool));
        let ever = self.flat.add(FlatValue::Constant(vec![Some(1)]), Data::Scalar(Scalar::Bool));
        let (flag, gone) = self.hold(String::new(), Data::Scalar(Scalar::Bool), Some(never), false);
        self.next(flag, inside.iter().map(|(activity, _)| (*activity, ever)).collect());
        let arms: Vec<(ActivityId, ValueId)> =
            inside.iter().filter_map(|&(activity, value)| Some((activity, value?))).collect();
        let result = match arms.first() {
            Some(&(_, value)) => {
                let ty = self.flat.ty(value).clone();
                let (slot, held) = self.hold(String::new(), ty, None, true);
                self.next(slot, arms);
                if let Some(cut) = &mut self.flat.cut {
                    cut.slots[slot].only_of = Some(flag);
                }
                Some(held)
            }
            None => None,
        };
        let out = self.flat.activity(Activity::Edge(entered, BranchTest::Holds(gone)));
        self.frame_mut().returns.push((out, result));
        Ok(Some(self.flat.activity(Activity::Edge(entered, BranchTest::Fails(gone)))))
    }
}
