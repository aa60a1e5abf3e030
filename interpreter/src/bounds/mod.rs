//! The results of functions that have an error bound: all that a device may give, and the nearest
//! ones.

mod contraction;
mod enclosure;
mod expression;
mod formula;
mod prescribed;
mod range;
mod reference;

use rustc_apfloat::Round;

use crate::float_format::Format;
use crate::latitude::{Latitude, Margin, Permitted};
use enclosure::Enclosure;
pub(crate) use expression::Expression;
use formula::{Computation, NoRange, Parts};
use prescribed::{Prescribed, prescribed};
use range::Part;

/// A function and its operands in one lane, numbers of formats that double precision holds.
#[derive(Clone, Debug)]
pub(crate) struct Question<'q> {
    /// `OpDot`, or the name in an extended instruction set.
    pub name: &'q str,
    /// The format of the results.
    pub format: Format,
    /// Of each operand the components.
    pub operands: Vec<Vec<f64>>,
    /// Special results are those of ISO C.
    pub prescribes: bool,
}

/// Whether each component of its results depends on the same component of the operands alone.
pub(crate) fn is_componentwise(name: &str) -> bool {
    !reference::of_vectors(name)
}

impl Question<'_> {
    /// What a device may give for each component of the result.
    pub fn permitted(
        &self,
        latitude: &Latitude,
        margin: Margin,
        components: usize,
    ) -> Vec<Permitted> {
        match self.prescription() {
            Prescribed::Exactly(number) => {
                let mut permitted = Permitted::default();
                permitted.add(self.format, margin, bits_of(self.format, number));
                return vec![permitted; components];
            }
            Prescribed::Unknown => return vec![Permitted::unknown(); components],
            Prescribed::Nothing | Prescribed::About(_) => {}
        }
        let mut computation = Computation::new(latitude, margin, self.format);
        let found = match self.prescription() {
            Prescribed::About(exact) => {
                computation.about(self.name, exact, &self.parts(margin)).map(|part| vec![part])
            }
            _ => computation.call(self.name, &self.parts(margin)),
        };
        let numbers = |part: &Part| part.results(computation.precision).ok_or(NoRange::Anything);
        let ranges =
            found.and_then(|parts| parts.iter().map(numbers).collect::<Result<Vec<_>, _>>());
        match ranges {
            Ok(ranges) if ranges.len() == components => ranges
                .into_iter()
                .map(|range| {
                    let mut permitted = Permitted::default();
                    permitted.add_range(self.format, margin, range.least(), range.greatest());
                    permitted
                })
                .collect(),
            Err(NoRange::Anything) => vec![Permitted::anything(); components],
            _ => vec![Permitted::unknown(); components],
        }
    }

    /// The results nearest to the exact ones; nothing where they are not defined, or not known here.
    pub fn nearest(&self) -> Option<Vec<u64>> {
        let exact = match self.prescription() {
            Prescribed::Exactly(number) => return Some(vec![bits_of(self.format, number)]),
            Prescribed::Unknown => return None,
            Prescribed::About(exact) => vec![exact],
            Prescribed::Nothing => {
                let all = self.operands.iter().flatten();
                let special = all.clone().any(|number| !number.is_finite());
                if special || self.is_too_fine() {
                    return None;
                }
                let numbers =
                    |operand: &Vec<f64>| operand.iter().copied().map(Enclosure::exact).collect();
                let operands: Vec<Vec<Enclosure>> = self.operands.iter().map(numbers).collect();
                reference::function(self.name, &operands)?
            }
        };
        Some(exact.iter().map(|it| bits_of(self.format, it.near())).collect())
    }

    /// The results of a remainder without a bound: the exact one, rounded in each direction that the margin
    /// has; the sign of a zero is not said. One by zero is undefined, and so is one of infinities and NaNs. Of
    /// one that need not be more exact than single precision, and of a sum of products, nothing is known.
    pub fn rounded(&self, margin: Margin, components: usize) -> Vec<Permitted> {
        let all = |permitted| vec![permitted; components];
        if margin.single || !is_componentwise(self.name) {
            return all(Permitted::unknown());
        }
        let special = self.operands.iter().flatten().any(|number| !number.is_finite());
        let by_zero = self.operands.last().is_some_and(|it| it.contains(&0.0));
        if special || by_zero {
            return all(Permitted::anything());
        }
        let numbers = |operand: &Vec<f64>| operand.iter().copied().map(Enclosure::exact).collect();
        let operands: Vec<Vec<Enclosure>> = self.operands.iter().map(numbers).collect();
        let exact = reference::function(self.name, &operands);
        let Some(exact) = exact.filter(|it| it.len() == components) else {
            return all(Permitted::unknown());
        };
        let permitted = |exact: &Enclosure| {
            let mut permitted = Permitted::default();
            if exact.is_zero() {
                self.format.zeros().into_iter().for_each(|zero| permitted.value(zero));
            }
            for &round in margin.rounds() {
                permitted.add(self.format, margin, self.toward(exact, round));
            }
            permitted
        };
        exact.iter().map(permitted).collect()
    }

    /// The number of the format to which an exact one is rounded. What double precision has not, the
    /// format has not either.
    fn toward(&self, exact: &Enclosure, round: Round) -> u64 {
        use rustc_apfloat::Float as _;
        let [low, high] = exact.ends();
        let number = match round {
            Round::TowardPositive => high.least(),
            Round::TowardNegative => low.greatest(),
            Round::TowardZero if exact.is_negative() => high.least(),
            Round::TowardZero => low.greatest(),
            _ => exact.near(),
        };
        let number = rustc_apfloat::ieee::Double::from_bits(u128::from(number.to_bits()));
        self.format.narrow_by(number, round)
    }

    /// Double precision has no more digits than the reference for it.
    fn is_too_fine(&self) -> bool {
        self.format == Format::Double && matches!(self.name, "erf" | "erfc" | "tgamma")
    }

    fn prescription(&self) -> Prescribed {
        if !self.prescribes {
            return Prescribed::Nothing;
        }
        let scalars: Option<Vec<f64>> = self
            .operands
            .iter()
            .map(|operand| if let [only] = operand.as_slice() { Some(*only) } else { None })
            .collect();
        let special = self.operands.iter().flatten().any(|number| !number.is_finite());
        match scalars {
            _ if self.is_too_fine() => Prescribed::Unknown,
            Some(scalars) if is_componentwise(self.name) => prescribed(self.name, &scalars),
            _ if special => Prescribed::Unknown,
            _ => Prescribed::Nothing,
        }
    }

    fn parts(&self, margin: Margin) -> Vec<Parts> {
        let least = 2.0_f64.powi(self.format.least_exponent());
        let part = |number: f64| {
            // A subnormal component may be a zero; of one number both are asked for separately.
            let flushed = margin.flushed && number.abs() < least && !is_componentwise(self.name);
            Part::new(Enclosure::exact(number), if flushed { number.abs() } else { 0.0 })
        };
        self.operands.iter().map(|it| it.iter().copied().map(part).collect()).collect()
    }
}

/// The bits of the nearest number of a format.
pub(crate) fn bits_of(format: Format, number: f64) -> u64 {
    use rustc_apfloat::Float as _;
    format.narrow(rustc_apfloat::ieee::Double::from_bits(u128::from(number.to_bits())))
}
