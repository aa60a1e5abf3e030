//! Two sentences of one document that name different consequences of the same case: behavior is
//! undefined wherever another sentence leaves only the value undefined, which then decides nothing.

use std::sync::Arc;

use laneproof_semantics::language::ast::{AmbiguousShape, Clause, Expr, Statement};
use rayon::prelude::*;

use crate::finding::{Finding, FindingKind};
use crate::found::{Collected, Conditions, collected};
use crate::probe::{both, condition, not};
use crate::question::{Case, LANES};

/// A sentence that leaves a value undefined, or has a word without a consequence, and one by which
/// behavior is undefined.
struct Pair<'c> {
    /// The word, where there is no consequence.
    word: Option<&'c str>,
    value: (&'c Arc<Clause>, &'c Expr),
    behavior: (&'c Arc<Clause>, &'c Expr),
}

impl Pair<'_> {
    fn key(&self) -> (Arc<str>, String) {
        (
            Arc::clone(&self.value.0.id),
            format!("unless behavior is undefined by {}", self.behavior.1),
        )
    }

    fn value_key(&self) -> (Arc<str>, String) {
        (Arc::clone(&self.value.0.id), self.value.1.to_string())
    }
}

/// Looks for a state in which only the value is undefined, in any form and by any reading.
pub fn consequences(cases: &[&Case<'_>]) -> Collected {
    let Some(first) = cases.first().filter(|case| case.staging.is_none()) else {
        return Collected::default();
    };
    // What a sentence requires may have its consequence in another one.
    let required = |pair: &Pair<'_>| {
        let mut points = first.texts.choice_points.iter();
        let point = pair.word.and_then(|word| points.find(|it| *it.name == *word));
        point.is_some_and(|it| matches!(it.kind.shape, AmbiguousShape::Must))
    };
    let pairs = pairs(&first.instruction.clauses);
    let pairs: Vec<Pair<'_>> = pairs.into_iter().filter(|it| !required(it)).collect();
    let met = pairs.par_iter().map(|pair| met(cases, pair));
    met.reduce(Collected::default, Collected::and)
}

fn met(cases: &[&Case<'_>], pair: &Pair<'_>) -> Collected {
    let only = both(pair.value.1.clone(), not(pair.behavior.1.clone()));
    let mut all = Collected::default();
    for case in cases {
        all = all.and(collected(case, |found| {
            for way in case.each_way() {
                let state = case.unstaged(&LANES, |states, lane| {
                    Ok(vec![condition(case, &way, states, lane, only.clone())?])
                })?;
                found.conditions.insert(pair.key(), state.is_some());
                if state.is_some() {
                    break;
                }
            }
            Ok(())
        }));
        if all.conditions.get(&pair.key()) == Some(&true) {
            break;
        }
    }
    all
}

fn pairs(clauses: &[Arc<Clause>]) -> Vec<Pair<'_>> {
    let statements = || {
        clauses.iter().flat_map(|clause| clause.statements.iter().map(move |it| (clause, &it.0)))
    };
    let mut pairs = Vec::new();
    for (clause, statement) in statements() {
        let (word, value) = match statement {
            Statement::UndefinedValue(value) => (None, value),
            Statement::Label(word, value) => (Some(&**word), value),
            _ => continue,
        };
        for (other, statement) in statements() {
            let Statement::UndefinedBehavior(behavior) = statement else { continue };
            if clause.document == other.document {
                pairs.push(Pair { word, value: (clause, value), behavior: (other, behavior) });
            }
        }
    }
    pairs
}

/// The pairs for which the value is undefined in some state, but only where behavior is undefined,
/// too: one finding each.
pub fn contradictory(
    clauses: &[Arc<Clause>],
    instruction: &str,
    conditions: &Conditions,
) -> Vec<Finding> {
    let never = pairs(clauses).into_iter().filter(|pair| {
        conditions.get(&pair.key()) == Some(&false)
            && conditions.get(&pair.value_key()) == Some(&true)
    });
    let finding = |Pair { word, value: (clause, _), behavior: (other, _) }: Pair<'_>| {
        let (kind, cause, says) = match word.is_some() {
            true => (FindingKind::Token, "word-beside-a-consequence", "names no consequence"),
            false => {
                (FindingKind::Overlap, "two-consequences", "leaves the resulting value undefined")
            }
        };
        Finding {
            instructions: [instruction.to_owned()].into(),
            documents: [clause.document.to_string()].into(),
            clauses: [clause.id.to_string(), other.id.to_string()].into(),
            summary: format!(
                "One sentence {says} (\u{201c}{}\u{201d}), and by another one behavior is undefined \
                 in each such state of up to four invocations (\u{201c}{}\u{201d}).",
                clause.wording, other.wording
            ),
            remedy: match word.is_some() {
                true => "The sentence that has the consequence, alone.",
                false => "One of the two consequences.",
            }
            .to_owned(),
            editorial: word.is_some(),
            ..Finding::of(kind, Finding::id_of(kind, cause, &clause.document))
        }
    };
    never.map(finding).collect()
}
