//! Operations that an environment allows to be combined with those that compute their operands.

use laneproof_module::spirv::Op;
use laneproof_module::{Id, Instruction, Named, Operand};

use super::extended_number::{Given, fused};
use super::margins::{flushed, settle};
use crate::bounds::{Expression, is_componentwise};
use crate::float_format::{Format, format};
use crate::frame::Slot;
use crate::lane::lanes;
use crate::latitude::{Leeway, Margin, Permitted};
use crate::outcome::Stop;
use crate::step::Step;
use crate::value::Value;

/// How many operations are looked at together, and how deep.
const MAX_OPERATIONS: usize = 64;
const MAX_DEPTH: u32 = 32;

/// In a run that follows what is open: the result of an instruction that may be reordered with those that
/// compute its operands, or of which these have an error. What it may be does not depend on theirs.
pub(super) fn followed(
    step: &mut Step<'_, '_, '_>,
    leeway: &Leeway,
    format: Format,
    margin: Margin,
) -> Result<Option<Value>, Stop> {
    let together = margin.combining.combined || margin.combining.inexact;
    if !step.machine.options.follow || !together || margin.anything {
        return Ok(None);
    }
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        for lane in lanes(step.active) {
            let combination = Combination { step, leeway, format, leaf, lane };
            // Of a product and a sum of numbers that are given, those that are rounded twice are known
            // where it is executed.
            if contracts_only(margin) && combination.fused(margin).is_some() {
                return Ok(None);
            }
            let permitted = combination.permitted(margin);
            if permitted.is_all_unknown() {
                return Ok(None);
            }
            let bits = settle(step, scalar, (leaf, lane), &permitted, None)?;
            result.set(leaf, lane, bits);
        }
    }
    Ok(Some(result))
}

/// What is met on the way through an expression.
struct Walk {
    left: usize,
    /// What is allowed of the instruction or of some part of it.
    parts: Margin,
}

impl Walk {
    fn new(margin: Margin) -> Self {
        Self { left: MAX_OPERATIONS, parts: margin }
    }
}

/// Operations are contracted, and combined in no other way.
pub(super) fn contracts_only(margin: Margin) -> bool {
    let combining = margin.combining;
    combining.combined && !combining.rearranged && !combining.inexact && !margin.single
}

/// One component of an instruction's result in one lane.
pub(super) struct Combination<'a, 's, 'm, 'p, 'c> {
    pub step: &'a Step<'m, 'p, 'c>,
    pub leeway: &'s Leeway,
    pub format: Format,
    pub leaf: usize,
    pub lane: u32,
}

impl Combination<'_, '_, '_, '_, '_> {
    /// What a device may give that combines the instruction with others.
    pub fn permitted(&self, margin: Margin) -> Permitted {
        let mut walk = Walk::new(margin);
        let expression = self.expression(self.step.instruction, &mut walk, 0);
        let latitude = &self.leeway.latitude;
        if !contracts_only(margin) {
            return expression.map_or_else(Permitted::unknown, |expression| {
                expression.permitted(latitude, margin, self.format)
            });
        }
        let contracted = match expression {
            Some(expression) if !walk.parts.anything => {
                expression.contracted(latitude, [margin, walk.parts], self.format)
            }
            _ => Permitted::unknown(),
        };
        match self.fused(margin) {
            // Infinities, NaNs and what is beyond all numbers are known of these.
            Some(fused) if contracted.is_unknown() => fused,
            Some(mut fused) => {
                fused.join(contracted);
                fused
            }
            None => contracted,
        }
    }

    /// An operand is the result of arithmetic.
    pub fn is_computed(&self, operand: usize) -> bool {
        self.step.id(operand).is_ok_and(|id| self.leeway.origins.value(id).computed)
    }

    /// The least and the greatest number that a device may compute with in place of an operand;
    /// nothing where that is not known.
    pub fn held(&self, operand: usize, margin: Margin) -> Option<[f64; 2]> {
        let mut walk = Walk::new(margin);
        let expression = self.value(self.step.id(operand).ok()?, &mut walk, 1)?;
        match walk.parts.anything {
            true => None,
            false => expression.held(&self.leeway.latitude, walk.parts, self.format),
        }
    }

    /// Of a product and a sum of numbers that are not computed the results that are rounded once.
    fn fused(&self, margin: Margin) -> Option<Permitted> {
        let opcode = self.step.instruction.opcode;
        if !matches!(opcode, Op::FAdd | Op::FSub) {
            return None;
        }
        let sign = 1 << (self.format.width() - 1);
        let given = |id: Id| (!self.leeway.origins.value(id).computed).then(|| self.bits(id))?;
        let of = |operand: usize| {
            let id = self.step.id(operand).ok()?;
            let product = self.leeway.origins.arithmetic(id).filter(|it| it.opcode == Op::FMul);
            let Some(product) = product else { return Some((given(id)?, None)) };
            let factor = |number: usize| match product.operands.get(number) {
                Some(Operand::IdRef(id)) => given(*id),
                _ => None,
            };
            Some((0, Some([factor(0)?, factor(1)?])))
        };
        // A difference is a sum with the other sign.
        let negated = if opcode == Op::FSub { sign } else { 0 };
        let [a, b, c] = match (of(0)?, of(1)?) {
            ((_, Some([a, b])), (other, None)) => [a, b, other ^ negated],
            ((other, None), (_, Some([a, b]))) => [a ^ negated, b, other],
            // Two products may also be exact both.
            _ => return None,
        };
        let mut permitted = Permitted::default();
        for inputs in flushed(margin, [a, b, c], [Some(self.format); 3]) {
            for &round in margin.rounds() {
                let inputs = inputs.map(|bits| (bits, self.format.width()));
                permitted.add(self.format, margin, fused(Given::new(self.format, inputs, round)));
            }
        }
        Some(permitted)
    }

    fn bits(&self, id: Id) -> Option<u64> {
        let Slot::Data(value) = self.step.slot(id).ok()? else { return None };
        let leaf = self.leaf.min(value.leaves().checked_sub(1)?);
        let known = value.undefined_in(leaf) >> self.lane & 1 == 0;
        let bits = Some(value.bits(leaf, self.lane)).filter(|_| known)?;
        self.step.machine.choices.stands_for(bits).is_none().then_some(bits)
    }

    fn expression(
        &self,
        instruction: &Instruction,
        walk: &mut Walk,
        depth: u32,
    ) -> Option<Expression> {
        walk.left = walk.left.checked_sub(1)?;
        let program = self.step.machine.program;
        let relaxed = &program.decorations.relaxed;
        if depth == MAX_DEPTH || instruction.result.is_some_and(|id| relaxed.contains(&id)) {
            return None;
        }
        if depth > 0 {
            let margin = self.leeway.latitude.margin(program, instruction, self.format);
            walk.parts = walk.parts.of_either(margin);
        }
        let mut of = |operand: usize| match instruction.operands.get(operand) {
            Some(Operand::IdRef(id)) => self.value(*id, walk, depth + 1),
            _ => None,
        };
        let pair = |a: Expression, b: Expression| (Box::new(a), Box::new(b));
        Some(match instruction.opcode {
            Op::FNegate => Expression::Negated(Box::new(of(0)?)),
            Op::FAdd => {
                let (a, b) = pair(of(0)?, of(1)?);
                Expression::Sum(a, b)
            }
            Op::FSub => {
                let (a, b) = pair(of(0)?, of(1)?);
                Expression::Sum(a, Box::new(Expression::Negated(b)))
            }
            Op::FMul | Op::VectorTimesScalar => {
                let (a, b) = pair(of(0)?, of(1)?);
                Expression::Product(a, b)
            }
            Op::FDiv => {
                let (a, b) = pair(of(0)?, of(1)?);
                Expression::Quotient(a, b)
            }
            Op::FRem | Op::FMod => {
                Expression::Function(instruction.opcode.name().to_owned(), vec![of(0)?, of(1)?])
            }
            Op::ExtInst => {
                let name = self.step.machine.program.extended(instruction)?;
                let name = name.split(' ').nth(1)?.to_owned();
                let operands = super::extended_float::FIRST..instruction.operands.len();
                let operands = operands.map(of).collect::<Option<Vec<_>>>()?;
                is_componentwise(&name).then_some(Expression::Function(name, operands))?
            }
            _ => return None,
        })
    }

    fn value(&self, id: Id, walk: &mut Walk, depth: u32) -> Option<Expression> {
        let origins = &self.leeway.origins;
        if let Some(instruction) = origins.arithmetic(id) {
            let of = instruction.ty.as_ref().and_then(crate::shape::element).and_then(format);
            return match of == Some(self.format) {
                true => self.expression(instruction, walk, depth),
                false => None,
            };
        }
        if origins.value(id).computed {
            return None;
        }
        Some(Expression::Number(self.format.value(self.bits(id)?)))
    }
}
