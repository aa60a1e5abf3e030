//! Floating-point operations as functions that are only partly interpreted.
//!
//! Two sides that add the same numbers in the same order agree whatever a sum is. But Z3 expands
//! both adders, bit by bit, as soon as one operand is an `ite`. So a query is first made with a
//! constant for each result, tied to the others by facts that hold of the real operations. If that
//! has no model, the query has none. A model of it proves nothing.

use std::collections::HashMap;

use laneproof_semantics::term::{FloatFormat, FloatOp, Node, Pool, Term};
use z3::ast::{Ast, BV, Bool};
use z3::{FuncDecl, Sort};

use crate::bits::{canonical, constant};

/// An operation, and the bits of its operands and its result: integers of several widths are converted.
type Signature = (FloatOp, FloatFormat, Vec<u32>, u32);

/// The operations of a problem, and what is known of them.
#[derive(Default)]
pub struct Functions {
    functions: HashMap<Signature, FuncDecl>,
    facts: Vec<Bool>,
}

impl Functions {
    /// The bits of an operation's result; `vector` gives the bits of its operands.
    pub fn operation(
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
        let widths = operands.iter().map(BV::get_size).collect();
        let signature = (*op, *format, widths, result.get_size());
        let function = self.functions.entry(signature).or_insert_with(|| {
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
    pub fn facts(self) -> Vec<Bool> {
        self.facts
    }
}

/// A sum with −0, and a product with 1, is the other operand; a sum with +0 is so too, but for
/// −0, which becomes +0.
fn neutral(op: FloatOp, format: FloatFormat, operands: &[BV], result: &BV) -> Vec<Bool> {
    let [a, b] = operands else { return Vec::new() };
    let number = |bits: u128| constant(bits, format.width());
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
