//! An instance run, and put to the prover.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use laneproof_module::Program;
use laneproof_proofs::{Header, HeaderError, sample};
use laneproof_semantics::Specification;
use laneproof_verify::{Claim, ClaimError, Named};
use laneproof_verify::{Options, Verdict, VerifyError, settle, verify};
use thiserror::Error;

use crate::compile::{CompileError, programs};
use crate::instance::LoweringInstance;
use crate::style::ActivityAssumption;

/// States in which an instance is run first.
const STATES: u32 = 120;
/// States in which a wrong one is run that did not differ in those.
const MORE_STATES: u32 = 2000;

/// Characters of a state that are shown.
const SHOWN: usize = 400;

/// How instances are measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// For each obligation.
    pub timeout: Duration,
    /// The optimizer of the instances that want one.
    pub spirv_opt: Option<PathBuf>,
    /// Only run, not put to the prover.
    pub only_run: bool,
}

/// Why an instance is not measured.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// It does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It has no two functions.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// Its header is invalid.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The prover does not take it.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A run contradicts its expected verdict.
    #[error("it should be {expected}, but in the states tried it {found}")]
    Misfit {
        /// Right or wrong.
        expected: &'static str,
        /// What was seen.
        found: String,
    },
}

/// The outcome of an instance.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The verdict; `None` where the prover was not asked.
    pub verdict: Option<Verdict>,
    /// The least size that is not decided.
    pub stuck: Option<u32>,
    /// The time to the verdict.
    pub took: Duration,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// Runs an instance in random states, then verifies it.
///
/// # Errors
///
/// It is not what it should be.
pub fn measure(
    instance: &LoweringInstance,
    measurement: &Measurement,
) -> Result<Measured, MeasureError> {
    let specification = Specification::built_in();
    let name = instance.name();
    let programs = programs(instance, measurement.spirv_opt.as_deref())?;
    let claim = claim(&programs, &name)?;
    let sizes: Vec<String> = instance.sizes.iter().map(u32::to_string).collect();
    let active = if instance.style.entry == ActivityAssumption::Option { "all" } else { "any" };
    let header = format!(
        "; a lowering\n; expect: proved\n; sizes: {}\n; active: {active}\n; why: generated\n",
        sizes.join(","),
    );
    let header = Header::parse(&name, &header)?;
    let (_, settled) = settle(specification, false, None, &[])?;
    let mut sampled = sample(&claim, &header, specification, &settled, STATES);
    if instance.variant > 0 && sampled.differs.is_none() {
        sampled = sample(&claim, &header, specification, &settled, MORE_STATES);
    }
    let misfit = |expected, found| Err(MeasureError::Misfit { expected, found });
    match (instance.variant, sampled.differs) {
        (0, Some(state)) => {
            let state: String = state.chars().take(SHOWN).collect();
            return misfit("right", format!("differs: {state}"));
        }
        (0, None) if sampled.compared == 0 => return misfit("right", "was never compared".into()),
        (1.., None) => return misfit("wrong", "never differs".into()),
        _ => {}
    }
    if measurement.only_run {
        return Ok(Measured { verdict: None, stuck: None, took: Duration::ZERO, reason: None });
    }
    let timeout = measurement.timeout;
    let options = Options { timeout, total_timeout: Some(3 * timeout), ..header.options() };
    let started = Instant::now();
    let report = verify(specification, claim.source, claim.target, &options)?;
    let took = started.elapsed();
    let undecided = report.obligations.iter().find(|it| it.verdict == Verdict::Unknown);
    Ok(Measured {
        verdict: Some(report.verdict),
        stuck: undecided.and_then(|it| it.subgroup_size),
        took,
        reason: report.reason,
    })
}

fn claim<'a>(programs: &'a [Program], name: &str) -> Result<Claim<'a>, ClaimError> {
    match programs {
        [source, target] => Claim::between(
            Named { program: source, name: "the source" },
            Named { program: target, name: "the target" },
            None,
        ),
        programs => Claim::of(&programs[0], name),
    }
}
