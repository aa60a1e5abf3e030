//! The reference validator's complaints.

use std::collections::BTreeSet;

use laneproof_module::spirv::Op;
use laneproof_module::{Reference, opcode_name};

use crate::diagnostic::{Diagnostic, Severity, UNDECIDED};
use crate::environment::Environment;
use crate::shown::described;
use crate::view::View;

/// What it says by SPIR-V's own rules, and else by those of its environment. It stops at its first
/// complaint, and takes capabilities and versions for illegal that are only not promised: of these
/// the rules speak, as they do of instructions where a rule has found an error already.
pub fn findings(
    view: &View<'_>,
    environment: Environment,
    rules: &[Diagnostic],
) -> Vec<Diagnostic> {
    if let Some(complaint) = view.listing.complaint(None) {
        return vec![diagnostic(view, &complaint, "universal/spirv-val")];
    }
    let Some(reference) = environment.reference() else { return Vec::new() };
    let Some(complaint) = view.listing.complaint(Some(reference)) else { return Vec::new() };
    let at = |place| view.instructions().iter().find(|it| Some(it.place) == place);
    let about_promise = at(complaint.place).is_none_or(|it| it.opcode == Op::Capability);
    let known = |it: &Diagnostic| {
        it.severity == Severity::Error && it.word == complaint.place.map(|place| place.word)
    };
    if complaint.decided && (about_promise || rules.iter().any(known)) {
        return Vec::new();
    }
    vec![diagnostic(view, &complaint, &format!("universal/{environment}"))]
}

fn diagnostic(view: &View<'_>, complaint: &Reference, rule: &str) -> Diagnostic {
    let instruction = view.instructions().iter().find(|it| Some(it.place) == complaint.place);
    Diagnostic {
        rule: if complaint.decided { rule } else { UNDECIDED }.to_owned(),
        severity: if complaint.decided { Severity::Error } else { Severity::Warning },
        message: complaint.message.clone(),
        instruction: instruction.map(|it| opcode_name(it.opcode)),
        word: complaint.place.map(|place| place.word),
        line: complaint.place.map(|place| place.line).filter(|&line| line > 0),
        citation: "SPIR-V, as SPIRV-Tools validates it".to_owned(),
        reading: None,
        depends_on: BTreeSet::new(),
        subject: None,
        breadth: None,
        shown: instruction.map(|it| described(view, it)),
    }
}
