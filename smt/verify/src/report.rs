//! The answer to all obligations of a question.

use std::fmt;
use std::sync::mpsc::Sender;

use laneproof_induction::{Invariant, InvariantStatus};
use laneproof_outcome::Unknown;

use crate::counterexample::Counterexample;
use crate::error::VerifyError;
use crate::presumption::{NotCompared, Presumption};
use crate::tried::{StrategyOutcome, Tried};
use crate::verdict::{Obligation, Verdict};

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
pub struct VerificationReport {
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

impl VerificationReport {
    /// The report, unless an invariant that the user states is ill-formed: names and types can be
    /// looked up only once a loop is cut open.
    ///
    /// # Errors
    ///
    /// The first ill-formed invariant.
    pub fn with_well_formed_invariants(self) -> Result<Self, VerifyError> {
        let ill_formed = self.invariants.iter().find_map(|it| match &it.standing {
            InvariantStatus::Unread(reason) => Some((it.text.clone(), reason.clone())),
            _ => None,
        });
        match ill_formed {
            Some((text, reason)) => Err(VerifyError::IllFormedInvariant { text, reason }),
            None => Ok(self),
        }
    }

    /// A report of which nothing is decided yet.
    pub(crate) fn undecided(profile: &str) -> Self {
        Self {
            verdict: Verdict::Unknown,
            profile: profile.to_owned(),
            reason: None,
            unknown: None,
            tried: Vec::new(),
            obligations: Vec::new(),
            all_sizes: false,
            counterexample: None,
            rests_on: Vec::new(),
            presumes: Vec::new(),
            not_compared: Vec::new(),
            invariants: Vec::new(),
        }
    }

    /// One more obligation is settled; the observer is called.
    pub(crate) fn settle(&mut self, obligation: Obligation, settled: Option<&Sender<Self>>) {
        self.obligations.push(obligation);
        let Some(settled) = settled else { return };
        let refuted = self.obligations.iter().any(|it| it.verdict == Verdict::Refuted);
        let verdict = if refuted { Verdict::Refuted } else { Verdict::Unknown };
        // Nobody may be left who wants to know.
        let _ = settled.send(Self { verdict, ..self.clone() });
    }

    /// Nothing was decided, and some limit of time or memory was reached on the way: another
    /// machine, or a quieter one, may decide it.
    pub fn depends_on_machine(&self) -> bool {
        let gave_up = self.tried.iter().filter_map(|it| match &it.outcome {
            StrategyOutcome::GaveUp(why) => Some(why),
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
            outcome: StrategyOutcome::GaveUp(why),
            took: Duration::ZERO,
            facts: Vec::new(),
        }
    }

    /// A limit that was reached counts, whatever a later strategy gives as its reason.
    #[test]
    fn what_was_cut_off_on_the_way_depends_on_the_machine() {
        let late = Unknown::TimedOut(TimeLimit::Share(Duration::from_secs(1)));
        let mut report = VerificationReport::undecided("vulkan");
        report.gives_up(Unknown::incomplete("instances do not settle it"));
        report.tried = vec![gave_up(Unknown::incomplete("lanes do not do the same"))];
        assert!(!report.depends_on_machine());
        report.tried.insert(0, gave_up(late.clone()));
        assert!(report.depends_on_machine());
        report.tried[0] = gave_up(Unknown::TimedOut(TimeLimit::WorkShare(1000)));
        assert!(!report.depends_on_machine());
        report.tried[0] = gave_up(Unknown::OutOfMemory(100));
        assert!(report.depends_on_machine());
        report.tried.remove(0);
        report.gives_up(late.about(laneproof_outcome::Question::Vacuity(4)));
        assert!(report.depends_on_machine());
        report.verdict = Verdict::Proved;
        assert!(!report.depends_on_machine());
    }
}
