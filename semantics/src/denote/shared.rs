//! What an expression is that does not hang on the lane, nor on the component, is the same for all
//! of them: it is worked out once.

use std::sync::Arc;

use super::expression::Context;
use super::instance::{DenoteError, Group};
use super::value::{Mode, Value};
use crate::hash::FastMap;
use crate::term::Term;

/// Values of expressions, by what they hang on. An expression is known by its address: the
/// specification outlives them.
#[derive(Debug, Default)]
pub(super) struct Shared {
    values: FastMap<Key, Kept>,
    /// Which alternative of a choice point is settled, likewise.
    alternatives: FastMap<usize, usize>,
}

impl Shared {
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
    /// Readings that were consulted for it.
    readings: Vec<Arc<str>>,
}

/// What a value was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct HangsOn {
    /// What the lane holds, or where it is.
    pub lane: bool,
    /// The same of a lane outside of an `at`: of an argument that was handed in.
    pub caller: bool,
    pub component: bool,
    /// The outermost name that was looked up, by its depth.
    pub local: usize,
}

impl HangsOn {
    pub(super) const NOTHING: Self =
        Self { lane: false, caller: false, component: false, local: usize::MAX };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            lane: self.lane || other.lane,
            caller: self.caller || other.caller,
            component: self.component || other.component,
            local: self.local.min(other.local),
        }
    }
}

impl<'a, G: Group> Context<'a, G> {
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
        for (lane, component) in [(None, None), (None, component), (lane, None), (lane, component)]
        {
            let key = Key { expression, mode, lane, component };
            if let Some(kept) = self.shared.as_deref().and_then(|shared| shared.values.get(&key)) {
                self.hangs_on.lane |= lane.is_some();
                self.hangs_on.component |= component.is_some();
                self.readings.extend(kept.readings.iter().cloned());
                return Ok(kept.value.clone());
            }
        }
        let outer = std::mem::replace(&mut self.hangs_on, HangsOn::NOTHING);
        let effects = self.effects();
        let before = std::mem::take(&mut self.readings);
        let names = self.locals.len();
        let value = evaluate(self);
        let own = self.hangs_on;
        self.hangs_on = outer.and(own);
        let readings = std::mem::replace(&mut self.readings, before);
        self.readings.extend(readings.iter().cloned());
        let value = value?;
        let closed = own.local >= names;
        if closed && self.effects() == effects && self.is_certain() {
            let key = Key {
                expression,
                mode,
                lane: lane.filter(|_| own.lane || own.caller),
                component: component.filter(|_| own.component),
            };
            let kept = Kept { value: value.clone(), readings };
            self.shared.as_deref_mut().map(|shared| shared.values.insert(key, kept));
        }
        Ok(value)
    }

    /// What is evaluated here is evaluated in every state.
    pub(super) fn is_certain(&mut self) -> bool {
        let guard = self.guard;
        self.pool().bool_of(guard) == Some(true)
    }
}
