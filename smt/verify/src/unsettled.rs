//! Readings that are not settled: the verdict under each alternative.

use laneproof_outcome::Unknown;
use laneproof_semantics::denote::DenoteError;

use crate::presumption::Presumption;
use crate::report::VerificationReport;
use crate::verdict::Verdict;

/// The most unsettled readings, one nested in the other.
pub(crate) const DEEPEST: usize = 4;

/// A reading that was consulted, and its alternatives.
#[derive(Clone, Debug)]
pub(crate) struct Unsettled {
    pub reading: String,
    pub alternatives: Vec<String>,
}

impl Unsettled {
    /// The reading for which an encoding failed, if that is the error.
    pub(crate) fn of(error: &DenoteError) -> Option<Self> {
        let DenoteError::Unsettled(reading, alternatives) = error else { return None };
        Some(Self {
            reading: reading.to_string(),
            alternatives: alternatives.iter().map(ToString::to_string).collect(),
        })
    }

    /// One report for all alternatives: their common verdict, which then does not depend on this
    /// reading; else unknown.
    pub(crate) fn together(&self, reports: Vec<VerificationReport>) -> Option<VerificationReport> {
        let gives = self.alternatives.iter().zip(&reports);
        let gives = gives.map(|(it, report)| (it.clone(), report.verdict.to_string())).collect();
        let mut rests_on: Vec<String> =
            reports.iter().flat_map(|report| report.rests_on.iter().cloned()).collect();
        rests_on.sort();
        rests_on.dedup();
        let mut presumes: Vec<Presumption> = Vec::new();
        for presumption in reports.iter().flat_map(|report| &report.presumes) {
            let readings = matches!(presumption, Presumption::Readings(_));
            if !readings && !presumes.contains(presumption) {
                presumes.push(presumption.clone());
            }
        }
        let mut reports = reports.into_iter();
        let mut first = reports.next()?;
        if first.verdict != Verdict::Unknown && reports.all(|it| it.verdict == first.verdict) {
            rests_on.retain(|reading| *reading != self.reading);
        } else {
            let why = Unknown::Unsettled { reading: self.reading.clone(), outcomes: gives };
            first.reason = Some(match first.reason {
                Some(reason) => format!("{why} ({reason})"),
                None => why.to_string(),
            });
            first.unknown = Some(why);
            first.verdict = Verdict::Unknown;
            first.all_sizes = false;
            first.counterexample = None;
            first.obligations.clear();
        }
        if !rests_on.is_empty() {
            presumes.push(Presumption::Readings(rests_on.clone()));
        }
        (first.rests_on, first.presumes) = (rests_on, presumes);
        Some(first)
    }
}
