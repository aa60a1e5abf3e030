//! What a command answers, and how the process says it.

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use laneproof_verify::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::excerpt::{escaped, escaped_but_colors};
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proved, valid, everything as expected.
    Good = 0,
    /// Refuted, invalid, something unexpected.
    Bad = 1,
    /// The command could not be carried out as asked.
    Unusable = 2,
    /// Timed out, bound reached, not supported.
    Undecided = 3,
    /// Ended by the user.
    Interrupted = 130,
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

/// Everything that the process prints in the end.
#[derive(Serialize, Deserialize)]
pub struct Output {
    /// Its exit status.
    pub exit: u8,
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub err: String,
    /// It says that something went wrong inside: where memory was short, that is why.
    pub fault: bool,
}

/// The output for an answer or a failure.
pub fn rendered(terminal: &Terminal, json: bool, answer: Result<Answer, Failure>) -> Output {
    let fault = answer.as_ref().is_err_and(Failure::is_fault);
    let (exit, document, text, err) = match answer {
        Ok(answer) => (answer.exit, answer.json, answer.text, String::new()),
        Err(failure) => {
            let document = json!({ "error": failure.line() });
            (Exit::Unusable, document, String::new(), failure.shown(terminal))
        }
    };
    let fit = if terminal.page.color { escaped_but_colors } else { escaped };
    let out = if json { json_text(&document) } else { fit(&text) };
    Output { exit: exit as u8, out, err, fault }
}

/// A document as text. JSON leaves some control characters as they are, a terminal does not.
fn json_text(document: &Value) -> String {
    let mut out = String::new();
    for c in format!("{document:#}\n").chars() {
        match c {
            '\u{7f}'..='\u{9f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Prints it. An answer that cannot be written is no answer, unless a reader that has seen enough
/// closed the pipe.
pub fn print(output: &Output) -> ExitCode {
    let exit = ExitCode::from(output.exit);
    let _ = std::io::stderr().lock().write_all(output.err.as_bytes());
    let mut out = std::io::stdout().lock();
    unwritten(out.write_all(output.out.as_bytes()).and_then(|()| out.flush())).unwrap_or(exit)
}

/// The exit status where standard output cannot be written, with a message.
fn unwritten(written: std::io::Result<()>) -> Option<ExitCode> {
    let error = written.err().filter(|error| error.kind() != ErrorKind::BrokenPipe)?;
    let _ = writeln!(std::io::stderr(), "error: standard output cannot be written: {error}");
    Some(Exit::Unusable.into())
}

/// Prints what is wrong with the words of the command line, or the help that they ask for.
pub fn usage(error: clap::Error, terminal: &Terminal, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        return print(&rendered(terminal, true, Err(Failure::Usage(error))));
    }
    let exit = if error.use_stderr() { Exit::Unusable } else { Exit::Good };
    unwritten(error.print()).unwrap_or(exit.into())
}
