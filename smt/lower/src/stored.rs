//! Two functions that end by storing something at the same place, as functions that return it.
//!
//! Suppose that both sides store once, in all lanes that entered, at an address that is the same function
//! of the lane, to memory that neither side accesses otherwise. Where the source behaves, the address is in
//! bounds, and lanes race in the target as in the source. Then the memory that they leave refines if what
//! they store does, lane by lane: as a result would.

use crate::flat::{Access, Activity, Address, Event, Flat, FlatValue, Scalars, Touch, ValueId};

/// Both, with what they store as their results.
pub fn as_functions(source: &Flat, target: &Flat) -> Option<[Flat; 2]> {
    let [ours, theirs] = [source.last_store()?, target.last_store()?];
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

fn same_address([source, target]: [&Flat; 2], [ours, theirs]: [&Address; 2]) -> bool {
    let same = |ours: ValueId, theirs: ValueId| same_value([source, target], [ours, theirs]);
    let bases = match (ours.base, theirs.base) {
        (Some(ours), Some(theirs)) => same(ours, theirs),
        (None, None) => true,
        _ => false,
    };
    bases
        && ours.offset == theirs.offset
        && ours.indexes.len() == theirs.indexes.len()
        && ours.indexes.iter().zip(&theirs.indexes).all(|(ours, theirs)| {
            (ours.stride, ours.signed) == (theirs.stride, theirs.signed)
                && same(ours.index, theirs.index)
        })
}

/// Two values are the same function of the lane, by a syntactic check.
fn same_value([source, target]: [&Flat; 2], [ours, theirs]: [ValueId; 2]) -> bool {
    match (source.value(ours), target.value(theirs)) {
        (FlatValue::Parameter(ours), FlatValue::Parameter(theirs)) => ours == theirs,
        (FlatValue::Constant(ours), FlatValue::Constant(theirs)) => {
            ours == theirs && ours.iter().all(Option::is_some)
        }
        (FlatValue::BuiltIn(ours, _), FlatValue::BuiltIn(theirs, _)) => ours.name == theirs.name,
        (FlatValue::Part(ours, first), FlatValue::Part(theirs, second)) => {
            first == second && same_value([source, target], [*ours, *theirs])
        }
        _ => false,
    }
}

impl Flat {
    /// The only access that is no load, and what it stores, if all lanes that entered end by it.
    fn last_store(&self) -> Option<LastStore<'_>> {
        let [reads @ .., last] = &self.memory.accesses[..] else { return None };
        let Touch::Store(at, object) = &last.what else { return None };
        let elsewhere = |access: &Access| match &access.what {
            Touch::Load(read) => read.address.region != at.address.region,
            Touch::Store(..) | Touch::Step(_) => false,
        };
        let number = self.memory.accesses.len() - 1;
        let place = self.events.iter().position(|event| *event == Event::Access(number));
        let after_loop =
            self.cut.as_ref().is_none_or(|cut| place.is_none_or(|it| it >= cut.iteration.end));
        let ends = self.ends.killed.is_some()
            || self.ends.terminated.is_some()
            || self.ends.demoted.is_some();
        let entered = matches!(self.lanes.activities[last.activity.0 as usize], Activity::Entry);
        let alone = reads.iter().all(elsewhere)
            && self.memory.barriers.is_empty()
            && !self.memory.atomics
            && self.interface.result.is_none();
        (alone && entered && after_loop && !ends).then_some(LastStore {
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
        flat
    }
}
