//! `laneproof spec --smt2`: what the solver is given for an instruction.

use laneproof_queries::definition::{Definition, definitions};
use laneproof_queries::model_check::Clauses;
use laneproof_semantics::ModuleKind;
use laneproof_semantics::Specification;
use serde_json::{Value, json};

use super::Subject;
use crate::answer::{Answer, Exit};

/// A script for each form of each subject, separated by `(reset)`.
pub fn answer(
    specification: &Specification,
    subjects: &[Subject<'_>],
    profile: Option<&str>,
) -> Answer {
    let of = |subject: &Subject<'_>| {
        let clauses = match *subject {
            Subject::Instruction(it) => Clauses::Instruction(it),
            Subject::BuiltIn(it) => Clauses::BuiltIn(it),
            // A question has no terms of its own.
            Subject::Reading(_) => return Vec::new(),
        };
        definitions(specification, clauses, profile)
    };
    let definitions: Vec<Definition> = subjects.iter().flat_map(of).collect();
    let texts: Vec<String> = definitions.iter().map(text).collect();
    Answer {
        exit: Exit::Good,
        text: texts.join("\n(reset)\n"),
        json: json!({ "definitions": definitions.iter().map(document).collect::<Vec<_>>() }),
    }
}

fn text(definition: &Definition) -> String {
    match &definition.text {
        Ok(text) => text.clone(),
        Err(why) => format!("; {}, {}: {why}\n", definition.name, definition.form),
    }
}

fn document(definition: &Definition) -> Value {
    let module_kinds: Vec<&str> =
        definition.module_kinds.iter().map(|it| ModuleKind::capability(*it)).collect();
    json!({
        "name": definition.name,
        "form": definition.form,
        "capabilities": module_kinds,
        "bounded": definition.bounded,
        "smt2": definition.text.as_ref().ok(),
        "not_modelled": definition.text.as_ref().err().map(ToString::to_string),
    })
}
