//! Names that are bound at an expression: lanes of quantifiers, parameters of functions.

use super::dependence::DependsOn;
use super::names::Origin;
use super::value::{Mode, Value};
use crate::language::ast::{Expr, Name};
use crate::term::Term;

/// An argument, evaluated where it is used: only there is it known whether it is handed on, marks
/// and all, or computed with. Its lane and its names are the caller's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument<'a> {
    pub expression: &'a Expr,
    pub lane: Term,
    /// How many names there are where the caller is.
    pub names: usize,
    /// Where the caller stands.
    pub origin: Origin,
}

/// The binding of a name inside a function or a quantifier.
#[derive(Debug)]
pub(super) enum Local<'a> {
    /// A lane variable, or a step of a fold.
    Value(Value),
    /// An argument that is not evaluated yet.
    Argument(Argument<'a>),
    /// An argument that was used in this mode, what it came to and what that depends on.
    Known { argument: Argument<'a>, mode: Mode, value: Value, depends_on: DependsOn },
}

/// Names that are bound, the innermost last. While something is evaluated as another place sees
/// it, names that were bound since are hidden.
#[derive(Debug, Default)]
pub(super) struct Locals<'a> {
    bound: Vec<(&'a Name, Local<'a>)>,
    /// Hidden ones, from the first to before the second number.
    hidden: Vec<(usize, usize)>,
}

impl<'a> Locals<'a> {
    pub(super) fn len(&self) -> usize {
        self.bound.len()
    }

    /// No name can be seen.
    pub(super) fn none_visible(&self) -> bool {
        self.hidden.last().map_or(0, |(_, end)| *end) == self.bound.len()
            && self.hidden.last().is_none_or(|(start, _)| *start == 0)
    }

    pub(super) fn clear(&mut self) {
        self.bound.clear();
        self.hidden.clear();
    }

    pub(super) fn push(&mut self, name: &'a Name, local: Local<'a>) {
        self.bound.push((name, local));
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.bound.truncate(length);
    }

    /// The depth of the innermost visible binding of a name.
    pub(super) fn named(&self, name: &Name) -> Option<usize> {
        let within = |start: usize, end: usize| {
            let bound = self.bound.get(start..end)?;
            bound.iter().rposition(|(own, _)| *own == name).map(|place| start + place)
        };
        let mut end = self.bound.len();
        for &(first, past) in self.hidden.iter().rev() {
            if let Some(found) = within(past, end) {
                return Some(found);
            }
            end = end.min(first);
        }
        within(0, end)
    }

    pub(super) fn at(&self, depth: usize) -> &Local<'a> {
        &self.bound[depth].1
    }

    pub(super) fn at_mut(&mut self, depth: usize) -> &mut Local<'a> {
        &mut self.bound[depth].1
    }

    /// Hides the names from this depth on; gives what [`Locals::show`] takes.
    pub(super) fn hide_from(&mut self, depth: usize) -> usize {
        self.hidden.push((depth, self.bound.len()));
        self.hidden.len() - 1
    }

    /// Undoes [`Locals::hide_from`].
    pub(super) fn show(&mut self, visible: usize) {
        self.hidden.truncate(visible);
    }
}
