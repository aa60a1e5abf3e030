//! The results that one instruction may have in one lane.

use super::Margin;
use crate::float_format::Format;

/// A set of results of one format.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Permitted {
    /// Whatever there is.
    anything: bool,
    /// Whatever there is but NaNs.
    any_number: bool,
    /// There may be other, unknown results.
    unknown: bool,
    /// No subnormal number.
    normal: bool,
    /// Every NaN.
    nan: bool,
    /// These.
    values: Vec<u64>,
    /// Numbers from one to another, infinities where it reaches beyond the largest number.
    ranges: Vec<(f64, f64)>,
    /// Some numbers of these ranges, of which it is not known.
    open: Vec<(f64, f64)>,
}

/// How many units beyond a bound are let pass, since the bound itself is computed with rounding.
const SLACK: f64 = 1e-6;

impl Permitted {
    /// Whatever there is.
    pub fn anything() -> Self {
        Self { anything: true, ..Self::default() }
    }

    /// Results that are added later, and unknown others.
    pub fn unknown() -> Self {
        Self { unknown: true, ..Self::default() }
    }

    /// There may be others, which are not known.
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Nothing is known to be permitted.
    pub fn is_all_unknown(&self) -> bool {
        let some = self.anything || self.any_number || self.nan;
        !some && self.values.is_empty() && self.ranges.is_empty()
    }

    /// Some numbers of a range may be permitted as well.
    pub fn leave_open(&mut self, low: f64, high: f64) {
        self.open.push((low, high));
    }

    /// Whether it may be one of them for all that is known.
    pub fn may_contain(&self, format: Format, bits: u64) -> bool {
        let open = !format.is_nan(bits) && within(&self.open, format, bits);
        self.unknown || open || self.contains(format, bits)
    }

    /// All numbers, infinities among them.
    pub fn any_number() -> Self {
        Self { any_number: true, ..Self::default() }
    }

    /// With numbers of a range.
    pub fn with_range(mut self, low: f64, high: f64) -> Self {
        self.ranges.push((low, high));
        self
    }

    /// With NaNs.
    pub fn with_nan(mut self, nan: bool) -> Self {
        self.nan |= nan;
        self
    }

    /// Some result of a format, where results are known.
    pub fn some(&self) -> Option<u64> {
        self.values.first().copied().or(Some(0))
    }

    /// The only result, where there is one.
    pub fn only(&self) -> Option<u64> {
        let several = self.anything || self.any_number || self.nan || self.unknown;
        match self.values.as_slice() {
            [only] if !several && self.ranges.is_empty() && self.open.is_empty() => Some(*only),
            _ => None,
        }
    }

    /// A result more, and what it may be by the margin.
    pub fn add(&mut self, format: Format, margin: Margin, bits: u64) {
        let special = format.magnitude(bits) >= format.infinity();
        if margin.finite && special {
            self.anything = true;
        }
        if format.is_nan(bits) {
            self.nan = true;
            return;
        }
        self.normal |= margin.requested.flushes;
        if !(margin.requested.flushes && format.is_subnormal(bits)) {
            self.value(bits);
        }
        let least = 1 << format.fraction();
        let flushed = margin.flushed && format.magnitude(bits) <= least;
        let unsigned = margin.finite && format.magnitude(bits) == 0;
        if flushed && format.magnitude(bits) != 0 || unsigned {
            format.zeros().into_iter().for_each(|zero| self.value(zero));
        }
    }

    /// All that is as near to `exact` as units in the last place say.
    pub fn add_error(&mut self, format: Format, margin: Margin, exact: f64, ulps: f64) {
        if exact.is_nan() || exact.is_infinite() {
            return;
        }
        self.normal |= margin.requested.flushes;
        let unit = unit(if margin.single { Format::Single } else { format }, exact);
        let reach = (ulps + SLACK) * unit;
        let (low, high) = (exact - reach, exact + reach);
        self.ranges.push((low, high));
        let least = 2.0_f64.powi(format.least_exponent());
        if margin.flushed && low <= least && high >= -least {
            format.zeros().into_iter().for_each(|zero| self.value(zero));
        }
    }

    /// All numbers of a range, and what they may be by the margin.
    pub fn add_range(&mut self, format: Format, margin: Margin, low: f64, high: f64) {
        let largest = format.value(format.infinity() - 1);
        if margin.finite && (low < -largest || high > largest) {
            self.anything = true;
        }
        self.normal |= margin.requested.flushes;
        self.ranges.push((low, high));
        let least = 2.0_f64.powi(format.least_exponent());
        if margin.flushed && low <= least && high >= -least {
            format.zeros().into_iter().for_each(|zero| self.value(zero));
        }
    }

    /// With all that another set has.
    pub fn join(&mut self, other: Self) {
        self.anything |= other.anything;
        self.any_number |= other.any_number;
        self.unknown |= other.unknown;
        self.normal |= other.normal;
        self.nan |= other.nan;
        other.values.into_iter().for_each(|bits| self.value(bits));
        self.ranges.extend(other.ranges);
        self.open.extend(other.open);
    }

    /// A result more, and nothing besides.
    pub fn value(&mut self, bits: u64) {
        if !self.values.contains(&bits) {
            self.values.push(bits);
        }
    }

    /// Whether a result is one of them.
    pub fn contains(&self, format: Format, bits: u64) -> bool {
        if self.anything {
            return true;
        }
        if format.is_nan(bits) {
            return self.nan;
        }
        if self.normal && format.is_subnormal(bits) {
            return false;
        }
        if self.any_number || self.values.contains(&bits) {
            return true;
        }
        within(&self.ranges, format, bits)
    }
}

/// A number of a format is one of some range.
fn within(ranges: &[(f64, f64)], format: Format, bits: u64) -> bool {
    let number = format.value(bits);
    let largest = format.value(format.infinity() - 1);
    ranges.iter().any(|&(low, high)| match number {
        f64::INFINITY => high > largest,
        f64::NEG_INFINITY => low < -largest,
        // Where a range lies beyond all numbers, the largest one is as good as an infinity.
        _ if number == largest && low > largest => true,
        _ if number == -largest && high < -largest => true,
        number => low <= number && number <= high,
    })
}

/// The unit in the last place of numbers as large as this one.
pub(crate) fn unit(format: Format, number: f64) -> f64 {
    let exponent = match number.abs() {
        0.0 => format.least_exponent(),
        magnitude => (magnitude.to_bits() >> 52) as i32 - 1023,
    };
    2.0_f64.powi(exponent.max(format.least_exponent()) - format.fraction() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_where_its_bound_says() {
        let mut permitted = Permitted::default();
        permitted.add_error(Format::Single, Margin::default(), 1.0 / 3.0, 2.5);
        let nearest = (1.0_f32 / 3.0).to_bits();
        for steps in -4_i64..=4 {
            let bits = (i64::from(nearest) + steps) as u64;
            let error = (Format::Single.value(bits) - 1.0 / 3.0).abs() / 2.0_f64.powi(-25);
            assert_eq!(permitted.contains(Format::Single, bits), error <= 2.5, "{steps} {error}");
        }
        assert!(!permitted.contains(Format::Single, u64::from(f32::NAN.to_bits())));
    }

    #[test]
    fn what_may_be_flushed_has_zeros_beside_it() {
        let margin = Margin { flushed: true, ..Margin::default() };
        for (bits, zeros) in
            [(1, true), (0x0080_0000, true), (0x0080_0001, false), (0x3f80_0000, false)]
        {
            let mut permitted = Permitted::default();
            permitted.add(Format::Single, margin, bits);
            assert!(permitted.contains(Format::Single, bits));
            let found = Format::Single.zeros().map(|zero| permitted.contains(Format::Single, zero));
            assert_eq!(found, [zeros; 2], "{bits:x}");
        }
    }
    #[test]
    fn what_must_be_flushed_is_no_subnormal_number() {
        let mut margin = Margin { flushed: true, ..Margin::default() };
        margin.requested.flushes = true;
        for (bits, itself) in [(1, false), (0x007f_ffff, false), (0x0080_0000, true)] {
            let mut permitted = Permitted::default();
            permitted.add(Format::Single, margin, bits);
            assert_eq!(permitted.contains(Format::Single, bits), itself, "{bits:x}");
            assert!(permitted.contains(Format::Single, 0), "{bits:x}");
        }
    }
}
