//! Child processes with limits of time and memory.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, prlimit};
use wait_timeout::ChildExt as _;

use crate::tool::ToolLimits;

/// A program and how it is called.
#[derive(Clone, Debug)]
pub struct ToolProgram {
    /// Its file.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables beside those of this process.
    pub environment: Vec<(String, String)>,
    /// What it may use.
    pub limits: ToolLimits,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It ended by itself.
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
    /// By us, since the campaign ends.
    Interrupted,
    /// It could not be started.
    NotStarted(String),
}

impl Ending {
    /// Of a program that ended by itself, unless its status says that another one that it started
    /// did not.
    pub(crate) fn of_status(status: i32, output: String, message: String) -> Self {
        match status {
            // A shell reports a signal as 128 and its number.
            129..160 => Self::Signaled { signal: status - 128, message },
            status => Self::Exited { status, output, message },
        }
    }
}

/// How much of what a program prints is read.
pub(crate) const MOST: u64 = 1 << 20;

/// The largest file that a program may write.
#[cfg(target_os = "linux")]
const LARGEST_FILE: u64 = 256 << 20;

/// How often it is looked whether to go on waiting.
pub(crate) const GLANCE: Duration = Duration::from_millis(20);

/// How long what a program has printed may take to arrive when it has ended.
pub(crate) const FAREWELL: Duration = Duration::from_secs(1);

/// The same of one that has failed: on a loaded machine it takes longer to read why.
const REASON: Duration = Duration::from_secs(5);

/// How many times its limit a program may take that waits for a processor.
const PATIENCE: u32 = 10;

impl ToolProgram {
    /// Starts it in a process group of its own, so that an interrupt at the terminal is not its.
    pub(crate) fn start(&self, pipes: impl FnOnce(&mut Command)) -> io::Result<Running> {
        let mut command = self.command();
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .process_group(0);
        pipes(&mut command);
        let child = command.spawn()?;
        let running = Running { group: Group::of(&child), child };
        #[cfg(target_os = "linux")]
        self.limit(&running);
        Ok(running)
    }

    /// Limits what it may use. A shell that does so first would take longer than small programs.
    #[cfg(target_os = "linux")]
    fn limit(&self, running: &Running) {
        let bytes = self.limits.memory_mib.saturating_mul(1 << 20);
        for (resource, most) in
            [(Resource::As, bytes), (Resource::Core, 0), (Resource::Fsize, LARGEST_FILE)]
        {
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            // What has ended already has used what it used.
            let _ = prlimit(running.group.0, resource, limit);
        }
    }

    #[cfg(target_os = "linux")]
    fn command(&self) -> Command {
        Command::new(&self.file)
    }

    /// The command, which the shell limits before it becomes the program.
    #[cfg(not(target_os = "linux"))]
    fn command(&self) -> Command {
        let mut command = Command::new("sh");
        let limit = self.limits.memory_mib.saturating_mul(1024);
        command
            .arg("-c")
            .arg(format!("ulimit -v {limit} 2>/dev/null; ulimit -c 0; exec \"$0\" \"$@\""))
            .arg(&self.file);
        command
    }

    /// The command line for a shell.
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

/// A program at work, which ends with this value, and with it all that it started.
pub(crate) struct Running {
    group: Group,
    pub child: Child,
}

/// How waiting for a program ended.
enum Waited {
    Ended(ExitStatus),
    TooLong,
    Interrupted,
}

impl Running {
    /// Until it ends, its time is over, or `stop` is set. Time that it waits for a processor is not its
    /// own: on a loaded machine a slow program is no hang.
    fn wait(&mut self, time: Duration, stop: &AtomicBool) -> io::Result<Waited> {
        let start = Instant::now();
        loop {
            let elapsed = start.elapsed();
            let mut left = time.saturating_sub(elapsed);
            if left.is_zero() && elapsed < time.saturating_mul(PATIENCE) {
                left = time.saturating_sub(elapsed.saturating_sub(waited(self.child.id())));
            }
            if let Some(status) = self.child.wait_timeout(left.min(GLANCE))? {
                return Ok(Waited::Ended(status));
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(Waited::Interrupted);
            }
            if left.is_zero() {
                return Ok(Waited::TooLong);
            }
        }
    }
}

impl Running {
    /// How it ended, of one that has closed its pipes.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.child.wait_timeout(FAREWELL).ok().flatten()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.group.end();
        let _ = self.child.wait();
    }
}

/// How long a process has waited for a processor, where the system says it.
fn waited(process: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    waited_by(&text)
}

/// The second of Linux's three numbers, in nanoseconds.
fn waited_by(schedstat: &str) -> Duration {
    let number = schedstat.split_whitespace().nth(1).and_then(|it| it.parse().ok());
    Duration::from_nanos(number.unwrap_or(0))
}

/// Process groups of programs that are at work.
static AT_WORK: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn at_work() -> MutexGuard<'static, BTreeSet<i32>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program and what it has started.
struct Group(Option<Pid>);

impl Group {
    fn of(leader: &Child) -> Self {
        let group = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
        at_work().extend(group.map(Pid::as_raw_pid));
        Self(group)
    }

    fn end(&self) {
        let Some(group) = self.0 else { return };
        // A process that has ended already cannot be killed.
        let _ = kill_process_group(group, Signal::KILL);
        at_work().remove(&group.as_raw_pid());
    }
}

/// Ends all programs with all that they started, for a process that is about to end.
pub fn end_tools() {
    for group in std::mem::take(&mut *at_work()).into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Runs a program until it ends, its time is over, or `stop` is set.
pub fn run(program: &ToolProgram, time: Duration, stop: &AtomicBool) -> Ending {
    let started = program.start(|command| {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    });
    let mut running = match started {
        Ok(running) => running,
        Err(error) => return Ending::NotStarted(error.to_string()),
    };
    let output = drain(running.child.stdout.take());
    let message = drain(running.child.stderr.take());
    let waited = running.wait(time, stop);
    // What it has left behind would hold its pipes open.
    drop(running);
    let status = match waited {
        Ok(Waited::Ended(status)) => status,
        Ok(Waited::TooLong) => return Ending::TimedOut,
        Ok(Waited::Interrupted) => return Ending::Interrupted,
        Err(error) => return Ending::NotStarted(error.to_string()),
    };
    // What has left the group may hold them still.
    let time = if status.success() { FAREWELL } else { REASON };
    let read = |pipe: Receiver<String>| pipe.recv_timeout(time).unwrap_or_default();
    let (output, message) = (read(output), read(message));
    match (status.code(), status.signal()) {
        (Some(status), _) => Ending::of_status(status, output, message),
        (None, signal) => Ending::Signaled { signal: signal.unwrap_or(0), message },
    }
}

/// The name of a signal.
pub(crate) fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 15] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ, a file larger than 256 MiB"),
        (31, "SIGSYS"),
    ];
    let named = NAMES.iter().find(|(number, _)| *number == signal);
    named.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}

/// All that comes out of a pipe, when it is closed.
pub(crate) fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = (&mut pipe).take(MOST).read_to_end(&mut bytes);
            // The receiver is gone if the program was given up.
            let _ = send.send(String::from_utf8_lossy(&bytes).into_owned());
            // What is too much is not kept, but must not block the child.
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
    });
    receive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_without_a_processor_is_read() {
        assert_eq!(waited_by("120000 34000000 5\n"), Duration::from_millis(34));
        assert_eq!(waited_by(""), Duration::ZERO);
        assert!(waited(std::process::id()) < Duration::from_secs(3600));
    }
}
