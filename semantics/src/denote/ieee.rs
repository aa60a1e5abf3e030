//! The order of floating-point numbers, by their bits.

use crate::term::{Binary, Compare, FloatFormat, FloatNote, Pool, Scan, Term};

/// The bits without the sign's.
pub(super) fn magnitude(pool: &mut Pool, a: Term) -> Term {
    let width = pool.width(a);
    pool.extract(a, width - 2, 0)
}

/// The sign's bit.
pub(super) fn is_negative(pool: &mut Pool, a: Term) -> Term {
    let sign = u128::from(pool.width(a) - 1);
    let sign = pool.bits(sign, 32);
    pool.bit(a, sign)
}

/// Ordered and equal.
pub(super) fn ieee_equal(pool: &mut Pool, a: Term, b: Term, format: FloatFormat) -> Term {
    if let (Some(x), Some(y)) = (pool.bits_of(a), pool.bits_of(b)) {
        let ordered = !format.is_nan(x) && !format.is_nan(y);
        return pool.bool(ordered && known_key(x, format) == known_key(y, format));
    }
    let (nan_a, nan_b) = (pool.is_nan(a, format), pool.is_nan(b, format));
    let (size_a, size_b) = (magnitude(pool, a), magnitude(pool, b));
    let zero = pool.bits(0, pool.width(size_a));
    let zero_a = pool.equal(size_a, zero);
    let zero_b = pool.equal(size_b, zero);
    pool.note_float(zero_a, FloatNote::Zero(a));
    pool.note_float(zero_b, FloatNote::Zero(b));
    let both_zero = pool.and(zero_a, zero_b);
    let same = pool.equal(a, b);
    let equal = pool.or(same, both_zero);
    let unordered = pool.or(nan_a, nan_b);
    let ordered = pool.not(unordered);
    pool.and(ordered, equal)
}

/// The order of IEEE values is that of their bits as sign and magnitude.
pub(super) fn ieee_order(
    pool: &mut Pool,
    relation: Compare,
    a: Term,
    b: Term,
    format: FloatFormat,
) -> Term {
    if let (Some(x), Some(y)) = (pool.bits_of(a), pool.bits_of(b)) {
        let ordered = !format.is_nan(x) && !format.is_nan(y);
        let (x, y) = (known_key(x, format), known_key(y, format));
        let holds = if relation == Compare::LessSigned { x < y } else { x <= y };
        return pool.bool(ordered && holds);
    }
    let (nan_a, nan_b) = (pool.is_nan(a, format), pool.is_nan(b, format));
    let (key_a, key_b) = (signed_key(pool, a), signed_key(pool, b));
    let holds = pool.compare(relation, key_a, key_b);
    let unordered = pool.or(nan_a, nan_b);
    let ordered = pool.not(unordered);
    pool.and(ordered, holds)
}

/// A number that is ordered as the value of these bits is; both zeros give 0.
fn known_key(bits: u128, format: FloatFormat) -> i128 {
    let magnitude = (bits & !format.sign()) as i128;
    if bits & format.sign() == 0 { magnitude } else { -magnitude }
}

/// The same as a term: two's complement.
fn signed_key(pool: &mut Pool, a: Term) -> Term {
    let width = pool.width(a);
    let magnitude = magnitude(pool, a);
    let positive = pool.zero_extend(magnitude, width);
    let zero = pool.bits(0, width);
    let negative = pool.binary(Binary::Sub, zero, positive);
    let sign = is_negative(pool, a);
    let key = pool.ite(sign, negative, positive);
    pool.note_float(key, FloatNote::Key(a));
    key
}

/// The order of all bits as a sign and a magnitude, in which -0 is less than +0.
pub(super) fn total_less(pool: &mut Pool, a: Term, b: Term) -> Term {
    let keys = [a, b].map(|number| {
        let width = pool.width(number);
        let magnitude = pool.bits((1 << (width - 1)) - 1, width);
        let turned = pool.binary(Binary::Xor, number, magnitude);
        let sign = is_negative(pool, number);
        let key = pool.ite(sign, turned, number);
        pool.note_float(key, FloatNote::TotalKey(number));
        key
    });
    pool.compare(Compare::LessSigned, keys[0], keys[1])
}

/// The exponent and the fraction of a number, without its sign, as if it were no subnormal one: the first as
/// the format stores it, perhaps below 1.
fn normalized(pool: &mut Pool, a: Term, format: FloatFormat) -> (Term, Term) {
    let (width, fraction) = (format.width(), format.fraction());
    let magnitude = magnitude(pool, a);
    let magnitude = pool.zero_extend(magnitude, width);
    let amount = pool.bits(u128::from(fraction), width);
    let stored = pool.binary(Binary::ShiftRight, magnitude, amount);
    let zero = pool.bits(0, width);
    let subnormal = pool.equal(stored, zero);
    let highest = pool.scan(Scan::Highest, magnitude);
    let highest = pool.resize(highest, width);
    let shift = pool.binary(Binary::Sub, amount, highest);
    let shifted = pool.binary(Binary::ShiftLeft, magnitude, shift);
    let one = pool.bits(1, width);
    let below = pool.binary(Binary::Sub, one, shift);
    let stored = pool.ite(subnormal, below, stored);
    let mantissa = pool.ite(subnormal, shifted, magnitude);
    let mask = pool.bits((1 << fraction) - 1, width);
    (stored, pool.binary(Binary::And, mantissa, mask))
}

/// Zero, infinite or a NaN: there is no significand of it.
fn has_no_parts(pool: &mut Pool, a: Term, format: FloatFormat) -> Term {
    let magnitude = magnitude(pool, a);
    let zero = pool.bits(0, format.width() - 1);
    let infinity = pool.bits(format.infinity(), format.width() - 1);
    let is_zero = pool.equal(magnitude, zero);
    let special = pool.less_equal(infinity, magnitude);
    pool.or(is_zero, special)
}

/// The number that lies from a half to one and differs from `a` by a power of two; `a` itself where there is
/// none.
pub(super) fn significand(pool: &mut Pool, a: Term, format: FloatFormat) -> Term {
    let (_, fraction) = normalized(pool, a, format);
    // One's exponent, and the bit of a half is the one below it.
    let half = format.one() - (1 << format.fraction());
    let half = pool.bits(half, format.width());
    let sign = pool.bits(format.sign(), format.width());
    let sign = pool.binary(Binary::And, a, sign);
    let number = pool.binary(Binary::Or, half, fraction);
    let number = pool.binary(Binary::Or, number, sign);
    let special = has_no_parts(pool, a, format);
    pool.ite(special, a, number)
}

/// The power of two by which the significand differs from `a`, a number of 32 bits with a sign; 0 where there
/// is none.
pub(super) fn exponent(pool: &mut Pool, a: Term, format: FloatFormat) -> Term {
    let (stored, _) = normalized(pool, a, format);
    let of_half = (format.one() >> format.fraction()) - 1;
    let of_half = pool.bits(of_half, format.width());
    let exponent = pool.binary(Binary::Sub, stored, of_half);
    let exponent = pool.resize_signed(exponent, 32);
    let special = has_no_parts(pool, a, format);
    let none = pool.bits(0, 32);
    pool.ite(special, none, exponent)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rustc_apfloat::ieee::{Double, Half};
    use rustc_apfloat::{Float, FloatConvert};

    use super::*;
    use crate::term::Sort;

    #[test]
    fn known_numbers_compare_as_terms_do() {
        let format = FloatFormat::Half;
        let numbers =
            [0, 0x8000, 1, 0x8001, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfd01];
        let (mut holds, mut not) = (0, 0);
        for x in numbers {
            for y in numbers {
                let mut pool = Pool::new();
                let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bits(16)));
                let [known_a, known_b] = [x, y].map(|bits| pool.bits(bits, 16));
                let given = HashMap::from([(a, known_a), (b, known_b)]);
                let equal = (
                    ieee_equal(&mut pool, a, b, format),
                    ieee_equal(&mut pool, known_a, known_b, format),
                );
                let [less, less_equal] =
                    [Compare::LessSigned, Compare::LessEqualSigned].map(|it| {
                        let term = ieee_order(&mut pool, it, a, b, format);
                        (term, ieee_order(&mut pool, it, known_a, known_b, format))
                    });
                let nan = (pool.is_nan(a, format), pool.is_nan(known_a, format));
                for (term, known) in [equal, less, less_equal, nan] {
                    assert_eq!(pool.substitute(term, &given), known, "{x:x} {y:x}");
                    *(if pool.bool_of(known) == Some(true) { &mut holds } else { &mut not }) += 1;
                }
            }
        }
        assert_eq!((holds, not), (114, 370));
    }

    #[test]
    fn every_number_is_its_significand_times_a_power_of_two() {
        let format = FloatFormat::Half;
        let value = |bits: u128| {
            let double: Double = Half::from_bits(bits).convert(&mut false).value;
            f64::from_bits(double.to_bits() as u64)
        };
        for bits in 0..1_u128 << 16 {
            let mut pool = Pool::new();
            let number = pool.bits(bits, 16);
            let [part, power] = [significand, exponent].map(|it| it(&mut pool, number, format));
            let [part, power] = [part, power].map(|it| pool.bits_of(it).unwrap());
            let magnitude = bits & 0x7fff;
            if magnitude == 0 || magnitude >= 0x7c00 {
                assert_eq!((part, power), (bits, 0), "{bits:x}");
                continue;
            }
            let power = power as u32 as i32;
            assert!((0.5..1.0).contains(&value(part).abs()), "{bits:x}");
            assert_eq!(value(part) * 2.0_f64.powi(power), value(bits), "{bits:x}");
        }
    }

    #[test]
    fn negative_zero_is_below_zero_in_the_total_order() {
        // -NaN, -infinity, -1, the least number below zero, both zeros, and the same above.
        let ascending = [0xfe00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00, 0x7e00_u128];
        for (place, &x) in ascending.iter().enumerate() {
            for (other, &y) in ascending.iter().enumerate() {
                let mut pool = Pool::new();
                let [a, b] = [x, y].map(|bits| pool.bits(bits, 16));
                let less = total_less(&mut pool, a, b);
                assert_eq!(pool.bool_of(less), Some(place < other), "{x:x} {y:x}");
            }
        }
    }
}
