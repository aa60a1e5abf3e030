//! A question about whole workgroups: one number of subgroups and one size after the other. What
//! is shown is shown of these, and of no others.

use std::collections::BTreeSet;

use crate::flat::Flat;
use crate::obligation::{LARGEST, Sizes};
use crate::rungs::{Attempt, Desk};
use crate::unrolled::{Unrolled, Unrollings};
use crate::verdict::{Obligation, Report, Verdict};
use crate::verify::{Options, bounded, together};

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

/// The workgroups that a question is about; none where it is about one subgroup.
pub(crate) fn asked(options: &Options, first: &Unrolled) -> Vec<Asked> {
    let spans = |flat: &Flat| flat.spans_workgroup();
    let needed = spans(&first.source) || first.target.as_ref().is_some_and(spans);
    let subgroups = match options.subgroups.as_slice() {
        [] if needed => &SUBGROUPS[..],
        named => named,
    };
    let sizes = if options.any_size { &SIZES[..] } else { &options.sizes };
    let of_size = |&size: &u32| subgroups.iter().map(move |&subgroups| Asked { subgroups, size });
    sizes.iter().flat_map(of_size).collect()
}

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

/// Asks about each of these workgroups.
pub(crate) fn descend<'a>(
    desk: &mut Desk<'a>,
    unrollings: &'a Unrollings<'_>,
    asked: &[Asked],
    options: &Options,
    report: &mut Report,
) {
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
    if report.verdict == Verdict::Proved && (options.subgroups.is_empty() || options.any_size) {
        report.verdict = Verdict::Unknown;
        report.reason = Some(only(asked));
    }
}
