//! Sums of small whole numbers, and products of ones with signs: no order rounds them, so they have
//! one result, which integers say.

use super::float::apply;
use super::width::ones;
use super::{Binary, FloatFormat, FloatOp, Node, Pool, Term};

/// The depth to which choices are looked through.
const DEEPEST: u32 = 4;

/// A floating-point number that is a whole number, but never a zero with a sign.
struct Whole {
    /// It, as a signed integer in two's complement.
    value: Term,
    /// Its magnitude is not greater.
    most: u128,
    /// It may be less than zero.
    negative: bool,
}

impl Pool {
    /// What a sum or product of the parts that take part (`.0` holds) is in every order, if that can be
    /// said with integers.
    pub(crate) fn without_rounding(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        parts: &[(Term, Term)],
    ) -> Option<Term> {
        match op {
            FloatOp::Add => self.whole_sum(format, parts),
            FloatOp::Mul => self.sign_product(format, parts),
            _ => None,
        }
    }

    /// The sum or product of two whole numbers that is one, too, and not rounded.
    pub(super) fn whole_result(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        [a, b]: [Term; 2],
    ) -> Option<Term> {
        match op {
            FloatOp::Add => {
                let all = self.bool(true);
                self.whole_sum(format, &[(all, a), (all, b)])
            }
            FloatOp::Mul => {
                let width = format.width().max(32);
                let [a, b] = [a, b].map(|it| self.whole(format, it, width, DEEPEST));
                let (a, b) = (a?, b?);
                // Zero times a number below zero has a sign.
                let most = a.most.checked_mul(b.most)?;
                if a.negative || b.negative || most > 1 << (format.fraction() + 1) {
                    return None;
                }
                let product = self.binary(Binary::Mul, a.value, b.value);
                Some(self.float(FloatOp::FromUnsigned, format, &[product]))
            }
            _ => None,
        }
    }

    /// No partial sum is beyond what the significand holds. A sum of zero is the one without a sign, as no
    /// part is the other one.
    fn whole_sum(&mut self, format: FloatFormat, parts: &[(Term, Term)]) -> Option<Term> {
        let width = format.width().max(32);
        let limit = 1u128 << (format.fraction() + 1);
        let zero = self.bits(0, width);
        let (mut sum, mut most, mut negative) = (zero, 0, false);
        for &(member, value) in parts {
            let whole = self.whole(format, value, width, DEEPEST)?;
            most += whole.most;
            negative |= whole.negative;
            if most > limit {
                return None;
            }
            let taken = self.ite(member, whole.value, zero);
            sum = self.add(sum, taken);
        }
        let op = if negative { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
        Some(self.float(op, format, &[sum]))
    }

    fn whole(&mut self, format: FloatFormat, term: Term, width: u32, depth: u32) -> Option<Whole> {
        match self.node(term).clone() {
            Node::Bits(bits, _) => {
                let negative = bits & format.sign() != 0;
                let magnitude = format.whole_number(bits & !format.sign())?;
                if negative && magnitude == 0 {
                    return None;
                }
                let value = if negative { magnitude.wrapping_neg() } else { magnitude };
                let value = self.bits(value & ones(width), width);
                Some(Whole { value, most: magnitude, negative })
            }
            Node::Ite(condition, then, otherwise) if depth > 0 => {
                let a = self.whole(format, then, width, depth - 1)?;
                let b = self.whole(format, otherwise, width, depth - 1)?;
                let value = self.ite(condition, a.value, b.value);
                let (most, negative) = (a.most.max(b.most), a.negative || b.negative);
                Some(Whole { value, most, negative })
            }
            Node::Float(FloatOp::FromUnsigned, of, operands) if of == format => {
                let most = self.bound(operands[0]);
                let value = self.resize(operands[0], width);
                (most <= 1 << (format.fraction() + 1)).then_some(Whole {
                    value,
                    most,
                    negative: false,
                })
            }
            _ => None,
        }
    }

    /// A one whose sign is that of an odd number of parts.
    fn sign_product(&mut self, format: FloatFormat, parts: &[(Term, Term)]) -> Option<Term> {
        let mut odd = self.bool(false);
        for &(member, value) in parts {
            let negative = self.negative_one(format, value, DEEPEST)?;
            let taken = self.and(member, negative);
            let same = self.equal(odd, taken);
            odd = self.not(same);
        }
        let [plus, minus] = [format.one(), format.one() | format.sign()]
            .map(|bits| self.bits(bits, format.width()));
        Some(self.ite(odd, minus, plus))
    }

    /// Where a one has a sign.
    fn negative_one(&mut self, format: FloatFormat, term: Term, depth: u32) -> Option<Term> {
        match *self.node(term) {
            Node::Bits(bits, _) if bits & !format.sign() == format.one() => {
                Some(self.bool(bits & format.sign() != 0))
            }
            Node::Ite(condition, then, otherwise) if depth > 0 => {
                let then = self.negative_one(format, then, depth - 1)?;
                let otherwise = self.negative_one(format, otherwise, depth - 1)?;
                Some(self.ite(condition, then, otherwise))
            }
            _ => None,
        }
    }
}

impl FloatFormat {
    /// The whole number that these bits are, if they are one, have no sign, and numbers of that size are
    /// counted one by one.
    pub fn whole_number(self, bits: u128) -> Option<u128> {
        if bits >= self.infinity() {
            return None;
        }
        let number = apply(FloatOp::ToUnsigned(64), self, &[bits], self.width());
        let again = apply(FloatOp::FromUnsigned, self, &[number], 64);
        (number <= 1 << (self.fraction() + 1) && again == bits).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GroundValue, Interpretation, Sort, Symbol};
    use super::*;

    const FORMAT: FloatFormat = FloatFormat::Half;
    /// Whole numbers, zeros, ones with signs, what gets rounded, what is no number.
    const NUMBERS: [u128; 12] =
        [0, 0x8000, 0x3c00, 0xbc00, 0x4000, 0xc200, 0x6400, 0x6800, 0x3800, 0x7c00, 0x7e00, 0x0001];

    /// Conditions by the bits of a number, and a result.
    struct State {
        conditions: Vec<Symbol>,
        bits: u32,
        result: u128,
    }

    impl Interpretation for State {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            match self.conditions.iter().position(|&it| it == symbol) {
                Some(place) => GroundValue::Bool(self.bits >> place & 1 == 1),
                None => GroundValue::Bits(self.result),
            }
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    struct Numbers(usize);

    impl Numbers {
        fn next(&mut self, below: usize) -> usize {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (self.0 >> 33) % below
        }
    }

    /// Sums and products of two values, each a choice or an integer, are what the operation gives.
    #[test]
    fn integers_say_what_operations_give() {
        let mut said = 0;
        for seed in 0..4_000usize {
            let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9));
            let mut pool = Pool::new();
            let mut conditions = Vec::new();
            let operands = [0, 1].map(|_| {
                let bits = [0, 1].map(|_| {
                    let symbol = pool.symbol(format!("c{}", conditions.len()), Sort::Bool);
                    conditions.push(symbol);
                    pool.variable(symbol)
                });
                let list = if numbers.next(4) == 0 { &NUMBERS[..] } else { &NUMBERS[..8] };
                let [a, b] = [0, 1].map(|_| list[numbers.next(list.len())]);
                if numbers.next(3) == 0 {
                    let count = pool.from_bits(bits.to_vec());
                    let low = pool.bits(0, 1 + numbers.next(11) as u32);
                    let count = pool.concat(count, low);
                    let count = pool.resize(count, 32);
                    return pool.float(FloatOp::FromUnsigned, FORMAT, &[count]);
                }
                let (a, b) = (pool.bits(a, 16), pool.bits(b, 16));
                pool.ite(bits[0], a, b)
            });
            let op = [FloatOp::Add, FloatOp::Mul][seed % 2];
            let Some(exact) = pool.whole_result(op, FORMAT, operands) else { continue };
            said += 1;
            for bits in 0..1 << conditions.len() {
                let state = State { conditions: conditions.clone(), bits, result: 0 };
                let values = pool.evaluate(&[operands[0], operands[1], exact], &state);
                let [a, b, exact] = [0, 1, 2].map(|it: usize| values[it].as_bits());
                assert_eq!(exact, apply(op, FORMAT, &[a, b], 16), "{seed}: {a:x} {b:x}");
            }
        }
        assert_eq!(said, 265);
    }

    /// Up to three parts, each under a condition and chosen by another one; the relation as trees, and
    /// the one result that integers say.
    #[test]
    fn integers_say_what_all_trees_give() {
        let (mut said, mut legal) = (0, 0);
        for seed in 0..6_000usize {
            let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9));
            let mut pool = Pool::new();
            let result = pool.fresh("result", Sort::Bits(16));
            let mut conditions = Vec::new();
            let mut condition = |pool: &mut Pool| {
                let symbol = pool.symbol(format!("c{}", conditions.len()), Sort::Bool);
                conditions.push(symbol);
                pool.variable(symbol)
            };
            let op = [FloatOp::Add, FloatOp::Mul][seed % 2];
            let few = if op == FloatOp::Mul { &NUMBERS[2..4] } else { &NUMBERS[..] };
            let mut parts = Vec::new();
            for _ in 0..1 + numbers.next(3) {
                let (member, chosen) = (condition(&mut pool), condition(&mut pool));
                let list = if numbers.next(9) == 0 { &NUMBERS[..] } else { few };
                let [a, b] = [0, 1].map(|_| list[numbers.next(list.len())]);
                let (a, b) = (pool.bits(a, 16), pool.bits(b, 16));
                let value = match numbers.next(4) {
                    0 => {
                        let count = pool.from_bits(vec![member, chosen]);
                        let count = pool.zero_extend(count, 32);
                        pool.float(FloatOp::FromUnsigned, FORMAT, &[count])
                    }
                    _ => pool.ite(chosen, a, b),
                };
                parts.push((member, value));
            }
            let Some(only) = pool.without_rounding(op, FORMAT, &parts) else { continue };
            said += 1;
            let trees = pool.per_lane(op, FORMAT, result, &parts);
            let members: Vec<Term> = parts.iter().map(|(member, _)| *member).collect();
            let any = pool.any(members);
            for bits in 0..1 << conditions.len() {
                for result in NUMBERS {
                    let mut state = State { conditions: conditions.clone(), bits, result };
                    let values = pool.evaluate(&[trees, any, only], &state);
                    if values[1].is_true() {
                        assert_eq!(values[0].is_true(), values[2].as_bits() == result, "{seed}");
                        legal += usize::from(values[0].is_true());
                    }
                    state.result = values[2].as_bits();
                    let values = pool.evaluate(&[trees, any], &state);
                    assert_eq!(values[0], values[1], "{seed}: {:x}", state.result);
                }
            }
        }
        assert_eq!((said, legal), (1733, 26161));
    }
}
