//! Two functions that store something at the same place, as functions that return it.
//!
//! Suppose that both sides store at an address that is the same function of the lane, and access that
//! memory nowhere else, and that the source stores in all lanes that entered: once, or in some of several
//! places without a barrier. Where the source behaves, the address is in bounds and no other lane's, as
//! two lanes would race. Then the memory that they leave refines if what they store does, lane by lane: as a
//! result would. It is what a lane stores last; where a lane of the target stores nothing, it is undefined,
//! which is worse than what the memory held. With [`crate::loaded`] an entry point that reads and writes at
//! the lane's own index is a function of its payloads.

use crate::flat::{
    Activity, ActivityId, Event, Flat, FlatValue, Merge, Order, Scalars, Touch, ValueId,
};
use crate::loaded::{with_loads_as_parameters, without_common_bounds};
use crate::same::same_address;

/// Both, with what they store as their results and, where that is possible, with what they load as
/// parameters. What is proved of these is proved of the two; what is refuted is not.
pub fn as_pure_functions(source: &Flat, target: &Flat) -> Option<[Flat; 2]> {
    let stored = as_functions_of_memory(source, target, true);
    let [source, target] = stored.as_ref().map_or([source, target], |[a, b]| [a, b]);
    let waits = |flat: &Flat| flat.gathers() || flat.spans_workgroup() || flat.ends_early();
    if waits(source) || waits(target) {
        return None;
    }
    let [source, target] = with_loads_as_parameters(source, target).or(stored)?;
    Some(without_common_bounds(&source, &target))
}

/// Both, with what they store as their results.
pub fn as_functions(source: &Flat, target: &Flat) -> Option<[Flat; 2]> {
    as_functions_of_memory(source, target, false)
}

/// The same; if `others`, they may do anything to other memory.
fn as_functions_of_memory(source: &Flat, target: &Flat, others: bool) -> Option<[Flat; 2]> {
    let [ours, theirs] = [source.own_stores(others)?, target.own_stores(others)?];
    let stored_by: Vec<ActivityId> = ours.stores.iter().map(|it| it.activity).collect();
    let together = ours.stores.len() == 1 || source.memory.barriers.is_empty();
    if !together || !source.all_lanes_are_in(&stored_by) {
        return None;
    }
    let regions = [(source, &ours), (target, &theirs)]
        .map(|(flat, stores)| &flat.memory.regions[stores.at.address.region]);
    let same_memory = regions[0].kind == regions[1].kind
        && regions[0].kind.is_visible()
        && regions[0].scalar == regions[1].scalar
        && regions.iter().all(|region| !region.aliased && !region.volatile);
    let same_place =
        same_place([source, target], [ours.at, theirs.at]) && ours.order == theirs.order;
    let same_type = source.ty(ours.stores[0].object) == target.ty(theirs.stores[0].object);
    (same_memory && same_place && same_type)
        .then(|| [source.returning(&ours.stores), target.returning(&theirs.stores)])
}

fn same_place(sides: [&Flat; 2], [ours, theirs]: [&Scalars; 2]) -> bool {
    ours.offsets == theirs.offsets
        && ours.alignment == theirs.alignment
        && same_address(sides, [&ours.address, &theirs.address])
}

/// The stores of a function to a place that is the lane's own.
struct OwnStores<'f> {
    at: &'f Scalars,
    order: Order,
    /// In program order; there is one at least.
    stores: Vec<Stored>,
}

/// A store.
struct Stored {
    /// The number of the access.
    number: usize,
    activity: ActivityId,
    object: ValueId,
}

impl Flat {
    /// Some lane may end before the function does.
    fn ends_early(&self) -> bool {
        self.ends.killed.is_some() || self.ends.terminated.is_some() || self.ends.demoted.is_some()
    }

    /// The last access, if it is a store, and all others to that memory, if these are stores to the same
    /// place and none lies in a loop that is cut open; unless `others`, if all accesses elsewhere are loads
    /// and there are no barriers.
    fn own_stores(&self, others: bool) -> Option<OwnStores<'_>> {
        let last = self.memory.accesses.last()?;
        let Touch::Store(at, first) = &last.what else { return None };
        let mut stores = Vec::new();
        for (number, access) in self.memory.accesses.iter().enumerate() {
            match &access.what {
                Touch::Store(write, object) if write.address.region == at.address.region => {
                    let alike = same_place([self, self], [at, write])
                        && access.order == last.order
                        && self.ty(*object) == self.ty(*first);
                    if !alike || !self.is_beside_loop(number) {
                        return None;
                    }
                    let activity = access.activity;
                    stores.push(Stored { number, activity, object: *object });
                }
                Touch::Load(read) if read.address.region != at.address.region => {}
                Touch::Store(..) if others => {}
                Touch::Step(step) if others => {
                    let mut pointers = self.step(*step).pointers.iter().flatten();
                    if pointers.any(|address| address.region == at.address.region) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let alone = (others || self.memory.barriers.is_empty() && !self.memory.atomics)
            && self.interface.result.is_none();
        (alone && !self.ends_early()).then_some(OwnStores { at, order: last.order, stores })
    }

    /// No loop that is cut open has this access in its iterations, or comes after it.
    fn is_beside_loop(&self, access: usize) -> bool {
        let place = self.events.iter().position(|event| *event == Event::Access(access));
        self.cut.as_ref().is_none_or(|cut| place.is_none_or(|it| it >= cut.iteration.end))
    }

    /// It returns what a lane stores last instead of storing it.
    fn returning(&self, stores: &[Stored]) -> Self {
        let mut flat = self.clone();
        flat.interface.result =
            stores.last().map(|last| match self.lanes.activities[last.activity.0 as usize] {
                Activity::Entry => last.object,
                _ => flat.last_of(stores, last),
            });
        let gone: Vec<usize> = stores.iter().map(|it| it.number).collect();
        flat.without_accesses(&gone);
        flat.forget_unused_memory();
        flat
    }

    /// What a lane stores last.
    fn last_of(&mut self, stores: &[Stored], last: &Stored) -> ValueId {
        let ty = self.ty(last.object).clone();
        let mut arms: Vec<_> = stores.iter().rev().map(|it| (it.activity, it.object)).collect();
        let stored_by: Vec<ActivityId> = stores.iter().map(|it| it.activity).collect();
        if !self.all_lanes_are_in(&stored_by) {
            // The last arm is for all lanes that are in no other.
            let nothing = FlatValue::Constant(vec![None; ty.leaf_count()]);
            arms.push((last.activity, self.add(nothing, ty.clone())));
        }
        self.add(FlatValue::Merge(Merge { arms, within: None }), ty)
    }
}
