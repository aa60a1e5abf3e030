//! A question about whole workgroups: one number of subgroups and one size after the other. What
//! is shown is shown of these, and of no others.

use std::collections::BTreeSet;

use crate::flat::Flat;
use crate::obligation::{LARGEST, Sizes};
use crate::rungs::{Attempt, Desk};
use crate::unrolled::{Unrolled, Unrollings};
use crate::verdict::{Obligation, Report, Verdict};
use crate::verify::{Options, bounded, together};
use crate::workgroup::invocations;

/// Numbers of subgroups that are looked at where an instruction speaks of a whole workgroup and
/// nobody says how many.
const SUBGROUPS: [u32; 3] = [1, 2, 3];
/// Sizes that are looked at then, where nobody names any.
const SIZES: [u32; 3] = [1, 2, 4];

/// A workgroup that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    subgroups: u32,
    size: u32,
}

/// The workgroups that a question is about.
pub(crate) struct Question {
    /// None where it is about one subgroup.
    pub asked: Vec<Asked>,
    /// There are others, and nobody named these.
    chosen: bool,
    /// What subgroups find in memory hangs on others, and only one is looked at.
    pub blind: bool,
    /// There is one subgroup, and nothing speaks of a workgroup: what holds of any subgroup that
    /// is undisturbed holds of it.
    pub lone: bool,
}

/// The workgroups that are to be asked about. Where one is `declared`, and memory is exchanged in
/// it, that one is.
pub(crate) fn question(
    options: &Options,
    first: &Unrolled,
    declared: Option<[u32; 3]>,
) -> Question {
    let spans = |flat: &Flat| flat.spans_workgroup();
    let needed = spans(&first.source) || first.target.as_ref().is_some_and(spans);
    let exchanged = exchanges(first);
    let named = options.subgroups.as_slice();
    if let (Some(invocations), [], true) =
        (declared.and_then(invocations), named, needed || exchanged)
    {
        let whole = |&size: &u32| Asked { subgroups: invocations.div_ceil(size.max(1)), size };
        let asked = options.sizes.iter().map(whole).collect();
        return Question { asked, chosen: false, blind: false, lone: false };
    }
    let subgroups = match named {
        [] if needed => &SUBGROUPS[..],
        named => named,
    };
    let sizes = if options.any_size { &SIZES[..] } else { &options.sizes };
    let of_size = |&size: &u32| subgroups.iter().map(move |&subgroups| Asked { subgroups, size });
    Question {
        asked: sizes.iter().flat_map(of_size).collect(),
        chosen: named.is_empty() || options.any_size,
        blind: exchanged && subgroups.is_empty(),
        lone: named == [1] && !needed,
    }
}

/// A barrier of the workgroup orders memory that is written: what a subgroup finds there, others
/// may have left.
fn exchanges(unrolled: &Unrolled) -> bool {
    let sides = || [Some(&unrolled.source), unrolled.target.as_ref()].into_iter().flatten();
    let some = |of: fn(&Flat) -> [bool; 3], kind: usize| sides().any(|flat| of(flat)[kind]);
    (0..3).any(|kind| some(Flat::ordered_in_workgroup, kind) && some(Flat::written, kind))
}

/// Why a proof for one subgroup is none for a workgroup.
pub(crate) const BLIND: &str = "it holds where this subgroup is its whole workgroup; others may \
     have left something else in memory at a barrier: --subgroups and --sizes name the workgroups \
     that it is to be proved for";

/// What a proof for these workgroups is worth to somebody who did not name them.
fn only(asked: &[Asked]) -> String {
    let sorted = |of: fn(&Asked) -> u32| {
        let numbers: BTreeSet<u32> = asked.iter().map(of).collect();
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    };
    let (subgroups, sizes) = (sorted(|it| it.subgroups), sorted(|it| it.size));
    format!(
        "it holds in workgroups of {subgroups} subgroups of sizes {sizes}, and no others were looked \
         at: --subgroups and --sizes name those that it is to be proved for"
    )
}

/// A proof for any one subgroup, as one for the subgroup that is its workgroup: there must be such
/// a state.
pub(crate) fn as_lone(desk: &mut Desk<'_>, options: &Options, report: &mut Report) {
    let Some(&size) = options.sizes.first() else { return };
    desk.of_workgroup(1, &Sizes::One(size));
    (report.verdict, report.reason) = desk.vacuity(&options.sizes);
    for obligation in &mut report.obligations {
        (obligation.subgroups, obligation.verdict) = (Some(1), report.verdict);
    }
}

/// Asks about each of these workgroups.
pub(crate) fn descend<'a>(
    desk: &mut Desk<'a>,
    unrollings: &'a Unrollings<'_>,
    question: &Question,
    options: &Options,
    report: &mut Report,
) {
    let asked = question.asked.as_slice();
    let mut reason = None;
    for &Asked { subgroups, size } in asked {
        if let Ok(first) = unrollings.first() {
            desk.unrolled(first, true);
        }
        desk.restart();
        let attempt = if subgroups.saturating_mul(size) > LARGEST {
            Attempt::Unknown(format!("more than {LARGEST} invocations are not carried"))
        } else {
            let sizes = Sizes::One(size);
            desk.of_workgroup(subgroups, &sizes);
            bounded(desk, unrollings, &sizes)
        };
        let (verdict, rung, why) = match attempt {
            Attempt::Proved(rung) => {
                let (verdict, why) = desk.vacuity(&[size]);
                (verdict, Some(rung), why)
            }
            Attempt::Refuted(rung, found) => {
                report.counterexample.get_or_insert(*found);
                (Verdict::Refuted, Some(rung), None)
            }
            Attempt::Unknown(why) => (Verdict::Unknown, None, Some(why)),
        };
        let told = |why| {
            let many = if subgroups == 1 { "subgroup" } else { "subgroups" };
            format!("in a workgroup of {subgroups} {many} of size {size}: {why}")
        };
        reason = reason.or_else(|| why.map(told));
        let obligation = desk.obligation(Some(size), verdict, rung);
        report.obligations.push(Obligation { subgroups: Some(subgroups), ..obligation });
        if verdict == Verdict::Refuted && !options.all {
            break;
        }
    }
    let verdicts: BTreeSet<Verdict> = report.obligations.iter().map(|it| it.verdict).collect();
    report.verdict = together(&verdicts);
    if matches!(report.verdict, Verdict::Unknown | Verdict::Vacuous) {
        report.reason = reason;
    }
    report.rests_on = desk.rests_on();
    if report.verdict == Verdict::Proved && question.chosen {
        report.verdict = Verdict::Unknown;
        report.reason = Some(only(asked));
    }
}
