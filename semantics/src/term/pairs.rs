//! Pairs of numbers of which the first in order is chosen, or the last: a value, and the lane that holds it.
//!
//! By `a < c || a == c && p < q` the pair `(a, p)` comes before `(c, q)`, as `2^n * a + p` is less than
//! `2^n * c + q`. So where `p` is chosen together with `a`, the choice is the low part of the lesser or the
//! greater of these numbers; and where it is chosen together with `c`, that of the numbers with the complements,
//! since `p < q` if and only if `!q < !p`. Of the values alone the choice is the lesser or the greater one:
//! where they are equal, it is the same whatever is chosen.

use super::width::ones;
use super::{Binary, Compare, Node, Pool, Term};
use crate::hash::FastMap;

/// Pairs that were chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// By each order of pairs whether the first value is chosen where it holds, or the second one.
    chosen: FastMap<Term, bool>,
    /// The numbers that a value and what stands beside it are.
    wholes: FastMap<(Term, Term), Term>,
    /// Numbers with bits flipped, through choices.
    flipped: FastMap<(Term, u128), Term>,
}

impl Pairs {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// `values[0] < values[1]`, or the same, and then `lows` in the order of `relation`.
struct PairOrder {
    condition: Term,
    of: Compare,
    values: [Term; 2],
    relation: Compare,
    lows: [Term; 2],
}

/// What stands beside two values, so that it is ordered without a sign: with bits flipped.
struct Keys {
    lows: [Term; 2],
    flips: u128,
}

impl Pool {
    /// A choice by an order of pairs, of their values or of what stands beside these.
    pub(super) fn chosen_of_pairs(
        &mut self,
        condition: Term,
        then: Term,
        otherwise: Term,
    ) -> Option<Term> {
        let (order, guards) = self.order_of_pairs(condition)?;
        let value = match [then, otherwise] {
            two if two == order.values => self.chosen_value(&order, true),
            [a, b] if [b, a] == order.values => self.chosen_value(&order, false),
            _ => self.chosen_beside(&order, then, otherwise)?,
        };
        let guard = self.all(guards);
        Some(self.ite(guard, value, otherwise))
    }

    /// The order that a condition is, or that is a part of a conjunction; and the other parts.
    fn order_of_pairs(&mut self, condition: Term) -> Option<(PairOrder, Vec<Term>)> {
        match self.node(condition) {
            Node::Or(_) => Some((self.pairs_in_order(condition)?, Vec::new())),
            Node::And(list) if list.iter().any(|&it| matches!(self.node(it), Node::Or(_))) => {
                let list = list.clone();
                list.iter().enumerate().find_map(|(place, &part)| {
                    let order = self.pairs_in_order(part)?;
                    Some((order, [&list[..place], &list[place + 1..]].concat()))
                })
            }
            _ => None,
        }
    }

    fn pairs_in_order(&mut self, condition: Term) -> Option<PairOrder> {
        let Node::Or(list) = self.node(condition) else { return None };
        let &[x, y] = &**list else { return None };
        [(x, y), (y, x)].into_iter().find_map(|(above, beside)| {
            let Node::Compare(of, a, c) = *self.node(above) else { return None };
            if !matches!(of, Compare::Less | Compare::LessSigned) {
                return None;
            }
            let below = self.beside_equal(above, beside, [a, c])?;
            let Node::Compare(relation, p, q) = *self.node(below) else { return None };
            let fits = self.width(a) + self.width(p) <= u128::BITS;
            fits.then_some(PairOrder { condition, of, values: [a, c], relation, lows: [p, q] })
        })
    }

    /// The lesser of the values, or the greater.
    fn chosen_value(&mut self, order: &PairOrder, lesser: bool) -> Term {
        self.wholes.pairs.chosen.insert(order.condition, lesser);
        self.extreme_of_two(order.of, order.values, lesser)
    }

    fn extreme_of_two(&mut self, of: Compare, [a, c]: [Term; 2], lesser: bool) -> Term {
        let first = self.compare(of, a, c);
        if lesser { self.ite(first, a, c) } else { self.ite(first, c, a) }
    }

    /// What stands beside the lesser of the values, or the greater, if it is known which of them is chosen.
    fn chosen_beside(&mut self, order: &PairOrder, then: Term, otherwise: Term) -> Option<Term> {
        let (lesser, keys) = match self.wholes.pairs.chosen.get(&order.condition) {
            Some(&lesser) => (lesser, self.keys(order, lesser, [then, otherwise])?),
            // No value is chosen, as in a last step whose value nothing uses.
            None => [true, false].into_iter().find_map(|lesser| {
                let keys = self.keys(order, lesser, [then, otherwise])?;
                let is_pair = |place| self.is_pair(order.values[place], keys.lows[place]);
                [0, 1].into_iter().any(is_pair).then_some((lesser, keys))
            })?,
        };
        let width = self.width(then);
        let wholes = [0, 1].map(|place| self.pair(order.values[place], keys.lows[place]));
        let strict = matches!(order.relation, Compare::Less | Compare::LessSigned);
        let relation = match (order.of, strict) {
            (Compare::LessSigned, true) => Compare::LessSigned,
            (Compare::LessSigned, false) => Compare::LessEqualSigned,
            (_, true) => Compare::Less,
            (_, false) => Compare::LessEqual,
        };
        let whole = self.extreme_of_two(relation, wholes, lesser);
        let low = self.extract(whole, width - 1, 0);
        let value = self.extreme_of_two(order.of, order.values, lesser);
        self.wholes.pairs.wholes.insert((value, low), whole);
        Some(self.flipped(low, keys.flips))
    }

    /// What stands beside each value, if that beside the lesser one is chosen where the order holds, or that
    /// beside the greater one.
    fn keys(
        &mut self,
        order: &PairOrder,
        lesser: bool,
        [then, otherwise]: [Term; 2],
    ) -> Option<Keys> {
        let beside = if lesser { [then, otherwise] } else { [otherwise, then] };
        let turned = match order.lows {
            lows if lows == beside => false,
            [p, q] if [q, p] == beside => true,
            _ => return None,
        };
        let width = self.width(then);
        let signed = matches!(order.relation, Compare::LessSigned | Compare::LessEqualSigned);
        let sign = if signed { 1 << (width - 1) } else { 0 };
        let flips = if turned { ones(width) ^ sign } else { sign };
        Some(Keys { lows: beside.map(|it| self.flipped(it, flips)), flips })
    }

    /// It was put together before, also through choices.
    fn is_pair(&self, value: Term, low: Term) -> bool {
        self.wholes.pairs.wholes.contains_key(&(value, low))
            || match (self.node(value), self.node(low)) {
                (&Node::Ite(condition, a, b), &Node::Ite(same, p, q)) if condition == same => {
                    self.wholes.pairs.wholes.contains_key(&(a, p))
                        && self.wholes.pairs.wholes.contains_key(&(b, q))
                }
                _ => false,
            }
    }

    /// `value` above `low`: the chosen pair, if one was chosen, also through choices.
    fn pair(&mut self, value: Term, low: Term) -> Term {
        if let Some(&whole) = self.wholes.pairs.wholes.get(&(value, low)) {
            return whole;
        }
        let whole = match (self.node(value), self.node(low)) {
            (&Node::Ite(condition, a, b), &Node::Ite(same, p, q)) if condition == same => {
                match self.pair_with_numbers(condition, [a, b], [p, q]) {
                    Some(whole) => whole,
                    None => {
                        let (then, otherwise) = (self.pair(a, p), self.pair(b, q));
                        self.ite(condition, then, otherwise)
                    }
                }
            }
            _ => self.concat(value, low),
        };
        self.wholes.pairs.wholes.insert((value, low), whole);
        whole
    }

    /// A choice by the order of two values, with numbers beside them that are in a known order, as that of two
    /// pairs: of equal values it is the one with the lesser number, or with the greater one.
    fn pair_with_numbers(
        &mut self,
        condition: Term,
        values: [Term; 2],
        lows: [Term; 2],
    ) -> Option<Term> {
        let (of, first, second, or_equal) = match *self.node(condition) {
            Node::Compare(of @ (Compare::Less | Compare::LessSigned), a, c) => (of, a, c, false),
            Node::Compare(Compare::LessEqual, a, c) => (Compare::Less, a, c, true),
            Node::Compare(Compare::LessEqualSigned, a, c) => (Compare::LessSigned, a, c, true),
            Node::Or(ref list) => {
                let &[x, y] = &**list else { return None };
                [(x, y), (y, x)].into_iter().find_map(|(less, equal)| {
                    let Node::Compare(of, a, c) = *self.node(less) else { return None };
                    let strict = matches!(of, Compare::Less | Compare::LessSigned);
                    let (Node::Equal(e, f), true) = (self.node(equal), strict) else { return None };
                    let same = [*e, *f] == [a, c] || [*e, *f] == [c, a];
                    same.then_some((of, a, c, true))
                })?
            }
            _ => return None,
        };
        let lesser = match values {
            [a, b] if [a, b] == [first, second] => true,
            [a, b] if [b, a] == [first, second] => false,
            _ => return None,
        };
        let lows = if lesser { lows } else { [lows[1], lows[0]] };
        // Of equal values that with the lesser number is chosen, or that with the greater one.
        let in_order = if or_equal { lows } else { [lows[1], lows[0]] };
        if !self.is_certainly_less(in_order) {
            return None;
        }
        let wholes = [self.concat(first, lows[0]), self.concat(second, lows[1])];
        Some(self.extreme_of_two(of, wholes, lesser))
    }

    /// The first number is less than the second one, or cannot be more.
    fn is_certainly_less(&self, [p, q]: [Term; 2]) -> bool {
        match [self.bits_of(p), self.bits_of(q)] {
            [Some(p), Some(q)] => p < q,
            [Some(p), None] => p == 0,
            [None, Some(greatest)] => greatest == ones(self.width(q)),
            [None, None] => false,
        }
    }

    /// A number with some bits flipped, of what is chosen.
    fn flipped(&mut self, term: Term, flips: u128) -> Term {
        if flips == 0 {
            return term;
        }
        let Node::Ite(condition, then, otherwise) = *self.node(term) else {
            let width = self.width(term);
            if flips == ones(width) {
                return self.bit_not(term);
            }
            let flips = self.bits(flips, width);
            return self.binary(Binary::Xor, term, flips);
        };
        if let Some(&known) = self.wholes.pairs.flipped.get(&(term, flips)) {
            return known;
        }
        let (then, otherwise) = (self.flipped(then, flips), self.flipped(otherwise, flips));
        let flipped = self.ite(condition, then, otherwise);
        self.wholes.pairs.flipped.insert((term, flips), flipped);
        flipped
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::term::{GroundValue, Interpretation, Sort, Symbol};

    const WIDTH: u32 = 2;
    const PARTS: u32 = 6;

    /// Three pairs of numbers, and a bit.
    struct Values(u32);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            let bits = self.0 >> (WIDTH * symbol.0);
            match symbol.0 {
                PARTS => GroundValue::Bool(bits & 1 == 1),
                _ => GroundValue::Bits(u128::from(bits & 3)),
            }
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    /// How pairs are compared and chosen.
    #[derive(Clone, Copy, Debug)]
    struct Style {
        of: Compare,
        relation: Compare,
        /// The first of the two is taken where the order holds.
        lesser: bool,
        /// The lows are compared the other way round.
        crossed: bool,
        /// `a <= c && p < q` beside `a < c`.
        either: bool,
        /// Only where a bit is set.
        guarded: bool,
    }

    impl Style {
        fn all() -> Vec<Self> {
            let relations =
                [Compare::Less, Compare::LessEqual, Compare::LessSigned, Compare::LessEqualSigned];
            let mut all = Vec::new();
            for of in [Compare::Less, Compare::LessSigned] {
                for relation in relations {
                    for flags in 0..16 {
                        let [lesser, crossed, either, guarded] =
                            [1, 2, 4, 8].map(|flag| flags & flag != 0);
                        all.push(Self { of, relation, lesser, crossed, either, guarded });
                    }
                }
            }
            all
        }

        /// Where the first of two pairs is chosen: as a term, and of known numbers.
        fn condition(self, pool: &mut Pool, [x, y]: [[Term; 2]; 2], guard: Term) -> Term {
            let [[a, p], [c, q]] = if self.lesser { [x, y] } else { [y, x] };
            let (above, equal) = (pool.compare(self.of, a, c), pool.equal(a, c));
            let below = match self.crossed {
                true => pool.compare(self.relation, q, p),
                false => pool.compare(self.relation, p, q),
            };
            let equal = if self.either { pool.or(above, equal) } else { equal };
            let beside = pool.and(equal, below);
            let order = pool.or(above, beside);
            if self.guarded { pool.and(guard, order) } else { order }
        }
    }

    /// Of three pairs one is chosen: as the conditions say, in every state. How many orders were seen.
    fn judge(style: Style, known: [Option<u128>; 3]) -> usize {
        let mut pool = Pool::new();
        let numbers = ["a", "p", "c", "q", "e", "r"];
        let mut numbers = numbers.map(|name| pool.fresh(name, Sort::Bits(WIDTH)));
        let guard = pool.fresh("guard", Sort::Bool);
        for (place, low) in known.into_iter().enumerate() {
            if let Some(low) = low {
                numbers[2 * place + 1] = pool.bits(low, WIDTH);
            }
        }
        let [a, p, c, q, e, r] = numbers;
        let (mut chosen, mut conditions) = ([a, p], Vec::new());
        for [value, low] in [[c, q], [e, r]] {
            let condition = style.condition(&mut pool, [[value, low], chosen], guard);
            conditions.push(condition);
            let next = pool.ite(condition, value, chosen[0]);
            chosen = [next, pool.ite(condition, low, chosen[1])];
        }
        for state in 0..1 << (WIDTH * PARTS + 1) {
            let terms = [&numbers[..], &conditions, &chosen].concat();
            let found = pool.evaluate(&terms, &Values(state));
            let expected = match (found[7].is_true(), found[6].is_true()) {
                (true, _) => [4, 5],
                (false, true) => [2, 3],
                (false, false) => [0, 1],
            };
            let same = [0, 1].map(|part| found[8 + part] == found[expected[part]]);
            assert_eq!(same, [true; 2], "{style:?} {known:?} {state:#b}");
        }
        pool.wholes.pairs.chosen.len()
    }

    #[test]
    fn pairs_are_chosen_as_the_conditions_say() {
        for style in Style::all() {
            assert_eq!(judge(style, [None; 3]), 2, "{style:?}");
        }
    }

    /// What stands beside a value is known, as the lane that holds it is: the first condition is then an order of
    /// two values.
    #[test]
    fn pairs_with_known_numbers_are_chosen_as_the_conditions_say() {
        let mut seen = 0;
        for known in [[0, 1, 2], [2, 1, 0], [3, 0, 1], [1, 1, 2]].map(|it| it.map(Some)) {
            for style in Style::all() {
                seen += judge(style, known);
            }
        }
        assert_eq!(seen, 224);
    }

    /// What stands beside one value is the least number or the greatest, so it comes first or last whatever stands
    /// beside the others.
    #[test]
    fn pairs_with_an_outermost_number_are_chosen_as_the_conditions_say() {
        let mut seen = 0;
        for number in [0, 3] {
            for place in 0..3 {
                let mut known = [None; 3];
                known[place] = Some(number);
                for style in Style::all() {
                    seen += judge(style, known);
                }
            }
        }
        assert_eq!(seen, 1344);
    }
}
