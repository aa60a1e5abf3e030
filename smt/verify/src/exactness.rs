//! The readings under which floating-point results are exact.

use std::collections::BTreeSet;

use laneproof_interpreter::asked_otherwise;
use laneproof_outcome::{Unknown, Unsupported};
use laneproof_semantics::denote::Settled;

use crate::case::Case;
use crate::latitude::latitude;
use crate::report::VerificationReport;
use crate::verdict::Verdict;

/// The alternative that leaves floating-point results to the environment.
const LEFT: &str = "left-to-devices";

/// Makes the verdict depend on the readings under which floating-point results are exact, if devices
/// may give other results; if one of them is settled otherwise, the verdict is unknown. Returns
/// whether it depends on them.
pub(crate) fn rest_on_exactness(
    report: &mut VerificationReport,
    case: &Case<'_>,
    settled: &Settled,
) -> bool {
    let latitude = latitude(case.specification, settled);
    let sides = [Some(case.source), case.target].into_iter().flatten();
    let readings: BTreeSet<&str> = sides.flat_map(|side| latitude.concerns(side.program)).collect();
    let otherwise = |reading: &&&str| settled.alternative(reading).is_some_and(|it| **it == *LEFT);
    if let Some(reading) = readings.iter().find(otherwise) {
        refuse(
            report,
            format!("what is left to devices in floating point (the reading {reading})"),
        );
    }
    let mut sides = [Some(case.source), case.target].into_iter().flatten();
    if let Some(asked) = sides.find_map(|side| asked_otherwise(side.program)) {
        refuse(report, format!("{asked}, for which an execution mode asks,"));
    }
    let rests_on = readings.iter().map(|reading| (*reading).to_owned());
    report.rests_on.extend(rests_on);
    report.rests_on.sort();
    report.rests_on.dedup();
    !readings.is_empty()
}

/// Makes the verdict unknown: arithmetic of this kind is not supported.
fn refuse(report: &mut VerificationReport, what: String) {
    report.verdict = Verdict::Unknown;
    report.all_sizes = false;
    report.counterexample = None;
    report.obligations.clear();
    let unsupported = Unsupported { what, instruction: None, location: None };
    report.gives_up(Unknown::Unsupported(unsupported));
}
