//! Arithmetic of the extended sets on single numbers.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

use crate::float_format::Format;
use crate::width::signed;

/// What a function is given: its operands in a format, the later ones zero where it has fewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub format: Format,
    pub a: u64,
    pub b: u64,
    pub c: u64,
    /// How results are rounded.
    pub round: Round,
    /// Of two zeros a minimum or maximum may be either, where no sentence orders them.
    pub either_zero: bool,
    /// The width of the second operand, which may be an integer.
    width: u32,
}

impl Given {
    /// Operands with their widths.
    pub fn new(format: Format, [a, b, c]: [(u64, u32); 3], round: Round) -> Self {
        Self { format, a: a.0, b: b.0, c: c.0, round, either_zero: false, width: b.1 }
    }

    /// The same, where of two zeros either may be a minimum or maximum.
    pub fn with_either_zero(self, either_zero: bool) -> Self {
        Self { either_zero, ..self }
    }

    /// The first two are no NaNs.
    pub fn numbers(self) -> bool {
        !self.format.is_nan(self.a) && !self.format.is_nan(self.b)
    }

    /// Below, at or above zero as the first number is less than the second, equal or greater.
    pub fn order(self) -> i128 {
        self.format.order(self.a) - self.format.order(self.b)
    }

    /// The second operand, which is an integer.
    pub fn power(self) -> i64 {
        signed(self.width, self.b)
    }

    /// Two whole numbers are as near. Every number is a `Double`, where twice that is exact.
    pub fn is_half_way(self) -> bool {
        let double = self.format.widen(self.a);
        let twice = (double + double).value;
        let is_whole = |it: Double| it.round_to_integral(Round::TowardZero).value == it;
        is_whole(twice) && !is_whole(double)
    }
}

/// A number from the bits of another one, in its format.
macro_rules! in_format {
    ($format:expr, $function:ident($($argument:expr),*)) => {
        match $format {
            Format::Half => $function::<Half>($($argument),*),
            Format::Bfloat16 => $function::<BFloat>($($argument),*),
            Format::Single => $function::<Single>($($argument),*),
            Format::Double => $function::<Double>($($argument),*),
        }
    };
}

/// A whole number near another number.
pub(super) fn whole_number(format: Format, bits: u64, round: Round) -> u64 {
    fn near<T: Float>(bits: u64, round: Round) -> u64 {
        T::from_bits(u128::from(bits)).round_to_integral(round).value.to_bits() as u64
    }
    in_format!(format, near(bits, round))
}

/// A number times a power of two, rounded once.
pub(super) fn scaled(it: Given, power: i64) -> u64 {
    fn scaled<T: Float>(bits: u64, power: i32, round: Round) -> u64 {
        T::from_bits(u128::from(bits)).scalbn_r(power, round).to_bits() as u64
    }
    // Further away everything is 0 or infinite.
    let power = power.clamp(-10_000, 10_000) as i32;
    in_format!(it.format, scaled(it.a, power, it.round))
}

/// A product and a sum, rounded once.
pub(super) fn fused(it: Given) -> u64 {
    fn fused<T: Float>([a, b, c]: [u64; 3], round: Round) -> u64 {
        let [a, b, c] = [a, b, c].map(|bits| T::from_bits(u128::from(bits)));
        a.mul_add_r(b, c, round).value.to_bits() as u64
    }
    in_format!(it.format, fused([it.a, it.b, it.c], it.round))
}

/// What is left of a number when a whole multiple of another is taken away: that nearest to the
/// quotient, or the one toward zero.
pub(super) fn remainder(it: Given, nearest: bool) -> u64 {
    fn remainder<T: Float>(a: u64, b: u64, nearest: bool) -> u64 {
        let [a, b] = [a, b].map(|bits| T::from_bits(u128::from(bits)));
        let left = if nearest { a.ieee_rem(b) } else { a.c_fmod(b) };
        left.value.to_bits() as u64
    }
    in_format!(it.format, remainder(it.a, it.b, nearest))
}

/// The next number after the first operand in the direction of the second one.
pub(super) fn neighbour(it: Given) -> u64 {
    fn next<T: Float>(bits: u64, up: bool) -> u64 {
        let number = T::from_bits(u128::from(bits));
        let next = if up { number.next_up() } else { number.next_down() };
        next.value.to_bits() as u64
    }
    match it.order() {
        _ if it.format.is_nan(it.a) => it.a,
        _ if it.format.is_nan(it.b) => it.b,
        0 => it.b,
        order => in_format!(it.format, next(it.a, order < 0)),
    }
}
