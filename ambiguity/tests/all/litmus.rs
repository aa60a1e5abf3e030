//! What the whole search finds shows when it is executed: in the evaluator under each way of
//! reading, and as a module in the interpreter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use laneproof_ambiguity::{
    Finding, Lane, Litmus, LitmusError, Otherwise, Prediction, SearchOptions, SearchReport, litmus,
    search,
};
use laneproof_interpreter::{Choices, EntryCall, RunOptions as Run, Stop, Zeros, run_entry};
use laneproof_module::{Program, ValidationEnvironment, assemble_text, load_bytes, validate_for};
use laneproof_oracle::{
    Blind, Observation, OracleVerdict, SearchClock, SearchLimits, judge, read_memory, write_memory,
};
use laneproof_semantics::as_written::AsWritten;
use rayon::prelude::*;
use serde_json::Value;

/// Fewer than `--litmus` takes of its own accord: it is sooner done.
const LANES: u32 = 8;

/// Names of instructions, or parts of names, joined by commas in `LANEPROOF_LITMUS_ONLY`: to look at
/// these alone, which is soon done. None: all, as tests are meant to be run.
static ONLY: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = std::env::var("LANEPROOF_LITMUS_ONLY").unwrap_or_default();
    names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
});

/// The least number, if all findings are searched.
fn at_least(number: usize, found: usize) -> bool {
    !ONLY.is_empty() || found >= number
}

static REPORT: LazyLock<SearchReport> = LazyLock::new(|| {
    let options = SearchOptions { names: &ONLY, litmus: Some(LANES), ..SearchOptions::default() };
    search(AsWritten::built_in(), &options, || {})
});

/// Each finding with its module.
type Module = (&'static Finding, Result<Litmus, LitmusError>);

static MODULES: LazyLock<Vec<Module>> = LazyLock::new(|| {
    let modules = REPORT.findings.par_iter().map(|it| (it, litmus(AsWritten::built_in(), it)));
    modules.collect()
});

#[test]
fn nothing_is_left_unsearched() {
    assert_eq!(REPORT.unsearched, std::collections::BTreeSet::new());
    assert!(at_least(21, REPORT.instructions.len()), "{}", REPORT.instructions.len());
    assert!(at_least(201, REPORT.forms), "{}", REPORT.forms);
}

/// Every finding has a module or a reason, and each reason is one of these.
#[test]
fn every_finding_has_a_module_or_a_reason() {
    let (mut modules, mut reasons) = (0, BTreeMap::<String, Vec<&str>>::new());
    for (finding, litmus) in &*MODULES {
        match litmus {
            Ok(litmus) => {
                modules += 1;
                assert!(finding.evidence.witness.is_some(), "{}", finding.id);
                let names: Vec<&str> = litmus.files.iter().map(|(name, _)| *name).collect();
                assert_eq!(names, ["module.spvasm", "inputs.json", "readings.json", "README.md"]);
                let words = assemble_text(&litmus.module, "module").unwrap();
                let environment = match litmus.environment {
                    "vulkan1.3" => Some(ValidationEnvironment::Vulkan),
                    "opencl2.2" => Some(ValidationEnvironment::OpenCl),
                    _ => None,
                };
                if let Some(environment) = environment {
                    assert_eq!(validate_for(environment, &words), Ok(()), "{}", finding.id);
                }
            }
            Err(reason) => reasons.entry(reason.to_string()).or_default().push(&finding.id),
        }
    }
    let known = [
        "it is about numbers and names, not about a state",
        "it is about a condition that no state meets, or that never decides",
        "it is about types that do not fit, not about a state",
        "it is about what a sentence leaves out, not about a state",
        "it is about which modules there may be, not about a state",
        "it is about what documents allow, not about a state",
        "it is about what sentences do not say, whatever the state",
        "it shows only in an image whose elements are not of four bytes, which no run is given",
        // A document of an environment has a block written at whole words only.
        "in the state that was found a document of an environment leaves behavior undefined, and a \
         run would show nothing",
        // An example that follows at every size that a device can have.
        "only subgroups of 3 lanes (SubgroupMaxSize 3) show it, and no such size is a power of two",
        // With fewer than 32 lanes no word of a ballot is of lanes alone.
        "sentences relate the results of all lanes and determine none in which the readings \
         differ, at this size of subgroups",
    ];
    let other: Vec<_> = reasons.keys().filter(|it| !known.contains(&it.as_str())).collect();
    assert!(other.is_empty() && at_least(26, modules), "{modules}: {reasons:#?}");
}

/// The memory that a run leaves, and what the oracle says of it.
struct Ran {
    left: Result<Value, Stop>,
    verdict: OracleVerdict,
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
    let limits = SearchLimits {
        runs: 1 << 16,
        time: std::time::Duration::from_secs(20),
        clock: SearchClock::Wall,
    };
    let verdict = judge(&observation.cells(), &subject, Blind::of(&program), limits);
    Ran { left, verdict }
}

/// One way of reading predicts what comes out; where that is undefined behavior, one allows
/// anything in the lanes in which it shows.
#[test]
fn a_run_gives_what_some_reading_predicts_and_the_oracle_allows_it() {
    let modules =
        MODULES.iter().filter_map(|(finding, litmus)| Some((finding, litmus.as_ref().ok()?)));
    let modules: Vec<_> = modules.collect();
    assert!(at_least(26, modules.len()), "{}", modules.len());
    let wrong = modules
        .par_iter()
        .filter_map(|(finding, litmus)| Some(format!("{}: {}", finding.id, unpredicted(litmus)?)));
    assert_eq!(wrong.collect::<Vec<String>>(), [""; 0]);
}

/// What is wrong with the run of a module, if anything is.
fn unpredicted(litmus: &Litmus) -> Option<String> {
    let Ran { left, verdict } = run(litmus);
    match left {
        Ok(left) => {
            let results = litmus.results(&left).unwrap();
            assert_eq!(results.len(), litmus.predictions[0].lanes.len());
            let predicts = |it: &Prediction| it.allows(&results) || it.allows_otherwise(&results);
            let predicted = litmus.predictions.iter().any(predicts);
            // Under some reading lanes meet in memory: they race, whoever is last in this run.
            let meet = litmus.written.is_some() && !litmus.open().is_empty();
            let allowed = verdict == OracleVerdict::Allowed
                || meet && matches!(verdict, OracleVerdict::Behavior(_));
            let right = predicted && allowed;
            (!right).then(|| format!("{verdict:?}: {results:?} of {:?}", litmus.predictions))
        }
        Err(Stop::UndefinedBehavior { lanes, reason, .. }) => {
            let open = litmus.open();
            let shows = |lane: &u32| litmus.written.is_some() || open.contains(lane);
            let anything = litmus.predictions.iter().any(Prediction::is_anything);
            let shows = anything || lanes.iter().any(shows);
            let right = !open.is_empty() && shows && matches!(verdict, OracleVerdict::Behavior(_));
            (!right).then(|| format!("{verdict:?}: {reason} in {lanes:?}, open {open:?}"))
        }
        Err(stop) => Some(stop.to_string()),
    }
}

/// Sentences that relate the results of all lanes: zeros of either sign tell when values are equal.
#[test]
fn related_results_are_told_apart_by_what_each_reading_determines() {
    let names = ["OpGroupNonUniformPartitionNV".to_owned()];
    let options = SearchOptions { names: &names, litmus: Some(32), ..SearchOptions::default() };
    let report = search(AsWritten::built_in(), &options, || {});
    let equality = report.findings.iter().find(|it| it.id.contains("value-equality")).unwrap();
    let litmus = litmus(AsWritten::built_in(), equality).unwrap();
    let [numeric, bitwise] = litmus.predictions.as_slice() else { panic!("two readings") };
    // Bits of nobody, in the other words, are anything. By the letter they may make ballots differ
    // that are the same otherwise, so the subsets of zeros that are told apart may look like one.
    let all = Lane::Value(vec![Some(0xffff_ffff), None, None, None]);
    assert_eq!(numeric.lanes, vec![all; 32]);
    assert_eq!(bitwise.lanes, vec![Lane::Several; 32]);
    let apart = |lane: u32| vec![Some(0x5555_5555 << (lane & 1)), Some(0), Some(0), Some(0)];
    let apart: Vec<Vec<Option<u64>>> = (0..32).map(apart).collect();
    assert!(bitwise.allows(&apart) && !numeric.allows(&apart));
    assert_eq!(unpredicted(&litmus), None);
}

/// A lane tells readings apart anyway only where no other point, read otherwise, makes them alike.
#[test]
fn lanes_tell_readings_apart_however_another_point_is_read() {
    let lanes = |values: [u64; 3]| values.map(|it| Lane::Value(vec![Some(it)])).to_vec();
    let predicted = |name: &str, usual, other: Option<[u64; 3]>| {
        let otherwise = other.map(|values| Otherwise {
            reading: "operand-sign".to_owned(),
            way: "signed".to_owned(),
            lanes: lanes(values),
        });
        let otherwise = otherwise.into_iter().collect();
        Prediction { name: name.to_owned(), lanes: lanes(usual), otherwise }
    };
    let one = predicted("one", [1, 2, 3], Some([1, 5, 6]));
    let other = predicted("other", [4, 5, 3], None);
    assert_eq!(one.differing_lanes(&other), [0, 1]);
    assert_eq!(one.always_differing_lanes(&other), [0]);
    assert_eq!(other.always_differing_lanes(&one), [0]);
    let came = |values: [u64; 3]| values.map(|it| vec![Some(it)]);
    assert!(one.allows(&came([1, 2, 3])) && !one.allows_otherwise(&came([1, 2, 3])));
    assert!(one.allows_otherwise(&came([1, 5, 6])) && !one.allows(&came([1, 5, 6])));
    assert!(!other.allows_otherwise(&came([4, 5, 3])));
    // Where it is anything, or nothing is known, nothing is predicted.
    for lane in [Lane::UndefinedBehavior, Lane::Unsaid] {
        let mut open = one.clone();
        open.otherwise[0].lanes = vec![lane; 3];
        assert!(!open.allows_otherwise(&came([7, 8, 9])));
        assert_eq!(open.always_differing_lanes(&other), [0; 0]);
    }
}

/// A value that a reading does not predict is detected.
#[test]
fn what_no_reading_predicts_is_seen() {
    let mut distinguished = 0;
    for (finding, litmus) in &*MODULES {
        let Ok(litmus) = litmus else { continue };
        for prediction in litmus.predictions.iter().filter(|it| !it.is_anything()) {
            let mut results: Vec<Vec<Option<u64>>> =
                vec![vec![Some(0xbad); 4]; prediction.lanes.len()];
            let closed = prediction.lanes.iter().filter(|lane| lane.is_known());
            let closed = closed.count();
            assert_eq!(prediction.allows(&results), closed == 0, "{}", finding.id);
            for (lane, given) in results.iter_mut().zip(&prediction.lanes) {
                if let Lane::Value(leaves) = given {
                    lane.clone_from(leaves);
                }
            }
            assert!(prediction.allows(&results), "{}", finding.id);
            distinguished += closed;
        }
    }
    assert!(at_least(11, distinguished), "{distinguished}");
}

/// The ways of reading give what the report says, evaluated anew in the smallest state.
#[test]
fn every_witness_shows_its_finding_again() {
    let mut shown = 0;
    for finding in REPORT.findings.iter().filter(|it| it.evidence.witness.is_some()) {
        let outcomes: std::collections::BTreeSet<&str> =
            finding.readings.iter().map(|read| read.outcome.as_str()).collect();
        let unsaid = outcomes.iter().any(|it| {
            ["the text does not say", "a sentence is met that names no consequence"]
                .iter()
                .any(|words| it.starts_with(words))
        });
        let several = outcomes.len() > 1;
        match finding.kind {
            laneproof_ambiguity::FindingKind::Divergence => assert!(several, "{}", finding.id),
            // Of what sentences leave open two results are shown that are both right.
            laneproof_ambiguity::FindingKind::Gap => assert!(unsaid || several, "{}", finding.id),
            _ => assert!(!finding.readings.is_empty(), "{}", finding.id),
        }
        shown += 1;
    }
    assert!(at_least(16, shown), "{shown}");
}

/// The observed behavior of devices belongs to existing findings.
#[test]
fn what_was_observed_is_of_findings() {
    let observed = laneproof_ambiguity::observed();
    assert_eq!(observed.len(), 4);
    for (id, seen) in observed {
        let finding = REPORT.findings.iter().find(|it| it.id == id);
        if finding.is_none() && !ONLY.is_empty() {
            continue;
        }
        assert_eq!(finding.and_then(|it| it.evidence.observed.as_ref()), Some(&seen), "{id}");
    }
}
