//! Operations that an implementation may contract with those that compute their operands: what is
//! computed between is rounded or not, or has extra precision. Nothing changes its order.

use rustc_apfloat::ieee::Double;
use rustc_apfloat::{Float, Round};

use super::enclosure::Enclosure;
use super::expression::Expression;
use super::formula::{Computation, NoRange};
use super::range::Part;
use crate::float_format::Format;
use crate::latitude::{Latitude, Margin, Permitted, unit};

/// Of more numbers that a part may be, only the range is known.
const MAX_NUMBERS: usize = 64;

/// What an implementation may have for a part of an expression.
#[derive(Clone, Debug)]
struct Held {
    /// It is one of these.
    range: Enclosure,
    /// What it is if all that is computed is rounded or exact; nothing where that is not known.
    numbers: Vec<Enclosure>,
    /// Something in it is rounded or not.
    open: bool,
}

impl Held {
    fn combined(
        &self,
        other: &Self,
        by: impl Fn(&Enclosure, &Enclosure) -> Option<Enclosure>,
    ) -> Result<Self, NoRange> {
        let range = by(&self.range, &other.range).ok_or(NoRange::Unknown)?;
        let pairs = self.numbers.iter().flat_map(|a| other.numbers.iter().map(move |b| (a, b)));
        let numbers: Option<Vec<Enclosure>> = pairs.map(|(a, b)| by(a, b)).collect();
        let numbers = numbers.filter(|it| it.len() <= MAX_NUMBERS).unwrap_or_default();
        Ok(Self { range, numbers, open: self.open || other.open })
    }

    fn map(&self, by: impl Fn(&Enclosure) -> Enclosure) -> Self {
        let numbers = self.numbers.iter().map(&by).collect();
        Self { range: by(&self.range), numbers, open: self.open }
    }

    /// It may also be a zero.
    fn or_zero(mut self) -> Self {
        let zero = Enclosure::exact(0.0);
        self.range = Enclosure::between(&self.range, &zero);
        if !self.numbers.is_empty() {
            self.numbers.push(zero);
        }
        Self { open: true, ..self }
    }
}

/// How the parts of an expression are computed.
struct Contraction<'a> {
    computation: Computation<'a>,
    /// What is allowed of any part.
    parts: Margin,
    format: Format,
}

impl Expression {
    /// What a device may give for it that rounds the result, and may leave out other roundings: of the
    /// result and of the parts as the margins have it.
    pub fn contracted(
        &self,
        latitude: &Latitude,
        [margin, parts]: [Margin; 2],
        format: Format,
    ) -> Permitted {
        let mut contraction = Contraction::new(latitude, parts, format);
        let Ok(exact) = contraction.unrounded(self, margin) else { return Permitted::unknown() };
        let mut permitted = Permitted::default();
        // The sign of a zero depends on how it is computed.
        for number in exact.numbers.iter().filter(|it| !it.is_zero()) {
            for bits in contraction.rounded(number, margin) {
                permitted.add(format, margin, bits);
            }
        }
        if exact.open {
            let [low, high] = contraction.results(self, exact, margin);
            permitted.leave_open(low, high);
        }
        permitted
    }

    /// The least and the greatest number that a device may compute with in its place; nothing where
    /// that is not known.
    pub fn held(&self, latitude: &Latitude, parts: Margin, format: Format) -> Option<[f64; 2]> {
        let range = Contraction::new(latitude, parts, format).held(self).ok()?.range;
        Some([range.least(), range.greatest()])
    }
}

impl<'a> Contraction<'a> {
    fn new(latitude: &'a Latitude, parts: Margin, format: Format) -> Self {
        Self { computation: Computation::new(latitude, parts, format), parts, format }
    }

    /// A part that something computes with.
    fn held(&mut self, expression: &Expression) -> Result<Held, NoRange> {
        match expression {
            Expression::Number(number) if !number.is_finite() => Err(NoRange::Unknown),
            Expression::Number(number) => {
                let exact = Enclosure::exact(*number);
                let held = Held { range: exact.clone(), numbers: vec![exact], open: false };
                Ok(match self.is_flushed(*number, self.parts) {
                    true => held.or_zero(),
                    false => held,
                })
            }
            Expression::Negated(inner) => Ok(self.held(inner)?.map(Enclosure::negated)),
            _ => {
                let exact = self.unrounded(expression, self.parts)?;
                let largest = self.format.value(self.format.infinity() - 1);
                let widened = self.widened(expression, exact, self.parts);
                match widened.range.magnitude() < largest {
                    true => Ok(widened),
                    false => Err(NoRange::Unknown),
                }
            }
        }
    }

    /// The result of an operation before it is rounded.
    fn unrounded(&mut self, expression: &Expression, margin: Margin) -> Result<Held, NoRange> {
        match expression {
            Expression::Number(_) | Expression::Negated(_) => self.held(expression),
            Expression::Sum(a, b) => self.held(a)?.combined(&self.held(b)?, |a, b| Some(a.plus(b))),
            Expression::Product(a, b) => {
                self.held(a)?.combined(&self.held(b)?, |a, b| Some(a.times(b)))
            }
            Expression::Quotient(a, b) => {
                let quotient = self.held(a)?.combined(&self.held(b)?, Enclosure::divided_by)?;
                let numbers = match margin.error > 0.0 {
                    true => Vec::new(),
                    false => quotient.numbers,
                };
                Ok(Held { numbers, ..quotient })
            }
            Expression::Function(name, arguments) => {
                let arguments: Result<Vec<Held>, NoRange> =
                    arguments.iter().map(|it| self.held(it)).collect();
                self.function(name, &arguments?)
            }
        }
    }

    fn function(&mut self, name: &str, arguments: &[Held]) -> Result<Held, NoRange> {
        match (name, arguments) {
            ("FAbs" | "fabs", [a]) => Ok(a.map(Enclosure::absolute)),
            ("Floor" | "floor", [a]) => Ok(a.map(|it| it.whole(|end| end.floor()))),
            ("Ceil" | "ceil", [a]) => Ok(a.map(|it| it.whole(|end| end.ceil()))),
            ("Trunc" | "trunc", [a]) => Ok(a.map(|it| it.whole(|end| end.int()))),
            ("NMin" | "FMin" | "fmin", [a, b]) => a.combined(b, |a, b| Some(a.lesser(b))),
            ("NMax" | "FMax" | "fmax", [a, b]) => {
                a.combined(b, |a, b| Some(a.negated().lesser(&b.negated()).negated()))
            }
            ("Fma" | "fma", [a, b, c]) => {
                let product = a.combined(b, |a, b| Some(a.times(b)))?;
                product.combined(c, |a, b| Some(a.plus(b)))
            }
            _ => {
                let parts: Vec<Vec<Part>> =
                    arguments.iter().map(|it| vec![Part::new(it.range.clone(), 0.0)]).collect();
                let found = self.computation.call(name, &parts)?;
                let part = found.first().ok_or(NoRange::Unknown)?;
                let range = part.numbers(self.computation.precision).ok_or(NoRange::Unknown)?;
                Ok(Held { range, numbers: Vec::new(), open: true })
            }
        }
    }

    /// The same, rounded or not.
    fn widened(&self, expression: &Expression, exact: Held, margin: Margin) -> Held {
        let mut numbers: Vec<Enclosure> = Vec::new();
        let mut rounds = exact.numbers.is_empty();
        for number in &exact.numbers {
            numbers.push(number.clone());
            let rounded = self.rounded(number, margin);
            rounds |= rounded.is_empty();
            for bits in rounded {
                let rounded = Enclosure::exact(self.format.value(bits));
                let differs = !number.is_point() || !rounded.minus(number).is_zero();
                if differs {
                    numbers.push(rounded);
                }
                rounds |= differs || self.is_flushed(self.format.value(bits), margin);
            }
        }
        if !rounds {
            return exact;
        }
        let magnitude = exact.range.magnitude();
        let reach = |units: f64| units * (1.0 + 1e-9) * unit(self.format, magnitude);
        let range = match expression {
            Expression::Quotient(..) if margin.error > 0.0 => {
                exact.range.widened(reach(margin.error))
            }
            // With one bit more it is half as far from the exact number as it is rounded.
            _ if margin.rounds_otherwise() => {
                self.with_rounded_ends(&exact.range, reach(0.5), margin)
            }
            _ => self.with_rounded_ends(&exact.range, reach(0.25), margin),
        };
        let small = exact.range.least() < self.least() && exact.range.greatest() > -self.least();
        let numbers = if numbers.len() <= MAX_NUMBERS { numbers } else { Vec::new() };
        let widened = Held { range, numbers, open: true };
        match margin.flushed && small {
            true => widened.or_zero(),
            false => widened,
        }
    }

    /// The least and the greatest number that the result of an operation may be rounded to.
    fn results(&self, expression: &Expression, exact: Held, margin: Margin) -> [f64; 2] {
        let has_error = matches!(expression, Expression::Quotient(..)) && margin.error > 0.0;
        let ends: Vec<f64> = exact
            .range
            .ends()
            .iter()
            .flat_map(|end| self.rounded(end, margin))
            .map(|bits| self.format.value(bits))
            .collect();
        let small = exact.range.least() < self.least() && exact.range.greatest() > -self.least();
        if has_error || ends.len() < 2 * margin.rounds().len() || margin.flushed && small {
            let range = self.widened(expression, exact, margin).range;
            return [range.least(), range.greatest()];
        }
        let least = ends.iter().copied().fold(f64::INFINITY, f64::min);
        [least, ends.into_iter().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// All numbers near those of a range, and what they are rounded to.
    fn with_rounded_ends(&self, range: &Enclosure, near: f64, margin: Margin) -> Enclosure {
        let mut all = range.widened(near);
        for end in range.ends() {
            let rounded = self.rounded(&end, margin);
            if rounded.is_empty() {
                return range.widened(4.0 * near);
            }
            for bits in rounded {
                // What is beyond all numbers is looked at elsewhere.
                let number = self.format.value(bits);
                let number = if number.is_finite() { number } else { f64::MAX.copysign(number) };
                all = Enclosure::between(&all, &Enclosure::exact(number));
            }
        }
        all
    }

    /// The numbers of the format that a number is rounded to; none where that is not known.
    fn rounded(&self, number: &Enclosure, margin: Margin) -> Vec<u64> {
        let rounds = margin.rounds().iter();
        rounds.filter_map(|round| rounded_by(self.format, number, *round)).collect()
    }

    fn least(&self) -> f64 {
        2.0_f64.powi(self.format.least_exponent())
    }

    fn is_flushed(&self, number: f64, margin: Margin) -> bool {
        margin.flushed && number != 0.0 && number.abs() < self.least()
    }
}

/// The number of a format that an exact one is rounded to; nothing where that is not known.
fn rounded_by(format: Format, exact: &Enclosure, round: Round) -> Option<u64> {
    let [below, above] = [exact.greatest(), exact.least()];
    let number = if below == above && exact.is_point() {
        below
    } else if below >= above || !below.is_finite() || !above.is_finite() {
        return None;
    } else if format == Format::Double {
        match round {
            Round::TowardPositive => above,
            Round::TowardNegative => below,
            Round::TowardZero if below < 0.0 => above,
            Round::TowardZero => below,
            _ => exact.near(),
        }
    } else if below.to_bits() % 2 == 1 {
        // Rounded again it is rounded as the exact number is: no tie has an odd last bit.
        below
    } else {
        above
    };
    Some(format.narrow_by(Double::from_bits(u128::from(number.to_bits())), round))
}
