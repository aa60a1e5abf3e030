//! Floating-point formats: their parts, and the way into and out of `Double`, which holds every
//! value of the narrower ones.

use laneproof_semantics::{FloatFormat, Scalar};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::width::truncate;

/// A format that arithmetic is done in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `f16`.
    Half,
    /// `bf16`.
    Bfloat16,
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

/// The format of a scalar type, if it is one of floating point.
pub fn format(scalar: Scalar) -> Option<Format> {
    match scalar {
        Scalar::Float(FloatFormat::Bfloat16) => Some(Format::Bfloat16),
        Scalar::Float(FloatFormat::Half) => Some(Format::Half),
        Scalar::Float(FloatFormat::Single) => Some(Format::Single),
        Scalar::Float(FloatFormat::Double) => Some(Format::Double),
        Scalar::Bool | Scalar::Int { .. } => None,
    }
}

impl Format {
    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "f16",
            Self::Bfloat16 => "bf16",
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    /// The smallest exponent of a number that is not subnormal.
    pub fn least_exponent(self) -> i32 {
        match self {
            Self::Half => -14,
            Self::Bfloat16 | Self::Single => -126,
            Self::Double => -1022,
        }
    }

    /// True for the bits of a number that is neither a zero nor normal.
    pub fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = self.magnitude(bits);
        magnitude != 0 && magnitude >> self.fraction() == 0
    }

    /// Both zeros.
    pub fn zeros(self) -> [u64; 2] {
        [0, 1 << (self.width() - 1)]
    }

    /// The number, where it is one: exact but for nothing, as `f64` holds every format here.
    pub fn value(self, bits: u64) -> f64 {
        f64::from_bits(self.widen(bits).to_bits() as u64)
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        match self {
            Self::Half | Self::Bfloat16 => 16,
            Self::Single => 32,
            Self::Double => 64,
        }
    }

    /// How many bits are the fraction.
    pub fn fraction(self) -> u32 {
        match self {
            Self::Bfloat16 => 7,
            Self::Half => 10,
            Self::Single => 23,
            Self::Double => 52,
        }
    }

    /// The bits without the sign.
    pub fn magnitude(self, bits: u64) -> u64 {
        truncate(self.width() - 1, bits)
    }

    /// The bits of positive infinity: an exponent of ones.
    pub fn infinity(self) -> u64 {
        self.magnitude(u64::MAX << self.fraction())
    }

    /// True for the bits of a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }

    /// The bits of 1: an exponent of ones but for the highest bit.
    pub fn one(self) -> u64 {
        self.infinity() >> 1 & self.infinity()
    }

    /// A number that orders as the value does; both zeros have the same. Not for NaNs.
    pub fn order(self, bits: u64) -> i128 {
        let magnitude = i128::from(self.magnitude(bits));
        if bits >> (self.width() - 1) & 1 == 1 { -magnitude } else { magnitude }
    }

    /// How many NaNs there are: any fraction but 0, either sign.
    pub fn nans(self) -> u64 {
        2 * truncate(self.fraction(), u64::MAX)
    }

    /// One of them by number. The first is the quiet one without a sign or payload.
    pub fn nan(self, number: u64) -> u64 {
        let fractions = self.nans() / 2;
        let quiet = 1 << (self.fraction() - 1);
        let fraction = (quiet - 1 + number % fractions) % fractions + 1;
        let sign = u64::from(number >= fractions) << (self.width() - 1);
        sign | self.infinity() | fraction
    }

    /// True for the bits of a NaN whose highest fraction bit is not set.
    pub fn is_signaling(self, bits: u64) -> bool {
        self.is_nan(bits) && bits >> (self.fraction() - 1) & 1 == 0
    }

    /// The same NaN with that bit set.
    pub fn quiet(self, nan: u64) -> u64 {
        nan | 1 << (self.fraction() - 1)
    }

    /// The NaN with the sign and fraction of these bits; the quiet one where the fraction is 0.
    pub fn named(self, bits: u64) -> u64 {
        let nan = truncate(self.width(), bits) | self.infinity();
        if self.is_nan(nan) { nan } else { nan | 1 << (self.fraction() - 1) }
    }

    /// The value as a `Double`, exactly.
    pub fn widen(self, bits: u64) -> Double {
        fn convert<T: FloatConvert<Double>>(bits: u64) -> Double {
            T::from_bits(u128::from(bits)).convert(&mut false).value
        }
        match self {
            Self::Half => convert::<Half>(bits),
            Self::Bfloat16 => convert::<BFloat>(bits),
            Self::Single => convert::<Single>(bits),
            Self::Double => Double::from_bits(u128::from(bits)),
        }
    }

    /// The nearest value, ties to even, as bits.
    pub fn narrow(self, double: Double) -> u64 {
        self.narrow_by(double, Round::NearestTiesToEven)
    }

    /// The value to which a number is rounded, as bits.
    pub fn narrow_by(self, double: Double, round: Round) -> u64 {
        fn convert<T: Float>(double: Double, round: Round) -> u128
        where
            Double: FloatConvert<T>,
        {
            let converted: T = double.convert_r(round, &mut false).value;
            converted.to_bits()
        }
        let bits = match self {
            Self::Half => convert::<Half>(double, round),
            Self::Bfloat16 => convert::<BFloat>(double, round),
            Self::Single => convert::<Single>(double, round),
            Self::Double => double.to_bits(),
        };
        // No format here is wider than 64 bits.
        bits as u64
    }
}
