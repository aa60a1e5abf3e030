//! Results of which a lane has one of several: what the text leaves open, and what an environment permits
//! besides.

use laneproof_module::Operand;
use laneproof_module::spirv::{GlslStd450Op as Glsl, Op};
use laneproof_semantics::Scalar;

use super::margins::margin_alone;
use crate::choices::Open;
use crate::float_format::Format;
use crate::latitude::Margin;
use crate::outcome::Stop;
use crate::step::Step;

/// The results that a scalar may have.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternatives {
    /// By the text; one is chosen where none is given.
    pub stated: Vec<u64>,
    /// By the environment, whose devices may be less exact.
    pub permitted: Vec<u64>,
    /// Whatever there is, of which nothing is known, may be permitted as well.
    pub unknown: bool,
    /// Anything is permitted.
    pub anything: bool,
}

/// What a scalar holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// A number of floating point.
    Number(Format),
    /// The bits of two numbers of half precision.
    Halves,
    /// An integer.
    Integer,
}

impl Held {
    /// The parts that are numbers.
    fn numbers(self, bits: u64) -> Vec<(Format, u64)> {
        match self {
            Self::Number(format) => vec![(format, bits)],
            Self::Halves => [bits & 0xffff, bits >> 16].map(|it| (Format::Half, it)).to_vec(),
            Self::Integer => Vec::new(),
        }
    }

    /// It has a NaN, of which it is open which one.
    fn has_nan(self, bits: u64) -> bool {
        self.numbers(bits).into_iter().any(|(format, bits)| format.is_nan(bits))
    }

    /// The same result to the text: the same bits, or a NaN in the same place.
    fn same(self, a: u64, b: u64) -> bool {
        let (x, y) = (self.numbers(a), self.numbers(b));
        let alike = |((format, a), (_, b)): ((Format, u64), (Format, u64))| {
            a == b || format.is_nan(a) && format.is_nan(b)
        };
        if x.is_empty() { a == b } else { x.into_iter().zip(y).all(alike) }
    }
}

impl Alternatives {
    /// One result, and no other.
    pub fn only(bits: u64) -> Self {
        Self { stated: vec![bits], ..Self::default() }
    }

    /// The scalar that a lane gets.
    pub fn settle(
        &self,
        step: &mut Step<'_, '_, '_>,
        (scalar, held): (Scalar, Held),
        (leaf, lane): (usize, u32),
    ) -> Result<Option<u64>, Stop> {
        let site = step.site();
        let all = || self.stated.iter().chain(&self.permitted);
        if let Some(given) = step.machine.choices.open(&site, lane, leaf, scalar.width()) {
            return match self.anything || all().any(|it| held.same(*it, given)) {
                true => Ok(Some(given)),
                false if self.unknown => Err(step.undecided()),
                false => Err(step.illegal(vec![lane])),
            };
        }
        let Some(&first) = self.stated.first() else { return Ok(None) };
        let open = self.anything || self.unknown || all().any(|it| !held.same(*it, first));
        let of_halves = held == Held::Halves && held.has_nan(first);
        if step.machine.options.follow && (open || of_halves) {
            let open = Open::Reduction(scalar);
            return Ok(step.machine.choices.marker(&site, lane, leaf, open));
        }
        if self.anything || self.unknown || !self.permitted.is_empty() {
            step.machine.choices.margin();
        }
        let several = self.stated.len() as u64;
        let chosen = if several > 1 { step.machine.choices.pick(&site, several) } else { 0 };
        let bits = self.stated[chosen as usize];
        match held {
            Held::Number(format) if format.is_nan(bits) => Ok(step.some_nan(scalar, leaf, lane)),
            Held::Halves => Ok(Some(
                [bits & 0xffff, bits >> 16]
                    .into_iter()
                    .rev()
                    .fold(0, |all, half| all << 16 | some_half(step, half)),
            )),
            _ => Ok(Some(bits)),
        }
    }
}

/// The number, or a NaN of the choice's liking.
fn some_half(step: &mut Step<'_, '_, '_>, bits: u64) -> u64 {
    let format = Format::Half;
    if !format.is_nan(bits) || step.machine.options.readings.floats.canonical_nan {
        return bits;
    }
    let site = step.site();
    format.nan(step.machine.choices.pick(&site, format.nans()))
}

/// What the environment permits of an instruction in a format; nothing where exact results are asked for.
pub(super) fn permitted(step: &Step<'_, '_, '_>, format: Format) -> Margin {
    let leeway = step.machine.options.leeway;
    leeway.map_or_else(Margin::default, |leeway| margin_alone(step, leeway, format))
}

/// A result, and the zeros that it may be instead.
pub(super) fn with_zeros(format: Format, margin: Margin, bits: u64) -> Vec<u64> {
    let magnitude = format.magnitude(bits);
    let least = 1 << format.fraction();
    let vanishes = margin.flushed && magnitude != 0 && magnitude <= least;
    let unsigned = margin.finite && magnitude == 0;
    let zeros = format.zeros().into_iter().filter(|_| vanishes || unsigned);
    [bits].into_iter().chain(zeros).collect()
}

/// The instruction of GLSL.std.450 that it is.
pub(super) fn glsl(step: &Step<'_, '_, '_>) -> Option<Glsl> {
    if step.instruction.opcode != Op::ExtInst {
        return None;
    }
    let set = step.machine.program.preamble.instruction_sets.get(&step.id(0).ok()?)?;
    match step.instruction.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(number)) if set == "GLSL.std.450" => {
            Glsl::from_u32(*number)
        }
        _ => None,
    }
}
