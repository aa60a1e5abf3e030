//! This project's own engines on the same modules.

use laneproof_generator::{Generated, Numbers};
use laneproof_interpreter::EntryMemory;

use crate::mutated::mutated;
use crate::outcome::{FaultKind, Outcome, ToolFault};
use crate::prover::{Depth, examine_proof};
use crate::reference::{Subject, agrees};

/// Holds this project's own engines against each other on a module.
///
/// # Errors
///
/// What differs, or why the module is not valid.
pub fn examine_own(generated: &Generated) -> Result<(), String> {
    let subject = Subject::load(&generated.words, generated).map_err(|error| error.to_string())?;
    let Ok(expected) = subject.run() else { return Ok(()) };
    match examine(&subject, &expected, generated) {
        Outcome::Fault(fault) => Err(fault.detail),
        _ => Ok(()),
    }
}

/// The prover checks one in this many modules: it takes longer than the other engines.
const PROVED: u64 = 16;

/// Short forms of the interpreter against full execution, evaluator against interpreter on
/// instructions chosen by the module's own words, and of some the prover against runs.
pub(crate) fn examine(subject: &Subject, expected: &EntryMemory, generated: &Generated) -> Outcome {
    let wrong = |detail: String| {
        let kind = FaultKind::WrongValue;
        let (expected, observed, output) = (Some(subject.written(expected)), None, None);
        Outcome::Fault(Box::new(ToolFault { kind, detail, expected, observed, output }))
    };
    match subject.run_in_full() {
        Ok(memory) if agrees(expected, &memory) && agrees(&memory, expected) => {}
        Ok(_) => return wrong("short forms and full execution differ".to_owned()),
        Err(stop) => return wrong(format!("full execution ends otherwise: {stop}")),
    }
    let seed = generated
        .inputs
        .buffers
        .iter()
        .flatten()
        .fold(0u64, |hash, word| hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(*word));
    let bytes = Numbers::new(seed).bytes(512);
    if let Err(disagreement) = laneproof_cross_check::check(&bytes, 32) {
        return wrong(format!("evaluator and interpreter: {disagreement}"));
    }
    if seed % PROVED != 0 {
        return Outcome::Fine;
    }
    // By turns beside itself, a neighbor, and a neighbor without abstraction.
    let turn = seed / PROVED % 3;
    let neighbor = mutated(&generated.words, &mut Numbers::new(seed)).filter(|_| turn > 0);
    let depth = if turn == 2 { Depth::Flattened } else { Depth::Strategies };
    match examine_proof(generated, neighbor.as_deref(), depth) {
        Err(contradiction) => wrong(format!("prover and runs: {contradiction}")),
        Ok(_) => Outcome::Fine,
    }
}
