//! Why a query is undecided: one type from the solver to the report.
//!
//! Code branches on its variant or its [`UnknownKind`]; the words are for people.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use laneproof_module::{Named, Place, Program};
use laneproof_semantics::denote::{DenoteError, STEPS};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why something is undecided.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unknown {
    /// A time limit was reached.
    #[error("timed out {0}")]
    TimedOut(TimeLimit),
    /// The solver took all memory that it may take, in MiB.
    #[error("the solver reached its memory limit of {0} MiB (`--memory`)")]
    OutOfMemory(u64),
    /// Something in a module, or in what its instructions mean, is not supported.
    #[error(transparent)]
    Unsupported(Unsupported),
    /// The search reached a bound.
    #[error(transparent)]
    BoundReached(Bound),
    /// The text gives no consequence in some state; the clause.
    #[error("the text is silent: {0}")]
    Silent(String),
    /// It depends on a reading that nothing settles.
    #[error("the reading {reading} is not settled{}", each_gives(.outcomes))]
    Unsettled {
        /// The reading.
        reading: String,
        /// The verdict under each of its alternatives, if they were tried: alternative and verdict.
        outcomes: Vec<(String, String)>,
    },
    /// Neither a proof nor a counterexample was found, though nothing stopped the search.
    #[error("{0}")]
    Incomplete(Cow<'static, str>),
    /// A candidate for a counterexample did not replay.
    #[error(transparent)]
    NotReplayed(NotReplayed),
    /// A question that had to be answered first is undecided.
    #[error("{question}: {cause}")]
    Open {
        /// The question.
        question: Question,
        /// Why there is no answer.
        cause: Box<Self>,
    },
}

/// The kinds of [`Unknown`], as documents name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UnknownKind {
    /// A time limit was reached.
    Timeout,
    /// A limit of memory was reached.
    Memory,
    /// Something is not supported.
    Unsupported,
    /// A bound was reached.
    Bound,
    /// The text is silent.
    Silent,
    /// A reading is not settled.
    Reading,
    /// The search found nothing.
    Incomplete,
    /// A candidate did not replay.
    NotReplayed,
}

/// Which time limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeLimit {
    /// That of one obligation.
    Obligation(Duration),
    /// The same on a busy machine, where it is longer.
    Extended(Duration),
    /// That of all obligations together.
    All(Duration),
    /// A strategy's or a question's share of the obligation's.
    Share(Duration),
    /// The deadline of one part of the work, a share of the obligation's.
    Deadline,
    /// A limit in the solver's own units of work.
    Work(u32),
    /// The same, computed from a query's share of the obligation's limit.
    WorkShare(u32),
}

impl TimeLimit {
    /// The limit is reached at the same point on every machine.
    fn is_work(&self) -> bool {
        matches!(self, Self::Work(_) | Self::WorkShare(_))
    }
}

/// A smaller share would be shown as `0.0 s`.
const NEXT_TO_NOTHING: Duration = Duration::from_millis(50);

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Obligation(limit) => write!(f, "after {} s (`--timeout`)", limit.as_secs_f64()),
            Self::Extended(limit) => write!(
                f,
                "after {:.1} s (`--timeout`, extended on this busy machine)",
                limit.as_secs_f64()
            ),
            Self::All(limit) => write!(
                f,
                "after {} s for all obligations together (`--total-timeout`)",
                limit.as_secs_f64()
            ),
            Self::Share(share) if *share < NEXT_TO_NOTHING => {
                f.write_str("at once: hardly any of `--timeout` was left for it")
            }
            Self::Share(share) => {
                write!(f, "after {:.1} s, its part of `--timeout`", share.as_secs_f64())
            }
            Self::Deadline => f.write_str("after its part of `--timeout`"),
            Self::Work(units) => write!(f, "after {units} of the solver's units of work"),
            Self::WorkShare(units) => {
                write!(f, "after {units} of the solver's units of work, its part of `--timeout`")
            }
        }
    }
}

/// What is not supported, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} is not supported{}", in_brackets(.instruction, .location))]
pub struct Unsupported {
    /// What.
    pub what: String,
    /// The instruction, if it concerns one.
    pub instruction: Option<String>,
    /// Its place in the module.
    pub location: Option<Location>,
    /// What may help, if it is something else than to do without it.
    pub remedy: Option<String>,
}

/// The place of an instruction in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Location {
    /// Line of the assembly, from 1.
    Line(u32),
    /// Index of its first word in the binary.
    Word(u32),
}

impl Location {
    /// The location of a place, if it is known.
    pub fn of(place: Place) -> Option<Self> {
        match (place.line, place.word) {
            (0, 0) => None,
            (0, word) => Some(Self::Word(word)),
            (line, _) => Some(Self::Line(line)),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Word(word) => write!(f, "word {word}"),
        }
    }
}

fn in_brackets(instruction: &Option<String>, location: &Option<Location>) -> String {
    match (instruction, location) {
        (Some(instruction), Some(location)) => format!(" ({instruction}, {location})"),
        (Some(instruction), None) => format!(" ({instruction})"),
        (None, Some(location)) => format!(" ({location})"),
        (None, None) => String::new(),
    }
}

fn each_gives(all: &[(String, String)]) -> String {
    let all: Vec<String> =
        all.iter().map(|(alternative, verdict)| format!("{alternative} gives {verdict}")).collect();
    if all.is_empty() { String::new() } else { format!(": {}", all.join(", ")) }
}

/// A bound of the search.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Bound {
    /// Iterations of a loop.
    #[error("a loop may take more than {0} iterations")]
    Iterations(u32),
    /// Steps over the clauses.
    #[error("the clauses take more than {0} steps in one lane")]
    Steps(u32),
    /// Choices of the source.
    #[error("{0} choices of the source do not settle it")]
    Choices(usize),
    /// Possibilities of one clause.
    #[error("{0}: too many possibilities")]
    Possibilities(String),
    /// Invocations of a workgroup.
    #[error("a workgroup of more than {0} invocations is not supported")]
    Invocations(u32),
    /// Subgroups of a workgroup that has no fixed size.
    #[error("workgroups of more than {0} subgroups were not looked at")]
    Subgroups(u32),
    /// The workgroups that were checked by default.
    #[error(
        "it holds in workgroups of {subgroups} subgroups of sizes {sizes}, and no others were looked \
         at: --subgroups and --sizes name those that it is to be proved for"
    )]
    Workgroups {
        /// How many subgroups they have.
        subgroups: String,
        /// Of which sizes.
        sizes: String,
    },
    /// The subgroup that is its whole workgroup: a proof.
    #[error(
        "it holds where this subgroup is its whole workgroup; others may have left something else in \
         memory at a barrier: --subgroups and --sizes name the workgroups that it is to be proved for"
    )]
    LoneSubgroup,
    /// The same, where no such state meets the preconditions.
    #[error(
        "no state in which this subgroup is its whole workgroup meets the source's preconditions; \
         one of a workgroup with others may: --subgroups and --sizes name the workgroups that are to \
         be looked at"
    )]
    LoneSubgroupWithoutState,
}

/// Why a candidate for a counterexample does not count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotReplayed {
    /// The interpreter found a choice of the source that explains the target.
    #[error("a counterexample of this encoding did not replay")]
    Explained,
    /// The source never ends there.
    #[error("the source may never end")]
    SourceMayNotEnd,
    /// The walk over all choices of this function is too long.
    #[error("the {0} has too many choices to walk")]
    TooManyChoices(&'static str),
    /// Only memories that are too large for the interpreter refute it.
    #[error("only memories too large to replay would refute it")]
    TooLarge,
    /// The interpreter does not run the atomics in every order.
    #[error("{0}")]
    Orders(&'static str),
    /// The interpreter follows another alternative of this reading.
    #[error(
        "a counterexample depends on the reading `{0}`, which the interpreter follows in another way"
    )]
    Reading(String),
    /// The interpreter stopped in this function.
    #[error("the {side} could not be replayed: {why}")]
    Stopped {
        /// Which function.
        side: &'static str,
        /// Why.
        why: String,
    },
}

/// A question that has to be answered before the obligation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Question {
    /// Whether all iterations are unrolled.
    #[error("whether a loop may take more than {0} iterations")]
    Iterations(u32),
    /// Whether any state is met.
    #[error("whether any state is met at SubgroupSize {0}")]
    Vacuity(u32),
}

impl Unknown {
    /// The search found nothing, for this reason.
    pub fn incomplete(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Incomplete(why.into())
    }

    /// Something is not supported; its place is unknown.
    pub fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported(Unsupported {
            what: what.into(),
            instruction: None,
            location: None,
            remedy: None,
        })
    }

    /// The same, as the outcome of a question that had to be answered first.
    pub fn about(self, question: Question) -> Self {
        Self::Open { question, cause: Box::new(self) }
    }

    /// The innermost cause.
    pub fn cause(&self) -> &Self {
        match self {
            Self::Open { cause, .. } => cause.cause(),
            _ => self,
        }
    }

    /// Which kind it is.
    pub fn kind(&self) -> UnknownKind {
        match self.cause() {
            Self::TimedOut(_) => UnknownKind::Timeout,
            Self::OutOfMemory(_) => UnknownKind::Memory,
            Self::Unsupported(_) => UnknownKind::Unsupported,
            Self::BoundReached(_) => UnknownKind::Bound,
            Self::Silent(_) => UnknownKind::Silent,
            Self::Unsettled { .. } => UnknownKind::Reading,
            Self::NotReplayed(_) => UnknownKind::NotReplayed,
            Self::Incomplete(_) | Self::Open { .. } => UnknownKind::Incomplete,
        }
    }

    /// A larger limit of time or of memory may give another answer.
    pub fn is_limit(&self) -> bool {
        matches!(self.kind(), UnknownKind::Timeout | UnknownKind::Memory)
    }

    /// A limit was reached that another machine, or a quieter one, may not reach.
    pub fn depends_on_machine(&self) -> bool {
        self.is_limit() && !matches!(self.cause(), Self::TimedOut(limit) if limit.is_work())
    }

    /// The instruction, if it concerns one.
    pub fn instruction(&self) -> Option<&str> {
        match self.cause() {
            Self::Unsupported(it) => it.instruction.as_deref(),
            _ => None,
        }
    }

    /// Its place in the module.
    pub fn location(&self) -> Option<Location> {
        match self.cause() {
            Self::Unsupported(it) => it.location,
            _ => None,
        }
    }

    /// What to try.
    pub fn hint(&self) -> Option<String> {
        let hint = match self.cause() {
            Self::TimedOut(TimeLimit::All(_)) => {
                "a longer `--total-timeout`, or fewer sizes with `--sizes`"
            }
            Self::TimedOut(TimeLimit::Work(_)) => return None,
            Self::TimedOut(_) => "a longer `--timeout`, or fewer sizes with `--sizes`",
            Self::OutOfMemory(_) => "more `--memory`, or smaller sizes with `--sizes`",
            Self::Unsupported(Unsupported { remedy: Some(remedy), .. }) => {
                return Some(remedy.clone());
            }
            Self::Unsupported(_) => "the same without what is named here",
            Self::BoundReached(bound) => match bound {
                Bound::Iterations(_) => {
                    "a bound on the loop that does not depend on data, or an invariant of it with \
                     `--invariant`"
                }
                Bound::Invocations(_) => "smaller workgroups",
                Bound::Subgroups(_) => "a workgroup size that no specialization changes",
                Bound::Workgroups { .. }
                | Bound::LoneSubgroup
                | Bound::LoneSubgroupWithoutState => "`--subgroups` and `--sizes`",
                Bound::Steps(_) | Bound::Choices(_) | Bound::Possibilities(_) => {
                    "smaller sizes with `--sizes`"
                }
            },
            Self::Silent(_) => "a profile that settles the clause, with `--profile`",
            Self::Unsettled { reading, outcomes } => {
                let alternative =
                    outcomes.first().map_or("ALTERNATIVE", |(alternative, _)| alternative);
                return Some(format!(
                    "`--reading {reading}={alternative}`, or another alternative"
                ));
            }
            Self::NotReplayed(NotReplayed::SourceMayNotEnd) => {
                "a source whose loops end, or an assumption under which they do"
            }
            Self::NotReplayed(NotReplayed::Reading(_)) => {
                "another alternative of the reading, with `--reading`"
            }
            Self::NotReplayed(_) | Self::Incomplete(_) | Self::Open { .. } => {
                "one size at a time with `--sizes`, and a longer `--timeout`"
            }
        };
        Some(hint.to_owned())
    }
}

impl From<DenoteError> for Unknown {
    fn from(error: DenoteError) -> Self {
        match error {
            DenoteError::NotModelled(what) => Self::unsupported(what),
            DenoteError::NotModelledIn { what, instruction, word, line } => {
                Self::Unsupported(Unsupported {
                    what,
                    instruction: Some(instruction),
                    location: Location::of(Place { word, line }),
                    remedy: None,
                })
            }
            DenoteError::NotModelledBy(what, reading) => Self::unsupported(format!(
                "{what}, where the reading {reading} leaves it to the implementation,"
            )),
            DenoteError::Unsettled(reading, _) => {
                Self::Unsettled { reading: reading.to_string(), outcomes: Vec::new() }
            }
            DenoteError::NotMovement(_) => {
                Self::incomplete("a payload that is only moved is computed with")
            }
            DenoteError::Undecided(what) => Self::BoundReached(Bound::Possibilities(what)),
            DenoteError::Steps => Self::BoundReached(Bound::Steps(STEPS)),
            DenoteError::OutOfTime => Self::TimedOut(TimeLimit::Deadline),
            DenoteError::Specification(what) => {
                Self::unsupported(format!("what the specification says here ({what})"))
            }
        }
    }
}

/// The name of the instruction at a place.
pub fn instruction_at(program: &Program, place: Place) -> Option<String> {
    let blocks = program.functions.iter().flat_map(|function| function.body.blocks());
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    let instruction = instructions.find(|it| it.place == place && place != Place::default())?;
    Some(instruction.opcode.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_no_time_is_said_in_words() {
        let share = |milliseconds| {
            Unknown::TimedOut(TimeLimit::Share(Duration::from_millis(milliseconds))).to_string()
        };
        assert_eq!(share(0), "timed out at once: hardly any of `--timeout` was left for it");
        assert_eq!(share(49), share(0));
        assert_eq!(share(50), "timed out after 0.1 s, its part of `--timeout`");
    }
}
