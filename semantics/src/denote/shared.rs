//! What an expression is that does not hang on the lane, nor on the component, is the same for all
//! of them: it is worked out once. So is, in one state, what hangs on no result that was given.

use std::cell::RefCell;

use super::expression::Context;
use super::instance::{DenoteError, Group};
use super::value::{Mode, Value};
use crate::hash::FastMap;
use crate::term::{Format, Term};

/// Values of expressions, by what they hang on. An expression is known by its address: the
/// specification outlives them.
#[derive(Debug, Default)]
pub(super) struct Shared {
    values: FastMap<Key, Kept>,
    /// The ways in which an expression hung on lane and component so far, a bit each.
    ways: FastMap<(usize, Mode), u8>,
    /// Which alternative of a choice point is settled, likewise.
    alternatives: FastMap<usize, usize>,
    /// The format of 16 bits that the instruction's types have, once somebody asked.
    pub(super) of_16_bits: Option<Format>,
}

thread_local! {
    /// Values that nobody uses any more.
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
    fn kept(
        &self,
        expression: usize,
        mode: Mode,
        lane: Term,
        component: Option<usize>,
    ) -> Option<(Key, &Kept)> {
        let ways = *self.ways.get(&(expression, mode))?;
        (0..4).filter(|way| ways >> way & 1 == 1).find_map(|way| {
            let (lane, component) =
                ((way & 1 == 1).then_some(lane), (way & 2 == 2).then_some(component));
            let key = Key { expression, mode, lane, component };
            self.values.get(&key).map(|kept| (key, kept))
        })
    }

    fn keep(&mut self, key: Key, kept: Kept) {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    expression: usize,
    mode: Mode,
    /// The lane, where that matters.
    lane: Option<Term>,
    /// The component, where that matters.
    component: Option<Option<usize>>,
}

#[derive(Clone, Debug)]
struct Kept {
    value: Value,
    /// Results that it hangs on.
    given: Slots,
}

/// Places of results: these leaves in these lanes. They may be more than were meant, never fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots {
    /// A bit a lane; the last one stands for all lanes from there on, too.
    pub lanes: u128,
    /// A bit a leaf, likewise.
    pub leaves: u64,
}

impl Slots {
    pub(crate) const NONE: Self = Self { lanes: 0, leaves: 0 };

    /// A leaf in a lane; in any where it is not known which.
    pub(crate) fn one(lane: Option<u128>, leaf: usize) -> Self {
        let lanes = lane.map_or(u128::MAX, |lane| 1 << lane.min(127));
        Self { lanes, leaves: 1 << leaf.min(63) }
    }

    /// Whether they have a place in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.lanes & other.lanes != 0 && self.leaves & other.leaves != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { lanes: self.lanes | other.lanes, leaves: self.leaves | other.leaves }
    }
}

/// What a value was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct HangsOn {
    /// What the lane holds, or where it is.
    pub lane: bool,
    /// The same of a lane outside of an `at`: of an argument that was handed in.
    pub caller: bool,
    pub component: bool,
    /// Results that clauses leave open.
    pub given: Slots,
    /// The outermost name that was looked up, by its depth.
    pub local: usize,
}

impl HangsOn {
    pub(super) const NOTHING: Self = Self {
        lane: false,
        caller: false,
        component: false,
        given: Slots::NONE,
        local: usize::MAX,
    };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            lane: self.lane || other.lane,
            caller: self.caller || other.caller,
            component: self.component || other.component,
            given: self.given.and(other.given),
            local: self.local.min(other.local),
        }
    }
}

impl<'a, G: Group> Context<'a, '_, G> {
    /// The lane that is looked at; what is made of it hangs on it.
    pub(super) fn here(&mut self) -> Term {
        self.hangs_on.lane = true;
        self.lane
    }

    /// The component, likewise.
    pub(super) fn component(&mut self) -> Option<usize> {
        self.hangs_on.component = true;
        self.component
    }

    /// The results of a lane are looked at, this leaf.
    pub(super) fn looks_at_result(&mut self, leaf: usize, lane: Term) {
        let lane = self.pool().bits_of(lane);
        self.hangs_on.given = self.hangs_on.given.and(Slots::one(lane, leaf));
    }

    /// Evaluates in another lane.
    pub(super) fn in_another<T>(&mut self, lane: Term, body: impl FnOnce(&mut Self) -> T) -> T {
        let (here, hung) = (std::mem::replace(&mut self.lane, lane), self.hangs_on.lane);
        let result = body(self);
        self.lane = here;
        self.hangs_on.lane = hung;
        result
    }

    /// Evaluates an expression, or looks up what it came to before. A value is kept if it is all
    /// that there is: nothing was presupposed, read or given a name outside of the expression, and
    /// it was evaluated for its own sake, not under a condition.
    pub(super) fn kept<T>(
        &mut self,
        expression: &'a T,
        mode: Mode,
        evaluate: impl FnOnce(&mut Self) -> Result<Value, DenoteError>,
    ) -> Result<Value, DenoteError> {
        if self.shared.is_none() {
            return evaluate(self);
        }
        let expression = std::ptr::from_ref(expression) as usize;
        let (lane, component) = (Some(self.lane), Some(self.component));
        if let Some(shared) = self.shared.as_deref()
            && let Some((key, kept)) = shared.kept(expression, mode, self.lane, self.component)
        {
            self.hangs_on.lane |= key.lane.is_some();
            self.hangs_on.component |= key.component.is_some();
            self.hangs_on.given = self.hangs_on.given.and(kept.given);
            return Ok(kept.value.clone());
        }
        let outer = std::mem::replace(&mut self.hangs_on, HangsOn::NOTHING);
        let effects = self.effects();
        let names = self.locals.len();
        let value = evaluate(self);
        let own = self.hangs_on;
        self.hangs_on = outer.and(own);
        let value = value?;
        let closed = own.local >= names;
        if closed && self.effects() == effects && self.is_certain() {
            let key = Key {
                expression,
                mode,
                lane: lane.filter(|_| own.lane || own.caller),
                component: component.filter(|_| own.component),
            };
            let kept = Kept { value: value.clone(), given: own.given };
            if let Some(shared) = self.shared.as_deref_mut() {
                shared.keep(key, kept);
            }
        }
        Ok(value)
    }

    /// What is evaluated here is evaluated in every state.
    pub(super) fn is_certain(&mut self) -> bool {
        let guard = self.guard;
        self.pool().bool_of(guard) == Some(true)
    }
}
