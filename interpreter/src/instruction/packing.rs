//! Numbers as parts of a word (GLSL.std.450, PackHalf2x16 and what is beside it), and numbers cut to half
//! precision (SPIR-V, OpQuantizeToF16).

use std::collections::BTreeSet;

use laneproof_module::spirv::{GlslStd450Op as Glsl, Op};
use laneproof_semantics::Scalar;
use rustc_apfloat::Round;

use super::alternatives::{Alternatives, Held, glsl, permitted, with_zeros};
use super::extended_float::FIRST;
use super::float::{Operation, combine_by, convert_by, from_integer_by};
use super::margins::settle;
use super::modes::controlled;
use crate::float_format::Format;
use crate::lane::lanes;
use crate::latitude::{Allowed, Margin, Permitted, unit};
use crate::outcome::Stop;
use crate::step::Step;
use crate::width::signed;

/// How a number from 0 or -1 to 1 is an integer.
#[derive(Clone, Copy)]
struct Normalized {
    width: u32,
    signed: bool,
}

impl Normalized {
    fn greatest(self) -> i64 {
        (1 << (self.width - u32::from(self.signed))) - 1
    }
}

/// It is executed here.
pub(super) fn is_known(step: &Step<'_, '_, '_>) -> bool {
    glsl(step).is_some_and(|it| {
        matches!(it, Glsl::PackHalf2x16 | Glsl::UnpackHalf2x16) || packing(it).is_some()
    })
}

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    if opcode == Op::QuantizeToF16 {
        quantize(step)?;
        return Ok(true);
    }
    match glsl(step) {
        Some(Glsl::PackHalf2x16) => pack_halves(step)?,
        Some(Glsl::UnpackHalf2x16) => unpack_halves(step)?,
        Some(it) => match packing(it) {
            Some(Packing::Pack(kind)) => pack(step, kind)?,
            Some(Packing::Unpack(kind)) => unpack(step, kind)?,
            None => return Ok(false),
        },
        None => return Ok(false),
    }
    Ok(true)
}

/// Whether an instruction packs or takes apart, and what integers.
#[derive(Clone, Copy)]
enum Packing {
    Pack(Normalized),
    Unpack(Normalized),
}

fn packing(instruction: Glsl) -> Option<Packing> {
    let of = |width, signed| Normalized { width, signed };
    Some(match instruction {
        Glsl::PackSnorm4x8 => Packing::Pack(of(8, true)),
        Glsl::PackUnorm4x8 => Packing::Pack(of(8, false)),
        Glsl::PackSnorm2x16 => Packing::Pack(of(16, true)),
        Glsl::PackUnorm2x16 => Packing::Pack(of(16, false)),
        Glsl::UnpackSnorm4x8 => Packing::Unpack(of(8, true)),
        Glsl::UnpackUnorm4x8 => Packing::Unpack(of(8, false)),
        Glsl::UnpackSnorm2x16 => Packing::Unpack(of(16, true)),
        Glsl::UnpackUnorm2x16 => Packing::Unpack(of(16, false)),
        _ => return None,
    })
}

/// What is permitted of numbers of single and of half precision together.
fn margin(step: &Step<'_, '_, '_>) -> Result<Margin, Stop> {
    let [single, half] = [Format::Single, Format::Half].map(|it| permitted(step, it));
    let asked = single.requested != Default::default() || half.requested != Default::default();
    if asked {
        return Err(controlled(step));
    }
    Ok(Margin {
        flushed: single.flushed || half.flushed,
        finite: single.finite || half.finite,
        anything: single.anything || half.anything,
        ..single
    })
}

/// The halves that a number of single precision may become.
fn halves(bits: u64, margin: Margin) -> Vec<u64> {
    let rounded = margin.rounds().iter();
    let rounded = rounded.map(|round| convert_by(Format::Single, Format::Half, bits, *round));
    let all = rounded.flat_map(|it| with_zeros(Format::Half, margin, it));
    // Below all halves nothing but flushing makes a zero of either sign.
    let vanishing = margin.flushed && Format::Single.is_subnormal(bits);
    let zeros = Format::Half.zeros().into_iter().filter(|_| vanishing);
    let mut seen = BTreeSet::new();
    all.chain(zeros).filter(|it| seen.insert(*it)).collect()
}

fn special(bits: u64) -> bool {
    Format::Single.magnitude(bits) >= Format::Single.infinity()
}

fn pack_halves(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let margin = margin(step)?;
    let numbers = step.consume(FIRST)?;
    let (scalar, mut result) = (step.result_element()?, step.blank_result()?);
    for lane in lanes(step.active) {
        let parts = [0, 1].map(|leaf| numbers.bits(leaf, lane));
        let joined = |margin: Margin| {
            let [low, high] = parts.map(|bits| halves(bits, margin));
            let pairs = high.iter().flat_map(|high| low.iter().map(move |low| high << 16 | low));
            pairs.collect::<Vec<_>>()
        };
        let alternatives = Alternatives {
            stated: joined(Margin::default()),
            permitted: if margin.is_none() { Vec::new() } else { joined(margin) },
            unknown: margin.anything,
            anything: margin.finite && parts.into_iter().any(special),
        };
        let bits = alternatives.settle(step, (scalar, Held::Halves), (0, lane))?;
        result.set(0, lane, bits);
    }
    step.finish(result)
}

fn unpack_halves(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let margin = margin(step)?;
    let words = step.consume(FIRST)?;
    let (scalar, mut result) = (step.result_element()?, step.blank_result()?);
    for lane in lanes(step.active) {
        for leaf in 0..result.leaves() {
            let half = words.bits(0, lane) >> (16 * leaf) & 0xffff;
            let whole = |bits| convert_by(Format::Half, Format::Single, bits, Round::TowardZero);
            let zeros = with_zeros(Format::Half, margin, half);
            let alternatives = Alternatives {
                stated: vec![whole(half)],
                permitted: zeros.into_iter().skip(1).map(whole).collect(),
                unknown: margin.anything,
                anything: margin.finite && Format::Half.magnitude(half) >= Format::Half.infinity(),
            };
            let held = (scalar, Held::Number(Format::Single));
            result.set(leaf, lane, alternatives.settle(step, held, (leaf, lane))?);
        }
    }
    step.finish(result)
}

fn quantize(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let margin = margin(step)?;
    let numbers = step.consume(0)?;
    let (scalar, mut result) = (step.result_element()?, step.blank_result()?);
    for lane in lanes(step.active) {
        for leaf in 0..result.leaves() {
            let number = numbers.bits(leaf, lane);
            let below = Format::Single.value(number).abs() < 2.0_f64.powi(-14);
            let all = |margin| {
                let halves = halves(number, margin).into_iter();
                let back = |half| convert_by(Format::Half, Format::Single, half, Round::TowardZero);
                let zeros = Format::Single.zeros().into_iter().filter(|_| below);
                let mut seen = BTreeSet::new();
                halves.map(back).chain(zeros).filter(|it| seen.insert(*it)).collect::<Vec<_>>()
            };
            let alternatives = Alternatives {
                stated: all(Margin::default()),
                permitted: if margin.is_none() { Vec::new() } else { all(margin) },
                unknown: margin.anything,
                anything: margin.finite && special(number),
            };
            let held = (scalar, Held::Number(Format::Single));
            result.set(leaf, lane, alternatives.settle(step, held, (leaf, lane))?);
        }
    }
    step.finish(result)
}

/// The integers that a number from the lowest one to 1 may become.
fn integers(bits: u64, kind: Normalized, margin: Margin) -> BTreeSet<i64> {
    let single = Format::Single;
    let lowest = if kind.signed { -1.0 } else { 0.0 };
    let clamped = single.value(bits).clamp(lowest, 1.0) as f32;
    let greatest = from_integer_by(single, i128::from(kind.greatest()), Round::NearestTiesToEven);
    let products = margin.rounds().iter().map(|round| {
        combine_by(single, Operation::Mul, u64::from(clamped.to_bits()), greatest, *round)
    });
    let whole = products.flat_map(|product| {
        let product = single.value(product);
        let (below, above) = (product.floor(), product.ceil());
        match (product - below).total_cmp(&0.5) {
            std::cmp::Ordering::Less => vec![below],
            std::cmp::Ordering::Equal => vec![below, above],
            std::cmp::Ordering::Greater => vec![above],
        }
    });
    whole.map(|it| it as i64).collect()
}

fn pack(step: &mut Step<'_, '_, '_>, kind: Normalized) -> Result<(), Stop> {
    let margin = margin(step)?;
    let numbers = step.consume(FIRST)?;
    let (scalar, mut result) = (step.result_element()?, step.blank_result()?);
    let mask = (1_i64 << kind.width) - 1;
    for lane in lanes(step.active) {
        let parts: Vec<u64> = (0..numbers.leaves()).map(|leaf| numbers.bits(leaf, lane)).collect();
        // Of a NaN no sentence says which integer it is.
        if parts.iter().any(|bits| Format::Single.is_nan(*bits)) {
            continue;
        }
        let joined = |margin: Margin| {
            let first = vec![0_u64];
            parts.iter().enumerate().fold(first, |words, (place, bits)| {
                let integers = integers(*bits, kind, margin);
                let placed = |word: u64| {
                    let shift = kind.width * place as u32;
                    integers
                        .iter()
                        .map(move |it| word | (((it & mask) as u64) << shift))
                        .collect::<Vec<_>>()
                };
                words.into_iter().flat_map(placed).collect()
            })
        };
        let alternatives = Alternatives {
            stated: joined(Margin::default()),
            permitted: if margin.is_none() { Vec::new() } else { joined(margin) },
            unknown: margin.anything,
            anything: margin.finite && parts.iter().copied().any(special),
        };
        let bits = alternatives.settle(step, (scalar, Held::Integer), (0, lane))?;
        result.set(0, lane, bits);
    }
    step.finish(result)
}

fn unpack(step: &mut Step<'_, '_, '_>, kind: Normalized) -> Result<(), Stop> {
    let margin = margin(step)?;
    // A quotient is as exact as a division is.
    let division = step.machine.options.leeway.map_or(0.0, |leeway| {
        let bounds = leeway.latitude.bounds("OpFDiv", Format::Single);
        bounds.filter(|it| it.allowed == Allowed::Error).map(|it| it.units()).fold(0.0, f64::max)
    });
    let words = step.consume(FIRST)?;
    let mut result = step.blank_result()?;
    let single = Format::Single;
    let [lowest, highest] = [-1.0, 1.0];
    for lane in lanes(step.active) {
        for leaf in 0..result.leaves() {
            let bits = words.bits(0, lane) >> (kind.width * leaf as u32);
            let integer = match kind.signed {
                true => signed(kind.width, bits),
                false => (bits & ((1 << kind.width) - 1)) as i64,
            };
            let exact = (integer as f64 / kind.greatest() as f64).max(lowest);
            let nearest = u64::from((exact as f32).to_bits());
            let mut permitted = match margin.anything {
                true => Permitted::unknown(),
                false => Permitted::default(),
            };
            permitted.value(nearest);
            let error = if margin.rounds_otherwise() { division.max(1.0) } else { division };
            if error > 0.0 && integer != 0 {
                let reach = error * unit(single, exact);
                let highest = if kind.signed { highest } else { f64::INFINITY };
                let (low, high) = ((exact - reach).max(lowest), (exact + reach).min(highest));
                permitted = permitted.with_range(low, high);
            }
            let bits = settle(step, Scalar::F32, (leaf, lane), &permitted, Some(nearest))?;
            result.set(leaf, lane, bits);
        }
    }
    step.finish(result)
}
