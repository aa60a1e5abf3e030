//! Random pairs over two-bit integers: `verify` and the judge come to the same verdict.
//!
//! `LANEPROOF_PAIRS` asks for another number of pairs, `LANEPROOF_SEED` for others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use crate::support::assemble::assemble;
use crate::support::judge::{Limits, Ruling, judge, rule};
use crate::support::pair::{ABSTRACTION_SETS, Pair};
use crate::support::recipe::recipe;
use crate::support::states::of_counterexample;
use crate::support::{deep, seed};
use laneproof_semantics::Specification;
use laneproof_verify::{Options, Verdict, verify};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

const PAIRS: u32 = 100;
/// Pairs with more choices are passed over.
const LIMITS: Limits = Limits { states: 250_000, runs: 1 << 10, runs_of_pair: 100_000 };
/// Of the source, in the one state that refutes.
const CONFIRMING_RUNS: u64 = 1 << 16;

/// What the engine and the judge say of a pair.
fn compare(text: &str, seen: &RefCell<BTreeMap<String, u32>>) -> Result<(), TestCaseError> {
    let note = |what: String| *seen.borrow_mut().entry(what).or_insert(0) += 1;
    let pair = Pair::parse("random", text);
    let Some(judgement) = judge(&pair, LIMITS) else {
        note("too many choices".into());
        return Ok(());
    };
    let fail = |what: String| Err(TestCaseError::fail(format!("{what}\n{text}")));
    let (source, target) = pair.sides();
    for abstractions in [ABSTRACTION_SETS[0], ABSTRACTION_SETS[ABSTRACTION_SETS.len() - 1]] {
        let options = Options {
            timeout: Duration::from_secs(5),
            total_timeout: Some(Duration::from_secs(10)),
            ..pair.options(abstractions)
        };
        let report = match verify(Specification::built_in(), source, target, &options) {
            Ok(report) => report,
            Err(error) => return fail(error.to_string()),
        };
        if report.verdict == Verdict::Unknown {
            let reason = report.reason.unwrap_or_default();
            note(format!("{}, unknown: {reason}", judgement.verdict));
            continue;
        }
        note(report.verdict.to_string());
        if report.verdict != judgement.verdict {
            let (found, judged) = (report.verdict, judgement.verdict);
            return fail(format!(
                "{abstractions:?}: {found}, judged {judged}: {:?}",
                judgement.state
            ));
        }
        if let Some(found) = &report.counterexample {
            let ruling = rule(&pair, &of_counterexample(&pair, found), CONFIRMING_RUNS);
            if !found.confirmed
                || !matches!(ruling, Ruling::Refutes | Ruling::TooMany | Ruling::InStepOnly)
            {
                return fail(format!(
                    "{abstractions:?}: a counterexample that the judge calls {ruling:?}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn random_pairs_get_the_same_verdict() {
    deep(pairs_get_the_same_verdict);
}

fn pairs_get_the_same_verdict() {
    let asked = std::env::var("LANEPROOF_PAIRS").ok().and_then(|text| text.parse().ok());
    let config = Config {
        cases: asked.unwrap_or(PAIRS),
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed().to_le_bytes());
    let numbers = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config, numbers);
    let seen = RefCell::new(BTreeMap::new());
    let result = runner.run(&recipe(), |recipe| compare(&assemble(&recipe), &seen));
    let seen = seen.into_inner();
    for (what, count) in &seen {
        println!("{count:6} {what}");
    }
    if let Err(failure) = result {
        panic!("{failure}");
    }
    for verdict in ["proved", "refuted", "vacuous"] {
        assert!(seen.contains_key(verdict), "none was {verdict}");
    }
}
