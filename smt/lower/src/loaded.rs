//! What both sides load at the same place, as a parameter.
//!
//! Suppose that the source loads in all lanes that entered, at an address that is a function of the lane
//! alone, from memory that neither side writes. Where the source behaves, the address is in bounds and
//! no other lane writes there, so every load of either side at this address, by whichever lanes, behaves and
//! finds one value in a lane. Whatever the memory holds, these values are those of a parameter; a parameter
//! has others besides, as the values of different lanes are independent. So a proof for all parameters is a
//! proof for all memories. A refutation is not one.

use std::collections::BTreeSet;

use crate::aliasing::writes;
use crate::flat::{
    Access, Activity, ActivityId, Event, Flat, FlatInput, FlatValue, RegionKind, Scalars, Touch,
    ValueId,
};
use crate::same::{same_address, same_value};

/// Both sides, with parameters in the place of what they load so; `None` if there is no such load.
pub fn with_loads_as_parameters(source: &Flat, target: &Flat) -> Option<[Flat; 2]> {
    let sides = [source, target];
    let inputs = source.interface.inputs.len();
    if inputs != target.interface.inputs.len() {
        return None;
    }
    let given = source.loads_of_all_lanes(target);
    // All loads from a memory, or none: what is left would not know what is taken away.
    let parameter = |flat: &Flat, load: &Load<'_>| {
        given.iter().position(|it| it.finds_as_much([source, flat], load))
    };
    let left: BTreeSet<RegionKind> = sides
        .iter()
        .flat_map(|flat| flat.loads().map(move |load| (*flat, load)))
        .filter(|(flat, load)| parameter(flat, load).is_none())
        .map(|(_, load)| load.kind)
        .collect();
    if given.iter().all(|it| left.contains(&it.kind)) {
        return None;
    }
    Some(sides.map(|flat| {
        let replaced = flat.loads().filter(|load| !left.contains(&load.kind));
        let replaced: Vec<(usize, usize)> = replaced
            .filter_map(|load| Some((load.number, inputs + parameter(flat, &load)?)))
            .collect();
        let mut flat = flat.clone();
        flat.interface.inputs.extend(given.iter().map(|load| load.input(source)));
        flat.replace(&replaced);
        flat
    }))
}

/// Both sides without the bounds of indices that the source has in all lanes that entered. Where the
/// source behaves, these are kept, by the target, too. The source behaves in more states without them.
pub(crate) fn without_common_bounds(source: &Flat, target: &Flat) -> [Flat; 2] {
    let entered = |id: ActivityId| source.lanes.activities[id.0 as usize] == Activity::Entry;
    let kept: Vec<(ValueId, u32)> = source
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Bounds(activity, index, length) if entered(*activity) => Some((*index, *length)),
            _ => None,
        })
        .filter(|(index, _)| same_value([source, source], [*index, *index]))
        .collect();
    [source, target].map(|side| {
        let mut flat = side.clone();
        flat.remove(|event| {
            let Event::Bounds(_, index, length) = event else { return false };
            kept.iter().any(|(known, least)| {
                least <= length && same_value([source, side], [*known, *index])
            })
        });
        flat
    })
}

/// A load, and what it finds.
struct Load<'f> {
    number: usize,
    kind: RegionKind,
    at: &'f Scalars,
    access: &'f Access,
    value: usize,
}

impl Load<'_> {
    /// A load of the second side finds what this one of the first does.
    fn finds_as_much(&self, sides: [&Flat; 2], load: &Load<'_>) -> bool {
        self.kind == load.kind
            && self.at.offsets == load.at.offsets
            && self.at.alignment == load.at.alignment
            && self.access.order == load.access.order
            && sides[0].values[self.value].1 == sides[1].values[load.value].1
            && same_address(sides, [&self.at.address, &load.at.address])
    }

    fn input(&self, flat: &Flat) -> FlatInput {
        let address = &self.at.address;
        FlatInput {
            name: format!("{}#{}", self.kind, self.number),
            ty: flat.values[self.value].1.clone(),
            uniform: flat.interface.entry_point
                && address.base.is_none()
                && address.indexes.is_empty(),
            points: None,
            image: false,
            spec_id: None,
        }
    }
}

impl Flat {
    fn loads(&self) -> impl Iterator<Item = Load<'_>> {
        self.memory.accesses.iter().enumerate().filter_map(|(number, access)| {
            let Touch::Load(at) = &access.what else { return None };
            let loaded = |(value, _): &(FlatValue, _)| {
                matches!(value, FlatValue::Loaded(it) if *it == number)
            };
            let value = self.values.iter().position(loaded)?;
            let kind = self.memory.regions[at.address.region].kind;
            Some(Load { number, kind, at, access, value })
        })
    }

    /// One load for each place from which all lanes that entered load, in memory that is only read.
    fn loads_of_all_lanes<'f>(&'f self, target: &Flat) -> Vec<Load<'f>> {
        let mut found: Vec<Load<'f>> = Vec::new();
        for load in self.loads() {
            let region = |flat: &Flat| {
                let mut of_kind = flat.memory.regions.iter().filter(|it| it.kind == load.kind);
                of_kind.all(|it| !it.aliased && !it.volatile)
            };
            let only_read = load.kind.is_visible()
                && [self, target].into_iter().all(|it| region(it) && !writes(it, load.kind));
            let entered = self.lanes.activities[load.access.activity.0 as usize] == Activity::Entry;
            let known = |it: &Load<'_>| it.finds_as_much([self, self], &load);
            if only_read && entered && !found.iter().any(known) {
                found.push(load);
            }
        }
        found
    }

    /// What these accesses load is the parameter of that position each.
    fn replace(&mut self, replaced: &[(usize, usize)]) {
        for (value, _) in &mut self.values {
            if let FlatValue::Loaded(number) = value
                && let Some(&(_, position)) = replaced.iter().find(|it| it.0 == *number)
            {
                *value = FlatValue::Parameter(position);
            }
        }
        let gone: Vec<usize> = replaced.iter().map(|it| it.0).collect();
        self.without_accesses(&gone);
        self.forget_unused_memory();
    }

    /// Without these accesses, whose values nothing uses.
    pub(crate) fn without_accesses(&mut self, gone: &[usize]) {
        let renumbered = |number: usize| number - gone.iter().filter(|it| **it < number).count();
        for (value, _) in &mut self.values {
            if let FlatValue::Loaded(number) = value {
                *number = renumbered(*number);
            }
        }
        self.remove(|event| matches!(event, Event::Access(number) if gone.contains(number)));
        for event in &mut self.events {
            if let Event::Access(number) = event {
                *number = renumbered(*number);
            }
        }
        let mut number = 0;
        self.memory.accesses.retain(|_| {
            number += 1;
            !gone.contains(&(number - 1))
        });
    }

    fn remove(&mut self, gone: impl Fn(&Event) -> bool) {
        if let Some(cut) = &mut self.cut {
            let before = |end: usize| self.events[..end].iter().filter(|it| !gone(it)).count();
            cut.iteration = before(cut.iteration.start)..before(cut.iteration.end);
        }
        self.events.retain(|event| !gone(event));
    }

    /// Memory that nothing accesses or measures has no content.
    pub(crate) fn forget_unused_memory(&mut self) {
        let mut used: BTreeSet<usize> = BTreeSet::new();
        for access in &self.memory.accesses {
            match &access.what {
                Touch::Load(at) | Touch::Store(at, _) => used.extend([at.address.region]),
                Touch::Step(_) => {}
            }
        }
        let pointers = self.steps.iter().flat_map(|step| step.pointers.iter().flatten());
        used.extend(pointers.map(|address| address.region));
        used.extend(self.values.iter().filter_map(|(value, _)| match value {
            FlatValue::ArrayLength(region, ..) => Some(*region),
            _ => None,
        }));
        for (number, region) in self.memory.regions.iter_mut().enumerate() {
            if !used.contains(&number) {
                region.scalar = None;
            }
        }
    }
}
