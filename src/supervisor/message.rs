//! What a worker tells its supervisor: a line of JSON each, on its standard output.

use std::io::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Output;

/// The prefix of every message, to tell it from output of libraries.
const MARK: &str = "laneproof: ";

/// One message.
#[derive(Serialize, Deserialize)]
pub enum Message {
    /// The answer if the command had to end now.
    Pending(Pending),
    /// The answer. Nothing comes after it.
    Answer(Output),
}

impl Message {
    /// Reads a line.
    pub fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line.strip_prefix(MARK)?).ok()
    }
}

/// What was settled so far.
#[derive(Clone, Serialize, Deserialize)]
pub struct Pending {
    /// It is settled that the answer is bad.
    pub bad: bool,
    /// For people.
    pub text: String,
    /// For programs: the command's document. If nothing bad is settled, why there is no more is
    /// put into its members `reason` and `unknown`.
    pub json: Value,
}

/// The way from the worker to its supervisor.
#[derive(Clone, Copy, Default)]
pub struct Channel;

impl Channel {
    /// The answer if the command had to end now.
    pub fn pending(self, pending: Pending) {
        send(&Message::Pending(pending));
    }

    /// The answer.
    pub fn answer(self, rendered: Output) {
        send(&Message::Answer(rendered));
    }
}

fn send(message: &Message) {
    if let Ok(line) = serde_json::to_string(message) {
        let mut out = std::io::stdout().lock();
        // Without a supervisor there is no receiver.
        let _ = writeln!(out, "{MARK}{line}").and_then(|()| out.flush());
    }
}
