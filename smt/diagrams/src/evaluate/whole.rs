//! Sums of whole numbers in some order, where what is known of payloads bounds them.
//!
//! Where the magnitudes of all parts that take part add up to at most two to the power of the
//! significand's bits, no partial sum is rounded; so all orders give one result, the sum of integers as a
//! floating-point number. No part is a zero with a sign, so a sum of zero has none.

use laneproof_semantics::term::{FloatFormat, FloatOp, Node, Pool, Sort, Term};

use super::Evaluator;
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::FormId;
use crate::word::Word;

/// The depth to which choices are looked through.
const DEEPEST: u32 = 4;

/// Numbers that are added in some order.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    /// Each with the condition under which it takes part.
    parts: Vec<(Term, Term)>,
    /// Where one of these holds, nothing is said.
    alternatives: Vec<Term>,
    /// Where one of these holds altogether, the constant may be zero instead.
    zeros: Vec<Vec<Term>>,
}

impl Sum {
    /// The sum that a disjunction says a constant to be, and its format.
    pub(super) fn at(pool: &Pool, term: Term) -> Option<(Term, FloatFormat, Self)> {
        let list = match pool.node(term) {
            Node::Or(list) => list.to_vec(),
            _ => vec![term],
        };
        let (own, sum) = list.iter().find_map(|&part| match pool.node(part) {
            Node::AnyOrder(FloatOp::Add, format, operands) => {
                Some((vec![part], (*format, operands.to_vec())))
            }
            _ => {
                let note = pool.sum_note(part)?;
                let whole = note.ways.iter().all(|way| list.contains(way));
                whole.then(|| (note.ways.to_vec(), (note.format, note.operands.to_vec())))
            }
        })?;
        let (format, operands) = sum;
        let (&constant, parts) = operands.split_first()?;
        let parts = parts.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let mut sum = Self { parts, alternatives: Vec::new(), zeros: Vec::new() };
        for other in list.into_iter().filter(|it| !own.contains(it)) {
            match pool.node(other) {
                Node::And(all) if all.iter().any(|&it| is_zero(pool, it, constant)) => {
                    let rest = all.iter().copied().filter(|&it| !is_zero(pool, it, constant));
                    sum.zeros.push(rest.collect());
                }
                _ => sum.alternatives.push(other),
            }
        }
        Some((constant, format, sum))
    }

    /// What its value depends on.
    pub(super) fn operands(&self, pool: &Pool) -> Vec<Term> {
        let mut operands = self.alternatives.clone();
        operands.extend(self.zeros.iter().flatten());
        for &(member, value) in &self.parts {
            operands.push(member);
            let mut pending = vec![(value, DEEPEST)];
            while let Some((value, depth)) = pending.pop() {
                match *pool.node(value) {
                    Node::Ite(condition, then, otherwise) if depth > 0 => {
                        operands.push(condition);
                        pending.extend([(then, depth - 1), (otherwise, depth - 1)]);
                    }
                    Node::Float(FloatOp::FromUnsigned, _, ref integer) => {
                        operands.push(integer[0]);
                    }
                    _ => {}
                }
            }
        }
        operands
    }
}

/// It says that the constant is zero.
fn is_zero(pool: &Pool, term: Term, constant: Term) -> bool {
    match *pool.node(term) {
        Node::Equal(a, b) if pool.sort(a) != Sort::Bool => {
            (a == constant && pool.bits_of(b) == Some(0))
                || (b == constant && pool.bits_of(a) == Some(0))
        }
        _ => false,
    }
}

impl Evaluator<'_> {
    /// What a sum in any order is, and where, if no order rounds it.
    pub(super) fn whole_sum(
        &mut self,
        here: Bdd,
        format: FloatFormat,
        sum: &Sum,
    ) -> Result<Option<(Bdd, FormId)>, Exhausted> {
        let width = format.width().max(32);
        let mut certain = here;
        for &alternative in &sum.alternatives {
            let other = self.truth(alternative);
            certain = self.diagrams().and(certain, !other)?;
        }
        let (mut any, mut most, mut values) = (Bdd::FALSE, 0u128, Vec::new());
        let zero = self.forms.of_word(Word::zero(), width)?;
        for &(member, value) in &sum.parts {
            let member = self.truth(member);
            any = self.diagrams().or(any, member)?;
            let counts = self.diagrams().and(member, certain)?;
            let Some((value, bound)) = self.whole(format, (value, width), counts, DEEPEST)? else {
                return Ok(None);
            };
            most = most.saturating_add(bound);
            values.push(self.forms.ite(member, value, zero)?);
        }
        let wrong = self.diagrams().has(BrokenLaw::SumIsExact);
        if most > 1 << (format.fraction() + 1) && !wrong || values.is_empty() {
            return Ok(None);
        }
        for list in &sum.zeros {
            // Where nothing takes part, zero is the sum.
            let mut all = any;
            for &term in list {
                let holds = self.truth(term);
                all = self.diagrams().and(all, holds)?;
            }
            certain = self.diagrams().and(certain, !all)?;
        }
        let total = self.forms.total(&values)?;
        let value = self.forms.float(FloatOp::FromUnsigned, format, vec![total])?;
        Ok(Some((certain, value)))
    }

    /// The integer of `width` bits that a number is where a condition holds, and what it is there at most.
    fn whole(
        &mut self,
        format: FloatFormat,
        (term, width): (Term, u32),
        here: Bdd,
        depth: u32,
    ) -> Result<Option<(FormId, u128)>, Exhausted> {
        let limit = 1u128 << (format.fraction() + 1);
        match *self.pool.node(term) {
            Node::Bits(bits, _) => {
                let Some(number) = format.whole_number(bits).filter(|it| *it <= limit) else {
                    return Ok(None);
                };
                let word = self.forms.of_word(Word::number(number, width), width)?;
                Ok(Some((word, number)))
            }
            Node::Ite(condition, then, otherwise) if depth > 0 => {
                let condition = self.truth(condition);
                let there = self.diagrams().and(here, condition)?;
                let elsewhere = self.diagrams().and(here, !condition)?;
                let a = self.whole(format, (then, width), there, depth - 1)?;
                let b = self.whole(format, (otherwise, width), elsewhere, depth - 1)?;
                let (Some((a, first)), Some((b, second))) = (a, b) else { return Ok(None) };
                Ok(Some((self.forms.ite(condition, a, b)?, first.max(second))))
            }
            Node::Float(FloatOp::FromUnsigned, of, ref integer) if of == format => {
                let integer = self.form(integer[0]);
                let bound = self.forms.bound_where(integer, here)?;
                if bound > limit && !self.diagrams().has(BrokenLaw::SumIsExact) {
                    return Ok(None);
                }
                let number = match self.forms.form(integer).width < width {
                    true => self.forms.extend(integer, false, width)?,
                    false => self.forms.extract(integer, width - 1, 0)?,
                };
                Ok(Some((number, bound)))
            }
            _ => Ok(None),
        }
    }
}
