//! What results of floating point may be where an environment leaves that to its devices.

use std::fmt::Write as _;
use std::sync::Arc;

use laneproof_interpreter::rounds;
use laneproof_module::spirv::Op;
use laneproof_semantics::Specification;
use laneproof_semantics::language::margin::Margin;
use laneproof_tokens::GrammarEntry;
use serde_json::{Value, json};

/// All that an environment says of an instruction's results.
pub fn of<'a>(
    specification: &'a Specification,
    environment: &'a str,
    instruction: &str,
) -> Vec<&'a Arc<Margin>> {
    let entry = GrammarEntry::of(instruction);
    let extended = entry.as_ref().is_some_and(|it| it.set().is_some());
    let opcode = match extended {
        true => Some(Op::ExtInst),
        false => entry.and_then(|it| Op::from_u32(it.opcode())),
    };
    let own = instruction.rsplit(' ').next().unwrap_or(instruction);
    let concerns = |it: &&Arc<Margin>| match &it.instructions[..] {
        [] => opcode.is_some_and(rounds),
        listed => listed.iter().any(|it| *it.name == *own || extended && &*it.name == "OpExtInst"),
    };
    specification.margins_in(environment).filter(concerns).collect()
}

/// The same below the instruction, as the file has it.
pub fn page(margins: &[&Arc<Margin>]) -> String {
    let mut out = String::new();
    let (mut section, mut sentences) = (None, None);
    for it in margins {
        if section != Some((&it.document, &it.section)) {
            section = Some((&it.document, &it.section));
            sentences = None;
            let _ = write!(out, "\n\narithmetic in {} section {:?}", it.document, it.section);
        }
        if sentences != Some(&it.sentences) {
            sentences = Some(&it.sentences);
            let numbers: Vec<String> = it.sentences.iter().map(u32::to_string).collect();
            let _ = write!(out, "\n  [{}] {:?}", numbers.join(", "), it.wording);
        }
        let _ = write!(out, "\n    allows {it}");
    }
    out
}

/// The same as JSON.
pub fn document(margin: &Margin) -> Value {
    json!({
        "document": &*margin.document,
        "section": &*margin.section,
        "sentences": margin.sentences,
        "wording": &*margin.wording,
        "allows": margin.to_string(),
    })
}
