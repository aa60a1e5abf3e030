//! Forms combined by operators, and chosen between.

use std::collections::BTreeMap;

use super::{Atom, AtomId, Form, FormId, Forms, sorted};
use crate::Exhausted;
use crate::bdd::{Bdd, Diagrams};
use crate::fault::BrokenLaw;
use crate::operator::Operator;
use crate::word::Word;

impl Forms {
    /// The same value as atoms combined by `operator`; what is put together otherwise becomes an
    /// atom.
    pub(crate) fn by(&mut self, id: FormId, operator: Operator) -> Result<Form, Exhausted> {
        let id = if operator == Operator::Sum { id } else { self.put_together(id)? };
        let form = self.form(id).clone();
        let width = form.width;
        if form.operator == operator {
            return Ok(form);
        }
        if form.parts.is_empty() {
            return Ok(Form { operator, ..form });
        }
        if operator == Operator::Product
            && let Some(product) = self.multiple_as_product(&form)?
        {
            return Ok(product);
        }
        if operator == Operator::Xor
            && form.operator == Operator::Sum
            && self.is_sign(&form.rest, width)
        {
            let inner = self.intern(Form { rest: Word::zero(), ..form.clone() })?;
            let inner = self.by(inner, operator)?;
            let bits = &form.rest;
            let rest = self.diagrams.bitwise(Diagrams::xor, &inner.rest, bits, width)?;
            return Ok(Form { rest, ..inner });
        }
        let neutral = operator.neutral(width);
        let selection = if operator == Operator::Sum { None } else { self.selection(id)? };
        let Some(selection) = selection else {
            if let Some(limited) = self.limited_last(&form, operator)? {
                return Ok(limited);
            }
            if let Some(beside) = self.selection_beside_number(&form, operator)? {
                return Ok(beside);
            }
            if operator == Operator::Product
                && let Some(scaled) = self.scaled_selection(&form)?
            {
                return Ok(scaled);
            }
            let chosen = match operator {
                Operator::Sum => self.one_at_a_time(&form)?,
                _ => self.where_it_has_atoms(&form, operator)?,
            };
            if let Some(chosen) = chosen {
                return Ok(chosen);
            }
            let atom = self.atom_of(Atom::Form(id), width);
            let one = Word::number(1, operator.counts_in(width).min(width.max(2)));
            return Ok(Form { operator, width, parts: vec![(atom, one)], rest: neutral });
        };
        let mut rest = self.diagrams.word_ite(selection.any, &neutral, &selection.rest, width)?;
        if self.diagrams.has(BrokenLaw::NothingChosen) {
            rest = neutral;
        }
        let mut parts = BTreeMap::new();
        for (atom, flag) in selection.chosen {
            let inner = match *self.atom(atom) {
                Atom::Form(inner) if self.form(inner).operator == operator => {
                    Some(self.form(inner).clone())
                }
                _ => None,
            };
            let Some(inner) = inner else {
                self.add_part(&mut parts, operator, width, atom, &Word::flag(flag, 2))?;
                continue;
            };
            for (atom, word) in &inner.parts {
                let word =
                    self.diagrams.word_ite(flag, word, &Word::zero(), operator.counts_in(width))?;
                self.add_part(&mut parts, operator, width, *atom, &word)?;
            }
            rest = self.diagrams.word_ite(flag, &inner.rest, &rest, width)?;
        }
        Ok(Form { operator, width, parts: sorted(parts), rest })
    }

    /// A multiple of one atom as a product.
    fn multiple_as_product(&mut self, form: &Form) -> Result<Option<Form>, Exhausted> {
        let [(atom, word)] = form.parts.as_slice() else { return Ok(None) };
        if form.operator != Operator::Sum || !form.rest.is_zero() {
            return Ok(None);
        }
        let (operator, width) = (Operator::Product, form.width);
        if let Atom::Form(inner) = *self.atom(*atom)
            && self.form(inner).operator == operator
        {
            let inner = self.form(inner).clone();
            let rest = self.diagrams.word_mul(&inner.rest, word, width)?;
            return Ok(Some(Form { rest, ..inner }));
        }
        let parts = vec![(*atom, Word::number(1, 2))];
        Ok(Some(Form { operator, width, parts, rest: word.clone() }))
    }

    /// The same as a choice of values, where one atom at a time is behind a mask: so choices are compared
    /// one by one.
    pub(crate) fn chosen_one_by_one(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let form = self.form(id);
        if form.operator != Operator::And {
            return Ok(id);
        }
        let form = form.clone();
        match self.one_at_a_time(&form)? {
            Some(chosen) => self.intern(chosen),
            None => Ok(id),
        }
    }

    /// What has one atom at most in each state, beside other bits or a number: as a sum of what it is with
    /// each of them.
    fn one_at_a_time(&mut self, form: &Form) -> Result<Option<Form>, Exhausted> {
        if form.operator == Operator::Product {
            return Ok(None);
        }
        let conditions = form.parts.iter().map(|(_, word)| word.bit(0));
        let Some(any) = self.diagrams.one_at_a_time(conditions)? else { return Ok(None) };
        if form.parts.len() == 1 && any == Bdd::TRUE {
            return Ok(None);
        }
        self.as_selection_of_limited(form, any).map(Some)
    }

    /// Multiples of some atoms, one at a time, each with a number beside it: one of the sums. So what flips the
    /// sign of a choice is a choice of what is flipped, and what stands above the lane that holds it is chosen
    /// together with that.
    fn selection_beside_number(
        &mut self,
        form: &Form,
        operator: Operator,
    ) -> Result<Option<Form>, Exhausted> {
        let width = form.width;
        if form.operator != Operator::Sum || !matches!(operator, Operator::Extreme { .. }) {
            return Ok(None);
        }
        let mut places = Vec::new();
        for (_, word) in &form.parts {
            places.push(self.diagrams.word_any(word)?);
        }
        let Some(any) = self.diagrams.one_at_a_time(places.iter().copied())? else {
            return Ok(None);
        };
        if form.parts.len() == 1 && any == Bdd::TRUE {
            return Ok(None);
        }
        let mut parts = BTreeMap::new();
        for ((atom, word), here) in form.parts.iter().zip(places) {
            let one = vec![(*atom, self.diagrams.word_within(word, here, width))];
            let rest = self.diagrams.word_within(&form.rest, here, width);
            let sum = self.intern(Form { operator: Operator::Sum, width, parts: one, rest })?;
            let sum = self.as_atom(sum);
            self.add_part(&mut parts, operator, width, sum, &Word::flag(here, 2))?;
        }
        let rest = match self.diagrams.has(BrokenLaw::NothingChosen) {
            true => operator.neutral(width),
            false => self.diagrams.word_ite(any, &operator.neutral(width), &form.rest, width)?,
        };
        Ok(Some(Form { operator, width, parts: sorted(parts), rest }))
    }

    /// One atom at most of an exclusive or, of which nothing but the sign is flipped: the same as a sum, where to
    /// flip the highest bit is to add it.
    pub(super) fn flip_of_choice(&mut self, form: &Form) -> Result<Option<Form>, Exhausted> {
        if form.operator != Operator::Xor {
            return Ok(None);
        }
        let flags = form.parts.iter().map(|(_, word)| word.bit(0));
        let Some(any) = self.diagrams.one_at_a_time(flags)? else { return Ok(None) };
        for place in 0..form.width - 1 {
            if !self.diagrams.disjoint(any, form.rest.bit(place))? {
                return Ok(None);
            }
        }
        let flag = |(atom, word): &(AtomId, Word)| (*atom, Word::flag(word.bit(0), 2));
        let parts = form.parts.iter().map(flag).collect();
        Ok(Some(Form { operator: Operator::Sum, parts, ..form.clone() }))
    }

    /// What has atoms in some states only: what it is there, chosen there, elsewhere its rest.
    fn where_it_has_atoms(
        &mut self,
        form: &Form,
        operator: Operator,
    ) -> Result<Option<Form>, Exhausted> {
        if form.operator == Operator::Product {
            return Ok(None);
        }
        let width = form.width;
        let mut any = Bdd::FALSE;
        for (_, word) in &form.parts {
            let here = self.diagrams.word_any(word)?;
            any = self.diagrams.or(any, here)?;
        }
        if any == Bdd::TRUE || any == Bdd::FALSE {
            return Ok(None);
        }
        let counts = form.operator.counts_in(width);
        let mut parts = Vec::new();
        for (atom, word) in &form.parts {
            parts.push((*atom, self.diagrams.word_within(word, any, counts)));
        }
        let rest = self.diagrams.word_within(&form.rest, any, width);
        let there = self.intern(Form { operator: form.operator, width, parts, rest })?;
        let there = self.as_atom(there);
        let neutral = match self.diagrams.has(BrokenLaw::NeutralElsewhere) {
            true => operator.neutral(width),
            false => self.diagrams.word_ite(any, &operator.neutral(width), &form.rest, width)?,
        };
        let parts = vec![(there, Word::flag(any, 2))];
        Ok(Some(Form { operator, width, parts, rest: neutral }))
    }

    pub(crate) fn add_part(
        &mut self,
        parts: &mut BTreeMap<AtomId, Word>,
        operator: Operator,
        width: u32,
        atom: AtomId,
        word: &Word,
    ) -> Result<(), Exhausted> {
        let before = parts.get(&atom).cloned().unwrap_or_else(Word::zero);
        let both = operator.together(&mut self.diagrams, &before, word, width)?;
        parts.insert(atom, both);
        Ok(())
    }

    /// Two values combined by an operator.
    pub(crate) fn combine(
        &mut self,
        operator: Operator,
        a: FormId,
        b: FormId,
    ) -> Result<FormId, Exhausted> {
        let key = (operator, a.min(b), a.max(b));
        if let Some(&known) = self.memo.combined.get(&key) {
            return Ok(known);
        }
        if matches!(operator, Operator::Sum | Operator::Xor)
            && let Some(turned) = self.turned_by(a, b)?
        {
            return Ok(turned);
        }
        if let Some(distributed) = self.distributed_extreme(operator, a, b)? {
            self.memo.combined.insert(key, distributed);
            return Ok(distributed);
        }
        let (a, b) = (self.by(a, operator)?, self.by(b, operator)?);
        let width = a.width;
        let mut parts: BTreeMap<AtomId, Word> = a.parts.into_iter().collect();
        for (atom, word) in &b.parts {
            self.add_part(&mut parts, operator, width, *atom, word)?;
        }
        let rest = match operator {
            Operator::Sum => self.add_rests(&mut parts, [&a.rest, &b.rest], width)?,
            _ => operator.apply(&mut self.diagrams, &a.rest, &b.rest, width)?,
        };
        let both = self.combined(Form { operator, width, parts: sorted(parts), rest })?;
        self.memo.combined.insert(key, both);
        Ok(both)
    }

    /// Some values combined, as they are.
    pub(crate) fn gathered(
        &mut self,
        operator: Operator,
        values: &[FormId],
    ) -> Result<FormId, Exhausted> {
        let width = self.form(values[0]).width;
        let (mut parts, mut rest) = (BTreeMap::new(), operator.neutral(width));
        for &value in values {
            let form = self.by(value, operator)?;
            for (atom, word) in &form.parts {
                self.add_part(&mut parts, operator, width, *atom, word)?;
            }
            rest = operator.apply(&mut self.diagrams, &rest, &form.rest, width)?;
        }
        self.combined(Form { operator, width, parts: sorted(parts), rest })
    }

    /// The value of parts that were put together, without those that count for nothing.
    pub(crate) fn combined(&mut self, form: Form) -> Result<FormId, Exhausted> {
        let form = self.without_infinity(form)?;
        let form = self.without_outdone_number(form)?;
        let form = self.without_outdone(form)?;
        let form = self.without_absorbed(form)?;
        self.intern(form)
    }

    /// The sum, or exclusive or, of an extreme and of the highest bit alone.
    fn turned_by(&mut self, a: FormId, b: FormId) -> Result<Option<FormId>, Exhausted> {
        for (extreme, sign) in [(a, b), (b, a)] {
            let width = self.form(sign).width;
            let is_sign = self.as_word(sign).is_some_and(|word| self.is_sign(word, width));
            if is_sign && self.order_of(extreme).is_some() {
                return self.turned(extreme);
            }
        }
        Ok(None)
    }

    /// The sum of some values. Halves are added first: where many of them have the same atom, its
    /// word is a count, and adding one after the other would build each count anew.
    pub(crate) fn total(&mut self, values: &[FormId]) -> Result<FormId, Exhausted> {
        match values {
            [] => unreachable!("a sum of nothing has no width"),
            [only] => Ok(*only),
            _ => {
                let (first, second) = values.split_at(values.len() / 2);
                let (first, second) = (self.total(first)?, self.total(second)?);
                self.combine(Operator::Sum, first, second)
            }
        }
    }

    /// One value less another one.
    pub(crate) fn difference(&mut self, a: FormId, b: FormId) -> Result<FormId, Exhausted> {
        let minus_one = Word::number(u128::MAX, self.form(b).width);
        let negated = self.scaled(b, &minus_one)?;
        self.combine(Operator::Sum, a, negated)
    }

    /// A value times a word.
    pub(crate) fn scaled(&mut self, id: FormId, factor: &Word) -> Result<FormId, Exhausted> {
        let constant = factor.constant(self.form(id).width).is_some();
        let id = if constant { id } else { self.put_together(id)? };
        let form = self.by(id, Operator::Sum)?;
        let mut parts = Vec::new();
        for (atom, word) in &form.parts {
            let word = self.diagrams.word_mul(word, factor, form.width)?;
            if !word.is_zero() {
                parts.push((*atom, word));
            }
        }
        let rest = self.diagrams.word_mul(&form.rest, factor, form.width)?;
        self.intern(Form { parts, rest, ..form })
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub(crate) fn ite(
        &mut self,
        condition: Bdd,
        then: FormId,
        otherwise: FormId,
    ) -> Result<FormId, Exhausted> {
        if then == otherwise || condition == Bdd::TRUE {
            return Ok(then);
        }
        if condition == Bdd::FALSE {
            return Ok(otherwise);
        }
        if let Some(&known) = self.memo.chosen.get(&(condition, then, otherwise)) {
            return Ok(known);
        }
        let chosen = self.chosen_anew(condition, then, otherwise)?;
        self.memo.chosen.insert((condition, then, otherwise), chosen);
        Ok(chosen)
    }

    fn chosen_anew(
        &mut self,
        condition: Bdd,
        then: FormId,
        otherwise: FormId,
    ) -> Result<FormId, Exhausted> {
        if let Some(chosen) = self.chosen_carry(condition, then, otherwise)? {
            return Ok(chosen);
        }
        let operator = self.shared_operator(then, otherwise)?;
        let (a, b) = (self.by(then, operator)?, self.by(otherwise, operator)?);
        let (width, counts) = (a.width, operator.counts_in(a.width));
        let mut pairs: BTreeMap<AtomId, [Option<Word>; 2]> = BTreeMap::new();
        for (atom, word) in a.parts {
            pairs.entry(atom).or_default()[0] = Some(word);
        }
        for (atom, word) in b.parts {
            pairs.entry(atom).or_default()[1] = Some(word);
        }
        let mut parts = Vec::new();
        for (atom, [x, y]) in pairs {
            self.diagrams.step()?;
            let (x, y) = (x.unwrap_or_else(Word::zero), y.unwrap_or_else(Word::zero));
            let word = self.diagrams.word_ite(condition, &x, &y, counts)?;
            if !word.is_zero() {
                parts.push((atom, word));
            }
        }
        let rest = self.diagrams.word_ite(condition, &a.rest, &b.rest, width)?;
        self.intern(Form { operator, width, parts, rest })
    }

    /// The value whose condition holds; of the conditions one holds in each state.
    pub(crate) fn one_of(&mut self, values: &[(Bdd, FormId)]) -> Result<FormId, Exhausted> {
        let mut some: Vec<(Bdd, FormId)> = Vec::new();
        for &(condition, value) in values {
            match some.iter_mut().find(|(_, known)| *known == value) {
                Some((before, _)) => *before = self.diagrams.or(*before, condition)?,
                None if condition != Bdd::FALSE => some.push((condition, value)),
                None => {}
            }
        }
        let Some(&(_, first)) = some.first() else {
            unreachable!("one of the conditions holds in each state");
        };
        let mut operator = self.form(first).operator;
        for &(_, value) in &some[1..] {
            let so_far = match operator {
                Operator::Sum => first,
                _ => value,
            };
            let own = self.form(value).operator;
            operator = match own {
                other if other == operator => operator,
                Operator::Sum if self.selection(value)?.is_some() => operator,
                other if operator == Operator::Sum && self.selection(so_far)?.is_some() => other,
                _ => Operator::Sum,
            };
        }
        let width = self.form(first).width;
        let counts = operator.counts_in(width);
        let mut parts: BTreeMap<AtomId, Word> = BTreeMap::new();
        let mut rest = Word::zero();
        for (condition, value) in some {
            let form = self.by(value, operator)?;
            for (atom, word) in &form.parts {
                self.diagrams.step()?;
                let before = parts.get(atom).cloned().unwrap_or_else(Word::zero);
                let word = match self.diagrams.has(BrokenLaw::TableWithoutPlace) {
                    true => word.clone(),
                    false => self.diagrams.word_ite(condition, word, &before, counts)?,
                };
                parts.insert(*atom, word);
            }
            rest = self.diagrams.word_ite(condition, &form.rest, &rest, width)?;
        }
        self.intern(Form { operator, width, parts: sorted(parts), rest })
    }

    /// The operator by which two values that are chosen from are put together: that of either,
    /// where the other only chooses.
    fn shared_operator(&mut self, a: FormId, b: FormId) -> Result<Operator, Exhausted> {
        let (of_a, of_b) = (self.form(a).operator, self.form(b).operator);
        Ok(match (of_a, of_b) {
            _ if of_a == of_b => of_a,
            (Operator::Sum, _) if self.selection(a)?.is_some() => of_b,
            (_, Operator::Sum) if self.selection(b)?.is_some() => of_a,
            _ => Operator::Sum,
        })
    }
}
