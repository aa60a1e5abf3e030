//! Values that are one of several in each state, compared one by one.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::form::{Form, FormId, Forms, Selection};
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::word::Word;

/// What a value is, and where.
type Values = Vec<(FormId, Bdd)>;

impl Forms {
    /// What is chosen in each state, if a form only chooses.
    pub(crate) fn selection(&mut self, id: FormId) -> Result<Option<Selection>, Exhausted> {
        let id = self.put_together(id)?;
        let form = self.form(id).clone();
        if form.operator != Operator::Sum {
            return Ok(None);
        }
        let mut any = Bdd::FALSE;
        let mut chosen = Vec::new();
        for (atom, word) in &form.parts {
            let Some(flag) = word.as_flag(form.width) else { return Ok(None) };
            if !self.diagrams.disjoint(any, flag)? {
                return Ok(None);
            }
            any = self.diagrams.or(any, flag)?;
            chosen.push((*atom, flag));
        }
        let something = self.diagrams.word_any(&form.rest)?;
        let alone = self.diagrams.disjoint(any, something)?;
        Ok(alone.then_some(Selection { chosen, any, rest: form.rest }))
    }

    /// What a value is chosen from. What is put together by another operator than a sum is one value.
    pub(crate) fn selection_of_one(&mut self, id: FormId) -> Result<Option<Selection>, Exhausted> {
        if self.form(id).operator == Operator::Sum {
            return self.selection(id);
        }
        let chosen = vec![(self.as_atom(id), Bdd::TRUE)];
        Ok(Some(Selection { chosen, any: Bdd::TRUE, rest: Word::zero() }))
    }

    /// What a value is in the states in which it is one thing. Nothing where it is a sum of several
    /// payloads in some states.
    pub(crate) fn values_of(&mut self, id: FormId) -> Result<Option<Values>, Exhausted> {
        let width = self.form(id).width;
        let Some(selection) = self.selection_of_one(id)? else {
            return self.summands_of(id);
        };
        let mut values = Vec::new();
        for (atom, here) in selection.chosen {
            values.push((self.of_atom(atom)?, here));
        }
        if selection.any != Bdd::TRUE {
            values.push((self.of_word(selection.rest, width)?, !selection.any));
        }
        Ok(Some(values))
    }

    /// The values of a sum that has one payload at a time, a multiple of it or with a number beside it.
    fn summands_of(&mut self, id: FormId) -> Result<Option<Values>, Exhausted> {
        let form = self.form(id).clone();
        let words = form.parts.iter().map(|(_, word)| self.diagrams.word_any(word));
        let conditions = words.collect::<Result<Vec<Bdd>, Exhausted>>()?;
        let Some(any) = self.diagrams.one_at_a_time(conditions.iter().copied())? else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for ((atom, word), &here) in form.parts.iter().zip(&conditions) {
            let parts = vec![(*atom, self.diagrams.word_within(word, here, form.width))];
            let rest = self.diagrams.word_within(&form.rest, here, form.width);
            let alone = Form { operator: Operator::Sum, width: form.width, parts, rest };
            values.push((self.intern(alone)?, here));
        }
        if any != Bdd::TRUE {
            let rest = self.diagrams.word_within(&form.rest, !any, form.width);
            values.push((self.of_word(rest, form.width)?, !any));
        }
        Ok(Some(values))
    }

    /// An order of two values that are chosen: that of the two that are, in each state.
    pub(crate) fn less_chosen(
        &mut self,
        [a, b]: [&Values; 2],
        of: Numbers,
        width: u32,
    ) -> Result<Bdd, Exhausted> {
        let mut less = Bdd::FALSE;
        for &(x, here) in a {
            for &(y, there) in b {
                let both = self.diagrams.and(here, there)?;
                if both == Bdd::FALSE || x == y {
                    continue;
                }
                let word = self.as_word(x).cloned().zip(self.as_word(y).cloned());
                let order = match word {
                    Some((x, y)) => self.diagrams.word_less(&x, &y, of, width)?,
                    None => match self.less_within(both, [x, y], of)? {
                        Some(less) => less,
                        None => self.less_alike([x, y], of)?,
                    },
                };
                less = self.diagrams.ite(both, order, less)?;
            }
        }
        Ok(less)
    }

    /// An order of two values neither of which is chosen.
    fn less_alike(&mut self, two: [FormId; 2], of: Numbers) -> Result<Bdd, Exhausted> {
        match self.less_by_multiples(two, of)? {
            Some(less) => Ok(less),
            None => self.less_whole(two[0], two[1], of),
        }
    }
}
