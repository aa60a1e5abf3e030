//! Two sides as functions of what each lane loads at its own place, returning what it stores there.
//!
//! What is proved of such functions is proved of the sides ([`laneproof_lower::as_pure_functions`]), in a
//! question without memory: parameters that the source assumes to be equal or small, a whole workgroup
//! and induction are then what they are for functions. A refutation is not one of the sides, whose
//! parameters lie in one memory. What this leaves open is asked as it stands.

use laneproof_encode::Standpoint;

use crate::case::Case;
use crate::descent::{descend, every_size, together};
use crate::error::VerifyError;
use crate::options::{Options, States};
use crate::report::VerificationReport;
use crate::session::Session;
use crate::unrolled::Unrollings;
use crate::verdict::{Obligation, Verdict};
use crate::workgroups;

/// The verdict of a claim: as it stands where that takes little time, as pure functions where that proves
/// it, then as it stands.
pub(crate) fn answer<'a>(
    session: &mut Session<'a>,
    case: &Case<'a>,
    pure: Option<&'a Unrollings<'a>>,
    options: &Options,
) -> Result<VerificationReport, VerifyError> {
    let named = !options.states.subgroups.is_empty();
    let Some((first, pure)) = pure.filter(|_| !named).and_then(|it| Some((it.first().ok()?, it)))
    else {
        return workgroups::answer(session, case, options);
    };
    if let Some((decided, report)) = brief_answer(session, case, options)? {
        *session = decided;
        return Ok(report);
    }
    let mut of_functions = session.of_pure_functions(first, pure, case, options);
    let mut proofs = VerificationReport::undecided(case.profile);
    descend(&mut of_functions, pure, &without_progress(options), &mut proofs)?;
    session.absorb(of_functions);
    // Vacuity is asked of the subgroups that the claim is about.
    let shared = case.workgroup.is_some();
    let any = shared || options.states.any_subgroup;
    session.of_subgroup(if any { Standpoint::Any } else { Standpoint::First }, shared);
    session.unrolled(case.first, true);
    session.restart();
    if let [only] = &proofs.obligations[..]
        && proofs.all_sizes
        && let (Verdict::Proved, Some(abstraction)) = (only.verdict, only.abstraction)
    {
        let mut report = VerificationReport::undecided(case.profile);
        every_size(session, abstraction, options, &mut report);
        return Ok(report);
    }
    let mut report = VerificationReport::undecided(case.profile);
    for obligation in proofs.obligations.into_iter().filter(|it| it.verdict == Verdict::Proved) {
        let Some(size) = obligation.subgroup_size else { continue };
        session.restart();
        // The sides have fewer states than the functions.
        let (verdict, _) = session.vacuity(size);
        if verdict != Verdict::Unknown {
            report.settle(Obligation { verdict, ..obligation }, options.settled.as_ref());
        }
    }
    with_the_rest(session, case, options, report)
}

/// What is decided of the sides as they stand in a little time, if all of it is, and by which session: to
/// prove by one invariant, or to refute, takes no functions.
fn brief_answer<'a>(
    session: &Session<'a>,
    case: &Case<'a>,
    options: &Options,
) -> Result<Option<(Session<'a>, VerificationReport)>, VerifyError> {
    let mut session = session.briefly(case, options);
    let report = workgroups::answer(&mut session, case, &without_progress(options))?;
    let decided = report.obligations.iter().all(|it| it.verdict != Verdict::Unknown);
    let decided = decided && matches!(report.verdict, Verdict::Proved | Verdict::Refuted);
    Ok(decided.then_some((session, report)))
}

/// The same options, without a report of what is settled so far.
fn without_progress(options: &Options) -> Options {
    Options { settled: None, ..options.clone() }
}

/// With these obligations decided, what is left.
fn with_the_rest<'a>(
    session: &mut Session<'a>,
    case: &Case<'a>,
    options: &Options,
    decided: VerificationReport,
) -> Result<VerificationReport, VerifyError> {
    let known = |size: &u32| decided.obligations.iter().any(|it| it.subgroup_size == Some(*size));
    let open: Vec<u32> = options.states.sizes.iter().copied().filter(|it| !known(it)).collect();
    let mut report = if open.is_empty() {
        VerificationReport::undecided(case.profile)
    } else {
        let states = States { sizes: open.clone(), ..options.states.clone() };
        workgroups::answer(session, case, &Options { states, ..options.clone() })?
    };
    if decided.obligations.is_empty() {
        return Ok(report);
    }
    let of_rest = std::mem::take(&mut report.obligations);
    let (together_proved, rest) = match &of_rest[..] {
        [all] if report.all_sizes => {
            let of_size = |&size: &u32| Obligation { subgroup_size: Some(size), ..all.clone() };
            (true, open.iter().map(of_size).collect())
        }
        _ => (false, of_rest),
    };
    report.all_sizes &= !together_proved;
    report.obligations = decided.obligations.into_iter().chain(rest).collect();
    report.obligations.sort_by_key(|it| it.subgroup_size);
    let verdicts = report.obligations.iter().map(|it| it.verdict).collect();
    let before = report.verdict;
    report.verdict = together(&verdicts);
    if report.verdict != before {
        (report.reason, report.unknown) = (None, None);
    }
    report.rests_on = session.rests_on();
    Ok(report)
}
