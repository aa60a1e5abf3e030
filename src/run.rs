//! `laneproof run`: a module in the interpreter, lane by lane.

mod text;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use clap::Args;
use laneproof_interpreter::{
    EntryMemory, Finished, Latitude, Leeway, RunOptions, Stop, Zeros, asked_otherwise, call,
    run_entry,
};
use laneproof_module::Program;
use laneproof_oracle::{Blind, mark_open, write_called, write_memory, write_stop};
use laneproof_verify::{Evaluated, latitude, readings};

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::setting::{Setting, seconds};
use crate::start::{Start, Started};

pub use text::{named, why};

/// Run a function in one subgroup, or an entry point in one workgroup, in the interpreter
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    start: Start,
    /// Time limit of the whole command: it is not known whether what still runs then ends
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    timeout: Duration,
}

impl Run {
    /// When it must have answered.
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Runs it, and says what came out.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let deadline = Instant::now().checked_add(self.timeout);
        let program = self.start.load()?;
        let inputs = self.start.inputs()?;
        let settled = self.start.settled(&setting.specification, &program)?;
        let primitives = Evaluated::new(&setting.specification, &settled, &program);
        let readings = readings(&settled);
        // Lanes that race have undefined behavior; where memory barriers or atomics might order them,
        // that is not known here.
        let races = !Blind::of(&program).ordering;
        // What execution modes ask for in arithmetic.
        let leeway = asked_otherwise(&program).map(|_| Leeway::new(Latitude::default(), &program));
        let options = RunOptions {
            primitives: Some(&primitives),
            readings,
            races,
            fences: races,
            leeway: leeway.as_ref(),
            in_full: leeway.is_some(),
            deadline,
            ..RunOptions::default()
        };
        // What is the same under all choices, and on all devices; nothing where more than values
        // depends on one.
        let devices = Leeway::new(latitude(&setting.specification, &settled), &program);
        let leeway = Some(&devices);
        let follow = RunOptions { follow: true, in_full: true, leeway, ..options };
        let (mut left, inactive, same) = match self.start.started(&program, &inputs)? {
            Started::Function(function, request, memory) => {
                let write = |finished: &Finished| {
                    write_called(finished, function, (&memory.left(finished), &inputs))
                };
                let reachable = memory.reachable();
                let options = RunOptions { reachable, ..options };
                let follow = RunOptions { reachable, ..follow };
                let finished = match call(&request, &options, &mut Zeros) {
                    Ok(finished) => finished,
                    Err(stop) => return self.stopped(&stop, &program, setting),
                };
                let inactive = (0..request.sizes.existing)
                    .filter(|lane| finished.results[*lane as usize].is_none())
                    .collect();
                let same = call(&request, &follow, &mut Zeros).map(|it| write(&it));
                (write(&finished), inactive, same)
            }
            Started::Entry(request, memory) => {
                let write = |memory: &EntryMemory| write_memory(memory, &inputs);
                let finished = match run_entry(&request, memory.clone(), &options, &mut Zeros) {
                    Ok(finished) => finished,
                    Err(stop) => return self.stopped(&stop, &program, setting),
                };
                let same = run_entry(&request, memory, &follow, &mut Zeros);
                (write(&finished), BTreeSet::new(), same.map(|it| write(&it)))
            }
        };
        if let Ok(same) = &same {
            mark_open(&mut left, same);
        }
        let mut text = text::document(&left, &inactive, setting.terminal);
        if let Err(stop) = &same {
            text::not_followed(&mut text, stop, setting.terminal);
        }
        Ok(Answer { exit: Exit::Good, text, json: left })
    }

    fn stopped(
        &self,
        stop: &Stop,
        program: &Program,
        setting: &Setting<'_>,
    ) -> Result<Answer, Failure> {
        let exit = match stop {
            Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. } => Exit::Bad,
            Stop::BadCall { reason } => return Err(self.start.bad_call(reason)),
            _ => Exit::Undecided,
        };
        let text = text::stop(stop, program, setting.terminal);
        Ok(Answer { exit, text, json: write_stop(stop, program) })
    }
}
