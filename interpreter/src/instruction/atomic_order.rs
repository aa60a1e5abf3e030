//! In which order lanes are serialized at an atomic instruction: any that is picked, or one in
//! which they find what they are given in advance.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::Scalar;

use crate::choices::Open;
use crate::lane::{lanes, lanes_where};
use crate::memory::Address;
use crate::outcome::Stop;
use crate::serialization::Family;
use crate::step::Step;

/// The most prefixes of orders for one address.
const LOOKED_AT: usize = 20_000;

/// A lane's update: what it finds, given that memory is as the updates before it left it.
pub(super) type AtomicUpdate<'a, 'm, 'p, 'c> =
    &'a mut dyn FnMut(&mut Step<'m, 'p, 'c>, u32, Address) -> Result<Option<u64>, Stop>;

/// The active lanes in the order in which they execute.
pub(super) fn order<'m, 'p, 'c>(
    step: &mut Step<'m, 'p, 'c>,
    pointers: &[Option<Address>],
    scalar: Scalar,
    family: Family,
    update: AtomicUpdate<'_, 'm, 'p, 'c>,
) -> Result<Vec<u32>, Stop> {
    if step.machine.options.follow {
        return Ok(lanes(step.active).collect());
    }
    let given = given(step, scalar, family)?;
    let places = places(step.active, pointers);
    if given.is_empty() || lanes(step.active).any(|lane| pointers[lane as usize].is_none()) {
        return Ok(picked(step));
    }
    let mut order = Vec::new();
    for ((object, offset), set) in places {
        let at = Address { object, offset };
        let mut search = Search { at, scalar, given: given.clone(), seen: BTreeSet::new() };
        let mut found = Vec::new();
        if search.orders(step, set, &mut found, update)? {
            order.append(&mut found);
            continue;
        }
        // Those without whose result the others have an order; else all that have one.
        let all: Vec<u32> = lanes(set).filter(|lane| given.contains_key(lane)).collect();
        let mut alone = Vec::new();
        for lane in &all {
            let mut fewer = given.clone();
            fewer.remove(lane);
            let mut search = Search { at, scalar, given: fewer, seen: BTreeSet::new() };
            if let Ok(true) = search.orders(step, set, &mut Vec::new(), update) {
                alone.push(*lane);
            }
        }
        return Err(step.illegal(if alone.is_empty() { all } else { alone }));
    }
    Ok(order)
}

/// What lanes are to find, where that is given and depends on their order.
fn given(
    step: &mut Step<'_, '_, '_>,
    scalar: Scalar,
    family: Family,
) -> Result<BTreeMap<u32, u64>, Stop> {
    if step.instruction.result.is_none() || family == Family::Reads {
        return Ok(BTreeMap::new());
    }
    let site = step.site();
    let width = scalar.width();
    Ok(lanes(step.active)
        .filter_map(|lane| Some((lane, step.machine.choices.open(&site, lane, 0, width)?)))
        .collect())
}

/// The lanes that come to each place.
pub(super) fn places(active: u128, pointers: &[Option<Address>]) -> BTreeMap<(usize, u64), u128> {
    let mut places = BTreeMap::new();
    for lane in lanes(active) {
        if let Some(at) = pointers[lane as usize] {
            *places.entry((at.object, at.offset)).or_insert(0) |= 1 << lane;
        }
    }
    places
}

fn picked(step: &mut Step<'_, '_, '_>) -> Vec<u32> {
    let site = step.site();
    let mut waiting: Vec<u32> = lanes(step.active).collect();
    let mut order = Vec::with_capacity(waiting.len());
    while waiting.len() > 1 {
        let options = waiting.len() as u64;
        let next = step.machine.choices.pick(&site, options) % options;
        order.push(waiting.remove(next as usize));
    }
    order.append(&mut waiting);
    order
}

/// Looks for a serialization order at one place.
struct Search {
    at: Address,
    scalar: Scalar,
    given: BTreeMap<u32, u64>,
    /// Lanes that wait, and what memory holds, from where no order leads on.
    seen: BTreeSet<(u128, u64)>,
}

impl Search {
    /// Appends an order of the lanes of `waiting` in which they read the given values; false if
    /// there is none. Memory is unchanged.
    fn orders<'m, 'p, 'c>(
        &mut self,
        step: &mut Step<'m, 'p, 'c>,
        waiting: u128,
        order: &mut Vec<u32>,
        update: AtomicUpdate<'_, 'm, 'p, 'c>,
    ) -> Result<bool, Stop> {
        if waiting == 0 {
            return Ok(true);
        }
        let first = waiting.trailing_zeros();
        let Ok(Some(content)) = step.machine.memory.read(self.at, self.scalar, first) else {
            return Err(step.undecided());
        };
        if !self.seen.insert((waiting, content)) {
            return Ok(false);
        }
        if self.seen.len() > LOOKED_AT {
            return Err(step.undecided());
        }
        let modified = step.machine.memory.was_modified(self.at, self.scalar);
        // Lanes that must find something go before those that may find anything.
        let bound = lanes_where(waiting, |lane| self.given.contains_key(&lane));
        for lane in lanes(bound).chain(lanes(waiting & !bound)) {
            let found = update(step, lane, self.at)?;
            let given = self.given.get(&lane);
            let fits = given.is_none_or(|given| found.is_none() || found == Some(*given));
            let done = fits && {
                order.push(lane);
                self.orders(step, waiting & !(1 << lane), order, update)?
            };
            let restored = step.machine.memory.write(self.at, self.scalar, lane, Some(content));
            step.machine.memory.note_modified(self.at, self.scalar, modified);
            step.behavior_unless(if restored.is_err() { 1 << lane } else { 0 }, OUTSIDE)?;
            if done {
                return Ok(true);
            }
            if fits {
                order.pop();
            }
        }
        Ok(false)
    }
}

/// Why an access out of bounds is undefined behavior.
pub(super) const OUTSIDE: &str = "memory outside the object is accessed";

/// The updates at one place in a run that follows what is open.
#[derive(Clone, Copy)]
pub(super) struct Followed {
    /// Several lanes come here in this instruction, and at least one writes.
    contended: bool,
    /// The record of earlier runs for this address: [`crate::Choices::was_out_of_step`].
    out_of_step: Option<bool>,
    /// What is there when the first lane comes is open.
    open: bool,
}

/// The open scalar at each address before the updates; a value replaces it meanwhile.
pub(super) fn before(
    step: &mut Step<'_, '_, '_>,
    pointers: &[Option<Address>],
    scalar: Scalar,
    family: Family,
) -> BTreeMap<(usize, u64), Followed> {
    let mut followed = BTreeMap::new();
    for ((object, offset), set) in places(step.active, pointers) {
        let (at, first) = (Address { object, offset }, set.trailing_zeros());
        let content = step.machine.memory.read(at, scalar, first);
        let choices = &*step.machine.choices;
        let is_open =
            |content: Option<u64>| content.is_none_or(|bits| choices.stands_for(bits).is_some());
        let open = content.is_ok_and(is_open);
        let out_of_step = choices.was_out_of_step(object, offset);
        if open {
            // Bounds are checked by the updates.
            let _ = step.machine.memory.write(at, scalar, first, Some(0));
        }
        let contended = set.count_ones() > 1 && family != Family::Reads;
        followed.insert((object, offset), Followed { contended, out_of_step, open });
    }
    followed
}

impl Followed {
    /// What a lane's update gives, which found `found`.
    pub fn result(
        self,
        step: &mut Step<'_, '_, '_>,
        lane: u32,
        scalar: Scalar,
        found: Option<u64>,
    ) -> Option<u64> {
        if self.open || self.out_of_step.is_some() {
            return None;
        }
        if !self.contended {
            return found;
        }
        step.machine.choices.marker(&step.site(), lane, 0, Open::Update(scalar))
    }

    /// True where what is left depends on orders.
    fn leaves_open(self, family: Family) -> bool {
        let commutes = matches!(family, Family::Sums | Family::Same(_));
        let several = self.contended || self.out_of_step.is_some();
        let ordered = several && (!commutes || self.out_of_step == Some(false));
        family != Family::Reads && (self.open || ordered)
    }
}

/// Leaves open what depends on orders, and numbers beside which an environment permits others.
pub(super) fn after(
    step: &mut Step<'_, '_, '_>,
    followed: BTreeMap<(usize, u64), Followed>,
    scalar: Scalar,
    family: Family,
    inexact: bool,
) {
    for ((object, offset), place) in followed {
        let reads_open = place.open && family == Family::Reads;
        if place.leaves_open(family) || reads_open || inexact {
            let lane = step.active.trailing_zeros();
            let _ = step.machine.memory.write(Address { object, offset }, scalar, lane, None);
        }
    }
}
