//! Functions with an error bound, and their exact results in double precision.

use std::f64::consts::PI;

/// How a document bounds the error of a function.
#[derive(Clone, Copy)]
pub enum Bound {
    /// In units in the last place, in single and in half precision.
    Units(f64, f64),
    /// The same by the operand's size: three and two units for each 1, or one and two.
    Exponential,
    /// Whatever the result is, in single and in half precision.
    Absolute(f64, f64),
    /// By a formula: a relative error that is surely too large.
    Formula,
}

/// A function of up to three numbers, an exact version of it, its bound, and operands.
pub type Row = (&'static str, fn(&[f64]) -> f64, Bound, &'static [&'static [f64]]);

const SMALL: &[&[f64]] = &[&[0.25], &[-0.75], &[0.875]];
const ANY: &[&[f64]] = &[&[0.5], &[-1.25], &[2.75], &[-3.0]];
const POSITIVE: &[&[f64]] = &[&[0.375], &[3.5], &[10.0], &[100.0]];
const ABOVE: &[&[f64]] = &[&[1.5], &[2.25], &[9.0]];
const PAIRS: &[&[f64]] = &[&[1.5, 2.25], &[3.0, -0.5], &[0.75, 4.0]];

/// Those of GLSL.std.450 and of the core in Vulkan.
pub const VULKAN: &[Row] = &[
    ("Exp", |x| x[0].exp(), Bound::Exponential, ANY),
    ("Exp2", |x| x[0].exp2(), Bound::Exponential, ANY),
    ("Log", |x| x[0].ln(), Bound::Units(3.0, 3.0), &[&[3.5], &[0.25], &[100.0]]),
    ("Log2", |x| x[0].log2(), Bound::Units(3.0, 3.0), &[&[3.5], &[0.3125], &[100.0]]),
    ("Log", |x| x[0].ln(), Bound::Absolute(4.76837158203125e-7, 0.0078125), &[&[0.75], &[1.5]]),
    ("InverseSqrt", |x| 1.0 / x[0].sqrt(), Bound::Units(2.0, 2.0), POSITIVE),
    ("Sin", |x| x[0].sin(), Bound::Absolute(0.00048828125, 0.0078125), ANY),
    ("Cos", |x| x[0].cos(), Bound::Absolute(0.00048828125, 0.0078125), ANY),
    ("Atan", |x| x[0].atan(), Bound::Units(4096.0, 5.0), ANY),
    ("Atan2", |x| x[0].atan2(x[1]), Bound::Units(4096.0, 5.0), PAIRS),
    ("Sqrt", |x| x[0].sqrt(), Bound::Formula, POSITIVE),
    ("Pow", |x| x[0].powf(x[1]), Bound::Formula, PAIRS),
    ("Radians", |x| x[0].to_radians(), Bound::Formula, ANY),
    ("Degrees", |x| x[0].to_degrees(), Bound::Formula, ANY),
    ("Tan", |x| x[0].tan(), Bound::Formula, &[&[0.5], &[-1.0], &[2.75]]),
    ("Asin", |x| x[0].asin(), Bound::Formula, SMALL),
    ("Acos", |x| x[0].acos(), Bound::Formula, SMALL),
    ("Sinh", |x| x[0].sinh(), Bound::Formula, ANY),
    ("Cosh", |x| x[0].cosh(), Bound::Formula, ANY),
    ("Tanh", |x| x[0].tanh(), Bound::Formula, ANY),
    ("Asinh", |x| x[0].asinh(), Bound::Formula, &[&[0.5], &[2.75], &[8.0]]),
    ("Acosh", |x| x[0].acosh(), Bound::Formula, ABOVE),
    ("Atanh", |x| x[0].atanh(), Bound::Formula, SMALL),
    (
        "FMix",
        |x| x[0] * (1.0 - x[2]) + x[1] * x[2],
        Bound::Formula,
        &[&[1.0, 3.0, 0.5], &[2.0, 8.0, 0.25]],
    ),
    (
        "Fma",
        |x| x[0].mul_add(x[1], x[2]),
        Bound::Formula,
        &[&[1.5, 2.5, 0.3125], &[-3.0, 0.5, 7.0]],
    ),
    (
        "SmoothStep",
        |x| smooth(x[0], x[1], x[2]),
        Bound::Formula,
        &[&[1.0, 3.0, 1.5], &[0.0, 4.0, 3.0]],
    ),
    ("OpFRem", |x| x[0] % x[1], Bound::Formula, &[&[7.25, 2.0], &[-9.5, 4.0]]),
    ("OpFMod", |x| x[0].rem_euclid(x[1]), Bound::Formula, &[&[7.25, 2.0], &[-9.5, 4.0]]),
    ("FAbs", |x| x[0].abs(), Bound::Units(0.0, 0.0), ANY),
    ("Floor", |x| x[0].floor(), Bound::Units(0.0, 0.0), ANY),
    ("FMin", |x| x[0].min(x[1]), Bound::Units(0.0, 0.0), PAIRS),
    ("FSign", |x| x[0].signum(), Bound::Units(0.0, 0.0), ANY),
    ("Step", |x| f64::from(u8::from(x[1] >= x[0])), Bound::Units(0.0, 0.0), PAIRS),
    (
        "FClamp",
        |x| x[0].clamp(x[1], x[2]),
        Bound::Units(0.0, 0.0),
        &[&[5.0, 1.0, 3.0], &[2.5, 1.0, 3.0]],
    ),
];

/// Those of OpenCL.std.
pub const OPENCL: &[Row] = &[
    ("acos", |x| x[0].acos(), Bound::Units(4.0, 2.0), SMALL),
    ("acosh", |x| x[0].acosh(), Bound::Units(4.0, 2.0), ABOVE),
    ("acospi", |x| x[0].acos() / PI, Bound::Units(5.0, 2.0), SMALL),
    ("asin", |x| x[0].asin(), Bound::Units(4.0, 2.0), SMALL),
    ("asinh", |x| x[0].asinh(), Bound::Units(4.0, 2.0), ANY),
    ("asinpi", |x| x[0].asin() / PI, Bound::Units(5.0, 2.0), SMALL),
    ("atan", |x| x[0].atan(), Bound::Units(5.0, 2.0), ANY),
    ("atanh", |x| x[0].atanh(), Bound::Units(5.0, 2.0), SMALL),
    ("atanpi", |x| x[0].atan() / PI, Bound::Units(5.0, 2.0), ANY),
    ("atan2", |x| x[0].atan2(x[1]), Bound::Units(6.0, 2.0), PAIRS),
    ("atan2pi", |x| x[0].atan2(x[1]) / PI, Bound::Units(6.0, 2.0), PAIRS),
    ("cbrt", |x| x[0].cbrt(), Bound::Units(2.0, 2.0), ANY),
    ("cos", |x| x[0].cos(), Bound::Units(4.0, 2.0), ANY),
    ("cosh", |x| x[0].cosh(), Bound::Units(4.0, 2.0), ANY),
    ("cospi", |x| (x[0] * PI).cos(), Bound::Units(4.0, 2.0), &[&[0.25], &[-0.875], &[1.25]]),
    ("degrees", |x| x[0].to_degrees(), Bound::Units(2.0, 2.0), ANY),
    ("exp", |x| x[0].exp(), Bound::Units(3.0, 2.0), ANY),
    ("exp2", |x| x[0].exp2(), Bound::Units(3.0, 2.0), ANY),
    ("exp10", |x| 10.0_f64.powf(x[0]), Bound::Units(3.0, 2.0), ANY),
    ("expm1", |x| x[0].exp_m1(), Bound::Units(3.0, 2.0), ANY),
    ("hypot", |x| x[0].hypot(x[1]), Bound::Units(4.0, 2.0), PAIRS),
    ("log", |x| x[0].ln(), Bound::Units(3.0, 2.0), POSITIVE),
    ("log2", |x| x[0].log2(), Bound::Units(3.0, 2.0), POSITIVE),
    ("log10", |x| x[0].log10(), Bound::Units(3.0, 2.0), POSITIVE),
    ("log1p", |x| x[0].ln_1p(), Bound::Units(2.0, 2.0), SMALL),
    ("pow", |x| x[0].powf(x[1]), Bound::Units(16.0, 4.0), PAIRS),
    ("powr", |x| x[0].powf(x[1]), Bound::Units(16.0, 4.0), PAIRS),
    ("radians", |x| x[0].to_radians(), Bound::Units(2.0, 2.0), ANY),
    ("rsqrt", |x| 1.0 / x[0].sqrt(), Bound::Units(2.0, 1.0), POSITIVE),
    ("sin", |x| x[0].sin(), Bound::Units(4.0, 2.0), ANY),
    ("sinh", |x| x[0].sinh(), Bound::Units(4.0, 2.0), ANY),
    ("sinpi", |x| (x[0] * PI).sin(), Bound::Units(4.0, 2.0), &[&[0.25], &[-0.875], &[1.25]]),
    ("sqrt", |x| x[0].sqrt(), Bound::Units(3.0, 1.5), POSITIVE),
    ("tan", |x| x[0].tan(), Bound::Units(5.0, 2.5), ANY),
    ("tanh", |x| x[0].tanh(), Bound::Units(5.0, 2.0), ANY),
    ("tanpi", |x| (x[0] * PI).tan(), Bound::Units(6.0, 2.0), &[&[0.375], &[-0.875]]),
    (
        "tgamma",
        |x| [1.0, 1.0, 2.0, 6.0, 24.0][x[0] as usize - 1],
        Bound::Units(16.0, 4.0),
        &[&[3.0], &[4.0], &[5.0]],
    ),
    ("erf", |_| 0.5204998778130465, Bound::Units(16.0, 4.0), &[&[0.5]]),
    ("erfc", |_| 0.4795001221869535, Bound::Units(16.0, 4.0), &[&[0.5]]),
    (
        "fma",
        |x| x[0].mul_add(x[1], x[2]),
        Bound::Units(0.0, 0.0),
        &[&[1.5, 2.5, 0.3125], &[-3.0, 0.5, 7.0]],
    ),
    (
        "mad",
        |x| x[0].mul_add(x[1], x[2]),
        Bound::Units(0.0, 0.0),
        &[&[1.5, 2.5, 0.3125], &[-3.0, 0.5, 7.0]],
    ),
    ("fabs", |x| x[0].abs(), Bound::Units(0.0, 0.0), ANY),
    ("floor", |x| x[0].floor(), Bound::Units(0.0, 0.0), ANY),
    ("fmin", |x| x[0].min(x[1]), Bound::Units(0.0, 0.0), PAIRS),
    ("fmod", |x| x[0] % x[1], Bound::Units(0.0, 0.0), PAIRS),
    ("copysign", |x| x[0].copysign(x[1]), Bound::Units(0.0, 0.0), PAIRS),
    (
        "maxmag",
        |x| if x[0].abs() > x[1].abs() { x[0] } else { x[1] },
        Bound::Units(0.0, 0.0),
        PAIRS,
    ),
    ("sign", |x| x[0].signum(), Bound::Units(0.0, 0.0), ANY),
    ("step", |x| f64::from(u8::from(x[1] >= x[0])), Bound::Units(0.0, 0.0), PAIRS),
    (
        "fclamp",
        |x| x[0].clamp(x[1], x[2]),
        Bound::Units(0.0, 0.0),
        &[&[5.0, 1.0, 3.0], &[2.5, 1.0, 3.0]],
    ),
];

fn smooth(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
