//! Numbers put together of two halves by a shift: `extend(high) << n | extend(low)`.
//!
//! The shifted half has no bit where the other one has some, so `|`, `^` and `+` all are concatenation, which
//! other rules know.

use super::{Binary, Node, Pool, Term};

impl Pool {
    /// The concatenation that a disjunction, an exclusive one or a sum of two numbers is, if it is one.
    pub(super) fn joined(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        if !matches!(op, Binary::Or | Binary::Xor | Binary::Add) {
            return None;
        }
        let (high, low) = self.halves(a, b).or_else(|| self.halves(b, a))?;
        Some(self.concat(high, low))
    }

    /// The half that is shifted up and the half below it, if they fill the whole width.
    fn halves(&self, shifted: Term, other: Term) -> Option<(Term, Term)> {
        let Node::Binary(Binary::ShiftLeft, wide, amount) = *self.node(shifted) else {
            return None;
        };
        let (&Node::ZeroExtend(high, width), &Node::ZeroExtend(low, _)) =
            (self.node(wide), self.node(other))
        else {
            return None;
        };
        let below = u128::from(self.width(low));
        let fills = self.bits_of(amount) == Some(below)
            && u128::from(self.width(high)) + below == u128::from(width);
        fills.then_some((high, low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{GroundValue, Interpretation, Sort, Symbol};

    /// The bits of two numbers.
    struct Values([Symbol; 2], [u128; 2]);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            GroundValue::Bits(self.1[usize::from(self.0[1] == symbol)])
        }

        fn apply(&self, symbol: Symbol, _: u32) -> GroundValue {
            self.variable(symbol)
        }
    }

    #[test]
    fn halves_put_together_by_a_shift_are_a_concatenation() {
        for op in [Binary::Or, Binary::Xor, Binary::Add] {
            // High and low bits, the width, and the distance: all but the first do not fit together.
            for (high, low, width, by) in [(2, 3, 5, 3), (2, 3, 5, 2), (2, 3, 6, 3), (2, 3, 5, 4)] {
                for swapped in [false, true] {
                    let mut pool = Pool::new();
                    let symbols = [high, low].map(|bits| pool.symbol("half", Sort::Bits(bits)));
                    let [a, b] = symbols.map(|symbol| {
                        let half = pool.variable(symbol);
                        pool.zero_extend(half, width)
                    });
                    let distance = pool.bits(by, width);
                    let up = pool.binary(Binary::ShiftLeft, a, distance);
                    let (x, y) = if swapped { (b, up) } else { (up, b) };
                    let term = pool.binary(op, x, y);
                    let joined = matches!(pool.node(term), Node::Concat(..));
                    assert_eq!(joined, (width, by) == (5, 3), "{op:?} {high} {low} {width} {by}");
                    for (i, j) in (0..1 << high).flat_map(|i| (0..1 << low).map(move |j| (i, j))) {
                        let up = (i << by) % (1 << width);
                        let expected = match op {
                            Binary::Add => (up + j) % (1 << width),
                            Binary::Xor => up ^ j,
                            _ => up | j,
                        };
                        let values = Values(symbols, [i, j]);
                        let found = pool.evaluate(&[term], &values)[0].as_bits();
                        assert_eq!(found, expected, "{op:?} {i} {j}");
                    }
                }
            }
        }
    }
}
