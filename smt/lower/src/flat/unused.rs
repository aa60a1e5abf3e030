//! Steps whose results nothing uses.

use std::collections::BTreeSet;

use laneproof_module::Id;

use super::{Activity, Event, Flat, FlatOutput, FlatValue, StepId, Touch, ValueId};

impl Flat {
    /// Values that steps, events or outputs use, directly or by other values.
    fn used(&self) -> BTreeSet<ValueId> {
        let mut pending: Vec<ValueId> = self.looked_at().into_iter().collect();
        let slots = self.cut.iter().flat_map(|cut| &cut.slots);
        pending.extend(slots.flat_map(|slot| slot.initial.into_iter().chain([slot.next])));
        let mut used = BTreeSet::new();
        while let Some(value) = pending.pop() {
            if used.insert(value) {
                pending.extend(parts(self.value(value)));
            }
        }
        used
    }

    /// Values that steps, events or outputs use.
    fn looked_at(&self) -> BTreeSet<ValueId> {
        let mut used: BTreeSet<ValueId> = BTreeSet::new();
        for activity in &self.lanes.activities {
            if let Activity::Edge(_, test) = activity {
                used.extend([test.value()]);
            }
        }
        for event in &self.events {
            match event {
                Event::Branch(_, value) | Event::Bounds(_, value, _) | Event::Assume(_, value) => {
                    used.extend([*value]);
                }
                Event::Step(_)
                | Event::Access(_)
                | Event::Unreachable(_)
                | Event::Gathered(..)
                | Event::Together { .. }
                | Event::Overrun(..) => {}
            }
        }
        let step_addresses = self.steps.iter().flat_map(|step| step.pointers.iter().flatten());
        let own_addresses = self.memory.accesses.iter().filter_map(|access| match &access.what {
            Touch::Load(scalars) | Touch::Store(scalars, _) => Some(&scalars.address),
            Touch::Step(_) => None,
        });
        for address in step_addresses.chain(own_addresses) {
            used.extend(address.indexes.iter().map(|scaled| scaled.index));
        }
        used.extend(self.memory.accesses.iter().filter_map(|access| match access.what {
            Touch::Store(_, object) => Some(object),
            Touch::Load(_) | Touch::Step(_) => None,
        }));
        used.extend(self.steps.iter().flat_map(|step| step.operands.iter().flatten()));
        used.extend(self.interface.result.into_iter().chain(self.ends.demoted));
        used.extend(self.interface.outputs.iter().map(|output| output.value));
        used
    }

    /// Compares what is left in these variables of the module, too, each under a name.
    pub fn compare_globals(&mut self, globals: &[(Id, String)]) {
        for (id, name) in globals {
            if let Some(global) = self.interface.globals.get(id) {
                let (name, value) = (name.clone(), global.value);
                self.interface.outputs.push(FlatOutput { name, value, global: Some(*id) });
            }
        }
        self.look();
    }

    /// Finds out what is looked at, now that all is there.
    pub(super) fn look(&mut self) {
        let used = self.used();
        self.interface.reads_globals = !used.is_disjoint(&self.interface.from_callers);
        self.unused = (0..self.steps.len() as u32).map(StepId).collect();
        for (number, (value, _)) in self.values.iter().enumerate() {
            if let FlatValue::Result(step) = value
                && used.contains(&ValueId(number as u32))
            {
                self.unused.remove(step);
            }
        }
    }
}

/// The operands of a value.
fn parts(value: &FlatValue) -> Vec<ValueId> {
    match value {
        FlatValue::Merge(merge) => merge.arms.iter().map(|(_, value)| *value).collect(),
        FlatValue::Part(whole, _) => vec![*whole],
        FlatValue::Update(whole, _, part) => vec![*whole, *part],
        FlatValue::Element(whole, place) => vec![*whole, place.index],
        FlatValue::UpdateElement(whole, place, part) => vec![*whole, place.index, *part],
        FlatValue::Parameter(_)
        | FlatValue::Constant(_)
        | FlatValue::BuiltIn(..)
        | FlatValue::Result(_)
        | FlatValue::Held(_)
        | FlatValue::Loaded(_)
        | FlatValue::ArrayLength(..) => Vec::new(),
    }
}
