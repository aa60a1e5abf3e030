//! Documents of runs that did not come to their end.

use laneproof_module::Named;
use serde_json::{Value, json};

use crate::outcome::Stop;

/// What stopped a run, as a document.
pub fn write_stop(stop: &Stop) -> Value {
    match stop {
        Stop::UndefinedBehavior { site, instruction, lanes, reason } => json!({
            "undefined_behavior": {
                "instruction": instruction,
                "lanes": lanes,
                "clause": reason,
                "word": site.word,
                "path": site.path,
            }
        }),
        Stop::AssumptionFailed { site, lanes } => json!({
            "assumption_failed": { "lanes": lanes, "word": site.word, "path": site.path }
        }),
        Stop::NotModelled { instruction, place, why } => json!({
            "not_modelled": {
                "instruction": instruction,
                "why": why,
                "word": place.word,
                "line": place.line,
            }
        }),
        Stop::Illegal { site, instruction, lanes } => json!({
            "illegal": {
                "instruction": instruction.name(),
                "lanes": lanes,
                "word": site.word,
                "path": site.path,
            }
        }),
        Stop::Undecided { .. }
        | Stop::Endless { .. }
        | Stop::StepLimit
        | Stop::TimeLimit
        | Stop::MemoryLimit
        | Stop::BadCall { .. } => json!({ "error": stop.to_string() }),
    }
}
