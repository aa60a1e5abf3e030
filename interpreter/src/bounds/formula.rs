//! Formulas, computed with the errors that an environment allows each of their operations.

use std::collections::BTreeMap;

use laneproof_semantics::language::formula::{Combination, Domain, Formula};
use laneproof_semantics::language::margin::Bound;

use super::enclosure::Enclosure;
use super::range::{Part, Precision};
use super::reference;
use crate::float_format::Format;
use crate::latitude::{Allowance, Allowed, Latitude, Margin, bounds_of, unit};

/// How deep functions may inherit from each other.
const MAX_DEPTH: u32 = 16;

/// Why there is no range of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRange {
    /// Whatever comes out is allowed.
    Anything,
    /// No document says it, or it is not known here.
    Unknown,
}

/// A vector of parts, or one part.
pub(super) type Parts = Vec<Part>;

/// How functions of one format are computed in an environment.
pub(super) struct Computation<'a> {
    pub latitude: &'a Latitude,
    /// The format whose bounds apply.
    pub format: Format,
    pub precision: Precision,
    /// What is known of results that are not defined.
    undefined: NoRange,
    depth: u32,
}

impl<'a> Computation<'a> {
    /// Computations of results of a format.
    pub fn new(latitude: &'a Latitude, margin: Margin, format: Format) -> Self {
        // Where single precision suffices for double precision, only the exponents are wider.
        let bounds = bounds_of(format, margin);
        let least = 2.0_f64.powi(bounds.least_exponent());
        let floor = if margin.flushed { least } else { unit(bounds, 0.0) };
        let largest = format.value(format.infinity() - 1);
        let inverse = least.recip();
        let precision = Precision { unit: unit(bounds, 1.0), floor, largest, inverse };
        // Of what is not defined only some environments say that anything may come out.
        let undefined = if margin.finite { NoRange::Anything } else { NoRange::Unknown };
        Self { latitude, format: bounds, precision, undefined, depth: 0 }
    }

    /// What a function may give: by its formula, or by the error of its result.
    pub fn call(&mut self, name: &str, arguments: &[Parts]) -> Result<Parts, NoRange> {
        if let Some(found) = self.exactly(name, arguments) {
            return found;
        }
        let bounds: Vec<&Allowance> = self.latitude.bounds(name, self.format).collect();
        if bounds.iter().any(|it| it.allowed == Allowed::Anything) {
            return Err(NoRange::Anything);
        }
        if let Some(inherited) = bounds.iter().find(|it| it.allowed == Allowed::Inherited) {
            return self.inherited(inherited, name, arguments);
        }
        if bounds.is_empty() {
            return Err(NoRange::Unknown);
        }
        self.bounded(name, &bounds, arguments)
    }

    /// A result that is prescribed, but has to be rounded: with the function's error.
    pub fn about(
        &self,
        name: &str,
        exact: Enclosure,
        arguments: &[Parts],
    ) -> Result<Part, NoRange> {
        let bounds: Vec<&Allowance> = self.latitude.bounds(name, self.format).collect();
        // No bound here has a domain, or speaks of its operands.
        let none: Vec<Vec<Enclosure>> = vec![vec![Enclosure::exact(1.0)]; arguments.len()];
        let error = self.error(name, &bounds, &none, 0, exact.magnitude())?;
        Ok(Part::new(exact, error))
    }

    fn inherited(
        &mut self,
        allowance: &Allowance,
        name: &str,
        arguments: &[Parts],
    ) -> Result<Parts, NoRange> {
        let (Some(bound), Some(function)) = (&allowance.bound, allowance.function(name)) else {
            return Err(NoRange::Unknown);
        };
        if function.operands.len() != arguments.len() || self.depth == MAX_DEPTH {
            return Err(NoRange::Unknown);
        }
        let names = function.operands.iter().map(|it| &**it);
        let names: BTreeMap<&str, &Parts> = names.zip(arguments).collect();
        self.depth += 1;
        let found = self.formula(&bound.formula, &names);
        self.depth -= 1;
        // The result is no further from the exact one than anything that the formula gives.
        found?.iter().map(|part| self.settled(part)).collect()
    }

    /// A part with an error, in place of what it was computed by.
    fn settled(&self, part: &Part) -> Result<Part, NoRange> {
        let error = part.deviation(self.precision).ok_or(NoRange::Anything)?;
        Ok(Part::new(part.exact.clone(), error))
    }

    fn formula(
        &mut self,
        formula: &Formula,
        names: &BTreeMap<&str, &Parts>,
    ) -> Result<Parts, NoRange> {
        match formula {
            Formula::Name(name) if names.contains_key(&**name) => Ok(names[&**name].clone()),
            Formula::Number(_) | Formula::Name(_) | Formula::Power(..) => {
                let number = constant(formula, &BTreeMap::new()).ok_or(NoRange::Unknown)?;
                Ok(vec![Part::new(number, 0.0)])
            }
            Formula::Negated(inner) => {
                Ok(self.formula(inner, names)?.into_iter().map(Part::negated).collect())
            }
            Formula::Combined(left, combination, right) => {
                let (left, right) = (self.formula(left, names)?, self.formula(right, names)?);
                let combined = |a: &Part, b: &Part| match combination {
                    Combination::Sum => Some(a.plus(b)),
                    Combination::Difference => Some(a.plus(&b.clone().negated())),
                    Combination::Product => Some(a.times(b)),
                    Combination::Quotient => a.divided_by(b, self.precision),
                };
                pairs(&left, &right, combined).ok_or(NoRange::Anything)
            }
            Formula::Call(name, arguments) if &**name == "rounded" => {
                let number = arguments.first().and_then(|it| constant(it, &BTreeMap::new()));
                let number = number.ok_or(NoRange::Unknown)?;
                let error = number.magnitude() * self.precision.unit;
                Ok(vec![Part::new(number, error)])
            }
            Formula::Call(name, arguments) => {
                let arguments: Result<Vec<Parts>, NoRange> =
                    arguments.iter().map(|argument| self.formula(argument, names)).collect();
                self.call(name, &arguments?)
            }
            Formula::Choice(parts) => {
                let [left, right, then, otherwise] = &**parts;
                let [left, right] = [self.formula(left, names)?, self.formula(right, names)?];
                let [left, right] = [self.one(&left)?, self.one(&right)?];
                if left.is_below(&right) {
                    self.formula(then, names)
                } else if right.at_most(&left) {
                    self.formula(otherwise, names)
                } else {
                    // The exact result is that of one of them, which is not known here.
                    Err(NoRange::Unknown)
                }
            }
        }
    }

    /// All numbers that one part may be.
    fn one(&self, parts: &Parts) -> Result<Enclosure, NoRange> {
        let [part] = parts.as_slice() else { return Err(NoRange::Unknown) };
        part.numbers(self.precision).ok_or(NoRange::Anything)
    }

    /// Functions that are not rounded, and sums of products.
    fn exactly(&self, name: &str, arguments: &[Parts]) -> Option<Result<Parts, NoRange>> {
        let map = |part: &Part, function: &dyn Fn(&Enclosure) -> Enclosure| {
            let numbers = part.numbers(self.precision).ok_or(NoRange::Anything)?;
            Ok(between(function(&part.exact), &function(&numbers)))
        };
        let each = |function: &dyn Fn(&Enclosure) -> Enclosure| {
            arguments.first().map(|it| it.iter().map(|part| map(part, function)).collect())
        };
        match (name, arguments) {
            ("Trunc", [_]) => each(&|it| it.whole(|end| end.int())),
            ("Floor", [_]) => each(&|it| it.whole(|end| end.floor())),
            ("clamp", [_, low, high]) => {
                let (low, high) = (&low.first()?.exact, &high.first()?.exact);
                each(&|it| reference::clamp(it, low, high))
            }
            ("sum_of_products", [a, b]) => {
                let products = a.iter().zip(b).map(|(a, b)| a.times(b));
                Some(Ok(vec![products.reduce(|sum, product| sum.plus(&product))?]))
            }
            ("cross_product", [a, b]) => (0..3)
                .map(|at| {
                    let [i, j] = [(at + 1) % 3, (at + 2) % 3];
                    let [left, right] = [a.get(i)?.times(b.get(j)?), a.get(j)?.times(b.get(i)?)];
                    Some(left.plus(&right.negated()))
                })
                .collect::<Option<Parts>>()
                .map(Ok),
            _ => None,
        }
    }

    /// A function whose result has an error.
    fn bounded(
        &self,
        name: &str,
        bounds: &[&Allowance],
        arguments: &[Parts],
    ) -> Result<Parts, NoRange> {
        let exact: Vec<Vec<Enclosure>> =
            arguments.iter().map(|it| it.iter().map(|part| part.exact.clone()).collect()).collect();
        let numbers: Option<Vec<Vec<Enclosure>>> = arguments
            .iter()
            .map(|it| it.iter().map(|part| part.numbers(self.precision)).collect())
            .collect();
        let numbers = numbers.ok_or(NoRange::Anything)?;
        let results = reference::function(name, &exact).ok_or(self.undefined)?;
        let ranges = reference::function(name, &numbers).ok_or(self.undefined)?;
        let out = results.into_iter().zip(ranges).enumerate().map(|(component, (exact, range))| {
            let error = self.error(name, bounds, &numbers, component, range.magnitude())?;
            Ok(between(exact, &range.widened(error)))
        });
        out.collect()
    }

    /// The greatest error that some bound allows whose domain the operands touch.
    fn error(
        &self,
        name: &str,
        bounds: &[&Allowance],
        arguments: &[Vec<Enclosure>],
        component: usize,
        magnitude: f64,
    ) -> Result<f64, NoRange> {
        let first =
            arguments.first().and_then(|it| it.get(component.min(it.len().checked_sub(1)?)));
        let first = first.ok_or(NoRange::Unknown)?;
        let (mut greatest, mut covered) = (None, false);
        for allowance in bounds {
            let Some(Bound { formula, domain }) = &allowance.bound else { continue };
            let (touches, covers) = match domain {
                Some(domain) => side(domain, first).ok_or(NoRange::Unknown)?,
                None => (true, true),
            };
            if !touches {
                continue;
            }
            covered |= covers;
            let names = named(allowance, name, arguments, component);
            let bound = constant(formula, &names).ok_or(NoRange::Unknown)?.magnitude();
            let error = match allowed_by_size(allowance) {
                true => bound * unit(self.format, magnitude),
                false => bound,
            };
            greatest = Some(error.max(greatest.unwrap_or(0.0)));
        }
        // Two domains side by side cover an operand that lies in both.
        let both =
            bounds.iter().filter(|it| it.bound.as_ref().is_some_and(|it| it.domain.is_some()));
        match greatest {
            Some(greatest) if covered || both.count() > 1 => Ok(greatest * (1.0 + 1e-9)),
            _ => Err(NoRange::Anything),
        }
    }
}

fn allowed_by_size(allowance: &Allowance) -> bool {
    allowance.allowed == Allowed::Error
}

/// A part that may be anything in a range.
fn between(exact: Enclosure, range: &Enclosure) -> Part {
    let error = exact.minus(range).magnitude();
    // Both are beyond all numbers.
    Part::new(exact, if error.is_nan() { 0.0 } else { error })
}

/// Whether an operand may lie on a side of a domain, and whether it does.
fn side(domain: &Domain, operand: &Enclosure) -> Option<(bool, bool)> {
    let [low, high] = [&domain.low, &domain.high].map(|it| constant(it, &BTreeMap::new()));
    let (low, high) = (low?, high?);
    let outside = operand.is_below(&low) || high.is_below(operand);
    let inside = low.at_most(operand) && operand.at_most(&high);
    Some(if domain.within { (!outside, inside) } else { (!inside, outside) })
}

/// What a bound may speak of: its operands, the number of components, the greatest operand.
fn named<'n>(
    allowance: &'n Allowance,
    name: &str,
    arguments: &[Vec<Enclosure>],
    component: usize,
) -> BTreeMap<&'n str, Enclosure> {
    let mut names = BTreeMap::new();
    let components = arguments.iter().map(Vec::len).max().unwrap_or(0);
    names.insert("n", Enclosure::exact(components as f64));
    let magnitudes = arguments.iter().flatten().map(Enclosure::magnitude);
    names.insert("greatest", Enclosure::exact(magnitudes.fold(0.0, f64::max)));
    let operands = allowance.function(name).map_or(&[][..], |it| &it.operands);
    for (operand, argument) in operands.iter().zip(arguments) {
        let of = argument.get(component.min(argument.len().saturating_sub(1)));
        names.extend(of.map(|of| (&**operand, of.clone())));
    }
    names
}

/// A formula of numbers that are known.
fn constant(formula: &Formula, names: &BTreeMap<&str, Enclosure>) -> Option<Enclosure> {
    match formula {
        Formula::Number(text) => Enclosure::decimal(text),
        Formula::Name(name) if &**name == "pi" => Enclosure::pi(),
        Formula::Name(name) => names.get(&**name).cloned(),
        Formula::Power(base, exponent) => constant(base, names)?.power(*exponent),
        Formula::Negated(inner) => Some(constant(inner, names)?.negated()),
        Formula::Call(name, arguments) if &**name == "abs" => {
            Some(constant(arguments.first()?, names)?.absolute())
        }
        Formula::Combined(left, combination, right) => {
            let (left, right) = (constant(left, names)?, constant(right, names)?);
            match combination {
                Combination::Sum => Some(left.plus(&right)),
                Combination::Difference => Some(left.minus(&right)),
                Combination::Product => Some(left.times(&right)),
                Combination::Quotient => left.divided_by(&right),
            }
        }
        Formula::Call(..) | Formula::Choice(_) => None,
    }
}

fn pairs(
    left: &Parts,
    right: &Parts,
    combined: impl Fn(&Part, &Part) -> Option<Part>,
) -> Option<Parts> {
    let components = left.len().max(right.len());
    let of = |parts: &Parts, at: usize| parts.get(at.min(parts.len().checked_sub(1)?)).cloned();
    (0..components).map(|at| combined(&of(left, at)?, &of(right, at)?)).collect()
}
