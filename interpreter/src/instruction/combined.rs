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
    let combining = margin.combining;
    let together = combining.combined && combining.rearranged || combining.inexact;
    if !step.machine.options.follow || !together || margin.anything {
        return Ok(None);
    }
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        for lane in lanes(step.active) {
            let permitted = Combination { step, leeway, format, leaf, lane }.permitted(margin);
            if permitted.is_all_unknown() {
                return Ok(None);
            }
            let bits = settle(step, scalar, (leaf, lane), &permitted, None)?;
            result.set(leaf, lane, bits);
        }
    }
    Ok(Some(result))
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
        if let Some(permitted) = self.contracted(margin) {
            return permitted;
        }
        let mut left = MAX_OPERATIONS;
        match self.expression(self.step.instruction, &mut left, 0) {
            Some(expression) => expression.permitted(&self.leeway.latitude, margin, self.format),
            None => Permitted::unknown(),
        }
    }

    /// Of a product and a sum the results that are rounded once; nothing where more than these may be
    /// combined. Those that are rounded twice are not among them.
    fn contracted(&self, margin: Margin) -> Option<Permitted> {
        let opcode = self.step.instruction.opcode;
        let further = margin.combining.rearranged || margin.combining.inexact || margin.single;
        if further || !matches!(opcode, Op::FAdd | Op::FSub) {
            return None;
        }
        let sign = 1 << (self.format.width() - 1);
        let of = |operand: usize| {
            let id = self.step.id(operand).ok()?;
            let product = self.leeway.origins.arithmetic(id);
            let product = product.filter(|it| it.opcode == Op::FMul);
            let factors = match product {
                Some(product) => Some([self.operand(product, 0)?, self.operand(product, 1)?]),
                None if self.leeway.origins.value(id).product => return None,
                None => None,
            };
            Some((self.bits(id)?, factors))
        };
        let (left, right) = (of(0)?, of(1)?);
        let mut permitted = Permitted::default();
        // A difference is a sum with the other sign.
        let negated = if opcode == Op::FSub { sign } else { 0 };
        let mut add = |[a, b]: [u64; 2], c: u64| {
            for inputs in flushed(margin, [a, b, c], [Some(self.format); 3]) {
                for &round in margin.rounds() {
                    let inputs = inputs.map(|bits| (bits, self.format.width()));
                    permitted.add(
                        self.format,
                        margin,
                        fused(Given::new(self.format, inputs, round)),
                    );
                }
            }
        };
        match (left, right) {
            // Two products may also be exact both; no instruction is known that does it.
            ((_, Some(_)), (_, Some(_))) => return None,
            ((_, Some(factors)), (other, None)) => add(factors, other ^ negated),
            ((other, None), (_, Some([a, b]))) => add([a ^ negated, b], other),
            ((_, None), (_, None)) => return None,
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

    fn operand(&self, instruction: &Instruction, operand: usize) -> Option<u64> {
        match instruction.operands.get(operand) {
            Some(Operand::IdRef(id)) => self.bits(*id),
            _ => None,
        }
    }

    fn expression(
        &self,
        instruction: &Instruction,
        left: &mut usize,
        depth: u32,
    ) -> Option<Expression> {
        *left = left.checked_sub(1)?;
        let relaxed = &self.step.machine.program.decorations.relaxed;
        if depth == MAX_DEPTH || instruction.result.is_some_and(|id| relaxed.contains(&id)) {
            return None;
        }
        let mut of = |operand: usize| match instruction.operands.get(operand) {
            Some(Operand::IdRef(id)) => self.value(*id, left, depth + 1),
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

    fn value(&self, id: Id, left: &mut usize, depth: u32) -> Option<Expression> {
        let origins = &self.leeway.origins;
        if let Some(instruction) = origins.arithmetic(id) {
            let of = instruction.ty.as_ref().and_then(crate::shape::element).and_then(format);
            return match of == Some(self.format) {
                true => self.expression(instruction, left, depth),
                false => None,
            };
        }
        if origins.value(id).computed {
            return None;
        }
        Some(Expression::Number(self.format.value(self.bits(id)?)))
    }
}
