//! Numbers that are computed by halves: chosen together, compared, and multiplied.
//!
//! Where both halves are chosen by one condition, the whole is chosen. Of two numbers the lesser has the lesser
//! high half, or the same one and the lesser low half. And for halves of n bits,
//! `(2^n * a + b) * (2^n * c + d) = 2^n * (a * d + b * c) + extend(b) * extend(d)` modulo 2^(2 * n). A rule is used
//! where it leaves fewer halves beside each other than there were.

use super::pairs::Pairs;
use super::{Binary, Compare, Node, Pool, Term};
use crate::hash::FastMap;

/// How deep choices of choices are looked into.
const DEEPEST: u32 = 1 << 8;

/// Pairs of halves that one condition chooses, as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Wholes {
    known: FastMap<(Term, Term), Term>,
    depth: u32,
    /// Pairs that an order chooses.
    pub(super) pairs: Pairs,
}

impl Wholes {
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.pairs.clear();
    }
}

impl Pool {
    /// `high` above `low`, if one condition chooses both, and one choice is a number as a whole, and so is the
    /// other or its halves are not computed: else they would stand beside those of the whole that the next
    /// choices are made of.
    pub(super) fn chosen_together(&mut self, high: Term, low: Term) -> Option<Term> {
        let (&Node::Ite(condition, a, b), &Node::Ite(same, c, d)) =
            (self.node(high), self.node(low))
        else {
            return None;
        };
        if condition != same || self.wholes.depth >= DEEPEST {
            return None;
        }
        if let Some(&known) = self.wholes.known.get(&(high, low)) {
            return Some(known);
        }
        self.wholes.depth += 1;
        let (then, otherwise) = (self.concat(a, c), self.concat(b, d));
        self.wholes.depth -= 1;
        let together = match (self.is_whole(then), self.is_whole(otherwise)) {
            (true, true) => true,
            (true, false) => self.has_plain_halves(otherwise),
            (false, true) => self.has_plain_halves(then),
            (false, false) => false,
        };
        let chosen = match together {
            true => self.ite(condition, then, otherwise),
            false => self.side_by_side(high, low),
        };
        self.wholes.known.insert((high, low), chosen);
        Some(chosen)
    }

    /// It is not put together of halves.
    fn is_whole(&self, term: Term) -> bool {
        !matches!(self.node(term), Node::Concat(..))
    }

    /// Its halves are constants or numbers, of which nothing is computed.
    fn has_plain_halves(&self, term: Term) -> bool {
        let Node::Concat(high, low) = *self.node(term) else { return false };
        [high, low].iter().all(|&half| {
            matches!(self.node(half), Node::Bits(..) | Node::Variable(_) | Node::Apply(..))
        })
    }

    /// `high` above `low`, if that is a number as a whole.
    pub(super) fn whole_of(&mut self, high: Term, low: Term) -> Option<Term> {
        let whole = self.concat(high, low);
        self.is_whole(whole).then_some(whole)
    }

    /// The order of two numbers that a disjunction is, which compares their halves: `a < c || a == c && b < d`.
    pub(super) fn order_of_wholes(&mut self, alternatives: &[Term]) -> Option<Term> {
        let &[first, second] = alternatives else { return None };
        self.order_by_halves(first, second).or_else(|| self.order_by_halves(second, first))
    }

    fn order_by_halves(&mut self, above: Term, beside: Term) -> Option<Term> {
        let Node::Compare(of, a, c) = *self.node(above) else { return None };
        let below = self.beside_equal(above, beside, [a, c])?;
        let Node::Compare(relation, b, d) = *self.node(below) else { return None };
        let whole = match (of, relation) {
            (Compare::Less, Compare::Less | Compare::LessEqual) => relation,
            (Compare::LessSigned, Compare::Less) => Compare::LessSigned,
            (Compare::LessSigned, Compare::LessEqual) => Compare::LessEqualSigned,
            _ => return None,
        };
        if self.width(a) + self.width(b) > u128::BITS {
            return None;
        }
        let (first, second) = (self.whole_of(a, b)?, self.whole_of(c, d)?);
        Some(self.compare(whole, first, second))
    }

    /// The other part of a conjunction that says that two numbers are equal. Beside `above`, by which one is
    /// less, it is enough that it is not greater, as `&&` after `||` asks.
    pub(super) fn beside_equal(
        &mut self,
        above: Term,
        beside: Term,
        [a, c]: [Term; 2],
    ) -> Option<Term> {
        let Node::And(list) = self.node(beside) else { return None };
        let &[x, y] = &**list else { return None };
        let equal = self.equal(a, c);
        if let Some(other) = other_of([x, y], |it| it == equal) {
            return Some(other);
        }
        let (not_above, not_equal) = (self.not(above), self.not(equal));
        let neither = self.and(not_above, not_equal);
        let not_neither = self.not(neither);
        // Not built: an equality of bits is a conjunction, of which the same would be asked again.
        let either = [above.min(equal), above.max(equal)];
        other_of([x, y], |it| match self.node(it) {
            Node::Or(list) => **list == either,
            _ => it == not_neither,
        })
    }

    /// `high` above `low` as a product of the full width, if they are its halves.
    pub(super) fn product_of_halves(&mut self, high: Term, low: Term) -> Option<Term> {
        let (&Node::Binary(Binary::Mul, b, d), Node::Linear(parts, constant)) =
            (self.node(low), self.node(high))
        else {
            return None;
        };
        let (width, constant) = (self.width(low), *constant);
        let mut parts = parts.to_vec();
        if width != self.width(high) || 2 * width > u128::BITS {
            return None;
        }
        let [x, y] = [b, d].map(|half| self.zero_extend(half, 2 * width));
        let product = self.binary(Binary::Mul, x, y);
        let carried = self.extract(product, 2 * width - 1, width);
        let place = parts.iter().position(|&part| part == (carried, 1))?;
        parts.remove(place);
        // The product of one low half and the high half of the other number.
        let mut take = |pool: &Self, half: Term| {
            let (place, other) =
                parts.iter().enumerate().find_map(|(place, &(part, factor))| {
                    match *pool.node(part) {
                        Node::Binary(Binary::Mul, x, y) if factor == 1 && x == half => {
                            Some((place, y))
                        }
                        Node::Binary(Binary::Mul, x, y) if factor == 1 && y == half => {
                            Some((place, x))
                        }
                        _ => None,
                    }
                })?;
            parts.remove(place);
            Some(other)
        };
        let (c, a) = (take(self, b)?, take(self, d)?);
        let (first, second) = (self.whole_of(a, b)?, self.whole_of(c, d)?);
        let product = self.binary(Binary::Mul, first, second);
        let mut rest = self.bits(constant, width);
        for (part, factor) in parts {
            rest = self.sum(rest, part, factor);
        }
        let rest = self.zero_extend(rest, 2 * width);
        let rest = self.multiple(rest, 1 << width);
        Some(self.sum(product, rest, 1))
    }
}

/// The one beside the one that is so.
fn other_of([x, y]: [Term; 2], is_so: impl Fn(Term) -> bool) -> Option<Term> {
    match () {
        () if is_so(x) => Some(y),
        () if is_so(y) => Some(x),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{GroundValue, Interpretation, Sort, Symbol};

    /// Three numbers of four bits, and two conditions.
    struct Values([Symbol; 3], u32);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            GroundValue::Bits(match self.0.iter().position(|it| *it == symbol) {
                Some(place) => u128::from(self.1 >> (4 * place) & 15),
                None => u128::from(self.1 >> 3 & 3),
            })
        }

        fn apply(&self, _: Symbol, lane: u32) -> GroundValue {
            GroundValue::Bool(self.1 >> (12 + lane) & 1 == 1)
        }
    }

    struct Numbers {
        pool: Pool,
        symbols: [Symbol; 3],
        /// The high and the low half of each.
        halves: [[Term; 2]; 3],
        conditions: [Term; 2],
    }

    impl Numbers {
        fn new() -> Self {
            let mut pool = Pool::new();
            let symbols = [(); 3].map(|()| pool.symbol("number", Sort::Bits(4)));
            let halves = symbols.map(|symbol| {
                let number = pool.variable(symbol);
                [pool.extract(number, 3, 2), pool.extract(number, 1, 0)]
            });
            let condition = pool.symbol("condition", Sort::Bool);
            let conditions = [0, 1].map(|lane| {
                let lane = pool.bits(lane, 32);
                pool.apply(condition, lane)
            });
            Self { pool, symbols, halves, conditions }
        }

        /// Whether two halves side by side are a number as a whole; they are what they are, in any state.
        fn is_put_together(&mut self, high: Term, low: Term) -> bool {
            let whole = self.pool.concat(high, low);
            for bits in 0..1 << 14 {
                let values = Values(self.symbols, bits);
                let found = self.pool.evaluate(&[whole, high, low], &values);
                let found: Vec<u128> = found.iter().map(|it| it.as_bits()).collect();
                assert_eq!(found[0], found[1] << 2 | found[2], "{bits:#b}");
            }
            self.pool.is_whole(whole)
        }
    }

    /// Orders of halves in all ways: by each relation, of halves that belong together and that do not.
    #[test]
    fn an_order_of_halves_is_that_of_the_numbers() {
        let relations =
            [Compare::Less, Compare::LessEqual, Compare::LessSigned, Compare::LessEqualSigned];
        let mut taken = 0;
        for (of, relation) in relations.iter().flat_map(|of| relations.map(|it| (*of, it))) {
            for crossed in 0..4 {
                let mut numbers = Numbers::new();
                let [[a, b], [c, d], [e, f]] = numbers.halves;
                let [(a, c), (x, y), (b, d)] = [
                    [(a, c), (a, c), (b, d)],
                    [(a, c), (c, e), (b, d)],
                    [(a, c), (a, c), (d, b)],
                    [(a, c), (a, c), (b, f)],
                ][crossed];
                let pool = &mut numbers.pool;
                let (above, equal) = (pool.compare(of, a, c), pool.equal(x, y));
                let below = pool.compare(relation, b, d);
                let beside = pool.and(equal, below);
                let order = pool.or(above, beside);
                // `if (a < c || a == c) if (b < d)`: beside `a < c` it is the same.
                let (not_above, not_equal) = (pool.not(above), pool.not(equal));
                let neither = pool.and(not_above, not_equal);
                let either = pool.not(neither);
                let beside_either = pool.and(either, below);
                assert_eq!(
                    pool.or(above, beside_either) == order,
                    matches!(pool.node(order), Node::Compare(..)),
                    "{of:?} {relation:?} {crossed}"
                );
                taken += usize::from(matches!(pool.node(order), Node::Compare(..)));
                for bits in 0..1 << 12 {
                    let values = Values(numbers.symbols, bits);
                    let found = pool.evaluate(&[order, above, equal, below], &values);
                    let [order, above, equal, below] = [0, 1, 2, 3].map(|it| found[it].is_true());
                    assert_eq!(order, above || equal && below, "{of:?} {relation:?} {bits:#b}");
                }
            }
        }
        // Two orders of the high halves, each with two of the low halves.
        assert_eq!(taken, 4);
    }

    /// Choices by one condition and by two, one after the other, of halves that belong together or not.
    #[test]
    fn halves_that_are_chosen_together_are_a_choice() {
        let mut taken = Vec::new();
        for way in 0..5 {
            let mut numbers = Numbers::new();
            let [[a, b], [c, d], [e, f]] = numbers.halves;
            let [p, q] = numbers.conditions;
            let pool = &mut numbers.pool;
            let (other, lows, last) = match way {
                0 => (p, [b, d], f),
                1 => (q, [b, d], f),
                2 => (p, [d, b], f),
                3 => (p, [b, b], f),
                _ => (p, [b, d], b),
            };
            let (high, low) = (pool.ite(p, a, c), pool.ite(other, lows[0], lows[1]));
            let (top, under) = (pool.ite(q, high, e), pool.ite(q, low, last));
            taken.push(
                [(high, low), (top, under)].map(|(high, low)| numbers.is_put_together(high, low)),
            );
        }
        let (both, neither) = ([true, true], [false, false]);
        assert_eq!(taken, [both, neither, neither, neither, [true, false]]);
    }

    /// Halves that are chosen beside a whole: numbers, as of a lane whose value is anything, or computed.
    #[test]
    fn halves_beside_a_whole_are_a_choice_if_nothing_is_computed() {
        let taken = [false, true].map(|computed| {
            let mut numbers = Numbers::new();
            let ([[a, b], [c, d], _], [p, _]) = (numbers.halves, numbers.conditions);
            let pool = &mut numbers.pool;
            let plain = ["high", "low"].map(|name| {
                let symbol = pool.symbol(name, Sort::Bits(2));
                pool.variable(symbol)
            });
            let [high, low] = match computed {
                true => [c, d],
                false => plain,
            };
            let other = pool.binary(Binary::Xor, high, plain[0]);
            let high = if computed { other } else { high };
            let (high, low) = (pool.ite(p, a, high), pool.ite(p, b, low));
            numbers.is_put_together(high, low)
        });
        assert_eq!(taken, [true, false]);
    }

    /// Bits of a number that was moved down, by all distances up to its width and beyond.
    #[test]
    fn bits_that_a_shift_moved_down_are_bits_of_the_number() {
        let mut numbers = Numbers::new();
        let mut taken = 0;
        for (by, high) in (0..6).flat_map(|by| (0..4).map(move |high| (by, high))) {
            for low in 0..=high {
                let pool = &mut numbers.pool;
                let (number, amount) = (pool.variable(numbers.symbols[0]), pool.bits(by, 4));
                let moved = pool.binary(Binary::ShiftRight, number, amount);
                let part = pool.extract(moved, high, low);
                taken +=
                    u32::from(matches!(*pool.node(part), Node::Extract(of, ..) if of == number));
                for bits in 0..16 {
                    let values = Values(numbers.symbols, bits);
                    let found = pool.evaluate(&[part], &values)[0].as_bits();
                    let expected = (u128::from(bits) >> by >> low) & ((2 << (high - low)) - 1);
                    assert_eq!(found, expected, "{by} {high} {low} {bits}");
                }
            }
        }
        // All parts but the whole number where nothing was moved, and those that are bits of it else.
        assert_eq!(taken, 9 + 6 + 3 + 1);
    }

    /// Products of halves, with summands that do not belong to them.
    #[test]
    fn a_product_by_halves_is_the_product() {
        let mut taken = Vec::new();
        for way in 0..6 {
            let mut numbers = Numbers::new();
            let [[a, b], [c, d], [e, f]] = numbers.halves;
            let pool = &mut numbers.pool;
            let [x, y] = [if way == 3 { f } else { b }, d].map(|half| pool.zero_extend(half, 4));
            let product = pool.binary(Binary::Mul, x, y);
            let carried = match way {
                4 => pool.extract(product, 2, 1),
                _ => pool.extract(product, 3, 2),
            };
            let crossed = match way {
                1 => [(a, d), (a, d)],
                2 => [(a, d), (c, e)],
                _ => [(a, d), (b, c)],
            };
            let mut high = carried;
            for (x, y) in crossed {
                let product = pool.binary(Binary::Mul, x, y);
                high = pool.add(high, product);
            }
            if way == 5 {
                high = pool.add(high, e);
            }
            let low = pool.binary(Binary::Mul, b, d);
            taken.push(numbers.is_put_together(high, low));
        }
        assert_eq!(taken, [true, false, false, false, false, true]);
    }

    /// Sums with carries under conditions are sums of numbers that are chosen.
    #[test]
    fn a_sum_by_words_in_some_states_is_that_sum() {
        let mut numbers = Numbers::new();
        let [[a, b], [c, d], [e, f]] = numbers.halves;
        let conditions = numbers.conditions;
        let pool = &mut numbers.pool;
        let (mut high, mut low) = (a, b);
        for (condition, (upper, lower)) in conditions.into_iter().zip([(c, d), (e, f)]) {
            let sum = pool.add(low, lower);
            let less = pool.less(sum, low);
            let [one, zero] = [1, 0].map(|number| pool.bits(number, 2));
            let carry = pool.ite(less, one, zero);
            let above = pool.add(high, upper);
            let above = pool.add(above, carry);
            (high, low) = (pool.ite(condition, above, high), pool.ite(condition, sum, low));
        }
        assert!(numbers.is_put_together(high, low));
        let whole = numbers.pool.concat(high, low);
        let reached = numbers.pool.reachable(&[whole]);
        assert!(!reached.iter().any(|&it| matches!(
            numbers.pool.node(it),
            Node::Compare(..) | Node::Concat(..) | Node::Extract(..)
        )));
    }
}
