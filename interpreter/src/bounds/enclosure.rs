//! Real numbers, enclosed between two of many digits.

use std::cell::RefCell;

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};

/// How many bits the ends have: products of two numbers of double precision are exact in them.
const PRECISION: usize = 192;

/// Far below whatever a format tells from zero.
const TINY: i32 = -100_000;

thread_local! {
    /// Digits of constants that functions share; nothing where there was no memory for them.
    static CONSTANTS: RefCell<Option<Consts>> = RefCell::new(Consts::new().ok());
}

/// All numbers from one to another, in which a real number lies.
#[derive(Clone, Debug)]
pub(super) struct Enclosure {
    low: BigFloat,
    high: BigFloat,
}

/// A function that is computed to some bits, rounded as requested.
pub(super) type Computed = fn(&BigFloat, usize, RoundingMode, &mut Consts) -> BigFloat;

impl Enclosure {
    /// A number of a format.
    pub fn exact(number: f64) -> Self {
        // The library takes subnormal numbers for half of what they are.
        const SCALE: i32 = 200;
        let number = if number.is_subnormal() {
            let scale = BigFloat::from_f64(2.0_f64.powi(-SCALE), PRECISION);
            let number = BigFloat::from_f64(number * 2.0_f64.powi(SCALE), PRECISION);
            number.mul(&scale, PRECISION, RoundingMode::None)
        } else {
            BigFloat::from_f64(number, PRECISION)
        };
        Self { low: number.clone(), high: number }
    }

    /// Half the circumference of the unit circle.
    pub fn pi() -> Option<Self> {
        with_constants(|constants| Self {
            low: constants.pi(PRECISION, RoundingMode::Down),
            high: constants.pi(PRECISION, RoundingMode::Up),
        })
    }

    /// A decimal number.
    pub fn decimal(text: &str) -> Option<Self> {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent = exponent.parse::<i32>().ok()?.checked_sub(part.len() as i32)?;
        let whole = format!("{whole}{part}").parse::<u64>().ok()? as f64;
        if whole >= 2.0_f64.powi(53) {
            return None;
        }
        let scale = Self::exact(10.0).power(exponent.abs())?;
        let whole = Self::exact(whole);
        if exponent < 0 { whole.divided_by(&scale) } else { Some(whole.times(&scale)) }
    }

    /// All numbers between two others, as they come.
    pub fn between(low: &Self, high: &Self) -> Self {
        Self { low: low.low.min(&high.low), high: low.high.max(&high.high) }
    }

    /// It is one number, and that is zero.
    pub fn is_zero(&self) -> bool {
        self.low.is_zero() && self.high.is_zero()
    }

    /// It is one number.
    pub fn is_point(&self) -> bool {
        self.low.cmp(&self.high) == Some(0)
    }

    /// Every number of it is greater than zero.
    pub fn is_positive(&self) -> bool {
        self.low.is_positive() && !self.low.is_zero()
    }

    /// Every number of it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.high.is_negative() && !self.high.is_zero()
    }

    /// Zero may be one of its numbers.
    pub fn may_be_zero(&self) -> bool {
        !self.is_positive() && !self.is_negative()
    }

    /// Every number of it is at most every number of another.
    pub fn at_most(&self, other: &Self) -> bool {
        self.high.cmp(&other.low).is_some_and(|order| order <= 0)
    }

    /// Every number of it is less than every number of another.
    pub fn is_below(&self, other: &Self) -> bool {
        self.high.cmp(&other.low).is_some_and(|order| order < 0)
    }

    /// The least number of double precision that is none of the numbers below it.
    pub fn least(&self) -> f64 {
        double(&self.low, true)
    }

    /// The greatest number of double precision that is none of the numbers above it.
    pub fn greatest(&self) -> f64 {
        double(&self.high, false)
    }

    /// The number of double precision that is nearest to it, of two the even one.
    pub fn near(&self) -> f64 {
        let [below, above] = [false, true].map(|up| double(&self.low, up));
        if below == above || !below.is_finite() || !above.is_finite() {
            return below;
        }
        let low = Self { low: self.low.clone(), high: self.low.clone() };
        let (twice, both) = (low.plus(&low), Self::exact(below).plus(&Self::exact(above)));
        let tie = !twice.is_below(&both) && !both.is_below(&twice);
        let even = below.to_bits().is_multiple_of(2);
        if twice.is_below(&both) || tie && even { below } else { above }
    }

    /// No number of it is further from zero.
    pub fn magnitude(&self) -> f64 {
        double(&self.high, true).abs().max(double(&self.low, false).abs())
    }

    pub fn plus(&self, other: &Self) -> Self {
        Self {
            low: self.low.add(&other.low, PRECISION, RoundingMode::Down),
            high: self.high.add(&other.high, PRECISION, RoundingMode::Up),
        }
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    pub fn negated(&self) -> Self {
        Self { low: self.high.neg(), high: self.low.neg() }
    }

    pub fn times(&self, other: &Self) -> Self {
        let by = |round| {
            let ends = [(&self.low, &other.low), (&self.low, &other.high)];
            let ends =
                ends.into_iter().chain([(&self.high, &other.low), (&self.high, &other.high)]);
            ends.map(move |(a, b)| a.mul(b, PRECISION, round))
        };
        let least = by(RoundingMode::Down).reduce(|a, b| a.min(&b));
        let greatest = by(RoundingMode::Up).reduce(|a, b| a.max(&b));
        // There are four of each.
        Self { low: least.unwrap_or_default(), high: greatest.unwrap_or_default() }
    }

    /// Nothing where the divisor may be zero.
    pub fn divided_by(&self, other: &Self) -> Option<Self> {
        if other.may_be_zero() {
            return None;
        }
        let one = BigFloat::from_f64(1.0, PRECISION);
        let inverse = Self {
            low: one.div(&other.high, PRECISION, RoundingMode::Down),
            high: one.div(&other.low, PRECISION, RoundingMode::Up),
        };
        Some(self.times(&inverse))
    }

    /// A power with a whole exponent; nothing for an inverse of zero.
    pub fn power(&self, exponent: i32) -> Option<Self> {
        let mut product = Self::exact(1.0);
        for _ in 0..exponent.unsigned_abs() {
            product = product.times(self);
        }
        if exponent < 0 { Self::exact(1.0).divided_by(&product) } else { Some(product) }
    }

    /// All numbers at some distance from it.
    pub fn widened(&self, by: f64) -> Self {
        let by = Self::exact(by);
        Self { low: self.minus(&by).low, high: self.plus(&by).high }
    }

    /// A function that ascends, or descends, at its numbers.
    pub fn map(&self, ascends: bool, function: Computed) -> Option<Self> {
        let (first, last) = if ascends { (&self.low, &self.high) } else { (&self.high, &self.low) };
        let enclosure = with_constants(|constants| Self {
            low: function(first, PRECISION, RoundingMode::Down, constants),
            high: function(last, PRECISION, RoundingMode::Up, constants),
        })?;
        enclosure.known()
    }

    /// A function that ascends or descends, but has no zero: where its numbers are too small for
    /// the library, it is not zero.
    pub fn map_above_zero(&self, ascends: bool, function: Computed) -> Option<Self> {
        let mut enclosure = self.map(ascends, function)?;
        if enclosure.high.is_zero() {
            enclosure.high = BigFloat::from_f64(1.0, PRECISION);
            enclosure.high.set_exponent(TINY);
        }
        Some(enclosure)
    }

    /// Its ends.
    pub fn ends(&self) -> [Self; 2] {
        [&self.low, &self.high].map(|end| Self { low: end.clone(), high: end.clone() })
    }

    /// Without the signs.
    pub fn absolute(&self) -> Self {
        if self.is_negative() {
            self.negated()
        } else if self.is_positive() {
            self.clone()
        } else {
            let negated = self.negated();
            Self { low: BigFloat::new(PRECISION), high: self.high.max(&negated.high) }
        }
    }

    /// The lesser one of a number of this and a number of another.
    pub fn lesser(&self, other: &Self) -> Self {
        Self { low: self.low.min(&other.low), high: self.high.min(&other.high) }
    }

    /// With both ends between two other numbers.
    pub fn within(&self, low: &Self, high: &Self) -> Self {
        let between = |end: &BigFloat| end.max(&low.low).min(&high.high);
        Self { low: between(&self.low), high: between(&self.high) }
    }

    /// Unless one of its ends is no number.
    fn known(self) -> Option<Self> {
        (!self.low.is_nan() && !self.high.is_nan()).then_some(self)
    }

    /// The same with whole numbers in place of the ends.
    pub fn whole(&self, whole: fn(&BigFloat) -> BigFloat) -> Self {
        Self { low: whole(&self.low), high: whole(&self.high) }
    }
}

fn with_constants<T>(compute: impl FnOnce(&mut Consts) -> T) -> Option<T> {
    CONSTANTS.with_borrow_mut(|constants| constants.as_mut().map(compute))
}

/// A number as one of double precision, the next one up or down where it is none.
fn double(number: &BigFloat, up: bool) -> f64 {
    let Some((words, _, sign, exponent, _)) = number.as_raw_parts() else {
        let infinity = if number.is_positive() { f64::INFINITY } else { f64::NEG_INFINITY };
        return if number.is_inf() { infinity } else { f64::NAN };
    };
    if number.is_zero() {
        return 0.0;
    }
    // The bits from the highest one on, whatever a word is.
    let mut bits = words.iter().rev().flat_map(|word| {
        let word = *word;
        let width = std::mem::size_of_val(&word) * 8;
        (0..width).rev().map(move |bit| word >> bit & 1 == 1)
    });
    let exponent = i64::from(exponent) - 1;
    let kept = (53 + (exponent + 1022).min(0)).max(0) as usize;
    let fraction = bits.by_ref().take(kept).fold(0_u64, |all, bit| all << 1 | u64::from(bit));
    let inexact = bits.any(|bit| bit);
    let negative = sign == Sign::Neg;
    let magnitude = if exponent > 1023 {
        f64::INFINITY
    } else {
        let scale = (exponent - kept as i64 + 1).max(-1074);
        // In two steps, as the scale may be below all normal numbers.
        fraction as f64
            * 2.0_f64.powi((scale / 2) as i32)
            * 2.0_f64.powi((scale - scale / 2) as i32)
    };
    let away = (inexact || exponent > 1023) && up != negative;
    let magnitude = match (away, exponent > 1023) {
        (true, false) => magnitude.next_up(),
        (false, true) => f64::MAX,
        _ => magnitude,
    };
    if negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_rounded_inward_to_double_precision() {
        let third = Enclosure::exact(1.0)
            .divided_by(&Enclosure::exact(3.0))
            .unwrap_or_else(|| Enclosure::exact(0.0));
        assert_eq!([third.least(), third.greatest()], [(1.0_f64 / 3.0).next_up(), 1.0 / 3.0]);
        let negative = third.negated();
        assert_eq!(
            [negative.least(), negative.greatest()],
            [-1.0 / 3.0, -((1.0_f64 / 3.0).next_up())]
        );
        for number in [1.0, -0.1, f64::MIN_POSITIVE, 5e-324, -1.5e-310, f64::MAX, 0.0] {
            let same = Enclosure::exact(number);
            assert_eq!([same.least(), same.greatest()], [number; 2], "{number:e}");
        }
        let below = Enclosure::exact(5e-324).times(&Enclosure::exact(0.5));
        assert_eq!([below.least(), below.greatest()], [5e-324, 0.0]);
        let beyond = Enclosure::exact(f64::MAX).times(&Enclosure::exact(2.0));
        assert_eq!([beyond.least(), beyond.greatest()], [f64::INFINITY, f64::MAX]);
    }

    #[test]
    fn the_nearest_number_is_not_the_next_one_below() {
        let root = |number: f64| {
            let root = Enclosure::exact(number).map(true, |x, p, round, _| x.sqrt(p, round));
            root.map(|it| it.near())
        };
        let mut number = 0.3_f64;
        for _ in 0..500 {
            number = (number * 1.37 + 0.11) % 1e4;
            assert_eq!(root(number), Some(number.sqrt()), "{number:e}");
        }
        let third = Enclosure::exact(-1.0).divided_by(&Enclosure::exact(3.0));
        assert_eq!(third.map(|it| it.near()), Some(-1.0 / 3.0));
        let tie = Enclosure::exact(1.0).plus(&Enclosure::exact(f64::EPSILON / 2.0));
        assert_eq!(tie.near(), 1.0);
        let odd = Enclosure::exact(1.0_f64.next_up()).plus(&Enclosure::exact(f64::EPSILON / 2.0));
        assert_eq!(odd.near(), 1.0 + 2.0 * f64::EPSILON);
    }

    #[test]
    fn decimal_numbers_are_enclosed() {
        for (text, number) in [("2.75", 2.75), ("0.001", 0.001), ("8192", 8192.0), ("1e-5", 1e-5)] {
            let Some(found) = Enclosure::decimal(text) else { panic!("{text}") };
            assert!(found.greatest() <= number && number <= found.least(), "{text}");
        }
        assert!(Enclosure::decimal("99999999999999999999").is_none());
    }
}
