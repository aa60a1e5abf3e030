//! Maps of numbers that keep an order, beside some that do not.

use laneproof_semantics::term::{Binary, Compare, FloatFormat, FloatNote, FloatOp, Term, Toward};

use super::{Builder, FORMAT, FloatCase, LANES, WIDTH};

/// A subnormal number, one that fewer bits round, a NaN, infinities, zeros.
pub(super) const NUMBERS: [u128; 8] = [0, 1, 0x3c01, 0xfe01, 0x8000, 0x8001, 0xbc01, 0x7c00];

/// How numbers are ordered.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Float(FloatFormat),
    /// As bits are, NaNs among them.
    Bits(FloatFormat),
    Integer(Compare),
}

/// What is done to each number.
#[derive(Clone, Copy)]
enum Map {
    Float(FloatOp, Option<u128>),
    Twice,
    Masked(Binary, u128),
    Flipped { set: u128, unset: u128, by_mask: bool },
}

impl FloatCase {
    /// A number of which masks set and clear bits is a NaN, or a zero, or less than nothing.
    pub fn masked(bytes: &[u8]) -> Self {
        const CLEARED: [u128; 5] = [0, 0x0400, 0x7c00, 0x8000, 0x8400];
        const SET: [u128; 6] = [0, 1, 0x0400, 0x3c00, 0x7c01, 0x8000];
        let mut builder = Builder::new(bytes);
        let mut value = builder.held(0);
        for _ in 0..=builder.next(2) {
            let place = usize::from(builder.next(6));
            let (operation, mask) = match CLEARED.get(place).filter(|_| builder.next(2) == 0) {
                Some(cleared) => (Binary::And, !cleared & 0xffff),
                None => (Binary::Or, SET[place]),
            };
            let mask = builder.pool.bits(mask, WIDTH);
            value = builder.pool.binary(operation, value, mask);
        }
        let test = match builder.next(3) {
            0 => builder.pool.is_nan(value, FORMAT),
            1 => builder.is_zero(value),
            _ => {
                let zero = builder.pool.bits(0, WIDTH);
                builder.less_in(FORMAT, value, zero)
            }
        };
        let here = builder.takes_part(0);
        builder.case(vec![here, test], NUMBERS, NUMBERS)
    }

    /// The lesser or the greater of two numbers in the order of all bits, by integers in that order or in
    /// the opposite one, with a mistake now and then: the same twice.
    pub fn by_keys(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let (a, mut b) = (builder.held(0), builder.terms[1]);
        if builder.next(2) == 0 {
            b = builder.held(1);
        }
        let nan = builder.pool.is_nan(a, FORMAT);
        let greatest = builder.next(2) == 0;
        let [one, other] = [false, true].map(|turned| {
            let mistaken = builder.next(4) == 0;
            let (x, y) = if greatest == (turned == mistaken) { (a, b) } else { (b, a) };
            let mut first = builder.less_by_keys([x, y]);
            let [then, otherwise] = if turned { [a, b] } else { [b, a] };
            if builder.next(2) == 0 {
                // Beside a test of the first number, and once more the other way round.
                let number = builder.pool.not(nan);
                let tested = builder.pool.and(number, first);
                first = builder.pool.or(nan, tested);
            }
            builder.pool.ite(first, then, otherwise)
        });
        let same = builder.pool.equal(one, other);
        let differ = builder.pool.not(same);
        let guard =
            if builder.next(2) == 0 { builder.pool.not(nan) } else { builder.takes_part(0) };
        builder.case(vec![guard, differ], NUMBERS, NUMBERS)
    }

    /// Whole numbers beside numbers whose sign is flipped or not, which are the same or neither of which is
    /// less; with a mistake now and then.
    pub fn rounded(bytes: &[u8]) -> Self {
        const WAYS: [[Toward; 2]; 4] = [
            [Toward::Negative, Toward::Positive],
            [Toward::Positive, Toward::Negative],
            [Toward::Even; 2],
            [Toward::Zero; 2],
        ];
        let mut builder = Builder::new(bytes);
        let (a, b) = (builder.held(0), builder.held(1));
        let mut assertions = Vec::new();
        for number in [a, b] {
            let (nan, zero) = (builder.pool.is_nan(number, FORMAT), builder.is_zero(number));
            let excluded = match builder.next(8) {
                0 => zero,
                1 => nan,
                _ => builder.pool.or(nan, zero),
            };
            assertions.push(builder.pool.not(excluded));
        }
        let [way, other] = WAYS[usize::from(builder.next(4))];
        let sign = builder.pool.bits(FORMAT.sign(), WIDTH);
        let whole = |builder: &mut Builder<'_>, way, number| {
            builder.pool.float(FloatOp::Integral(way), FORMAT, &[number])
        };
        let first = whole(&mut builder, way, a);
        if builder.next(2) == 0 {
            let second = whole(&mut builder, other, b);
            for (x, y) in [(first, second), (second, first)] {
                let less = builder.less_in(FORMAT, x, y);
                assertions.push(builder.pool.not(less));
            }
            let same = builder.pool.equal(first, second);
            assertions.push(builder.pool.not(same));
        } else {
            let way = if builder.next(4) == 0 { way } else { other };
            let turned = builder.pool.binary(Binary::Xor, a, sign);
            let turned = whole(&mut builder, way, turned);
            let second = builder.pool.binary(Binary::Xor, turned, sign);
            let same = builder.pool.equal(first, second);
            assertions.push(builder.pool.not(same));
        }
        builder.case(assertions, NUMBERS, NUMBERS)
    }

    /// The extreme of images is the image of the extreme, with a mistake now and then.
    pub fn mapped(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let assertions = builder.known();
        let greatest = builder.next(2) == 0;
        let map = builder.map();
        let (mut order, turns) = builder.order_after(map);
        let mut own = Order::Float(FORMAT);
        if let Order::Float(format) = order
            && builder.next(3) == 0
        {
            (order, own) = (Order::Bits(format), Order::Bits(FORMAT));
        }
        let mistaken = builder.next(8) == 0;
        let values: Vec<Term> = (0..LANES).map(|lane| builder.held(lane)).collect();
        let images: Vec<Term> = values.iter().map(|&value| builder.image(map, value)).collect();
        let first = builder.extreme(order, greatest, &images);
        let before = builder.extreme(own, (greatest != turns) != mistaken, &values);
        let (first, second) = match (map, builder.next(3)) {
            (Map::Float(FloatOp::Convert(wide), _), some @ (0 | 1)) => {
                let (image, number) =
                    if some == 0 { (first, before) } else { (images[0], values[0]) };
                (builder.pool.float(FloatOp::Convert(FORMAT), wide, &[image]), number)
            }
            _ => (first, builder.image(map, before)),
        };
        let mut differ = builder.pool.equal(first, second);
        if builder.pool.width(images[0]) == WIDTH && builder.next(4) == 0 {
            // What is known of a number is not known of its image.
            let nan = builder.pool.is_nan(images[0], FORMAT);
            let zero = builder.is_zero(images[0]);
            let test = builder.pool.or(nan, zero);
            differ = builder.pool.not(test);
        }
        builder.mostly_not(assertions, differ, NUMBERS)
    }
}

impl Builder<'_> {
    fn map(&mut self) -> Map {
        let low = FORMAT.sign() - 1;
        let all = FORMAT.sign() | low;
        let numbers = [0x4000, 0xc000, 0x3800, 0x3c01, 0xb800, 0x7c00, 0];
        match self.next(8) {
            0 => {
                let formats = [FloatFormat::Single, FloatFormat::Double, FloatFormat::Bfloat16];
                Map::Float(FloatOp::Convert(formats[usize::from(self.next(3))]), None)
            }
            1 => {
                let ops = [FloatOp::Mul, FloatOp::Add, FloatOp::Div, FloatOp::Mul];
                let op = ops[usize::from(self.next(4))];
                Map::Float(op, Some(numbers[usize::from(self.next(7))]))
            }
            2 => Map::Float(FloatOp::Mul, Some(numbers[usize::from(self.next(5))])),
            3 => Map::Twice,
            4 => {
                let ways = [Toward::Even, Toward::Negative, Toward::Positive, Toward::Zero];
                Map::Float(FloatOp::Integral(ways[usize::from(self.next(4))]), None)
            }
            5 => match self.next(4) {
                0 => Map::Masked(Binary::Or, FORMAT.sign()),
                1 => Map::Masked(Binary::And, low - 1),
                _ => Map::Masked(Binary::And, low),
            },
            _ => {
                let by_mask = self.next(2) == 0;
                let (set, unset) = match self.next(5) {
                    0 => (low, 0),
                    1 => (FORMAT.sign(), low),
                    2 => (0, low),
                    _ => (all, FORMAT.sign()),
                };
                Map::Flipped { set, unset, by_mask }
            }
        }
    }

    /// The order of the images, and whether the map turns it.
    fn order_after(&mut self, map: Map) -> (Order, bool) {
        match map {
            Map::Float(op, by) => {
                let format = op.gives(FORMAT).unwrap_or(FORMAT);
                let turns = by.is_some_and(|it| it & FORMAT.sign() != 0) && op != FloatOp::Add;
                (Order::Float(format), turns)
            }
            Map::Twice => (Order::Float(FORMAT), false),
            Map::Masked(..) => {
                let orders = [Order::Float(FORMAT), Order::Integer(Compare::Less)];
                (orders[usize::from(self.next(2))], false)
            }
            Map::Flipped { set, unset, .. } if set & unset & FORMAT.sign() == 0 && unset == 0 => {
                (Order::Integer(Compare::LessSigned), false)
            }
            Map::Flipped { set, .. } => (Order::Integer(Compare::Less), set == 0),
        }
    }

    fn image(&mut self, map: Map, value: Term) -> Term {
        match map {
            Map::Float(op, None) => self.pool.float(op, FORMAT, &[value]),
            Map::Float(op, Some(by)) => {
                let by = self.pool.bits(by, WIDTH);
                self.pool.float(op, FORMAT, &[value, by])
            }
            Map::Twice => self.pool.float(FloatOp::Add, FORMAT, &[value, value]),
            Map::Masked(operation, mask) => {
                let mask = self.pool.bits(mask, WIDTH);
                self.pool.binary(operation, value, mask)
            }
            Map::Flipped { set, unset, by_mask: true } => {
                let place = self.pool.bits(u128::from(WIDTH - 1), WIDTH);
                let signs = self.pool.binary(Binary::ShiftRightSigned, value, place);
                let either = self.pool.bits(set ^ unset, WIDTH);
                let mask = self.pool.binary(Binary::And, signs, either);
                let unset = self.pool.bits(unset, WIDTH);
                let mask = self.pool.binary(Binary::Xor, mask, unset);
                self.pool.binary(Binary::Xor, value, mask)
            }
            Map::Flipped { set, unset, by_mask: false } => {
                let sign = self.pool.bits(FORMAT.sign(), WIDTH);
                let signed = self.pool.binary(Binary::And, value, sign);
                let zero = self.pool.bits(0, WIDTH);
                let positive = self.pool.equal(signed, zero);
                let [set, unset] = [set, unset].map(|bits| {
                    let bits = self.pool.bits(bits, WIDTH);
                    self.pool.binary(Binary::Xor, value, bits)
                });
                self.pool.ite(positive, unset, set)
            }
        }
    }

    /// The least or greatest of those that take part.
    pub(super) fn extreme(&mut self, order: Order, greatest: bool, values: &[Term]) -> Term {
        let width = self.pool.width(values[0]);
        let weakest = match (order, greatest) {
            (Order::Float(format) | Order::Bits(format), true) => format.infinity() | format.sign(),
            (Order::Float(format) | Order::Bits(format), false) => format.infinity(),
            (Order::Integer(Compare::LessSigned), true) => 1 << (width - 1),
            (Order::Integer(Compare::LessSigned), false) => (1 << (width - 1)) - 1,
            (Order::Integer(_), true) => 0,
            (Order::Integer(_), false) => (1 << width) - 1,
        };
        self.extreme_beside(weakest, order, greatest, values)
    }

    /// The least or greatest of a number and those that take part.
    pub(super) fn extreme_beside(
        &mut self,
        number: u128,
        order: Order,
        greatest: bool,
        values: &[Term],
    ) -> Term {
        let width = self.pool.width(values[0]);
        let mut extreme = self.pool.bits(number, width);
        for (lane, &value) in (0..).zip(values) {
            let here = self.takes_part(lane);
            let (x, y) = if greatest { (extreme, value) } else { (value, extreme) };
            let outdoes = match order {
                Order::Float(format) => self.less_in(format, x, y),
                Order::Bits(format) => {
                    let keys = [x, y].map(|it| self.key_in(format, it));
                    self.pool.compare(Compare::LessSigned, keys[0], keys[1])
                }
                Order::Integer(relation) => self.pool.compare(relation, x, y),
            };
            let taken = self.pool.and(here, outdoes);
            extreme = self.pool.ite(taken, value, extreme);
        }
        extreme
    }

    /// One number is less than the other in the order of all bits, by integers in that order or the
    /// opposite one.
    pub(super) fn less_by_keys(&mut self, two: [Term; 2]) -> Term {
        let (sign, low) = (FORMAT.sign(), FORMAT.sign() - 1);
        let turned = self.next(2) == 0;
        let (set, unset) = if turned { (sign, sign | low) } else { (low, 0) };
        let map = Map::Flipped { set, unset, by_mask: self.next(2) == 0 };
        let [x, y] = two.map(|it| self.image(map, it));
        let (x, y) = if turned { (y, x) } else { (x, y) };
        self.pool.compare(Compare::LessSigned, x, y)
    }

    /// One number is less than the other.
    pub(super) fn less_in(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let tests = [a, b].map(|it| self.pool.is_nan(it, format));
        let unordered = self.pool.any(tests);
        let ordered = self.pool.not(unordered);
        let keys = [a, b].map(|it| {
            let number = self.pool.number(it);
            self.key_in(format, number)
        });
        let less = self.pool.compare(Compare::LessSigned, keys[0], keys[1]);
        self.pool.and(ordered, less)
    }

    /// The integer that orders numbers.
    pub(super) fn key_in(&mut self, format: FloatFormat, a: Term) -> Term {
        let width = format.width();
        if let Some(bits) = self.pool.bits_of(a) {
            let magnitude = bits & (format.sign() - 1);
            let key = if bits & format.sign() == 0 { magnitude } else { magnitude.wrapping_neg() };
            return self.pool.bits(key, width);
        }
        let magnitude = self.pool.extract(a, width - 2, 0);
        let positive = self.pool.zero_extend(magnitude, width);
        let zero = self.pool.bits(0, width);
        let negative = self.pool.binary(Binary::Sub, zero, positive);
        let place = self.pool.bits(u128::from(width - 1), 32);
        let sign = self.pool.bit(a, place);
        let key = self.pool.ite(sign, negative, positive);
        self.pool.note_float(key, FloatNote::Key(a));
        key
    }
}
