//! What verification answers.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use laneproof_induction::Invariant;
use laneproof_interpreter::{Grid, WorkgroupPlace};
use laneproof_outcome::Unknown;
use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

use crate::tried::{Outcome, Tried};
use crate::verify::Options;

/// The answer to an obligation, or to all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Holds in every state.
    Proved,
    /// Holds, but no state meets the source's preconditions.
    Vacuous,
    /// Not decided.
    Unknown,
    /// Fails, in a state that was replayed.
    Refuted,
}

/// Which abstraction decided an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
    /// A loop by induction over its rounds, everything else exact or by its laws.
    Induction,
    /// Payloads that are only moved, as tags.
    Movement,
    /// Reductions by their laws.
    Laws,
    /// What depends on sets of lanes as decision diagrams, payloads as guarded normal forms.
    Diagrams,
    /// Everything exact.
    Bits,
}

/// Writes a rung as one of the three abstractions: an induction goes by laws.
///
/// # Errors
///
/// The serializer's.
pub fn abstraction<S: Serializer>(rung: &Option<Rung>, serializer: S) -> Result<S::Ok, S::Error> {
    rung.map(|rung| if rung == Rung::Induction { Rung::Laws } else { rung }).serialize(serializer)
}

/// A word that names no value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found `{found}`")]
pub struct WordError {
    /// The words that fit.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

/// Implements reading and printing of an enumeration by the words that stand for its values.
macro_rules! words {
    ($type:ident, $expected:literal, $($word:literal => $variant:ident),+) => {
        impl FromStr for $type {
            type Err = WordError;

            fn from_str(word: &str) -> Result<Self, WordError> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(WordError { expected: $expected, found: word.to_owned() }),
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $word,)+ })
            }
        }
    };
}

words!(Verdict, "proved, refuted, unknown or vacuous",
    "proved" => Proved, "refuted" => Refuted, "unknown" => Unknown, "vacuous" => Vacuous);
words!(Rung, "induction, movement, laws, diagrams or bits", "induction" => Induction, "movement" => Movement, "laws" => Laws, "diagrams" => Diagrams, "bits" => Bits);
words!(Function, "source or target", "source" => Source, "target" => Target);

/// One obligation and its answer.
#[derive(Clone, Debug, Serialize)]
pub struct Obligation {
    /// `SubgroupSize`; `None`: every size asked for at once.
    pub subgroup_size: Option<u32>,
    /// How many subgroups the workgroup has, where the question is about a whole one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subgroups: Option<u32>,
    /// The answer.
    pub verdict: Verdict,
    /// Which abstraction gave it; `None` where none did.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "abstraction")]
    pub rung: Option<Rung>,
    /// Time spent on it, in milliseconds.
    pub milliseconds: f64,
    /// Time that the solver took of it, in milliseconds.
    pub solver_milliseconds: f64,
}

/// A scalar of a lane: its bits, or `None` for an undefined value.
pub type Scalar = Option<u64>;

/// A value of a lane, by its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Name of the parameter or instruction.
    pub name: String,
    /// Its type.
    pub ty: laneproof_semantics::Type,
    /// Its scalars; `None`: the lane has no such value.
    pub leaves: Option<Vec<Scalar>>,
}

/// One lane of a counterexample.
#[derive(Clone, Debug)]
pub struct LaneRow {
    /// Its id; of a whole workgroup, its `LocalInvocationIndex`.
    pub lane: u32,
    /// Its `SubgroupId`, of a whole workgroup.
    pub subgroup: Option<u32>,
    /// It entered the functions.
    pub active: bool,
    /// Source and target disagree here.
    pub offending: bool,
    /// Its parameters.
    pub inputs: Vec<Shown>,
    /// What the source returned.
    pub source: Shown,
    /// What the target returned.
    pub target: Shown,
    /// Values on the way, the source's before the target's.
    pub steps: Vec<(Function, Shown)>,
}

/// One scalar in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    /// Which memory: `memory` behind pointer parameters, `set.binding`, `push constants`.
    pub memory: String,
    /// Number of the scalar, from the start of the memory.
    pub index: u64,
    /// Its type.
    pub ty: laneproof_semantics::Type,
    /// Source and target disagree here.
    pub offending: bool,
    /// What stands there at first.
    pub before: Scalar,
    /// What the source leaves there; `None`: it did not come to an end.
    pub source: Option<Scalar>,
    /// What the target leaves there; `None`: it did not come to an end.
    pub target: Option<Scalar>,
}

/// One of the two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Function {
    /// What must be refined.
    Source,
    /// What must refine it.
    Target,
}

/// Undefined behavior that refutes.
#[derive(Clone, Debug, Serialize)]
pub struct UndefinedBehavior {
    /// Whose.
    pub side: Function,
    /// The instruction.
    pub instruction: String,
    /// The clause that says so, or what happened where no clause is about it.
    pub clause: String,
    /// The lanes in which it shows, as they are numbered in the counterexample.
    pub lanes: Vec<u32>,
}

/// A whole workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkgroupShape {
    /// `NumSubgroups`.
    pub subgroups: u32,
    /// Its invocations along each axis.
    pub size: [u32; 3],
}

/// A state in which the target does what the source cannot.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// `SubgroupSize`.
    pub subgroup_size: u32,
    /// `SubgroupMaxSize`.
    pub max_size: u32,
    /// How many lanes exist, in the whole workgroup where it is about one.
    pub existing: u32,
    /// Which subgroup of its workgroup it is, where something asks for that.
    pub place: Option<WorkgroupPlace>,
    /// The workgroup and the grid around it, where something asks for them.
    pub grid: Option<Grid>,
    /// The workgroup, where all of its subgroups are looked at.
    pub workgroup: Option<WorkgroupShape>,
    /// The interpreter showed it again.
    pub confirmed: bool,
    /// Every existing lane.
    pub lanes: Vec<LaneRow>,
    /// Scalars in memory that were written, or that the two leave different.
    pub memory: Vec<MemoryRow>,
    /// The undefined behavior of the target, where that is the refutation.
    pub undefined_behavior: Option<UndefinedBehavior>,
    /// Why values are undefined: side, clause, and the sentence in our words.
    pub explanations: Vec<(Function, Arc<str>, Arc<str>)>,
}

/// What a verdict presumes of the states that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Presumption {
    /// Both functions are entered together.
    #[error("converged entry: the lanes that enter do so together, the same in both functions")]
    ConvergedEntry,
    /// Something asks which subgroup this is, and only the first was looked at.
    #[error(
        "first subgroup: SubgroupId is 0 here; with --any-subgroup every subgroup of a workgroup is \
         asked about"
    )]
    FirstSubgroup,
    /// Nobody else touches the memory meanwhile: the target may touch there what the source does
    /// not, or do so by other atomics.
    #[error("no concurrent access: nobody else touches the memory meanwhile")]
    NoConcurrentAccess,
    /// In a whole workgroup invocations go to subgroups in the order of `LocalInvocationIndex`.
    #[error("subgroups in order: invocations go to subgroups in the order of LocalInvocationIndex")]
    SubgroupsInOrder,
    /// The environment allows other results of floating-point arithmetic than were looked at.
    #[error(
        "exact arithmetic: floating-point results are correctly rounded, to nearest even, and none is \
         flushed or contracted; devices may do otherwise"
    )]
    ExactArithmetic,
    /// At these sizes there is no state, and nothing is said of them.
    #[error("sizes with a state: at SubgroupSize {} there is none", in_words(.0))]
    SizesWithAState(Vec<u32>),
    /// The readings that it rests on.
    #[error("readings: {}", .0.join(", "))]
    Readings(Vec<String>),
}

fn in_words(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// Something in which the two may differ, whatever the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotCompared {
    /// Nobody sees what is left in the workgroup's memory.
    #[error("shared memory: what is left in workgroup variables")]
    SharedMemory,
    /// Module-scope variables of each lane.
    #[error("globals: what is left in module-scope variables of each lane")]
    Globals,
    /// Without `--outputs`.
    #[error("pointer parameters: what is left behind them; --outputs compares it")]
    PointerParameters,
}

/// Why an obligation is unknown or vacuous.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    /// Which obligation, as the beginning of a sentence; empty where it is about all.
    pub obligation: String,
    /// Why it is unknown; `None`: it is vacuous.
    pub unknown: Option<Unknown>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.obligation.is_empty() {
            write!(f, "{}: ", self.obligation)?;
        }
        match &self.unknown {
            Some(unknown) => unknown.fmt(f),
            None => f.write_str("no state meets the source's preconditions"),
        }
    }
}

/// The whole answer.
#[derive(Clone, Debug)]
pub struct Report {
    /// Of all obligations together.
    pub verdict: Verdict,
    /// Under which profile.
    pub profile: String,
    /// For unknown and vacuous, why, in words.
    pub reason: Option<String>,
    /// For unknown, why.
    pub unknown: Option<Unknown>,
    /// Everything that was tried, in order, and what came of it.
    pub tried: Vec<Tried>,
    /// One by one.
    pub obligations: Vec<Obligation>,
    /// One obligation covers every size asked for.
    pub all_sizes: bool,
    /// Where refuted.
    pub counterexample: Option<Counterexample>,
    /// Readings that the obligations consult.
    pub rests_on: Vec<String>,
    /// What it presumes of the states that it is about.
    pub presumes: Vec<Presumption>,
    /// What the two may leave different.
    pub not_compared: Vec<NotCompared>,
    /// What became of the invariants that were stated.
    pub invariants: Vec<Invariant>,
}

impl Report {
    /// One more obligation is settled, and whoever wants to know it is told.
    pub(crate) fn settle(&mut self, obligation: Obligation, options: &Options) {
        self.obligations.push(obligation);
        let Some(settled) = &options.settled else { return };
        let refuted = self.obligations.iter().any(|it| it.verdict == Verdict::Refuted);
        let verdict = if refuted { Verdict::Refuted } else { Verdict::Unknown };
        // Nobody may be left who wants to know.
        let _ = settled.send(Self { verdict, ..self.clone() });
    }

    /// Nothing was decided, and some limit of time or memory was reached on the way: another
    /// machine, or a quieter one, may decide it.
    pub fn depends_on_machine(&self) -> bool {
        let gave_up = self.tried.iter().filter_map(|it| match &it.outcome {
            Outcome::GaveUp(why) => Some(why),
            _ => None,
        });
        self.verdict == Verdict::Unknown
            && gave_up.chain(&self.unknown).any(Unknown::depends_on_machine)
    }

    /// Unknown, for this reason.
    pub(crate) fn gives_up(&mut self, why: Unknown) {
        self.verdict = Verdict::Unknown;
        self.reason = Some(why.to_string());
        self.unknown = Some(why);
    }

    /// Why the verdict is what it is; nothing where it needs no reason.
    pub(crate) fn explain(&mut self, reason: Option<Reason>) {
        (self.reason, self.unknown) = match (self.verdict, reason) {
            (Verdict::Proved | Verdict::Refuted, _) | (_, None) => (None, None),
            (Verdict::Vacuous, Some(reason)) => (Some(reason.to_string()), None),
            (Verdict::Unknown, Some(reason)) => (Some(reason.to_string()), reason.unknown),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::strategy::Strategy;
    use laneproof_outcome::TimeLimit;

    fn gave_up(why: Unknown) -> Tried {
        Tried {
            strategy: Strategy::AnyLane,
            subgroup_size: None,
            iterations: 4,
            outcome: Outcome::GaveUp(why),
            took: Duration::ZERO,
        }
    }

    /// A limit that was reached counts, whatever a later strategy gives as its reason.
    #[test]
    fn what_was_cut_off_on_the_way_depends_on_the_machine() {
        let late = Unknown::TimedOut(TimeLimit::Share(Duration::from_secs(1)));
        let mut report = crate::verify::undecided("vulkan");
        report.gives_up(Unknown::incomplete("instances do not settle it"));
        report.tried = vec![gave_up(Unknown::incomplete("lanes do not do the same"))];
        assert!(!report.depends_on_machine());
        report.tried.insert(0, gave_up(late.clone()));
        assert!(report.depends_on_machine());
        report.tried[0] = gave_up(Unknown::OutOfMemory(100));
        assert!(report.depends_on_machine());
        report.tried.remove(0);
        report.gives_up(late.about(laneproof_outcome::Question::Vacuity(4)));
        assert!(report.depends_on_machine());
        report.verdict = Verdict::Proved;
        assert!(!report.depends_on_machine());
    }
}
