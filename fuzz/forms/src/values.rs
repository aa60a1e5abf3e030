//! Values that find mistakes: the ends of ranges, the numbers next to sizes, floats that compare
//! oddly, and the same value in many lanes.

use laneproof_semantics::Scalar;

use laneproof_generator::Numbers;

/// The lower `width` bits.
pub const fn low(bits: u64, width: u32) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

/// How the values of one operand's scalars are spread over the lanes.
#[derive(Clone, Debug)]
pub(crate) enum Spread {
    /// The same in all lanes.
    Same(u64),
    /// One of a few.
    Few([u64; 3]),
    /// Anything.
    Any,
    /// Ends of ranges.
    Edges,
    /// From 0 to a bit more than the width.
    Small,
    /// Another one in each lane.
    Distinct,
}

impl Spread {
    pub(crate) fn chosen(scalar: Scalar, numbers: &mut Numbers) -> Self {
        match numbers.below(8) {
            0 => Self::Same(edge(scalar, numbers)),
            1 | 2 => Self::Few([0; 3].map(|_| edge(scalar, numbers))),
            3 | 4 => Self::Any,
            5 => Self::Edges,
            6 => Self::Small,
            _ => Self::Distinct,
        }
    }

    pub(crate) fn value(&self, scalar: Scalar, lane: u32, numbers: &mut Numbers) -> u64 {
        let bits = match self {
            Self::Same(bits) => *bits,
            Self::Few(choices) => numbers.one_of(choices),
            Self::Any => numbers.bits(),
            Self::Edges => edge(scalar, numbers),
            Self::Small => numbers.below(u64::from(scalar.width()) + 2),
            Self::Distinct => 0x0101_0101_0101_0101u64.wrapping_mul(u64::from(lane) + 1),
        };
        low(bits, scalar.width())
    }
}

/// A value at the end of some range, or any.
fn edge(scalar: Scalar, numbers: &mut Numbers) -> u64 {
    let width = scalar.width();
    let sign = 1u64 << (width - 1);
    let any = numbers.bits();
    let bits = match scalar {
        Scalar::Float(format) => {
            let fraction = format.fraction();
            let infinity = low(u64::MAX, width - 1 - fraction) << fraction;
            let one = low(u64::MAX, width - 2 - fraction) << fraction;
            numbers.one_of(&[
                0,
                sign,
                infinity,
                infinity | sign,
                infinity | 1,
                infinity | sign | 1 << (fraction - 1),
                one,
                one | sign,
                1,
                sign | 1,
                1 << (fraction - 1),
                infinity - 1,
                // Halfway between two numbers of a narrower format, and past its largest one.
                one | 1 << (fraction - 8),
                one | 3 << (fraction - 8),
                infinity - (1 << (fraction - 8)),
                any,
            ])
        }
        // Integers may hold the bits of a bfloat16: infinities, a NaN, one.
        Scalar::Int { width: 16, .. } if numbers.below(2) == 0 => {
            numbers.one_of(&[0x7f80, 0xff80, 0x7fc0, 0x7f81, 0x3f80, 0x0001, any])
        }
        _ => numbers.one_of(&[0, 1, 2, sign, sign - 1, u64::MAX, u64::MAX - 1, any, any]),
    };
    low(bits, width)
}

/// An index: lanes of the group, its sizes and their neighbours, positions of bits and
/// components, and numbers that wrap or do not fit.
pub(crate) fn index(width: u32, (size, max): (u32, u32), numbers: &mut Numbers) -> u64 {
    let (size, max) = (u64::from(size), u64::from(max));
    let bits = match numbers.below(16) {
        0..=6 => numbers.below(size),
        11 | 12 => numbers.below(4),
        13 => numbers.below(66),
        7 => numbers.one_of(&[size, max, 2 * max, size + max]) + numbers.below(3) - 1,
        8 => numbers.below(2 * max + 2),
        9 => numbers.below(2 * max + 2).wrapping_neg(),
        10 | 14 => 1 << numbers.below(u64::from(width)) | numbers.below(size),
        _ => numbers.bits(),
    };
    low(bits, width)
}

/// A power of two to scale by: mostly beside the limits of a format.
pub(crate) fn exponent(scalar: Scalar, numbers: &mut Numbers) -> u64 {
    let size = match numbers.below(8) {
        0 => numbers.below(2200),
        1 => numbers.below(32),
        _ => numbers.one_of(&[126, 128, 1022, 1024]) + numbers.below(3) - 1,
    };
    let bits = if numbers.once_in(2) { size.wrapping_neg() } else { size };
    low(if numbers.once_in(8) { numbers.bits() } else { bits }, scalar.width())
}

/// Now and then a number of fewer bits, with a sign or without.
pub(crate) fn shortened(bits: u64, width: u32, numbers: &mut Numbers) -> u64 {
    let by = if numbers.once_in(2) { 0 } else { numbers.below(u64::from(width)) };
    let aligned = bits << (64 - width);
    let short = match numbers.once_in(2) {
        true => aligned >> by,
        false => (aligned as i64 >> by) as u64,
    };
    low(short >> (64 - width), width)
}

/// A constant operand: mostly one that the instruction allows.
pub(crate) fn constant(scalar: Scalar, numbers: &mut Numbers) -> u64 {
    let bits = match numbers.below(8) {
        0..=2 => 1 << numbers.below(5),
        3 | 4 => numbers.below(4),
        5 => 1 << (scalar.width() - 1) | numbers.below(4),
        6 => numbers.below(66),
        _ => index(scalar.width(), (32, 32), numbers),
    };
    low(bits, scalar.width())
}
