//! Carries from one word into the next, as high parts of sums.
//!
//! For numbers of n bits, `a + b` modulo 2^n is less than `a` exactly where the sum carries. With `A`
//! and `B` sums of 2n bits whose low halves are `a` and `b`, and `high` the upper half of such a sum,
//! that carry is the number `high(A + B) - high(A) - high(B)`: `a` is `A - 2^n·high(A)`, and
//! multiples of 2^n move out of the upper half. So the carries of a long sum, word by word and in
//! whatever order, add up to the upper half of the whole sum.

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms};
use crate::numbers::ones;
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

/// High parts are compared one by one where there are not more.
const HIGH_PARTS: usize = 1 << 7;

impl Form {
    /// Its payloads are some of another one's.
    fn has_atoms_of(&self, other: &Self) -> bool {
        let has = |atom: &AtomId| other.times(*atom).is_some();
        self.parts.iter().all(|(atom, _)| has(atom))
    }
}

impl Forms {
    /// A sum has all payloads of another one, whatever decides where each of them counts. One of several payloads
    /// is no sum of them.
    pub(crate) fn is_summand(&mut self, part: FormId, sum: FormId) -> Result<bool, Exhausted> {
        let (whole, some) = (self.form(sum), self.form(part));
        let is_sum = |form: &Form| form.operator == Operator::Sum && !form.parts.is_empty();
        let has_all = is_sum(whole)
            && is_sum(some)
            && 2 * whole.width <= u128::BITS
            && some.has_atoms_of(whole)
            && !self.has_units(sum)
            && !self.has_units(part);
        Ok(has_all && (whole.parts.len() == 1 || self.selection(sum)?.is_none()))
    }

    /// One where a sum is less than a summand of its own, else zero: as a number of that width.
    pub(crate) fn carry(&mut self, sum: FormId, part: FormId) -> Result<FormId, Exhausted> {
        let width = self.form(sum).width;
        let other = self.difference(sum, part)?;
        let [a, b] = [part, other].map(|it| self.form(it).clone());
        let (a, b) = (self.extended(&a, 2 * width)?, self.extended(&b, 2 * width)?);
        let both = self.combine(Operator::Sum, a, b)?;
        let mut carry = self.extract(both, 2 * width - 1, width)?;
        if self.diagrams.has(BrokenLaw::CarriesOfParts) {
            return Ok(carry);
        }
        for lifted in [a, b] {
            let high = self.extract(lifted, 2 * width - 1, width)?;
            carry = self.difference(carry, high)?;
        }
        Ok(carry)
    }

    /// The first is one more than the second.
    pub(crate) fn is_one_more(&mut self, more: FormId, less: FormId) -> Result<bool, Exhausted> {
        let width = self.form(more).width;
        let difference = self.difference(more, less)?;
        Ok(self.as_word(difference).and_then(|it| it.constant(width)) == Some(1))
    }

    /// Bits of a sum from `low` on: its multiples of 2^low, and what the others carry.
    pub(crate) fn extract_carried(
        &mut self,
        id: FormId,
        high: u32,
        low: u32,
    ) -> Result<FormId, Exhausted> {
        let form = self.form(id).clone();
        let width = high - low + 1;
        let low_bits = |few: &[Bdd]| {
            let mut bits = few.to_vec();
            bits.resize(form.width as usize, Bdd::FALSE);
            Word::of(bits, form.width)
        };
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for (atom, word) in &form.parts {
            let mut part = self.of_atom(*atom)?;
            if let Some((upper, lower)) = self.sides(*atom)
                && self.form(lower).width == low
            {
                let upper = self.extract(upper, width - 1, 0)?;
                above.push(self.scaled(upper, &Word::of(word.bits(width), width))?);
                part = self.extend(lower, false, form.width)?;
            }
            let bits = word.bits(form.width);
            let (few, more) = bits.split_at(low as usize);
            if more.iter().any(|bit| *bit != Bdd::FALSE) {
                let narrow = self.extract(part, width - 1, 0)?;
                above.push(self.scaled(narrow, &Word::of(more.to_vec(), width))?);
            }
            below.push(self.scaled(part, &low_bits(few))?);
        }
        if above.is_empty() {
            return self.opaque(Function::Extract { high, low }, vec![id], width);
        }
        let rest = form.rest.bits(form.width);
        let (few, more) = rest.split_at(low as usize);
        below.push(self.of_word(low_bits(few), form.width)?);
        above.push(self.of_word(Word::of(more.to_vec(), width), width)?);
        let below = self.total(&below)?;
        if below != id && !self.diagrams.has(BrokenLaw::NothingCarried) {
            above.push(self.extract(below, high, low)?);
        }
        self.total(&above)
    }

    /// A choice of a sum that counts what one sum carries and another one does not: it counts what the
    /// chosen one of the two carries.
    pub(crate) fn chosen_carry(
        &mut self,
        condition: Bdd,
        then: FormId,
        otherwise: FormId,
    ) -> Result<Option<FormId>, Exhausted> {
        for (condition, counts, other) in
            [(condition, then, otherwise), (!condition, otherwise, then)]
        {
            let Some([carried, before]) = self.carried_beside(counts, other) else { continue };
            let width = self.form(counts).width;
            let (more, less) = (self.of_atom(carried)?, self.of_atom(before)?);
            let minus_one = Word::number(u128::MAX, width);
            let negated = self.scaled(more, &minus_one)?;
            let without = self.total(&[counts, negated, less])?;
            if self.form(without).parts.iter().any(|(atom, _)| [carried, before].contains(atom)) {
                continue;
            }
            let without = self.ite(condition, without, other)?;
            let [Some((function, sum)), Some((_, smaller))] =
                [carried, before].map(|it| self.high_part(it))
            else {
                continue;
            };
            let Function::Extract { high, low } = function else { continue };
            let smaller = self.sum_within(smaller, condition)?;
            let sum = self.sum_within(sum, condition)?;
            let sum = self.ite(condition, sum, smaller)?;
            let carried = self.extract(sum, high, low)?;
            let before = self.extract(smaller, high, low)?;
            let before = self.scaled(before, &minus_one)?;
            return self.total(&[without, carried, before]).map(Some);
        }
        Ok(None)
    }

    /// A sum that is that one where a condition holds, and as simple as it may be elsewhere.
    fn sum_within(&mut self, id: FormId, here: Bdd) -> Result<FormId, Exhausted> {
        let mut form = self.form(id).clone();
        let width = form.width;
        for (_, word) in &mut form.parts {
            *word = self.diagrams.word_within(word, here, width);
        }
        form.parts.retain(|(_, word)| !word.is_zero());
        form.rest = self.diagrams.word_within(&form.rest, here, width);
        self.intern(form)
    }

    /// In a sum of numbers and of high parts of sums: of high parts of equal sums one has the words of
    /// both, where they are equal.
    pub(crate) fn with_equal_high_parts(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let mut form = self.form(id).clone();
        let width = form.width;
        let high: Vec<(usize, (Function, FormId))> = form
            .parts
            .iter()
            .enumerate()
            .filter_map(|(place, (atom, _))| Some((place, self.high_part(*atom)?)))
            .collect();
        if form.operator != Operator::Sum || !(1..=HIGH_PARTS).contains(&high.len()) {
            return Ok(id);
        }
        for (number, &(place, (function, sum))) in high.iter().enumerate() {
            let Function::Extract { low, .. } = function else { continue };
            let without = self.carries_nothing(sum, low)?;
            let mut word = form.parts[place].1.clone();
            word = self.diagrams.word_ite(without, &Word::zero(), &word, width)?;
            for &(other, (same, equal)) in &high[..number] {
                if same != function || word.is_zero() {
                    continue;
                }
                let equal = self.same_words(sum, equal)?;
                let moved = self.diagrams.word_ite(equal, &word, &Word::zero(), width)?;
                let more = &form.parts[other].1;
                form.parts[other].1 = self.diagrams.word_add(more, &moved, Bdd::FALSE, width)?;
                word = self.diagrams.word_ite(equal, &Word::zero(), &word, width)?;
            }
            form.parts[place].1 = word;
        }
        form.parts.retain(|(_, word)| !word.is_zero());
        self.intern(form)
    }

    /// Where a sum has one number at most, and that has no more bits than this.
    fn carries_nothing(&mut self, sum: FormId, bits: u32) -> Result<Bdd, Exhausted> {
        let form = self.form(sum).clone();
        let mut certain = !self.diagrams.word_any(&form.rest)?;
        let mut any = Bdd::FALSE;
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            let fits = self.bound(part)? <= ones(bits);
            if !fits {
                return Ok(Bdd::FALSE);
            }
            let here = self.diagrams.word_any(word)?;
            let once = self.diagrams.word_equal(word, &Word::number(1, form.width))?;
            let alone = self.diagrams.and(once, !any)?;
            let fits = self.diagrams.or(!here, alone)?;
            certain = self.diagrams.and(certain, fits)?;
            any = self.diagrams.or(any, here)?;
        }
        Ok(certain)
    }

    /// Where two sums have the same words.
    fn same_words(&mut self, a: FormId, b: FormId) -> Result<Bdd, Exhausted> {
        let difference = self.difference(a, b)?;
        let form = self.form(difference).clone();
        let mut differ = self.diagrams.word_any(&form.rest)?;
        for (_, word) in &form.parts {
            let any = self.diagrams.word_any(word)?;
            differ = self.diagrams.or(differ, any)?;
        }
        Ok(!differ)
    }

    /// Two parts of a sum that another one has not: the high part of a sum, once, and less that of a
    /// smaller sum.
    fn carried_beside(&self, id: FormId, other: FormId) -> Option<[AtomId; 2]> {
        let (form, other) = (self.form(id), self.form(other));
        // Of one bit, once is as much as less.
        if form.operator != Operator::Sum || other.operator != Operator::Sum || form.width < 2 {
            return None;
        }
        let width = form.width;
        let has = |atom: &AtomId| other.parts.iter().any(|(own, _)| own == atom);
        let times = |number: u128| {
            let number = Word::number(number, width);
            move |(atom, word): &(AtomId, Word)| (*word == number).then_some(*atom)
        };
        let of = |atom: AtomId| Some((atom, self.high_part(atom)?)).filter(|_| !has(&atom));
        let once = form.parts.iter().filter_map(times(1)).filter_map(of);
        let mut best: Option<(usize, [AtomId; 2])> = None;
        for (carried, (function, sum)) in once {
            let less = form.parts.iter().filter_map(times(u128::MAX)).filter_map(of);
            for (before, (same, smaller)) in less {
                let (sum, smaller) = (self.form(sum), self.form(smaller));
                let more = sum.parts.len().saturating_sub(smaller.parts.len());
                let fits = same == function && smaller.has_atoms_of(sum);
                if fits && best.is_none_or(|(least, _)| more < least) {
                    best = Some((more, [carried, before]));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// The upper part of a sum: how it is taken, and of which sum.
    fn high_part(&self, atom: AtomId) -> Option<(Function, FormId)> {
        let Atom::Function(function @ Function::Extract { low: 1.., .. }, arguments) =
            self.atom(atom)
        else {
            return None;
        };
        let sum = self.form(arguments[0]);
        (sum.operator == Operator::Sum).then_some((*function, arguments[0]))
    }
}
