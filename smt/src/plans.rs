//! Which encodings are tried for an obligation, and in which order.

use crate::obligation::{Plan, Sizes, View};
use crate::verdict::Rung;
use crate::verify::Options;

/// Sizes up to this are looked at one by one before all sizes are tried in earnest: what is
/// wrong is mostly wrong there, and shows best.
pub(crate) const SCOUTED: u32 = 8;
/// Up to this size every lane is written out early.
const SIMPLIFIED: u32 = 128;

/// One part in so many of the time is for decision diagrams.
const BY_DIAGRAMS: u32 = 4;

/// How much of the ladder is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// What refutes quickly, if anything does.
    Scout,
    /// Its first step, for a moment.
    Glance,
    /// Every lane by its number, by decision diagrams alone.
    Diagrams,
    /// All of it.
    Full,
}

impl Plan {
    /// Every lane by its number, as bits, nothing by laws.
    pub(crate) fn written_out(sizes: Sizes, joint: bool) -> Self {
        Self {
            sizes,
            view: View::EveryLane,
            tags: false,
            laws: false,
            joint,
            lanewise: false,
            diagrams: false,
            traced: false,
            share: 1,
        }
    }
}

impl Plan {
    /// Access by access, in any lane.
    pub(crate) fn traced(sizes: Sizes, share: u32) -> Self {
        let view = View::AnyLane;
        Self { view, traced: true, laws: true, share, ..Self::written_out(sizes, false) }
    }
}

/// The plans for an obligation, cheapest first.
pub(crate) fn plans(
    sizes: &Sizes,
    options: &Options,
    effort: Effort,
    joint: bool,
    loops: bool,
    memory: bool,
) -> Vec<Plan> {
    let tags = options.rungs.contains(&Rung::Movement);
    let laws = options.rungs.contains(&Rung::Laws);
    let plan = |view, tags, laws, share| Plan {
        sizes: sizes.clone(),
        view,
        tags,
        laws,
        joint,
        lanewise: false,
        diagrams: false,
        traced: false,
        share,
    };
    if options.written_out {
        return vec![plan(View::EveryLane, false, false, 1)];
    }
    let mut plans = ladder(sizes, effort, joint, loops, plan, [tags, laws]);
    if memory && !joint && !plans.is_empty() {
        let share = match (sizes, effort) {
            (_, Effort::Scout) => 32,
            (Sizes::One(_), _) => 4,
            (Sizes::All(_), _) => 8,
        };
        plans.insert(0, Plan { lanewise: true, ..plan(View::AnyLane, tags, laws, share) });
    }
    plans
}

fn ladder(
    sizes: &Sizes,
    effort: Effort,
    joint: bool,
    loops: bool,
    plan: impl Fn(View, bool, bool, u32) -> Plan,
    [tags, laws]: [bool; 2],
) -> Vec<Plan> {
    match (sizes, effort) {
        (_, Effort::Diagrams) => {
            vec![Plan { diagrams: true, ..plan(View::EveryLane, false, false, BY_DIAGRAMS) }]
        }
        _ if effort == Effort::Scout && (joint || loops) => {
            // What is lost on a loop later costs more.
            let share = if loops { 12 } else { 64 };
            vec![plan(View::EveryLane, false, false, share)]
        }
        (_, Effort::Scout) => {
            vec![plan(View::AnyLane, tags, laws, 128), plan(View::EveryLane, false, false, 64)]
        }
        // Written out loops are best looked at lane by lane, one size at a time.
        (Sizes::All(_), Effort::Glance) if loops => vec![plan(View::AnyLane, tags, laws, 8)],
        (Sizes::All(_), Effort::Full) if loops => Vec::new(),
        (Sizes::One(_), _) if loops && !joint => vec![
            plan(View::EveryLane, false, false, 2),
            plan(View::AnyLane, tags, laws, 4),
            plan(View::EveryLane, false, false, 1),
        ],
        (Sizes::All(all), Effort::Glance) => {
            // A few small sizes are quickly gone through one by one.
            let small = all.iter().all(|&size| size <= SCOUTED);
            let [quick, surveyed, any] = if small { [64, 32, 32] } else { [48, 8, 8] };
            let mut plans = vec![plan(View::AnyLane, tags, laws, quick)];
            if laws {
                plans.push(plan(View::Surveyed, tags, true, surveyed));
                plans.push(plan(View::AnyLane, tags, laws, any));
            }
            plans
        }
        _ if joint => vec![plan(View::EveryLane, false, false, 1)],
        (Sizes::All(_), Effort::Full) => {
            let mut plans = vec![plan(View::AnyLane, tags, laws, 2)];
            if laws {
                plans.push(plan(View::Surveyed, tags, true, 4));
            }
            plans.push(plan(View::AnyLaneOfAll, tags, laws, 1));
            plans
        }
        // One size, no loops: what is only moved is quickly seen.
        (Sizes::One(_), Effort::Glance) => vec![plan(View::AnyLane, tags, laws, 8)],
        (Sizes::One(size), _) => {
            let mut plans = vec![plan(View::AnyLane, tags, laws, 8)];
            // Lanes by their numbers: sums of the same lanes are the same term.
            if *size <= SIMPLIFIED {
                plans.push(plan(View::EveryLane, false, false, 4));
            }
            plans.push(plan(View::AnyLaneOfAll, tags, laws, 4));
            if tags || laws {
                plans.push(plan(View::AnyLaneOfAll, false, false, 4));
            }
            plans.push(plan(View::EveryLane, false, false, 1));
            plans
        }
    }
}
