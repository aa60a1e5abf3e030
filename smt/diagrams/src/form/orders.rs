//! Orders of payloads that are known, because something is assumed of them.

use rustc_hash::FxHashMap;

use super::{Atom, Form, FormId, Forms};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::numbers::Numbers;
use crate::opaque::Relation;
use crate::order::Concern;
use crate::word::Word;

/// Values are compared one by one where there are not more pairs.
const PAIRS: usize = 1 << 15;

/// Where orders are certain.
#[derive(Default)]
pub(crate) struct OrderFacts {
    /// The first value is less than the second one.
    less: FxHashMap<(Numbers, FormId, FormId), Bdd>,
    /// It is not.
    not_less: FxHashMap<(Numbers, FormId, FormId), Bdd>,
    /// Pairs of values that are the same for all lanes, of which the first is not above the second, and
    /// where; or is less.
    limits: Vec<(Numbers, [FormId; 2], Bdd, bool)>,
}

/// Up to so many pairs of limits are looked at.
const LIMITS: usize = 4;

impl OrderFacts {
    /// Nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.less.is_empty() && self.not_less.is_empty()
    }
}

impl Forms {
    /// Records that `a` is not above `b` where `here` holds, or is less.
    pub(crate) fn note_order(
        &mut self,
        of: Numbers,
        [a, b]: [FormId; 2],
        strict: bool,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let here = if self.diagrams.has(BrokenLaw::OrderedEverywhere) { Bdd::TRUE } else { here };
        let mut pairs = vec![([a, b], here)];
        // All that the greatest is not above, no part is, and so on.
        for (place, id) in [a, b].into_iter().enumerate() {
            if self.order_of(id) == Some((place == 0, of)) {
                for (atom, word) in self.form(id).parts.clone() {
                    let part = self.of_atom(atom)?;
                    let takes_part = self.diagrams.and(here, word.bit(0))?;
                    let pair = if place == 0 { [part, b] } else { [a, part] };
                    pairs.push((pair, takes_part));
                }
            }
        }
        let [of_a, of_b] = [a, b].map(|it| self.is_one_payload(it).then(|| self.concern_of(it)));
        let same_for_all = [of_a, of_b].iter().all(|it| *it == Some(Concern::None));
        if same_for_all && self.facts.orders.limits.len() < LIMITS {
            self.facts.orders.limits.push((of, [a, b], here, strict));
        }
        for ([a, b], here) in pairs {
            if a == b || here == Bdd::FALSE {
                continue;
            }
            self.diagrams.or_at(&mut self.facts.orders.not_less, (of, b, a), here)?;
            if strict {
                self.diagrams.or_at(&mut self.facts.orders.less, (of, a, b), here)?;
            }
        }
        Ok(())
    }

    /// Where `a` is less than `b`, with what is known of that.
    pub(crate) fn less_as_known(
        &mut self,
        (of, a, b): (Numbers, FormId, FormId),
        less: Bdd,
    ) -> Result<Bdd, Exhausted> {
        let not = self.facts.orders.not_less.get(&(of, a, b)).copied().unwrap_or(Bdd::FALSE);
        let less = self.diagrams.and(less, !not)?;
        match self.facts.orders.less.get(&(of, a, b)).copied() {
            Some(certain) => self.diagrams.or(less, certain),
            None => Ok(less),
        }
    }

    /// It is one payload as it is, and not put together from others.
    fn is_one_payload(&self, id: FormId) -> bool {
        let atom = self.form(id).single_atom();
        atom.is_some_and(|atom| !matches!(self.atom(atom), Atom::Form(_) | Atom::Unit(..)))
    }

    /// What is below one limit is below one that is not less.
    pub(crate) fn less_by_limits(
        &mut self,
        (of, a, b): (Numbers, FormId, FormId),
        mut less: Bdd,
    ) -> Result<Bdd, Exhausted> {
        for (by, [low, high], here, strict) in self.facts.orders.limits.clone() {
            let other = match (a == low, b == high) {
                (false, true) => a,
                (true, false) => b,
                _ => continue,
            };
            let plain = self.is_one_payload(other) && self.concern_of(other) != Concern::None;
            if by != of || !plain {
                continue;
            }
            let below = match (b == high, strict) {
                (true, false) => self.less_alone(a, low, of)?,
                (true, true) => !self.less_alone(low, a, of)?,
                (false, false) => self.less_alone(high, b, of)?,
                (false, true) => !self.less_alone(b, high, of)?,
            };
            let here = if self.diagrams.has(BrokenLaw::LimitElsewhere) { !here } else { here };
            let certain = self.diagrams.and(here, below)?;
            less = self.diagrams.or(less, certain)?;
        }
        Ok(less)
    }

    /// An extreme is equal to a value that none of its parts outdoes and that one of them is. This is
    /// asked part by part where orders of payloads are known.
    pub(crate) fn equal_to_extreme(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<Bdd>, Exhausted> {
        if self.facts.orders.is_empty() {
            return Ok(None);
        }
        let (extreme, value, greatest, of) = match (self.order_of(a), self.order_of(b)) {
            (Some((greatest, of)), None) => (a, b, greatest, of),
            (None, Some((greatest, of))) => (b, a, greatest, of),
            _ => return Ok(None),
        };
        let form = self.form(extreme).clone();
        let neutral = form.rest == form.operator.neutral(form.width);
        if !neutral || of == Numbers::Magnitude {
            return Ok(None);
        }
        let Some(selection) = self.selection(value)? else { return Ok(None) };
        if selection.chosen.is_empty() || selection.chosen.len() * form.parts.len() > PAIRS {
            return Ok(None);
        }
        let mut any = Bdd::FALSE;
        for (_, word) in &form.parts {
            any = self.diagrams.or(any, word.bit(0))?;
        }
        let mut values = vec![(self.of_word(selection.rest, form.width)?, !selection.any)];
        for (atom, here) in selection.chosen {
            values.push((self.of_atom(atom)?, here));
        }
        let rest = self.of_word(form.rest.clone(), form.width)?;
        let nothing = self.equal(rest, value)?;
        let mut equal = self.diagrams.and(!any, nothing)?;
        for (value, here) in values {
            let here = self.diagrams.and(here, any)?;
            if here == Bdd::FALSE {
                continue;
            }
            let is_it = self.is_extreme_of(&form, value, (greatest, of), here)?;
            equal = self.diagrams.or(equal, is_it)?;
        }
        Ok(Some(equal))
    }

    /// An extreme without the parts that a limit outdoes, as far as these were compared: a part counts
    /// for nothing beside a limit that is not less, or not greater.
    pub(crate) fn without_limited(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let Some((greatest, of)) = self.order_of(id) else { return Ok(id) };
        let form = self.form(id).clone();
        let mut parts = form.parts.clone();
        for (limit, word) in &form.parts {
            let value = self.of_atom(*limit)?;
            if self.concern_of(value) != Concern::None {
                continue;
            }
            for (atom, other) in parts.iter_mut().filter(|(atom, _)| atom != limit) {
                let part = self.of_atom(*atom)?;
                if self.concern_of(part) == Concern::None && *atom < *limit {
                    continue;
                }
                let [first, second] = if greatest { [value, part] } else { [part, value] };
                if !self.was_compared(of, first, second) {
                    continue;
                }
                let outdoes = self.less(first, second, of)?;
                let mut counts = self.diagrams.or(outdoes, !word.bit(0))?;
                if self.diagrams.has(BrokenLaw::OutdoneEverywhere) {
                    counts = Bdd::FALSE;
                }
                let counts = self.diagrams.and(other.bit(0), counts)?;
                *other = Word::flag(counts, 2);
            }
        }
        parts.retain(|(_, word)| !word.is_zero());
        self.intern(Form { parts, ..form })
    }

    /// The order of two values is a variable, or something is known of it.
    fn was_compared(&self, of: Numbers, a: FormId, b: FormId) -> bool {
        let relation = Relation::Less(of);
        self.relations.contains_key(&(relation, a.min(b), a.max(b)))
            || self.facts.orders.not_less.contains_key(&(of, a, b))
    }

    /// Where a value is the extreme of parts, of the states of `here`, in which some part takes part.
    fn is_extreme_of(
        &mut self,
        form: &Form,
        value: FormId,
        (greatest, of): (bool, Numbers),
        here: Bdd,
    ) -> Result<Bdd, Exhausted> {
        let (mut all, mut some) = (here, Bdd::FALSE);
        let mut others = Vec::new();
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            let takes_part = self.diagrams.and(here, word.bit(0))?;
            if part == value {
                some = takes_part;
            } else if takes_part != Bdd::FALSE {
                others.push((part, takes_part));
            }
        }
        for &(part, takes_part) in &others {
            let [first, second] = if greatest { [value, part] } else { [part, value] };
            let outdoes = self.less(first, second, of)?;
            let outdoes = self.diagrams.and(outdoes, takes_part)?;
            if !self.diagrams.has(BrokenLaw::AnyPartIsExtreme) {
                all = self.diagrams.and(all, !outdoes)?;
            }
        }
        for (part, takes_part) in others {
            // Nothing more to show.
            let open = self.diagrams.and(all, !some)?;
            if open == Bdd::FALSE {
                break;
            }
            let same = self.equal(part, value)?;
            let same = self.diagrams.and(same, takes_part)?;
            some = self.diagrams.or(some, same)?;
        }
        self.diagrams.and(all, some)
    }
}
