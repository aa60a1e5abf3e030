//! Comparisons that are decided by how large values are, or by another order of the same values.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::form::{Atom, FEW, FormId, Forms, Selection};
use crate::numbers::{Numbers, ones};
use crate::operator::Operator;

impl Forms {
    /// A number and one of a few values, where each of them is known to be less or not.
    pub(crate) fn less_by_bounds(
        &mut self,
        [a, b]: [FormId; 2],
        of: Numbers,
    ) -> Result<Option<Bdd>, Exhausted> {
        if of != Numbers::Unsigned || self.as_word(a).is_some() == self.as_word(b).is_some() {
            return Ok(None);
        }
        if let Some(less) = self.less_by_bound(a, b)? {
            return Ok(Some(less));
        }
        let is_first = self.as_word(a).is_some();
        let (word, value) = if is_first { (a, b) } else { (b, a) };
        let width = self.form(value).width;
        if self.form(value).parts.len() > FEW {
            return Ok(None);
        }
        let Some(Selection { chosen, any, rest }) = self.selection(value)? else {
            return Ok(None);
        };
        let mut bounded = false;
        for (atom, _) in &chosen {
            let value = self.of_atom(*atom)?;
            bounded = bounded || self.bound(value)? < ones(width);
        }
        if !bounded {
            return Ok(None);
        }
        let order = |value| if is_first { [word, value] } else { [value, word] };
        let rest = self.of_word(rest, width)?;
        let [first, second] = order(rest);
        let mut less = self.less(first, second, of)?;
        less = self.diagrams.and(less, !any)?;
        for (atom, here) in chosen {
            let value = self.of_atom(atom)?;
            let within = match self.less_within(here, order(value), of)? {
                Some(within) => within,
                // What it is alone has no choice left.
                None if here != Bdd::TRUE => {
                    let [first, second] = order(value);
                    self.less(first, second, of)?
                }
                None => return Ok(None),
            };
            let within = self.diagrams.and(here, within)?;
            less = self.diagrams.or(less, within)?;
        }
        Ok(Some(less))
    }

    /// One of some values, and a number that none of them reaches: equal where there is none of them.
    pub(crate) fn equal_by_bound(
        &mut self,
        value: FormId,
        number: FormId,
    ) -> Result<Option<Bdd>, Exhausted> {
        let width = self.form(value).width;
        let Some(limit) = self.as_word(number).and_then(|word| word.constant(width)) else {
            return Ok(None);
        };
        if self.form(value).parts.is_empty() || self.form(value).parts.len() > FEW {
            return Ok(None);
        }
        let Some(Selection { chosen, any, rest }) = self.selection(value)? else {
            return Ok(None);
        };
        for (atom, _) in chosen {
            let value = self.of_atom(atom)?;
            if self.bound(value)? >= limit {
                return Ok(None);
            }
        }
        let rest = self.of_word(rest, width)?;
        let equal = self.equal(rest, number)?;
        self.diagrams.and(!any, equal).map(Some)
    }

    /// A comparison with a number that no value of the other side reaches.
    fn less_by_bound(&mut self, a: FormId, b: FormId) -> Result<Option<Bdd>, Exhausted> {
        let width = self.form(a).width;
        let number = |forms: &Self, id| forms.as_word(id)?.constant(width);
        match (number(self, a), number(self, b)) {
            (None, Some(limit)) => Ok((self.bound(a)? < limit).then_some(Bdd::TRUE)),
            (Some(limit), None) => Ok((self.bound(b)? <= limit).then_some(Bdd::FALSE)),
            _ => Ok(None),
        }
    }

    /// The same in some states, where a number has fewer values.
    pub(crate) fn less_within(
        &mut self,
        here: Bdd,
        two: [FormId; 2],
        of: Numbers,
    ) -> Result<Option<Bdd>, Exhausted> {
        if of != Numbers::Unsigned {
            return Ok(None);
        }
        let mut within = Vec::new();
        for id in two {
            let width = self.form(id).width;
            within.push(match self.as_word(id).cloned() {
                Some(word) => {
                    let word = self.diagrams.word_within(&word, here, width);
                    self.of_word(word, width)?
                }
                None => id,
            });
        }
        self.less_by_bound(within[0], within[1])
    }

    /// An extreme, and one by another order that is there in some states only.
    pub(crate) fn equal_in_other_order(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<Bdd>, Exhausted> {
        for (extreme, chosen) in [(a, b), (b, a)] {
            let Some((greatest, of)) = self.order_of(extreme) else { continue };
            let form = self.form(chosen);
            let [(atom, _)] = form.parts.as_slice() else { continue };
            let Atom::Form(inner) = *self.atom(*atom) else { continue };
            let other = self.order_of(inner);
            if form.operator != Operator::Sum
                || !other.is_some_and(|(way, by)| way == greatest && by != of)
            {
                continue;
            }
            let width = form.width;
            let Some(Selection { any, rest, .. }) = self.selection(chosen)? else { continue };
            let rest = self.of_word(rest, width)?;
            let (there, elsewhere) = (self.equal(extreme, inner)?, self.equal(extreme, rest)?);
            return self.diagrams.ite(any, there, elsewhere).map(Some);
        }
        Ok(None)
    }
}
