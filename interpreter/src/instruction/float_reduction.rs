//! Group arithmetic of floating point (SPIR-V, Non-Uniform Instructions). The method of a sum
//! or product is the implementation's: any order and any bracketing of the contributions, with
//! the identity among them or not. Lanes with the same contributors get the same result, up to
//! which NaN it is; or each lane has an order of its own, in the other reading.

use std::collections::BTreeMap;

use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use super::float::{Operation, combine};
use super::float_orders::{Orders, Rounding};
use super::{ballot, float_roundings, group, margins, reduction};
use crate::choices::Open;
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::latitude::{Margin, Permitted};
use crate::outcome::Stop;
use crate::reading::{Readings, ReductionOrder};
use crate::step::Step;

#[derive(Clone, Copy)]
enum Kind {
    /// A sum or product: rounding makes the order show.
    Rounded(Operation),
    /// A minimum or maximum; `true` is the maximum.
    Extreme(bool),
}

/// A reduction of one component.
#[derive(Clone, Copy)]
struct Reduction {
    kind: Kind,
    format: Format,
    readings: Readings,
    /// An extreme of values with a NaN among them is undefined.
    undefined_nans: bool,
    /// It may be anything, by an environment.
    silent_nans: bool,
    /// What the environment permits.
    margin: Option<Margin>,
}

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let kind = match opcode {
        Op::GroupNonUniformFAdd | Op::GroupFAdd => Kind::Rounded(Operation::Add),
        Op::GroupNonUniformFMul | Op::GroupFMulKHR => Kind::Rounded(Operation::Mul),
        Op::GroupNonUniformFMin | Op::GroupFMin => Kind::Extreme(false),
        Op::GroupNonUniformFMax | Op::GroupFMax => Kind::Extreme(true),
        _ => return Ok(false),
    };
    step.in_scope()?;
    if group::is_uniform(opcode) {
        step.require_all()?;
    }
    let operation = ballot::operation(step)?;
    let value = step.consume(2)?;
    let contributors = reduction::contributors(step, operation)?;
    let scalar = step.result_element()?;
    let format = format(scalar)
        .ok_or_else(|| step.not_modelled("a result that is not of floating point"))?;
    let readings = step.machine.options.readings;
    let undefined_nans = group::is_uniform(opcode) && readings.floats.undefined_nan_extremes;
    let margin =
        step.machine.options.leeway.map(|leeway| margins::margin_alone(step, leeway, format));
    // Of a NaN the uniform ones say nothing: whatever came out is not impossible.
    let silent_nans = group::is_uniform(opcode) && margin.is_some();
    let reduction = Reduction { kind, format, readings, undefined_nans, silent_nans, margin };
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        let mut known: BTreeMap<u128, Option<u64>> = BTreeMap::new();
        for lane in lanes(step.active) {
            let set = contributors[lane as usize];
            let of_set = || lanes(set).map(|from| value.bits(leaf, from)).collect::<Vec<u64>>();
            let permitted = reduction.permitted(&of_set());
            if let Some(permitted) = &permitted {
                step.machine.choices.margin();
                if step.machine.options.follow {
                    let bits = margins::settle(step, scalar, (leaf, lane), permitted, None)?;
                    result.set(leaf, lane, bits);
                    continue;
                }
            }
            if step.machine.options.follow {
                let only = reduction.only(&of_set());
                result.set(leaf, lane, followed(step, scalar, (leaf, lane), only));
                continue;
            }
            let site = step.site();
            let given = step.machine.choices.open(&site, lane, leaf, format.width());
            let shared =
                known.get(&set).filter(|_| readings.reduction_order == ReductionOrder::One);
            let total = match (given, shared) {
                (Some(given), shared) => {
                    let shared = shared.copied();
                    match reduction.judge_within(permitted.as_ref(), &of_set(), given, shared) {
                        Some(Judged::Legal(total)) => total,
                        Some(Judged::Illegal) => return Err(step.illegal(vec![lane])),
                        None => return Err(step.undecided()),
                    }
                }
                (None, Some(total)) => *total,
                (None, None) => reduction.any(of_set(), |options| {
                    let site = step.site();
                    step.machine.choices.pick(&site, options)
                }),
            };
            known.insert(set, total);
            let total = match (total, given) {
                (Some(bits), Some(given)) if format.is_nan(bits) => Some(given),
                (Some(bits), None) if format.is_nan(bits) => step.some_nan(scalar, leaf, lane),
                (total, _) => total,
            };
            result.set(leaf, lane, total);
        }
    }
    step.finish(result)?;
    Ok(true)
}

/// The total where every order gives the same; else whatever the machine that is followed has.
fn followed(
    step: &mut Step<'_, '_, '_>,
    scalar: Scalar,
    (leaf, lane): (usize, u32),
    only: Option<u64>,
) -> Option<u64> {
    match only {
        Some(bits) if format(scalar).is_some_and(|format| format.is_nan(bits)) => {
            step.some_nan(scalar, leaf, lane)
        }
        Some(bits) => Some(bits),
        None => {
            let (site, open) = (step.site(), Open::Reduction(scalar));
            step.machine.choices.marker(&site, lane, leaf, open)
        }
    }
}

/// What a given result is worth.
enum Judged {
    /// Some order gives it; `None` where any value would do.
    Legal(Option<u64>),
    /// None does.
    Illegal,
}

impl Permitted {
    fn judge(&self, format: Format, given: u64, shared: Option<Option<u64>>) -> Option<Judged> {
        let same = |other: u64| other == given || format.is_nan(other) && format.is_nan(given);
        let agrees = shared.is_none_or(|shared| shared.is_none_or(same));
        match self.contains(format, given) {
            true if agrees => Some(Judged::Legal(Some(given))),
            false if self.is_unknown() => None,
            _ => Some(Judged::Illegal),
        }
    }
}

impl Reduction {
    /// What an environment permits besides what some order gives; `None` where that is nothing.
    fn permitted(&self, values: &[u64]) -> Option<Permitted> {
        let (format, margin) = (self.format, self.margin?);
        let special = |bits: &u64| format.magnitude(*bits) >= format.infinity();
        let nan = values.iter().any(|bits| format.is_nan(*bits));
        if margin.finite && values.iter().any(special) {
            return Some(Permitted::anything());
        }
        match self.kind {
            Kind::Extreme(_) if self.silent_nans && nan => Some(Permitted::anything()),
            // Of the zero that is the identity the environment may not keep the sign either.
            Kind::Rounded(Operation::Add) if margin.finite && values.is_empty() => {
                let mut permitted = Permitted::default();
                permitted.add(format, margin, self.identity());
                Some(permitted)
            }
            _ if margin.is_none() || values.is_empty() => None,
            _ if margin.anything => Some(Permitted::unknown()),
            Kind::Extreme(greatest) => {
                let mut permitted = Permitted::default();
                let flush = |bits: u64| if format.is_subnormal(bits) { 0 } else { bits };
                let zeros: Vec<u64> = values.iter().map(|bits| flush(*bits)).collect();
                let small = margin.flushed && zeros != values;
                for values in [values, &zeros[..]].into_iter().take(1 + usize::from(small)) {
                    let Some(found) = self.extremes(greatest, values) else {
                        return Some(Permitted::anything());
                    };
                    found.into_iter().for_each(|bits| permitted.add(format, margin, bits));
                }
                let zero = |bits: u64| format.magnitude(bits) == 0;
                // Among zeros it may also be one that was not flushed.
                if small
                    && self.extremes(greatest, &zeros).is_some_and(|it| it.into_iter().any(zero))
                {
                    let subnormal = values.iter().filter(|bits| format.is_subnormal(**bits));
                    subnormal.for_each(|bits| permitted.add(format, margin, *bits));
                }
                Some(permitted).filter(|it| it.only().is_none())
            }
            Kind::Rounded(operation) => {
                let narrower: i32 = if margin.single && format == Format::Double { 29 } else { 0 };
                let digits = format.fraction() + 1 - narrower.unsigned_abs();
                let orders = self.orders(operation);
                if let Some(bits) = orders.unrounded(values, digits, margin.flushed) {
                    let mut permitted = Permitted::default();
                    permitted.add(format, margin, bits);
                    // Rounding downward the difference of equal numbers is -0.
                    if format.magnitude(bits) == 0 {
                        format.zeros().into_iter().for_each(|zero| permitted.value(zero));
                    }
                    return Some(permitted);
                }
                let directed = margin.rounds_otherwise() || narrower > 0;
                let units = if directed { 2.0_f64.powi(narrower) } else { 0.5 };
                let rounding = Rounding { units, floor: margins::floor(format, margin) };
                let reach = orders.reach(values, rounding);
                let permitted = match reach.range {
                    Some((low, high)) => Permitted::default().with_range(low, high),
                    None => Permitted::any_number(),
                };
                Some(permitted.with_nan(reach.nan))
            }
        }
    }

    fn identity(&self) -> u64 {
        let sign = 1 << (self.format.width() - 1);
        match self.kind {
            Kind::Rounded(Operation::Mul) => self.format.one(),
            Kind::Rounded(_) if self.readings.floats.negative_identity => sign,
            Kind::Rounded(_) => 0,
            Kind::Extreme(false) => self.format.infinity(),
            Kind::Extreme(true) => self.format.infinity() | sign,
        }
    }

    /// Some result; `None` is an undefined value.
    fn any(&self, values: Vec<u64>, pick: impl FnMut(u64) -> u64) -> Option<u64> {
        match self.kind {
            Kind::Rounded(operation) => Some(self.rounded(operation, values, pick)),
            Kind::Extreme(greatest) => self.extreme(greatest, &values, pick),
        }
    }

    /// A sum or product over any tree: two of the remaining parts are chosen and combined, until
    /// one is left.
    fn rounded(
        &self,
        operation: Operation,
        mut parts: Vec<u64>,
        mut pick: impl FnMut(u64) -> u64,
    ) -> u64 {
        // Adding 0 turns -0 into 0, so it is observable that the identity may be added.
        if parts.is_empty() || !self.readings.floats.bare_sums && pick(2) == 1 {
            parts.push(self.identity());
        }
        while parts.len() > 1 {
            let count = parts.len() as u64;
            let mut pair = pick(count * (count - 1) / 2);
            let mut first = 0;
            while pair >= count - 1 - first && first + 2 < count {
                pair -= count - 1 - first;
                first += 1;
            }
            let second = (first + 1 + pair).min(count - 1);
            let right = parts.remove(second as usize);
            let left = &mut parts[first as usize];
            *left = combine(self.format, operation, *left, right);
        }
        parts.first().copied().unwrap_or_else(|| self.identity())
    }

    /// The least or greatest number. A NaN is ignored beside a number; NaNs alone give an undefined
    /// value. Which of two zeros it is, is open, or -0 is below +0.
    fn extreme(
        &self,
        greatest: bool,
        values: &[u64],
        mut pick: impl FnMut(u64) -> u64,
    ) -> Option<u64> {
        let candidates = self.extremes(greatest, values)?;
        match candidates.as_slice() {
            [only] => Some(*only),
            several => several.get(pick(several.len() as u64) as usize).copied(),
        }
    }

    /// What a minimum or maximum can be; `None` where there are NaNs alone.
    fn extremes(&self, greatest: bool, values: &[u64]) -> Option<Vec<u64>> {
        let format = self.format;
        let sign = 1 << (format.width() - 1);
        if values.is_empty() {
            return Some(vec![self.identity()]);
        }
        let numbers = values.iter().copied().filter(|bits| !format.is_nan(*bits));
        if self.undefined_nans && values.iter().any(|bits| format.is_nan(*bits)) {
            return None;
        }
        let by_order = |bits: &u64| format.order(*bits);
        let found =
            if greatest { numbers.max_by_key(by_order) } else { numbers.min_by_key(by_order) }?;
        if format.magnitude(found) == 0 && values.contains(&0) && values.contains(&sign) {
            return Some(match (self.readings.floats.ordered_zeros, greatest) {
                (false, _) => vec![0, sign],
                (true, true) => vec![0],
                (true, false) => vec![sign],
            });
        }
        Some(vec![found])
    }

    fn orders(&self, operation: Operation) -> Orders {
        let Self { format, readings, .. } = *self;
        Orders { operation, format, identity: self.identity(), bare: readings.floats.bare_sums }
    }

    /// The result where all choices give the same; a NaN for any.
    fn only(&self, values: &[u64]) -> Option<u64> {
        match self.kind {
            Kind::Rounded(operation) => self.orders(operation).only(values),
            Kind::Extreme(greatest) => match self.extremes(greatest, values)?.as_slice() {
                [only] => Some(*only),
                _ => None,
            },
        }
    }

    /// Whether a given result is one of some order, or one that an environment permits besides.
    fn judge_within(
        &self,
        permitted: Option<&Permitted>,
        values: &[u64],
        given: u64,
        shared: Option<Option<u64>>,
    ) -> Option<Judged> {
        match (permitted, self.judge(values, given, shared)) {
            (_, Some(Judged::Legal(total))) => Some(Judged::Legal(total)),
            (Some(permitted), _) => {
                let judged = permitted.judge(self.format, given, shared);
                let within = matches!(judged, Some(Judged::Legal(_)));
                // A bound has more results than there are.
                match within.then(|| self.rounded_otherwise(values)).flatten() {
                    Some(all) => all.judge(self.format, given, shared),
                    None => judged,
                }
            }
            (None, judged) => judged,
        }
    }

    /// All results of a sum or product of a few numbers in the environment.
    fn rounded_otherwise(&self, values: &[u64]) -> Option<Permitted> {
        match self.kind {
            Kind::Rounded(operation) => {
                float_roundings::results(self.orders(operation), self.margin?, values)
            }
            Kind::Extreme(_) => None,
        }
    }

    /// Whether a result that is given is one of these values' reduction, and the one that lanes
    /// share where they do; `None` where it is too much to find out.
    fn judge(&self, values: &[u64], given: u64, shared: Option<Option<u64>>) -> Option<Judged> {
        let same = |a: u64, b: u64| self.orders(Operation::Add).same(a, b);
        let agrees = shared.is_none_or(|shared| shared.is_some_and(|shared| same(shared, given)));
        let legal = match self.kind {
            _ if values.is_empty() => same(self.identity(), given),
            Kind::Extreme(greatest) => match self.extremes(greatest, values) {
                Some(results) => results.into_iter().any(|result| same(result, given)),
                None => return Some(Judged::Legal(None)),
            },
            Kind::Rounded(operation) => self.orders(operation).give(values, given)?,
        };
        Some(if agrees && legal { Judged::Legal(Some(given)) } else { Judged::Illegal })
    }
}
