//! The strategies, in the order in which they are tried: one table.
//!
//! A row has the question, the condition under which it applies, its share of the time limit, and
//! what its answer is worth. A new strategy is a file and a row. ARCHITECTURE.md shows this table; a
//! test compares the two.

mod any_lane;
mod any_lane_longer;
mod any_lane_of_all;
mod any_lane_of_all_exactly;
mod cegis;
mod circumstances;
mod diagrams;
mod every_lane;
mod every_lane_briefly;
mod lane_by_lane;
mod quantifiers;
mod traces;
mod unrolled_loops;

use std::fmt::Write as _;

use laneproof_encode::{EncodingPlan, View};
use serde::{Serialize, Serializer};

pub(crate) use self::circumstances::Circumstances;
use crate::phase::Phase;

/// Sizes up to this are checked one by one before all sizes are tried in full: most wrong targets are
/// wrong there, with the most readable counterexamples.
pub(crate) const SCOUTED: u32 = 8;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    Proves,
    Refutes,
    /// A strategy that finds no state itself, too, where a sample has more iterations than are unrolled
    /// and a run of it shows a difference.
    Both,
    /// It withdraws a proof, or lets it stand.
    Withdraws,
}

impl Worth {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Proves => "proves",
            Self::Refutes => "refutes",
            Self::Both => "proves, refutes",
            Self::Withdraws => "withdraws a proof",
        }
    }
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

/// Declares the strategies: from each row its name, and its place in the table.
macro_rules! strategies {
    ($($(#[$doc:meta])* $strategy:ident = $name:literal {
        asks: $asks:literal,
        when: $when:literal,
        worth: $worth:ident,
        shares: $shares:literal,
        how: $how:expr,
    })*) => {
        /// A strategy, by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Strategy {
            $($(#[$doc])* $strategy,)*
        }

        impl std::fmt::Display for Strategy {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self {
                    $(Self::$strategy => $name,)*
                })
            }
        }

        /// The table.
        pub(crate) const STRATEGIES: &[Row] = &[
            $(Row {
                strategy: Strategy::$strategy,
                asks: $asks,
                when: $when,
                worth: Worth::$worth,
                shares: $shares,
                how: $how,
            },)*
        ];
    };
}

strategies! {
    /// Accesses to memory, one by one.
    Traces = "traces" {
        asks: "do both sides make the same accesses to memory, one for one?",
        when: "some side accesses shared memory, which may differ from its encoding",
        worth: Both,
        shares: "as the next that applies, at most 1/4",
        how: How::Encoding(traces::plan),
    }
    /// Accesses to memory, lane by lane.
    LaneByLane = "lane-by-lane" {
        asks: "does each lane by itself make the same accesses to memory?",
        when: "some side accesses shared memory",
        worth: Both,
        shares: "scout 1/32, all sizes 1/8, diagrams 1/8 of theirs, else 1/4",
        how: How::Encoding(lane_by_lane::plan),
    }
    /// Decision diagrams.
    Diagrams = "diagrams" {
        asks: "do decision diagrams over sets of lanes prove it?",
        when: "the abstraction `diagrams` is enabled",
        worth: Both,
        shares: "diagrams 1/64, then 1/12, then 1/2",
        how: How::Encoding(diagrams::plan),
    }
    /// Loops unrolled, every lane by its number, before other strategies.
    UnrolledLoops = "unrolled-loops" {
        asks: "with loops unrolled, does some numbered lane refute it?",
        when: "one size, with loops",
        worth: Both,
        shares: "glance, full 1/2",
        how: How::Encoding(unrolled_loops::plan),
    }
    /// One symbolic lane, alone.
    AnyLane = "any-lane" {
        asks: "does one symbolic lane refute it, where the source behaves in that lane?",
        when: "always, except in a scout with loops and where CEGIS is needed",
        worth: Both,
        shares: "scout 1/128, glance 1/48 (1/64 of sizes up to 8; 1/8 with loops or of one size), one \
                 lane 1/16, full 1/2 of all sizes, 1/8 of one, 1/4 of one with loops",
        how: How::Encoding(any_lane::plan),
    }
    /// Every lane by its number, briefly.
    EveryLaneBriefly = "every-lane-briefly" {
        asks: "does some numbered lane refute it?",
        when: "one size without loops; in a scout always",
        worth: Both,
        shares: "scout 1/64 (1/12 with loops), full 1/4",
        how: How::Encoding(every_lane_briefly::plan),
    }
    /// One symbolic lane, alone, with more time.
    AnyLaneLonger = "any-lane-longer" {
        asks: "the same as any-lane, with more time",
        when: "a look at all sizes without loops, with reduction axioms",
        worth: Both,
        shares: "look 1/8 (1/32 of sizes up to 8)",
        how: How::Encoding(any_lane_longer::plan),
    }
    /// Quantifiers over lanes by instantiation.
    Quantifiers = "quantifiers" {
        asks: "do instances of the quantifiers over lanes refute it?",
        when: "all sizes at once without loops, with reduction axioms",
        worth: Proves,
        shares: "glance 1/48 (1/64 of sizes up to 8), look 1/8 (1/32 of sizes up to 8), full 1/4",
        how: How::Encoding(quantifiers::plan),
    }
    /// One symbolic lane, and the source's behavior in all lanes.
    AnyLaneOfAll = "any-lane-of-all" {
        asks: "does one symbolic lane refute it, where the source behaves in every lane?",
        when: "in full, without loops",
        worth: Both,
        shares: "full 1/1 of all sizes, 1/4 of one",
        how: How::Encoding(any_lane_of_all::plan),
    }
    /// The same without abstractions.
    AnyLaneOfAllExactly = "any-lane-of-all-exactly" {
        asks: "the same without abstractions",
        when: "one size in full without loops, where abstractions are enabled",
        worth: Both,
        shares: "full 1/4",
        how: How::Encoding(any_lane_of_all_exactly::plan),
    }
    /// CEGIS over the choices of the source, for all lanes together.
    Cegis = "cegis" {
        asks: "is there a state in which no choice of the source explains the target?",
        when: "the source has choices that no Skolem template explains",
        worth: Both,
        shares: "glance 1/8, full, workgroup 1/1",
        how: How::Encoding(cegis::plan),
    }
    /// Every lane by its number.
    EveryLane = "every-lane" {
        asks: "does some numbered lane refute it?",
        when: "one size, or a whole workgroup",
        worth: Both,
        shares: "full, workgroup 1/1",
        how: How::Encoding(every_lane::plan),
    }
    /// Induction over the iterations of a loop.
    Induction = "induction" {
        asks: "is there an invariant of the loop after which both sides agree?",
        when: "all sizes at once, one loop or two in lockstep",
        worth: Proves,
        shares: "1/40, then 1/6 where diagrams got nowhere, else 1/12, then 1/3, and all where an \
                 invariant is likely",
        how: How::Otherwise,
    }
    /// Sampled states, run in the interpreter.
    Runs = "runs" {
        asks: "do the sides differ when the interpreter runs them from sampled states?",
        when: "diagrams have not proved the size at their first share; one size above 8, a whole \
               workgroup: first",
        worth: Refutes,
        shares: "1/24 in short runs (first 1/64), later 1/24 in long ones, and all to encode a state \
                 that was found",
        how: How::Otherwise,
    }
    /// Loops taken to be over.
    AfterLoops = "after-loops" {
        asks: "do the sides differ after loops that leave equal values?",
        when: "both sides have a loop, sizes up to 4",
        worth: Refutes,
        shares: "1/48 (later 1/6)",
        how: How::Otherwise,
    }
    /// Whether any state meets the source's preconditions.
    Vacuity = "vacuity" {
        asks: "is there a state that meets the source's preconditions?",
        when: "after a proof",
        worth: Withdraws,
        shares: "what is left, at least 1/10",
        how: How::Otherwise,
    }
}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Strategy {
    /// What its answer is worth.
    pub(crate) fn worth(self) -> Worth {
        let mut rows = STRATEGIES.iter().filter(|row| row.strategy == self);
        rows.next().map_or(Worth::Both, |row| row.worth)
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
    for row in STRATEGIES {
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
    for row in STRATEGIES {
        let worth = row.worth.in_words();
        let Row { strategy, asks, when, shares, .. } = row;
        let _ = writeln!(out, "| {strategy} | {asks} | {when} | {shares} | {worth} |");
    }
    out
}
