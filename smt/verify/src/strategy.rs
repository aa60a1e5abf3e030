//! The strategies, in the order in which they are tried: one table.
//!
//! A row has the question, the condition under which it applies, its share of the time limit, and
//! what its answer is worth. A new strategy is a new row. ARCHITECTURE.md shows this table; a test
//! compares the two.

mod circumstances;
mod name;

use std::fmt::Write as _;

use laneproof_encode::{EncodingPlan, SizeSet, View};

pub(crate) use self::circumstances::Circumstances;
use crate::phase::Phase;

/// Sizes up to this are checked one by one before all sizes are tried in full: most wrong targets are
/// wrong there, with the most readable counterexamples.
pub(crate) const SCOUTED: u32 = 8;
/// Up to this size every lane is encoded early.
const SIMPLIFIED: u32 = 128;

/// A strategy, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Strategy {
    /// Accesses to memory, one by one.
    Traces,
    /// Accesses to memory, lane by lane.
    LaneByLane,
    /// Decision diagrams.
    Diagrams,
    /// Loops unrolled, every lane by its number, before other strategies.
    UnrolledLoops,
    /// One symbolic lane, alone.
    AnyLane,
    /// Every lane by its number, briefly.
    EveryLaneBriefly,
    /// Quantifiers over lanes by instantiation.
    Quantifiers,
    /// One symbolic lane, alone, with more time.
    AnyLaneLonger,
    /// One symbolic lane, and the source's behavior in all lanes.
    AnyLaneOfAll,
    /// The same without abstractions.
    AnyLaneOfAllExactly,
    /// CEGIS over the choices of the source, for all lanes together.
    Cegis,
    /// Every lane by its number.
    EveryLane,
    /// Induction over the iterations of a loop.
    Induction,
    /// Sampled states, run in the interpreter.
    Runs,
    /// Loops taken to be over.
    AfterLoops,
    /// Whether any state meets the source's preconditions.
    Vacuity,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    Proves,
    Refutes,
    Both,
}

/// Why a strategy does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotApplicable {
    /// It does not belong to this phase.
    #[error("not in this phase")]
    Phase,
    /// It is about memory that lanes share.
    #[error("neither side touches memory that lanes share")]
    NoMemory,
    /// It is about memory that may differ from its encoding.
    #[error("memory is as it is encoded")]
    NoDoubt,
    /// The source's choices need CEGIS.
    #[error("the source has choices, which are searched together")]
    Choices,
    /// It compares accesses between the same barriers.
    #[error("a barrier in a branch orders what is before it and after it")]
    BarrierInBranch,
    /// There are loops, for which other strategies are better.
    #[error("a loop is unrolled")]
    Loops,
    /// Its abstraction is not requested.
    #[error("its abstraction was not asked for")]
    NotAsked,
}

/// One row of the table.
pub(crate) struct Row {
    pub strategy: Strategy,
    /// What it asks, in words.
    pub asks: &'static str,
    /// When it applies, in words.
    pub when: &'static str,
    pub worth: Worth,
    /// Its share of an obligation's limit, phase by phase, in words.
    pub shares: &'static str,
    pub how: How,
}

/// How a strategy is tried.
pub(crate) enum How {
    /// As an encoding for a solver; or why it does not apply.
    Encoding(fn(&Circumstances<'_>) -> Result<EncodingPlan, NotApplicable>),
    /// As a stage of its own, or a query after a proof.
    Otherwise,
}

/// The table.
pub(crate) const STRATEGIES: [Row; 16] = [
    Row {
        strategy: Strategy::Traces,
        asks: "do both sides make the same accesses to memory, one for one?",
        when: "some side accesses shared memory, which may differ from its encoding",
        worth: Worth::Proves,
        shares: "as the next that applies, at most 1/4",
        how: How::Encoding(traces),
    },
    Row {
        strategy: Strategy::LaneByLane,
        asks: "does each lane by itself make the same accesses to memory?",
        when: "some side accesses shared memory",
        worth: Worth::Both,
        shares: "scout 1/32, all sizes 1/8, diagrams 1/8 of theirs, else 1/4",
        how: How::Encoding(lane_by_lane),
    },
    Row {
        strategy: Strategy::Diagrams,
        asks: "do decision diagrams over sets of lanes prove it?",
        when: "the abstraction `diagrams` is enabled",
        worth: Worth::Proves,
        shares: "diagrams 1/64, then 1/12, then 1/2",
        how: How::Encoding(diagrams),
    },
    Row {
        strategy: Strategy::UnrolledLoops,
        asks: "with loops unrolled, does some numbered lane refute it?",
        when: "one size, with loops",
        worth: Worth::Both,
        shares: "glance, full 1/2",
        how: How::Encoding(unrolled_loops),
    },
    Row {
        strategy: Strategy::AnyLane,
        asks: "does one symbolic lane refute it, where the source behaves in that lane?",
        when: "always, except in a scout with loops and where CEGIS is needed",
        worth: Worth::Both,
        shares: "scout 1/128, glance 1/48 (1/64 of sizes up to 8; 1/8 with loops or of one size), full \
                 1/2 of all sizes, 1/8 of one, 1/4 of one with loops",
        how: How::Encoding(any_lane),
    },
    Row {
        strategy: Strategy::EveryLaneBriefly,
        asks: "does some numbered lane refute it?",
        when: "one size without loops; in a scout always",
        worth: Worth::Both,
        shares: "scout 1/64 (1/12 with loops), full 1/4",
        how: How::Encoding(every_lane_briefly),
    },
    Row {
        strategy: Strategy::Quantifiers,
        asks: "do instances of the quantifiers over lanes refute it?",
        when: "all sizes at once without loops, with reduction axioms",
        worth: Worth::Proves,
        shares: "glance 1/8 (1/32 of sizes up to 8), full 1/4",
        how: How::Encoding(quantifiers),
    },
    Row {
        strategy: Strategy::AnyLaneLonger,
        asks: "the same as any-lane, with more time",
        when: "a glance at all sizes without loops, with reduction axioms",
        worth: Worth::Both,
        shares: "glance 1/8 (1/32 of sizes up to 8)",
        how: How::Encoding(any_lane_longer),
    },
    Row {
        strategy: Strategy::AnyLaneOfAll,
        asks: "does one symbolic lane refute it, where the source behaves in every lane?",
        when: "in full, without loops",
        worth: Worth::Both,
        shares: "full 1/1 of all sizes, 1/4 of one",
        how: How::Encoding(any_lane_of_all),
    },
    Row {
        strategy: Strategy::AnyLaneOfAllExactly,
        asks: "the same without abstractions",
        when: "one size in full without loops, where abstractions are enabled",
        worth: Worth::Both,
        shares: "full 1/4",
        how: How::Encoding(any_lane_of_all_exactly),
    },
    Row {
        strategy: Strategy::Cegis,
        asks: "is there a state in which no choice of the source explains the target?",
        when: "the source has choices that no Skolem template explains",
        worth: Worth::Both,
        shares: "glance 1/8, full, workgroup 1/1",
        how: How::Encoding(cegis),
    },
    Row {
        strategy: Strategy::EveryLane,
        asks: "does some numbered lane refute it?",
        when: "one size, or a whole workgroup",
        worth: Worth::Both,
        shares: "full, workgroup 1/1",
        how: How::Encoding(every_lane),
    },
    Row {
        strategy: Strategy::Induction,
        asks: "is there an invariant of the loop after which both sides agree?",
        when: "all sizes at once, one loop or two in lockstep",
        worth: Worth::Proves,
        shares: "1/64, then 1/12, then 1/3, and all where an invariant is likely",
        how: How::Otherwise,
    },
    Row {
        strategy: Strategy::Runs,
        asks: "do the sides differ when the interpreter runs them from sampled states?",
        when: "diagrams have not proved the size at their first share; one size above 8, a whole \
               workgroup: first",
        worth: Worth::Refutes,
        shares: "1/24 (first 1/64), and all to encode a state that was found",
        how: How::Otherwise,
    },
    Row {
        strategy: Strategy::AfterLoops,
        asks: "do the sides differ after loops that leave equal values?",
        when: "both sides have a loop, sizes up to 4",
        worth: Worth::Refutes,
        shares: "1/6",
        how: How::Otherwise,
    },
    Row {
        strategy: Strategy::Vacuity,
        asks: "is there a state that meets the source's preconditions?",
        when: "after a proof",
        worth: Worth::Refutes,
        shares: "what is left, at least 1/10",
        how: How::Otherwise,
    },
];

fn traces(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Traces => Ok(EncodingPlan::traced(it.sizes.clone(), 2)),
        _ if !it.memory => Err(NotApplicable::NoMemory),
        Phase::Workgroup => Err(NotApplicable::Phase),
        _ if it.joint => Err(NotApplicable::Choices),
        _ if !it.doubt => Err(NotApplicable::NoDoubt),
        _ => {
            let others = STRATEGIES.iter().filter(|row| row.strategy != Strategy::Traces);
            let first = others.filter_map(|row| row.plan(it)?.ok()).next();
            let first = first.ok_or(NotApplicable::Loops)?;
            Ok(EncodingPlan::traced(it.sizes.clone(), first.share.max(4)))
        }
    }
}

fn lane_by_lane(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    if !it.memory {
        return Err(NotApplicable::NoMemory);
    }
    if it.joint {
        return Err(NotApplicable::Choices);
    }
    if it.ordered_by_branches {
        return Err(NotApplicable::BarrierInBranch);
    }
    let share = match it.phase {
        Phase::Traces => return Err(NotApplicable::Phase),
        Phase::Workgroup => {
            return Ok(EncodingPlan { lanewise: true, ..it.exact(View::EveryLane, 4) });
        }
        Phase::Scout => 32,
        Phase::Full if it.all_sizes() && it.loops => return Err(NotApplicable::Loops),
        _ if it.all_sizes() => 8,
        Phase::Diagrams if it.loops => return Err(NotApplicable::Loops),
        Phase::Diagrams => 8,
        _ => 4,
    };
    Ok(EncodingPlan { lanewise: true, ..it.abstracted(View::AnyLane, share) })
}

fn diagrams(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Diagrams => {
            // Memory that no other subgroup accesses is compared lane by lane, which needs no case
            // distinction on addresses.
            let lanewise = it.memory && !it.exchanged && !it.joint;
            Ok(EncodingPlan { diagrams: true, lanewise, ..it.exact(View::EveryLane, 1) })
        }
        _ => Err(NotApplicable::Phase),
    }
}

fn unrolled_loops(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Glance | Phase::Full if !it.all_sizes() && it.loops && !it.joint => {
            Ok(it.exact(View::EveryLane, 2))
        }
        _ => Err(NotApplicable::Phase),
    }
}

fn any_lane(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = match it.phase {
        Phase::Scout | Phase::Glance | Phase::Full if it.joint => {
            return Err(NotApplicable::Choices);
        }
        Phase::Scout if it.loops => return Err(NotApplicable::Loops),
        Phase::Scout => 128,
        Phase::Glance if it.all_sizes() && !it.loops => {
            if it.few_small_sizes() {
                64
            } else {
                48
            }
        }
        Phase::Glance if it.all_sizes() => 8,
        Phase::Full if it.all_sizes() && it.loops => return Err(NotApplicable::Loops),
        Phase::Full if it.all_sizes() => 2,
        Phase::Glance | Phase::Full if it.loops => 4,
        Phase::Glance | Phase::Full => 8,
        _ => return Err(NotApplicable::Phase),
    };
    Ok(it.abstracted(View::AnyLane, share))
}

fn every_lane_briefly(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match (it.phase, it.sizes) {
        // Later strategies take longer on loops.
        (Phase::Scout, _) => Ok(it.exact(View::EveryLane, if it.loops { 12 } else { 64 })),
        (Phase::Full, SizeSet::One(_)) if it.joint => Err(NotApplicable::Choices),
        (Phase::Full, SizeSet::One(_)) if it.loops => Err(NotApplicable::Loops),
        // With numbered lanes, sums over the same lanes are the same term.
        (Phase::Full, SizeSet::One(size)) if *size <= SIMPLIFIED => {
            Ok(it.exact(View::EveryLane, 4))
        }
        _ => Err(NotApplicable::Phase),
    }
}

/// All sizes at once without loops, by axioms; the share of a glance, and in full.
fn by_axioms(it: &Circumstances<'_>, full: Option<u32>) -> Result<u32, NotApplicable> {
    let share = match it.phase {
        Phase::Glance | Phase::Full if !it.all_sizes() => return Err(NotApplicable::Phase),
        Phase::Glance if it.few_small_sizes() => 32,
        Phase::Glance => 8,
        Phase::Full => full.ok_or(NotApplicable::Phase)?,
        _ => return Err(NotApplicable::Phase),
    };
    match () {
        () if it.loops => Err(NotApplicable::Loops),
        () if !it.axioms() => Err(NotApplicable::NotAsked),
        () => Ok(share),
    }
}

fn quantifiers(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = by_axioms(it, Some(4))?;
    Ok(it.abstracted(View::Quantified, share))
}

fn any_lane_longer(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = by_axioms(it, None)?;
    Ok(it.abstracted(View::AnyLane, share))
}

fn any_lane_of_all(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Full if it.joint => Err(NotApplicable::Choices),
        Phase::Full if it.loops => Err(NotApplicable::Loops),
        Phase::Full => Ok(it.abstracted(View::AnyLaneOfAll, if it.all_sizes() { 1 } else { 4 })),
        _ => Err(NotApplicable::Phase),
    }
}

fn any_lane_of_all_exactly(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        Phase::Full if it.all_sizes() => Err(NotApplicable::Phase),
        Phase::Full if it.joint => Err(NotApplicable::Choices),
        Phase::Full if it.loops => Err(NotApplicable::Loops),
        Phase::Full if !it.tags() && !it.axioms() => Err(NotApplicable::NotAsked),
        Phase::Full => Ok(it.exact(View::AnyLaneOfAll, 4)),
        _ => Err(NotApplicable::Phase),
    }
}

fn cegis(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        // Other strategies may decide without the search.
        Phase::Glance if it.joint => Ok(it.exact(View::EveryLane, 8)),
        Phase::Full | Phase::Workgroup if it.joint => Ok(it.exact(View::EveryLane, 1)),
        _ => Err(NotApplicable::Phase),
    }
}

fn every_lane(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        _ if it.joint => Err(NotApplicable::Choices),
        Phase::Full if !it.all_sizes() => Ok(it.exact(View::EveryLane, 1)),
        Phase::Glance if !it.all_sizes() && it.loops => Ok(it.exact(View::EveryLane, 1)),
        Phase::Workgroup => Ok(it.exact(View::EveryLane, 1)),
        _ => Err(NotApplicable::Phase),
    }
}

impl Row {
    /// Its encoding, or why it does not apply; `None` if it is a stage of its own.
    pub(crate) fn plan(
        &self,
        it: &Circumstances<'_>,
    ) -> Option<Result<EncodingPlan, NotApplicable>> {
        match self.how {
            How::Encoding(encoding) => Some(encoding(it)),
            How::Otherwise => None,
        }
    }
}

/// Strategies, each with some data.
type Each<T> = Vec<(Strategy, T)>;

/// The strategies that apply here, in their order, and why others of this phase do not.
pub(crate) fn applicable(it: &Circumstances<'_>) -> (Each<EncodingPlan>, Each<NotApplicable>) {
    let (mut tried, mut left_out) = (Vec::new(), Vec::new());
    let only = it.per_lane && ![Phase::Workgroup, Phase::Traces].contains(&it.phase);
    for row in &STRATEGIES {
        let plan = match row.strategy {
            Strategy::EveryLane if only => Some(Ok(it.exact(View::EveryLane, 1))),
            Strategy::Traces => row.plan(it),
            _ if only => None,
            _ => row.plan(it),
        };
        match plan {
            Some(Ok(plan)) => tried.push((row.strategy, plan)),
            Some(Err(NotApplicable::Phase)) | None => {}
            Some(Err(why)) => left_out.push((row.strategy, why)),
        }
    }
    (tried, left_out)
}

/// The table as ARCHITECTURE.md shows it.
pub fn strategy_table() -> String {
    let mut out = String::from(
        "| strategy | asks | when | share of the limit | answer |\n| --- | --- | --- | --- | --- |\n",
    );
    for row in &STRATEGIES {
        let worth = match row.worth {
            Worth::Proves => "proves",
            Worth::Refutes => "refutes",
            Worth::Both => "proves, refutes",
        };
        let Row { strategy, asks, when, shares, .. } = row;
        let _ = writeln!(out, "| {strategy} | {asks} | {when} | {shares} | {worth} |");
    }
    out
}
