//! Comparisons of floating point in an environment that may take subnormal numbers for zeros, or all
//! numbers to be finite: what a device may answer.

use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use super::combined::{Combination, contracts_only};
use super::comparison::{self, Decides};
use super::margins::{flushed, margin};
use crate::choices::Open;
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::latitude::{Leeway, Margin};
use crate::outcome::Stop;
use crate::step::Step;

/// What devices may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// This.
    Only(bool),
    /// This or the opposite; this one follows from the operands as they are.
    Either(bool),
}

impl Answer {
    /// A device may give this answer.
    pub fn allows(self, answer: bool) -> bool {
        matches!(self, Self::Either(_)) || self == Self::Only(answer)
    }

    /// The answer that a run has; `None` where it follows what is open.
    pub fn pick(self, step: &mut Step<'_, '_, '_>) -> Option<bool> {
        match self {
            Self::Only(answer) => Some(answer),
            Self::Either(_) if step.machine.options.follow => None,
            Self::Either(answer) => {
                let site = step.site();
                Some(answer ^ (step.machine.choices.pick(&site, 2) == 1))
            }
        }
    }
}

/// What is allowed of comparisons of operands of this type that an instruction makes.
pub(super) fn environment(step: &Step<'_, '_, '_>, scalar: Scalar) -> Option<Margin> {
    let leeway = step.machine.options.leeway?;
    Some(margin(step, leeway, format(scalar)?)).filter(|margin| !margin.is_none())
}

/// Whether two lanes' values are equal.
pub(super) fn equal(margin: Option<Margin>, scalar: Scalar, a: u64, b: u64) -> Answer {
    match (margin, format(scalar)) {
        (Some(margin), Some(format)) => answer(margin, format, [a, b], comparison::same),
        _ => Answer::Only(comparison::equal(scalar, a, b)),
    }
}

fn answer(margin: Margin, format: Format, inputs: [u64; 2], decides: Decides) -> Answer {
    let exact = decides(format, inputs[0], inputs[1]);
    let special = |bits: &u64| format.magnitude(*bits) >= format.infinity();
    if margin.anything || margin.finite && inputs.iter().any(special) {
        return Answer::Either(exact);
    }
    let all = flushed(margin, inputs, [Some(format); 2]);
    let answers = || all.iter().map(|[a, b]| decides(format, *a, *b));
    match (answers().any(|it| it), answers().all(|it| it)) {
        (true, false) => Answer::Either(exact),
        (any, _) => Answer::Only(any),
    }
}

/// Executes a comparison; false where nothing but the exact answer will do, or where it depends on
/// how it is combined with what computes its operands.
pub(super) fn compared(
    step: &mut Step<'_, '_, '_>,
    leeway: &Leeway,
    opcode: Op,
    format: Format,
) -> Result<bool, Stop> {
    let margin = margin(step, leeway, format);
    let Some((arity, decides)) = comparison::decides(opcode) else { return Ok(false) };
    let contracts = contracts_only(margin);
    if margin.is_none() || margin.anything || margin.combining.combined && !contracts {
        return Ok(false);
    }
    let sources = (0..arity).map(|number| step.consume(number)).collect::<Result<Vec<_>, _>>()?;
    let scalar = step.result_element()?;
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        for lane in lanes(step.active) {
            let [a, b] = [0, arity - 1].map(|number| sources[number].bits(leaf, lane));
            let combination = Combination { step, leeway, format, leaf, lane };
            if contracts && !combination.settles(arity, margin, [a, b]) {
                return Ok(false);
            }
            let answer = match arity {
                // What looks at one number looks at what is special.
                1 if format.is_subnormal(a) => Answer::Only(decides(format, a, a)),
                _ => answer(margin, format, [a, b], decides),
            };
            let bits = settle(step, scalar, (leaf, lane), answer)?;
            result.set(leaf, lane, bits);
        }
    }
    step.finish(result)?;
    Ok(true)
}

impl Combination<'_, '_, '_, '_, '_> {
    /// Whether a comparison has one answer for all that a device may compute with in place of its
    /// operands.
    fn settles(&self, arity: usize, margin: Margin, operands: [u64; 2]) -> bool {
        let held = |number: usize| match self.is_computed(number) {
            true => self.held(number, margin),
            false => Some([self.format.value(operands[number]); 2]),
        };
        let of = (0..arity).map(held).collect::<Option<Vec<_>>>();
        match of.as_deref() {
            // Neither special nor subnormal, nor a zero.
            Some([[low, high]]) => {
                let least = 2.0_f64.powi(self.format.least_exponent());
                *low >= least || *high <= -least
            }
            Some([[low, high], [least, greatest]]) => {
                high < least || greatest < low || low == high && [low, high] == [least, greatest]
            }
            _ => false,
        }
    }
}

/// The answer in a lane: the one that is given if there is one.
fn settle(
    step: &mut Step<'_, '_, '_>,
    scalar: Scalar,
    (leaf, lane): (usize, u32),
    answer: Answer,
) -> Result<Option<u64>, Stop> {
    let site = step.site();
    if matches!(answer, Answer::Either(_)) && step.machine.options.follow {
        return Ok(step.machine.choices.marker(&site, lane, leaf, Open::Reduction(scalar)));
    }
    if matches!(answer, Answer::Either(_))
        && let Some(given) = step.machine.choices.open(&site, lane, leaf, scalar.width())
    {
        return Ok(Some(given));
    }
    Ok(answer.pick(step).map(u64::from))
}
