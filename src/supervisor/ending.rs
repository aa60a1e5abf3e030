//! How a command ended, and what is printed then.

use std::process::{ExitCode, ExitStatus};
use std::time::Duration;

use serde_json::{Value, json};

use super::memory::MemoryLimit;
use super::message::Pending;
use crate::answer::{Exit, Output, print};
use crate::terminal::Terminal;

/// How a command ended.
pub enum Ending {
    /// The worker answered.
    Answered(Output),
    /// It ended, or was ended, before it did.
    Stopped {
        /// Why.
        cause: Cause,
        /// What was settled by then.
        pending: Option<Pending>,
    },
    /// There was no worker.
    NotStarted(std::io::Error),
}

/// Why there is no answer.
pub enum Cause {
    /// The total limit was reached, and the worker did not stop by itself.
    Time {
        /// The limit.
        limit: Duration,
        /// What sets it.
        flag: &'static str,
    },
    /// It took more memory than it may.
    Memory(MemoryLimit),
    /// This signal ended it.
    Interrupted(i32),
    /// It ended without an answer.
    Died(Option<ExitStatus>),
}

impl Cause {
    /// In words, with what to do.
    fn reason(&self) -> String {
        match self {
            Self::Time { limit, flag } => format!(
                "timed out after {} s, while something ran that cannot be interrupted ({flag})",
                limit.as_secs_f64()
            ),
            Self::Memory(memory) => match memory.scarce() {
                Some(granted) => format!(
                    "out of memory: the system grants {granted} MiB of address space (ulimit -v)"
                ),
                None => format!("out of memory at the limit of {} MiB (--memory)", memory.asked),
            },
            Self::Interrupted(_) => "interrupted".to_owned(),
            Self::Died(status) => {
                let how = status.map_or_else(|| "without a status".to_owned(), |it| it.to_string());
                format!(
                    "internal error in laneproof, please report it: the worker ended early ({how})"
                )
            }
        }
    }

    /// `unknown` in a document.
    fn unknown(&self) -> Value {
        let (kind, hint) = match self {
            Self::Time { flag, .. } => ("timeout", Some(*flag)),
            Self::Memory(_) => ("memory", Some("--memory")),
            Self::Interrupted(_) => ("interrupted", None),
            Self::Died(_) => return Value::Null,
        };
        json!({ "kind": kind, "instruction": null, "location": null, "hint": hint })
    }
}

impl Ending {
    /// Prints what there is, and says how it went.
    pub fn print(self, terminal: &Terminal, json: bool) -> ExitCode {
        let (cause, pending) = match self {
            Self::Answered(rendered) => return print(&rendered),
            Self::Stopped { cause, pending } => (cause, pending),
            Self::NotStarted(error) => {
                let reason = format!("laneproof cannot start a process: {error}");
                return print(&unusable(&reason, json));
            }
        };
        if terminal.attended {
            // What is left of a bar.
            eprint!("\r\x1b[K");
        }
        let reason = cause.reason();
        if matches!(cause, Cause::Died(_)) {
            return print(&unusable(&reason, json));
        }
        let bad = pending.as_ref().is_some_and(|pending| pending.bad);
        let exit = match cause {
            Cause::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(130),
            _ if bad => Exit::Bad as u8,
            _ => Exit::Undecided as u8,
        };
        let (text, document) = match pending {
            Some(Pending { text, mut json, .. }) => {
                if !bad {
                    json["reason"] = reason.clone().into();
                    json["unknown"] = cause.unknown();
                }
                (text, json)
            }
            None => (String::new(), json!({ "reason": reason, "unknown": cause.unknown() })),
        };
        let word = if bad { "stopped" } else { "unknown" };
        let out = match json {
            true => format!("{document:#}\n"),
            false => format!("{word}: {reason}\n{text}"),
        };
        print(&Output { exit, out, err: String::new(), fault: false })
    }
}

fn unusable(reason: &str, json: bool) -> Output {
    let out = if json { format!("{:#}\n", json!({ "error": reason })) } else { String::new() };
    let err = format!("error: {reason}\n");
    Output { exit: Exit::Unusable as u8, out, err, fault: true }
}
