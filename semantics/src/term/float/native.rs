//! Sums and products by the machine's own arithmetic, which is IEEE 754's, too.

use std::ops::{Add, Mul};

use super::{FloatFormat, FloatOp};

/// A sum or product of two numbers, where the machine has it: the bits of the result, or of some
/// NaN. Formats of 16 bits are added and multiplied as `f64`, whose significand has more than twice
/// their bits and two more, so rounding twice is rounding once.
pub(super) fn apply(op: FloatOp, format: FloatFormat, a: u128, b: u128) -> Option<u128> {
    match format {
        FloatFormat::Half | FloatFormat::Bfloat16 => {
            Some(narrowed(applied(op, widened(a, format), widened(b, format))?, format))
        }
        FloatFormat::Single => {
            let result = applied(op, f32::from_bits(a as u32), f32::from_bits(b as u32))?;
            Some(u128::from(result.to_bits()))
        }
        FloatFormat::Double => {
            let result = applied(op, f64::from_bits(a as u64), f64::from_bits(b as u64))?;
            Some(u128::from(result.to_bits()))
        }
    }
}

fn applied<F: Add<Output = F> + Mul<Output = F>>(op: FloatOp, a: F, b: F) -> Option<F> {
    match op {
        FloatOp::Add => Some(a + b),
        FloatOp::Mul => Some(a * b),
        _ => None,
    }
}

/// A number of 16 bits as an `f64`, exactly.
fn widened(bits: u128, format: FloatFormat) -> f64 {
    let magnitude = (bits & !format.sign()) as u64;
    let sign = ((bits >> (format.width() - 1)) as u64) << 63;
    let bias = (1i32 << (format.exponent() - 1)) - 1;
    let (exponent, fraction) =
        (magnitude >> format.fraction(), magnitude & ((1 << format.fraction()) - 1));
    let magnitude = if magnitude >= format.infinity() as u64 {
        f64::INFINITY.to_bits() | fraction << (52 - format.fraction())
    } else if exponent == 0 {
        // The least exponent is the position of the lowest bit.
        (fraction as f64 * power(1 - bias - format.fraction() as i32)).to_bits()
    } else {
        ((exponent as i64 - i64::from(bias) + 1023) as u64) << 52
            | fraction << (52 - format.fraction())
    };
    f64::from_bits(sign | magnitude)
}

/// Two to the power of `exponent`, which an `f64` has.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The nearest number of 16 bits, of two the even one.
fn narrowed(value: f64, format: FloatFormat) -> u128 {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63) << (format.width() - 1);
    let magnitude = bits & (u64::MAX >> 1);
    let infinity = f64::INFINITY.to_bits();
    if magnitude > infinity {
        return format.canonical_nan();
    }
    let bias = (1i64 << (format.exponent() - 1)) - 1;
    let exponent = (magnitude >> 52) as i64 - 1023 + bias;
    let cut = 52 - format.fraction();
    let nearest = |significand: u64, cut: u32| {
        let (half, even) = (1u64 << (cut - 1), significand >> cut & 1);
        (significand + (half - 1) + even) >> cut
    };
    let magnitude = if magnitude == infinity {
        format.infinity()
    } else if exponent >= 1 {
        // A carry out of the fraction goes into the exponent; after the last exponent comes
        // infinity.
        let all = (exponent as u64) << 52 | magnitude & ((1 << 52) - 1);
        u128::from(nearest(all, cut)).min(format.infinity())
    } else {
        let significand = magnitude & ((1 << 52) - 1) | 1 << 52;
        match cut as i64 + 1 - exponent {
            cut @ ..=54 => u128::from(nearest(significand, cut as u32)),
            _ => 0,
        }
    };
    sign | magnitude
}
