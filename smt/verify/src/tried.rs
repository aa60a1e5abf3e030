//! The log of strategies and their outcomes.

use std::time::{Duration, Instant};

use laneproof_encode::SizeSet;
use laneproof_outcome::Unknown;
use serde::Serialize;

use crate::fact::ProofFact;
use crate::strategy::{NotApplicable, Strategy, Worth};

/// One attempt of a strategy on an obligation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tried {
    /// The strategy.
    pub strategy: Strategy,
    /// `SubgroupSize`; `None`: all requested sizes at once.
    pub subgroup_size: Option<u32>,
    /// The number of unrolled iterations of each loop.
    pub iterations: u32,
    /// Its outcome.
    pub outcome: StrategyOutcome,
    /// Its time.
    pub took: Duration,
    /// The facts that its proof used; empty without a proof.
    pub facts: Vec<ProofFact>,
}

/// The outcome of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StrategyOutcome {
    /// It proved the obligation; for [`Strategy::Vacuity`]: some state meets the preconditions.
    Proved,
    /// It refuted it, and the interpreter confirmed that; for [`Strategy::Vacuity`]: no state meets
    /// the preconditions.
    Refuted,
    /// It did not decide it.
    GaveUp(Unknown),
    /// It was not tried.
    NotApplicable(NotApplicable),
}

impl StrategyOutcome {
    /// A strategy whose answer is worth that can have this outcome.
    pub(crate) fn is_worth(&self, worth: Worth) -> bool {
        match self {
            Self::Proved => worth != Worth::Refutes,
            Self::Refuted => worth != Worth::Proves,
            Self::GaveUp(_) | Self::NotApplicable(_) => true,
        }
    }
}

impl Tried {
    /// As text: strategy, outcome and reason.
    pub fn line(&self) -> TriedLine {
        let (outcome, reason) = match &self.outcome {
            StrategyOutcome::Proved => ("proved", None),
            StrategyOutcome::Refuted => ("refuted", None),
            StrategyOutcome::GaveUp(why) => ("gave-up", Some(why.to_string())),
            StrategyOutcome::NotApplicable(why) => ("not-applicable", Some(why.to_string())),
        };
        TriedLine {
            strategy: self.strategy,
            subgroup_size: self.subgroup_size,
            iterations: self.iterations,
            outcome,
            reason,
            facts: self.facts.iter().map(ToString::to_string).collect(),
            milliseconds: (self.took.as_secs_f64() * 1e5).round() / 100.0,
        }
    }
}

/// [`Tried`] as text.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TriedLine {
    strategy: Strategy,
    subgroup_size: Option<u32>,
    iterations: u32,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<String>,
    milliseconds: f64,
}

/// All attempts, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Vec<Tried>);

impl Log {
    /// Logs the outcome of a strategy that was `begun` then, and the facts that its proof used.
    pub(crate) fn note(
        &mut self,
        strategy: Strategy,
        sizes: &SizeSet,
        iterations: u32,
        begun: Instant,
        outcome: StrategyOutcome,
        facts: Vec<ProofFact>,
    ) {
        let subgroup_size = match sizes {
            SizeSet::One(size) => Some(*size),
            SizeSet::All(_) => None,
        };
        let took = begun.elapsed();
        let tried = Tried { strategy, subgroup_size, iterations, outcome, took, facts };
        let left_out = matches!(tried.outcome, StrategyOutcome::NotApplicable(_));
        let same = |known: &Tried| {
            (known.strategy, known.subgroup_size) == (strategy, subgroup_size)
                && known.outcome == tried.outcome
        };
        // The reason why it does not apply is logged once.
        if !(left_out && self.0.iter().any(same)) {
            self.0.push(tried);
        }
    }

    /// What another log has comes after this.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn all(&self) -> &[Tried] {
        &self.0
    }
}
