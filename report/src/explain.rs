//! `--explain`: what the prover tried on which size, and what may help where nothing settled it.

use std::collections::BTreeMap;

use laneproof_verify::{Strategy, StrategyOutcome, Tried, Unknown, Verdict, VerificationReport};
use serde_json::{Value, json};

use crate::page::Page;
use crate::table::{time, wrap};

/// What was tried, size by size, in the order in which it was tried.
pub fn text(report: &VerificationReport, page: &Page) -> String {
    let mut out = String::from("\n");
    let mut sizes: BTreeMap<Option<u32>, Vec<&Tried>> = BTreeMap::new();
    for tried in &report.tried {
        sizes.entry(tried.subgroup_size).or_default().push(tried);
    }
    for (size, tried) in sizes {
        let title = match size {
            Some(size) => format!("SubgroupSize {size}"),
            None => "all sizes at once".to_owned(),
        };
        wrap(&mut out, page, 2, &title);
        for tried in tried {
            wrap(&mut out, page, 4, &line(tried));
        }
    }
    let hints = hints(report);
    if !hints.is_empty() {
        wrap(&mut out, page, 2, "what else may help");
        for hint in hints {
            wrap(&mut out, page, 4, &hint);
        }
    }
    out
}

fn line(tried: &Tried) -> String {
    let Tried { strategy, iterations, outcome, took, facts, .. } = tried;
    let took = time(took.as_secs_f64() * 1e3);
    let what = match (strategy, outcome) {
        (Strategy::Vacuity, StrategyOutcome::Proved) => {
            "a state meets the preconditions".to_owned()
        }
        (Strategy::Vacuity, StrategyOutcome::Refuted) => {
            "no state meets the preconditions".to_owned()
        }
        (_, StrategyOutcome::Proved) => "proved".to_owned(),
        (_, StrategyOutcome::Refuted) => "refuted".to_owned(),
        (_, StrategyOutcome::NotApplicable(why)) => return format!("{strategy}: not tried, {why}"),
        (_, StrategyOutcome::GaveUp(why)) => format!("gave up, {why}"),
        (_, other) => return format!("{strategy}: {}", name(other)),
    };
    let what = match iterations {
        0 => format!("{strategy}: {what} ({took})"),
        _ => format!("{strategy}: {what} ({took}, loops unrolled to {iterations} iterations)"),
    };
    let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
    match facts.as_slice() {
        [] => what,
        facts => format!("{what}, using {}", facts.join(", ")),
    }
}

/// An outcome of a later version of the prover.
fn name(_: &StrategyOutcome) -> &'static str {
    "another outcome"
}

/// What else may help, of an undecided module: what gave up has hints of its own beside the one that
/// the verdict gives.
fn hints(report: &VerificationReport) -> Vec<String> {
    if report.verdict != Verdict::Unknown {
        return Vec::new();
    }
    let gave_up = report.tried.iter().filter_map(|tried| match &tried.outcome {
        StrategyOutcome::GaveUp(why) => Some(why),
        _ => None,
    });
    let given = report.unknown.as_ref().and_then(Unknown::hint);
    let mut hints = Vec::new();
    for hint in gave_up.filter_map(Unknown::hint) {
        if given.as_ref() != Some(&hint) && !hints.contains(&hint) {
            hints.push(hint);
        }
    }
    hints
}

/// The same as a document.
pub fn json(report: &VerificationReport) -> Value {
    let lines: Vec<Value> = report.tried.iter().map(|tried| json!(tried.line())).collect();
    json!(lines)
}
