//! Records: lanes that are gone through in order, of which each is compared with the extreme so far.
//!
//! A lane holds the extreme where none before it outdoes it, and none after it outdoes all before that one:
//! what follows a record that is no record itself counts for nothing. So that some lane holds the extreme of
//! all is said by comparisons with the extremes so far, as loops over lanes make them. These stay
//! uninterpreted: compared with each lane before by itself, that an order is transitive would be lost.

use laneproof_semantics::term::{Node, Pool, Term};

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms};
use crate::numbers::Numbers;
use crate::order::{Concern, Records};
use crate::own_lane::Values;
use crate::word::Word;

/// Fewer comparisons are no loop.
const FEW: usize = 3;

/// What lanes hold is compared with what was chosen among several lanes.
pub(crate) fn are_compared(pool: &Pool, assertions: &[Term]) -> bool {
    let values = Values::of(pool, assertions);
    let terms = pool.reachable(assertions);
    let compared = terms.into_iter().filter(|&term| match *pool.node(term) {
        Node::Compare(_, a, b) => {
            let [a, b] = [values.lanes(a), values.lanes(b)];
            a != 0 && b != 0 && (a | b).count_ones() > 2
        }
        _ => false,
    });
    compared.take(FEW).count() == FEW
}

impl Forms {
    /// `a` is less than `b`, where one is an extreme of payloads and the other one of some payloads, which are
    /// not compared with each part.
    pub(crate) fn less_record(
        &mut self,
        a: FormId,
        b: FormId,
        of: Numbers,
    ) -> Result<Option<Bdd>, Exhausted> {
        if self.facts.records.is_none() {
            return Ok(None);
        }
        let is_extreme = |id| match self.order_of(id) {
            Some((_, by)) => by == of && self.payloads_of(id).is_some(),
            None => false,
        };
        let [first, second] = [is_extreme(a), is_extreme(b)];
        if first == second {
            return Ok(None);
        }
        let value = if first { b } else { a };
        if self.payload_lane(value).is_some() {
            let less = self.less_whole(a, b, of)?;
            let outdone = self.outdoes_itself([value, if first { a } else { b }], first);
            return self.diagrams.and(less, !outdone).map(Some);
        }
        self.of_some(value, |forms, value| match first {
            true => forms.less(a, value, of),
            false => forms.less(value, b, of),
        })
    }

    /// Where something holds of the value that this is in each state, if it is one of several.
    fn of_some(
        &mut self,
        id: FormId,
        holds: impl Fn(&mut Self, FormId) -> Result<Bdd, Exhausted>,
    ) -> Result<Option<Bdd>, Exhausted> {
        let Some(values) = self.some_of(id)? else { return Ok(None) };
        let mut all = Bdd::FALSE;
        for (here, value) in values {
            let one = holds(self, value)?;
            let one = self.diagrams.and(here, one)?;
            all = self.diagrams.or(all, one)?;
        }
        Ok(Some(all))
    }

    /// The values of which this is one in each state, each with where it is that, if there are several.
    fn some_of(&mut self, id: FormId) -> Result<Option<Vec<(Bdd, FormId)>>, Exhausted> {
        let width = self.form(id).width;
        let Some(selection) = self.selection(id)? else { return Ok(None) };
        // One value that is there in every state is itself.
        let is_one = matches!(selection.chosen.as_slice(), [(_, here)] if *here == Bdd::TRUE);
        if is_one || selection.chosen.is_empty() {
            return Ok(None);
        }
        let mut values = vec![(!selection.any, self.of_word(selection.rest, width)?)];
        for (atom, here) in selection.chosen {
            values.push((here, self.of_atom(atom)?));
        }
        values.retain(|(here, _)| *here != Bdd::FALSE);
        Ok(Some(values))
    }

    /// Where a payload is a part of the extreme that it would outdo, which it never does.
    fn outdoes_itself(&self, [value, extreme]: [FormId; 2], is_above: bool) -> Bdd {
        let outdoes = self.order_of(extreme).is_some_and(|(greatest, _)| greatest == is_above);
        let here = self.form(value).single_atom().and_then(|own| self.form(extreme).times(own));
        here.filter(|_| outdoes).and_then(|here| here.as_flag(2)).unwrap_or(Bdd::FALSE)
    }

    /// The lane of a payload that is a free constant.
    fn payload_lane(&self, id: FormId) -> Option<u32> {
        self.lane_of_payload(self.form(id).single_atom()?)
    }

    fn lane_of_payload(&self, atom: AtomId) -> Option<u32> {
        let Atom::Free(term) = *self.atom(atom) else { return None };
        match self.order.concern_of(term) {
            Concern::Lane(lane) => Some(lane),
            Concern::None | Concern::Several => None,
        }
    }

    /// The payloads that an extreme is made of and nothing else, in the order in which they are gone through.
    fn payloads_of(&self, id: FormId) -> Option<Vec<(AtomId, Bdd)>> {
        let form = self.form(id);
        if form.rest != form.operator.neutral(form.width) {
            return None;
        }
        let part = |(atom, word): &(AtomId, Word)| {
            Some((self.lane_of_payload(*atom)?, *atom, word.as_flag(2)?))
        };
        let mut parts = form.parts.iter().map(part).collect::<Option<Vec<_>>>()?;
        let first = |here| self.facts.records == Some(Records::OwnFirst) && here == Bdd::TRUE;
        parts.sort_unstable_by_key(|&(lane, atom, here)| (!first(here), lane, atom));
        Some(parts.into_iter().map(|(_, atom, here)| (atom, here)).collect())
    }

    /// A payload is equal to an extreme that it is a part of.
    pub(crate) fn equal_to_record(
        &mut self,
        a: FormId,
        b: FormId,
    ) -> Result<Option<Bdd>, Exhausted> {
        if self.facts.records.is_none() {
            return Ok(None);
        }
        let (value, extreme) = if self.order_of(b).is_some() { (a, b) } else { (b, a) };
        let Some((greatest, of)) = self.order_of(extreme) else { return Ok(None) };
        let Some(parts) = self.payloads_of(extreme) else { return Ok(None) };
        let Some(own) = self.form(value).single_atom() else {
            return self.of_some(value, |forms, value| forms.equal(value, extreme));
        };
        let Some(place) = parts.iter().position(|(atom, _)| *atom == own) else { return Ok(None) };
        let Form { operator, width, rest, .. } = self.form(extreme).clone();
        let so_far = |forms: &mut Self, place: usize| {
            let mut parts: Vec<(AtomId, Word)> =
                parts[..place].iter().map(|(atom, here)| (*atom, Word::flag(*here, 2))).collect();
            parts.sort_unstable_by_key(|(atom, _)| *atom);
            forms.intern(Form { operator, width, parts, rest: rest.clone() })
        };
        // None before outdoes it.
        let mut holds = Bdd::TRUE;
        if place > 0 {
            let before = so_far(self, place)?;
            let outdone = self.outdone(before, value, (greatest, of))?;
            let mut any = Bdd::FALSE;
            for (_, here) in &parts[..place] {
                any = self.diagrams.or(any, *here)?;
            }
            let outdone = self.diagrams.and(any, outdone)?;
            holds = !outdone;
        }
        // None after outdoes all before that one.
        if !self.diagrams.has(BrokenLaw::RecordIsLast) {
            for (later, &(atom, here)) in parts.iter().enumerate().skip(place + 1) {
                let (before, next) = (so_far(self, later)?, self.of_atom(atom)?);
                let outdone = self.outdone(next, before, (greatest, of))?;
                let outdone = self.diagrams.and(here, outdone)?;
                holds = self.diagrams.and(holds, !outdone)?;
            }
        }
        let elsewhere = self.relation(crate::opaque::Relation::Equal, a.min(b), a.max(b));
        self.diagrams.ite(parts[place].1, holds, elsewhere).map(Some)
    }

    /// The first value comes before the second one by this order.
    fn outdone(
        &mut self,
        first: FormId,
        second: FormId,
        (greatest, of): (bool, Numbers),
    ) -> Result<Bdd, Exhausted> {
        match greatest {
            true => self.less(second, first, of),
            false => self.less(first, second, of),
        }
    }
}
