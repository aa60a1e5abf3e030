//! The extended sets' instructions on floating point whose result is exact, or rounded as the
//! documents say. Which NaN a result is, is open, and sometimes which of several numbers.

use laneproof_module::spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

use super::float::{Operation, combine};
use crate::choices::Open;
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::signed;

/// The arguments start after the set and the instruction.
const A: usize = 2;
const B: usize = 3;
const C: usize = 4;

/// Executes a floating-point instruction of GLSL.std.450; false for others.
pub(super) fn glsl(step: &mut Step<'_, '_, '_>, instruction: Glsl) -> Result<bool, Stop> {
    match instruction {
        Glsl::FAbs => magnitude(step)?,
        Glsl::FSign => {
            let format = result(step)?;
            one_of(step, [A], |[a]| match (format.is_nan(a), format.magnitude(a)) {
                (true, _) => Vec::new(),
                (false, 0) => vec![0, a],
                (false, magnitude) => vec![a ^ magnitude | format.one()],
            })?;
        }
        Glsl::Floor => whole(step, Round::TowardNegative)?,
        Glsl::Ceil => whole(step, Round::TowardPositive)?,
        Glsl::Trunc => whole(step, Round::TowardZero)?,
        Glsl::RoundEven => whole(step, Round::NearestTiesToEven)?,
        Glsl::NMin => one_number(step, lesser)?,
        Glsl::NMax => one_number(step, greater)?,
        Glsl::NClamp => between(step)?,
        Glsl::Step => beyond(step)?,
        Glsl::FMin => {
            let format = result(step)?;
            one_of(step, [A, B], |[a, b]| extremes(format, a, b, |a, b| a < b))?;
        }
        Glsl::FMax => {
            let format = result(step)?;
            one_of(step, [A, B], |[a, b]| extremes(format, a, b, |a, b| a > b))?;
        }
        Glsl::FClamp => {
            let format = result(step)?;
            one_of(step, [A, B, C], |[a, low, high]| {
                if crossed(format, low, high) {
                    return Vec::new();
                }
                let raised = extremes(format, a, low, |a, b| a > b);
                raised.into_iter().flat_map(|it| extremes(format, it, high, |a, b| a < b)).collect()
            })?;
        }
        Glsl::Round => {
            let format = result(step)?;
            one_of(step, [A], |[a]| {
                let nearest = |round| whole_number(format, a, round);
                match is_half_way(format, a) {
                    true => vec![nearest(Round::TowardNegative), nearest(Round::TowardPositive)],
                    false => vec![nearest(Round::NearestTiesToEven)],
                }
            })?;
        }
        Glsl::Fract => {
            let format = result(step)?;
            step.map([A], |[a]| {
                let below = whole_number(format, a, Round::TowardNegative);
                number(format, combine(format, Operation::Sub, a, below))
            })?;
        }
        Glsl::Fma => {
            let format = result(step)?;
            one_of(step, [A, B, C], |[a, b, c]| {
                let product = combine(format, Operation::Mul, a, b);
                vec![fused(format, a, b, c), combine(format, Operation::Add, product, c)]
            })?;
        }
        Glsl::Ldexp => ldexp(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Executes a floating-point instruction of OpenCL.std; false for others.
pub(super) fn opencl(step: &mut Step<'_, '_, '_>, instruction: OpenCl) -> Result<bool, Stop> {
    match instruction {
        OpenCl::fabs => magnitude(step)?,
        OpenCl::fmin => one_number(step, lesser)?,
        OpenCl::fmax => one_number(step, greater)?,
        OpenCl::fclamp => between(step)?,
        OpenCl::step => beyond(step)?,
        OpenCl::sign => {
            let format = result(step)?;
            step.map([A], |[a]| match (format.is_nan(a), format.magnitude(a)) {
                (true, _) => Leaf::Bits(0),
                (false, 0) => Leaf::Bits(a),
                (false, magnitude) => Leaf::Bits(a ^ magnitude | format.one()),
            })?;
        }
        OpenCl::floor => whole(step, Round::TowardNegative)?,
        OpenCl::ceil => whole(step, Round::TowardPositive)?,
        OpenCl::trunc => whole(step, Round::TowardZero)?,
        OpenCl::rint => whole(step, Round::NearestTiesToEven)?,
        OpenCl::round => whole(step, Round::NearestTiesToAway)?,
        OpenCl::fma => {
            let format = result(step)?;
            step.map([A, B, C], |[a, b, c]| number(format, fused(format, a, b, c)))?;
        }
        OpenCl::ldexp => {
            let (format, width) = (result(step)?, step.element_of(B)?.width());
            step.map([A, B], |[a, power]| number(format, scaled(format, a, signed(width, power))))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn result(step: &Step<'_, '_, '_>) -> Result<Format, Stop> {
    format(step.result_element()?).ok_or_else(|| step.not_modelled("its result type"))
}

fn number(format: Format, bits: u64) -> Leaf {
    if format.is_nan(bits) { Leaf::Nan } else { Leaf::Bits(bits) }
}

fn magnitude(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A], |[a]| number(format, format.magnitude(a)))
}

/// A result with several legal numbers, component by component: any NaN if one of them is a NaN,
/// undefined if there are none.
fn one_of<const N: usize>(
    step: &mut Step<'_, '_, '_>,
    operands: [usize; N],
    legal: impl Fn([u64; N]) -> Vec<u64>,
) -> Result<(), Stop> {
    let (scalar, format) = (step.result_element()?, result(step)?);
    let sources =
        operands.iter().map(|operand| step.consume(*operand)).collect::<Result<Vec<_>, _>>()?;
    let mut found = step.blank_result()?;
    let same = |a: u64, b: u64| a == b || format.is_nan(a) && format.is_nan(b);
    for leaf in 0..found.leaves() {
        for lane in lanes(step.active) {
            let mut inputs = [0; N];
            for (input, source) in inputs.iter_mut().zip(&sources) {
                *input = source.bits(leaf.min(source.leaves().saturating_sub(1)), lane);
            }
            let mut legal = legal(inputs);
            legal.dedup_by(|a, b| same(*a, *b));
            if legal.is_empty() {
                continue;
            }
            let site = step.site();
            let given = step.machine.choices.open(&site, lane, leaf, format.width());
            if let Some(given) = given {
                if !legal.iter().any(|it| same(*it, given)) {
                    return Err(step.illegal(vec![lane]));
                }
                found.set(leaf, lane, Some(given));
                continue;
            }
            let chosen = match legal.as_slice() {
                [only] => *only,
                _ if step.machine.options.follow => {
                    let open = Open::Reduction(scalar);
                    let marker = step.machine.choices.marker(&site, lane, leaf, open);
                    found.set(leaf, lane, marker);
                    continue;
                }
                several => several[step.machine.choices.pick(&site, several.len() as u64) as usize],
            };
            let chosen = match format.is_nan(chosen) {
                true => step.some_nan(scalar, leaf, lane),
                false => Some(chosen),
            };
            found.set(leaf, lane, chosen);
        }
    }
    step.finish(found)
}

/// A whole number near the operand. A NaN is itself, and which one is open.
fn whole(step: &mut Step<'_, '_, '_>, round: Round) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A], |[a]| number(format, whole_number(format, a, round)))
}

fn whole_number(format: Format, bits: u64, round: Round) -> u64 {
    fn near<T: Float>(bits: u64, round: Round) -> u64 {
        T::from_bits(u128::from(bits)).round_to_integral(round).value.to_bits() as u64
    }
    match format {
        Format::Half => near::<Half>(bits, round),
        Format::Bfloat16 => near::<BFloat>(bits, round),
        Format::Single => near::<Single>(bits, round),
        Format::Double => near::<Double>(bits, round),
    }
}

/// Two whole numbers are as near. Every number is a `Double`, where twice that is exact.
fn is_half_way(format: Format, bits: u64) -> bool {
    let double = format.widen(bits);
    let twice = (double + double).value;
    let is_whole = |it: Double| it.round_to_integral(Round::TowardZero).value == it;
    is_whole(twice) && !is_whole(double)
}

/// A number times a power of two, rounded once.
fn scaled(format: Format, bits: u64, power: i64) -> u64 {
    fn scaled<T: Float>(bits: u64, power: i32) -> u64 {
        T::from_bits(u128::from(bits)).scalbn(power).to_bits() as u64
    }
    // Further away everything is 0 or infinite.
    let power = power.clamp(-10_000, 10_000) as i32;
    match format {
        Format::Half => scaled::<Half>(bits, power),
        Format::Bfloat16 => scaled::<BFloat>(bits, power),
        Format::Single => scaled::<Single>(bits, power),
        Format::Double => scaled::<Double>(bits, power),
    }
}

/// The same as GLSL has it: undefined where the power or the result is too large; where the power
/// is below all exponents zero will do.
fn ldexp(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let (format, width) = (result(step)?, step.element_of(B)?.width());
    let (most, least) = match format {
        Format::Single => (128, -126),
        Format::Double => (1024, -1022),
        Format::Half | Format::Bfloat16 => (i64::MAX, i64::MIN),
    };
    one_of(step, [A, B], |[a, power]| {
        let power = signed(width, power);
        let product = scaled(format, a, power);
        let overflows = |it: u64| format.magnitude(it) == format.infinity();
        if power > most || overflows(product) && !overflows(a) {
            return Vec::new();
        }
        let zeros = [0, 1 << (format.width() - 1)];
        let flushed = zeros.into_iter().filter(|_| power < least);
        [product].into_iter().chain(flushed).collect()
    })
}

/// A number that is one of two operands; of a number and a NaN that is the number.
fn one_number(
    step: &mut Step<'_, '_, '_>,
    choose: fn(Format, u64, u64) -> u64,
) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B], |[a, b]| number(format, choose(format, a, b)))
}

fn lesser(format: Format, a: u64, b: u64) -> u64 {
    let second = format.is_nan(a) || format.order(b) < format.order(a);
    if second && !format.is_nan(b) { b } else { a }
}

fn greater(format: Format, a: u64, b: u64) -> u64 {
    let second = format.is_nan(a) || format.order(b) > format.order(a);
    if second && !format.is_nan(b) { b } else { a }
}

/// A number clamped to two bounds; undefined if the bounds are reversed.
fn between(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B, C], |[a, low, high]| {
        if crossed(format, low, high) {
            return Leaf::Undefined;
        }
        number(format, lesser(format, greater(format, a, low), high))
    })
}

fn crossed(format: Format, low: u64, high: u64) -> bool {
    let numbers = !format.is_nan(low) && !format.is_nan(high);
    numbers && format.order(low) > format.order(high)
}

/// 0 for a number below an edge, else 1.
fn beyond(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let format = result(step)?;
    step.map([A, B], |[edge, a]| {
        let numbers = !format.is_nan(edge) && !format.is_nan(a);
        let below = numbers && format.order(a) < format.order(edge);
        Leaf::Bits(if below { 0 } else { format.one() })
    })
}

/// The one of two numbers that comes first; of equal ones, or where one is a NaN, either.
fn extremes(format: Format, a: u64, b: u64, first: fn(i128, i128) -> bool) -> Vec<u64> {
    let (x, y) = (format.order(a), format.order(b));
    if format.is_nan(a) || format.is_nan(b) || x == y {
        vec![a, b]
    } else {
        vec![if first(x, y) { a } else { b }]
    }
}

fn fused(format: Format, a: u64, b: u64, c: u64) -> u64 {
    fn fused<T: Float>([a, b, c]: [u64; 3]) -> u64 {
        let [a, b, c] = [a, b, c].map(|bits| T::from_bits(u128::from(bits)));
        a.mul_add_r(b, c, Round::NearestTiesToEven).value.to_bits() as u64
    }
    match format {
        Format::Half => fused::<Half>([a, b, c]),
        Format::Bfloat16 => fused::<BFloat>([a, b, c]),
        Format::Single => fused::<Single>([a, b, c]),
        Format::Double => fused::<Double>([a, b, c]),
    }
}
