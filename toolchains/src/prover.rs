//! The prover's word on two modules, and what runs of both say of it.

use std::time::Duration;

use laneproof_generator::Generated;
use laneproof_module::{Function, LoadError};
use laneproof_oracle::SearchLimits;
use laneproof_semantics::Specification;
use laneproof_verify::{
    AllowedAbstractions, Counterexample, NotReplayed, Options, Side, States, Unknown, Verdict,
    VerificationReport, guarded, settle, verify,
};

use crate::reference::{Judgement, ORACLE, Subject, agrees};

/// How long one obligation, and all of them, may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToolLimits {
    pub each: Duration,
    pub all: Duration,
}

impl ToolLimits {
    /// For many queries, of which only some need to be decided.
    pub const SHORT: Self =
        Self { each: Duration::from_millis(300), all: Duration::from_millis(500) };
    /// Where the answer matters.
    pub const LONG: Self = Self { each: Duration::from_secs(3), all: Duration::from_secs(5) };
}

/// How far the oracle may look for a choice.
const CONTRADICTION: SearchLimits = SearchLimits { time: Duration::from_secs(3), ..ORACLE };

/// How two modules are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// By every strategy that there is.
    Strategies,
    /// Without abstraction: every lane's terms, as control flow without branches makes them.
    Flattened,
}

/// What the prover says of two modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The target refines the source.
    Proved,
    /// It does not, as a run of both showed; in words, why.
    Refuted(String),
    /// It is not known: a limit was reached, or a state in which they may differ cannot be run, as
    /// its memories are too large.
    Unknown(String),
    /// The prover has a state in which they differ, but runs of both agree in it: an abstraction may
    /// have that, exact terms may not.
    Spurious(String),
    /// What the prover says cannot be.
    Wrong(String),
}

fn entry(subject: &Subject) -> Option<&Function> {
    let program = subject.program();
    let id = program.entry_points.first()?.function;
    program.functions.iter().find(|function| function.id == id)
}

/// Asks whether one module refines another at the size that they run at.
pub(crate) fn refines(
    source: &Subject,
    target: &Subject,
    depth: Depth,
    limits: ToolLimits,
) -> Proof {
    let side = |subject| {
        entry(subject).map(|function| Side { program: Subject::program(subject), function })
    };
    let (Some(from), Some(to)) = (side(source), side(target)) else {
        return Proof::Unknown("no entry point".to_owned());
    };
    let options = Options {
        states: States { sizes: vec![source.subgroup()], ..States::default() },
        timeout: limits.each,
        total_timeout: Some(limits.all),
        abstractions: AllowedAbstractions::default().per_lane(depth == Depth::Flattened),
        ..Options::default()
    };
    let asked = guarded(|| verify(Specification::built_in(), from, Some(to), &options));
    match asked {
        Ok(Ok(report)) => proof_of(report),
        Ok(Err(error)) => Proof::Unknown(error.to_string()),
        Err(internal) => Proof::Wrong(internal),
    }
}

fn proof_of(report: VerificationReport) -> Proof {
    let reason = report.reason.unwrap_or_else(|| "no reason is given".to_owned());
    match (report.verdict, &report.counterexample) {
        (Verdict::Proved, _) => Proof::Proved,
        (Verdict::Refuted, Some(shown)) if shown.confirmed => Proof::Refuted(in_words(shown)),
        (Verdict::Refuted, _) => Proof::Wrong("refuted, but no run shows it".to_owned()),
        _ => match report.unknown {
            Some(Unknown::NotReplayed(NotReplayed::Explained)) => Proof::Spurious(reason),
            _ => Proof::Unknown(reason),
        },
    }
}

/// The first thing in which the two differ.
fn in_words(shown: &Counterexample) -> String {
    let size = shown.subgroup_size;
    if let Some(behavior) = &shown.undefined_behavior {
        let (instruction, clause) = (&behavior.instruction, &behavior.clause);
        return format!("undefined behavior of {instruction} at SubgroupSize {size}: {clause}");
    }
    let value = |scalar: Option<Option<u64>>| match scalar {
        Some(Some(bits)) => format!("{bits:#x}"),
        Some(None) => "undefined".to_owned(),
        None => "nothing".to_owned(),
    };
    let offending = shown.memory.iter().find(|row| row.offending);
    match offending {
        Some(row) => format!(
            "memory {}, element {}, at SubgroupSize {size}: {} where the source leaves {}",
            row.memory,
            row.index,
            value(row.target),
            value(row.source)
        ),
        None => format!("at SubgroupSize {size} the two leave different results"),
    }
}

/// Holds the prover against runs: a module and a neighbor of it, or the module itself. What is
/// proved shows no difference when both run on the module's inputs, and what is refuted was
/// replayed.
///
/// # Errors
///
/// What the prover says and a run contradicts.
pub fn examine_proof(
    generated: &Generated,
    neighbor: Option<&[u32]>,
    depth: Depth,
) -> Result<Proof, String> {
    let load =
        |words: &[u32]| Subject::load(words, generated).map_err(|it: LoadError| it.to_string());
    let source = load(&generated.words)?;
    let target = load(neighbor.unwrap_or(&generated.words))?;
    let proof = refines(&source, &target, depth, ToolLimits::LONG);
    match &proof {
        Proof::Wrong(what) => Err(what.clone()),
        Proof::Refuted(what) if neighbor.is_none() => {
            Err(format!("a module does not refine itself: {what}"))
        }
        Proof::Proved => contradicted(&source, &target).map_or(Ok(proof), Err),
        _ => Ok(proof),
    }
}

/// How runs on the source's inputs contradict that the target refines it, if they do.
fn contradicted(source: &Subject, target: &Subject) -> Option<String> {
    let kernel = source.program().is_kernel();
    let (_, settled) = settle(Specification::built_in(), kernel, None, &[]).ok()?;
    let readings = laneproof_verify::readings(&settled);
    // What has undefined behavior is refined by anything.
    let expected = source.run_under(readings).ok()?;
    let observed = match target.run_under(readings) {
        Ok(observed) => observed,
        Err(stop @ laneproof_interpreter::Stop::UndefinedBehavior { .. }) => {
            return Some(format!("proved, but the target has undefined behavior: {stop}"));
        }
        Err(_) => return None,
    };
    if agrees(&expected, &observed) {
        return None;
    }
    let judgement = source.judge(&target.written(&observed), readings, CONTRADICTION);
    (judgement == Judgement::NotAllowed)
        .then(|| "proved, but the target leaves what the source cannot".to_owned())
}
