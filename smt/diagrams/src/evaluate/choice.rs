//! The lesser or the greater of two numbers, where which one is open of those that are equal.

use laneproof_semantics::term::{FloatNote, Node, Pool, Term};

use super::Evaluator;
use super::float::Ordered;
use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::FormId;
use crate::property::Property;

/// A number that is chosen of two, or either where that is open.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    open: Term,
    two: [Term; 2],
    chosen: Term,
    /// The comparison that alone decides between these two numbers, where neither is a NaN; and
    /// then the choice is open of equal numbers only.
    order: Option<(Term, [Term; 2])>,
}

impl Choice {
    pub(super) fn new(pool: &Pool, open: Term, two: [Term; 2], chosen: Term) -> Self {
        let order = match *pool.node(chosen) {
            Node::Ite(condition, then, otherwise) if is_open_of_equal(pool, open, two) => {
                order_in(pool, condition, two)
                    .map(|order| (order, [pool.number(then), pool.number(otherwise)]))
            }
            _ => None,
        };
        Self { open, two, chosen, order }
    }

    /// What its value is made of. Where an order decides, it and whether the numbers are equal are
    /// seldom asked for, and may be much to ask.
    pub(super) fn operands(&self) -> Vec<Term> {
        match self.order {
            Some((_, [then, otherwise])) => vec![then, otherwise],
            None => vec![self.open, self.two[0], self.two[1], self.chosen],
        }
    }
}

/// Where this holds, one of the numbers is a NaN, or they are the same, or both are zeros.
fn is_open_of_equal(pool: &Pool, condition: Term, two: [Term; 2]) -> bool {
    // Of a zero that is known nothing is tested.
    let is_zero = |number: Term, tests: &[Term]| {
        pool.bits_of(number).is_some_and(|bits| bits << (128 - pool.width(number)) << 1 == 0)
            || tests.iter().any(|&it| pool.float_note(it) == Some(FloatNote::Zero(number)))
    };
    let are_zeros = |tests: &[Term]| two.into_iter().all(|number| is_zero(number, tests));
    match pool.node(condition) {
        Node::Or(list) => list.iter().all(|&part| is_open_of_equal(pool, part, two)),
        Node::And(list) => {
            are_zeros(list) || list.iter().any(|&part| is_open_of_equal(pool, part, two))
        }
        Node::Equal(a, b) if two == [*a, *b] || two == [*b, *a] => true,
        _ => is_nan_of(pool, condition, two) || are_zeros(&[condition]),
    }
}

/// A test whether one of these is a NaN.
fn is_nan_of(pool: &Pool, test: Term, two: [Term; 2]) -> bool {
    matches!(pool.float_note(test), Some(FloatNote::Nan(number, _)) if two.contains(&number))
}

/// The comparison of the two numbers that a condition is where neither is a NaN.
fn order_in(pool: &Pool, condition: Term, two: [Term; 2]) -> Option<Term> {
    let parts = match pool.node(condition) {
        Node::And(list) => list.to_vec(),
        _ => vec![condition],
    };
    let says_ordered = |part: Term| match *pool.node(part) {
        Node::Not(inner) => match pool.node(inner) {
            Node::Or(tests) => tests.iter().all(|&test| is_nan_of(pool, test, two)),
            _ => is_nan_of(pool, inner, two),
        },
        _ => false,
    };
    let others: Vec<Term> = parts.into_iter().filter(|&part| !says_ordered(part)).collect();
    let [order] = others[..] else { return None };
    let ordered = Ordered::at(pool, order)?;
    ordered.terms().all(|number| two.contains(&number)).then_some(order)
}

impl Evaluator<'_> {
    /// The chosen one of two numbers, and where the constant certainly is it: where the choice is
    /// open, they are the same.
    pub(super) fn chosen_of(
        &mut self,
        here: Bdd,
        choice: &Choice,
        number: Property,
    ) -> Result<(Bdd, FormId), Exhausted> {
        let two = choice.two.map(|it| self.form(it));
        let mut certain = here;
        let skipped = self.diagrams().has(BrokenLaw::NanIsOrdered);
        for value in two.into_iter().filter(|_| !skipped) {
            let has = self.forms.has_property(value, number)?;
            certain = self.diagrams().and(certain, has)?;
        }
        if let Some((order, sides)) = choice.order {
            let sides = sides.map(|it| self.form(it));
            // Where one of them is no zero, equal numbers are the same.
            let nonzero = self.forms.one_is_nonzero(two[0], two[1])?;
            if let Some((extreme, exact)) = self.extreme(order, sides, Bdd::TRUE)? {
                let exact = self.diagrams().and(exact, nonzero)?;
                if self.diagrams().has(BrokenLaw::EqualZerosAreOne)
                    || self.diagrams().disjoint(certain, !exact)?
                {
                    return Ok((certain, extreme));
                }
            }
        }
        for term in [choice.open, choice.chosen] {
            self.evaluate(term)?;
        }
        let (open, chosen) = (self.truth(choice.open), self.form(choice.chosen));
        let open = self.diagrams().and(open, certain)?;
        if open != Bdd::FALSE && !self.diagrams().has(BrokenLaw::OpenIsChosen) {
            let same = self.forms.equal(two[0], two[1])?;
            let differ = self.diagrams().and(open, !same)?;
            certain = self.diagrams().and(certain, !differ)?;
        }
        Ok((certain, chosen))
    }
}
