//! Mutants, each verified.

use laneproof_module::load_bytes;
use laneproof_semantics::Specification;
use laneproof_verify::{Verdict, VerificationReport, settle};
use serde::Serialize;

use super::{Mutant, mutants};
use crate::entry::Entry;
use crate::run::{Setup, each, verified};
use crate::run_error::RunError;
use crate::sample::{Sampled, sample};
use laneproof_verify::Claim;

/// States in which the interpreter runs a mutant that was proved.
const STATES: u32 = 300;

/// The outcome of a mutant.
#[derive(Clone, Debug, Serialize)]
pub struct Fate {
    /// The mutant.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// Refuted: the change matters, and the prover sees it. Proved: the target is as right with it
    /// as without.
    pub verdict: Verdict,
    /// Why the verdict is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For a proved mutant: the outcome of runs in the interpreter, which is independent of the
    /// proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Sampled>,
}

/// The mutants of one entry.
#[derive(Clone, Debug, Serialize)]
pub struct Mutation {
    /// The entry's name.
    pub name: String,
    /// Those that are modules.
    pub mutants: Vec<Fate>,
    /// How many others there are, which the validator refuses.
    pub invalid: usize,
}

/// Breaks each entry that is to be proved in one place after the other, several entries at a time;
/// entries without a target have no mutants. `done` is called with each entry as it is finished.
///
/// # Errors
///
/// When threads cannot be started.
pub fn mutate_all(
    entries: &[Entry],
    setup: &Setup<'_>,
    done: impl Fn(&Result<Mutation, RunError>) + Sync,
) -> Result<Vec<Result<Mutation, RunError>>, RunError> {
    each(entries, setup.jobs, |entry| mutate(entry, setup), done)
}

fn mutate(entry: &Entry, setup: &Setup<'_>) -> Result<Mutation, RunError> {
    let mut mutation = Mutation { name: entry.name.clone(), mutants: Vec::new(), invalid: 0 };
    if entry.header.expect != Verdict::Proved {
        return Ok(mutation);
    }
    let specification = entry.specification(setup.specification)?;
    for mutant in mutants(entry, setup.compilers)? {
        match fate(entry, mutant, &specification, setup)? {
            Some(fate) => mutation.mutants.push(fate),
            None => mutation.invalid += 1,
        }
    }
    Ok(mutation)
}

/// `None`: it is no valid module.
fn fate(
    entry: &Entry,
    mutant: Mutant,
    specification: &Specification,
    setup: &Setup<'_>,
) -> Result<Option<Fate>, RunError> {
    let name = format!("{}, {mutant}", entry.path.display());
    let bytes: Vec<u8> = mutant.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let Ok(program) = load_bytes(&bytes, &name) else { return Ok(None) };
    let claim = Claim::of(&program, &name)?;
    let VerificationReport { verdict, reason, .. } =
        verified(&claim, specification, setup, entry.header.options(), &name)?;
    let sampled = match verdict {
        Verdict::Proved => {
            let profile = entry.header.profile.as_deref().or(setup.profile);
            let readings = &entry.header.readings;
            let settled = settle(specification, program.is_kernel(), profile, readings);
            let (_, settled) =
                settled.map_err(|source| RunError::Verify { entry: name, source })?;
            Some(sample(&claim, &entry.header, specification, &settled, STATES))
        }
        _ => None,
    };
    Ok(Some(Fate { mutant, verdict, reason, sampled }))
}
