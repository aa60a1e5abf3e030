//! This project's own engines on the same modules.

use laneproof_generator::{Generated, Numbers};
use laneproof_interpreter::EntryMemory;

use crate::examine::{Fault, FaultKind, Outcome};
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

/// Short forms of the interpreter against full execution, and evaluator against interpreter on
/// instructions chosen by the module's own words.
pub(crate) fn examine(subject: &Subject, expected: &EntryMemory, generated: &Generated) -> Outcome {
    let wrong = |detail: String| {
        let kind = FaultKind::WrongValue;
        let (expected, observed, output) = (Some(subject.written(expected)), None, None);
        Outcome::Fault(Box::new(Fault { kind, detail, expected, observed, output }))
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
    match laneproof_fuzz::check(&bytes, 32) {
        Err(disagreement) => wrong(format!("evaluator and interpreter: {disagreement}")),
        _ => Outcome::Fine,
    }
}
