//! Two functions that end by storing something at the same place, as functions that return it.
//!
//! Suppose that both sides store once, in all lanes that entered, at an address that is the same function
//! of the lane, to memory that neither side accesses otherwise. Where the source behaves, the address is in
//! bounds, and lanes race in the target as in the source. Then the memory that they leave refines if what
//! they store does, lane by lane: as a result would. With [`crate::loaded`] an entry point that reads and
//! writes at the lane's own index is a function of its payloads.

use crate::flat::{Access, Activity, Event, Flat, Scalars, Touch, ValueId};
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
    let [ours, theirs] = [source.last_store(others)?, target.last_store(others)?];
    let regions = [(source, &ours), (target, &theirs)]
        .map(|(flat, store)| &flat.memory.regions[store.at.address.region]);
    let same_memory = regions[0].kind == regions[1].kind
        && regions[0].kind.is_visible()
        && regions[0].scalar == regions[1].scalar
        && regions.iter().all(|region| !region.aliased && !region.volatile);
    let same_place = ours.at.offsets == theirs.at.offsets
        && ours.at.alignment == theirs.at.alignment
        && ours.access.order == theirs.access.order
        && same_address([source, target], [&ours.at.address, &theirs.at.address]);
    let same_type = source.ty(ours.object) == target.ty(theirs.object);
    (same_memory && same_place && same_type)
        .then(|| [source.returning(ours.object), target.returning(theirs.object)])
}

/// The store by which a function ends.
struct LastStore<'f> {
    at: &'f Scalars,
    access: &'f Access,
    object: ValueId,
}

impl Flat {
    /// Some lane may end before the function does.
    fn ends_early(&self) -> bool {
        self.ends.killed.is_some() || self.ends.terminated.is_some() || self.ends.demoted.is_some()
    }

    /// The last access, and what it stores, if all lanes that entered end by it and no other access is
    /// to that memory; unless `others`, if all others are loads and there are no barriers.
    fn last_store(&self, others: bool) -> Option<LastStore<'_>> {
        let [reads @ .., last] = &self.memory.accesses[..] else { return None };
        let Touch::Store(at, object) = &last.what else { return None };
        let elsewhere = |access: &Access| match &access.what {
            Touch::Load(read) => read.address.region != at.address.region,
            Touch::Store(write, _) => others && write.address.region != at.address.region,
            Touch::Step(step) => {
                let mut pointers = self.step(*step).pointers.iter().flatten();
                others && pointers.all(|address| address.region != at.address.region)
            }
        };
        let number = self.memory.accesses.len() - 1;
        let place = self.events.iter().position(|event| *event == Event::Access(number));
        let after_loop =
            self.cut.as_ref().is_none_or(|cut| place.is_none_or(|it| it >= cut.iteration.end));
        let entered = matches!(self.lanes.activities[last.activity.0 as usize], Activity::Entry);
        let alone = reads.iter().all(elsewhere)
            && (others || self.memory.barriers.is_empty() && !self.memory.atomics)
            && self.interface.result.is_none();
        (alone && entered && after_loop && !self.ends_early()).then_some(LastStore {
            at,
            access: last,
            object: *object,
        })
    }

    /// It returns this instead of storing it.
    fn returning(&self, object: ValueId) -> Self {
        let mut flat = self.clone();
        flat.memory.accesses.pop();
        let number = flat.memory.accesses.len();
        flat.events.retain(|event| *event != Event::Access(number));
        flat.interface.result = Some(object);
        flat.forget_unused_memory();
        flat
    }
}
