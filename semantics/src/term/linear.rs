//! Sums in normal form: what is added up is sorted and counted, so that two sums of the same
//! things are one term, in whatever order they were added.

use std::collections::BTreeMap;

use super::width::ones;
use super::{Node, Pool, Sort, Term};

/// A sum of more parts is not taken apart any further.
const PARTS: usize = 512;

/// A linear combination modulo 2^width: parts with their factors, and a constant.
#[derive(Default)]
struct Linear {
    parts: BTreeMap<Term, u128>,
    constant: u128,
}

impl Pool {
    /// `a` plus `factor` times `b`, modulo 2^width.
    pub(super) fn sum(&mut self, a: Term, b: Term, factor: u128) -> Term {
        let width = self.width(a);
        let mut sum = Linear::default();
        self.collect(&mut sum, a, 1, width);
        self.collect(&mut sum, b, factor, width);
        self.linear(sum, width)
    }

    /// `factor` times `a`, modulo 2^width.
    pub(super) fn multiple(&mut self, a: Term, factor: u128) -> Term {
        let width = self.width(a);
        let mut sum = Linear::default();
        self.collect(&mut sum, a, factor, width);
        self.linear(sum, width)
    }

    fn collect(&self, sum: &mut Linear, term: Term, factor: u128, width: u32) {
        let mask = ones(width);
        let mut add = |term: Term, factor: u128| {
            let total = sum.parts.entry(term).or_default();
            *total = total.wrapping_add(factor) & mask;
        };
        match self.node(term) {
            Node::Bits(value, _) => {
                sum.constant = sum.constant.wrapping_add(value.wrapping_mul(factor)) & mask;
            }
            Node::Linear(parts, constant) if parts.len() <= PARTS => {
                for &(part, own) in parts {
                    add(part, own.wrapping_mul(factor) & mask);
                }
                sum.constant = sum.constant.wrapping_add(constant.wrapping_mul(factor)) & mask;
            }
            _ => add(term, factor & mask),
        }
    }

    fn linear(&mut self, mut sum: Linear, width: u32) -> Term {
        sum.parts.retain(|_, factor| *factor != 0);
        let parts: Vec<(Term, u128)> = sum.parts.into_iter().collect();
        match (parts.as_slice(), sum.constant) {
            ([], constant) => self.bits(constant, width),
            ([(only, 1)], 0) => *only,
            (_, constant) => self.intern(Node::Linear(parts.into(), constant), Sort::Bits(width)),
        }
    }

    /// `sum` where `condition` holds, else 0: each part where it holds.
    pub(super) fn sum_where(&mut self, condition: Term, sum: Term) -> Option<Term> {
        let Node::Linear(parts, constant) = self.node(sum).clone() else { return None };
        let width = self.width(sum);
        let zero = self.bits(0, width);
        let constant = self.bits(constant, width);
        let mut total = self.ite(condition, constant, zero);
        for &(part, factor) in &parts {
            let part = self.ite(condition, part, zero);
            total = self.sum(total, part, factor);
        }
        Some(total)
    }
}
