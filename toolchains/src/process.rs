//! Child processes with limits of time and memory.

use std::io::Read;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt as _;

use crate::tool::Limits;

/// A program and how it is called.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables beside those of this process.
    pub environment: Vec<(String, String)>,
    /// What it may use.
    pub limits: Limits,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Exited {
        /// Its exit status.
        status: i32,
        /// What it printed.
        output: String,
        /// What it printed on standard error.
        message: String,
    },
    /// By a signal.
    Signaled {
        /// Which.
        signal: i32,
        /// What it printed on standard error.
        message: String,
    },
    /// By us, after its time.
    TimedOut,
    /// It could not be started.
    NotStarted(String),
}

/// How much of what a program prints is read.
const MOST: u64 = 1 << 20;

impl Program {
    /// The command, whose address space the shell limits before it becomes the program.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("sh");
        let limit = self.limits.memory_mib.saturating_mul(1024);
        command
            .arg("-c")
            .arg(format!("ulimit -v {limit} 2>/dev/null; ulimit -c 0; exec \"$0\" \"$@\""))
            .arg(&self.file)
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// As a shell would be told.
    pub fn line(&self) -> String {
        let quoted = |word: &str| {
            let plain =
                |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+".contains(letter);
            if !word.is_empty() && word.chars().all(plain) {
                word.to_owned()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        let file = self.file.display().to_string();
        let environment =
            self.environment.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = std::iter::once(&file).chain(&self.arguments).map(|word| quoted(word));
        environment.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// Runs a program to its end.
pub fn run(program: &Program, time: Duration) -> Ending {
    let mut command = program.command();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ending::NotStarted(error.to_string()),
    };
    let output = drain(child.stdout.take());
    let message = drain(child.stderr.take());
    let status = match child.wait_timeout(time) {
        Ok(Some(status)) => status,
        Ok(None) => {
            end(&mut child);
            return Ending::TimedOut;
        }
        Err(error) => {
            end(&mut child);
            return Ending::NotStarted(error.to_string());
        }
    };
    let read = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
    let (output, message) = (read(output), read(message));
    match (status.code(), status.signal()) {
        // The shell reports a signal as 128 and its number.
        (Some(code), _) if code > 128 && code < 160 => {
            Ending::Signaled { signal: code - 128, message }
        }
        (Some(status), _) => Ending::Exited { status, output, message },
        (None, signal) => Ending::Signaled { signal: signal.unwrap_or(0), message },
    }
}

/// Ends a child that has not ended.
pub(crate) fn end(child: &mut Child) {
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = (&mut pipe).take(MOST).read_to_end(&mut bytes);
            // What is too much is not kept, but must not block the child.
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
