//! How far results of floating point may be from the correctly rounded ones, in the environment
//! that a module is for: what an oracle must not call impossible.

mod fast_math;
mod margin;
mod origin;
mod permitted;
mod relaxed;

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::spirv::{ExecutionMode, FPRoundingMode, Op};
use laneproof_module::{Block, Id, Instruction, ModuleType, Named, Operand, Program};
use laneproof_semantics::Scalar;
use laneproof_semantics::language::formula::Formula;
use laneproof_semantics::language::margin::{Bound, Computed};
use rustc_apfloat::Round;

pub(crate) use margin::Margin;
pub(crate) use origin::Origins;
pub(crate) use permitted::{Permitted, unit};
pub use relaxed::relaxed_beside_floats;

use crate::float_format::{Format, format};
use crate::opcode::{Floats, OpcodeFacts};

/// Something that an environment allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Subnormal operands and results may be zeros of either sign.
    Flushed,
    /// Operands and results may be taken to be finite, and zeros to have no sign.
    Finite,
    /// Rounding goes to either neighbour.
    EitherWay,
    /// Rounding goes to the nearest number, ties to even, or toward zero.
    TowardZero,
    /// Operations may be combined as real numbers allow.
    Rearranged,
    /// Operations may be contracted with those that compute their operands.
    Contracted,
    /// An error in units in the last place.
    Error,
    /// An error that does not depend on the size of the result.
    Absolute,
    /// As exact as a formula.
    Inherited,
    /// Any result.
    Anything,
    /// The precision of `f32` suffices.
    Single,
    /// What is converted to an integer that it does not fit in.
    OutOfRange,
    /// A division by what has no normal inverse.
    LargeDivisors,
}

/// What is allowed, and for which results.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowance {
    /// What is allowed.
    pub allowed: Allowed,
    /// By how much, where that has a bound.
    pub bound: Option<Bound>,
    /// The formats to which it applies, as `f32`; all if empty.
    pub formats: Vec<String>,
    /// The instructions to which it applies, as `OpFDiv` or `Exp`; all if empty.
    pub instructions: Vec<Computed>,
    /// The execution mode or decoration under which it is not.
    pub unless: Option<String>,
}

impl Allowance {
    /// How it speaks of an instruction.
    pub(crate) fn function(&self, name: &str) -> Option<&Computed> {
        self.instructions.iter().find(|it| *it.name == *name)
    }

    fn is_for(&self, format: Format) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|it| it == format.name())
    }

    /// Its bound as a number, where it is one.
    pub(crate) fn units(&self) -> f64 {
        match self.bound.as_ref().map(|bound| &bound.formula) {
            Some(Formula::Number(text)) => text.parse().unwrap_or(f64::INFINITY),
            _ => f64::INFINITY,
        }
    }
}

/// What an environment leaves to its devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Latitude {
    /// All that it allows.
    pub allowances: Vec<Allowance>,
}

/// The same for one program.
#[derive(Clone, Debug)]
pub struct Leeway {
    pub(crate) latitude: Latitude,
    pub(crate) origins: Origins,
    inexact: BTreeSet<Id>,
}

impl Leeway {
    /// What a latitude comes to in a program.
    pub fn new(latitude: Latitude, program: &Program) -> Self {
        let origins = Origins::of(program);
        let has_error = |instruction: &Instruction| {
            let format = instruction.ty.as_ref().and_then(crate::shape::element).and_then(format);
            format.is_some_and(|format| {
                let margin = latitude.margin(program, instruction, format);
                margin.error > 0.0 || margin.bounded || margin.single || margin.large_divisors
            })
        };
        let inexact = origins.made_of(has_error);
        Self { latitude, origins, inexact }
    }

    /// The value is the result of something with an error, or of what is computed with one.
    pub(crate) fn is_inexact(&self, id: Id) -> bool {
        self.inexact.contains(&id)
    }
}

impl Margin {
    /// Adds what execution modes request. If entry points differ in it, nothing is known.
    fn include(&mut self, program: &Program, format: Format) {
        let [zero, flush] = CONTROLS.map(|it| it.0);
        self.requested.toward_zero = declared(program, zero, format);
        self.either_way &= !self.requested.toward_zero;
        self.or_toward_zero &= !self.requested.toward_zero;
        self.requested.flushes = declared(program, flush, format);
        self.flushed |= self.requested.flushes;
        let all = [self.requested.toward_zero, self.requested.flushes];
        let in_some = |it| declared_by(program, it, format).any(|declares| declares);
        self.anything |= [zero, flush].into_iter().zip(all).any(|(it, all)| !all && in_some(it));
    }

    /// Nothing but the correctly rounded result will do.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Devices may round otherwise than to the nearest number, ties to even.
    pub fn rounds_otherwise(&self) -> bool {
        self.either_way || self.or_toward_zero
    }

    /// The directions in which results may be rounded.
    pub fn rounds(&self) -> &'static [Round] {
        match self.requested.direction {
            Some(Round::NearestTiesToEven) => return &[Round::NearestTiesToEven],
            Some(Round::TowardPositive) => return &[Round::TowardPositive],
            Some(Round::TowardNegative) => return &[Round::TowardNegative],
            Some(Round::TowardZero) => return &[Round::TowardZero],
            Some(Round::NearestTiesToAway) => return &[Round::NearestTiesToAway],
            None => {}
        }
        match (self.requested.toward_zero, self.either_way, self.or_toward_zero) {
            (true, _, _) => &[Round::TowardZero],
            (_, true, _) => {
                &[Round::NearestTiesToEven, Round::TowardPositive, Round::TowardNegative]
            }
            (.., true) => &[Round::NearestTiesToEven, Round::TowardZero],
            _ => &[Round::NearestTiesToEven],
        }
    }

    /// The readings by which arithmetic is taken to be exact although devices may differ here.
    pub fn readings(&self) -> impl Iterator<Item = &'static str> {
        let bounded = self.error > 0.0 || self.single || self.large_divisors || self.bounded;
        let precision = bounded || self.anything;
        let all = [
            (self.flushed, "denormals"),
            (self.rounds_otherwise(), "rounding"),
            (self.combining.rearranged || self.combining.contracted, "contraction"),
            (precision, "precision"),
            (self.finite, "special-values"),
        ];
        all.into_iter().filter_map(|(left, reading)| left.then_some(reading))
    }
}

impl Latitude {
    /// The readings by which results of floating point in the program are the correctly rounded
    /// ones: those of what devices may do otherwise.
    pub fn concerns(&self, program: &Program) -> BTreeSet<&'static str> {
        let types = Types::of(program);
        let mut readings = BTreeSet::new();
        for instruction in types.blocks.iter().flat_map(|block| &block.instructions) {
            let result = instruction.ty.as_ref().and_then(element);
            // An extended instruction may make an integer or a structure of numbers.
            let extended = instruction.opcode == Op::ExtInst;
            let number = result.filter(|it| !extended || it.is_float());
            let result = number.or_else(|| types.operand(instruction, 2).filter(|_| extended));
            let of = |scalar: Option<Scalar>| scalar.and_then(format);
            let margin = |format| self.margin(program, instruction, format);
            match OpcodeFacts::of(instruction.opcode).floats {
                Floats::Computes | Floats::Combines => {
                    let all = of(result).map(|it| margin(it).readings().collect::<Vec<_>>());
                    readings.extend(all.into_iter().flatten());
                }
                Floats::Conversion => {
                    let (Some(to), Some(from)) = (of(result), types.operand(instruction, 0)) else {
                        continue;
                    };
                    let exact = from.width() <= to.fraction() + 1;
                    if !exact && margin(to).rounds_otherwise() {
                        readings.insert("rounding");
                    }
                }
                Floats::Looks(operand) => {
                    let Some(format) = of(types.operand(instruction, operand)) else { continue };
                    let margin = margin(format);
                    let zeros = !matches!(instruction.opcode, Op::IsNan | Op::IsInf);
                    readings.extend((margin.flushed && zeros).then_some("denormals"));
                    readings.extend(margin.finite.then_some("special-values"));
                }
                Floats::Truncation | Floats::No => {}
            }
        }
        readings.extend(relaxed_beside_floats(program).then_some("precision"));
        readings
    }

    /// What it says of how exact a function is in a format.
    pub(crate) fn bounds<'a>(
        &'a self,
        name: &'a str,
        format: Format,
    ) -> impl Iterator<Item = &'a Allowance> {
        self.allowances.iter().filter(move |it| {
            let bounds = [Allowed::Error, Allowed::Absolute, Allowed::Inherited, Allowed::Anything];
            bounds.contains(&it.allowed) && it.is_for(format) && it.function(name).is_some()
        })
    }

    /// What is allowed for an instruction that computes in a format.
    pub(crate) fn margin(
        &self,
        program: &Program,
        instruction: &Instruction,
        format: Format,
    ) -> Margin {
        let name = instruction.opcode.name();
        let decorated = |word: &str| {
            matches!(word, "NoContraction" | "ContractionOff")
                && instruction
                    .result
                    .is_some_and(|id| program.decorations.uncontracted.contains(&id))
        };
        let mut margin = Margin::default();
        for it in &self.allowances {
            let of_opcode = it.instructions.is_empty() || it.function(name).is_some();
            let excepted = it
                .unless
                .as_deref()
                .is_some_and(|word| decorated(word) || declared(program, word, format));
            if !it.is_for(format) || !of_opcode || excepted {
                continue;
            }
            match it.allowed {
                Allowed::Flushed => margin.flushed = true,
                Allowed::Finite => margin.finite = true,
                Allowed::EitherWay => margin.either_way = true,
                Allowed::TowardZero => margin.or_toward_zero = true,
                Allowed::Rearranged => margin.combining.rearranged = true,
                Allowed::Contracted => margin.combining.contracted = true,
                Allowed::Error => margin.error = margin.error.max(it.units()),
                Allowed::Absolute | Allowed::Inherited | Allowed::Anything => {}
                Allowed::Single => margin.single = true,
                Allowed::OutOfRange => margin.out_of_range = true,
                Allowed::LargeDivisors => margin.large_divisors = true,
            }
        }
        let function = program.extended(instruction);
        let function = function.as_deref().and_then(|it| it.split(' ').nth(1)).unwrap_or(name);
        margin.bounded = !is_division(instruction.opcode)
            && self.bounds(function, bounds_of(format, margin)).next().is_some();
        margin.include(program, format);
        margin.requested.direction = rounding(program, instruction);
        fast_math::include(&mut margin, program, instruction, format);
        // If less precision is requested, its amount is not modelled.
        margin.anything |=
            instruction.result.is_some_and(|id| program.decorations.relaxed.contains(&id));
        margin
    }
}

/// The direction in which a decoration has an instruction round.
pub(crate) fn rounding(program: &Program, instruction: &Instruction) -> Option<Round> {
    let mode = program.decorations.rounding.get(&instruction.result?)?;
    Some(match mode {
        FPRoundingMode::RTE => Round::NearestTiesToEven,
        FPRoundingMode::RTZ => Round::TowardZero,
        FPRoundingMode::RTP => Round::TowardPositive,
        FPRoundingMode::RTN => Round::TowardNegative,
    })
}

fn is_division(opcode: Op) -> bool {
    opcode == Op::FDiv
}

/// The format whose bounds hold for results of another.
pub(crate) fn bounds_of(format: Format, margin: Margin) -> Format {
    if margin.single { Format::Single } else { format }
}

/// The execution modes that ask for other results than the nearest ones with nothing flushed, and
/// for what they ask.
const CONTROLS: [(&str, &str); 2] = [
    ("RoundingModeRTZ", "rounding toward zero"),
    ("DenormFlushToZero", "zeros in place of subnormal numbers"),
];

/// The mode of some entry point that requests other results than the nearest ones without flushing,
/// if the program uses floating point.
pub fn asked_otherwise(program: &Program) -> Option<&'static str> {
    let formats = [Format::Half, Format::Single, Format::Double];
    let declared = |word| formats.iter().any(|it| declared_by(program, word, *it).any(|it| it));
    let fast = || formats.iter().any(|it| fast_math::is_default(program, *it));
    let controls = CONTROLS.into_iter().find(|(word, _)| declared(word)).map(|(_, asked)| asked);
    let asked = controls.or_else(|| fast().then_some("fast math by default"))?;
    let blocks = origin::blocks(program);
    let mut instructions = blocks.iter().flat_map(|block| &block.instructions);
    instructions.any(|it| OpcodeFacts::of(it.opcode).is_on_floats()).then_some(asked)
}

/// All entry points declare this mode, for the format's width where modes have one.
fn declared(program: &Program, word: &str, format: Format) -> bool {
    !program.entry_points.is_empty() && declared_by(program, word, format).all(|it| it)
}

/// Of each entry point, whether it does.
fn declared_by<'p>(
    program: &'p Program,
    word: &'p str,
    format: Format,
) -> impl Iterator<Item = bool> + 'p {
    let width = move |mode: ExecutionMode, literals: &[u32]| match mode {
        ExecutionMode::ContractionOff => true,
        _ => literals.first() == Some(&format.width()),
    };
    program.entry_points.iter().map(move |entry| {
        let mut modes = entry.modes.iter();
        modes.any(|(mode, literals)| mode.name() == word && width(*mode, literals))
    })
}

/// The types of what a program computes.
struct Types<'p> {
    blocks: Vec<&'p Block>,
    of: BTreeMap<Id, Scalar>,
}

impl<'p> Types<'p> {
    fn of(program: &'p Program) -> Self {
        let blocks = origin::blocks(program);
        let results = blocks.iter().flat_map(|block| {
            let phis = block.phis.iter().map(|phi| (Some(phi.result), Some(&phi.ty)));
            phis.chain(block.instructions.iter().map(|it| (it.result, it.ty.as_ref())))
        });
        let results = results.filter_map(|(id, ty)| Some((id?, element(ty?)?)));
        let parameters = program.functions.iter().flat_map(|function| &function.parameters);
        let parameters = parameters.filter_map(|it| Some((it.id, element(&it.ty)?)));
        let constants =
            program.constants.iter().filter_map(|(id, it)| Some((*id, it.ty.element()?)));
        let of = results.chain(parameters).chain(constants).collect();
        Self { blocks, of }
    }

    /// What an operand is, or what its components are.
    fn operand(&self, instruction: &Instruction, number: usize) -> Option<Scalar> {
        match instruction.operands.get(number) {
            Some(Operand::IdRef(id)) => self.of.get(id).copied(),
            _ => None,
        }
    }
}

fn element(ty: &ModuleType) -> Option<Scalar> {
    match ty {
        ModuleType::Data(ty) => ty.element(),
        _ => None,
    }
}
