//! What an expression is that does not depend on the lane, nor on the component, is the same for all
//! of them: it is worked out once. So is, in one state, what depends on no result that was given.

use std::cell::RefCell;

use super::dependence::Slots;
use super::value::{Mode, Value};
use crate::hash::FastMap;
use crate::term::{FloatFormat, Term};

/// Values of expressions, by what they depend on. An expression is known by its address: the
/// specification outlives them.
#[derive(Debug, Default)]
pub(super) struct Shared {
    values: FastMap<Key, CachedValue>,
    /// The ways in which an expression depended on lane and component so far, a bit each.
    ways: FastMap<(usize, Mode), u8>,
    /// Which alternative of a choice point is settled, likewise.
    alternatives: FastMap<usize, usize>,
    /// The 16-bit format of the instruction's types, computed on demand.
    pub(super) of_16_bits: Option<FloatFormat>,
}

thread_local! {
    /// Values for reuse.
    static SPARE: RefCell<Option<Shared>> = const { RefCell::new(None) };
}

/// More values take longer to clear than to make.
const FEW: usize = 1 << 10;

impl Shared {
    /// Without values, in memory that the instruction before had.
    pub(super) fn recycled() -> Self {
        SPARE.take().unwrap_or_default()
    }

    /// Leaves its memory to the next instruction.
    pub(super) fn recycle(mut self) {
        if self.values.len() <= FEW {
            self.values.clear();
            self.ways.clear();
            self.alternatives.clear();
            self.of_16_bits = None;
            SPARE.set(Some(self));
        }
    }

    /// What an expression came to in this lane and this component.
    pub(super) fn kept(
        &self,
        expression: usize,
        mode: Mode,
        lane: Term,
        component: Option<usize>,
    ) -> Option<(Key, &CachedValue)> {
        let ways = *self.ways.get(&(expression, mode))?;
        (0..4).filter(|way| ways >> way & 1 == 1).find_map(|way| {
            let (lane, component) =
                ((way & 1 == 1).then_some(lane), (way & 2 == 2).then_some(component));
            let key = Key { expression, mode, lane, component };
            self.values.get(&key).map(|kept| (key, kept))
        })
    }

    pub(super) fn keep(&mut self, key: Key, kept: CachedValue) {
        let way = u8::from(key.lane.is_some()) | u8::from(key.component.is_some()) << 1;
        *self.ways.entry((key.expression, key.mode)).or_default() |= 1 << way;
        self.values.insert(key, kept);
    }

    /// Other results are given.
    pub(super) fn forget_given(&mut self) {
        self.values.retain(|_, kept| kept.given == Slots::NONE);
    }

    pub(super) fn alternative(&self, place: usize) -> Option<usize> {
        self.alternatives.get(&place).copied()
    }

    pub(super) fn settle(&mut self, place: usize, alternative: usize) {
        self.alternatives.insert(place, alternative);
    }
}

/// Which expression, how read, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub expression: usize,
    pub mode: Mode,
    /// The lane, where that matters.
    pub lane: Option<Term>,
    /// The component, where that matters.
    pub component: Option<Option<usize>>,
}

/// What an expression came to.
#[derive(Clone, Debug)]
pub(super) struct CachedValue {
    pub value: Value,
    /// Results that it depends on.
    pub given: Slots,
}
