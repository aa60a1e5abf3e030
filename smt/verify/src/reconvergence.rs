//! Verdicts under the reading that lanes need not reconverge at merge blocks.
//!
//! The encoding lets them reconverge. Under the weaker reading that is one behavior among others,
//! of either side, if lanes come to an instruction by different ways. So a proof holds if neither
//! side has such an instruction. A refutation holds if the source has none, or if a replay has run the
//! source in every way that the reading permits.

use laneproof_encode::RECONVERGENCE;
use laneproof_semantics::denote::Settled;

use crate::report::VerificationReport;
use crate::verdict::Verdict;

/// The alternative that the encoding uses.
const ENCODED: &str = "merge-blocks";
/// The alternative whose choices replays walk, too.
const WEAKER: &str = "uniform-control-flow";

/// Which sides use values of lanes that are together only under that alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Apart {
    pub source: bool,
    pub target: bool,
}

/// These readings, with lanes that reconverge where the encoding has it.
pub(crate) fn reconverging(settled: &Settled) -> Settled {
    settled.clone().with(RECONVERGENCE, ENCODED)
}

/// Lanes need not reconverge at merge blocks by these readings, and a replay lets them.
pub(crate) fn chosen_in_replays(settled: &Settled) -> bool {
    settled.alternative(RECONVERGENCE).is_some_and(|it| **it == *WEAKER)
}

/// Makes a verdict unknown that depends on the reading, if that is settled otherwise.
pub(crate) fn judge(report: &mut VerificationReport, settled: &Settled, apart: Apart) {
    let depends = match report.verdict {
        Verdict::Proved => apart.source || apart.target,
        Verdict::Refuted => apart.source && !chosen_in_replays(settled),
        // Under the weaker reading the source excludes more states.
        Verdict::Vacuous | Verdict::Unknown => false,
    };
    if !depends {
        report.rests_on.retain(|reading| reading != RECONVERGENCE);
        return;
    }
    if settled.alternative(RECONVERGENCE).is_some_and(|it| **it == *ENCODED) {
        return;
    }
    let verdict = report.verdict;
    let why = format!(
        "{verdict} if lanes that diverged reconverge at merge blocks; \
         the reading {RECONVERGENCE} is not settled so"
    );
    report.verdict = Verdict::Unknown;
    report.reason = Some(why);
    report.all_sizes = false;
    report.counterexample = None;
    report.obligations.clear();
}
