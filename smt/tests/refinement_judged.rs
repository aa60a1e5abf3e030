//! The pairs under `refinement/`, judged by listing everything, and `verify` held against it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::Path;

use laneproof_semantics::Specification;
use laneproof_smt::{Verdict, verify};
use support::header::Header;
use support::judge::{Ruling, judge, rule};
use support::pair::{LADDERS, Pair, files, verdict};

/// A pair of files has no more states than this.
const MOST_STATES: u64 = 200_000;
/// The folder holds at least so many pairs: an empty run is no success.
const PAIRS: usize = 83;

fn pairs() -> Vec<(Header, Pair)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refinement");
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (Header::parse(&text), Pair::parse(&name, &text))
    };
    files(&folder).iter().map(read).collect()
}

#[test]
fn the_judge_finds_what_each_file_expects() {
    let mut wrong = Vec::new();
    let mut judged = 0;
    for (header, pair) in pairs() {
        let expected = verdict(header.get("expect").unwrap());
        let found = judge(&pair, MOST_STATES).map(|it| (it.verdict, it.state));
        match found {
            Some((found, _)) if found == expected => {}
            Some((found, state)) => {
                wrong.push(format!("{}: {found}, not {expected}: {state:?}", pair.name));
            }
            None => wrong.push(format!("{}: too many choices", pair.name)),
        }
        judged += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged >= PAIRS, "only {judged} pairs");
}

#[test]
fn every_ladder_comes_to_the_same_verdict() {
    let mut wrong = Vec::new();
    let mut verified = 0;
    for (header, pair) in pairs() {
        let expected = verdict(header.get("expect").unwrap());
        let excused = header.get("engine-may").map(verdict);
        let (source, target) = pair.sides();
        for rungs in LADDERS {
            let options = pair.options(rungs);
            let report = verify(Specification::built_in(), source, target, &options).unwrap();
            verified += 1;
            if report.verdict != expected && Some(report.verdict) != excused {
                let reason = report.reason.as_deref().unwrap_or("no reason");
                let found = report.verdict;
                wrong.push(format!("{} {rungs:?}: {found}, not {expected}: {reason}", pair.name));
            }
            if let Some(found) = &report.counterexample {
                if !found.confirmed {
                    wrong.push(format!("{} {rungs:?}: not confirmed", pair.name));
                }
                let ruling = rule(&pair, &support::states::of_counterexample(&pair, found));
                if ruling != Ruling::Refutes {
                    wrong.push(format!("{} {rungs:?}: the judge: {ruling:?}", pair.name));
                }
            }
            if report.verdict == Verdict::Refuted && report.counterexample.is_none() {
                wrong.push(format!("{} {rungs:?}: refuted by nothing", pair.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(verified >= PAIRS * LADDERS.len(), "only {verified} verdicts");
}
