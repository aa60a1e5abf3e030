//! Building Boolean terms.

use smallvec::SmallVec;

use super::{Compare, Node, Pool, Sort, Term};

impl Pool {
    /// A Boolean constant.
    pub fn bool(&mut self, value: bool) -> Term {
        if let Some(known) = self.truths[usize::from(value)] {
            return known;
        }
        let term = self.intern(Node::Bool(value), Sort::Bool);
        self.truths[usize::from(value)] = Some(term);
        term
    }

    /// Negation.
    pub fn not(&mut self, a: Term) -> Term {
        match *self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a), Sort::Bool),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        match (self.bool_of(a), self.bool_of(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (Some(true), _) | (_, Some(false)) => b,
            _ => self.all([a, b]),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (self.bool_of(a), self.bool_of(b)) {
            (Some(true), _) | (_, Some(false)) => a,
            (Some(false), _) | (_, Some(true)) => b,
            _ => self.any([a, b]),
        }
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Conjunction of any number of terms; true of none.
    pub fn all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.junction(terms, true)
    }

    /// Disjunction of any number of terms; false of none.
    pub fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.junction(terms, false)
    }

    /// Flattened, sorted, without repetitions; a term beside its negation decides it.
    fn junction(&mut self, terms: impl IntoIterator<Item = Term>, conjunction: bool) -> Term {
        let mut parts: SmallVec<[Term; 8]> = SmallVec::new();
        for term in terms {
            match (self.node(term), conjunction) {
                (Node::Bool(value), _) if *value == conjunction => {}
                (Node::Bool(_), _) => return self.bool(!conjunction),
                (Node::And(inner), true) | (Node::Or(inner), false) => {
                    parts.extend_from_slice(inner)
                }
                _ => parts.push(term),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        for &part in &parts {
            if let Node::Not(inner) = *self.node(part)
                && parts.binary_search(&inner).is_ok()
            {
                return self.bool(!conjunction);
            }
        }
        match parts.as_slice() {
            [] => self.bool(conjunction),
            [only] => *only,
            all if conjunction => self.intern(Node::And(all.into()), Sort::Bool),
            all => match self.order_of_wholes(all) {
                Some(order) => order,
                None => self.intern(Node::Or(all.into()), Sort::Bool),
            },
        }
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        assert_eq!(self.sort(then), self.sort(otherwise));
        if then == otherwise {
            return then;
        }
        match *self.node(condition) {
            Node::Bool(true) => return then,
            Node::Bool(false) => return otherwise,
            Node::Not(inner) => return self.ite(inner, otherwise, then),
            _ => {}
        }
        if self.sort(then) == Sort::Bool {
            let not = self.not(condition);
            match (self.bool_of(then), self.bool_of(otherwise)) {
                (Some(true), _) => return self.or(condition, otherwise),
                (Some(false), _) => return self.and(not, otherwise),
                (_, Some(true)) => return self.or(not, then),
                (_, Some(false)) => return self.and(condition, then),
                _ => {}
            }
        }
        // The same question again, one level down, has its answer.
        let then = match *self.node(then) {
            Node::Ite(same, inner, _) if same == condition => inner,
            _ => then,
        };
        let otherwise = match *self.node(otherwise) {
            Node::Ite(same, _, inner) if same == condition => inner,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        // Where a constant is chosen, the other value is that constant.
        let is_constant = |it| self.bits_of(it).is_some();
        if is_constant(then) && self.is_constant_under(condition, true, otherwise, then) {
            return otherwise;
        }
        if is_constant(otherwise) && self.is_constant_under(condition, false, then, otherwise) {
            return then;
        }
        if let Some(value) = self.beside_last(condition, then, otherwise) {
            return value;
        }
        if self.sort(then) != Sort::Bool
            && let Some(value) = self.chosen_of_pairs(condition, then, otherwise)
        {
            return value;
        }
        if self.bits_of(otherwise) == Some(0)
            && let Some(sum) = self.sum_where(condition, then)
        {
            return sum;
        }
        let sort = self.sort(then);
        self.intern(Node::Ite(condition, then, otherwise), sort)
    }

    /// The lesser or the greater of a value and of the first or the last number of an order.
    fn beside_last(&self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let Node::Compare(relation, a, b) = *self.node(condition) else { return None };
        let is_greater = match (then, otherwise) {
            _ if (then, otherwise) == (b, a) => true,
            _ if (then, otherwise) == (a, b) => false,
            _ => return None,
        };
        let all = super::width::ones(self.width(a));
        let (first, last) = match relation {
            Compare::Less | Compare::LessEqual => (0, all),
            Compare::LessSigned | Compare::LessEqualSigned => ((all >> 1) + 1, all >> 1),
        };
        let (weakest, strongest) = if is_greater { (first, last) } else { (last, first) };
        [(a, b), (b, a)].into_iter().find_map(|(number, value)| match self.bits_of(number)? {
            it if it == weakest => Some(value),
            it if it == strongest => Some(number),
            _ => None,
        })
    }

    /// Equality of two terms of one sort.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return self.bool(true);
        }
        let both_known = self.bits_of(a).is_some() && self.bits_of(b).is_some();
        if both_known || self.apart(a, b) {
            return self.bool(false);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Bool(x), _) => return if x { b } else { self.not(b) },
            (_, Node::Bool(y)) => return if y { a } else { self.not(a) },
            (Node::Bits(x, _), Node::Bits(y, _)) => return self.bool(x == y),
            (Node::Not(inner), _) if inner == b => return self.bool(false),
            (_, Node::Not(inner)) if inner == a => return self.bool(false),
            (Node::Tag(x, i), Node::Tag(y, j)) => {
                return if x == y { self.equal(i, j) } else { self.bool(false) };
            }
            (Node::Ite(condition, then, otherwise), Node::Bits(..))
                if (self.constant(then).is_some() || self.constant(otherwise).is_some()) =>
            {
                let then = self.equal(then, b);
                let otherwise = self.equal(otherwise, b);
                return self.ite(condition, then, otherwise);
            }
            (Node::Bits(..), Node::Ite(condition, then, otherwise))
                if (self.constant(then).is_some() || self.constant(otherwise).is_some()) =>
            {
                let then = self.equal(a, then);
                let otherwise = self.equal(a, otherwise);
                return self.ite(condition, then, otherwise);
            }
            (Node::FromBits(x), Node::FromBits(y)) if x.len() == y.len() => {
                let bits: Vec<Term> =
                    x.iter().zip(y.iter()).map(|(&x, &y)| self.equal(x, y)).collect();
                return self.all(bits);
            }
            (Node::FromBits(bits), Node::Bits(value, _))
            | (Node::Bits(value, _), Node::FromBits(bits)) => {
                let bits: Vec<Term> = bits
                    .iter()
                    .enumerate()
                    .map(|(index, &bit)| if value >> index & 1 == 1 { bit } else { self.not(bit) })
                    .collect();
                return self.all(bits);
            }
            (Node::ZeroExtend(x, _), Node::ZeroExtend(y, _)) if self.sort(x) == self.sort(y) => {
                return self.equal(x, y);
            }
            (Node::ZeroExtend(x, _), Node::Bits(value, _))
            | (Node::Bits(value, _), Node::ZeroExtend(x, _)) => {
                let width = self.width(x);
                if width < 128 && value >> width != 0 {
                    return self.bool(false);
                }
                let value = self.bits(value, width);
                return self.equal(x, value);
            }
            _ => {}
        }
        self.intern(Node::Equal(a, b), Sort::Bool)
    }

    /// Two different terms that differ by a constant.
    fn apart(&self, a: Term, b: Term) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Linear(x, _), Node::Linear(y, _)) => x == y,
            (Node::Linear(parts, _), _) => matches!(parts[..], [(part, 1)] if part == b),
            (_, Node::Linear(parts, _)) => matches!(parts[..], [(part, 1)] if part == a),
            _ => false,
        }
    }

    /// An ordering of two bit-vectors of equal width.
    pub fn compare(&mut self, relation: Compare, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.bits_of(a), self.bits_of(b)) {
            return self.bool(super::evaluate::compare(relation, x, y, width));
        }
        let reflexive = matches!(relation, Compare::LessEqual | Compare::LessEqualSigned);
        if a == b {
            return self.bool(reflexive);
        }
        let largest = super::width::ones(width);
        match (relation, self.bits_of(a), self.bits_of(b)) {
            (Compare::Less, _, Some(0)) => return self.bool(false),
            (Compare::LessEqual, Some(0), _) => return self.bool(true),
            (Compare::Less, Some(x), _) if x == largest => return self.bool(false),
            (Compare::LessEqual, _, Some(y)) if y == largest => return self.bool(true),
            _ => {}
        }
        if let Some(narrow) = self.compared_narrow(relation, a, b) {
            return narrow;
        }
        if let Some(decided) = self.compared_by_bound(relation, a, b) {
            return self.bool(decided);
        }
        self.intern(Node::Compare(relation, a, b), Sort::Bool)
    }

    /// Unsigned numbers that were extended, beside each other or a constant: compared as they
    /// were before.
    fn compared_narrow(&mut self, relation: Compare, a: Term, b: Term) -> Option<Term> {
        if !matches!(relation, Compare::Less | Compare::LessEqual) {
            return None;
        }
        let inner = |term: Term| match *self.node(term) {
            Node::ZeroExtend(inner, _) => Some(inner),
            _ => None,
        };
        let beyond = |value: u128, term: Term| value > super::width::ones(self.width(term));
        let (x, y) = match (inner(a), inner(b), self.bits_of(a), self.bits_of(b)) {
            (Some(x), Some(y), ..) => {
                let width = self.width(x).max(self.width(y));
                (self.zero_extend(x, width), self.zero_extend(y, width))
            }
            (Some(x), _, _, Some(value)) if beyond(value, x) => return Some(self.bool(true)),
            (_, Some(y), Some(value), _) if beyond(value, y) => return Some(self.bool(false)),
            (Some(x), _, _, Some(value)) => (x, self.bits(value, self.width(x))),
            (_, Some(y), Some(value), _) => (self.bits(value, self.width(y)), y),
            _ => return None,
        };
        Some(self.compare(relation, x, y))
    }

    /// Unsigned `a < b`.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        self.compare(Compare::Less, a, b)
    }

    /// Unsigned `a <= b`.
    pub fn less_equal(&mut self, a: Term, b: Term) -> Term {
        self.compare(Compare::LessEqual, a, b)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::term::{GroundValue, Interpretation, Symbol};

    /// What each free constant is.
    struct Values(HashMap<Symbol, u128>);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            GroundValue::Bits(self.0[&symbol])
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    /// Numbers of 3, 3 and 2 bits, extended to 5, beside each other and beside every constant.
    #[test]
    fn extended_numbers_compare_as_they_did_before() {
        let mut pool = Pool::new();
        let symbols = [3, 3, 2].map(|width| pool.symbol("number", Sort::Bits(width)));
        let mut terms: Vec<(Term, Option<usize>, u128)> = Vec::new();
        for (number, symbol) in symbols.into_iter().enumerate() {
            let narrow = pool.variable(symbol);
            terms.push((pool.zero_extend(narrow, 5), Some(number), 0));
        }
        terms.extend((0..32).map(|value| (pool.bits(value, 5), None, value)));
        let mut compared = 0;
        for &(a, of_a, value_of_a) in &terms {
            for &(b, of_b, value_of_b) in &terms {
                let less = pool.less(a, b);
                let less_equal = pool.less_equal(a, b);
                for values in 0..1_u128 << 8 {
                    let values = [values & 7, values >> 3 & 7, values >> 6];
                    let known = symbols.into_iter().zip(values).collect();
                    let found = pool.evaluate(&[less, less_equal], &Values(known));
                    let x = of_a.map_or(value_of_a, |number| values[number]);
                    let y = of_b.map_or(value_of_b, |number| values[number]);
                    assert_eq!(found[0].is_true(), x < y, "{x} < {y}");
                    assert_eq!(found[1].is_true(), x <= y, "{x} <= {y}");
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, 35 * 35 * 256);
    }
}
