//! `laneproof run`: a module in the interpreter, lane by lane.

mod text;

use clap::Args;
use laneproof_interpreter::document::{write_finished, write_memory, write_stop};
use laneproof_interpreter::{Options, Stop, Zeros, call, run_entry};
use laneproof_smt::{Evaluated, readings};
use serde_json::{Value, json};

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::setting::Setting;
use crate::start::{Start, Started};

pub use text::why;

/// Run a function in one subgroup, or an entry point in one workgroup, in the interpreter
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    start: Start,
}

impl Run {
    /// Runs it, and says what came out.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let program = self.start.load()?;
        let inputs = self.start.inputs()?;
        let settled = self.start.settled(&setting.specification, &program)?;
        let primitives = Evaluated::new(&setting.specification, &settled, &program);
        let readings = readings(&settled);
        let options = Options { primitives: Some(&primitives), readings, ..Options::default() };
        let ending = match self.start.started(&program, &inputs)? {
            Started::Function(function, request) => call(&request, &options, &mut Zeros)
                .map(|finished| write_finished(&finished, function)),
            Started::Entry(request, memory) => run_entry(&request, memory, &options, &mut Zeros)
                .map(|memory| write_memory(&memory, &inputs)),
        };
        match ending {
            Ok(document) => Ok(Answer {
                exit: Exit::Good,
                text: text::document(&document, setting.terminal),
                json: document,
            }),
            Err(stop) => self.stopped(&stop, setting),
        }
    }

    fn stopped(&self, stop: &Stop, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let exit = match stop {
            Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. } => Exit::Bad,
            Stop::BadCall { reason } => return Err(self.start.bad_call(reason)),
            _ => Exit::Undecided,
        };
        Ok(Answer { exit, text: text::stop(stop, setting.terminal), json: stopped_json(stop) })
    }
}

/// The document of a run that did not come to its end.
pub fn stopped_json(stop: &Stop) -> Value {
    match stop {
        // To break an assumption is undefined behavior like any other.
        Stop::AssumptionFailed { lanes, site } => json!({ "undefined_behavior": {
            "instruction": "OpAssumeTrueKHR",
            "lanes": lanes,
            "clause": "the assumption is false",
            "word": site.word,
            "path": site.path,
        } }),
        Stop::Endless { .. } | Stop::StepLimit => json!({ "unknown": stop.to_string() }),
        _ => write_stop(stop),
    }
}
