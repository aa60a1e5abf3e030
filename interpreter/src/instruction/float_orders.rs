//! What a sum or product of floating point can be: any order, any bracketing, the identity among
//! the parts or not.

use std::collections::BTreeSet;

use super::float::{Operation, combine};
use crate::float_format::Format;

/// More contributions than this are not put in every order to judge a result that is given.
const JUDGED: usize = 10;
/// The most intermediate results of that search.
const LOOKED_AT: usize = 100_000;
/// The most orders that are tried for more contributions.
const TRIED: u64 = 256;

/// A sum or a product, in a format.
#[derive(Clone, Copy)]
pub(super) struct Orders {
    /// `Add` or `Mul`.
    pub operation: Operation,
    /// Of the parts and of each intermediate result.
    pub format: Format,
    /// What may be among the parts.
    pub identity: u64,
    /// It never is, unless there are no others.
    pub bare: bool,
}

/// How much one rounding may change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    /// Units in the last place of a number that is not subnormal: a half to the nearest.
    pub units: f64,
    /// An error besides, whatever the number: where subnormals may be flushed.
    pub floor: f64,
}

/// A number as a multiple of a power of two; exponents count from that of the least subnormal number.
struct Part {
    negative: bool,
    /// It is odd, or zero.
    significand: u64,
    /// The exponent of its lowest bit.
    unit: u32,
    /// The exponent of the last place that it has in its format.
    exponent: u32,
}

/// What all orders come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// An interval that contains it, if it is a number; `None`: unknown.
    pub range: Option<(f64, f64)>,
    /// It may be a NaN.
    pub nan: bool,
}

impl Orders {
    /// The result where all orders give the same; `None` where they do not, or may not. Which NaN
    /// it is, does not count.
    pub fn only(&self, values: &[u64]) -> Option<u64> {
        if let Some(nan) = values.iter().find(|bits| self.format.is_nan(**bits)) {
            return Some(*nan);
        }
        match values {
            [] => Some(self.identity),
            [value] if self.bare || self.combine(*value, self.identity) == *value => Some(*value),
            [a, b] if self.bare => Some(self.combine(*a, *b)),
            _ => self.exact(values),
        }
    }

    /// Whether some order gives `wanted`; `None` where it is too much to find out.
    pub fn give(&self, values: &[u64], wanted: u64) -> Option<bool> {
        let same = |result: u64| self.same(result, wanted);
        if let Some(only) = self.only(values) {
            return Some(same(only));
        }
        if self.common(values).into_iter().any(same) {
            return Some(true);
        }
        if values.len() <= JUDGED
            && let Some(all) = self.all(values)
        {
            return Some(all.into_iter().any(same));
        }
        if self.too_far(values, wanted) {
            return Some(false);
        }
        self.tried(values).any(same).then_some(true)
    }

    /// The same number, or both a NaN.
    pub fn same(&self, a: u64, b: u64) -> bool {
        a == b || self.format.is_nan(a) && self.format.is_nan(b)
    }

    fn combine(&self, a: u64, b: u64) -> u64 {
        combine(self.format, self.operation, a, b)
    }

    /// A result that no order rounds.
    fn exact(&self, values: &[u64]) -> Option<u64> {
        match self.operation {
            Operation::Add => self.unrounded(values, self.format.fraction() + 1, false),
            _ => None,
        }
    }

    /// A result that no order rounds, whatever the rounding is, in numbers of so many bits. Where
    /// subnormal numbers may be zeros, no intermediate result is one.
    pub fn unrounded(&self, values: &[u64], bits: u32, flushed: bool) -> Option<u64> {
        match self.operation {
            Operation::Add => self.unrounded_sum(values, bits, flushed),
            Operation::Mul => self.unrounded_product(values, bits),
            _ => None,
        }
    }

    /// Every partial sum is a multiple of the lowest bit that any part has, and lies between the sum
    /// of all that is below zero and the sum of all that is above.
    fn unrounded_sum(&self, values: &[u64], bits: u32, flushed: bool) -> Option<u64> {
        let format = self.format;
        let fraction = format.fraction();
        let nonzero = || values.iter().copied().filter(|bits| format.magnitude(*bits) != 0);
        let parts = nonzero().map(|bits| self.part(bits)).collect::<Option<Vec<Part>>>()?;
        let Some(lowest) = parts.iter().map(|part| part.unit).min() else {
            // Zeros alone: -0 unless a +0 is among them.
            let sign = 1 << (format.width() - 1);
            let mixed = values.contains(&0);
            let positive = mixed || !self.bare && self.identity == 0;
            return match (mixed, positive) {
                (true, _) => Some(0),
                (false, true) => None,
                (false, false) => Some(sign),
            };
        };
        let (mut above, mut below) = (0i128, 0i128);
        for part in &parts {
            // 64 bits fit beside the numbers of 128 lanes.
            let shift = part.unit - lowest;
            if shift > fraction + 1 {
                return None;
            }
            let number = i128::from(part.significand) << shift;
            *(if part.negative { &mut below } else { &mut above }) += number;
        }
        let most = above.max(below);
        let overflow = u64::from(lowest + most.ilog2() + 1)
            >= (format.infinity() >> fraction) + u64::from(fraction);
        let subnormal = flushed && lowest < fraction;
        if most > 1 << bits || overflow || subnormal {
            return None;
        }
        // No intermediate result is rounded in any order.
        let total = nonzero().reduce(|a, b| self.combine(a, b));
        let sum = above - below;
        assert!(sum == 0 || total.is_some_and(|total| format.magnitude(total) != 0));
        if sum == 0 { Some(0) } else { total }
    }

    /// A part of the factors has no more significant bits than all of them, and is neither
    /// subnormal nor too large if neither those above 1 nor those below 1 are together.
    fn unrounded_product(&self, values: &[u64], bits: u32) -> Option<u64> {
        let format = self.format;
        let least = -i64::from(format.least_exponent());
        let (mut significand, mut above, mut below) = (1u64, 0i64, 0i64);
        for &value in values {
            let part = self.part(value).filter(|part| part.significand != 0)?;
            significand = significand.checked_mul(part.significand)?;
            if significand > 1 << bits {
                return None;
            }
            // The number is between two powers of two.
            let floor = i64::from(part.exponent) - least;
            above += (floor + 1).max(0);
            below += floor.min(0);
        }
        let within = above < least && below > -least;
        within.then(|| values.iter().copied().reduce(|a, b| self.combine(a, b)))?
    }

    /// The parts of a number that is not infinite and no NaN.
    fn part(&self, bits: u64) -> Option<Part> {
        let (format, fraction) = (self.format, self.format.fraction());
        let magnitude = format.magnitude(bits);
        if magnitude >= format.infinity() {
            return None;
        }
        let stored = magnitude & ((1 << fraction) - 1);
        // Subnormal numbers count in the same unit as the least normal ones.
        let (significand, exponent) = match (magnitude >> fraction) as u32 {
            0 => (stored, 0),
            exponent => (stored | 1 << fraction, exponent - 1),
        };
        let zeros = significand.trailing_zeros() % u64::BITS;
        Some(Part {
            negative: magnitude != bits,
            significand: significand >> zeros,
            unit: exponent + zeros,
            exponent,
        })
    }

    /// What machines do: one after the other, and halves in halves.
    fn common(&self, values: &[u64]) -> Vec<u64> {
        let mut starts = vec![values.to_vec()];
        if !self.bare {
            starts.push([&[self.identity], values].concat());
            starts.push([values, &[self.identity]].concat());
        }
        starts.iter().flat_map(|parts| self.trees(parts)).collect()
    }

    fn trees(&self, parts: &[u64]) -> Vec<u64> {
        let forward = parts.iter().copied().reduce(|a, b| self.combine(a, b));
        let backward = parts.iter().rev().copied().reduce(|a, b| self.combine(a, b));
        let mut results: Vec<u64> = forward.into_iter().chain(backward).collect();
        // Neighbours first, then neighbours of neighbours, from either end.
        let mut near = parts.to_vec();
        let mut near_end: Vec<u64> = parts.iter().rev().copied().collect();
        for row in [&mut near, &mut near_end] {
            while row.len() > 1 {
                let joined = row.chunks(2).map(|pair| match pair {
                    [a, b] => self.combine(*a, *b),
                    _ => pair[0],
                });
                *row = joined.collect();
            }
            results.extend(row.first());
        }
        // The far half first.
        let mut far = parts.to_vec();
        while far.len() > 1 {
            let half = far.len().div_ceil(2);
            for at in half..far.len() {
                far[at - half] = self.combine(far[at - half], far[at]);
            }
            far.truncate(half);
        }
        results.extend(far.first());
        results
    }

    /// Trees that are drawn.
    fn tried(&self, values: &[u64]) -> impl Iterator<Item = u64> {
        let this = *self;
        let values = values.to_vec();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut below = move |count: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % count
        };
        (0..TRIED).map(move |_| {
            let mut parts = values.clone();
            while parts.len() > 1 {
                let right = parts.swap_remove(below(parts.len()));
                let left = below(parts.len());
                parts[left] = this.combine(parts[left], right);
            }
            parts.first().copied().unwrap_or(this.identity)
        })
    }

    /// Outside of what any order can come to.
    fn too_far(&self, values: &[u64], wanted: u64) -> bool {
        let reach = self.reach(values, Rounding { units: 0.5, floor: 0.0 });
        if self.format.is_nan(wanted) {
            return !reach.nan;
        }
        let wanted = self.format.value(wanted);
        reach.range.is_some_and(|(low, high)| wanted < low || high < wanted)
    }

    /// What all orders come to, by a bound on their error.
    pub fn reach(&self, values: &[u64], rounding: Rounding) -> Reach {
        let numbers: Vec<f64> = values.iter().map(|bits| self.format.value(*bits)).collect();
        if numbers.iter().any(|number| number.is_nan()) {
            return Reach { range: None, nan: true };
        }
        match self.operation {
            Operation::Mul => self.product_reach(&numbers, rounding),
            _ => self.sum_reach(&numbers, rounding),
        }
    }

    /// Relative error of one rounding.
    fn relative(&self, rounding: Rounding) -> f64 {
        rounding.units * 0.5f64.powi(self.format.fraction() as i32)
    }

    /// The relative error of all roundings of so many parts, each in what earlier ones left, and that
    /// of the numbers here with which a bound is computed.
    fn roundings(&self, parts: usize, rounding: Rounding) -> (f64, f64) {
        let all = parts.saturating_sub(1) as f64 * self.relative(rounding);
        (all * (1.0 + 2.0 * all), (parts + 2) as f64 * f64::EPSILON)
    }

    /// n - 1 roundings of partial sums that are no larger than the sum of all magnitudes, in which
    /// earlier ones have their part. The identity rounds nothing, but may flush.
    fn sum_reach(&self, numbers: &[f64], rounding: Rounding) -> Reach {
        let largest = self.format.value(self.format.infinity() - 1);
        let (relative, own) = self.roundings(numbers.len(), rounding);
        let flushing = 2.0 * (numbers.len() + 1) as f64 * rounding.floor;
        let error = |magnitudes: f64| (relative + own) * magnitudes + flushing;
        let part = |sign: f64| -> f64 {
            numbers.iter().map(|number| (sign * number).max(0.0)).sum::<f64>()
        };
        // Infinities of both signs, as inputs or intermediate results, make a NaN.
        let overflows = [part(1.0), part(-1.0)].map(|sum| sum + error(sum) >= largest);
        let nan = overflows == [true, true];
        let magnitudes = part(1.0) + part(-1.0);
        if overflows != [false, false] || magnitudes + error(magnitudes) >= largest {
            return Reach { range: None, nan };
        }
        let (sum, error) = (numbers.iter().sum::<f64>(), error(magnitudes));
        Reach { range: Some((sum - error, sum + error)), nan }
    }

    /// Each factor but one is rounded in; in no order a partial product leaves the range of normal
    /// numbers if neither those above 1 nor those below 1 do together.
    fn product_reach(&self, numbers: &[f64], rounding: Rounding) -> Reach {
        let largest = self.format.value(self.format.infinity() - 1);
        let least = 2.0_f64.powi(self.format.least_exponent());
        let (relative, own) = self.roundings(numbers.len(), rounding);
        let relative = relative + own;
        let nonzero = || numbers.iter().map(|number| number.abs()).filter(|it| *it != 0.0);
        let most: f64 = nonzero().map(|it| it.max(1.0)).product();
        let fewest: f64 = nonzero().map(|it| it.min(1.0)).product();
        let infinite = most * (1.0 + relative) >= largest;
        let zero = nonzero().count() < numbers.len();
        let vanishes = fewest * (1.0 - relative) <= least;
        let nan = infinite && (zero || vanishes);
        let product: f64 = numbers.iter().product();
        let range = match (infinite, zero, vanishes) {
            (false, true, _) => Some((0.0, 0.0)),
            (false, false, false) => {
                let error = relative * product.abs();
                Some((product - error, product + error))
            }
            _ => None,
        };
        Reach { range, nan }
    }

    /// What every tree gives; `None` where there are too many.
    fn all(&self, values: &[u64]) -> Option<Vec<u64>> {
        let mut looked_at = 0;
        let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
        let mut pending = vec![values.to_vec()];
        if !self.bare {
            pending.push([values, &[self.identity]].concat());
        }
        let mut results = Vec::new();
        while let Some(mut parts) = pending.pop() {
            parts.sort_unstable();
            if !seen.insert(parts.clone()) {
                continue;
            }
            looked_at += 1;
            if looked_at > LOOKED_AT {
                return None;
            }
            if let [only] = parts.as_slice() {
                results.push(*only);
            }
            for second in 1..parts.len() {
                for first in 0..second {
                    let mut rest = parts.clone();
                    let right = rest.remove(second);
                    let left = rest.remove(first);
                    rest.push(self.combine(left, right));
                    pending.push(rest);
                }
            }
        }
        Some(results)
    }
}
