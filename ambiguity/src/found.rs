//! What queries find.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_queries::model_check::ModelCheckError;
use laneproof_semantics::as_written::ChoicePoint;
use laneproof_solve::afresh;

use crate::finding::Finding;
use crate::question::Case;

/// For each condition of a clause, as it is written: whether a state meets it.
pub type Conditions = BTreeMap<(Arc<str>, String), bool>;

/// What queries add to.
#[derive(Default)]
pub struct Collected {
    /// Findings, not merged yet.
    pub findings: Vec<Finding>,
    /// The effect of each choice point that was checked.
    pub choice_effects: BTreeMap<Arc<str>, ChoiceEffect>,
    /// Conditions of clauses, and whether some state meets them.
    pub conditions: Conditions,
    /// In how many forms was searched.
    pub forms: usize,
    /// What was not searched, and why.
    pub unsearched: BTreeSet<String>,
}

/// The effect of a choice point in some forms.
#[derive(Clone, Copy)]
pub struct ChoiceEffect {
    /// It makes a difference in some state.
    pub matters: bool,
    /// It makes none in states of any number of lanes up to 128.
    pub any_number: bool,
}

impl ChoiceEffect {
    /// Nothing was checked yet.
    pub const NOTHING: Self = Self { matters: false, any_number: true };

    fn and(self, other: Self) -> Self {
        Self {
            matters: self.matters || other.matters,
            any_number: self.any_number && other.any_number,
        }
    }
}

impl Collected {
    /// Records the effect of a choice point in a form.
    pub(crate) fn record(&mut self, point: &ChoicePoint, effect: ChoiceEffect) {
        let known =
            self.choice_effects.entry(Arc::clone(&point.name)).or_insert(ChoiceEffect::NOTHING);
        *known = known.and(effect);
    }

    /// All that both found.
    pub fn and(mut self, other: Self) -> Self {
        self.findings.extend(other.findings);
        for (point, effect) in other.choice_effects {
            let known = self.choice_effects.entry(point).or_insert(ChoiceEffect::NOTHING);
            *known = known.and(effect);
        }
        for (condition, met) in other.conditions {
            *self.conditions.entry(condition).or_default() |= met;
        }
        self.forms += other.forms;
        self.unsearched.extend(other.unsearched);
        self
    }
}

/// What a query finds, or that it does not get to the end.
pub fn collected(
    case: &Case<'_>,
    query: impl FnOnce(&mut Collected) -> Result<(), ModelCheckError> + Send + Sync,
) -> Collected {
    let mut found = Collected::default();
    if let Err(reason) = afresh(|| query(&mut found)) {
        let place = format!("{} ({})", case.instruction.name, case.documents.join(" with "));
        found.unsearched.insert(format!("{place}: {reason}"));
    }
    found
}
