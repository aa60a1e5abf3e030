//! Population counts by counting axioms.
//!
//! A solver takes long over a circuit that counts 128 bits. Counts that are compared are mostly of
//! masks that differ in one lane or in none, for which a few axioms are enough.

use std::collections::HashMap;
use std::time::Instant;

use laneproof_semantics::term::{Binary, Node, Pool, Scan, Term};

use crate::lane::small;

/// Masks at least this wide are counted by axioms.
const WIDE: u32 = 16;

/// Replaces the counts in `terms` by constants, and returns the axioms about these. `lane` is a
/// lane that one mask may have in addition to another (32 bits). After `deadline` there are fewer axioms,
/// which only loses proofs.
pub fn by_axioms(
    pool: &mut Pool,
    terms: &mut [Term],
    lane: Option<Term>,
    deadline: Instant,
) -> Vec<Term> {
    CountAxioms::default().of(pool, terms, lane, deadline)
}

/// Counts that were replaced by constants, for terms that come one after the other.
#[derive(Default)]
pub struct CountAxioms {
    /// The constant for each count.
    constants: HashMap<Term, Term>,
    /// Each mask with the constant for its count.
    known: Vec<(Term, Term)>,
}

impl CountAxioms {
    /// Replaces the counts in more terms, and returns the axioms about these counts and those of
    /// earlier terms.
    pub fn of(
        &mut self,
        pool: &mut Pool,
        terms: &mut [Term],
        lane: Option<Term>,
        deadline: Instant,
    ) -> Vec<Term> {
        split(pool, terms);
        let earlier = self.known.len();
        self.replace(pool, terms);
        let mut axioms = Vec::new();
        for &(mask, count) in &self.known[earlier..] {
            axioms.extend(alone(pool, mask, count));
        }
        for (position, &a) in self.known.iter().enumerate() {
            for &b in &self.known[earlier.max(position + 1)..] {
                if Instant::now() > deadline {
                    return axioms;
                }
                if pool.width(a.0) == pool.width(b.0) {
                    axioms.push(apart(pool, a, b));
                    axioms.extend(
                        lane.into_iter().flat_map(|lane| {
                            [one_more(pool, a, b, lane), one_more(pool, b, a, lane)]
                        }),
                    );
                }
            }
        }
        axioms
    }

    /// Some count was replaced.
    pub fn any(&self) -> bool {
        !self.known.is_empty()
    }

    /// Replaces each count by the constant that takes its place. A mask may be made of other counts.
    fn replace(&mut self, pool: &mut Pool, terms: &mut [Term]) {
        let counts: Vec<(Term, Term)> = counts(pool, terms).collect();
        if counts.is_empty() {
            return;
        }
        let new: Vec<(Term, Term)> =
            counts.into_iter().filter(|(count, _)| !self.constants.contains_key(count)).collect();
        let mut numbers = Vec::new();
        for (count, mask) in &new {
            let name = format!("count.{}", self.constants.len());
            let number = small(pool, name, pool.width(*mask));
            self.constants.insert(*count, number);
            numbers.push(number);
        }
        let mut all: Vec<Term> = terms.iter().copied().chain(new.iter().map(|it| it.1)).collect();
        pool.substitute_in(&mut all, &self.constants);
        let (replaced, masks) = all.split_at(terms.len());
        terms.copy_from_slice(replaced);
        self.known.extend(masks.iter().copied().zip(numbers));
    }
}

/// Where masks of several widths are counted, the wider ones are counted word by word.
fn split(pool: &mut Pool, terms: &mut [Term]) {
    let masks: Vec<(Term, Term)> = counts(pool, terms).collect();
    let narrowest = masks.iter().map(|(_, mask)| pool.width(*mask)).min().unwrap_or(0);
    let mut replacements = HashMap::new();
    for (count, mask) in masks {
        let width = pool.width(mask);
        if width == narrowest || !width.is_multiple_of(narrowest) {
            continue;
        }
        let mut sum = pool.bits(0, 32);
        for low in (0..width).step_by(narrowest as usize) {
            let word = pool.extract(mask, low + narrowest - 1, low);
            let bits = pool.scan(Scan::Count, word);
            sum = pool.add(sum, bits);
        }
        replacements.insert(count, sum);
    }
    if !replacements.is_empty() {
        pool.substitute_in(terms, &replacements);
    }
}

/// The counts in `terms`, each with its mask, innermost first.
fn counts(pool: &Pool, terms: &[Term]) -> impl Iterator<Item = (Term, Term)> {
    pool.reachable(terms).into_iter().filter_map(|term| match *pool.node(term) {
        Node::Scan(Scan::Count, mask) if pool.width(mask) >= WIDE => Some((term, mask)),
        _ => None,
    })
}

/// At most as many as there are bits, and none exactly where the mask is empty.
fn alone(pool: &mut Pool, mask: Term, count: Term) -> Vec<Term> {
    let width = pool.width(mask);
    let most = pool.bits(u128::from(width), 32);
    let zero = pool.bits(0, width);
    let none = pool.bits(0, 32);
    let bounded = pool.less_equal(count, most);
    let empty = pool.equal(mask, zero);
    let no_bit = pool.equal(count, none);
    vec![bounded, pool.equal(empty, no_bit)]
}

/// Equal masks have equal counts, a part has fewer.
fn apart(pool: &mut Pool, a: (Term, Term), b: (Term, Term)) -> Term {
    let equal = pool.equal(a.0, b.0);
    let same = pool.equal(a.1, b.1);
    let congruent = pool.implies(equal, same);
    let mut axioms = vec![congruent];
    for (part, whole) in [(a, b), (b, a)] {
        let common = pool.binary(Binary::And, part.0, whole.0);
        let within = pool.equal(common, part.0);
        let differ = pool.not(equal);
        let proper = pool.and(within, differ);
        let fewer = pool.less(part.1, whole.1);
        axioms.push(pool.implies(proper, fewer));
    }
    pool.all(axioms)
}

/// A mask with one more lane counts one more.
fn one_more(pool: &mut Pool, fewer: (Term, Term), more: (Term, Term), lane: Term) -> Term {
    let width = pool.width(more.0);
    let one = pool.bits(1, width);
    let position = pool.resize(lane, width);
    let bit = pool.binary(Binary::ShiftLeft, one, position);
    let added = pool.binary(Binary::Or, fewer.0, bit);
    let same = pool.equal(added, more.0);
    let present = pool.bit(fewer.0, lane);
    let absent = pool.not(present);
    let inside = pool.bit(more.0, lane);
    let condition = pool.all([same, absent, inside]);
    let step = pool.bits(1, 32);
    let next = pool.add(fewer.1, step);
    let equal = pool.equal(more.1, next);
    pool.implies(condition, equal)
}
