//! The extended sets GLSL.std.450 and OpenCL.std: instructions on integers.

use laneproof_module::spirv::{GlslStd450Op as Glsl, Op, OpenclStd100Op as OpenCl};
use laneproof_module::{Named, Operand};

use super::extended_float;
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::{signed, truncate};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    if opcode != Op::ExtInst {
        return Ok(false);
    }
    if extended_float::execute(step)? {
        return Ok(true);
    }
    let set = step.machine.program.preamble.instruction_sets.get(&step.id(0)?).map(String::as_str);
    let number = match step.instruction.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(number)) => *number,
        _ => return Err(step.not_modelled("operand 1 is not an instruction of the set")),
    };
    match set {
        Some("GLSL.std.450") => match Glsl::from_u32(number) {
            Some(instruction) => glsl(step, instruction)?,
            None => return Ok(false),
        },
        Some("OpenCL.std") => match OpenCl::from_u32(number) {
            Some(_) if step.result_element()?.width() < 2 => {
                return Err(step.not_modelled("a result of Booleans"));
            }
            Some(instruction) => opencl(step, instruction)?,
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// The arguments start after the set and the instruction.
const A: usize = 2;
const B: usize = 3;
const C: usize = 4;

fn glsl(step: &mut Step<'_, '_, '_>, instruction: Glsl) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    let number = |bits| signed(width, bits);
    match instruction {
        Glsl::SAbs => step.map([A], |[a]| Leaf::Bits(number(a).unsigned_abs())),
        Glsl::SSign => step.map([A], |[a]| Leaf::Bits(number(a).signum() as u64)),
        Glsl::UMin => step.map([A, B], |[a, b]| Leaf::Bits(a.min(b))),
        Glsl::UMax => step.map([A, B], |[a, b]| Leaf::Bits(a.max(b))),
        Glsl::SMin => step.map([A, B], |[a, b]| Leaf::Bits(number(a).min(number(b)) as u64)),
        Glsl::SMax => step.map([A, B], |[a, b]| Leaf::Bits(number(a).max(number(b)) as u64)),
        Glsl::UClamp => step.map([A, B, C], |[a, low, high]| clamp(a, low, high, |a| a)),
        Glsl::SClamp => step.map([A, B, C], |[a, low, high]| {
            clamp(number(a), number(low), number(high), |a| a as u64)
        }),
        Glsl::PackDouble2x32 => packed(step),
        Glsl::UnpackDouble2x32 => unpacked(step),
        Glsl::FindILsb => step.map([A], |[a]| position(a, u64::trailing_zeros)),
        Glsl::FindUMsb => step.map([A], |[a]| position(a, highest)),
        // Of a negative number the highest bit that is not like the sign.
        Glsl::FindSMsb => step.map([A], |[a]| {
            let number = number(a);
            position(if number < 0 { !number as u64 } else { a }, highest)
        }),
        _ => Err(step.not_modelled(format!("{} of GLSL.std.450", instruction.name()))),
    }
}

fn opencl(step: &mut Step<'_, '_, '_>, instruction: OpenCl) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    let number = |bits| signed(width, bits);
    let wide = |bits| i128::from(number(bits));
    let (least, most) = (wide(1 << (width - 1)), i128::from(u64::MAX >> (65 - width)));
    let all = i128::from(u64::MAX >> (64 - width));
    match instruction {
        OpenCl::rotate => step.map([A, B], |[a, b]| {
            let by = (b % u64::from(width)) as u32;
            let back = (width - by) % width;
            Leaf::Bits(a << by | a >> back)
        }),
        OpenCl::u_mul_hi => {
            step.map([A, B], |[a, b]| Leaf::Bits(((u128::from(a) * u128::from(b)) >> width) as u64))
        }
        OpenCl::s_mul_hi => {
            step.map([A, B], |[a, b]| Leaf::Bits(((wide(a) * wide(b)) >> width) as u64))
        }
        OpenCl::u_mad_hi => step.map([A, B, C], |[a, b, c]| {
            Leaf::Bits((((u128::from(a) * u128::from(b)) >> width) as u64).wrapping_add(c))
        }),
        OpenCl::s_mad_hi => step.map([A, B, C], |[a, b, c]| {
            Leaf::Bits((((wide(a) * wide(b)) >> width) as u64).wrapping_add(c))
        }),
        OpenCl::u_mul24 => step.map([A, B], |[a, b]| unsigned_24(a, b, None)),
        OpenCl::u_mad24 => step.map([A, B, C], |[a, b, c]| unsigned_24(a, b, Some(c))),
        OpenCl::s_mul24 => step.map([A, B], |[a, b]| signed_24(number(a), number(b), None)),
        OpenCl::s_mad24 => {
            step.map([A, B, C], |[a, b, c]| signed_24(number(a), number(b), Some(c)))
        }
        OpenCl::u_mad_sat => step.map([A, B, C], |[a, b, c]| {
            Leaf::Bits((u128::from(a) * u128::from(b) + u128::from(c)).min(all as u128) as u64)
        }),
        OpenCl::s_mad_sat => step.map([A, B, C], |[a, b, c]| {
            Leaf::Bits((wide(a) * wide(b) + wide(c)).clamp(least, most) as u64)
        }),
        OpenCl::u_upsample | OpenCl::s_upsample => {
            step.map([A, B], |[high, low]| Leaf::Bits(high << (width / 2) | low))
        }
        OpenCl::select => select(step),
        OpenCl::u_add_sat => {
            step.map([A, B], |[a, b]| Leaf::Bits((i128::from(a) + i128::from(b)).min(all) as u64))
        }
        OpenCl::u_sub_sat => step.map([A, B], |[a, b]| Leaf::Bits(a.saturating_sub(b))),
        OpenCl::s_add_sat => {
            step.map([A, B], |[a, b]| Leaf::Bits((wide(a) + wide(b)).clamp(least, most) as u64))
        }
        OpenCl::s_sub_sat => {
            step.map([A, B], |[a, b]| Leaf::Bits((wide(a) - wide(b)).clamp(least, most) as u64))
        }
        OpenCl::u_hadd => {
            step.map([A, B], |[a, b]| Leaf::Bits(((i128::from(a) + i128::from(b)) >> 1) as u64))
        }
        OpenCl::u_rhadd => {
            step.map([A, B], |[a, b]| Leaf::Bits(((i128::from(a) + i128::from(b) + 1) >> 1) as u64))
        }
        OpenCl::s_hadd => step.map([A, B], |[a, b]| Leaf::Bits(((wide(a) + wide(b)) >> 1) as u64)),
        OpenCl::s_rhadd => {
            step.map([A, B], |[a, b]| Leaf::Bits(((wide(a) + wide(b) + 1) >> 1) as u64))
        }
        OpenCl::u_abs_diff => step.map([A, B], |[a, b]| Leaf::Bits(a.abs_diff(b))),
        OpenCl::s_abs_diff => step.map([A, B], |[a, b]| Leaf::Bits(number(a).abs_diff(number(b)))),
        OpenCl::bitselect => step.map([A, B, C], |[a, b, c]| Leaf::Bits(a & !c | b & c)),
        OpenCl::s_abs => step.map([A], |[a]| Leaf::Bits(number(a).unsigned_abs())),
        OpenCl::u_abs => step.map([A], |[a]| Leaf::Bits(a)),
        OpenCl::u_min => step.map([A, B], |[a, b]| Leaf::Bits(a.min(b))),
        OpenCl::u_max => step.map([A, B], |[a, b]| Leaf::Bits(a.max(b))),
        OpenCl::s_min => step.map([A, B], |[a, b]| Leaf::Bits(number(a).min(number(b)) as u64)),
        OpenCl::s_max => step.map([A, B], |[a, b]| Leaf::Bits(number(a).max(number(b)) as u64)),
        OpenCl::u_clamp => step.map([A, B, C], |[a, low, high]| clamp(a, low, high, |a| a)),
        OpenCl::s_clamp => step.map([A, B, C], |[a, low, high]| {
            clamp(number(a), number(low), number(high), |a| a as u64)
        }),
        OpenCl::popcount => step.map([A], |[a]| Leaf::Bits(u64::from(a.count_ones()))),
        // Of 0 both count the whole width.
        OpenCl::clz => step.map([A], |[a]| Leaf::Bits(u64::from(a.leading_zeros() + width - 64))),
        OpenCl::ctz => step.map([A], |[a]| Leaf::Bits(u64::from(a.trailing_zeros().min(width)))),
        _ => Err(step.not_modelled(format!("{} of OpenCL.std", instruction.name()))),
    }
}

/// Copies the second argument where the third one says so, else the first one.
fn select(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let (first, second) = (step.copy(A)?, step.copy(B)?);
    let decides = step.consume(C)?;
    let width = step.element_of(C)?.width();
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        for lane in lanes(step.active) {
            let bits = decides.bits(leaf, lane);
            let chosen = match result.leaves() {
                1 => bits != 0,
                _ => signed(width, bits) < 0,
            };
            let from = if chosen { &second } else { &first };
            result.set(leaf, lane, from.get(leaf, lane));
        }
    }
    step.finish(result)
}

/// A number of 64 bits out of two words, the lower one first.
fn packed(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let words = step.consume(A)?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let [low, high] = [0, 1].map(|leaf| words.bits(leaf, lane));
        // Which number it is where it would be infinite or a NaN, is not specified.
        let specified = high >> 20 & 0x7ff != 0x7ff;
        result.set(0, lane, specified.then_some(high << 32 | low));
    }
    step.finish(result)
}

/// The lower and the upper word of a number of 64 bits.
fn unpacked(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let number = step.consume(A)?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let bits = number.bits(0, lane);
        result.set(0, lane, Some(truncate(32, bits)));
        result.set(1, lane, Some(bits >> 32));
    }
    step.finish(result)
}

/// A product of numbers of 24 bits and a sum; the implementation defines the product of others.
fn unsigned_24(a: u64, b: u64, addend: Option<u64>) -> Leaf {
    if a >> 24 != 0 || b >> 24 != 0 {
        Leaf::Product { name: "unsigned product of 24 bits", addend }
    } else {
        Leaf::Bits((a * b).wrapping_add(addend.unwrap_or(0)))
    }
}

/// The same of numbers with a sign.
fn signed_24(a: i64, b: i64, addend: Option<u64>) -> Leaf {
    let fits = |n: i64| (-(1 << 23)..1 << 23).contains(&n);
    if fits(a) && fits(b) {
        Leaf::Bits(((a * b) as u64).wrapping_add(addend.unwrap_or(0)))
    } else {
        Leaf::Product { name: "signed product of 24 bits", addend }
    }
}

fn highest(bits: u64) -> u32 {
    63 - bits.leading_zeros()
}

/// The position of a bit; all ones where none is set.
fn position(bits: u64, find: fn(u64) -> u32) -> Leaf {
    Leaf::Bits(if bits == 0 { u64::MAX } else { u64::from(find(bits)) })
}

/// A value clamped to two bounds; undefined if the bounds are reversed.
fn clamp<N: Ord>(value: N, low: N, high: N, bits: fn(N) -> u64) -> Leaf {
    if low > high { Leaf::Undefined } else { Leaf::Bits(bits(value.clamp(low, high))) }
}
