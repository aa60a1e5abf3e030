//! What was tried, and what came of it.

use std::time::{Duration, Instant};

use laneproof_encode::SizeSet;
use laneproof_outcome::Unknown;
use serde::Serialize;

use crate::fact::ProofFact;
use crate::strategy::{NotApplicable, Strategy};

/// A strategy, as it was tried on one obligation.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Which one.
    pub strategy: Strategy,
    /// `SubgroupSize`; `None`: every size asked for at once.
    pub subgroup_size: Option<u32>,
    /// How many iterations of each loop were unrolled.
    pub iterations: u32,
    /// What came of it.
    pub outcome: StrategyOutcome,
    /// What it took.
    pub took: Duration,
    /// What its proof used; nothing where it proved nothing.
    pub facts: Vec<ProofFact>,
}

/// What came of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StrategyOutcome {
    /// It proved the obligation; of [`Strategy::Vacuity`]: a state is met.
    Proved,
    /// It refuted it, and the interpreter showed that again; of [`Strategy::Vacuity`]: none is met.
    Refuted,
    /// It did not decide it.
    GaveUp(Unknown),
    /// It was not tried.
    NotApplicable(NotApplicable),
}

impl Tried {
    /// For documents: strategy, outcome and reason.
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

/// [`Tried`] as documents have it.
#[derive(Clone, Debug, Serialize)]
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

/// All that was tried, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Vec<Tried>);

impl Log {
    /// Notes what came of a strategy that was `begun` then, and what its proof used.
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
        // Why it does not apply is said once.
        if !(left_out && self.0.iter().any(same)) {
            self.0.push(tried);
        }
    }

    pub(crate) fn all(&self) -> &[Tried] {
        &self.0
    }
}
