//! The strategies, in the order in which they are tried: one table.
//!
//! A row says what is asked, when it applies, its share of the time limit, and what its answer is
//! worth. Whoever adds a strategy adds a row. ARCHITECTURE.md shows this table; a test holds the two
//! against each other.

mod name;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use laneproof_encode::{EncodingPlan, SizeSet, View};

use crate::abstraction::Abstraction;
use crate::phase::Phase;

/// Sizes up to this are looked at one by one before all sizes are tried in earnest: what is
/// wrong is mostly wrong there, and shows best.
pub(crate) const SCOUTED: u32 = 8;
/// Up to this size every lane is looked at early.
const SIMPLIFIED: u32 = 128;

/// A strategy, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Strategy {
    /// Memory access by access.
    Traces,
    /// Memory lane by lane.
    LaneByLane,
    /// Decision diagrams.
    Diagrams,
    /// Loops unrolled, every lane by its number, before anything else is tried on them.
    UnrolledLoops,
    /// One lane that stands for all, alone.
    AnyLane,
    /// Every lane by its number, for a while.
    EveryLaneBriefly,
    /// Quantifiers over lanes by instantiation.
    Quantifiers,
    /// One lane that stands for all, alone, with more time.
    AnyLaneLonger,
    /// One lane that stands for all, beside all lanes.
    AnyLaneOfAll,
    /// The same without abstractions.
    AnyLaneOfAllExactly,
    /// The choices of the source, searched for all lanes together.
    Cegis,
    /// Every lane by its number.
    EveryLane,
    /// Induction over the iterations of a loop.
    Induction,
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

/// Why a strategy is not tried where its phase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotApplicable {
    /// It is none of this phase.
    #[error("not in this phase")]
    Phase,
    /// It is about memory that lanes share.
    #[error("neither side touches memory that lanes share")]
    NoMemory,
    /// It is about memory of which it is in doubt whether it is as it is encoded.
    #[error("memory is as it is encoded")]
    NoDoubt,
    /// The source's choices are searched for all lanes together.
    #[error("the source has choices, which are searched together")]
    Choices,
    /// There are loops, which other strategies are better at.
    #[error("a loop is unrolled")]
    Loops,
    /// Its abstraction was not asked for.
    #[error("its abstraction was not asked for")]
    NotAsked,
}

/// What a row's condition can depend on.
#[derive(Clone, Copy)]
pub(crate) struct Circumstances<'a> {
    pub phase: Phase,
    pub sizes: &'a SizeSet,
    /// The source has choices that no template explains.
    pub joint: bool,
    /// Some loop is unrolled, and may have more iterations.
    pub loops: bool,
    /// Some side touches memory that lanes share, and there are two sides.
    pub memory: bool,
    /// It is in doubt whether memory is as it is encoded.
    pub doubt: bool,
    /// Lanes leave things to each other in memory: by atomics, or in order around a barrier.
    pub exchanged: bool,
    /// Abstractions that may be used.
    pub abstractions: &'a BTreeSet<Abstraction>,
    /// Nothing is abstracted from.
    pub per_lane: bool,
}

impl Circumstances<'_> {
    fn tags(&self) -> bool {
        self.abstractions.contains(&Abstraction::Movement)
    }

    fn laws(&self) -> bool {
        self.abstractions.contains(&Abstraction::Laws)
    }

    fn all_sizes(&self) -> bool {
        matches!(self.sizes, SizeSet::All(_))
    }

    /// A few small sizes are quickly gone through one by one.
    fn few_small_sizes(&self) -> bool {
        matches!(self.sizes, SizeSet::All(all) if all.iter().all(|&size| size <= SCOUTED))
    }

    /// Every lane by its number, as bits, nothing by laws.
    fn exact(&self, view: View, share: u32) -> EncodingPlan {
        EncodingPlan { view, share, ..EncodingPlan::per_lane(self.sizes.clone(), self.joint) }
    }

    /// The same with the abstractions that are asked for.
    fn abstracted(&self, view: View, share: u32) -> EncodingPlan {
        EncodingPlan { tags: self.tags(), laws: self.laws(), ..self.exact(view, share) }
    }
}

/// One row of the table.
pub(crate) struct Row {
    pub strategy: Strategy,
    /// What it asks, in words.
    pub asks: &'static str,
    /// When it applies, in words.
    pub when: &'static str,
    pub worth: Worth,
    /// One part in so many of an obligation's limit, phase by phase, in words.
    pub shares: &'static str,
    pub how: How,
}

/// How a strategy is tried.
pub(crate) enum How {
    /// An encoding, put to a solver; or why not here.
    Encoding(fn(&Circumstances<'_>) -> Result<EncodingPlan, NotApplicable>),
    /// Otherwise: a stage of its own, or a question after a proof.
    Otherwise,
}

/// The table.
pub(crate) const STRATEGIES: [Row; 15] = [
    Row {
        strategy: Strategy::Traces,
        asks: "do both sides make the same accesses to memory, one for one?",
        when: "some side touches shared memory, of which it is in doubt whether it is as it is encoded",
        worth: Worth::Proves,
        shares: "as the next that applies, at most 1/4",
        how: How::Encoding(traces),
    },
    Row {
        strategy: Strategy::LaneByLane,
        asks: "does each lane do the same to memory on its own?",
        when: "some side touches shared memory",
        worth: Worth::Both,
        shares: "scout 1/32, all sizes 1/8, diagrams 1/8 of theirs, else 1/4",
        how: How::Encoding(lane_by_lane),
    },
    Row {
        strategy: Strategy::Diagrams,
        asks: "what do decision diagrams over sets of lanes say?",
        when: "diagrams are asked for",
        worth: Worth::Proves,
        shares: "diagrams 1/64, then 1/12, then 1/2",
        how: How::Encoding(diagrams),
    },
    Row {
        strategy: Strategy::UnrolledLoops,
        asks: "with loops unrolled, does some lane by its number refute it?",
        when: "one size, with loops",
        worth: Worth::Both,
        shares: "glance, full 1/2",
        how: How::Encoding(unrolled_loops),
    },
    Row {
        strategy: Strategy::AnyLane,
        asks: "does one lane that stands for all, alone, refute it?",
        when: "always, but in a scout of loops and where choices are searched",
        worth: Worth::Both,
        shares: "scout 1/128, glance 1/48 (1/64 of sizes up to 8; 1/8 with loops or of one size), full \
                 1/2 of all sizes, 1/8 of one, 1/4 of one with loops",
        how: How::Encoding(any_lane),
    },
    Row {
        strategy: Strategy::EveryLaneBriefly,
        asks: "does some lane by its number refute it?",
        when: "one size without loops; in a scout always",
        worth: Worth::Both,
        shares: "scout 1/64 (1/12 with loops), full 1/4",
        how: How::Encoding(every_lane_briefly),
    },
    Row {
        strategy: Strategy::Quantifiers,
        asks: "do instances of what is said of all lanes refute it?",
        when: "all sizes at once without loops, with laws",
        worth: Worth::Proves,
        shares: "glance 1/8 (1/32 of sizes up to 8), full 1/4",
        how: How::Encoding(quantifiers),
    },
    Row {
        strategy: Strategy::AnyLaneLonger,
        asks: "the same as any-lane, with more time",
        when: "a glance at all sizes without loops, with laws",
        worth: Worth::Both,
        shares: "glance 1/8 (1/32 of sizes up to 8)",
        how: How::Encoding(any_lane_longer),
    },
    Row {
        strategy: Strategy::AnyLaneOfAll,
        asks: "does one lane that stands for all refute it, where the source behaves in every lane?",
        when: "in full, without loops",
        worth: Worth::Both,
        shares: "full 1/1 of all sizes, 1/4 of one",
        how: How::Encoding(any_lane_of_all),
    },
    Row {
        strategy: Strategy::AnyLaneOfAllExactly,
        asks: "the same without abstractions",
        when: "one size in full without loops, where abstractions are asked for",
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
        asks: "does some lane by its number refute it?",
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
        shares: "1/64, then 1/12, then 1/3, and all where an invariant is in sight",
        how: How::Otherwise,
    },
    Row {
        strategy: Strategy::AfterLoops,
        asks: "do the sides differ after loops that leave the same?",
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
            // Whose memory is nobody else's is compared lane by lane, which takes no addresses apart.
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
        // What is lost on a loop later costs more.
        (Phase::Scout, _) => Ok(it.exact(View::EveryLane, if it.loops { 12 } else { 64 })),
        (Phase::Full, SizeSet::One(_)) if it.joint => Err(NotApplicable::Choices),
        (Phase::Full, SizeSet::One(_)) if it.loops => Err(NotApplicable::Loops),
        // Lanes by their numbers: sums of the same lanes are the same term.
        (Phase::Full, SizeSet::One(size)) if *size <= SIMPLIFIED => {
            Ok(it.exact(View::EveryLane, 4))
        }
        _ => Err(NotApplicable::Phase),
    }
}

/// All sizes at once without loops, by laws; the share of a glance, and of all of it.
fn by_laws(it: &Circumstances<'_>, full: Option<u32>) -> Result<u32, NotApplicable> {
    let share = match it.phase {
        Phase::Glance | Phase::Full if !it.all_sizes() => return Err(NotApplicable::Phase),
        Phase::Glance if it.few_small_sizes() => 32,
        Phase::Glance => 8,
        Phase::Full => full.ok_or(NotApplicable::Phase)?,
        _ => return Err(NotApplicable::Phase),
    };
    match () {
        () if it.loops => Err(NotApplicable::Loops),
        () if !it.laws() => Err(NotApplicable::NotAsked),
        () => Ok(share),
    }
}

fn quantifiers(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = by_laws(it, Some(4))?;
    Ok(it.abstracted(View::Quantified, share))
}

fn any_lane_longer(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    let share = by_laws(it, None)?;
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
        Phase::Full if !it.tags() && !it.laws() => Err(NotApplicable::NotAsked),
        Phase::Full => Ok(it.exact(View::AnyLaneOfAll, 4)),
        _ => Err(NotApplicable::Phase),
    }
}

fn cegis(it: &Circumstances<'_>) -> Result<EncodingPlan, NotApplicable> {
    match it.phase {
        // Other strategies may do without the search.
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
    /// Its encoding here, or why it does not apply; nothing where it is a phase of its own.
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

/// Strategies, each with what became of it.
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

/// The table as documents show it.
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
