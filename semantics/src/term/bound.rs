//! How large a number can be, as its operation says: `x & 31` is never more than 31.

use super::width::ones;
use super::{Binary, Compare, Node, Pool, Term};

/// The depth to which operands of operands are examined.
const DEEPEST: u32 = 4;

impl Pool {
    /// What an unsigned number is at most.
    fn at_most(&self, term: Term, depth: u32) -> u128 {
        let largest = ones(self.width(term));
        if depth == 0 {
            return largest;
        }
        let of = |operand: Term| self.at_most(operand, depth - 1);
        let bound = match *self.node(term) {
            Node::Bits(value, _) => value,
            Node::Binary(Binary::And, a, b) => of(a).min(of(b)),
            // No bit above the highest one of either.
            Node::Binary(Binary::Or | Binary::Xor, a, b) => {
                let either = of(a).max(of(b));
                ones(u128::BITS - either.leading_zeros())
            }
            Node::Binary(Binary::RemUnsigned, a, b) => match self.bits_of(b) {
                Some(0) | None => of(a),
                Some(divisor) => of(a).min(divisor - 1),
            },
            Node::Binary(Binary::DivUnsigned, a, b) => match self.bits_of(b) {
                Some(0) | None => largest,
                Some(divisor) => of(a) / divisor,
            },
            Node::Binary(Binary::ShiftRight, a, b) => match self.bits_of(b) {
                Some(amount) if amount < u128::from(self.width(term)) => of(a) >> amount,
                Some(_) => 0,
                None => of(a),
            },
            Node::ZeroExtend(inner, _) => of(inner),
            Node::Ite(_, then, otherwise) => of(then).max(of(otherwise)),
            Node::Scan(_, vector) => u128::from(self.width(vector)),
            _ => largest,
        };
        bound.min(largest)
    }

    /// What an unsigned number is at most, as far as that is seen at once.
    pub(super) fn bound(&self, term: Term) -> u128 {
        self.at_most(term, DEEPEST)
    }

    /// An order beside a constant that the other operand's bound decides.
    pub(super) fn compared_by_bound(&self, relation: Compare, a: Term, b: Term) -> Option<bool> {
        let (x, y) = (self.bits_of(a), self.bits_of(b));
        let bound = |term: Term| self.bound(term);
        let sign = 1 << (self.width(a) - 1);
        // Numbers below the sign bit are in one order with a sign and without.
        let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
        let plain = |value: u128, other: Term| !signed || (value < sign && bound(other) < sign);
        match (relation, x, y) {
            (Compare::Less | Compare::LessSigned, None, Some(y)) if plain(y, a) => {
                (bound(a) < y).then_some(true)
            }
            (Compare::LessEqual | Compare::LessEqualSigned, None, Some(y)) if plain(y, a) => {
                (bound(a) <= y).then_some(true)
            }
            (Compare::Less | Compare::LessSigned, Some(x), None) if plain(x, b) => {
                (bound(b) <= x).then_some(false)
            }
            (Compare::LessEqual | Compare::LessEqualSigned, Some(x), None) if plain(x, b) => {
                (bound(b) < x).then_some(false)
            }
            // A negative number is less than one that is not.
            (Compare::LessSigned | Compare::LessEqualSigned, None, Some(y)) => {
                (y >= sign && bound(a) < sign).then_some(false)
            }
            (Compare::LessSigned | Compare::LessEqualSigned, Some(x), None) => {
                (x >= sign && bound(b) < sign).then_some(true)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::term::evaluate::compare;
    use crate::term::{GroundValue, Interpretation, Scan, Sort, Symbol};

    /// Both free constants, packed into one number.
    struct Values(Symbol, u128);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            GroundValue::Bits(if symbol == self.0 { self.1 & 0xf } else { self.1 >> 4 })
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    /// Exhaustive at four bits: every operation of two numbers, or of one and a constant, and of
    /// such results, compared with every constant in every order.
    #[test]
    fn what_a_bound_decides_is_so() {
        const OPERATIONS: [Binary; 6] = [
            Binary::And,
            Binary::Or,
            Binary::Xor,
            Binary::RemUnsigned,
            Binary::DivUnsigned,
            Binary::ShiftRight,
        ];
        const RELATIONS: [Compare; 4] =
            [Compare::Less, Compare::LessEqual, Compare::LessSigned, Compare::LessEqualSigned];
        let mut pool = Pool::new();
        let symbols = [0, 1].map(|_| pool.symbol("number", Sort::Bits(4)));
        let [x, y] = symbols.map(|it| pool.variable(it));
        let mut terms = vec![pool.scan(Scan::Count, x)];
        terms[0] = pool.resize(terms[0], 4);
        for operation in OPERATIONS {
            terms.push(pool.binary(operation, x, y));
            for constant in [0, 1, 3, 6] {
                let constant = pool.bits(constant, 4);
                let one = pool.binary(operation, x, constant);
                let other = pool.binary(operation, constant, y);
                let order = pool.less(x, y);
                let choice = pool.ite(order, one, other);
                let both = pool.binary(operation, choice, one);
                terms.extend([one, other, choice, both]);
            }
        }
        let states: Vec<Values> = (0..1 << 8).map(|it| Values(symbols[0], it)).collect();
        let (mut decided, mut compared) = (0, 0);
        for term in terms {
            let values: BTreeSet<u128> =
                states.iter().map(|state| pool.evaluate(&[term], state)[0].as_bits()).collect();
            for (number, relation) in (0..16).flat_map(|it| RELATIONS.map(|other| (it, other))) {
                let constant = pool.bits(number, 4);
                for turned in [false, true] {
                    let [a, b] = if turned { [constant, term] } else { [term, constant] };
                    let found = pool.compare(relation, a, b);
                    compared += 1;
                    let Some(found) = pool.bool_of(found) else { continue };
                    decided += 1;
                    for &value in &values {
                        let [a, b] = if turned { [number, value] } else { [value, number] };
                        assert_eq!(found, compare(relation, a, b, 4), "{a} {relation:?} {b}");
                    }
                }
            }
        }
        assert_eq!((decided, compared), (4716, 13184));
    }
}
