//! What a command answers, and how the process says it.

use std::io::Write as _;
use std::process::ExitCode;

use laneproof_smt::Verdict;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::setting::Terminal;

/// Exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proved, valid, everything as expected.
    Good = 0,
    /// Refuted, invalid, something unexpected.
    Bad = 1,
    /// The command could not be carried out as asked.
    Unusable = 2,
    /// Time-out, bound reached, not modelled.
    Undecided = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Proved => Self::Good,
            Verdict::Refuted | Verdict::Vacuous => Self::Bad,
            Verdict::Unknown => Self::Undecided,
        }
    }
}

/// The answer to a command that could be carried out.
pub struct Answer {
    /// How good it is.
    pub exit: Exit,
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
}

/// Prints an answer, or why there is none, and says how it went.
pub fn print(terminal: &Terminal, json: bool, answer: Result<Answer, Failure>) -> ExitCode {
    let (exit, document, text) = match answer {
        Ok(answer) => (answer.exit, answer.json, answer.text),
        Err(failure) => {
            eprint!("{}", failure.shown(terminal));
            (Exit::Unusable, json!({ "error": failure.line() }), String::new())
        }
    };
    let out = if json { format!("{document:#}\n") } else { text };
    // A reader that has seen enough closes the pipe: the answer stays the same.
    let _ = std::io::stdout().lock().write_all(out.as_bytes());
    exit.into()
}
