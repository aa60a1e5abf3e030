//! Sums of whole numbers in some order, and integers that become numbers and integers again.

use laneproof_semantics::term::{Compare, FloatOp, Term};

use super::{Builder, FORMAT, FloatCase, LANES, WIDTH};

/// Width of the sums.
const WIDE: u32 = 32;
/// Integers, some of which fewer bits round.
const INTEGERS: [u128; 8] = [0, 1, 2, 3, 1024, 2047, 2048, 2049];
/// What some of them add up to, as numbers.
const SUMS: [u128; 8] = [0, 0x3c00, 0x4000, 0x4200, 0x6400, 0x6800, 0x8000, 0x6801];
/// Bounds, of which some are too large for sums.
const BOUNDS: [u128; 6] = [2, 3, 4, 1025, 2048, 0x7fff];

impl FloatCase {
    /// A sum of any integers, as numbers and in some order: each may be rounded.
    pub fn rounded_sum() -> Self {
        let mut builder = Builder::new(&[]);
        let mut parts = Vec::new();
        let mut sum = builder.pool.bits(0, WIDE);
        for lane in 0..LANES {
            let (value, here) = (builder.held(lane), builder.takes_part(lane));
            parts.push((here, builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[value])));
            let value = builder.pool.zero_extend(value, WIDE);
            sum = builder.pool.add(sum, value);
        }
        let mut assertions: Vec<Term> = parts.iter().map(|(here, _)| *here).collect();
        let [result, _] = builder.terms;
        assertions.push(builder.pool.any_order(FloatOp::Add, FORMAT, result, &parts));
        let whole = builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[sum]);
        let same = builder.pool.equal(result, whole);
        assertions.push(builder.pool.not(same));
        builder.case(assertions, INTEGERS, SUMS)
    }

    /// One bit of an integer as a number, where the integer is bounded.
    pub fn bit_of_converted(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let mut assertions = builder.bounds();
        let value = builder.held(0);
        let number = builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[value]);
        let place = u128::from(builder.next(WIDTH as u8));
        let place = builder.pool.bits(place, WIDTH);
        let bit = builder.pool.bit(number, place);
        let expected = builder.next(2) == 0;
        let expected = builder.pool.bool(expected);
        assertions.extend([builder.takes_part(0), builder.pool.equal(bit, expected)]);
        builder.case(assertions, INTEGERS, SUMS)
    }

    /// What some lanes hold, as numbers added one after the other, and the sum of the integers as one; with
    /// a mistake now and then.
    pub fn added(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let mut assertions = builder.bounds();
        let start = u128::from(builder.next(2));
        let [mut number, mut integer] = [
            builder.pool.bits([0, FORMAT.one()][start as usize], WIDTH),
            builder.pool.bits(start, WIDE),
        ];
        for _ in 0..=builder.next(3) {
            let lane = u32::from(builder.next(LANES as u8));
            let (value, here) = (builder.held(lane), builder.takes_part(lane));
            let zero = [WIDTH, WIDE].map(|width| builder.pool.bits(0, width));
            let mut own = builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[value]);
            let mut wide = builder.pool.zero_extend(value, WIDE);
            let way = builder.next(3);
            if way == 0 {
                own = builder.pool.ite(here, own, zero[0]);
                wide = builder.pool.ite(here, wide, zero[1]);
            }
            let sum = builder.pool.float(FloatOp::Add, FORMAT, &[number, own]);
            let all = builder.pool.add(integer, wide);
            if way == 1 {
                number = builder.pool.ite(here, sum, number);
                let forgotten = builder.next(8) == 0;
                integer = if forgotten { all } else { builder.pool.ite(here, all, integer) };
            } else {
                (number, integer) = (sum, all);
            }
        }
        let whole = builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[integer]);
        let (first, second) = match builder.next(2) {
            0 => (builder.back(number), integer),
            _ => (number, whole),
        };
        let same = builder.pool.equal(first, second);
        assertions.push(builder.pool.not(same));
        let lanes = [builder.takes_part(0), builder.takes_part(1)];
        if builder.next(2) == 0 {
            assertions.extend(lanes);
        }
        builder.case(assertions, INTEGERS, SUMS)
    }

    /// The sum of the integers that take part as numbers, with a mistake now and then.
    pub fn summed(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let mut assertions = builder.bounds();
        let lanes = [builder.takes_part(0), builder.takes_part(1)];
        let (relation, sum) = builder.sum();
        let result_term = builder.terms[0];
        let number = builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[sum]);
        let (first, second) = match builder.next(4) {
            0 => {
                let value = builder.held(0);
                let number = builder.pool.float(FloatOp::FromUnsigned, FORMAT, &[value]);
                (builder.back(number), builder.pool.zero_extend(value, WIDE))
            }
            1 => (builder.back(result_term), sum),
            _ => (result_term, number),
        };
        let mut differ = builder.pool.equal(first, second);
        if builder.next(8) != 0 {
            differ = builder.pool.not(differ);
        }
        let guard = builder.guard(lanes);
        assertions.extend([relation, guard, differ]);
        builder.case(assertions, INTEGERS, SUMS)
    }
}

impl Builder<'_> {
    fn back(&mut self, number: Term) -> Term {
        let op = match self.next(2) {
            0 => FloatOp::ToUnsigned(WIDE),
            _ => FloatOp::ToSigned(WIDE),
        };
        self.pool.float(op, FORMAT, &[number])
    }

    /// What the integers are at most, mostly where they take part.
    fn bounds(&mut self) -> Vec<Term> {
        let mut all = Vec::new();
        let bound = BOUNDS[usize::from(self.next(6))];
        for lane in 0..LANES {
            let (value, here) = (self.held(lane), self.takes_part(lane));
            let limit = self.pool.bits(bound, WIDTH);
            let small = self.pool.compare(Compare::Less, value, limit);
            let absent = self.pool.not(here);
            all.push(match self.next(8) {
                0 => small,
                1 => self.pool.bool(true),
                _ => self.pool.or(absent, small),
            });
        }
        all
    }

    /// The result is the sum in some order, and the sum of the integers.
    fn sum(&mut self) -> (Term, Term) {
        let zero = self.pool.bits(0, WIDE);
        let (mut parts, mut sum) = (Vec::new(), zero);
        // Beyond a few parts not every tree is a term.
        let count = if self.next(3) == 0 { 5 } else { LANES };
        let mistake = self.next(12);
        for place in 0..count {
            let (value, here) = (self.held(place % LANES), self.takes_part(place % LANES));
            let mut number = self.pool.float(FloatOp::FromUnsigned, FORMAT, &[value]);
            let mut integer = self.pool.zero_extend(value, WIDE);
            match self.next(8) {
                0 => {
                    let bits = if mistake == 0 { FORMAT.sign() } else { 0 };
                    let (nothing, by) = (self.pool.bits(bits, WIDTH), self.takes_part(0));
                    number = self.pool.ite(by, number, nothing);
                    integer = self.pool.ite(by, integer, zero);
                }
                1 => {
                    number = self.pool.bits(FORMAT.one(), WIDTH);
                    integer = self.pool.bits(1, WIDE);
                }
                _ => {}
            }
            parts.push((here, number));
            let taken = if mistake == 1 { integer } else { self.pool.ite(here, integer, zero) };
            sum = self.pool.add(sum, taken);
        }
        let [result, _] = self.terms;
        let mut relation = self.pool.any_order(FloatOp::Add, FORMAT, result, &parts);
        match self.next(4) {
            0 => {
                let zero = self.pool.bits(0, WIDTH);
                let mut all = vec![self.pool.equal(result, zero)];
                let negative = self.pool.bits(FORMAT.sign(), WIDTH);
                for (member, value) in parts {
                    let same = self.pool.equal(value, negative);
                    let absent = self.pool.not(member);
                    all.push(self.pool.or(absent, same));
                }
                let shows = self.pool.all(all);
                relation = self.pool.or(relation, shows);
            }
            1 => {
                let here = self.takes_part(1);
                relation = self.pool.or(relation, here);
            }
            _ => {}
        }
        (relation, sum)
    }
}
