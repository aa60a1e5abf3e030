//! Bits and parts of bit-vectors.
//!
//! Each is taken from the operands where that is simpler. A vector may be reached in more ways than
//! anything can go through, so what was found once is kept.

use super::width::ones;
use super::{Binary, Node, Pool, Sort, Term};
use crate::hash::FastMap;

/// Parts that were taken from vectors with two operands.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// By vector and index.
    bits: FastMap<(Term, Term), Term>,
    /// By vector, highest and lowest bit.
    extracted: FastMap<(Term, u32, u32), Term>,
}

impl Parts {
    pub(super) fn clear(&mut self) {
        self.bits.clear();
        self.extracted.clear();
    }
}

impl Pool {
    /// Bits `high` down to `low`.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        let width = self.width(a);
        assert!(low <= high && high < width);
        if low == 0 && high + 1 == width {
            return a;
        }
        let Node::Binary(..) = self.node(a) else { return self.extracted(a, high, low) };
        if let Some(&known) = self.parts.extracted.get(&(a, high, low)) {
            return known;
        }
        let part = self.extracted(a, high, low);
        self.parts.extracted.insert((a, high, low), part);
        part
    }

    fn extracted(&mut self, a: Term, high: u32, low: u32) -> Term {
        let (cut, width) = (high - low + 1, u128::from(self.width(a)));
        match self.node(a).clone() {
            Node::Bits(value, _) => self.bits(value >> low, cut),
            Node::FromBits(bits) => self.from_bits(bits[low as usize..=high as usize].to_vec()),
            Node::Extract(inner, _, base) => self.extract(inner, base + high, base + low),
            Node::Concat(upper, lower) => {
                let split = self.width(lower);
                if high < split {
                    self.extract(lower, high, low)
                } else if low >= split {
                    self.extract(upper, high - split, low - split)
                } else {
                    self.intern(Node::Extract(a, high, low), Sort::Bits(cut))
                }
            }
            Node::ZeroExtend(inner, _) => {
                let narrow = self.width(inner);
                if high < narrow {
                    self.extract(inner, high, low)
                } else if low >= narrow {
                    self.bits(0, cut)
                } else {
                    let kept = self.extract(inner, narrow - 1, low);
                    self.zero_extend(kept, cut)
                }
            }
            Node::SignExtend(inner, _) if high < self.width(inner) => {
                self.extract(inner, high, low)
            }
            Node::Ite(condition, then, otherwise)
                if self.constant(then).is_some() || self.constant(otherwise).is_some() =>
            {
                let then = self.extract(then, high, low);
                let otherwise = self.extract(otherwise, high, low);
                self.ite(condition, then, otherwise)
            }
            Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), x, y) => {
                let x = self.extract(x, high, low);
                let y = self.extract(y, high, low);
                self.binary(op, x, y)
            }
            Node::BitNot(inner) => {
                let inner = self.extract(inner, high, low);
                self.bit_not(inner)
            }
            // Bits that a shift moved down.
            Node::Binary(Binary::ShiftRight, inner, amount)
                if self.bits_of(amount).is_some_and(|by| by < width - u128::from(high)) =>
            {
                let by = self.bits_of(amount).map_or(0, |by| by as u32);
                self.extract(inner, high + by, low + by)
            }
            // Low bits of a product depend on low bits only.
            Node::Binary(Binary::Mul, x, y) if low == 0 => {
                let x = self.extract(x, high, 0);
                let y = self.extract(y, high, 0);
                self.binary(Binary::Mul, x, y)
            }
            _ => self.intern(Node::Extract(a, high, low), Sort::Bits(cut)),
        }
    }

    /// Bit `index` (32 bits) of a bit-vector; false past its end.
    pub fn bit(&mut self, vector: Term, index: Term) -> Term {
        if !matches!(self.node(vector), Node::Binary(..) | Node::Ite(..) | Node::Concat(..)) {
            return self.bit_of(vector, index);
        }
        if let Some(&known) = self.parts.bits.get(&(vector, index)) {
            return known;
        }
        let bit = self.bit_of(vector, index);
        self.parts.bits.insert((vector, index), bit);
        bit
    }

    fn bit_of(&mut self, vector: Term, index: Term) -> Term {
        let width = self.width(vector);
        if let Some(position) = self.bits_of(index) {
            if position >= u128::from(width) {
                return self.bool(false);
            }
            if let Some(bit) = self.bit_at(vector, position as u32) {
                return bit;
            }
        }
        match self.node(vector).clone() {
            Node::Bits(0, _) => return self.bool(false),
            Node::ZeroExtend(inner, _) => return self.bit(inner, index),
            Node::Binary(Binary::And, x, y) => {
                let (x, y) = (self.bit(x, index), self.bit(y, index));
                return self.and(x, y);
            }
            Node::Binary(Binary::Or, x, y) => {
                let (x, y) = (self.bit(x, index), self.bit(y, index));
                return self.or(x, y);
            }
            Node::BitNot(inner) => {
                let inside = {
                    let end = self.bits(u128::from(width), 32);
                    self.less(index, end)
                };
                let bit = self.bit(inner, index);
                let bit = self.not(bit);
                return self.and(inside, bit);
            }
            Node::Ite(condition, then, otherwise) => {
                let then = self.bit(then, index);
                let otherwise = self.bit(otherwise, index);
                return self.ite(condition, then, otherwise);
            }
            Node::Extract(inner, _, low) if self.width(index) == 32 => {
                let inside = self.within(index, width);
                let low = self.bits(u128::from(low), 32);
                let place = self.add(index, low);
                let bit = self.bit(inner, place);
                return self.and(inside, bit);
            }
            Node::Concat(upper, lower) if self.width(index) == 32 => {
                let split = self.width(lower);
                let below = self.within(index, split);
                let split = self.bits(u128::from(split), 32);
                let above = self.binary(Binary::Sub, index, split);
                let (above, here) = (self.bit(upper, above), self.bit(lower, index));
                return self.ite(below, here, above);
            }
            _ => {
                if let Some(bit) = self.bit_of_power(vector, index) {
                    return bit;
                }
            }
        }
        self.intern(Node::Bit(vector, index), Sort::Bool)
    }

    /// The bit at a known place, where the vector's shape tells it.
    fn bit_at(&mut self, vector: Term, position: u32) -> Option<Term> {
        Some(match self.node(vector).clone() {
            Node::Bits(value, _) => self.bool(value >> position & 1 == 1),
            Node::FromBits(bits) => bits[position as usize],
            Node::Extract(inner, _, low) => {
                let index = self.bits(u128::from(low + position), 32);
                self.bit(inner, index)
            }
            Node::Concat(upper, lower) => {
                let split = self.width(lower);
                let (part, position) =
                    if position < split { (lower, position) } else { (upper, position - split) };
                let index = self.bits(u128::from(position), 32);
                self.bit(part, index)
            }
            _ => return None,
        })
    }

    /// A bit of a power of two, or of all bits below one, as a comparison of places.
    fn bit_of_power(&mut self, vector: Term, index: Term) -> Option<Term> {
        let width = self.width(vector);
        match *self.node(vector) {
            Node::Binary(Binary::ShiftLeft, one, place) if self.bits_of(one) == Some(1) => {
                let place = self.place(place, index)?;
                let inside = self.within(index, width);
                let here = self.equal(place, index);
                Some(self.and(inside, here))
            }
            Node::Linear(ref parts, sum) if sum == ones(width) => {
                let [(power, 1)] = **parts else { return None };
                let Node::Binary(Binary::ShiftLeft, one, end) = *self.node(power) else {
                    return None;
                };
                let end = (self.bits_of(one) == Some(1)).then(|| self.place(end, index))??;
                let inside = self.within(index, width);
                let below = self.less(index, end);
                Some(self.and(inside, below))
            }
            _ => None,
        }
    }

    /// An index is below a width.
    fn within(&mut self, index: Term, width: u32) -> Term {
        let own = self.width(index);
        if own < 32 && width >> own != 0 {
            return self.bool(true);
        }
        let end = self.bits(u128::from(width), own);
        self.less(index, end)
    }

    /// The amount of a shift as wide as an index, where that loses nothing.
    fn place(&mut self, amount: Term, index: Term) -> Option<Term> {
        match *self.node(amount) {
            Node::ZeroExtend(inner, _) if self.width(inner) <= self.width(index) => {
                Some(self.zero_extend(inner, self.width(index)))
            }
            _ if self.width(amount) == self.width(index) => Some(amount),
            _ => None,
        }
    }
}
