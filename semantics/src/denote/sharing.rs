//! Expressions evaluated once: what each depends on is noted while it is evaluated, and its value kept
//! under that.

use super::dependence::{DependsOn, Slots};
use super::expression::Context;
use super::instance::{DenoteError, Group};
use super::shared::{CachedValue, Key};
use super::value::{Mode, Value};
use crate::Type;
use crate::term::Term;

impl<'a, G: Group> Context<'a, '_, G> {
    /// The current lane; terms made of it depend on it.
    pub(super) fn here(&mut self) -> Term {
        self.noted.depends_on.lane = true;
        self.at.lane
    }

    /// The component, likewise.
    pub(super) fn component(&mut self) -> Option<usize> {
        self.noted.depends_on.component = true;
        self.at.component
    }

    /// The member of the result, a pair, that the component is in.
    pub(super) fn member_number(&mut self) -> usize {
        let component = self.component().unwrap_or(0);
        match &self.about.instance.result {
            Some(Type::Struct(members)) => {
                component / members.first().map_or(1, Type::leaf_count).max(1)
            }
            _ => 0,
        }
    }

    /// Records that this leaf of a lane's result is used.
    pub(super) fn looks_at_result(&mut self, leaf: usize, lane: Term) {
        let lane = self.pool().bits_of(lane);
        self.noted.depends_on.given = self.noted.depends_on.given.and(Slots::one(lane, leaf));
    }

    /// Evaluates in another lane.
    pub(super) fn in_another<T>(&mut self, lane: Term, body: impl FnOnce(&mut Self) -> T) -> T {
        let (here, hung) = (std::mem::replace(&mut self.at.lane, lane), self.noted.depends_on.lane);
        let result = body(self);
        self.at.lane = here;
        self.noted.depends_on.lane = hung;
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
        let (lane, component) = (Some(self.at.lane), Some(self.at.component));
        if let Some(shared) = self.shared.as_deref()
            && let Some((key, kept)) =
                shared.kept(expression, mode, self.at.lane, self.at.component)
        {
            self.noted.depends_on.lane |= key.lane.is_some();
            self.noted.depends_on.component |= key.component.is_some();
            self.noted.depends_on.given = self.noted.depends_on.given.and(kept.given);
            return Ok(kept.value.clone());
        }
        let outer = std::mem::replace(&mut self.noted.depends_on, DependsOn::NOTHING);
        let effects = self.effects();
        let names = self.locals.len();
        let value = evaluate(self);
        let own = self.noted.depends_on;
        self.noted.depends_on = outer.and(own);
        let value = value?;
        let closed = own.local >= names;
        if closed && self.effects() == effects && self.is_certain() {
            let key = Key {
                expression,
                mode,
                lane: lane.filter(|_| own.lane || own.caller),
                component: component.filter(|_| own.component),
            };
            let kept = CachedValue { value: value.clone(), given: own.given };
            if let Some(shared) = self.shared.as_deref_mut() {
                shared.keep(key, kept);
            }
        }
        Ok(value)
    }

    /// What is evaluated here is evaluated in every state.
    pub(super) fn is_certain(&mut self) -> bool {
        let guard = self.at.guard;
        self.pool().bool_of(guard) == Some(true)
    }
}
