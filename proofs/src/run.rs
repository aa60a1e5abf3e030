//! Holds entries against the prover: does each get the verdict that its file expects?

use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use laneproof_module::{LoadError, load_bytes};
use laneproof_semantics::{Specification, SpecificationError};
use laneproof_smt::{Options, Report, Rung, Verdict, VerifyError, verify};
use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use crate::entry::Entry;
use crate::header::{self, Active, Expect, Header};
use crate::run_claim::{Claim, ClaimError};

/// Bytes of stack for a thread that proves: terms nest as deep as the modules that they come from.
pub const STACK: usize = 256 << 20;

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
}

/// What an entry came to.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The entry's name.
    pub name: String,
    /// The verdict that it must get.
    pub expected: Expect,
    /// The verdict that it got.
    pub verdict: Verdict,
    /// Time that it took, loading included, in milliseconds.
    pub milliseconds: f64,
    /// The lowest rung that was needed.
    pub rung: Option<Rung>,
    /// Why the verdict is unknown or vacuous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is not as the file expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexpected: Option<String>,
}

/// Why an entry could not be put to the prover.
#[derive(Debug, Error)]
pub enum RunError {
    /// Its module does not load.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A specification file that it asks for does not read.
    #[error(transparent)]
    Specification(Box<SpecificationError>),
    /// It makes no claim.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// Its claim, or what its header asks for, makes no sense.
    #[error("{entry}: {source}")]
    Verify {
        /// The entry's file.
        entry: String,
        /// Why not.
        source: VerifyError,
    },
    /// No threads to run on.
    #[error("no threads to run on: {0}")]
    Threads(String),
}

/// Runs entries, several at a time; results come in the order of the entries, and `done` is told
/// of each as it is finished.
///
/// # Errors
///
/// When threads cannot be started.
pub fn run_all(
    entries: &[Entry],
    setup: &Setup<'_>,
    done: impl Fn(&Result<Outcome, RunError>) + Sync,
) -> Result<Vec<Result<Outcome, RunError>>, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(setup.jobs)
        .stack_size(STACK)
        .thread_name(|index| format!("prover {index}"))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let one = |entry| {
        let outcome = run(entry, setup);
        done(&outcome);
        outcome
    };
    // One entry a task: neighbours by name are alike hard.
    Ok(pool.install(|| entries.par_iter().with_max_len(1).map(one).collect()))
}

/// Runs one entry. A fault of the prover's is an unknown verdict that says so.
///
/// # Errors
///
/// The entry cannot be put to the prover.
pub fn run(entry: &Entry, setup: &Setup<'_>) -> Result<Outcome, RunError> {
    let started = Instant::now();
    let report = guarded(|| report(entry, setup));
    let milliseconds = (started.elapsed().as_secs_f64() * 1e5).round() / 100.0;
    let (verdict, rung, reason) = match report {
        Ok(report) => {
            let report = report?;
            let rung = report.obligations.iter().filter_map(|it| it.rung).max();
            (report.verdict, rung, report.reason)
        }
        Err(fault) => (Verdict::Unknown, None, Some(fault)),
    };
    Ok(Outcome {
        name: entry.name.clone(),
        expected: entry.header.expect,
        verdict,
        milliseconds,
        rung,
        reason,
        unexpected: unexpected(&entry.header, verdict, rung),
    })
}

fn report(entry: &Entry, setup: &Setup<'_>) -> Result<Report, RunError> {
    let mut specification = Cow::Borrowed(setup.specification);
    for attachment in &entry.attachments {
        let name = entry.path.with_file_name(&attachment.name);
        let extended = specification.extended_with(&name.display().to_string(), &attachment.text);
        let extended = extended.map_err(|error| RunError::Specification(Box::new(error)))?;
        specification = Cow::Owned(extended);
    }
    let name = entry.path.display().to_string();
    let program = load_bytes(entry.text.as_bytes(), &name)?;
    let claim = Claim::of(&program, &name)?;
    let header = &entry.header;
    let options = Options {
        sizes: header.sizes.clone(),
        all_active: header.active == Active::All,
        partial: header.partial,
        profile: header.profile.clone().or(setup.profile.map(str::to_owned)),
        readings: header.readings.clone(),
        timeout: setup.timeout,
        ..Options::default()
    };
    verify(&specification, claim.source, claim.target, &options)
        .map_err(|source| RunError::Verify { entry: name, source })
}

/// What a header expects otherwise.
fn unexpected(header: &Header, verdict: Verdict, rung: Option<Rung>) -> Option<String> {
    if expected(header.expect) != verdict {
        return Some(format!("{verdict} instead of {}", header.expect));
    }
    let latest = match header.rung? {
        header::Rung::Movement => Rung::Movement,
        header::Rung::Laws => Rung::Laws,
        header::Rung::Bits => Rung::Bits,
    };
    let rung = rung.filter(|rung| *rung > latest)?;
    Some(format!("unexpected rung: {rung} instead of {latest}"))
}

fn expected(expect: Expect) -> Verdict {
    match expect {
        Expect::Proved => Verdict::Proved,
        Expect::Refuted => Verdict::Refuted,
        Expect::Unknown => Verdict::Unknown,
        Expect::Vacuous => Verdict::Vacuous,
    }
}

/// Does some work; a panic in it becomes a message.
///
/// # Errors
///
/// The work panicked: a fault of laneproof's, said so.
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // Nothing that the work may have left half done outlives it.
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|payload| format!("this is a fault of laneproof's: {}", said(payload.as_ref())))
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
