//! What an implementation may have for a part of a formula that it computes by some equivalent
//! one: the terms in another order, taken apart or together.
//!
//! A sum of products of `terms` terms with at most `degree` factors is rounded at most
//! `degree - 1 + terms - 1` times on the way from any factor, whatever the order is. No intermediate
//! sum is greater than the sum of the terms without their signs, which `total` bounds.

use super::enclosure::Enclosure;

/// The numbers that a formula is computed in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    /// How far rounding goes, for a number near 1.
    pub unit: f64,
    /// What is lost where a number is too small: the least normal number, or the least of all.
    pub floor: f64,
    /// No number is greater.
    pub largest: f64,
    /// The greatest number with an inverse that is not subnormal.
    pub inverse: f64,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What it is in real numbers.
    pub exact: Enclosure,
    /// How far its factors together take it from that.
    error: f64,
    total: f64,
    terms: f64,
    degree: f64,
    /// What products and quotients of some of its factors come to.
    factors: Extent,
    /// The same of what it is divided by.
    divisors: Extent,
    /// Of what all terms are multiples, if that is known.
    grid: Option<Grid>,
}

/// How large products of some numbers may be, and how large their inverses.
#[derive(Clone, Copy, Debug)]
struct Extent {
    most: f64,
    inverse: f64,
}

impl Extent {
    const NONE: Self = Self { most: 1.0, inverse: 1.0 };

    /// Of a number between two, without its sign.
    fn of(least: f64, most: f64) -> Self {
        Self { most: up(most.max(1.0)), inverse: up(least.recip().max(1.0)) }
    }

    fn times(self, other: Self) -> Self {
        Self { most: up(self.most * other.most), inverse: up(self.inverse * other.inverse) }
    }
}

/// Exponents of powers of two.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// All terms are multiples of this one.
    unit: i32,
    /// No part of a term's factors has a lower bit than this one.
    least: i32,
}

impl Grid {
    /// Of a number. Zero is a multiple of every power of two.
    fn of(number: f64) -> Option<Self> {
        const BEYOND_ALL: i32 = 1 << 20;
        let bits = number.abs().to_bits();
        let (stored, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
        let unit = match exponent {
            0x7ff => return None,
            0 if stored == 0 => BEYOND_ALL,
            0 => stored.trailing_zeros() as i32 - 1074,
            _ => (stored | 1 << 52).trailing_zeros() as i32 + exponent - 1075,
        };
        Some(Self { unit, least: unit.min(0) })
    }
}

/// The least number of a range, without its sign.
fn nearest_to_zero(range: &Enclosure) -> f64 {
    match range.may_be_zero() {
        true => 0.0,
        false => range.least().abs().min(range.greatest().abs()),
    }
}

/// A little more, for what is rounded here.
fn up(number: f64) -> f64 {
    number * (1.0 + 1e-9)
}

impl Part {
    /// A number that is given, or the result of another function, with its error.
    pub fn new(exact: Enclosure, error: f64) -> Self {
        let total = up(exact.magnitude() + error);
        let factors = Extent::of(nearest_to_zero(&exact.widened(error)), total);
        let divisors = Extent::NONE;
        Self { exact, error, total, terms: 1.0, degree: 1.0, factors, divisors, grid: None }
    }

    /// A number that is given. A sum or product of such numbers may be one that nothing rounds.
    pub fn number(number: f64, lost: f64) -> Self {
        let grid = if lost == 0.0 { Grid::of(number) } else { None };
        Self { grid, ..Self::new(Enclosure::exact(number), lost) }
    }

    pub fn negated(self) -> Self {
        Self { exact: self.exact.negated(), ..self }
    }

    /// Rounded once more than its factors and terms are.
    pub fn rounded(self) -> Self {
        Self { degree: self.degree + 1.0, ..self }
    }

    pub fn plus(&self, other: &Self) -> Self {
        let exact = self.exact.plus(&other.exact);
        // Quotients may be brought to one divisor.
        let divisors = self.divisors.times(other.divisors);
        let [left, right] =
            [self.factors.most * other.divisors.most, other.factors.most * self.divisors.most];
        let sum = Extent::of(nearest_to_zero(&exact), left + right);
        let factors = Extent { inverse: up(sum.inverse * divisors.inverse), ..sum };
        Self {
            exact,
            error: up(self.error + other.error),
            total: up(self.total + other.total),
            terms: self.terms + other.terms,
            degree: self.degree.max(other.degree),
            factors,
            divisors,
            grid: self
                .grid
                .zip(other.grid)
                .map(|(a, b)| Grid { unit: a.unit.min(b.unit), least: a.least.min(b.least) }),
        }
    }

    pub fn times(&self, other: &Self) -> Self {
        let [by_this, by_other] = [self.error * other.total, other.error * self.total];
        Self {
            exact: self.exact.times(&other.exact),
            error: up(by_this + by_other + self.error * other.error),
            total: up(self.total * other.total),
            terms: self.terms * other.terms,
            degree: self.degree + other.degree,
            factors: self.factors.times(other.factors),
            divisors: self.divisors.times(other.divisors),
            // A factor of zero hides how long the others are.
            grid: self.grid.zip(other.grid).filter(|_| self.total > 0.0 && other.total > 0.0).map(
                |(a, b)| Grid {
                    unit: a.unit.saturating_add(b.unit),
                    least: a.least.saturating_add(b.least),
                },
            ),
        }
    }

    /// Each term divided, by a divisor that is computed first; nothing where that may be too small
    /// or too large. A division has an error of some units, and may be a product with the inverse.
    pub fn divided_by(&self, other: &Self, precision: Precision) -> Option<Self> {
        const ROUNDINGS: f64 = 4.0;
        let error = other.deviation(precision)?;
        let divisor = other.exact.widened(error);
        let least = nearest_to_zero(&divisor);
        let beyond = divisor.may_be_zero()
            || least * precision.inverse < 1.0
            || divisor.magnitude() > precision.inverse;
        if beyond {
            return None;
        }
        let inverse = up(1.0 / least);
        let relative = up(error / least);
        let exact = self.exact.divided_by(&other.exact)?;
        let by = Extent { inverse: other.factors.inverse.max(inverse), ..other.factors };
        Some(Self {
            exact,
            error: up((self.error + relative * self.total) * inverse),
            total: up(self.total * inverse * (1.0 + relative)),
            terms: self.terms,
            degree: self.degree + ROUNDINGS,
            factors: self.factors.times(other.divisors),
            divisors: self.divisors.times(by),
            grid: None,
        })
    }

    /// What a loss in one factor is multiplied by, at most.
    fn scale(&self) -> f64 {
        up(self.factors.most * self.divisors.inverse)
    }

    /// How far it may be from what it is in real numbers; nothing where a sum or a product of some
    /// factors may be beyond all numbers, or a product of divisors too small or too large.
    pub fn deviation(&self, precision: Precision) -> Option<f64> {
        if self.is_exact(precision) {
            return Some(self.error);
        }
        let rounded = self.degree + self.terms - 2.0;
        let total = up(self.total + self.error);
        let share = (rounded * precision.unit).exp_m1();
        let scale = self.scale();
        let most = total.max(scale) * (1.0 + share);
        let divisors = self.divisors.most.max(self.divisors.inverse) * (1.0 + share);
        let divides = self.divisors.most.max(self.divisors.inverse) > 1.0;
        let beyond = divides && (divisors.is_nan() || divisors > precision.inverse);
        if beyond || most.is_nan() || most >= precision.largest {
            return None;
        }
        let lost = up(rounded * precision.floor * scale * (1.0 + share));
        Some(up(self.error * (1.0 + share) + share * total + lost))
    }

    /// Whether no order rounds anything. Factors have no more significant bits than their products, and
    /// partial sums no more than the sum of the terms without their signs.
    fn is_exact(&self, precision: Precision) -> bool {
        let power = |exponent: i32| 2.0_f64.powi(exponent);
        self.grid.is_some_and(|grid| {
            self.total * precision.unit <= power(grid.unit)
                && power(grid.least) >= precision.floor
                && self.scale() < precision.largest
        })
    }

    /// All that a result may be: what was not combined with anything may be beyond all numbers.
    pub fn results(&self, precision: Precision) -> Option<Enclosure> {
        match self.degree + self.terms > 2.0 {
            true => self.numbers(precision),
            false => Some(self.exact.widened(self.error)),
        }
    }

    /// All that it may be.
    pub fn numbers(&self, precision: Precision) -> Option<Enclosure> {
        Some(self.exact.widened(self.deviation(precision)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINGLE: Precision = Precision {
        unit: 1.1920929e-7,
        floor: 1.1754944e-38,
        largest: f32::MAX as f64,
        inverse: 8.507059e37,
    };

    #[test]
    fn sums_in_another_order_stay_in_the_range() {
        let numbers = [1.0e7_f32, -1.0e7, 0.3, 1.25e-3, 77.7];
        let parts = numbers.map(|it| Part::new(Enclosure::exact(f64::from(it)), 0.0));
        let sum = parts.iter().skip(1).fold(parts[0].clone(), |sum, it| sum.plus(it));
        let Some(range) = sum.numbers(SINGLE) else { panic!("a sum that is not too large") };
        for first in 0..5 {
            for step in 1..5 {
                let order = (0..5).map(|at| numbers[(first + at * step) % 5]);
                let found = f64::from(order.fold(0.0, |sum, it| sum + it));
                assert!(range.least() <= found && found <= range.greatest(), "{found}");
            }
        }
        assert!(range.greatest() - range.least() < 100.0);
    }

    #[test]
    fn what_nothing_rounds_has_one_result() {
        let [one, two, odd, least] =
            [1.0, 2.0, 4_194_303.0, 2.0_f64.powi(-124)].map(|it| Part::number(it, 0.0));
        let exact = [
            one.plus(&two),
            odd.plus(&one.clone().negated()),
            two.times(&odd).plus(&one.clone().negated()),
            odd.times(&two).times(&two),
            least.times(&two),
        ];
        for part in exact {
            assert_eq!(part.deviation(SINGLE), Some(0.0), "{part:?}");
        }
        let third = Part::number(f64::from(1.0_f32 / 3.0), 0.0);
        let rounded = [
            third.plus(&one),
            odd.times(&odd),
            two.times(&two).times(&odd).plus(&one),
            Part::number(1.125, 0.0).times(&least).plus(&least.clone().negated()),
            least.times(&third).times(&Part::number(3.0e38, 0.0)),
            Part::new(Enclosure::exact(1.0), 1e-9).plus(&two),
            third.plus(&odd).times(&Part::number(0.0, 0.0)).plus(&one),
        ];
        for part in rounded {
            assert!(part.deviation(SINGLE).is_none_or(|it| it > 0.0), "{part:?}");
        }
    }

    #[test]
    fn a_divisor_that_may_be_zero_has_no_range() {
        let [a, b] = [1.0, 1.0].map(|it| Part::new(Enclosure::exact(it), 1e-6));
        let difference = a.plus(&b.clone().negated());
        assert!(a.divided_by(&difference, SINGLE).is_none());
        assert!(a.divided_by(&b, SINGLE).is_some());
    }
}
