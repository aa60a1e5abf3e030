//! Tests of single numbers: whether one is a NaN or a zero, or above or below a constant.
//!
//! A test says something of its number in every state: where it holds one thing, where it does not another
//! one, whether anything asserts it or not. So what takes part behind such a test is known there as if that
//! were asserted.

use laneproof_semantics::term::{Compare, Node, Term};
use rustc_hash::FxHashSet;

use super::Evaluator;
use super::float::{Operand, numbers_compared, property_tested};
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::property::Property;

impl Evaluator<'_> {
    /// The tests that no assertion is about, of numbers that lanes have, whatever their signs: whether such a
    /// number takes part is asked. What is computed or described by a relation is none of these.
    pub(super) fn tests_behind_conditions(&self, payloads: &FxHashSet<Term>) -> Vec<Term> {
        let is_result = |term: &Term| {
            matches!(self.pool.node(*term), Node::Float(..) | Node::AnyOrder(..))
                || self.relations.get(term).is_some()
        };
        let counts = |test: &Term| {
            let Some(number) = self.number_tested(*test) else { return false };
            let below = self.pool.reachable(&[number]);
            // A magnitude is a choice, too, but of one number.
            let held = below.iter().filter(|term| self.is_payload(**term)).count();
            held == 1 && !below.iter().any(is_result) && !self.asserted_tests.contains(test)
        };
        let mut tests: Vec<Term> = payloads.iter().copied().filter(counts).collect();
        tests.sort_unstable();
        tests
    }

    /// Each test is one variable from now on, or bits say what it is.
    pub(super) fn ask_alone(&mut self, alone: bool) {
        self.forms.facts.floats.alone = alone;
        self.forms.facts.floats.asked = alone;
    }

    /// What tests say of numbers where they hold and where they do not.
    pub(super) fn learn_tests(&mut self, tests: &[Term]) -> Result<(), Exhausted> {
        for &test in tests {
            let truth = self.truth_of(test)?;
            let wrong = self.diagrams().has(BrokenLaw::TestHoldsEverywhere);
            for holds in [false, true] {
                let here = if wrong { Bdd::TRUE } else { truth.complement_if(!holds) };
                for (number, property) in self.properties(test, holds) {
                    self.learn_property(number, property, here)?;
                }
            }
        }
        Ok(())
    }

    /// The one number that a term tests: for a NaN, for a zero, or against a constant.
    fn number_tested(&self, term: Term) -> Option<Term> {
        if let Some((number, _)) = property_tested(self.pool, term) {
            return Some(number);
        }
        let Node::Compare(relation, a, b) = *self.pool.node(term) else { return None };
        match numbers_compared(self.pool, relation, a, b)? {
            [Operand::Term(number), Operand::Number(..)]
            | [Operand::Number(..), Operand::Term(number)] => Some(number),
            _ => None,
        }
    }

    /// It tests one number.
    pub(super) fn is_test(&self, term: Term) -> bool {
        self.number_tested(term).is_some()
    }

    /// A number that is above or below zero, or another number on that side, is no zero.
    pub(super) fn properties_by_sign(
        &self,
        relation: Compare,
        [a, b]: [Term; 2],
        holds: bool,
    ) -> Vec<(Term, Property)> {
        let strict = match relation {
            Compare::LessSigned => holds,
            Compare::LessEqualSigned => !holds,
            _ => return Vec::new(),
        };
        // `a < b` or `a <= b`.
        let [below, above] = if holds { [a, b] } else { [b, a] };
        let number = |key: Term| self.pool.number_of_key(key);
        let limit = |key: Term| {
            let (bits, width) = (self.pool.bits_of(key)?, self.pool.width(key));
            let unused = u128::BITS - width;
            Some((bits << unused).cast_signed() >> unused)
        };
        let least = if strict { 0 } else { 1 };
        let wrong = self.forms.diagrams.has(BrokenLaw::LimitMayBeZero);
        let least = if wrong { 0 } else { least };
        match (limit(below), number(above), number(below), limit(above)) {
            (Some(limit), Some(number), ..) if limit >= least => {
                vec![(number, Property::NonZero), (number, Property::Positive)]
            }
            (.., Some(number), Some(limit)) if limit <= -least => vec![(number, Property::NonZero)],
            _ => Vec::new(),
        }
    }

    /// What a part of an assertion says of floating-point numbers.
    pub(super) fn properties(&self, term: Term, holds: bool) -> Vec<(Term, Property)> {
        let (mut pending, mut seen) = (vec![(term, holds)], FxHashSet::default());
        let mut found = Vec::new();
        while let Some((term, holds)) = pending.pop() {
            if !seen.insert((term, holds)) {
                continue;
            }
            if let Some(property) = property_tested(self.pool, term) {
                found.extend((!holds).then_some(property));
                continue;
            }
            match self.pool.node(term) {
                Node::Not(part) => pending.push((*part, !holds)),
                Node::And(list) if holds => pending.extend(list.iter().map(|&part| (part, true))),
                Node::Or(list) if !holds => pending.extend(list.iter().map(|&part| (part, false))),
                Node::Compare(relation, a, b) => {
                    found.extend(self.properties_by_sign(*relation, [*a, *b], holds));
                }
                _ => {}
            }
        }
        found
    }

    /// Of payloads it asks only what tests of single numbers do.
    pub(super) fn only_tests(&self, payloads: &FxHashSet<Term>, term: Term) -> bool {
        let (mut pending, mut seen) = (vec![term], FxHashSet::default());
        while let Some(term) = pending.pop() {
            if !payloads.contains(&term) || self.is_test(term) || !seen.insert(term) {
                continue;
            }
            match self.pool.node(term) {
                Node::Not(part) => pending.push(*part),
                Node::And(list) | Node::Or(list) => pending.extend(list.iter()),
                _ => return false,
            }
        }
        true
    }
}
