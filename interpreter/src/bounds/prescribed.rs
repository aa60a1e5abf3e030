//! Results that the OpenCL environment prescribes: those of ISO C, annex F, and those that it adds
//! (OpenCL Numerical Compliance, Edge Case Behavior). No error is allowed there.

use std::f64::consts::FRAC_PI_4;

use super::enclosure::Enclosure;

/// What is prescribed for some operands.
#[derive(Clone, Debug)]
pub(super) enum Prescribed {
    /// Nothing: the error bound applies.
    Nothing,
    /// This number, infinity or NaN; a zero with its sign.
    Exactly(f64),
    /// A multiple of an eighth of a turn, which has to be rounded.
    About(Enclosure),
    /// The operands are special, and no sentence says what comes of them.
    Unknown,
}

/// What is prescribed for a function of one or two numbers.
pub(super) fn prescribed(name: &str, of: &[f64]) -> Prescribed {
    let special = of.iter().any(|it| !it.is_finite());
    let found = match *of {
        [x] if x.is_nan() => Some(f64::NAN),
        [x] => one(name, x),
        [x, y] => two(name, x, y),
        _ => None,
    };
    match found {
        Some(angle) if is_angle(name, angle) => eighths(angle),
        Some(value) => Prescribed::Exactly(value),
        None if special => Prescribed::Unknown,
        None => Prescribed::Nothing,
    }
}

fn is_angle(name: &str, angle: f64) -> bool {
    matches!(name, "atan" | "atan2") && angle.is_finite() && angle != 0.0
}

fn eighths(angle: f64) -> Prescribed {
    let count = (angle / FRAC_PI_4).round() / 4.0;
    match Enclosure::pi() {
        Some(pi) => Prescribed::About(pi.times(&Enclosure::exact(count))),
        None => Prescribed::Unknown,
    }
}

fn one(name: &str, x: f64) -> Option<f64> {
    let found = match name {
        "acos" | "acospi" if x == 1.0 => 0.0,
        "acos" | "acospi" | "asin" | "asinpi" | "atanh" if x.abs() > 1.0 => f64::NAN,
        "asin" | "asinpi" | "atan" | "atanpi" | "sin" | "tan" | "sinpi" | "tanpi" | "asinh"
        | "sinh" | "tanh" | "atanh" | "expm1" | "log1p" | "cbrt" | "sqrt" | "erf"
            if x == 0.0 =>
        {
            x
        }
        "sin" | "cos" | "tan" | "sinpi" | "cospi" | "tanpi" if x.is_infinite() => f64::NAN,
        "cos" | "cospi" | "cosh" | "exp" | "exp2" | "exp10" if x == 0.0 => 1.0,
        "sinpi" if x.fract() == 0.0 => 0.0_f64.copysign(x),
        "cospi" if (x + 0.5).fract() == 0.0 && x.abs() < TWO_52 => 0.0,
        "tanpi" if x.fract() == 0.0 => tangent_of_whole(x),
        "tanpi" if (x + 0.5).fract() == 0.0 => tangent_of_half(x),
        "atan" if x.is_infinite() => x.atan(),
        "atanpi" if x.is_infinite() => 0.5_f64.copysign(x),
        "acosh" if x < 1.0 => f64::NAN,
        "acosh" | "log" | "log2" | "log10" if x == 1.0 => 0.0,
        "log" | "log2" | "log10" if x == 0.0 => f64::NEG_INFINITY,
        "log" | "log2" | "log10" | "sqrt" if x < 0.0 => f64::NAN,
        "log1p" if x == -1.0 => f64::NEG_INFINITY,
        "log1p" if x < -1.0 => f64::NAN,
        "atanh" if x.abs() == 1.0 => f64::INFINITY.copysign(x),
        "tanh" | "erf" if x.is_infinite() => 1.0_f64.copysign(x),
        "expm1" if x == f64::NEG_INFINITY => -1.0,
        "exp" | "exp2" | "exp10" if x == f64::NEG_INFINITY => 0.0,
        "erfc" if x.is_infinite() => 1.0 - 1.0_f64.copysign(x),
        "cosh" if x.is_infinite() => f64::INFINITY,
        "asinh" | "sinh" | "cbrt" if x.is_infinite() => x,
        "acosh" | "exp" | "exp2" | "exp10" | "expm1" | "log" | "log2" | "log10" | "log1p"
        | "sqrt" | "tgamma"
            if x == f64::INFINITY =>
        {
            x
        }
        "tgamma" if x == 0.0 => x.recip(),
        "tgamma" if x < 0.0 && x.fract() == 0.0 => f64::NAN,
        _ => return None,
    };
    Some(found)
}

/// Every number from here on is whole.
const TWO_52: f64 = 4_503_599_627_370_496.0;

fn tangent_of_whole(x: f64) -> f64 {
    let even = x.rem_euclid(2.0) == 0.0;
    0.0_f64.copysign(if even { x } else { -x })
}

fn tangent_of_half(x: f64) -> f64 {
    let even = (x - 0.5).rem_euclid(2.0) == 0.0;
    f64::INFINITY.copysign(if even { 1.0 } else { -1.0 })
}

fn two(name: &str, x: f64, y: f64) -> Option<f64> {
    match name {
        "hypot" if x.is_infinite() || y.is_infinite() => Some(f64::INFINITY),
        "hypot" if x.is_nan() || y.is_nan() => Some(f64::NAN),
        "hypot" if x == 0.0 || y == 0.0 => Some(x.abs().max(y.abs())),
        "atan2" | "atan2pi" if x.is_nan() || y.is_nan() => Some(f64::NAN),
        "atan2" if on_an_axis(x, y) => Some(x.atan2(y)),
        "atan2pi" if on_an_axis(x, y) => Some((x.atan2(y) / FRAC_PI_4).round() / 4.0),
        "pow" => powers(x, y),
        "powr" => powers_of_positive(x, y),
        "pown" if y == 0.0 => Some(1.0),
        "pown" if x.is_nan() => Some(f64::NAN),
        "pown" if x == 0.0 => Some(x.powf(y)),
        "rootn" if y == 0.0 || x.is_nan() => Some(f64::NAN),
        "rootn" if x < 0.0 && y % 2.0 == 0.0 => Some(f64::NAN),
        "rootn" if x == 0.0 => {
            let root = if y < 0.0 { f64::INFINITY } else { 0.0 };
            Some(if y % 2.0 == 0.0 { root } else { root.copysign(x) })
        }
        _ => None,
    }
}

fn on_an_axis(y: f64, x: f64) -> bool {
    y == 0.0 || x == 0.0 || y.is_infinite() || x.is_infinite()
}

/// Those of ISO C, which the standard library follows.
fn powers(x: f64, y: f64) -> Option<f64> {
    let special = |it: f64| it == 0.0 || !it.is_finite();
    let negative = x < 0.0 && y.fract() != 0.0;
    (special(x) || special(y) || x == 1.0 || negative).then(|| x.powf(y))
}

fn powers_of_positive(x: f64, y: f64) -> Option<f64> {
    match (x, y) {
        _ if x.is_nan() || y.is_nan() => (x.is_nan() || x >= 0.0).then_some(f64::NAN),
        _ if x < 0.0 => Some(f64::NAN),
        (0.0, 0.0) => Some(f64::NAN),
        (0.0, _) => Some(if y < 0.0 { f64::INFINITY } else { 0.0 }),
        (1.0, _) => Some(if y.is_infinite() { f64::NAN } else { 1.0 }),
        (f64::INFINITY, 0.0) => Some(f64::NAN),
        (_, 0.0) => Some(1.0),
        _ => None,
    }
}
