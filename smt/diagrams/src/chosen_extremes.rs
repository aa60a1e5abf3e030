//! Extremes among the summands of a sum of which one at a time is there: they are one extreme, whose
//! parts are there where theirs are. So a sum of a summand and the extreme of some values has one form,
//! whether the summand was added before values were left out or afterwards.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, Forms};
use crate::operator::Operator;
use crate::word::Word;

impl Forms {
    /// The sum with such extremes as one. What only chooses is left alone: it becomes an extreme where
    /// it is asked for.
    pub(crate) fn with_extremes_together(&mut self, form: Form) -> Result<Form, Exhausted> {
        if self.memo.joins_extremes || form.parts.len() < 3 {
            return Ok(form);
        }
        let Some(chosen) = self.chosen_extremes(&form)? else { return Ok(form) };
        let width = form.width;
        let zero = self.of_word(Word::zero(), width)?;
        let mut value = zero;
        for &(atom, here) in &chosen {
            let part = self.of_atom(atom)?;
            value = self.ite(here, part, value)?;
        }
        let (mut rest, before) = (form.clone(), form.parts.len());
        rest.parts.retain(|(atom, _)| chosen.iter().all(|(other, _)| other != atom));
        self.memo.joins_extremes = true;
        let together = self.intern(rest).and_then(|rest| self.combine(Operator::Sum, rest, value));
        self.memo.joins_extremes = false;
        let together = self.form(together?).clone();
        let fewer = together.operator == Operator::Sum && together.parts.len() < before;
        Ok(if fewer { together } else { form })
    }

    /// Summands that are there once, one at a time, among them an extreme, and where; if not all are.
    fn chosen_extremes(&mut self, form: &Form) -> Result<Option<Vec<(AtomId, Bdd)>>, Exhausted> {
        let is_extreme = |forms: &Self, atom: AtomId| match *forms.atom(atom) {
            Atom::Form(inner) => forms.order_of(inner),
            _ => None,
        };
        let first = form.parts.iter().find_map(|(atom, word)| {
            let here = word.as_flag(form.width).filter(|it| *it != Bdd::TRUE)?;
            Some((*atom, here, is_extreme(self, *atom)?))
        });
        let Some((first, mut any, order)) = first else { return Ok(None) };
        let mut chosen = vec![(first, any)];
        for (atom, word) in &form.parts {
            let here = word.as_flag(form.width).filter(|it| *it != Bdd::TRUE);
            let Some(here) = here.filter(|_| *atom != first) else { continue };
            if is_extreme(self, *atom).is_some_and(|other| other != order) {
                continue;
            }
            let apart = self.diagrams.disjoint(any, here)?;
            if apart || self.diagrams.has(BrokenLaw::ChosenTogether) {
                any = self.diagrams.or(any, here)?;
                chosen.push((*atom, here));
            }
        }
        let some = (2..form.parts.len()).contains(&chosen.len());
        Ok(some.then_some(chosen))
    }
}
