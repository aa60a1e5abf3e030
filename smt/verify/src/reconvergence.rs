//! What a verdict is worth where lanes need not meet again at merge blocks.
//!
//! Everything is encoded as if they did. Under the weaker reading that is one behavior among
//! others, of either side, where lanes come to an instruction by different ways. So a proof
//! holds where neither side has such an instruction, a refutation where the source has none.

use laneproof_encode::RECONVERGENCE;
use laneproof_semantics::denote::Settled;

use crate::report::VerificationReport;
use crate::verdict::Verdict;

/// The alternative that everything is encoded by.
const ENCODED: &str = "merge-blocks";

/// Which sides look at lanes that are with them only by that alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Apart {
    pub source: bool,
    pub target: bool,
}

/// Takes back a verdict that depends on the reading where it is not settled so.
pub(crate) fn judge(report: &mut VerificationReport, settled: &Settled, apart: Apart) {
    let hangs = match report.verdict {
        Verdict::Proved => apart.source || apart.target,
        Verdict::Refuted => apart.source,
        // A source that is read more weakly excludes more states.
        Verdict::Vacuous | Verdict::Unknown => false,
    };
    if !hangs {
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
