//! Which subgroups a claim is about: one subgroup, or all subgroups of a workgroup.
//!
//! Other subgroups matter if memory is shared. If the entry points declare their workgroup, the
//! claim is about that one: about any of its subgroups, if the others make no difference
//! ([`crate::others`]), else about all of its invocations by number. Otherwise one subgroup is
//! checked, unless whole workgroups are requested.

use std::collections::BTreeSet;

use laneproof_encode::{Declared, LARGEST, SizeSet, Standpoint};
use laneproof_lower::{Flat, exchange};
use laneproof_outcome::{Bound, Unknown};

use crate::abstraction::Abstraction;
use crate::case::Case;
use crate::descent::{bounded, every_size, together};
use crate::error::VerifyError;
use crate::options::Options;
use crate::phase::Phase;
use crate::report::{Reason, VerificationReport};
use crate::session::{Attempt, RunLength, Session};
use crate::unrolled::{Unrolled, Unrollings};
use crate::verdict::{Obligation, Verdict};

/// The default numbers of subgroups, if an instruction has the scope Workgroup.
const SUBGROUPS: [u32; 3] = [1, 2, 3];
/// The default sizes in that case.
const SIZES: [u32; 3] = [1, 2, 4];

/// Sampled runs of a whole workgroup may take `1 / RUNS` of the limit.
const RUNS: u32 = 24;

/// A whole workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorkgroupCase {
    subgroups: u32,
    size: u32,
}

/// Which subgroups a claim is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// One subgroup; no other subgroup matters.
    Undisturbed,
    /// The only subgroup of its workgroup, without instructions of scope Workgroup: a proof for any
    /// undisturbed subgroup covers it.
    Alone(Vec<WorkgroupCase>),
    /// Any subgroup of the declared workgroup; others access the same memory.
    Shared(Declared),
    /// Any subgroup of an arbitrary workgroup; subgroups communicate through memory.
    Exchanged,
    /// Whole workgroups. If they were `chosen` by default, the verdict does not cover others.
    Whole { asked: Vec<WorkgroupCase>, chosen: bool },
}

fn question(options: &Options, first: &Unrolled, declared: Option<Declared>) -> Question {
    let sides = || [Some(&first.source), first.target.as_ref()].into_iter().flatten();
    let needed = sides().any(Flat::spans_workgroup);
    let exchanged = exchange(&first.source, first.target.as_ref());
    let named = options.states.subgroups.as_slice();
    let fixed = declared.and_then(|it| it.invocations());
    if let (Some(invocations), [], true) = (fixed, named, needed || exchanged) {
        let asked = options.states.sizes.iter().map(|&size| whole(invocations, size)).collect();
        return Question::Whole { asked, chosen: false };
    }
    if named.is_empty() && !needed {
        return match declared {
            _ if exchanged => Question::Exchanged,
            // A property has no final memory.
            Some(declared) if first.target.is_some() && sides().any(Flat::shares_memory) => {
                Question::Shared(declared)
            }
            _ => Question::Undisturbed,
        };
    }
    let subgroups = if named.is_empty() { &SUBGROUPS[..] } else { named };
    let sizes = if options.states.any_size { &SIZES[..] } else { &options.states.sizes };
    let of_size =
        |&size: &u32| subgroups.iter().map(move |&subgroups| WorkgroupCase { subgroups, size });
    let asked = sizes.iter().flat_map(of_size).collect();
    match named == [1] && !needed {
        true => Question::Alone(asked),
        false => Question::Whole { asked, chosen: named.is_empty() || options.states.any_size },
    }
}

/// The workgroup of this number of invocations, in subgroups of a size.
fn whole(invocations: u32, size: u32) -> WorkgroupCase {
    WorkgroupCase { subgroups: invocations.div_ceil(size.max(1)), size }
}

/// The verdict of a claim.
pub(crate) fn answer<'a>(
    session: &mut Session<'a>,
    case: &Case<'a>,
    options: &Options,
) -> Result<VerificationReport, VerifyError> {
    let question = question(options, case.first, case.workgroup.map(|it| it.declared));
    let standpoint = if options.states.any_subgroup { Standpoint::Any } else { Standpoint::First };
    let mut report = VerificationReport::undecided(case.profile);
    match question {
        Question::Undisturbed => {
            session.of_subgroup(standpoint, false);
            session.find_full_subgroups(&options.states.sizes);
            session.find_uniform_parameters(&options.states.sizes);
            crate::descent::descend(session, case.unrollings, options, &mut report)?;
        }
        Question::Alone(asked) => {
            session.of_subgroup(standpoint, false);
            crate::descent::descend(session, case.unrollings, options, &mut report)?;
            if matches!(report.verdict, Verdict::Proved | Verdict::Vacuous) {
                as_lone(session, options, &mut report);
            } else {
                report = VerificationReport::undecided(case.profile);
                descend(
                    session,
                    case.unrollings,
                    (&asked, options.states.any_size),
                    options,
                    &mut report,
                );
            }
        }
        Question::Whole { asked, chosen } => {
            if chosen
                || !options.states.subgroups.is_empty()
                || !traced(session, case, options, &mut report)
            {
                descend(session, case.unrollings, (&asked, chosen), options, &mut report);
            }
        }
        Question::Exchanged => {
            if !traced(session, case, options, &mut report) {
                lone(session, case, options, &mut report)?;
            }
        }
        Question::Shared(declared) => shared(session, case, declared, options, &mut report)?,
    }
    Ok(report)
}

/// Tries traces: if both sides make the same accesses in every lane, at every size, that proves the
/// claim for any workgroup.
fn traced<'a>(
    session: &mut Session<'a>,
    case: &Case<'a>,
    options: &Options,
    report: &mut VerificationReport,
) -> bool {
    session.of_subgroup(Standpoint::Any, true);
    let sizes = SizeSet::All(options.states.sizes.clone());
    let mut unrolled = Some(case.first);
    while let Some(tried) = unrolled {
        session.unrolled(tried, false);
        match session.trace(&sizes) {
            Attempt::Proved(abstraction) => {
                every_size(session, abstraction, options, report);
                return true;
            }
            _ if !session.exceeded() => break,
            _ => unrolled = case.unrollings.after(tried.iterations),
        }
    }
    session.unrolled(case.first, true);
    session.restart();
    false
}

/// Checks a subgroup that is its whole workgroup. A refutation counts; a proof does not extend to
/// larger workgroups.
fn lone<'a>(
    session: &mut Session<'a>,
    case: &Case<'a>,
    options: &Options,
    report: &mut VerificationReport,
) -> Result<(), VerifyError> {
    session.of_subgroup(Standpoint::Lone, false);
    crate::descent::descend(session, case.unrollings, options, report)?;
    for obligation in &mut report.obligations {
        if matches!(obligation.verdict, Verdict::Proved | Verdict::Vacuous) {
            (obligation.verdict, obligation.abstraction) = (Verdict::Unknown, None);
        }
    }
    match report.verdict {
        Verdict::Proved => report.gives_up(Unknown::BoundReached(Bound::LoneSubgroup)),
        Verdict::Vacuous => {
            report.gives_up(Unknown::BoundReached(Bound::LoneSubgroupWithoutState));
        }
        Verdict::Refuted | Verdict::Unknown => {}
    }
    Ok(())
}

/// Checks any subgroup of the declared workgroup; if that does not decide, the whole workgroup.
fn shared<'a>(
    session: &mut Session<'a>,
    case: &Case<'a>,
    declared: Declared,
    options: &Options,
    report: &mut VerificationReport,
) -> Result<(), VerifyError> {
    session.of_subgroup(Standpoint::Any, true);
    crate::descent::descend(session, case.unrollings, options, report)?;
    if report.verdict != Verdict::Unknown {
        return Ok(());
    }
    let Some(invocations) = declared.invocations() else {
        // A claim that is not proved for any subgroup may be refuted for one that is alone.
        let unknown = std::mem::replace(report, VerificationReport::undecided(case.profile));
        lone(session, case, options, report)?;
        if report.verdict != Verdict::Refuted {
            *report = unknown;
        }
        return Ok(());
    };
    let open = |it: &Obligation| {
        let size = it.subgroup_size.filter(|_| it.verdict == Verdict::Unknown)?;
        (invocations > size && invocations <= LARGEST).then(|| whole(invocations, size))
    };
    let asked: Vec<WorkgroupCase> = report.obligations.iter().filter_map(open).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let mut of_whole = VerificationReport::undecided(case.profile);
    descend(session, case.unrollings, (&asked, false), options, &mut of_whole);
    join(report, of_whole);
    Ok(())
}

/// Merges the report on whole workgroups.
fn join(report: &mut VerificationReport, of_whole: VerificationReport) {
    for obligation in of_whole.obligations {
        let size = obligation.subgroup_size;
        if let Some(known) = report.obligations.iter_mut().find(|it| it.subgroup_size == size) {
            *known = obligation;
        }
    }
    if let Some(found) = of_whole.counterexample {
        report.counterexample.get_or_insert(found);
    }
    let verdicts: BTreeSet<Verdict> = report.obligations.iter().map(|it| it.verdict).collect();
    report.verdict = together(&verdicts);
    match report.verdict {
        Verdict::Unknown if of_whole.unknown.is_some() => {
            (report.reason, report.unknown) = (of_whole.reason, of_whole.unknown);
        }
        Verdict::Unknown => {}
        Verdict::Vacuous => {
            (report.reason, report.unknown) = (of_whole.reason.or(report.reason.take()), None);
        }
        Verdict::Proved | Verdict::Refuted => (report.reason, report.unknown) = (None, None),
    }
    report.rests_on = of_whole.rests_on;
}

/// Why a proof for these workgroups is unknown for all workgroups.
fn only(asked: &[WorkgroupCase]) -> Unknown {
    let sorted = |of: fn(&WorkgroupCase) -> u32| {
        let numbers: BTreeSet<u32> = asked.iter().map(of).collect();
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    };
    let (subgroups, sizes) = (sorted(|it| it.subgroups), sorted(|it| it.size));
    Unknown::BoundReached(Bound::Workgroups { subgroups, sizes })
}

/// Turns a proof for any one subgroup into one for a subgroup that is its workgroup; such a state
/// must exist.
fn as_lone(session: &mut Session<'_>, options: &Options, report: &mut VerificationReport) {
    let Some(&size) = options.states.sizes.first() else { return };
    session.of_workgroup(1, &SizeSet::One(size));
    every_size(session, Abstraction::Bits, options, report);
    let abstraction = report.obligations.iter().find_map(|it| it.abstraction);
    for obligation in &mut report.obligations {
        (obligation.subgroups, obligation.abstraction) = (Some(1), abstraction);
    }
}

/// Checks each of these workgroups.
fn descend<'a>(
    session: &mut Session<'a>,
    unrollings: &'a Unrollings<'a>,
    (asked, chosen): (&[WorkgroupCase], bool),
    options: &Options,
    report: &mut VerificationReport,
) {
    let mut reasons = Vec::new();
    for &WorkgroupCase { subgroups, size } in asked {
        if let Ok(first) = unrollings.first() {
            session.unrolled(first, true);
        }
        session.restart();
        let attempt = if subgroups.saturating_mul(size) > LARGEST {
            Attempt::Unknown(Unknown::BoundReached(Bound::Invocations(LARGEST)))
        } else {
            let sizes = SizeSet::One(size);
            session.of_workgroup(subgroups, &sizes);
            match session.runs(size, unrollings, RUNS, RunLength::Long).0 {
                refuted @ Attempt::Refuted(..) => refuted,
                _ => bounded(session, unrollings, &sizes, Phase::Workgroup),
            }
        };
        let (verdict, abstraction, unknown) = match attempt {
            Attempt::Proved(abstraction) => {
                let (verdict, unknown) = session.vacuity(size);
                (verdict, Some(abstraction), unknown)
            }
            Attempt::Refuted(abstraction, found) => {
                report.counterexample.get_or_insert(*found);
                (Verdict::Refuted, Some(abstraction), None)
            }
            Attempt::Unknown(why) => (Verdict::Unknown, None, Some(why)),
        };
        if matches!(verdict, Verdict::Unknown | Verdict::Vacuous) {
            let many = if subgroups == 1 { "subgroup" } else { "subgroups" };
            let obligation = format!("in a workgroup of {subgroups} {many} of size {size}");
            reasons.push(Reason { obligation, unknown });
        }
        let obligation = session.obligation(Some(size), verdict, abstraction);
        report.settle(
            Obligation { subgroups: Some(subgroups), ..obligation },
            options.settled.as_ref(),
        );
        if verdict == Verdict::Refuted && !options.all {
            break;
        }
    }
    let verdicts: BTreeSet<Verdict> = report.obligations.iter().map(|it| it.verdict).collect();
    report.verdict = together(&verdicts);
    let unknown = report.verdict == Verdict::Unknown;
    report.explain(reasons.into_iter().find(|it: &Reason| it.unknown.is_some() == unknown));
    report.rests_on = session.rests_on();
    if matches!(report.verdict, Verdict::Proved | Verdict::Vacuous) && chosen {
        report.gives_up(only(asked));
    }
}
