//! Numbers that many lanes add to, kept apart by lane: counts of sets, sums of small numbers.
//!
//! A number without atoms is one word of diagrams, and a sum of two counts that depend on different
//! sets is a large one. Kept apart it is a form like any other: its atoms are *units*, of value 1,
//! one for each lane, and a unit's word is what that lane adds. Two sums to which each lane
//! contributes the same are one form, without any addition. Where the number itself is used, it is
//! *put together* after all.

use crate::Exhausted;
use crate::bdd::{Bdd, Diagrams};
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, FormId, Forms};
use crate::operator::Operator;
use crate::order::lane_of;
use crate::word::Word;

/// Numbers with up to this many values are put together value by value.
const RANGE: i128 = 1 << 11;

/// What lanes add to a number: units and their words.
type Parts = Vec<(AtomId, Word)>;

impl Forms {
    /// It is a unit.
    pub(crate) fn is_unit(&self, atom: AtomId) -> bool {
        matches!(self.atom(atom), Atom::Unit(..))
    }

    /// Some lane adds to it by itself.
    pub(crate) fn has_units(&self, id: FormId) -> bool {
        self.form(id).parts.iter().any(|(atom, _)| self.is_unit(*atom))
    }

    /// The unit of the lane that a word is put down to, and its word, which is 0 where no variable
    /// holds; the number that the word is there goes into `constant`.
    pub(crate) fn put_down(
        &mut self,
        word: &Word,
        constant: &mut Word,
        width: u32,
    ) -> Result<(AtomId, Word), Exhausted> {
        let lane = word.bits(width).into_iter().filter_map(|bit| self.first_lane(bit)).min();
        let at_nothing = (0..width).map(|place| self.diagrams.where_nothing_holds(word.bit(place)));
        let at_nothing = Word::of(at_nothing.collect(), width);
        *constant = self.diagrams.word_add(constant, &at_nothing, Bdd::FALSE, width)?;
        let less = self.diagrams.word_negated(&at_nothing, width)?;
        let word = self.diagrams.word_add(word, &less, Bdd::FALSE, width)?;
        Ok((self.atom_of(Atom::Unit(lane.unwrap_or(0), width), width), word))
    }

    /// The lane of the first variable that decides.
    fn first_lane(&self, bit: Bdd) -> Option<u32> {
        (bit != Bdd::TRUE && bit != Bdd::FALSE).then(|| lane_of(self.diagrams.level(bit)))
    }

    /// The words that two sums have beside their atoms, added: in one word, or where they are of
    /// different lanes, apart. What is apart goes into `parts`, and what is left is given back.
    pub(crate) fn add_rests(
        &mut self,
        parts: &mut std::collections::BTreeMap<AtomId, Word>,
        rests: [&Word; 2],
        width: u32,
    ) -> Result<Word, Exhausted> {
        let lane = |forms: &Self, word: &Word| {
            word.bits(width).into_iter().filter_map(|bit| forms.first_lane(bit)).min()
        };
        let lanes = rests.map(|rest| lane(self, rest));
        let apart = parts.keys().any(|&atom| self.is_unit(atom))
            || lanes[0].zip(lanes[1]).is_some_and(|(a, b)| a != b);
        if !self.keeps_apart() || !apart {
            return self.diagrams.word_add(rests[0], rests[1], Bdd::FALSE, width);
        }
        let mut constant = Word::zero();
        for (rest, lane) in rests.into_iter().zip(lanes) {
            if lane.is_none() {
                constant = self.diagrams.word_add(&constant, rest, Bdd::FALSE, width)?;
                continue;
            }
            let (unit, word) = self.put_down(rest, &mut constant, width)?;
            self.add_part(parts, Operator::Sum, width, unit, &word)?;
        }
        Ok(constant)
    }

    /// How many of these bits are set.
    pub(crate) fn count(&mut self, bits: &[Bdd]) -> Result<FormId, Exhausted> {
        const WIDTH: u32 = 32;
        if !self.keeps_apart() {
            let count = self.diagrams.count(bits)?;
            return self.of_word(count, WIDTH);
        }
        let (mut parts, mut constant) = (std::collections::BTreeMap::new(), Word::zero());
        for &bit in bits.iter().filter(|&&bit| bit != Bdd::FALSE) {
            let flag = Word::flag(bit, WIDTH);
            if bit == Bdd::TRUE {
                constant = self.diagrams.word_add(&constant, &flag, Bdd::FALSE, WIDTH)?;
                continue;
            }
            let (unit, word) = self.put_down(&flag, &mut constant, WIDTH)?;
            self.add_part(&mut parts, Operator::Sum, WIDTH, unit, &word)?;
        }
        let parts = crate::form::sorted(parts);
        self.intern(Form { operator: Operator::Sum, width: WIDTH, parts, rest: constant })
    }

    /// A form without units, if there is one lane at most that adds to it by itself.
    pub(crate) fn without_lone_unit(&mut self, form: Form) -> Result<Form, Exhausted> {
        let mut units = form.parts.iter().enumerate().filter(|(_, (atom, _))| self.is_unit(*atom));
        let (Some((place, _)), None) = (units.next(), units.next()) else { return Ok(form) };
        let Form { operator, width, mut parts, rest } = form;
        let (_, word) = parts.remove(place);
        let rest = self.diagrams.word_add(&rest, &word, Bdd::FALSE, width)?;
        Ok(Form { operator, width, parts, rest })
    }

    /// The same value with all that lanes add in one word.
    pub(crate) fn put_together(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        if !self.has_units(id) {
            return Ok(id);
        }
        if let Some(&known) = self.memo.together.get(&id) {
            return Ok(known);
        }
        let Form { operator, width, parts, rest } = self.form(id).clone();
        let (units, parts): (Parts, Parts) =
            parts.into_iter().partition(|(atom, _)| self.is_unit(*atom));
        let words = self.in_lane_order(&units);
        let sum = self.diagrams.word_total(&words, width)?;
        let rest = self.diagrams.word_add(&rest, &sum, Bdd::FALSE, width)?;
        let together = self.intern(Form { operator, width, parts, rest })?;
        self.memo.together.insert(id, together);
        Ok(together)
    }
}

impl Forms {
    /// Where a number is 0 to which lanes add and nothing else does: to ask only that takes less than
    /// to put it together.
    pub(crate) fn is_zero_by_lanes(&mut self, id: FormId) -> Result<Option<Bdd>, Exhausted> {
        let form = self.form(id).clone();
        let by_lanes = form.parts.iter().all(|(atom, _)| self.is_unit(*atom));
        let Some(rest) = form.rest.constant(form.width) else { return Ok(None) };
        if !by_lanes || form.parts.is_empty() || form.width > u64::BITS {
            return Ok(None);
        }
        let words = self.in_lane_order(&form.parts);
        let wraps = !self.diagrams.has(BrokenLaw::SumOfLanesNeverWraps);
        let modulus = if wraps { 1i128 << form.width } else { i128::MAX };
        let is_zero = |sum: i128| (sum + rest as i128).rem_euclid(modulus) == 0;
        self.diagrams.total_where(&words, &is_zero)
    }

    /// A value in the states that are of interest, if it has no atoms but units there.
    pub(crate) fn without_atoms_within(&mut self, id: FormId) -> Result<FormId, Exhausted> {
        let Some(mut set) = self.facts.within else { return Ok(id) };
        if self.diagrams.has(BrokenLaw::WithinOthers) {
            set = !set;
        }
        let form = self.form(id).clone();
        let mut parts = Vec::new();
        for (atom, word) in &form.parts {
            let word = self.diagrams.word_within(word, set, form.width);
            if !word.is_zero() {
                if !self.is_unit(*atom) {
                    return Ok(id);
                }
                parts.push((*atom, word));
            }
        }
        let rest = self.diagrams.word_within(&form.rest, set, form.width);
        self.intern(Form { parts, rest, ..form })
    }

    /// The words of units, that of the first lane first.
    fn in_lane_order(&self, parts: &[(AtomId, Word)]) -> Vec<Word> {
        let mut added: Vec<(u32, &Word)> = Vec::new();
        for (atom, word) in parts {
            if let Atom::Unit(lane, _) = *self.atom(*atom) {
                added.push((lane, word));
            }
        }
        added.sort_by_key(|(lane, _)| *lane);
        added.into_iter().map(|(_, word)| word.clone()).collect()
    }
}

/// What words add where a bit of them is set, bit by bit, and the least and greatest sum.
fn weighed(words: &[Word]) -> (Vec<(i128, Bdd)>, i128, i128) {
    let weights: Vec<(i128, Bdd)> = words.iter().flat_map(Word::weights).collect();
    let (mut least, mut most) = (0i128, 0i128);
    for (weight, _) in &weights {
        match *weight < 0 {
            true => least = least.saturating_add(*weight),
            false => most = most.saturating_add(*weight),
        }
    }
    (weights, least, most)
}

impl Diagrams {
    /// Where the sum of words is one of those that are `wanted`, if there are not too many sums.
    fn total_where(
        &mut self,
        words: &[Word],
        wanted: &dyn Fn(i128) -> bool,
    ) -> Result<Option<Bdd>, Exhausted> {
        let (weights, least, most) = weighed(words);
        match most.saturating_sub(least) > RANGE {
            true => Ok(None),
            false => self.where_total(&weights, least, most, wanted).map(Some),
        }
    }

    /// The sum of words, of which neighbors depend on neighboring variables.
    pub(crate) fn word_total(&mut self, words: &[Word], width: u32) -> Result<Word, Exhausted> {
        let (weights, least, most) = weighed(words);
        if most.saturating_sub(least) > RANGE {
            return self.word_total_by_halves(words, width);
        }
        let length = (i128::BITS - most.max(-least).leading_zeros() + 1).min(width);
        let mut bits = Vec::new();
        for place in 0..length {
            let is_set = |sum: i128| sum >> place & 1 == 1;
            bits.push(self.where_total(&weights, least, most, &is_set)?);
        }
        if self.has(BrokenLaw::TotalWithoutSign) && least < 0 {
            bits.push(Bdd::FALSE);
        }
        Ok(Word::of(bits, width))
    }

    fn word_total_by_halves(&mut self, words: &[Word], width: u32) -> Result<Word, Exhausted> {
        match words {
            [] => Ok(Word::zero()),
            [only] => Ok(only.clone()),
            _ => {
                let (first, second) = words.split_at(words.len() / 2);
                let first = self.word_total_by_halves(first, width)?;
                let second = self.word_total_by_halves(second, width)?;
                self.word_add(&first, &second, Bdd::FALSE, width)
            }
        }
    }

    /// Where a sum from `least` to `most` is one of those that are `wanted`: from the last bit to the
    /// first, for every sum of those before.
    fn where_total(
        &mut self,
        weights: &[(i128, Bdd)],
        least: i128,
        most: i128,
        wanted: &dyn Fn(i128) -> bool,
    ) -> Result<Bdd, Exhausted> {
        let at = |sum: i128| (sum - least) as usize;
        let mut after: Vec<Bdd> = (least..=most).map(|sum| Bdd::constant(wanted(sum))).collect();
        // The sums that the words before may have.
        let (mut low, mut high) = (least, most);
        for (weight, bit) in weights.iter().rev() {
            match *weight < 0 {
                true => low -= weight,
                false => high -= weight,
            }
            let mut before = after.clone();
            for sum in low..=high {
                before[at(sum)] = self.ite(*bit, after[at(sum + weight)], after[at(sum)])?;
            }
            after = before;
        }
        Ok(after[at(0)])
    }
}
