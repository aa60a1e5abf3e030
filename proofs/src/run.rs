//! Holds entries against the prover: does each get the verdict that its file expects?

use std::path::Path;
use std::time::{Duration, Instant};

use laneproof_frontends::Compilers;
use laneproof_semantics::Specification;
use laneproof_verify::{
    Abstraction, Options, STACK, Slowdown, Verdict, VerificationReport, guarded, verify,
};
use rayon::prelude::*;
use serde::Serialize;
use tempfile::TempDir;

use crate::cache::{Cache, Kept};
use crate::entry::Entry;
use crate::header::Header;
use crate::pace::paced;
use crate::run_error::RunError;
use crate::second::{Opinion, SecondError, SecondSolver};
use laneproof_verify::Claim;

/// How to run.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// What instructions mean; entries may add to it.
    pub specification: &'a Specification,
    /// For each obligation.
    pub timeout: Duration,
    /// The profile of entries that name none.
    pub profile: Option<&'a str>,
    /// How many entries at a time; 0: as many as there are processors.
    pub jobs: usize,
    /// What compiles entries in GLSL.
    pub compilers: &'a Compilers<'a>,
    /// Where answers are kept from run to run.
    pub cache: Option<&'a Cache>,
    /// The second solver for proved entries. The cache is not used then.
    pub second: Option<&'a SecondSolver>,
}

/// What an entry came to.
#[derive(Clone, Debug, Serialize)]
pub struct EntryOutcome {
    /// The entry's name.
    pub name: String,
    /// The verdict that it must get.
    pub expected: Verdict,
    /// The verdict that it got.
    pub verdict: Verdict,
    /// Time that it took, loading included, in milliseconds.
    pub milliseconds: f64,
    /// The lowest abstraction that was needed.
    #[serde(rename = "rung")]
    pub abstraction: Option<Abstraction>,
    /// Why the verdict is unknown or vacuous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is not as the file expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexpected: Option<String>,
    /// It might be another on a machine that is faster, or less busy: a limit of time was reached,
    /// or a later abstraction than the file expects.
    #[serde(skip)]
    pub hurried: bool,
    /// How busy the machine was with other things.
    #[serde(skip)]
    pub slowdown: Slowdown,
    /// The answer was kept from an earlier run, and so is the time that it took.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// What a second solver says, of an entry that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<Opinion>,
}

/// Runs entries, several at a time; results come in the order of the entries, and `done` is called with
/// each as it is finished.
///
/// # Errors
///
/// When threads cannot be started.
pub fn run_all(
    entries: &[Entry],
    setup: &Setup<'_>,
    done: impl Fn(&Result<EntryOutcome, RunError>) + Sync,
) -> Result<Vec<Result<EntryOutcome, RunError>>, RunError> {
    let work = |entry: &Entry, slowdown| outcome(entry, setup, slowdown);
    let late = |it: &EntryOutcome| (it.hurried && it.unexpected.is_some()).then_some(it.slowdown);
    each_and_late_ones_alone(entries, setup.jobs, work, late, done)
}

/// How often what is late is tried alone.
const ATTEMPTS: u32 = 3;

/// Does the same with each entry, several at a time. What comes out late is tried again, alone and with
/// as much more time as the machine was busy with other things: no verdict is to depend on that. `late`
/// says how busy it was, of what is late.
fn each_and_late_ones_alone<R: Send>(
    entries: &[Entry],
    jobs: usize,
    work: impl Fn(&Entry, Slowdown) -> Result<R, RunError> + Sync,
    late: impl Fn(&R) -> Option<Slowdown> + Sync,
    done: impl Fn(&Result<R, RunError>) + Sync,
) -> Result<Vec<Result<R, RunError>>, RunError> {
    let together = jobs != 1 && entries.len() > 1;
    // The slowdown of what is late, unless as much time was given before, and alone.
    let again = |result: &Result<R, RunError>, alone_with: Option<Slowdown>| {
        let slowdown = late(result.as_ref().ok()?)?;
        alone_with.is_none_or(|given| slowdown > given).then_some(slowdown)
    };
    let at_first = if together { None } else { Some(Slowdown::NONE) };
    let in_time = |result: &Result<R, RunError>| {
        if again(result, at_first).is_none() {
            done(result);
        }
    };
    let mut results = each(entries, jobs, |entry| work(entry, Slowdown::NONE), in_time)?;
    for (entry, result) in entries.iter().zip(&mut results) {
        let mut given = at_first;
        let mut attempts = 0;
        while let Some(slowdown) = again(result, given).filter(|_| attempts < ATTEMPTS) {
            let work = |entry: &Entry| work(entry, slowdown);
            *result = each(std::slice::from_ref(entry), 1, work, |_| {})?.remove(0);
            given = Some(slowdown);
            attempts += 1;
        }
        if attempts > 0 {
            done(result);
        }
    }
    Ok(results)
}

/// Runs one entry.
///
/// # Errors
///
/// The entry cannot be put to the prover, or the prover is at fault.
pub fn run(entry: &Entry, setup: &Setup<'_>) -> Result<EntryOutcome, RunError> {
    alone(entry, |entry| outcome(entry, setup, Slowdown::NONE))
}

/// Does the same with each entry, several at a time.
pub(crate) fn each<R: Send>(
    entries: &[Entry],
    jobs: usize,
    work: impl Fn(&Entry) -> Result<R, RunError> + Sync,
    done: impl Fn(&Result<R, RunError>) + Sync,
) -> Result<Vec<Result<R, RunError>>, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        // More threads than entries would only take their stacks.
        .num_threads(jobs.min(entries.len()))
        .stack_size(STACK)
        .thread_name(|index| format!("prover {index}"))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let one = |entry| {
        let result = alone(entry, &work);
        done(&result);
        result
    };
    // One entry a task: neighbours by name are alike hard.
    Ok(pool.install(|| entries.par_iter().with_max_len(1).map(one).collect()))
}

/// Runs some work on an entry; a panic is a failure of that entry only.
fn alone<R>(
    entry: &Entry,
    work: impl FnOnce(&Entry) -> Result<R, RunError>,
) -> Result<R, RunError> {
    let fault = |fault| RunError::Fault { entry: entry.path.display().to_string(), fault };
    guarded(|| work(entry)).map_err(fault)?
}

fn outcome(entry: &Entry, setup: &Setup<'_>, allowed: Slowdown) -> Result<EntryOutcome, RunError> {
    let found = |kept: Kept, hurried, slowdown, second: Option<Opinion>| EntryOutcome {
        name: entry.name.clone(),
        expected: entry.header.expect,
        verdict: kept.verdict,
        milliseconds: kept.milliseconds,
        abstraction: kept.abstraction,
        unexpected: unexpected(&entry.header, &kept, second.as_ref()),
        reason: kept.reason,
        hurried,
        slowdown,
        cached: false,
        second,
    };
    let cache = setup.cache.filter(|_| setup.second.is_none());
    let cache = cache.map(|cache| (cache, cache.file(entry, setup.timeout, setup.profile)));
    if let Some(kept) = cache.as_ref().and_then(|(cache, file)| cache.find(file)) {
        let found = found(kept, false, Slowdown::NONE, None);
        return Ok(EntryOutcome { cached: true, ..found });
    }
    let started = Instant::now();
    let folder = setup.second.map(|_| questions_folder()).transpose()?;
    let folder_path = folder.as_ref().map(TempDir::path);
    let (report, slowdown) = paced(|| report(entry, setup, allowed, folder_path));
    let report = report?;
    let kept = Kept {
        verdict: report.verdict,
        abstraction: report.obligations.iter().filter_map(|it| it.abstraction).max(),
        reason: report.reason.clone(),
        milliseconds: (started.elapsed().as_secs_f64() * 1e5).round() / 100.0,
    };
    let hurried = report.depends_on_machine() || later_abstraction(&entry.header, &kept).is_some();
    if let Some((cache, file)) = cache.filter(|_| !hurried) {
        cache.keep(&file, &kept);
    }
    let proved = report.verdict == Verdict::Proved;
    let second = match (setup.second.filter(|_| proved), folder) {
        (Some(solver), Some(folder)) => {
            let opinion = solver.opinion(folder.path())?;
            if !opinion.contradicted.is_empty() {
                // The files are kept for inspection.
                let _ = folder.keep();
            }
            Some(opinion)
        }
        _ => None,
    };
    Ok(found(kept, hurried, slowdown, second))
}

/// An empty folder for questions.
fn questions_folder() -> Result<TempDir, SecondError> {
    let folder = tempfile::Builder::new().prefix("laneproof-").tempdir();
    folder.map_err(|source| SecondError::File { path: "a folder for questions".into(), source })
}

fn report(
    entry: &Entry,
    setup: &Setup<'_>,
    slowdown: Slowdown,
    questions: Option<&Path>,
) -> Result<VerificationReport, RunError> {
    let specification = entry.specification(setup.specification)?;
    let name = entry.path.display().to_string();
    let program = entry.program(setup.compilers)?;
    let claim = Claim::of(&program, &name)?;
    let more = Options { slowdown, smt2: questions.map(Path::to_owned), ..entry.header.options() };
    verified(&claim, &specification, setup, more, &name)
}

/// A claim, put to the prover as an entry's header asks; `name` is what errors call it.
pub(crate) fn verified(
    claim: &Claim<'_>,
    specification: &Specification,
    setup: &Setup<'_>,
    asked: Options,
    name: &str,
) -> Result<VerificationReport, RunError> {
    let profile = asked.profile.clone().or(setup.profile.map(str::to_owned));
    let options = Options { profile, timeout: setup.timeout, ..asked };
    verify(specification, claim.source, claim.target, &options)
        .and_then(VerificationReport::with_well_formed_invariants)
        .map_err(|source| RunError::Verify { entry: name.to_owned(), source })
}

/// What a header expects otherwise, or what a second solver says otherwise.
fn unexpected(header: &Header, found: &Kept, second: Option<&Opinion>) -> Option<String> {
    if header.expect != found.verdict {
        return Some(format!("{} instead of {}", found.verdict, header.expect));
    }
    if let Some(file) = second.and_then(|it| it.contradicted.first()) {
        return Some(format!("the second solver finds a state: {}", file.display()));
    }
    let (abstraction, latest) = later_abstraction(header, found)?;
    Some(format!("unexpected abstraction: {abstraction} instead of {latest}"))
}

/// The abstraction that was needed, and the latest that the header expects, where that is an earlier one.
fn later_abstraction(header: &Header, found: &Kept) -> Option<(Abstraction, Abstraction)> {
    let latest = header.abstraction?;
    Some((found.abstraction.filter(|abstraction| *abstraction > latest)?, latest))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::catalogue::Catalogue;

    /// On a simulated machine each attempt at the late entry finds another load, and is in time if
    /// that was allowed for.
    fn attempts(jobs: usize, loads: &[u32]) -> (Vec<bool>, Vec<Slowdown>) {
        let entries = Catalogue::gather(&["rotate/".to_owned()]).unwrap().entries;
        let second = Duration::from_secs(1);
        let slowed = entries[1].name.clone();
        let tried = Mutex::new(Vec::new());
        let work = |entry: &Entry, allowed: Slowdown| {
            if entry.name != slowed {
                return Ok((entry.name.clone(), None));
            }
            let mut tried = tried.lock().unwrap();
            let load = Slowdown::of(second * loads[tried.len()], second);
            tried.push(allowed);
            Ok((entry.name.clone(), (load > allowed).then_some(load)))
        };
        let reported = Mutex::new(Vec::new());
        let done = |result: &Result<(String, Option<Slowdown>), RunError>| {
            reported.lock().unwrap().push(result.as_ref().unwrap().clone());
        };
        let results = each_and_late_ones_alone(&entries, jobs, work, |it| it.1, done).unwrap();
        let results: Vec<_> = results.into_iter().map(Result::unwrap).collect();
        assert!(results.iter().map(|it| &it.0).eq(entries.iter().map(|it| &it.name)));
        let mut reported = reported.into_inner().unwrap();
        reported.sort();
        let mut sorted = results.clone();
        sorted.sort();
        assert_eq!(reported, sorted, "each once, with what came of it in the end");
        (results.iter().map(|it| it.1.is_none()).collect(), tried.into_inner().unwrap())
    }

    #[test]
    fn what_is_late_is_tried_alone_with_more_time_as_long_as_the_machine_is_busier() {
        let busy = |load| Slowdown::of(Duration::from_secs(load), Duration::from_secs(1));
        let none = Slowdown::NONE;
        for (jobs, loads, allowed) in [
            (2, &[1][..], vec![none]),
            (1, &[1], vec![none]),
            (2, &[3, 1], vec![none, busy(3)]),
            (1, &[3, 2], vec![none, busy(3)]),
            (2, &[3, 5, 4], vec![none, busy(3), busy(5)]),
            (1, &[2, 3, 4, 4], vec![none, busy(2), busy(3), busy(4)]),
        ] {
            let (in_time, tried) = attempts(jobs, loads);
            assert!(in_time.iter().all(|it| *it), "{loads:?}");
            assert_eq!(tried, allowed);
        }
        // A machine that becomes busier each time is given up.
        let (in_time, tried) = attempts(2, &[2, 3, 4, 5]);
        assert_eq!((in_time.iter().filter(|it| !**it).count(), tried.len()), (1, 4));
    }

    /// What is late for another reason than the machine is tried alone once.
    #[test]
    fn what_an_idle_machine_does_not_decide_is_tried_once_more() {
        let entries = Catalogue::gather(&["rotate/".to_owned()]).unwrap().entries;
        for (jobs, times) in [(1, 1), (2, 2)] {
            let tried = Mutex::new(0);
            let work = |_: &Entry, allowed| {
                *tried.lock().unwrap() += 1;
                assert_eq!(allowed, Slowdown::NONE);
                Ok(())
            };
            let late = |(): &()| Some(Slowdown::NONE);
            each_and_late_ones_alone(&entries, jobs, work, late, |_| {}).unwrap();
            assert_eq!(*tried.lock().unwrap(), times * entries.len());
        }
    }

    #[test]
    fn a_panic_is_one_entrys_failure_and_the_others_go_on() {
        let entries = Catalogue::gather(&["rotate/".to_owned()]).unwrap().entries;
        assert!(entries.len() >= 3);
        let planted = &entries[1].name;
        let work = |entry: &Entry| {
            assert_ne!(&entry.name, planted, "planted");
            Ok(())
        };
        let results = each(&entries, 2, work, |_| {}).unwrap();
        assert_eq!(results.len(), entries.len());
        for (entry, result) in entries.iter().zip(results) {
            let Err(RunError::Fault { entry: path, fault }) = result else {
                assert_ne!(&entry.name, planted);
                continue;
            };
            assert_eq!((&entry.name, path), (planted, entry.path.display().to_string()));
            assert!(
                fault.contains("planted") && fault.contains("internal error in laneproof"),
                "{fault}"
            );
        }
    }
}
