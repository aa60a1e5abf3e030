//! Time limits hold over everything that is asked; what they cut off is unknown, with the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::support::pair::{Pair, files};
use laneproof_module::{Program, load_bytes};
use laneproof_semantics::Specification;
use laneproof_verify::{Abstraction, Options, Side, States, TimeLimit, Unknown, Verdict, verify};

/// The least number of pairs.
const PAIRS: usize = 285;

/// Every pair under these limits is unknown, for this reason; whatever it needs (joint search,
/// readings tried in turn, replays), nothing is decided without time.
fn all_unknown(timeout: Duration, total_timeout: Option<Duration>, limit: TimeLimit) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refinement");
    let mut asked = 0;
    for path in files(&folder) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let pair = Pair::parse(&name, &std::fs::read_to_string(&path).unwrap());
        let (source, target) = pair.sides();
        let set = pair.options(&[Abstraction::Movement, Abstraction::Laws, Abstraction::Bits]);
        let options = Options { timeout, total_timeout, ..set };
        let report = verify(Specification::built_in(), source, target, &options).unwrap();
        let (why, reached) = (&report.unknown, Unknown::TimedOut(limit));
        assert_eq!(report.verdict, Verdict::Unknown, "{name}");
        // What has no encoding at all has its own reason.
        let named = why.as_ref().is_some_and(|why| *why.cause() == reached);
        assert!(named || report.obligations.is_empty(), "{name}: {why:?}");
        assert!(report.depends_on_machine() || report.obligations.is_empty(), "{name}");
        asked += 1;
    }
    assert_eq!(asked, PAIRS);
}

#[test]
fn without_time_for_an_obligation_nothing_is_decided() {
    all_unknown(Duration::ZERO, None, TimeLimit::Obligation(Duration::ZERO));
}

#[test]
fn without_time_for_all_together_nothing_is_decided() {
    let limit = TimeLimit::All(Duration::ZERO);
    all_unknown(Duration::from_secs(3600), Some(Duration::ZERO), limit);
}

/// Each scalar that a lane writes is overwritten by each access of each lane: to encode that took three times the limit.
#[test]
fn an_encoding_ends_in_time() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits");
    let program = |name: &str| {
        let file = folder.join(format!("atomics-of-a-workgroup.{name}.spvasm"));
        load_bytes(&std::fs::read(file).unwrap(), name).unwrap()
    };
    let (source, target) = (program("src"), program("tgt"));
    fn side(program: &Program) -> Side<'_> {
        let id = program.entry_points[0].function;
        let function = program.functions.iter().find(|function| function.id == id);
        Side { program, function: function.unwrap() }
    }
    let options = Options {
        states: States { sizes: vec![16], ..States::default() },
        timeout: Duration::from_secs(3),
        total_timeout: Some(Duration::from_secs(5)),
        ..Options::default()
    };
    let begun = Instant::now();
    let report =
        verify(Specification::built_in(), side(&source), Some(side(&target)), &options).unwrap();
    let took = begun.elapsed();
    println!("{took:?}: {:?}", report.reason);
    assert_eq!(report.verdict, Verdict::Unknown);
    assert!(took < Duration::from_secs(10), "{took:?}: {:?}", report.reason);
}

/// What ends before its time says what was settled by then: the observer hears of each size that decision
/// diagrams prove when they do.
#[test]
fn what_decision_diagrams_settle_is_told_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refinement");
    let mut settled = 0;
    for path in files(&folder).into_iter().step_by(3) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let pair = Pair::parse(&name, &std::fs::read_to_string(&path).unwrap());
        let (source, target) = pair.sides();
        let (sender, receiver) = channel();
        let mut options = pair.options(&[Abstraction::Diagrams]);
        options.states.sizes = vec![1, 2];
        options.timeout = Duration::from_secs(2);
        options.settled = Some(sender);
        let report = verify(Specification::built_in(), source, target, &options).unwrap();
        drop(options);
        let told = receiver.iter().map(|it| it.obligations.len()).max().unwrap_or(0);
        let proved = report.obligations.iter().filter(|it| {
            it.subgroup_size.is_some() && it.abstraction == Some(Abstraction::Diagrams)
        });
        let proved = proved.count();
        assert!(told >= proved, "{name}: {told} of {proved}");
        settled += proved;
    }
    assert!(settled > 5, "{settled}");
}
