//! How what two readings give a lane differs.

use laneproof_semantics::denote::LaneOutcome;
use laneproof_semantics::term::Term;

use super::InstructionStates;
use crate::model_check::{causes_differ, orders_differ, results_differ, unlike, updates_differ};

impl InstructionStates<'_> {
    /// Two outcomes are not alike: undefined behavior before silence, silence before an undefined
    /// value, that before a value. Silences are alike where they have the same causes: a word
    /// without a consequence is not the same as no sentence at all. What both leave open is the
    /// same in both.
    pub fn differ(&mut self, a: &LaneOutcome, b: &LaneOutcome) -> Term {
        let (behavior_a, behavior_b) = (self.group.behavior(a), self.group.behavior(b));
        let silence_a = self.group.silence(a);
        let silence = causes_differ(&mut self.group.pool, &a.silence, &b.silence);
        let pool = &mut self.group.pool;
        let results = results_differ(pool, a, b);
        let memory = self.stores_differ(a, b);
        let pool = &mut self.group.pool;
        let updates = updates_differ(pool, a, b);
        let orders = orders_differ(pool, a, b);
        let values = pool.any([results, memory, updates, orders]);
        let spoken = pool.not(silence_a);
        let values = pool.and(spoken, values);
        let rest = pool.or(silence, values);
        let behaves = pool.not(behavior_a);
        let rest = pool.and(behaves, rest);
        let behavior = unlike(pool, behavior_a, behavior_b);
        pool.or(behavior, rest)
    }

    /// The same where a relation describes results: whatever these are, one outcome is undefined
    /// behavior, silent, or an undefined value, and the other one is not.
    pub fn consequences_differ(&mut self, a: &LaneOutcome, b: &LaneOutcome) -> Term {
        let without_results = |outcome: &LaneOutcome| LaneOutcome {
            leaves: Vec::new(),
            such_that: Vec::new(),
            ..outcome.clone()
        };
        let elsewhere = self.differ(&without_results(a), &without_results(b));
        let beyond = [self.group.behavior(a), self.group.silence(a)];
        let pool = &mut self.group.pool;
        let beyond = pool.any(beyond);
        let marks = a.leaves.iter().zip(&b.leaves);
        let marks: Vec<Term> = marks.map(|(a, b)| unlike(pool, a.undefined, b.undefined)).collect();
        let marks = pool.any(marks);
        let said = pool.not(beyond);
        let marks = pool.and(said, marks);
        pool.or(elsewhere, marks)
    }

    /// Every leaf of the outcome's result is a value.
    pub fn is_a_value(&mut self, outcome: &LaneOutcome) -> Term {
        let said = self.is_said(outcome);
        let undefined: Vec<Term> = outcome.leaves.iter().map(|leaf| leaf.undefined).collect();
        let pool = &mut self.group.pool;
        let undefined = pool.any(undefined);
        let defined = pool.not(undefined);
        pool.and(said, defined)
    }

    /// Both outcomes are defined values, and these or the stores differ, so an observer can
    /// distinguish them.
    pub fn distinguished(&mut self, a: &LaneOutcome, b: &LaneOutcome) -> Term {
        let beyond = [
            self.group.behavior(a),
            self.group.behavior(b),
            self.group.silence(a),
            self.group.silence(b),
        ];
        let pool = &mut self.group.pool;
        let beyond = pool.any(beyond);
        let mut facts = vec![pool.not(beyond)];
        let mut differences = Vec::new();
        for (a, b) in a.leaves.iter().zip(&b.leaves) {
            facts.extend([pool.not(a.undefined), pool.not(b.undefined)]);
            differences.push(unlike(pool, a.bits, b.bits));
        }
        let memory = self.stores_differ(a, b);
        differences.push(memory);
        let pool = &mut self.group.pool;
        facts.push(pool.any(differences));
        pool.all(facts)
    }
}
