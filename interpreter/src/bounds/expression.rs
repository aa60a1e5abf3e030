//! Operations that an implementation may combine: all that comes of it by real numbers' laws.

use super::formula::{Computation, NoRange, Parts};
use super::range::Part;
use crate::float_format::Format;
use crate::latitude::{Latitude, Margin, Permitted};

/// An expression of one component.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    /// A number that is not computed from others.
    Number(f64),
    /// The same with the other sign.
    Negated(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    /// The result of a function with an error bound.
    Function(String, Vec<Expression>),
}

impl Expression {
    /// What a device may give for it.
    pub fn permitted(&self, latitude: &Latitude, margin: Margin, format: Format) -> Permitted {
        let mut computation = Computation::new(latitude, margin, format);
        let least = 2.0_f64.powi(format.least_exponent());
        let flushed = if margin.flushed { least } else { 0.0 };
        let part = self.part(&mut computation, margin, flushed);
        let numbers = |part: Part| part.numbers(computation.precision).ok_or(NoRange::Anything);
        match part.and_then(numbers) {
            Ok(range) => {
                let mut permitted = match self.has_function() && margin.combining.rearranged {
                    true => Permitted::unknown(),
                    false => Permitted::default(),
                };
                permitted.add_range(format, margin, range.least(), range.greatest());
                permitted
            }
            Err(NoRange::Anything) if margin.finite => Permitted::anything(),
            Err(_) => Permitted::unknown(),
        }
    }

    /// A function has laws that are not followed here: a logarithm of a product may be a sum of
    /// logarithms, which is less exact.
    fn has_function(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Function(..) => true,
            Self::Negated(a) => a.has_function(),
            Self::Sum(a, b) | Self::Product(a, b) | Self::Quotient(a, b) => {
                a.has_function() || b.has_function()
            }
        }
    }

    fn part(
        &self,
        computation: &mut Computation<'_>,
        margin: Margin,
        flushed: f64,
    ) -> Result<Part, NoRange> {
        let mut of = |it: &Self| it.part(computation, margin, flushed);
        match self {
            Self::Number(number) if !number.is_finite() => Err(NoRange::Anything),
            Self::Number(number) => {
                let lost = if number.abs() < flushed { number.abs() } else { 0.0 };
                Ok(Part::number(*number, lost))
            }
            // With the precision of another format it is rounded as everything is.
            Self::Negated(inner) if margin.single => Ok(of(inner)?.negated().rounded()),
            Self::Negated(inner) => Ok(of(inner)?.negated()),
            Self::Sum(a, b) => Ok(of(a)?.plus(&of(b)?)),
            Self::Product(a, b) => Ok(of(a)?.times(&of(b)?)),
            Self::Quotient(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                a.divided_by(&b, computation.precision).ok_or(NoRange::Anything)
            }
            Self::Function(name, arguments) => {
                let arguments: Result<Vec<Parts>, NoRange> =
                    arguments.iter().map(|it| Ok(vec![of(it)?])).collect();
                let results = computation.call(name, &arguments?)?;
                results.into_iter().next().ok_or(NoRange::Unknown)
            }
        }
    }
}
