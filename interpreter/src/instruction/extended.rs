//! The integer instructions of the extended sets GLSL.std.450 and OpenCL.std.

use laneproof_module::Operand;
use laneproof_module::spirv::{GlslStd450Op as Glsl, Op, OpenclStd100Op as OpenCl};

use crate::outcome::Stop;
use crate::step::{Leaf, Step, signed};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    if opcode != Op::ExtInst {
        return Ok(false);
    }
    let set = step.machine.program.instruction_sets.get(&step.id(0)?).map(String::as_str);
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
        Glsl::FindILsb => step.map([A], |[a]| position(a, u64::trailing_zeros)),
        Glsl::FindUMsb => step.map([A], |[a]| position(a, highest)),
        // Of a negative number the highest bit that is not like the sign.
        Glsl::FindSMsb => step.map([A], |[a]| {
            let number = number(a);
            position(if number < 0 { !number as u64 } else { a }, highest)
        }),
        _ => Err(step.not_modelled(format!("{instruction:?} of GLSL.std.450"))),
    }
}

fn opencl(step: &mut Step<'_, '_, '_>, instruction: OpenCl) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    let number = |bits| signed(width, bits);
    match instruction {
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
        _ => Err(step.not_modelled(format!("{instruction:?} of OpenCL.std"))),
    }
}

fn highest(bits: u64) -> u32 {
    63 - bits.leading_zeros()
}

/// The position of a bit; all ones where none is set.
fn position(bits: u64, find: fn(u64) -> u32) -> Leaf {
    Leaf::Bits(if bits == 0 { u64::MAX } else { u64::from(find(bits)) })
}

/// A value brought between two bounds; undefined when they are the wrong way round.
fn clamp<N: Ord>(value: N, low: N, high: N, bits: fn(N) -> u64) -> Leaf {
    if low > high { Leaf::Undefined } else { Leaf::Bits(bits(value.clamp(low, high))) }
}
