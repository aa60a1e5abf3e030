//! The functions that have an error bound, on real numbers: GLSL.std.450's and OpenCL.std's.

use astro_float_num::{BigFloat, Consts, RoundingMode};

use super::enclosure::{Computed, Enclosure};

/// A vector, or a number as one of one component.
pub(super) type Numbers = Vec<Enclosure>;

/// The result of a function; nothing where it is not defined for some of the numbers, or not known
/// here.
pub(super) fn function(name: &str, arguments: &[Numbers]) -> Option<Numbers> {
    let name = name.to_ascii_lowercase();
    let name = name.trim_start_matches("half_").trim_start_matches("fast_");
    let number = |number: f64| Enclosure::exact(number);
    match (name, arguments) {
        ("opdot", [a, b]) => Some(vec![dot(a, b)]),
        ("length", [a]) => Some(vec![root(&dot(a, a))?]),
        ("distance", [a, b]) => {
            let between = each(&[a.clone(), b.clone()], |of| Some(of[0].minus(of[1])))?;
            Some(vec![root(&dot(&between, &between))?])
        }
        ("normalize", [a]) => {
            let length = root(&dot(a, a))?;
            a.iter().map(|it| it.divided_by(&length)).collect()
        }
        ("cross", [a, b]) => (0..3)
            .map(|at| {
                let [i, j] = [(at + 1) % 3, (at + 2) % 3];
                Some(a.get(i)?.times(b.get(j)?).minus(&a.get(j)?.times(b.get(i)?)))
            })
            .collect(),
        ("faceforward", [n, i, reference]) => {
            let toward = dot(reference, i);
            match toward.is_negative() {
                true => Some(n.clone()),
                false if toward.is_point() || toward.is_positive() => {
                    Some(n.iter().map(Enclosure::negated).collect())
                }
                false => None,
            }
        }
        ("reflect", [i, n]) => {
            let twice = number(2.0).times(&dot(n, i));
            each(&[i.clone(), n.clone()], |of| Some(of[0].minus(&twice.times(of[1]))))
        }
        ("refract", [i, n, eta]) => {
            let ([eta], along) = (eta.as_slice(), dot(n, i)) else { return None };
            let rest = number(1.0).minus(&along.times(&along));
            let k = number(1.0).minus(&eta.times(eta).times(&rest));
            if k.is_negative() {
                return Some(vec![number(0.0); i.len()]);
            }
            let across = eta.times(&along).plus(&root(&k)?);
            each(&[i.clone(), n.clone()], |of| Some(eta.times(of[0]).minus(&across.times(of[1]))))
        }
        _ => each(arguments, |of| scalar(name, of)),
    }
}

/// Whether the components of a function's results do not depend on those of its operands alone.
pub(super) fn of_vectors(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.trim_start_matches("fast_");
    matches!(name, "opdot" | "length" | "distance" | "normalize" | "cross")
        || matches!(name, "faceforward" | "reflect" | "refract")
}

/// Component by component, a scalar with every component.
pub(super) fn each(
    arguments: &[Numbers],
    function: impl Fn(&[&Enclosure]) -> Option<Enclosure>,
) -> Option<Numbers> {
    let components = arguments.iter().map(Vec::len).max()?;
    (0..components)
        .map(|component| {
            let of = arguments.iter().map(|it| it.get(component.min(it.len().checked_sub(1)?)));
            function(&of.collect::<Option<Vec<_>>>()?)
        })
        .collect()
}

pub(super) fn dot(a: &[Enclosure], b: &[Enclosure]) -> Enclosure {
    let products = a.iter().zip(b).map(|(a, b)| a.times(b));
    products.reduce(|sum, product| sum.plus(&product)).unwrap_or_else(|| Enclosure::exact(0.0))
}

fn root(square: &Enclosure) -> Option<Enclosure> {
    // A sum of squares is not negative, whatever its enclosure.
    square.map(true, |x, p, round, _| x.max(&BigFloat::new(p)).sqrt(p, round))
}

fn scalar(name: &str, of: &[&Enclosure]) -> Option<Enclosure> {
    match of {
        [x] => one(name, x),
        [x, y] => two(name, x, y),
        [x, y, a] => match name {
            "mix" | "fmix" => Some(x.plus(&y.minus(x).times(a))),
            "smoothstep" => {
                let t = a.minus(x).divided_by(&y.minus(x))?;
                let t = clamp(&t, &Enclosure::exact(0.0), &Enclosure::exact(1.0));
                let rest = Enclosure::exact(3.0).minus(&Enclosure::exact(2.0).times(&t));
                Some(t.times(&t).times(&rest))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A number between two others.
pub(super) fn clamp(x: &Enclosure, low: &Enclosure, high: &Enclosure) -> Enclosure {
    if x.at_most(low) {
        low.clone()
    } else if high.at_most(x) {
        high.clone()
    } else {
        x.within(low, high)
    }
}

fn one(name: &str, x: &Enclosure) -> Option<Enclosure> {
    let over_pi = |it: Enclosure| it.divided_by(&Enclosure::pi()?);
    match name {
        "exp" => x.map_above_zero(true, |x, p, round, constants| x.exp(p, round, constants)),
        "exp2" => power(&Enclosure::exact(2.0), x),
        "exp10" => power(&Enclosure::exact(10.0), x),
        "expm1" => x.map(true, exponential_less_one),
        "log" | "log2" | "log10" if !x.is_positive() => None,
        "log" => x.map(true, |x, p, round, constants| x.ln(p, round, constants)),
        "log2" => x.map(true, |x, p, round, constants| x.log2(p, round, constants)),
        "log10" => x.map(true, |x, p, round, constants| x.log10(p, round, constants)),
        "log1p" if !Enclosure::exact(-1.0).is_below(x) => None,
        "log1p" => x.map(true, |x, p, round, constants| {
            x.add_full_prec(&BigFloat::from_f64(1.0, p)).ln(p, round, constants)
        }),
        "sqrt" => x.map(true, |x, p, round, _| x.sqrt(p, round)),
        "rsqrt" | "inversesqrt" => {
            Enclosure::exact(1.0).divided_by(&x.map(true, |x, p, round, _| x.sqrt(p, round))?)
        }
        "cbrt" => x.map(true, |x, p, round, _| x.cbrt(p, round)),
        "recip" => Enclosure::exact(1.0).divided_by(x),
        "asin" => x.map(true, |x, p, round, constants| x.asin(p, round, constants)),
        "acos" => x.map(false, |x, p, round, constants| x.acos(p, round, constants)),
        "atan" => x.map(true, |x, p, round, constants| x.atan(p, round, constants)),
        "asinpi" => over_pi(one("asin", x)?),
        "acospi" => over_pi(one("acos", x)?),
        "atanpi" => over_pi(one("atan", x)?),
        "sinh" => x.map(true, |x, p, round, constants| x.sinh(p, round, constants)),
        "cosh" => x.absolute().map(true, |x, p, round, constants| x.cosh(p, round, constants)),
        "tanh" => x.map(true, |x, p, round, constants| x.tanh(p, round, constants)),
        "asinh" => x.map(true, |x, p, round, constants| x.asinh(p, round, constants)),
        "acosh" => x.map(true, |x, p, round, constants| x.acosh(p, round, constants)),
        "atanh" => x.map(true, |x, p, round, constants| x.atanh(p, round, constants)),
        "sin" => periodic(x, |x, p, round, constants| x.sin(p, round, constants)),
        "cos" => periodic(x, |x, p, round, constants| x.cos(p, round, constants)),
        "tan" => x.is_point().then(|| periodic(x, |x, p, round, c| x.tan(p, round, c)))?,
        "sinpi" => half_turns(x, 0.0),
        "cospi" => half_turns(x, 0.5),
        "tanpi" => half_turns(x, 0.0)?.divided_by(&half_turns(x, 0.5)?),
        "radians" => over_pi(Enclosure::exact(180.0)).and_then(|degrees| x.divided_by(&degrees)),
        "degrees" => over_pi(Enclosure::exact(180.0)).map(|degrees| x.times(&degrees)),
        "erf" => of_single(x, libm::erf),
        "erfc" => of_single(x, libm::erfc),
        "tgamma" => of_single(x, libm::tgamma),
        _ => None,
    }
}

fn two(name: &str, x: &Enclosure, y: &Enclosure) -> Option<Enclosure> {
    match name {
        "divide" => x.divided_by(y),
        "opfrem" => remainder(x, y, |it| it.int()),
        "opfmod" => remainder(x, y, |it| it.floor()),
        "hypot" => root(&x.times(x).plus(&y.times(y))),
        "atan2" => angle(x, y),
        "atan2pi" => angle(x, y)?.divided_by(&Enclosure::pi()?),
        "pow" | "powr" | "pown" => power(x, y),
        "rootn" => {
            let exponent = Enclosure::exact(1.0).divided_by(y)?;
            match x.is_negative() {
                true if is_odd(y) => Some(power(&x.negated(), &exponent)?.negated()),
                true => None,
                false => power(x, &exponent),
            }
        }
        _ => None,
    }
}

/// What is left of a number when a whole multiple of another is taken away, exactly.
fn remainder(x: &Enclosure, y: &Enclosure, whole: fn(&BigFloat) -> BigFloat) -> Option<Enclosure> {
    let quotient = x.divided_by(y)?.whole(whole);
    quotient.is_point().then(|| x.minus(&y.times(&quotient)))
}

/// A function that is known at one number, and lies between -1 and 1 at others.
fn periodic(x: &Enclosure, function: Computed) -> Option<Enclosure> {
    if x.is_point() {
        x.map(true, function)
    } else {
        Some(Enclosure::between(&Enclosure::exact(-1.0), &Enclosure::exact(1.0)))
    }
}

/// With as many digits more as the difference loses.
fn exponential_less_one(
    x: &BigFloat,
    p: usize,
    round: RoundingMode,
    constants: &mut Consts,
) -> BigFloat {
    if x.is_zero() {
        return x.clone();
    }
    let lost = x.exponent().map_or(0, |exponent| (-exponent).clamp(0, 1 << 12)) as usize;
    x.exp(p + lost + 64, round, constants).sub(&BigFloat::from_f64(1.0, p), p, round)
}

/// The sine of a number and some half turns more.
fn half_turns(x: &Enclosure, more: f64) -> Option<Enclosure> {
    if !x.is_point() {
        return Some(Enclosure::between(&Enclosure::exact(-1.0), &Enclosure::exact(1.0)));
    }
    // From -1 to 1, exactly: adding a half below loses nothing of what is left.
    let number = x.near() % 2.0;
    let turned = Enclosure::exact(number).plus(&Enclosure::exact(more));
    // A multiple of a half turn is taken away, so that the sine is near to zero where the rest is.
    let whole = (number + more).round();
    let rest = turned.minus(&Enclosure::exact(whole));
    let sine = match rest.is_zero() {
        true => rest,
        false => {
            let angle = rest.times(&Enclosure::pi()?);
            angle.map(true, |x, p, round, constants| x.sin(p, round, constants))?
        }
    };
    Some(if whole.rem_euclid(2.0) == 1.0 { sine.negated() } else { sine })
}

/// A function of which double precision has more than enough digits for single precision.
fn of_single(x: &Enclosure, function: fn(f64) -> f64) -> Option<Enclosure> {
    const DIGITS: f64 = 1e-12;
    let found = x.is_point().then(|| function(x.near())).filter(|it| it.is_finite())?;
    Some(Enclosure::exact(found).widened(found.abs() * DIGITS))
}

/// The angle of a point, over all corners: along either axis it ascends or descends.
fn angle(y: &Enclosure, x: &Enclosure) -> Option<Enclosure> {
    let pi = Enclosure::pi()?;
    if y.may_be_zero() && !x.is_positive() {
        // Where it goes on from one half turn to the other.
        let all = Enclosure::between(&pi.negated(), &pi);
        return (!x.may_be_zero()).then_some(all);
    }
    let mut found: Option<Enclosure> = None;
    for y in y.ends() {
        for x in x.ends() {
            let half = pi.times(&Enclosure::exact(0.5));
            let at = if x.is_zero() {
                if y.is_negative() { half.negated() } else { half }
            } else {
                let of = y.divided_by(&x)?;
                let slope = of.map(true, |x, p, round, constants| x.atan(p, round, constants))?;
                match (x.is_negative(), y.is_negative()) {
                    (false, _) => slope,
                    (true, false) => slope.plus(&pi),
                    (true, true) => slope.minus(&pi),
                }
            };
            found = Some(found.map_or_else(|| at.clone(), |found| Enclosure::between(&found, &at)));
        }
    }
    found
}

/// A power, by its logarithm: with digits to spare, as the library does not come to an end for some
/// powers that are exact.
fn power(x: &Enclosure, y: &Enclosure) -> Option<Enclosure> {
    if x.is_zero() {
        return y.is_positive().then(|| Enclosure::exact(0.0));
    }
    if x.is_negative() {
        let even = power(&x.negated(), y)?;
        let whole = y.is_point() && y.near().fract() == 0.0;
        return whole.then(|| if is_odd(y) { even.negated() } else { even });
    }
    if !x.is_positive() {
        return None;
    }
    one("exp", &one("log", x)?.times(y))
}

fn is_odd(y: &Enclosure) -> bool {
    y.is_point() && y.near().rem_euclid(2.0) == 1.0
}
