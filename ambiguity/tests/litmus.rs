//! What the whole search finds shows when it is executed: in the evaluator under each way of
//! reading, and as a module in the interpreter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::LazyLock;

use laneproof_ambiguity::{Finding, Litmus, Options, Report, Unwritten, litmus, search};
use laneproof_interpreter::document::{Observation, read_memory, write_memory};
use laneproof_interpreter::oracle::{Blind, Limits, Verdict, judge};
use laneproof_interpreter::{Choices, EntryCall, Options as Run, Stop, Zeros, run_entry};
use laneproof_module::{Environment, Program, assemble_text, load_bytes, validate_for};
use laneproof_semantics::as_written::AsWritten;
use serde_json::Value;

/// Fewer than `--litmus` takes of its own accord: it is sooner done.
const LANES: u32 = 16;

static REPORT: LazyLock<Report> = LazyLock::new(|| {
    let options = Options { litmus: Some(LANES), ..Options::default() };
    search(AsWritten::built_in(), &options, || {})
});

fn written() -> impl Iterator<Item = (&'static Finding, Result<Litmus, Unwritten>)> {
    REPORT.findings.iter().map(|it| (it, litmus(AsWritten::built_in(), it)))
}

#[test]
fn nothing_is_left_unsearched() {
    assert_eq!(REPORT.unsearched, std::collections::BTreeSet::new());
    assert!(REPORT.instructions.len() > 20, "{}", REPORT.instructions.len());
    assert!(REPORT.forms > 200, "{}", REPORT.forms);
}

#[test]
fn every_finding_with_a_state_is_a_module() {
    let mut modules = 0;
    for (finding, litmus) in written() {
        match litmus {
            Ok(litmus) => {
                modules += 1;
                assert!(finding.witness.is_some(), "{}", finding.id);
                let names: Vec<&str> = litmus.files.iter().map(|(name, _)| *name).collect();
                assert_eq!(names, ["module.spvasm", "inputs.json", "readings.json", "README.md"]);
                let words = assemble_text(&litmus.module, "module").unwrap();
                let environment = match litmus.environment {
                    "vulkan1.3" => Some(Environment::Vulkan),
                    "opencl2.2" => Some(Environment::OpenCl),
                    _ => None,
                };
                if let Some(environment) = environment {
                    assert_eq!(validate_for(environment, &words), Ok(()), "{}", finding.id);
                }
            }
            // Results that a relation describes are judged, not predicted.
            Err(Unwritten::Relation) => assert!(finding.witness.is_some(), "{}", finding.id),
            // Memory that machines do not have, or that no run is given.
            Err(Unwritten::Memory(_)) => {
                assert!(!finding.witness.as_ref().unwrap().memory.is_empty(), "{}", finding.id);
            }
            Err(Unwritten::NoState(_)) => assert!(finding.witness.is_none(), "{}", finding.id),
            Err(reason) => panic!("{}: {reason}", finding.id),
        }
    }
    assert!(modules >= 16, "{modules}");
}

/// The memory that a run leaves, and what the oracle says of it.
struct Ran {
    left: Result<Value, Stop>,
    verdict: Verdict,
}

fn run(litmus: &Litmus) -> Ran {
    let program: Program = load_bytes(litmus.module.as_bytes(), "module").unwrap();
    let entry = &program.entry_points[0];
    let workgroup = entry.local_size.unwrap();
    let (subgroup, max) = (litmus.subgroup.size, litmus.subgroup.max_size);
    let call = EntryCall { program: &program, entry, workgroup, subgroup, max };
    let memory = read_memory(&litmus.inputs).unwrap();
    let left = run_entry(&call, memory.clone(), &Run::default(), &mut Zeros)
        .map(|left| write_memory(&left, &litmus.inputs));
    // Where behavior is undefined anything is allowed, as what was there.
    let observed = left.as_ref().unwrap_or(&litmus.inputs);
    let observation = Observation::of_memory(observed, &litmus.inputs).unwrap();
    let subject = |follow: bool, choices: &mut dyn Choices| {
        let options = Run { races: true, fences: true, follow, in_full: follow, ..Run::default() };
        let left = run_entry(&call, memory.clone(), &options, choices)?;
        Ok(observation.in_memory(&left))
    };
    let limits = Limits { runs: 1 << 16, time: std::time::Duration::from_secs(20) };
    let verdict = judge(&observation.cells(), &subject, Blind::of(&program), limits);
    Ran { left, verdict }
}

/// One way of reading predicts what comes out; where that is undefined behavior, one allows
/// anything in the lanes in which it shows.
#[test]
fn a_run_gives_what_some_reading_predicts_and_the_oracle_allows_it() {
    let mut ran = 0;
    for (finding, litmus) in written() {
        let Ok(litmus) = litmus else { continue };
        let Ran { left, verdict } = run(&litmus);
        let id = &finding.id;
        match left {
            Ok(left) => {
                let results = litmus.results(&left).unwrap();
                assert_eq!(results.len(), litmus.predictions[0].lanes.len(), "{id}");
                let predicted = litmus.predictions.iter().any(|it| it.allows(&results));
                assert!(predicted, "{id}: {results:?}");
                assert_eq!(verdict, Verdict::Allowed, "{id}");
            }
            Err(Stop::UndefinedBehavior { lanes, .. }) => {
                let open = litmus.open();
                let shows = |lane: &u32| litmus.written.is_some() || open.contains(lane);
                assert!(!open.is_empty() && lanes.iter().any(shows), "{id}: {lanes:?}");
                assert!(matches!(verdict, Verdict::Behavior(_)), "{id}: {verdict:?}");
            }
            Err(stop) => panic!("{id}: {stop}"),
        }
        ran += 1;
    }
    assert!(ran >= 16, "{ran}");
}

/// A value that a reading does not predict is told from it.
#[test]
fn what_no_reading_predicts_is_seen() {
    let mut told = 0;
    for (finding, litmus) in written() {
        let Ok(litmus) = litmus else { continue };
        for prediction in litmus.predictions.iter().filter(|it| !it.is_anything()) {
            let mut results: Vec<Vec<Option<u64>>> =
                vec![vec![Some(0xbad); 4]; prediction.lanes.len()];
            let closed = (0..prediction.lanes.len()).filter(|&lane| {
                matches!(&prediction.lanes[lane], laneproof_ambiguity::Lane::Value(leaves)
                    if leaves.iter().any(Option::is_some))
            });
            let closed = closed.count();
            assert_eq!(prediction.allows(&results), closed == 0, "{}", finding.id);
            for (lane, given) in results.iter_mut().zip(&prediction.lanes) {
                if let laneproof_ambiguity::Lane::Value(leaves) = given {
                    lane.clone_from(leaves);
                }
            }
            assert!(prediction.allows(&results), "{}", finding.id);
            told += closed;
        }
    }
    assert!(told > 10, "{told}");
}

/// The ways of reading give what the report says, evaluated anew in the smallest state.
#[test]
fn every_witness_shows_its_finding_again() {
    let mut shown = 0;
    for finding in REPORT.findings.iter().filter(|it| it.witness.is_some()) {
        let outcomes: std::collections::BTreeSet<&str> =
            finding.readings.iter().map(|read| read.outcome.as_str()).collect();
        let unsaid = outcomes.contains("the text does not say");
        let several = outcomes.len() > 1;
        match finding.kind {
            laneproof_ambiguity::FindingKind::Divergence => assert!(several, "{}", finding.id),
            laneproof_ambiguity::FindingKind::Gap => assert!(unsaid || several, "{}", finding.id),
            _ => assert!(!finding.readings.is_empty(), "{}", finding.id),
        }
        shown += 1;
    }
    assert!(shown >= 16, "{shown}");
}
