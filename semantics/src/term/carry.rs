//! Sums that are computed word by word, with carries: `low = a + b`, `high = c + d + (low < a ? 1 : 0)`.
//!
//! For any two numbers of n bits, `extend(a) + extend(s - a) = extend(s) + 2^n * (s < a ? 1 : 0)`, with s, a
//! and s - a modulo 2^n: the sum of a and s - a is s, or s + 2^n, and it is that exactly where s is less
//! than a. So where a summand of the high word is the carry of the low one, it is left out, and the low word
//! is the sum of its two parts in the full width. These parts may be sums with carries themselves.

use super::width::ones;
use super::{Compare, Node, Pool, Term};

impl Pool {
    /// `high` above `low` as a sum of the full width, if some summand of `high` is a carry of `low`.
    pub(super) fn with_carries(&mut self, high: Term, low: Term) -> Option<Term> {
        let (mut summands, constant) = match self.node(high) {
            Node::Linear(parts, constant) => (parts.to_vec(), *constant),
            _ => (vec![(high, 1)], 0),
        };
        let (below, above) = (self.width(low), self.width(high));
        let mut words = vec![low];
        while let Some((summand, word, part)) = self.next_carry(&summands, &words) {
            summands.remove(summand);
            let sum = words.swap_remove(word);
            let other = self.sum(sum, part, ones(below));
            words.extend([part, other]);
        }
        if words.len() == 1 {
            return None;
        }
        // What is left of both words may be halves of one number.
        let mut wholes = Vec::new();
        words.retain(|&word| {
            let whole = summands.iter().enumerate().find_map(|(place, &(summand, factor))| {
                let whole = self.whole_of(summand, word).filter(|_| factor == 1)?;
                Some((place, whole))
            });
            match whole {
                Some((place, whole)) => {
                    summands.remove(place);
                    wholes.push(whole);
                    false
                }
                None => true,
            }
        });
        let mut rest = self.bits(constant, above);
        for (summand, factor) in summands {
            rest = self.sum(rest, summand, factor);
        }
        let rest = self.zero_extend(rest, below + above);
        let mut total = self.multiple(rest, 1 << below);
        for whole in wholes {
            total = self.sum(total, whole, 1);
        }
        for word in words {
            let word = self.zero_extend(word, below + above);
            total = self.sum(total, word, 1);
        }
        Some(total)
    }

    /// A summand that is the carry of a word, both by their places, and a part of that word.
    fn next_carry(
        &self,
        summands: &[(Term, u128)],
        words: &[Term],
    ) -> Option<(usize, usize, Term)> {
        summands.iter().enumerate().find_map(|(place, &(summand, factor))| {
            let (sum, part) = self.carry(summand).filter(|_| factor == 1)?;
            let word = words.iter().position(|&word| word == sum)?;
            Some((place, word, part))
        })
    }

    /// One where a sum is less than a part of it, else zero: sum and part.
    fn carry(&self, term: Term) -> Option<(Term, Term)> {
        let Node::Ite(condition, then, otherwise) = *self.node(term) else { return None };
        let values = (self.bits_of(then)?, self.bits_of(otherwise)?);
        match (self.node(condition), values) {
            (&Node::Compare(Compare::Less, sum, part), (1, 0))
            | (&Node::Compare(Compare::LessEqual, part, sum), (0, 1)) => Some((sum, part)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Binary, GroundValue, Interpretation, Sort, Symbol};

    /// Two bits of each of six numbers.
    struct Values(Vec<Symbol>, u32);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            let place = self.0.iter().position(|it| *it == symbol).unwrap_or(0);
            GroundValue::Bits(u128::from(self.1 >> (2 * place) & 3))
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    /// The high word of a sum, in one of the ways of writing its carry.
    fn high(pool: &mut Pool, way: usize, highs: [Term; 2], [low, a, b]: [Term; 3]) -> Term {
        let [zero, one] = [0, 1].map(|value| pool.bits(value, 2));
        let carry = match way {
            0 => {
                let less = pool.less(low, a);
                pool.ite(less, one, zero)
            }
            1 => {
                let less = pool.compare(Compare::LessEqual, b, low);
                pool.ite(less, zero, one)
            }
            // These are no carries.
            2 => {
                let less = pool.less(a, low);
                pool.ite(less, one, zero)
            }
            3 => {
                let less = pool.less(low, a);
                pool.ite(less, zero, one)
            }
            _ => {
                let less = pool.less(a, b);
                pool.ite(less, one, zero)
            }
        };
        let sum = pool.add(highs[0], highs[1]);
        pool.add(sum, carry)
    }

    /// Exhaustive at words of two bits: sums of two and of three numbers, with carries and with what only
    /// looks like them.
    #[test]
    fn a_sum_by_words_is_the_sum() {
        let mut taken = 0;
        for (first, second) in (0..5).flat_map(|first| (0..5).map(move |it| (first, it))) {
            let mut pool = Pool::new();
            let symbols: Vec<Symbol> = (0..6).map(|_| pool.symbol("word", Sort::Bits(2))).collect();
            let words: Vec<Term> = symbols.iter().map(|&it| pool.variable(it)).collect();
            let [a, b, c, x, y, z] = words[..] else { unreachable!() };
            let low = pool.add(a, b);
            let upper = high(&mut pool, first, [x, y], [low, a, b]);
            let all = pool.add(low, c);
            let top = high(&mut pool, second, [upper, z], [all, low, c]);
            let joined = [pool.concat(upper, low), pool.concat(top, all)];
            taken +=
                joined.iter().filter(|&&it| !matches!(pool.node(it), Node::Concat(..))).count();
            for bits in 0..1 << 12 {
                let values = Values(symbols.clone(), bits);
                let parts = [joined[0], upper, low, joined[1], top, all];
                let found = pool.evaluate(&parts, &values);
                let found: Vec<u128> = found.iter().map(|it| it.as_bits()).collect();
                assert_eq!(found[0], found[1] << 2 | found[2], "{first} {bits:#b}");
                assert_eq!(found[3], found[4] << 2 | found[5], "{first} {second} {bits:#b}");
            }
        }
        // Where the first way is a carry, for each second; where the second one is, for each first.
        assert_eq!(taken, 2 * 5 + 2 * 5);
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bits(64)));
        let halves = |pool: &mut Pool, of| [pool.extract(of, 63, 32), pool.extract(of, 31, 0)];
        let ([x, c], [y, d]) = (halves(&mut pool, a), halves(&mut pool, b));
        let low = pool.add(c, d);
        let [zero, one] = [0, 1].map(|value| pool.bits(value, 32));
        let less = pool.less(low, d);
        let carry = pool.ite(less, one, zero);
        let upper = pool.add(x, y);
        let upper = pool.add(upper, carry);
        let whole = pool.concat(upper, low);
        assert!(matches!(pool.node(whole), Node::Linear(..)));
        assert_eq!(pool.width(whole), 64);
        assert!(!pool.reachable(&[whole]).iter().any(|&it| {
            matches!(pool.node(it), Node::Compare(..) | Node::Binary(Binary::Add, ..))
        }));
    }
}
