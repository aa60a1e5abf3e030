//! The report on all obligations of a claim.

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
    /// The obligation, as the beginning of a sentence; empty if it concerns all.
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

/// The whole report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VerificationReport {
    /// The verdict of all obligations together.
    pub verdict: Verdict,
    /// The profile.
    pub profile: String,
    /// For unknown and vacuous: the reason, in words.
    pub reason: Option<String>,
    /// For unknown: the reason.
    pub unknown: Option<Unknown>,
    /// Every strategy that was tried, in order, with its outcome.
    pub tried: Vec<Tried>,
    /// The obligations.
    pub obligations: Vec<Obligation>,
    /// One obligation covers all requested sizes.
    pub all_sizes: bool,
    /// The counterexample, if refuted.
    pub counterexample: Option<Counterexample>,
    /// The readings on which the verdict depends.
    pub rests_on: Vec<String>,
    /// What it presumes about the states.
    pub presumes: Vec<Presumption>,
    /// What is not compared.
    pub not_compared: Vec<NotCompared>,
    /// The stated invariants and their status.
    pub invariants: Vec<Invariant>,
}

impl VerificationReport {
    /// The report, unless an invariant of the user is ill-formed. Names and types are only known
    /// once a loop is cut open.
    ///
    /// # Errors
    ///
    /// The first ill-formed invariant.
    pub fn with_well_formed_invariants(self) -> Result<Self, VerifyError> {
        let ill_formed = self.invariants.iter().find_map(|it| match &it.status {
            InvariantStatus::Unread(reason) => Some((it.text.clone(), reason.clone())),
            _ => None,
        });
        match ill_formed {
            Some((text, reason)) => Err(VerifyError::IllFormedInvariant { text, reason }),
            None => Ok(self),
        }
    }

    /// A report without decided obligations.
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

    /// Records a decided obligation, and notifies the observer.
    pub(crate) fn settle(&mut self, obligation: Obligation, settled: Option<&Sender<Self>>) {
        self.obligations.push(obligation);
        self.notify(self.obligations.clone(), settled);
    }

    /// Tells the observer what would be reported if the work ended now.
    pub(crate) fn notify(&self, obligations: Vec<Obligation>, settled: Option<&Sender<Self>>) {
        let Some(settled) = settled else { return };
        let refuted = obligations.iter().any(|it| it.verdict == Verdict::Refuted);
        let verdict = if refuted { Verdict::Refuted } else { Verdict::Unknown };
        // The receiver may be gone.
        let _ = settled.send(Self { verdict, obligations, ..self.clone() });
    }

    /// It is undecided, and some limit of time or memory was reached: another machine, or a less
    /// loaded one, may decide it.
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

    /// Sets the reason of the verdict; `None` if it needs no reason.
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

    /// A limit that was reached counts, whatever reason a later strategy gives.
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
