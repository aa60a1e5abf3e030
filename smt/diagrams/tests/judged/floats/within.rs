//! Numbers within limits that are assumed.

use laneproof_semantics::term::{Compare, Term};

use super::maps::{NUMBERS, Order};
use super::{Builder, FORMAT, FloatCase, LANES};

impl FloatCase {
    /// The extreme of a number and of numbers that are assumed to be above or below others, and the
    /// extreme without the number or beside another one.
    pub fn within(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let order = [Order::Float(FORMAT), Order::Integer(Compare::LessSigned)];
        let order = order[usize::from(builder.next(2))];
        let above = builder.next(2) == 0;
        let mut assertions = Vec::new();
        for lane in 0..LANES {
            let (value, limit) = (builder.held(lane), builder.limit());
            let [a, b] =
                if above != (builder.next(8) == 0) { [limit, value] } else { [value, limit] };
            let within = builder.in_order(order, [a, b]);
            // The limit may hold where another lane takes part.
            let other = u32::from(builder.next(2));
            let here = builder.takes_part((lane + other) % LANES);
            let elsewhere = builder.pool.not(here);
            let within = match builder.next(3) {
                0 => within,
                _ => builder.pool.or(elsewhere, within),
            };
            assertions.push(within);
        }
        let greatest = above != (builder.next(4) == 0);
        let values: Vec<Term> = (0..LANES).map(|lane| builder.held(lane)).collect();
        let start = NUMBERS[usize::from(builder.next(8))];
        let first = builder.extreme_beside(start, order, greatest, &values);
        let same = match builder.next(4) {
            0 => {
                let limit = builder.limit();
                builder.in_order(order, [first, limit])
            }
            1 => {
                let other = NUMBERS[usize::from(builder.next(8))];
                let second = builder.extreme_beside(other, order, greatest, &values);
                builder.pool.equal(first, second)
            }
            _ => {
                let second = builder.extreme(order, greatest, &values);
                builder.pool.equal(first, second)
            }
        };
        builder.mostly_not(assertions, same, NUMBERS)
    }
}

impl Builder<'_> {
    fn limit(&mut self) -> Term {
        let number = NUMBERS[usize::from(self.next(8))];
        self.pool.bits(number, FORMAT.width())
    }

    /// One is less than the other, or not greater.
    fn in_order(&mut self, order: Order, [a, b]: [Term; 2]) -> Term {
        let strict = self.next(2) == 0;
        let [a, b] = if strict { [a, b] } else { [b, a] };
        let less = match order {
            Order::Integer(relation) => self.pool.compare(relation, a, b),
            Order::Float(format) | Order::Bits(format) => self.less_in(format, a, b),
        };
        // A NaN is in no order: that the other is not less may be for that.
        if strict { less } else { self.pool.not(less) }
    }
}
