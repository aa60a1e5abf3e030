//! Random terms about sets of lanes and what each lane holds.

use laneproof_semantics::term::{Binary, Compare, Pool, Scan, Symbol, Term};

use crate::{LANES, WIDTH};

/// Builds terms as bytes say.
pub struct Builder<'b> {
    pub pool: Pool,
    pub member: Symbol,
    pub payload: Symbol,
    pub shared: Term,
    pub bytes: std::slice::Iter<'b, u8>,
    /// The one operation of a small case.
    pub only: Option<Binary>,
}

impl Builder<'_> {
    pub fn next(&mut self, choices: u8) -> u8 {
        self.bytes.next().copied().unwrap_or(0) % choices
    }

    pub fn lane(&mut self) -> Term {
        let lane = self.next(LANES as u8);
        self.pool.bits(u128::from(lane), 32)
    }

    pub fn truth(&mut self, depth: u32) -> Term {
        if depth == 0 {
            let lane = self.lane();
            return self.pool.apply(self.member, lane);
        }
        match self.next(10) {
            0 => {
                let a = self.truth(depth - 1);
                self.pool.not(a)
            }
            1 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                self.pool.and(a, b)
            }
            2 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                self.pool.or(a, b)
            }
            3 | 4 => {
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                self.pool.equal(a, b)
            }
            5 => {
                let relation = self.relation();
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                self.pool.compare(relation, a, b)
            }
            6 => {
                let (a, lane) = (self.mask(depth - 1), self.lane());
                self.pool.bit(a, lane)
            }
            7 => {
                let (a, b) = (self.mask(depth - 1), self.mask(depth - 1));
                self.pool.equal(a, b)
            }
            8 => self.about_a_place(depth - 1),
            _ => self.truth(0),
        }
    }

    /// What the first or the last bit of a vector is, or a bit some places above it.
    pub fn about_a_place(&mut self, depth: u32) -> Term {
        let mask = self.mask(depth);
        let scan = [Scan::Lowest, Scan::Highest][usize::from(self.next(2))];
        let place = self.pool.scan(scan, mask);
        let (above, number) = (u128::from(self.next(3)), u128::from(self.next(6)));
        let above = self.pool.bits(above, 32);
        let place = self.pool.binary(Binary::Add, place, above);
        if self.next(2) == 0 {
            let number = self.pool.bits(number, 32);
            return self.pool.equal(place, number);
        }
        let other = self.mask(depth);
        self.pool.bit(other, place)
    }

    pub fn relation(&mut self) -> Compare {
        [Compare::Less, Compare::LessEqual, Compare::LessSigned, Compare::LessEqualSigned]
            [usize::from(self.next(4))]
    }

    /// A vector of 4 bits of which the lower ones say which lanes take part.
    pub fn mask(&mut self, depth: u32) -> Term {
        if depth == 0 || self.next(3) == 0 {
            let none = self.pool.bool(false);
            let mut bits = Vec::new();
            for lane in 0..LANES {
                let lane = self.pool.bits(u128::from(lane), 32);
                bits.push(self.pool.apply(self.member, lane));
            }
            bits.push(none);
            return self.pool.from_bits(bits);
        }
        let (a, b) = (self.mask(depth - 1), self.mask(depth - 1));
        match self.next(6) {
            0 => self.pool.binary(Binary::And, a, b),
            1 => {
                let one = self.pool.bits(1, 4);
                self.pool.binary(Binary::Sub, a, one)
            }
            2 => {
                let count = self.pool.scan(Scan::Count, a);
                self.pool.extract(count, 3, 0)
            }
            3 => {
                let lowest = self.pool.scan(Scan::Lowest, a);
                self.pool.extract(lowest, 3, 0)
            }
            4 => self.pool.binary(Binary::Xor, a, b),
            _ => {
                let one = self.pool.bits(1, 4);
                self.pool.binary(Binary::ShiftLeft, a, one)
            }
        }
    }

    pub fn payload(&mut self, depth: u32) -> Term {
        if let Some(only) = self.only {
            return self.narrow(only, depth);
        }
        if depth == 0 {
            return match self.next(4) {
                0 => self.shared,
                1 => {
                    let value = u128::from(self.next(4));
                    self.pool.bits(value, WIDTH)
                }
                _ => {
                    let lane = self.lane();
                    self.pool.apply(self.payload, lane)
                }
            };
        }
        match self.next(11) {
            9 => self.looked_up(depth),
            10 => {
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                let sum = self.pool.binary(Binary::Add, a, b);
                let wide = self.pool.zero_extend(sum, 4);
                self.pool.extract(wide, 2, 1)
            }
            0 | 1 => {
                let condition = self.truth(depth - 1);
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                self.pool.ite(condition, a, b)
            }
            2..=4 => {
                let operation = [
                    Binary::Add,
                    Binary::Sub,
                    Binary::Mul,
                    Binary::And,
                    Binary::Or,
                    Binary::Xor,
                    Binary::ShiftLeft,
                    Binary::ShiftRight,
                    Binary::ShiftRightSigned,
                ][usize::from(self.next(9))];
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                self.pool.binary(operation, a, b)
            }
            5 => {
                let relation = self.relation();
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                let first = self.pool.compare(relation, a, b);
                self.pool.ite(first, a, b)
            }
            6 => {
                let a = self.payload(depth - 1);
                self.pool.bit_not(a)
            }
            7 => {
                let (a, b) = (self.payload(depth - 1), self.payload(depth - 1));
                let wide = match self.next(3) {
                    0 => self.pool.zero_extend(a, 4),
                    1 => self.pool.sign_extend(a, 4),
                    _ => self.pool.concat(a, b),
                };
                let low = u32::from(self.next(3));
                self.pool.extract(wide, low + 1, low)
            }
            _ => {
                let mask = self.mask(depth - 1);
                self.pool.extract(mask, 1, 0)
            }
        }
    }

    /// A payload by few operations of few operands: two of them are the same more often.
    pub fn narrow(&mut self, only: Binary, depth: u32) -> Term {
        if depth == 0 {
            let lane = u128::from(self.next(3) / 2);
            let lane = self.pool.bits(lane, 32);
            return match self.next(4) {
                0 => {
                    let value = u128::from(self.next(4));
                    self.pool.bits(value, WIDTH)
                }
                _ => self.pool.apply(self.payload, lane),
            };
        }
        match self.next(8) {
            0 => {
                let condition = self.truth(0);
                let (a, b) = (self.narrow(only, depth - 1), self.narrow(only, depth - 1));
                self.pool.ite(condition, a, b)
            }
            1 => {
                let a = self.narrow(only, depth - 1);
                self.pool.bit_not(a)
            }
            2 => {
                let a = self.narrow(only, depth - 1);
                let wide = self.pool.zero_extend(a, 4);
                self.pool.extract(wide, 2, 1)
            }
            3 => self.looked_up(depth),
            _ => {
                let (a, b) = (self.narrow(only, depth - 1), self.narrow(only, depth - 1));
                self.pool.binary(only, a, b)
            }
        }
    }

    /// A value of 4 bits: payloads in its parts, the least or greatest of some, sums.
    pub fn wide(&mut self, depth: u32) -> Term {
        if depth == 0 || self.next(6) == 0 {
            let a = self.simple();
            return match self.next(4) {
                0 => {
                    let b = self.simple();
                    self.pool.concat(a, b)
                }
                1 => {
                    let wide = self.pool.zero_extend(a, 4);
                    let two = self.pool.bits(2, 4);
                    self.pool.binary(Binary::ShiftLeft, wide, two)
                }
                2 => self.pool.sign_extend(a, 4),
                _ => self.pool.zero_extend(a, 4),
            };
        }
        match self.next(8) {
            0..=2 => {
                let (a, b) = (self.wide(depth - 1), self.wide(depth - 1));
                let relation = self.relation();
                let first = self.pool.compare(relation, a, b);
                if self.next(2) == 0 {
                    self.pool.ite(first, a, b)
                } else {
                    self.pool.ite(first, b, a)
                }
            }
            3 => {
                let (a, b) = (self.wide(depth - 1), self.wide(depth - 1));
                let operation = [Binary::Add, Binary::Or][usize::from(self.next(2))];
                self.pool.binary(operation, a, b)
            }
            4 => {
                let (value, bits) = (self.wide(depth - 1), self.next(3));
                let (operation, bits) = match bits {
                    0 => (Binary::Xor, 8),
                    1 => (Binary::Add, 8),
                    _ => (Binary::And, 3),
                };
                let bits = self.pool.bits(bits, 4);
                self.pool.binary(operation, value, bits)
            }
            5 => {
                let (low, value) = (u32::from(self.next(3)), self.wide(depth - 1));
                let part = self.pool.extract(value, low + 1, low);
                self.pool.zero_extend(part, 4)
            }
            _ => {
                let condition = self.truth(0);
                let (a, b) = (self.wide(depth - 1), self.wide(depth - 1));
                self.pool.ite(condition, a, b)
            }
        }
    }

    /// It or, more often, the opposite.
    pub fn mostly_not(&mut self, truth: Term) -> Term {
        if self.next(4) == 0 { truth } else { self.pool.not(truth) }
    }

    /// A payload of few lanes, or a number.
    pub fn simple(&mut self) -> Term {
        match self.next(6) {
            0 => {
                let value = u128::from(self.next(4));
                self.pool.bits(value, WIDTH)
            }
            1 => self.shared,
            _ => self.payload(0),
        }
    }

    /// Payloads are small where their lanes take part, or in all lanes.
    pub fn small_payloads(&mut self) -> Term {
        let (limit, everywhere) = (u128::from(self.next(3)) + 1, self.next(3) == 0);
        let mut all = Vec::new();
        for lane in 0..LANES {
            let lane = self.pool.bits(u128::from(lane), 32);
            let (here, value) =
                (self.pool.apply(self.member, lane), self.pool.apply(self.payload, lane));
            let limit = self.pool.bits(limit, WIDTH);
            let small = self.pool.less_equal(value, limit);
            let absent = self.pool.not(here);
            let one = if everywhere { small } else { self.pool.or(absent, small) };
            all.push(one);
        }
        self.pool.all(all)
    }

    /// Whether a sum of all that lanes hold is the sum of its parts.
    pub fn sums_by_parts(&mut self) -> Term {
        let lanes: Vec<Term> =
            (0..LANES).map(|lane| self.pool.bits(u128::from(lane), 32)).collect();
        // Counts as they are, or few bits.
        let (counts, more) = (self.next(2) == 0, u32::from(self.next(2)));
        let width = if counts { 32 } else { 4 + more };
        let shifted = u32::from(self.next(3));
        let zero = self.pool.bits(0, width);
        // Mistakes: all parts at the lowest place, or the high ones left out.
        let mistake = self.next(6);
        let (mut whole, mut parts) = (zero, zero);
        for place in 0..WIDTH {
            let mut ballot = Vec::new();
            for &lane in &lanes {
                let here = self.pool.apply(self.member, lane);
                let value = self.pool.apply(self.payload, lane);
                let mask = self.pool.bits(1 << place, WIDTH);
                let (kept, none) =
                    (self.pool.binary(Binary::And, value, mask), self.pool.bits(0, WIDTH));
                let clear = self.pool.equal(kept, none);
                let bit = self.pool.not(clear);
                ballot.push(self.pool.and(here, bit));
                let part = self.pool.extract(value, place, place);
                let part = self.pool.zero_extend(part, width);
                let part = self.pool.ite(here, part, zero);
                let places = if mistake == 0 { 0 } else { place };
                let places = u128::from(places) + u128::from(self.next(24) == 0);
                let places = self.pool.bits(places, width);
                let part = self.pool.binary(Binary::ShiftLeft, part, places);
                if !counts {
                    parts = self.pool.binary(Binary::Add, parts, part);
                }
                if place == 0 {
                    let value = self.pool.zero_extend(value, width);
                    let value = self.pool.ite(here, value, zero);
                    whole = self.pool.binary(Binary::Add, whole, value);
                }
            }
            if counts && (mistake != 1 || place == 0) {
                let ballot = self.pool.from_bits(ballot);
                let count = self.pool.scan(Scan::Count, ballot);
                let places = self.pool.bits(u128::from(place), width);
                let count = self.pool.binary(Binary::ShiftLeft, count, places);
                parts = self.pool.binary(Binary::Add, parts, count);
            }
        }
        // Sums in few bits, extended and shifted so far that what is above them is lost, or not.
        let low = width - shifted;
        let (narrow, mut exact) = (self.pool.extract(whole, low - 1, 0), parts);
        let mut sum = self.pool.zero_extend(narrow, width);
        let kept = shifted.saturating_sub(u32::from(self.next(4) == 0));
        for value in [&mut sum, &mut exact] {
            let places = self.pool.bits(u128::from(kept), width);
            *value = self.pool.binary(Binary::ShiftLeft, *value, places);
        }
        self.pool.equal(sum, exact)
    }

    /// A quotient or remainder by a number, and what it is of: of a place of a bit, or of a payload.
    pub fn about_a_quotient(&mut self) -> [Term; 2] {
        let operation = [Binary::DivUnsigned, Binary::RemUnsigned][usize::from(self.next(2))];
        let value = match self.next(2) {
            0 => {
                let mask = self.mask(1);
                self.pool.scan(Scan::Lowest, mask)
            }
            _ => self.payload(0),
        };
        let width = self.pool.width(value);
        let by = u128::from(self.next(2)) + 2;
        let by = self.pool.bits(by, width);
        let quotient = self.pool.binary(operation, value, by);
        [quotient, value].map(|it| {
            let number = u128::from(self.next(4));
            let number = self.pool.bits(number, width);
            self.pool.equal(it, number)
        })
    }

    /// The lesser of a number and a sum that is there in some states only, state by state, with a
    /// mistake now and then.
    pub fn about_a_guarded_sum(&mut self) -> Term {
        let (a, b) = (self.payload(0), self.payload(0));
        let sum = self.pool.binary(Binary::Add, a, b);
        let numbers = [self.next(4), self.next(4)];
        let [otherwise, limit] = numbers.map(|number| self.pool.bits(u128::from(number), WIDTH));
        let here = self.truth(0);
        let value = self.pool.ite(here, sum, otherwise);
        let lesser = |builder: &mut Self, value| {
            let less = builder.pool.less(value, limit);
            builder.pool.ite(less, value, limit)
        };
        let least = lesser(self, value);
        let (there, elsewhere) = (lesser(self, sum), lesser(self, otherwise));
        let elsewhere = if self.next(3) == 0 { limit } else { elsewhere };
        let apart = self.pool.ite(here, there, elsewhere);
        let equal = self.pool.equal(least, apart);
        self.pool.not(equal)
    }

    /// Two wide values compared, or parts of them.
    pub fn about_wide(&mut self, depth: u32) -> Term {
        let (mut a, mut b) = (self.wide(depth), self.wide(depth));
        if self.next(2) == 0 {
            let low = u32::from(self.next(3));
            (a, b) = (self.pool.extract(a, low + 1, low), self.pool.extract(b, low + 1, low));
        }
        let truth = match self.next(2) {
            0 => self.pool.equal(a, b),
            _ => {
                let relation = self.relation();
                self.pool.compare(relation, a, b)
            }
        };
        if self.next(2) == 0 { self.pool.not(truth) } else { truth }
    }

    /// Of a payload, under conditions, that it is another value or small.
    pub fn about_one(&mut self) -> Term {
        let (conditions, a) = ((self.truth(0), self.truth(1)), self.payload(0));
        let known = match self.next(3) {
            0 => {
                let limit = u128::from(self.next(4));
                let limit = self.pool.bits(limit, WIDTH);
                let relation = [Compare::Less, Compare::LessEqual][usize::from(self.next(2))];
                match self.next(3) {
                    0 => {
                        let above = self.pool.compare(relation, limit, a);
                        self.pool.not(above)
                    }
                    _ => self.pool.compare(relation, a, limit),
                }
            }
            _ => {
                let b = self.payload(1);
                self.pool.equal(a, b)
            }
        };
        let (not_here, not_there) = (self.pool.not(conditions.0), self.pool.not(conditions.1));
        let within = if self.next(2) == 0 { not_there } else { self.pool.bool(false) };
        let implied = self.pool.or(not_here, known);
        self.pool.or(within, implied)
    }

    /// One of some payloads, by a number that is computed.
    pub fn looked_up(&mut self, depth: u32) -> Term {
        let place = self.mask(depth - 1);
        let mut found = self.payload(depth - 1);
        for number in 0..=u128::from(self.next(4)) {
            let number = self.pool.bits(number, 4);
            let here = self.pool.equal(place, number);
            let payload = self.payload(depth.saturating_sub(2));
            found = self.pool.ite(here, payload, found);
        }
        found
    }
}
