//! Products of equal factors are equal.
//!
//! A solver that multiplies bit by bit expands two products before it finds that their factors are
//! equal. So a query asserts, for each pair of its products, that products of equal factors (in
//! either order) are equal. This is a tautology.

use laneproof_semantics::term::{Binary, Node, Pool, Term};

/// With more products than this there are too many pairs.
const PRODUCTS: usize = 12;

/// The assertions for each pair of products of unknowns in `terms`.
pub fn equal_products(pool: &mut Pool, terms: &[Term]) -> Vec<Term> {
    let products: Vec<(Term, [Term; 2])> = pool
        .reachable(terms)
        .into_iter()
        .filter_map(|term| match *pool.node(term) {
            Node::Binary(Binary::Mul, a, b) => Some((term, [a, b])),
            _ => None,
        })
        .collect();
    if products.len() > PRODUCTS {
        return Vec::new();
    }
    let mut known = Vec::new();
    for (position, &(one, [a, b])) in products.iter().enumerate() {
        for &(other, [c, d]) in &products[position + 1..] {
            if pool.sort(one) != pool.sort(other) {
                continue;
            }
            let equal = pool.equal(one, other);
            for [c, d] in [[c, d], [d, c]] {
                let factors = [pool.equal(a, c), pool.equal(b, d)];
                let same = pool.all(factors);
                known.push(pool.implies(same, equal));
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use laneproof_semantics::term::{GroundValue, Interpretation, Sort, Symbol};

    use super::*;

    /// Two bits of each of four numbers.
    struct Values([Symbol; 4], u32);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            let place = self.0.iter().position(|it| *it == symbol).unwrap_or(0);
            GroundValue::Bits(u128::from(self.1 >> (2 * place) & 3))
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    #[test]
    fn what_is_said_of_two_products_holds_of_all_numbers() {
        let mut pool = Pool::new();
        let symbols = ["a", "b", "c", "d"].map(|name| pool.symbol(name, Sort::Bits(2)));
        let [a, b, c, d] = symbols.map(|symbol| pool.variable(symbol));
        let products = [(a, b), (c, d), (a, c)].map(|(x, y)| pool.binary(Binary::Mul, x, y));
        let known = equal_products(&mut pool, &products);
        // Three pairs in both orders; one of them relates a product to itself.
        assert_eq!(known.len(), 6);
        for values in 0..1 << 8 {
            let found = pool.evaluate(&known, &Values(symbols, values));
            assert!(found.iter().all(|it| it.is_true()), "{values:#b}");
        }
    }
}
