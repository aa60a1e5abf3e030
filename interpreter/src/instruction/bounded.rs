//! Functions of floating point with an error bound, and those of the extended sets that are exact,
//! with what environments permit besides.

use std::rc::Rc;

use laneproof_module::spirv::Op;
use laneproof_module::{Named, Operand};
use laneproof_semantics::Scalar;
use rustc_apfloat::Round;

use super::combined::{self, Combination};
use super::extended_float::{self, FIRST, Function};
use super::extended_number::Given;
use super::margins::{flushed, margin, settle};
use crate::bounds::{Question, is_componentwise};
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::latitude::{Leeway, Margin, Permitted};
use crate::outcome::Stop;
use crate::step::Step;
use crate::value::Value;
use crate::width::signed;

/// A function and the operands that it computes with.
struct Call {
    name: String,
    format: Format,
    /// Values with the type of their scalars.
    operands: Vec<(Rc<Value>, Scalar)>,
    /// Special results are those of ISO C: so the OpenCL environment has it, whose set this is.
    prescribes: bool,
}

/// Executes a function with an error bound as exactly as there is; false for others. Where it is
/// not defined the result is an undefined value.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let exact = extended_float::function(step).is_some();
    let Some((name, first)) = function(step, opcode).filter(|_| !exact) else { return Ok(false) };
    let Some(call) = Call::new(step, name, first)? else { return Ok(false) };
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    let mut known = false;
    for lane in lanes(step.active) {
        for (leaf, question) in call.questions(result.leaves(), lane) {
            let nearest = question.nearest();
            known |= nearest.is_some();
            let components = leaf.map_or(0..result.leaves(), |leaf| leaf..leaf + 1);
            for (number, leaf) in components.enumerate() {
                let bits = nearest.as_ref().and_then(|it| it.get(number)).copied();
                let bits = match bits {
                    Some(bits) if call.format.is_nan(bits) => step.some_nan(scalar, leaf, lane),
                    bits => bits,
                };
                result.set(leaf, lane, bits);
            }
        }
    }
    if !known && step.active != 0 {
        return Ok(false);
    }
    step.finish(result)?;
    Ok(true)
}

/// Executes one of them with whatever else the environment permits; false for others.
pub(super) fn as_permitted(
    step: &mut Step<'_, '_, '_>,
    leeway: &Leeway,
    opcode: Op,
) -> Result<bool, Stop> {
    let exact = extended_float::function(step);
    let Some((name, first)) = function(step, opcode) else { return Ok(false) };
    let Some(format) = step.result_element().ok().and_then(format) else { return Ok(false) };
    let margin = margin(step, leeway, format);
    let unbounded = match opcode {
        Op::FRem | Op::FMod => false,
        Op::Dot => margin.is_none(),
        _ => exact.is_none() || margin.is_none(),
    };
    if !margin.bounded && unbounded {
        return Ok(false);
    }
    if let Some(result) = combined::followed(step, leeway, format, margin)? {
        step.finish(result)?;
        return Ok(true);
    }
    let Some(call) = Call::new(step, name, first)? else { return Ok(false) };
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        for (leaf, question) in call.questions(result.leaves(), lane) {
            let components = leaf.map_or(0..result.leaves(), |leaf| leaf..leaf + 1);
            let mut permitted = match (&exact, leaf) {
                (Some(exact), Some(leaf)) if !margin.bounded => {
                    vec![call.exactly(*exact, margin, leaf, lane)]
                }
                _ if !margin.bounded => call.rounded(&question, margin, components.len()),
                _ => call.bounded(&question, leeway, margin, components.len()),
            };
            let nearest = question.nearest().unwrap_or_default();
            for (number, leaf) in components.enumerate() {
                let mut permitted =
                    permitted.get_mut(number).map(std::mem::take).unwrap_or_default();
                if margin.anything {
                    permitted.join(Permitted::unknown());
                }
                if margin.combining.combined || margin.combining.inexact {
                    let combined = Combination { step, leeway, format, leaf, lane };
                    permitted.join(combined.permitted(margin));
                }
                let near = nearest.get(number).copied().or_else(|| permitted.some());
                let bits = settle(step, scalar, (leaf, lane), &permitted, near)?;
                result.set(leaf, lane, bits);
            }
        }
    }
    step.finish(result)?;
    Ok(true)
}

/// Its name, and where its operands start.
fn function(step: &Step<'_, '_, '_>, opcode: Op) -> Option<(String, usize)> {
    match opcode {
        Op::FRem | Op::FMod | Op::Dot => Some((opcode.name().to_owned(), 0)),
        Op::ExtInst => {
            let name = step.machine.program.extended(step.instruction)?;
            Some((name.split(' ').nth(1)?.to_owned(), FIRST))
        }
        _ => None,
    }
}

impl Call {
    /// Nothing where the result or an operand is no number.
    fn new(step: &mut Step<'_, '_, '_>, name: String, first: usize) -> Result<Option<Self>, Stop> {
        let Some(format) = step.result_element().ok().and_then(format) else { return Ok(None) };
        let ids = step.instruction.operands.get(first..).unwrap_or_default();
        if ids.is_empty() || !ids.iter().all(|it| matches!(it, Operand::IdRef(_))) {
            return Ok(None);
        }
        let mut operands = Vec::new();
        for operand in first..first + ids.len() {
            let Ok(scalar) = step.element_of(operand) else { return Ok(None) };
            if !matches!(scalar, Scalar::Float(_) | Scalar::Int { .. }) {
                return Ok(None);
            }
            operands.push((step.consume(operand)?, scalar));
        }
        let set = step.machine.program.extended(step.instruction);
        let prescribes = set.is_some_and(|it| it.starts_with("OpenCL.std"));
        Ok(Some(Self { name, format, operands, prescribes }))
    }

    /// A question for each component of the result with its number, or one for all of them.
    fn questions(&self, leaves: usize, lane: u32) -> Vec<(Option<usize>, Question<'_>)> {
        let question = |leaf: Option<usize>| {
            let components = |(value, scalar): &(Rc<Value>, Scalar)| match leaf {
                Some(leaf) => vec![number(*scalar, bits_at(value, leaf, lane))],
                None => {
                    let all = 0..value.leaves();
                    all.map(|leaf| number(*scalar, value.bits(leaf, lane))).collect()
                }
            };
            let operands = self.operands.iter().map(components).collect();
            let Self { name, format, prescribes, .. } = self;
            (leaf, Question { name, format: *format, operands, prescribes: *prescribes })
        };
        match is_componentwise(&self.name) {
            true => (0..leaves).map(|leaf| question(Some(leaf))).collect(),
            false => vec![question(None)],
        }
    }

    /// What a function with a bound may give: also where some of the operands are flushed.
    fn bounded(
        &self,
        question: &Question<'_>,
        leeway: &Leeway,
        margin: Margin,
        components: usize,
    ) -> Vec<Permitted> {
        let special = question.operands.iter().flatten().any(|it| !it.is_finite());
        if margin.finite && special {
            return vec![Permitted::anything(); components];
        }
        let mut all = vec![Permitted::default(); components];
        for operands in self.with_zeros(&question.operands, margin) {
            let question = Question { operands, ..question.clone() };
            let permitted = question.permitted(&leeway.latitude, margin, components);
            all.iter_mut().zip(permitted).for_each(|(all, it)| all.join(it));
        }
        all
    }

    /// What an instruction without a bound may give: its exact result, rounded in each direction.
    fn rounded(
        &self,
        question: &Question<'_>,
        margin: Margin,
        components: usize,
    ) -> Vec<Permitted> {
        let special = question.operands.iter().flatten().any(|it| !it.is_finite());
        if margin.finite && special {
            return vec![Permitted::anything(); components];
        }
        let mut all = vec![Permitted::default(); components];
        for operands in self.with_zeros(&question.operands, margin) {
            let question = Question { operands, ..question.clone() };
            let permitted = question.rounded(margin, components);
            all.iter_mut().zip(permitted).for_each(|(all, it)| all.join(it));
        }
        all
    }

    /// The operands of a function of numbers, with zeros of either sign in place of subnormal ones.
    fn with_zeros(&self, operands: &[Vec<f64>], margin: Margin) -> Vec<Vec<Vec<f64>>> {
        let mut all = vec![operands.to_vec()];
        if !margin.flushed || !is_componentwise(&self.name) {
            return all;
        }
        for (place, (_, scalar)) in self.operands.iter().enumerate() {
            let least = format(*scalar).map_or(0.0, |it| 2.0_f64.powi(it.least_exponent()));
            let small = |it: &f64| *it != 0.0 && it.abs() < least;
            for at in 0..all.len() {
                if !all[at][place].iter().all(small) {
                    continue;
                }
                for zero in [0.0, -0.0] {
                    let mut other = all[at].clone();
                    other[place] = vec![zero];
                    all.push(other);
                }
            }
        }
        all
    }

    /// What an exact function may give.
    fn exactly(&self, (_, results): Function, margin: Margin, leaf: usize, lane: u32) -> Permitted {
        let mut bits = [0; 3];
        let mut formats = [None; 3];
        let mut widths = [0; 3];
        for (place, (value, scalar)) in self.operands.iter().enumerate().take(3) {
            bits[place] = bits_at(value, leaf, lane);
            formats[place] = format(*scalar);
            widths[place] = scalar.width();
        }
        let special = bits
            .iter()
            .zip(formats)
            .any(|(bits, format)| format.is_some_and(|it| it.magnitude(*bits) >= it.infinity()));
        if margin.finite && special {
            return Permitted::anything();
        }
        let mut permitted = Permitted::default();
        for bits in flushed(margin, bits, formats) {
            for &round in margin.rounds() {
                self.one_way(results, (bits, widths), round, margin, &mut permitted);
            }
        }
        permitted
    }

    fn one_way(
        &self,
        results: extended_float::Results,
        (bits, widths): ([u64; 3], [u32; 3]),
        round: Round,
        margin: Margin,
        permitted: &mut Permitted,
    ) {
        let inputs = [0, 1, 2].map(|place| (bits[place], widths[place]));
        let results = results(Given::new(self.format, inputs, round));
        if results.is_empty() {
            permitted.join(Permitted::anything());
        }
        for bits in results {
            permitted.add(self.format, margin, bits);
            if margin.single {
                permitted.add_error(self.format, margin, self.format.value(bits), 1.0);
            }
        }
    }
}

/// The bits of a component, or of the only one that there is.
fn bits_at(value: &Value, leaf: usize, lane: u32) -> u64 {
    value.bits(leaf.min(value.leaves().saturating_sub(1)), lane)
}

/// A number of floating point, or an integer with a sign.
fn number(scalar: Scalar, bits: u64) -> f64 {
    match format(scalar) {
        Some(format) => format.value(bits),
        None => signed(scalar.width(), bits) as f64,
    }
}
