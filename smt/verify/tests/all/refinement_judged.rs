//! The pairs under `refinement/`, judged by listing everything, and `verify` held against it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::time::Duration;

use crate::support::by_extent;
use crate::support::header::Header;
use crate::support::judge::{Limits, Ruling, judge, rule};
use crate::support::pair::{ABSTRACTION_SETS, Pair, files, verdict};
use crate::support::states::of_counterexample;
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Verdict, verify};

/// No pair of these files has more states, or choices in one.
const LIMITS: Limits = Limits { states: 200_000, runs: 1 << 16, runs_of_pair: 10_000_000 };
/// The least number of pairs in the folder: an empty run is no success.
const PAIRS: usize = 285;
/// Of these, those that an induction proves.
const BY_INDUCTION: usize = 4;
/// Of these, those that the judge refutes.
const REFUTED: usize = 129;
/// A size beyond those that the judge lists, at which the source's atomics keep to one order.
const LARGER: u32 = 16;
/// Enough for decision diagrams; what they leave open is no proof.
const LARGER_TIMEOUT: Duration = Duration::from_secs(2);

/// The sets of abstractions between the first and the last are asked about one pair in this many, unless
/// `LANEPROOF_WHOLE` is set.
const STRIDE: usize = 3;

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
        let found = judge(&pair, LIMITS).map(|it| (it.verdict, it.state));
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
    assert_eq!(judged, PAIRS);
}

/// Small sizes refute what is wrong before induction is asked, so it is asked alone.
#[test]
fn induction_alone_proves_nothing_that_the_judge_refutes() {
    let mut by_induction = 0;
    for (header, pair) in pairs() {
        let expected = verdict(header.get("expect").unwrap());
        let (source, target) = pair.sides();
        let options = pair.options(&[Abstraction::Induction]);
        let report = verify(Specification::built_in(), source, target, &options).unwrap();
        let proved = report.verdict == Verdict::Proved;
        assert!(!proved || expected == Verdict::Proved, "{}: {expected}", pair.name);
        let all_sizes =
            report.obligations.iter().any(|it| it.abstraction == Some(Abstraction::Induction));
        by_induction += usize::from(proved && all_sizes);
    }
    assert_eq!(by_induction, BY_INDUCTION);
}

/// Small sizes refute what is wrong before decision diagrams are asked at a size where the judge cannot
/// follow, so that size is asked alone.
#[test]
fn nothing_that_the_judge_refutes_is_proved_at_a_larger_size() {
    let mut refuted = 0;
    for (header, pair) in pairs() {
        if verdict(header.get("expect").unwrap()) != Verdict::Refuted {
            continue;
        }
        let (source, target) = pair.sides();
        let mut options = pair.options(&[Abstraction::Diagrams]);
        options.states.sizes = vec![LARGER];
        options.total_timeout = Some(LARGER_TIMEOUT);
        let report = verify(Specification::built_in(), source, target, &options).unwrap();
        assert_ne!(report.verdict, Verdict::Proved, "{}", pair.name);
        refuted += 1;
    }
    assert_eq!(refuted, REFUTED);
}

#[test]
fn every_set_of_abstractions_gives_the_same_verdict() {
    let mut wrong = Vec::new();
    let mut verified = 0;
    let stride = by_extent(1, STRIDE);
    for (number, (header, pair)) in pairs().into_iter().enumerate() {
        let expected = verdict(header.get("expect").unwrap());
        let excused = header.get("engine-may").map(verdict);
        let (source, target) = pair.sides();
        // The first set and the last one are asked about all pairs.
        let between = 1..ABSTRACTION_SETS.len() - 1;
        let asked = |set: usize| number % stride == 0 || !between.contains(&set);
        for set in (0..ABSTRACTION_SETS.len()).filter(|set| asked(*set)) {
            let abstractions = ABSTRACTION_SETS[set];
            let options = pair.options(abstractions);
            let report = verify(Specification::built_in(), source, target, &options).unwrap();
            verified += 1;
            if report.verdict != expected && Some(report.verdict) != excused {
                let reason = report.reason.as_deref().unwrap_or("no reason");
                let found = report.verdict;
                wrong.push(format!(
                    "{} {abstractions:?}: {found}, not {expected}: {reason}",
                    pair.name
                ));
            }
            if let Some(found) = &report.counterexample {
                if !found.confirmed {
                    wrong.push(format!("{} {abstractions:?}: not confirmed", pair.name));
                }
                // Of memory a counterexample tells only what changed.
                if pair.memory > 0 {
                    continue;
                }
                let ruling = rule(&pair, &of_counterexample(&pair, found), LIMITS.runs);
                if ruling != Ruling::Refutes {
                    wrong.push(format!("{} {abstractions:?}: the judge: {ruling:?}", pair.name));
                }
            }
            if report.verdict == Verdict::Refuted && report.counterexample.is_none() {
                wrong.push(format!("{} {abstractions:?}: refuted by nothing", pair.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let between = ABSTRACTION_SETS.len() - 2;
    assert_eq!(verified, PAIRS * 2 + PAIRS.div_ceil(stride) * between);
}

/// Another alternative of a reading is as good as a wrong clause.
#[test]
fn a_wrong_clause_comes_to_light() {
    let mutants = [("undefined-results", "undefined-behavior"), ("unmet-must", "undefined-value")];
    let mut unnoticed = Vec::new();
    for (reading, alternative) in mutants {
        let noticed = pairs().iter().any(|(header, pair)| {
            let (source, target) = pair.sides();
            let mut options = pair.options(ABSTRACTION_SETS[0]);
            options.readings.push((reading.to_owned(), alternative.to_owned()));
            let report = verify(Specification::built_in(), source, target, &options).unwrap();
            let expected = verdict(header.get("expect").unwrap());
            report.verdict != expected && header.get("engine-may").is_none()
        });
        if !noticed {
            unnoticed.push(reading);
        }
    }
    assert!(unnoticed.is_empty(), "no pair depends on {unnoticed:?}");
}
