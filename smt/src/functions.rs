//! Operations of floating point as functions of which only a little is known.
//!
//! That two sides add the same numbers in the same order shows without knowing what a sum is,
//! while Z3 has to look into both adders, bit by bit, as soon as one operand is a choice among
//! several. So a question is first asked with a constant for each result, tied to the others by
//! facts that hold of the operations themselves: what has no model then has none. A model says
//! nothing.

use std::collections::HashMap;

use laneproof_semantics::term::{FloatOp, Format, Node, Pool, Term};
use z3::ast::{Ast, BV, Bool};
use z3::{FuncDecl, Sort};

use crate::translation::{canonical, constant};

/// The operations of a problem, and what is known of them.
#[derive(Default)]
pub(crate) struct Functions {
    functions: HashMap<(FloatOp, Format), FuncDecl>,
    facts: Vec<Bool>,
}

impl Functions {
    /// The bits of an operation's result; `vector` gives the bits of its operands.
    pub(crate) fn operation(
        &mut self,
        pool: &Pool,
        term: Term,
        vector: impl Fn(Term) -> BV,
    ) -> Option<BV> {
        let Node::Float(op, format, operands) = pool.node(term) else { return None };
        let operands: Vec<BV> = operands
            .iter()
            .enumerate()
            .map(|(place, &operand)| match op.takes_integer(place) {
                true => vector(operand),
                // All NaNs are one number.
                false => canonical(*format, &vector(operand)),
            })
            .collect();
        let result = BV::new_const(format!("number!{}", term.number()), pool.width(term));
        let number = self.functions.len();
        let function = self.functions.entry((*op, *format)).or_insert_with(|| {
            let domain: Vec<Sort> = operands.iter().map(Ast::get_sort).collect();
            let domain: Vec<&Sort> = domain.iter().collect();
            FuncDecl::new(format!("function!{number}"), &domain, &result.get_sort())
        });
        let mut given = |operands: &[&dyn Ast]| {
            let given = function.apply(operands);
            self.facts.extend(given.as_bv().map(|given| result.eq(given)));
        };
        given(&operands.iter().map(|it| it as &dyn Ast).collect::<Vec<_>>());
        if let ([a, b], true) = (operands.as_slice(), op.commutes()) {
            given(&[b, a]);
        }
        if let Some(of) = op.gives(*format) {
            self.facts.push(result.eq(canonical(of, &result)));
        }
        self.facts.extend(neutral(*op, *format, &operands, &result));
        Some(result)
    }

    /// What holds of the results.
    pub(crate) fn facts(self) -> Vec<Bool> {
        self.facts
    }
}

/// A sum with −0, and a product with 1, is the other operand; a sum with +0 is so too, but for
/// −0, which becomes +0.
fn neutral(op: FloatOp, format: Format, operands: &[BV], result: &BV) -> Vec<Bool> {
    let [a, b] = operands else { return Vec::new() };
    let number = |bits: u128| constant(bits, format.width);
    let negative = number(format.sign());
    let mut facts = Vec::new();
    for (neutral, other) in [(a, b), (b, a)] {
        match op {
            FloatOp::Add => {
                facts.push(neutral.eq(&negative).implies(result.eq(other)));
                let sum = other.eq(&negative).ite(&number(0), other);
                facts.push(neutral.eq(number(0)).implies(result.eq(&sum)));
            }
            FloatOp::Mul => {
                facts.push(neutral.eq(number(format.one())).implies(result.eq(other)));
            }
            _ => {}
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use laneproof_semantics::term::{Sort, Toward};

    use super::*;
    use crate::solver::has_none_by_functions;

    const LONG: Duration = Duration::from_secs(600);

    /// Zeros, ones, infinities, NaNs, the least and the greatest, and numbers that get rounded.
    fn numbers(format: Format) -> Vec<u128> {
        let plain = [
            0,
            format.one(),
            format.infinity(),
            format.canonical_nan(),
            format.infinity() | 1,
            1,
            format.infinity() - 1,
            format.one() + 3,
        ];
        plain.into_iter().flat_map(|bits| [bits, bits | format.sign()]).collect()
    }

    /// For each list of operands, that they are what they are, and that the result is what the
    /// operation gives.
    fn known(pool: &mut Pool, op: FloatOp, format: Format, lists: &[Vec<u128>]) -> Vec<Term> {
        let mut said = Vec::new();
        for list in lists {
            let given: Vec<Term> = list.iter().map(|&it| pool.bits(it, format.width)).collect();
            let free = Sort::Bits(format.width);
            let operands: Vec<Term> = list.iter().map(|_| pool.fresh("operand", free)).collect();
            for (&operand, &given) in operands.iter().zip(&given) {
                said.push(pool.equal(operand, given));
            }
            let (asked, result) =
                (pool.float(op, format, &operands), pool.float(op, format, &given));
            said.push(pool.equal(asked, result));
        }
        said
    }

    #[test]
    fn what_is_known_of_functions_holds_of_the_operations() {
        use FloatOp::*;
        let mut asked = 0;
        for format in [Format::HALF, Format::BFLOAT16, Format::SINGLE, Format::DOUBLE] {
            let numbers = numbers(format);
            let one: Vec<Vec<u128>> = numbers.iter().map(|&a| vec![a]).collect();
            let two: Vec<Vec<u128>> =
                numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| vec![a, b])).collect();
            let to = if format == Format::SINGLE { Format::HALF } else { Format::SINGLE };
            for op in [Add, Mul, Div, Scale, Integral(Toward::Even), Convert(to), FromSigned] {
                let lists = if matches!(op, Add | Mul | Div | Scale) { &two } else { &one };
                let mut pool = Pool::new();
                let said = known(&mut pool, op, format, lists);
                asked += said.len();
                assert!(
                    !has_none_by_functions(&pool, &said, LONG.into(), None),
                    "{op:?} of {} bits is not what is said of it",
                    format.width
                );
            }
        }
        assert!(asked > 1000, "only {asked}");
    }

    /// Terms over three numbers that differ, or do not.
    fn differ(terms: impl FnOnce(&mut Pool, [Term; 3]) -> [Term; 2]) -> (Pool, Vec<Term>) {
        let mut pool = Pool::new();
        let abc = ["a", "b", "c"].map(|name| pool.fresh(name, Sort::Bits(32)));
        let [one, other] = terms(&mut pool, abc);
        let same = pool.equal(one, other);
        let unlike = pool.not(same);
        (pool, vec![unlike])
    }

    fn sum(pool: &mut Pool, a: Term, b: Term) -> Term {
        pool.float(FloatOp::Add, Format::SINGLE, &[a, b])
    }

    #[test]
    fn sums_of_the_same_numbers_are_the_same_and_others_are_not() {
        // Two adders, one of which has a choice for an operand.
        let (pool, unlike) = differ(|pool, [a, b, c]| {
            let same = pool.equal(a, c);
            let chosen = pool.ite(same, c, a);
            [sum(pool, a, b), sum(pool, b, chosen)]
        });
        assert!(has_none_by_functions(&pool, &unlike, LONG.into(), None));
        let (pool, unlike) = differ(|pool, [a, b, c]| {
            let (left, right) = (sum(pool, a, b), sum(pool, b, c));
            [sum(pool, left, c), sum(pool, a, right)]
        });
        assert!(!has_none_by_functions(&pool, &unlike, LONG.into(), None));
        let (pool, unlike) = differ(|pool, [a, b, _]| {
            let product = pool.float(FloatOp::Mul, Format::SINGLE, &[a, b]);
            [sum(pool, a, b), product]
        });
        assert!(!has_none_by_functions(&pool, &unlike, LONG.into(), None));
    }
}
