//! Building bit-vector terms.

use super::evaluate;
use super::width::{ones, signed};
use super::{Binary, Node, Pool, SMALL, Scan, Sort, Term};

impl Pool {
    /// A bit-vector constant; bits past the width are cut off.
    pub fn bits(&mut self, value: u128, width: u32) -> Term {
        let value = value & ones(width);
        // Lane indices, and literals of clauses.
        let small = (width == 32 && value < SMALL as u128).then_some(value as usize);
        if let Some(known) = small.and_then(|value| self.small[value]) {
            return known;
        }
        let next = Term(self.nodes.len() as u32);
        let term = *self.numbers.entry((value, width)).or_insert(next);
        if term == next {
            self.nodes.push((Node::Bits(value, width), Sort::Bits(width)));
        }
        if let Some(value) = small {
            self.small[value] = Some(term);
        }
        term
    }

    /// A binary operation on bit-vectors of equal width.
    pub fn binary(&mut self, op: Binary, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b));
        let width = self.width(a);
        let (known_a, known_b) = (self.bits_of(a), self.bits_of(b));
        if let (Some(x), Some(y)) = (known_a, known_b) {
            return self.bits(evaluate::binary(op, x, y, width), width);
        }
        if let Some(whole) = self.joined(op, a, b) {
            return whole;
        }
        match (op, known_a, known_b) {
            (Binary::Add, ..) => return self.sum(a, b, 1),
            (Binary::Sub, ..) => return self.sum(a, b, ones(width)),
            (Binary::Mul, Some(factor), _) => return self.multiple(b, factor),
            (Binary::Mul, _, Some(factor)) => return self.multiple(a, factor),
            _ => {}
        }
        if let Some(operand) = one_of((op, known_a, known_b), [a, b], ones(width)) {
            return operand;
        }
        if a == b {
            match op {
                Binary::And | Binary::Or => return a,
                Binary::Xor => return self.bits(0, width),
                _ => {}
            }
        }
        // A sign that is inverted twice, say.
        for (known, other) in [(known_a, b), (known_b, a)] {
            if let (Binary::Xor, Some(mask), &Node::Binary(Binary::Xor, x, y)) =
                (op, known, self.node(other))
                && let Some((inner, rest)) =
                    self.bits_of(x).map(|bits| (bits, y)).or(self.bits_of(y).map(|bits| (bits, x)))
            {
                let mask = self.bits(mask ^ inner, width);
                return self.binary(Binary::Xor, rest, mask);
            }
        }
        if let (Binary::And | Binary::Or | Binary::Xor, Some(x), Some(y)) =
            (op, self.as_bit_list(a), self.as_bit_list(b))
        {
            let bits: Vec<Term> = x
                .iter()
                .zip(&y)
                .map(|(&x, &y)| match op {
                    Binary::And => self.and(x, y),
                    Binary::Or => self.or(x, y),
                    _ => {
                        let same = self.equal(x, y);
                        self.not(same)
                    }
                })
                .collect();
            return self.from_bits(bits);
        }
        if let (Binary::ShiftLeft | Binary::ShiftRight, Some(bits), Some(amount)) =
            (op, self.list_of_bits(a), known_b)
        {
            return self.shifted_list(&bits, op == Binary::ShiftLeft, amount);
        }
        let commutes = matches!(op, Binary::Mul | Binary::And | Binary::Or | Binary::Xor);
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        self.intern(Node::Binary(op, a, b), Sort::Bits(width))
    }

    /// The bits of a list of bits, not of a constant.
    fn list_of_bits(&self, term: Term) -> Option<Box<[Term]>> {
        match self.node(term) {
            Node::FromBits(bits) => Some(bits.clone()),
            _ => None,
        }
    }

    /// The bits of a list of bits or of a constant, lowest first.
    fn as_bit_list(&mut self, term: Term) -> Option<Box<[Term]>> {
        match self.node(term).clone() {
            Node::FromBits(bits) => Some(bits),
            Node::Bits(value, width) => {
                Some((0..width).map(|index| self.bool(value >> index & 1 == 1)).collect())
            }
            _ => None,
        }
    }

    fn shifted_list(&mut self, bits: &[Term], left: bool, amount: u128) -> Term {
        let zero = self.bool(false);
        let width = bits.len();
        let amount = usize::try_from(amount).unwrap_or(width).min(width);
        let shifted = (0..width)
            .map(|index| {
                let source = if left { index.checked_sub(amount) } else { Some(index + amount) };
                source.and_then(|source| bits.get(source)).copied().unwrap_or(zero)
            })
            .collect();
        self.from_bits(shifted)
    }

    /// Sum modulo 2^width.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::Add, a, b)
    }

    /// Complement, bit by bit.
    pub fn bit_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a).clone() {
            Node::Bits(value, _) => self.bits(!value, width),
            Node::BitNot(inner) => inner,
            Node::FromBits(bits) => {
                let bits = bits.iter().map(|&bit| self.not(bit)).collect();
                self.from_bits(bits)
            }
            _ => self.intern(Node::BitNot(a), Sort::Bits(width)),
        }
    }

    /// Zero-extension to `width` bits, which are at least as many as there are.
    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) == width {
            return a;
        }
        if let Some(value) = self.bits_of(a) {
            return self.bits(value, width);
        }
        match self.node(a).clone() {
            Node::ZeroExtend(inner, _) => self.zero_extend(inner, width),
            Node::FromBits(bits) => {
                let zero = self.bool(false);
                let mut bits = bits.to_vec();
                bits.resize(width as usize, zero);
                self.from_bits(bits)
            }
            _ => self.intern(Node::ZeroExtend(a, width), Sort::Bits(width)),
        }
    }

    /// Sign-extension to `width` bits, which are at least as many as there are.
    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        let narrow = self.width(a);
        match *self.node(a) {
            _ if narrow == width => a,
            Node::Bits(value, _) => self.bits(signed(value, narrow) as u128, width),
            Node::ZeroExtend(inner, _) => self.zero_extend(inner, width),
            _ => self.intern(Node::SignExtend(a, width), Sort::Bits(width)),
        }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        match self.chosen_together(high, low) {
            Some(whole) => whole,
            None => self.side_by_side(high, low),
        }
    }

    /// The same of parts that are not chosen by one condition.
    pub(super) fn side_by_side(&mut self, high: Term, low: Term) -> Term {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let width = high_width + low_width;
        if let (Some(x), Some(y)) = (self.bits_of(high), self.bits_of(low)) {
            return self.bits(x << low_width | y, width);
        }
        match (self.node(high).clone(), self.node(low).clone()) {
            (Node::Bits(0, _), _) => return self.zero_extend(low, width),
            (Node::Extract(x, top, middle), Node::Extract(y, below, bottom))
                if x == y && middle == below + 1 =>
            {
                return self.extract(x, top, bottom);
            }
            // Four parts of one vector, put together from the low end or the high end.
            (Node::Extract(x, _, middle), Node::Concat(upper, lower)) => {
                if let Node::Extract(y, below, _) = *self.node(upper)
                    && x == y
                    && middle == below + 1
                {
                    let joined = self.concat(high, upper);
                    return self.concat(joined, lower);
                }
            }
            _ => {}
        }
        if let (Some(upper), Some(lower)) = (self.as_bit_list(high), self.as_bit_list(low)) {
            return self.from_bits(lower.iter().chain(upper.iter()).copied().collect());
        }
        if let Some(whole) = self.with_carries(high, low) {
            return whole;
        }
        if let Some(whole) = self.product_of_halves(high, low) {
            return whole;
        }
        self.intern(Node::Concat(high, low), Sort::Bits(width))
    }

    /// The bit-vector with these Boolean terms as its bits, lowest first.
    pub fn from_bits(&mut self, bits: Vec<Term>) -> Term {
        let width = bits.len() as u32;
        if let Some(vector) = self.whole_vector(&bits) {
            return vector;
        }
        let mut value = 0u128;
        for (index, &bit) in bits.iter().enumerate() {
            match self.bool_of(bit) {
                Some(known) => value |= u128::from(known) << index,
                None => return self.intern(Node::FromBits(bits.into()), Sort::Bits(width)),
            }
        }
        self.bits(value, width)
    }

    /// The vector whose bits these are, all of them in their order.
    fn whole_vector(&self, bits: &[Term]) -> Option<Term> {
        let Node::Bit(vector, _) = *self.node(*bits.first()?) else { return None };
        let in_place = bits.iter().enumerate().all(|(position, &bit)| {
            matches!(*self.node(bit), Node::Bit(same, index)
                if same == vector && self.bits_of(index) == Some(position as u128))
        });
        (in_place && self.width(vector) as usize == bits.len()).then_some(vector)
    }

    /// Counts set bits or searches for one; the answer has 32 bits.
    pub fn scan(&mut self, scan: Scan, a: Term) -> Term {
        let width = self.width(a);
        if let Some(value) = self.bits_of(a) {
            return self.bits(u128::from(evaluate::scan(scan, value, width)), 32);
        }
        self.intern(Node::Scan(scan, a), Sort::Bits(32))
    }

    /// Cut off or zero-extended to `width` bits.
    pub fn resize(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) > width {
            self.extract(a, width - 1, 0)
        } else {
            self.zero_extend(a, width)
        }
    }

    /// Cut off or sign-extended to `width` bits.
    pub fn resize_signed(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) > width {
            self.extract(a, width - 1, 0)
        } else {
            self.sign_extend(a, width)
        }
    }
}

/// The operand that an operation with a neutral or absorbing constant gives; `all` has every bit.
fn one_of(
    operation: (Binary, Option<u128>, Option<u128>),
    [a, b]: [Term; 2],
    all: u128,
) -> Option<Term> {
    use Binary::{And, DivSigned, DivUnsigned, Or, ShiftLeft, ShiftRight, ShiftRightSigned, Xor};
    match operation {
        (Or | Xor, Some(0), _) => Some(b),
        (Or | Xor | ShiftLeft | ShiftRight | ShiftRightSigned, _, Some(0)) => Some(a),
        (And, Some(0), _) => Some(a),
        (And, _, Some(0)) => Some(b),
        (And, Some(x), _) if x == all => Some(b),
        (And, _, Some(y)) if y == all => Some(a),
        (Or, Some(x), _) if x == all => Some(a),
        (Or, _, Some(y)) if y == all => Some(b),
        (DivUnsigned | DivSigned, _, Some(1)) => Some(a),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{GroundValue, Interpretation, Symbol};

    /// Two numbers of three bits.
    struct Values(Symbol, u128);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            GroundValue::Bits(if symbol == self.0 { self.1 & 7 } else { self.1 >> 3 })
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    /// Every range of bits of a product, of all numbers.
    #[test]
    fn bits_of_a_product_are_those_of_the_whole_product() {
        let mut pool = Pool::new();
        let symbols = ["x", "y"].map(|name| pool.symbol(name, Sort::Bits(3)));
        let [x, y] = symbols.map(|symbol| pool.variable(symbol));
        let product = pool.binary(Binary::Mul, x, y);
        for (high, low) in (0..3).flat_map(|high| (0..=high).map(move |low| (high, low))) {
            let bits = pool.extract(product, high, low);
            for values in 0..1 << 6 {
                let found = pool.evaluate(&[bits], &Values(symbols[0], values))[0].as_bits();
                let whole = (values & 7) * (values >> 3);
                assert_eq!(found, whole >> low & ((1 << (high - low + 1)) - 1), "{high}..{low}");
            }
        }
    }
}
