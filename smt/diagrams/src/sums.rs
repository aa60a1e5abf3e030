//! Upper bounds of values, and their use for sums: if no carry crosses from one part of a word into
//! the next, the parts of a sum are the sums of the parts.

use std::collections::BTreeMap;

use laneproof_semantics::term::FloatOp;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, FEW, Form, FormId, Forms, sorted};
use crate::numbers::{Numbers, ones};
use crate::opaque::Function;
use crate::operator::Operator;
use crate::word::Word;

/// No word of this width is greater.
fn word_bound(word: &Word, width: u32) -> u128 {
    let mut bound = 0;
    for place in 0..width.min(u128::BITS) {
        if word.bit(place) != Bdd::FALSE {
            bound |= 1 << place;
        }
    }
    bound
}

/// The number of lowest bits that are never set.
pub(crate) fn zeros(word: &Word, width: u32) -> u32 {
    (0..width).take_while(|&at| word.bit(at) == Bdd::FALSE).count() as u32
}

impl Forms {
    /// A number that the value is never above, without a sign.
    pub(crate) fn bound(&mut self, id: FormId) -> Result<u128, Exhausted> {
        if let Some(&known) = self.memo.bounds.get(&id) {
            return Ok(known);
        }
        let form = self.form(id).clone();
        let (width, rest) = (form.width, word_bound(&form.rest, form.width));
        let mut bounds = Vec::new();
        for (atom, _) in &form.parts {
            bounds.push(self.bound_of_atom(*atom)?);
        }
        let greatest = bounds.iter().copied().fold(rest, u128::max);
        let bound = match form.operator {
            Operator::Sum if self.selection(id)?.is_some() => greatest,
            Operator::Sum => {
                let words = form.parts.iter().map(|(_, word)| word_bound(word, width));
                let sum = words.zip(&bounds).try_fold(rest, |sum, (times, bound)| {
                    sum.checked_add(times.checked_mul(*bound)?)
                });
                sum.unwrap_or(u128::MAX)
            }
            Operator::And => rest,
            Operator::Or | Operator::Xor => ones(u128::BITS - greatest.leading_zeros()),
            Operator::Extreme { of: Numbers::Unsigned, .. } => greatest,
            Operator::Extreme { .. } | Operator::Product => u128::MAX,
        };
        // What is above all numbers of this width wraps.
        let bound = bound.min(ones(width));
        self.memo.bounds.insert(id, bound);
        Ok(bound)
    }

    /// The same where a condition holds.
    pub(crate) fn bound_where(&mut self, id: FormId, here: Bdd) -> Result<u128, Exhausted> {
        let Some(selection) = self.selection(id)? else { return self.bound(id) };
        let mut most = 0;
        for (atom, there) in selection.chosen {
            if !self.diagrams.disjoint(here, there)? {
                most = most.max(self.bound_of_atom(atom)?);
            }
        }
        if !self.diagrams.disjoint(here, !selection.any)? {
            most = most.max(word_bound(&selection.rest, self.form(id).width));
        }
        Ok(most)
    }

    fn bound_of_atom(&mut self, atom: AtomId) -> Result<u128, Exhausted> {
        let all = ones(self.atom_width(atom));
        Ok(match self.atom(atom).clone() {
            Atom::Form(form) => self.bound(form)?,
            Atom::Function(Function::ZeroExtend | Function::Named, arguments) => {
                self.bound(arguments[0])?
            }
            Atom::Function(Function::Extract { low: 0, .. }, arguments) => {
                self.bound(arguments[0])?.min(all)
            }
            Atom::Unit(..) => 1,
            // Greater integers give no lesser numbers, which are ordered as their bits are.
            Atom::Function(Function::Float(FloatOp::FromUnsigned, format), arguments) => {
                let (most, width) = (self.bound(arguments[0])?, self.form(arguments[0]).width);
                FloatOp::FromUnsigned.of_bits(format, &[most], width)
            }
            Atom::Function(..) | Atom::Free(_) => all,
        })
    }

    /// The operands of a sum from `place` on, if there is no carry from those below. A multiple that
    /// reaches across is two: `5·x` is `4·x` above and `x` below.
    fn parts_at(
        &mut self,
        form: &Form,
        place: u32,
    ) -> Result<Option<Vec<(AtomId, Word)>>, Exhausted> {
        let (mut above, mut below) = (Vec::new(), ones(place) & word_bound(&form.rest, form.width));
        for (atom, word) in &form.parts {
            let keep = |kept: &dyn Fn(u32) -> bool| {
                let bits =
                    (0..form.width).map(|at| if kept(at) { word.bit(at) } else { Bdd::FALSE });
                Word::of(bits.collect(), form.width)
            };
            let (high, low) = (keep(&|at| at >= place), keep(&|at| at < place));
            if !high.is_zero() {
                above.push((*atom, high));
            }
            let most = word_bound(&low, form.width).checked_mul(self.bound_of_atom(*atom)?);
            let sum = most.and_then(|most| below.checked_add(most));
            let Some(sum) = sum else { return Ok(None) };
            below = sum;
        }
        let fits = below <= ones(place) || self.diagrams.has(BrokenLaw::CarryForgotten);
        Ok(fits.then_some(above))
    }

    /// Bits of a sum from `low` on, if there is no carry into them.
    pub(crate) fn extract_sum(
        &mut self,
        form: &Form,
        high: u32,
        low: u32,
    ) -> Result<Option<FormId>, Exhausted> {
        let Some(above) = self.parts_at(form, low)? else { return Ok(None) };
        let width = high - low + 1;
        let cut = |word: &Word| Word::of((low..=high).map(|at| word.bit(at)).collect(), width);
        let mut parts = BTreeMap::new();
        let mut sum = self.of_word(cut(&form.rest), width)?;
        for (atom, word) in above {
            let part = self.of_atom(atom)?;
            let part = self.extract(part, width - 1, 0)?;
            let part = self.scaled(part, &cut(&word))?;
            let part = self.by(part, Operator::Sum)?;
            for (atom, word) in &part.parts {
                self.add_part(&mut parts, Operator::Sum, width, *atom, word)?;
            }
            let rest = self.of_word(part.rest, width)?;
            sum = self.combine(Operator::Sum, sum, rest)?;
        }
        let rest = Word::zero();
        let above = Form { operator: Operator::Sum, width, parts: sorted(parts), rest };
        let above = self.intern(above)?;
        self.combine(Operator::Sum, sum, above).map(Some)
    }

    /// What a sum is at most where a condition holds, if it does not wrap; nothing if that is beyond all
    /// numbers. Of summands of which one at a time is there the greatest counts.
    pub(crate) fn most_of_sum(
        &mut self,
        form: &Form,
        here: Bdd,
    ) -> Result<Option<u128>, Exhausted> {
        let mut groups: Vec<(Bdd, u128)> = Vec::new();
        for (atom, word) in &form.parts {
            let there = self.diagrams.word_any(word)?;
            let there = self.diagrams.and(here, there)?;
            let value = self.of_atom(*atom)?;
            let bound = self.bound_within(value, there)?;
            let Some(most) = word_bound(word, form.width).checked_mul(bound) else {
                return Ok(None);
            };
            let mut group = None;
            for (place, (any, _)) in groups.iter().enumerate() {
                if self.diagrams.disjoint(*any, there)? {
                    group = Some(place);
                    break;
                }
            }
            match group {
                None => groups.push((there, most)),
                Some(place) => {
                    let (any, so_far) = groups[place];
                    groups[place] = (self.diagrams.or(any, there)?, so_far.max(most));
                }
            }
        }
        let rest = word_bound(&form.rest, form.width);
        Ok(groups.into_iter().try_fold(rest, |sum, (_, most)| sum.checked_add(most)))
    }

    /// A number that a value is never above where a condition holds. Of an extreme what it is without
    /// parts does not count where it has some; a least value is above none of them.
    pub(crate) fn bound_within(&mut self, value: FormId, here: Bdd) -> Result<u128, Exhausted> {
        let form = self.form(value).clone();
        let (Operator::Extreme { greatest, of: Numbers::Unsigned }, true) =
            (form.operator, form.rest == form.operator.neutral(form.width))
        else {
            return self.bound(value);
        };
        let (mut any, mut most, mut least) = (Bdd::FALSE, 0, u128::MAX);
        for (atom, word) in &form.parts {
            any = self.diagrams.or(any, word.bit(0))?;
            let part = self.of_atom(*atom)?;
            let bound = self.bound(part)?;
            most = most.max(bound);
            if !greatest && self.diagrams.disjoint(here, !word.bit(0))? {
                least = least.min(bound);
            }
        }
        match self.diagrams.disjoint(here, !any)? {
            true => Ok(most.min(least)),
            false => self.bound(value),
        }
    }

    /// A sum of numbers that never wraps, extended without a sign: the sum of what is extended.
    pub(crate) fn extend_sum(
        &mut self,
        form: &Form,
        width: u32,
    ) -> Result<Option<FormId>, Exhausted> {
        let Some(most) = self.most_of_sum(form, Bdd::TRUE)? else { return Ok(None) };
        if most > ones(form.width) && !self.diagrams.has(BrokenLaw::SumNeverWraps) {
            return Ok(None);
        }
        self.extended(form, width).map(Some)
    }

    /// The sum of the extended operands of a sum: its low bits are those of that sum.
    pub(crate) fn extended(&mut self, form: &Form, width: u32) -> Result<FormId, Exhausted> {
        let wide = |word: &Word| {
            let mut bits = word.bits(form.width);
            bits.resize(width as usize, Bdd::FALSE);
            Word::of(bits, width)
        };
        let mut values = vec![self.of_word(wide(&form.rest), width)?];
        for (atom, word) in &form.parts {
            let part = self.of_atom(*atom)?;
            let part = self.extend(part, false, width)?;
            values.push(self.scaled(part, &wide(word))?);
        }
        self.total(&values)
    }

    /// Two values of which no bit can be set in both: then their disjunction is their sum.
    pub(crate) fn are_apart(&mut self, a: FormId, b: FormId) -> Result<bool, Exhausted> {
        if self.as_word(a).is_some() == self.as_word(b).is_some() && !self.are_of_few(a, b) {
            return Ok(false);
        }
        let (below_a, below_b) = (self.zeros_below(a), self.zeros_below(b));
        Ok(match below_a >= below_b {
            true => below_a > 0 && self.bound(b)? <= ones(below_a),
            false => self.bound(a)? <= ones(below_b),
        })
    }

    /// Neither is put together from many payloads; an extreme is one of them.
    fn are_of_few(&self, a: FormId, b: FormId) -> bool {
        [a, b].iter().all(|&it| {
            let few = (1..=FEW).contains(&self.form(it).parts.len());
            few || self.order_of(it).is_some()
        })
    }

    /// The number of lowest bits that are never set.
    fn zeros_below(&self, id: FormId) -> u32 {
        let form = self.form(id);
        if form.operator != Operator::Sum {
            return 0;
        }
        let words = form.parts.iter().map(|(_, word)| word).chain([&form.rest]);
        words.map(|word| zeros(word, form.width)).min().unwrap_or(0)
    }

    /// Where the low part of a sum ends that never carries into the rest.
    pub(crate) fn seam(&mut self, id: FormId) -> Result<Option<u32>, Exhausted> {
        let form = self.form(id).clone();
        if form.operator != Operator::Sum || form.parts.len() < 2 {
            return Ok(None);
        }
        let Some(place) = form.parts.iter().map(|(_, word)| zeros(word, form.width)).max() else {
            return Ok(None);
        };
        if place == 0 || place >= form.width {
            return Ok(None);
        }
        let above = self.parts_at(&form, place)?;
        Ok(above.filter(|above| !above.is_empty()).map(|_| place))
    }
}
