//! Documents of runs that did not come to their end.

use laneproof_interpreter::Stop;
use laneproof_module::spirv::Op;
use laneproof_module::{Named, Place, Program};
use serde_json::{Value, json};

/// What stopped a run of a program, as a document: `undefined_behavior`, or `unknown` in the form of
/// `verify`'s, with a `reason`.
pub fn write_stop(stop: &Stop, program: &Program) -> Value {
    let (site, instruction, lanes, clause) = match stop {
        Stop::UndefinedBehavior { site, instruction, lanes, reason } => {
            (site, instruction.as_str(), lanes, reason.to_string())
        }
        // To break an assumption is undefined behavior like any other.
        Stop::AssumptionFailed { site, lanes } => {
            (site, Op::AssumeTrueKHR.name(), lanes, "the assumption is false".to_owned())
        }
        _ => return undecided(stop, program),
    };
    let mut behavior = json!({
        "instruction": instruction,
        "lanes": lanes,
        "clause": clause,
        "word": site.word,
        "path": site.path,
    });
    // For compiled sources; an assembly line is added where it is known.
    if let Some(line) = program.debug.lines.get(&site.word) {
        behavior["line"] = line.line.into();
    }
    json!({ "undefined_behavior": behavior })
}

/// The document of an undecided run.
fn undecided(stop: &Stop, program: &Program) -> Value {
    let (kind, instruction, location) = match stop {
        Stop::NotModelled { instruction, place, .. } => {
            ("unsupported", Some(instruction.as_str()), Some(location(*place, program)))
        }
        Stop::Illegal { instruction, .. } | Stop::Undecided { instruction, .. } => {
            ("incomplete", Some(instruction.name()), None)
        }
        Stop::TimeLimit => ("timeout", None, None),
        Stop::MemoryLimit => ("memory", None, None),
        _ => ("bound", None, None),
    };
    json!({ "reason": stop.to_string(), "unknown": {
        "kind": kind,
        "instruction": instruction,
        "location": location,
        "hint": null,
    } })
}

/// A line of the compiled source or of the assembly, or a word of the binary.
fn location(place: Place, program: &Program) -> String {
    let compiled = program.debug.lines.get(&place.word).map(|line| line.line);
    match compiled.unwrap_or(place.line) {
        0 => format!("word {}", place.word),
        line => format!("line {line}"),
    }
}
