//! The extended sets' instructions on floating point whose result is exact, or rounded as the
//! documents say. Which NaN a result is, is open, and sometimes which of several numbers.

use laneproof_module::Operand;
use laneproof_module::spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};
use rustc_apfloat::Round;

use super::extended_number::{Given, fused, neighbour, remainder, scaled, whole_number};
use super::float::{Operation, combine_by};
use crate::choices::Open;
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::Step;

/// The results that a function may have, any NaN for each of them; undefined if there are none.
pub(super) type Results = fn(Given) -> Vec<u64>;

/// A function of some operands, which start after the set and the instruction.
pub(super) type Function = (usize, Results);

/// The arguments start after the set and the instruction.
pub(super) const FIRST: usize = 2;

/// A function of floating point of the extended set that an instruction is of.
pub(super) fn function(step: &Step<'_, '_, '_>) -> Option<Function> {
    let set = step.machine.program.preamble.instruction_sets.get(&step.id(0).ok()?)?;
    let Some(Operand::LiteralExtInstInteger(number)) = step.instruction.operands.get(1) else {
        return None;
    };
    match set.as_str() {
        "GLSL.std.450" => {
            let readings = &step.machine.options.readings;
            glsl(Glsl::from_u32(*number)?, readings.floats.either_zero)
        }
        "OpenCL.std" => opencl(OpenCl::from_u32(*number)?),
        _ => None,
    }
}

fn glsl(instruction: Glsl, either_zero: bool) -> Option<Function> {
    let function: Function = match instruction {
        Glsl::NMin if either_zero => (2, |it| numbers(it.format, [it.a, it.b], false).to_vec()),
        Glsl::NMax if either_zero => (2, |it| numbers(it.format, [it.a, it.b], true).to_vec()),
        Glsl::NClamp if either_zero => (3, |it| {
            if crossed(it.format, it.b, it.c) {
                return Vec::new();
            }
            let raised = numbers(it.format, [it.a, it.b], true);
            raised.into_iter().flat_map(|low| numbers(it.format, [low, it.c], false)).collect()
        }),
        Glsl::FAbs => (1, |it| vec![it.format.magnitude(it.a)]),
        Glsl::FSign => (1, |it| match (it.format.is_nan(it.a), it.format.magnitude(it.a)) {
            (true, _) => Vec::new(),
            (false, 0) => vec![0, it.a],
            (false, magnitude) => vec![it.a ^ magnitude | it.format.one()],
        }),
        Glsl::Floor => (1, |it| whole(it, Round::TowardNegative)),
        Glsl::Ceil => (1, |it| whole(it, Round::TowardPositive)),
        Glsl::Trunc => (1, |it| whole(it, Round::TowardZero)),
        Glsl::RoundEven => (1, |it| whole(it, Round::NearestTiesToEven)),
        Glsl::NMin => (2, |it| vec![below(it.format, it.a, it.b)]),
        Glsl::NMax => (2, |it| vec![above(it.format, it.a, it.b)]),
        Glsl::NClamp => (3, |it| match crossed(it.format, it.b, it.c) {
            true => Vec::new(),
            false => vec![below(it.format, above(it.format, it.a, it.b), it.c)],
        }),
        Glsl::Step => (2, beyond),
        Glsl::FMin => (2, |it| extremes(it.format, it.a, it.b, |a, b| a < b)),
        Glsl::FMax => (2, |it| extremes(it.format, it.a, it.b, |a, b| a > b)),
        Glsl::FClamp => (3, |it| {
            if crossed(it.format, it.b, it.c) {
                return Vec::new();
            }
            let raised = extremes(it.format, it.a, it.b, |a, b| a > b);
            raised
                .into_iter()
                .flat_map(|low| extremes(it.format, low, it.c, |a, b| a < b))
                .collect()
        }),
        Glsl::Round => (1, |it| match it.is_half_way() {
            true => [Round::TowardNegative, Round::TowardPositive]
                .map(|round| whole_number(it.format, it.a, round))
                .to_vec(),
            false => whole(it, Round::NearestTiesToEven),
        }),
        Glsl::Fract => (1, |it| {
            let below = whole_number(it.format, it.a, Round::TowardNegative);
            vec![combine_by(it.format, Operation::Sub, it.a, below, it.round)]
        }),
        Glsl::Fma => (3, contracted),
        Glsl::Ldexp => (2, ldexp),
        _ => return None,
    };
    Some(function)
}

fn opencl(instruction: OpenCl) -> Option<Function> {
    let function: Function = match instruction {
        OpenCl::fabs => (1, |it| vec![it.format.magnitude(it.a)]),
        OpenCl::fmin => (2, |it| vec![lesser(it.format, it.a, it.b)]),
        OpenCl::fmax => (2, |it| vec![greater(it.format, it.a, it.b)]),
        OpenCl::fmin_common => (2, |it| common(it, lesser)),
        OpenCl::fmax_common => (2, |it| common(it, greater)),
        OpenCl::fclamp => (3, between),
        OpenCl::step => (2, beyond),
        OpenCl::sign => (1, |it| match (it.format.is_nan(it.a), it.format.magnitude(it.a)) {
            (true, _) => vec![0],
            (false, 0) => vec![it.a],
            (false, magnitude) => vec![it.a ^ magnitude | it.format.one()],
        }),
        OpenCl::floor => (1, |it| whole(it, Round::TowardNegative)),
        OpenCl::ceil => (1, |it| whole(it, Round::TowardPositive)),
        OpenCl::trunc => (1, |it| whole(it, Round::TowardZero)),
        OpenCl::rint => (1, |it| whole(it, Round::NearestTiesToEven)),
        OpenCl::round => (1, |it| whole(it, Round::NearestTiesToAway)),
        OpenCl::fma => (3, |it| vec![fused(it)]),
        OpenCl::mad => (3, contracted),
        OpenCl::ldexp => (2, |it| vec![scaled(it, it.power())]),
        OpenCl::copysign => (2, |it| {
            let magnitude = it.format.magnitude(it.a);
            vec![magnitude | it.b & !it.format.magnitude(it.b)]
        }),
        OpenCl::fdim => (2, |it| match it.numbers() && it.order() <= 0 {
            true => vec![0],
            false => vec![combine_by(it.format, Operation::Sub, it.a, it.b, it.round)],
        }),
        OpenCl::fmod => (2, |it| vec![remainder(it, false)]),
        OpenCl::remainder => (2, |it| vec![remainder(it, true)]),
        OpenCl::maxmag => (2, |it| vec![by_magnitude(it, true)]),
        OpenCl::minmag => (2, |it| vec![by_magnitude(it, false)]),
        OpenCl::nextafter => (2, |it| vec![neighbour(it)]),
        _ => return None,
    };
    Some(function)
}

/// Executes a function of floating point whose result is exact; false for others.
pub(super) fn execute(step: &mut Step<'_, '_, '_>) -> Result<bool, Stop> {
    let Some((operands, results)) = function(step) else { return Ok(false) };
    let (scalar, format) = (step.result_element()?, result(step)?);
    let sources = (FIRST..FIRST + operands)
        .map(|operand| Ok((step.consume(operand)?, step.element_of(operand)?.width())))
        .collect::<Result<Vec<_>, Stop>>()?;
    let mut found = step.blank_result()?;
    let same = |a: u64, b: u64| a == b || format.is_nan(a) && format.is_nan(b);
    for leaf in 0..found.leaves() {
        for lane in lanes(step.active) {
            let mut inputs = [(0, 0); 3];
            for (input, (source, width)) in inputs.iter_mut().zip(&sources) {
                let component = leaf.min(source.leaves().saturating_sub(1));
                *input = (source.bits(component, lane), *width);
            }
            let mut legal = results(Given::new(format, inputs, Round::NearestTiesToEven));
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
    step.finish(found)?;
    Ok(true)
}

fn result(step: &Step<'_, '_, '_>) -> Result<Format, Stop> {
    format(step.result_element()?).ok_or_else(|| step.not_modelled("its result type"))
}

/// A whole number near the operand. A NaN is itself.
fn whole(it: Given, round: Round) -> Vec<u64> {
    vec![whole_number(it.format, it.a, round)]
}

/// A product and a sum, rounded after each or once.
fn contracted(it: Given) -> Vec<u64> {
    let product = combine_by(it.format, Operation::Mul, it.a, it.b, it.round);
    vec![fused(it), combine_by(it.format, Operation::Add, product, it.c, it.round)]
}

/// As GLSL has it: undefined where the power or the result is too large; where the power is below
/// all exponents zero will do.
fn ldexp(it: Given) -> Vec<u64> {
    let (format, power) = (it.format, it.power());
    let (most, least) = match format {
        Format::Single => (128, -126),
        Format::Double => (1024, -1022),
        Format::Half | Format::Bfloat16 => (i64::MAX, i64::MIN),
    };
    let product = scaled(it, power);
    let overflows = |it: u64| format.magnitude(it) == format.infinity();
    if power > most || overflows(product) && !overflows(it.a) {
        return Vec::new();
    }
    let zeros = [0, 1 << (format.width() - 1)];
    let flushed = zeros.into_iter().filter(|_| power < least);
    [product].into_iter().chain(flushed).collect()
}

fn lesser(format: Format, a: u64, b: u64) -> u64 {
    let second = format.is_nan(a) || format.order(b) < format.order(a);
    if second && !format.is_nan(b) { b } else { a }
}

fn greater(format: Format, a: u64, b: u64) -> u64 {
    let second = format.is_nan(a) || format.order(b) > format.order(a);
    if second && !format.is_nan(b) { b } else { a }
}

/// The lesser number, -0 below +0.
fn below(format: Format, a: u64, b: u64) -> u64 {
    let [a, b] = numbers(format, [a, b], false);
    if is_negative(format, a) { a } else { b }
}

/// The greater number, +0 above -0.
fn above(format: Format, a: u64, b: u64) -> u64 {
    let [a, b] = numbers(format, [a, b], true);
    if is_negative(format, a) { b } else { a }
}

/// The lesser or the greater of two numbers, twice, or both where they are equal; a NaN gives way.
fn numbers(format: Format, [a, b]: [u64; 2], greater: bool) -> [u64; 2] {
    let order = format.order(a).cmp(&format.order(b));
    match (format.is_nan(a), format.is_nan(b)) {
        (_, true) => [a; 2],
        (true, false) => [b; 2],
        _ if order.is_eq() => [a, b],
        _ => [if order.is_lt() == greater { b } else { a }; 2],
    }
}

fn is_negative(format: Format, bits: u64) -> bool {
    format.magnitude(bits) != bits
}

/// Undefined for infinities and NaNs.
fn common(it: Given, choose: fn(Format, u64, u64) -> u64) -> Vec<u64> {
    let finite = |bits| it.format.magnitude(bits) < it.format.infinity();
    if finite(it.a) && finite(it.b) { vec![choose(it.format, it.a, it.b)] } else { Vec::new() }
}

/// The operand that is further from zero, or nearer; of equal ones the greater or the lesser.
fn by_magnitude(it: Given, further: bool) -> u64 {
    let [a, b] = [it.a, it.b].map(|bits| it.format.magnitude(bits));
    match (it.numbers(), a == b) {
        (true, false) => {
            if (a > b) == further {
                it.a
            } else {
                it.b
            }
        }
        _ if further => greater(it.format, it.a, it.b),
        _ => lesser(it.format, it.a, it.b),
    }
}

/// A number clamped to two bounds; undefined if the bounds are reversed.
fn between(it: Given) -> Vec<u64> {
    if crossed(it.format, it.b, it.c) {
        return Vec::new();
    }
    vec![lesser(it.format, greater(it.format, it.a, it.b), it.c)]
}

fn crossed(format: Format, low: u64, high: u64) -> bool {
    let numbers = !format.is_nan(low) && !format.is_nan(high);
    numbers && format.order(low) > format.order(high)
}

/// 0 for a number below an edge, else 1.
fn beyond(it: Given) -> Vec<u64> {
    let below = it.numbers() && it.order() > 0;
    vec![if below { 0 } else { it.format.one() }]
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
