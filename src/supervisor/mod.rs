//! A child process, the worker, runs every command, so that there is an answer even if a solver
//! ignores interrupts, a compiler does not end, or memory is exhausted. The supervisor prints,
//! knows the results so far, and ends the worker.

mod ending;
mod memory;
mod message;
mod signals;
mod worker;

use std::ffi::OsString;
use std::io::BufRead as _;
use std::process::{Child, ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::iterator::Signals;
use tempfile::TempDir;
use wait_timeout::ChildExt as _;

use crate::terminal::Terminal;
use ending::{Cause, Ending};
pub use memory::MemoryLimit;
use message::Message;
pub use message::{Channel, Pending};
pub use worker::{INTERRUPTED, as_worker};

/// What the worker may take.
pub struct Bounds {
    /// When the command must have answered, counted from its start, and the flag that says so.
    pub total: Option<(Duration, &'static str)>,
    /// Resident memory.
    pub memory: MemoryLimit,
    /// The answer before anything is settled.
    pub pending: Option<Pending>,
    /// The command handles interrupts itself.
    pub heeds_interrupts: bool,
}

/// The time that a command has beyond its limit to end by itself, with a fuller report.
const GRACE: Duration = Duration::from_millis(1000);
/// The interval at which the worker's memory is sampled.
const POLL: Duration = Duration::from_millis(25);
/// The time that a worker that handles interrupts may go on after one.
const PATIENCE: Duration = Duration::from_secs(20);
/// A worker has this long to end what it started, which takes a moment unless the machine is busy.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the supervisor waits for.
enum Event {
    Message(Message),
    /// The worker's end of the pipe is closed: it ended.
    Closed,
    Signal(i32),
}

/// Runs the command of these words in a worker, and prints its output.
pub fn supervise(given: &[OsString], terminal: &Terminal, bounds: &Bounds, json: bool) -> ExitCode {
    let started = Instant::now();
    // Before there is a folder that a signal could leave, or a worker that it could leave alone.
    let signals = match Signals::new(signals::handled()) {
        Ok(signals) => signals,
        Err(error) => return Ending::NotStarted(error).print(terminal, json),
    };
    // Removed with what is left in it if the worker ends before it tidies up.
    let temporary = tempfile::Builder::new().prefix("laneproof-").tempdir().ok();
    let ending = match Worker::start(given, terminal, bounds, signals, temporary.as_ref()) {
        Ok(mut worker) => {
            let ending = worker.watch(bounds, started);
            worker.end();
            ending
        }
        Err(error) => Ending::NotStarted(error),
    };
    if let Some(folder) = temporary {
        tidy(folder, &ending);
    }
    ending.print(terminal, json)
}

/// A worker that answered has tidied up: what it left is for people to look at.
fn tidy(folder: TempDir, ending: &Ending) {
    if matches!(ending, Ending::Answered(_)) {
        let path = folder.keep();
        let _ = std::fs::remove_dir(path);
    }
}

struct Worker {
    process: Child,
    events: Receiver<Event>,
}

impl Worker {
    fn start(
        given: &[OsString],
        terminal: &Terminal,
        bounds: &Bounds,
        signals: Signals,
        temporary: Option<&TempDir>,
    ) -> std::io::Result<Self> {
        let (send, events) = channel();
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(given.iter().skip(1))
            .env(worker::WORKER, worker::handed_on(terminal, bounds))
            .stdout(Stdio::piped());
        if let Some(folder) = temporary {
            command.env("TMPDIR", folder.path());
        }
        let mut process = command.spawn()?;
        if let Some(output) = process.stdout.take() {
            let send = send.clone();
            thread::Builder::new().spawn(move || read(output, &send))?;
        }
        thread::Builder::new().spawn(move || watch_signals(signals, &send))?;
        Ok(Self { process, events })
    }

    /// Until it answers, ends, or has to be ended.
    fn watch(&mut self, bounds: &Bounds, started: Instant) -> Ending {
        let mut deadline = bounds.total.and_then(|(total, _)| started.checked_add(total + GRACE));
        let mut pending = bounds.pending.clone();
        let mut interrupted = None;
        let mut most = memory::Used::default();
        let cause = loop {
            match self.events.recv_timeout(POLL) {
                // Where memory is short a thread that does not start, or what aborts, is no fault.
                Ok(Event::Message(Message::Answer(rendered)))
                    if rendered.fault && bounds.memory.is_nearly_used(&most) =>
                {
                    break Cause::Memory(bounds.memory);
                }
                Ok(Event::Message(Message::Answer(rendered))) => return Ending::Answered(rendered),
                Ok(Event::Message(Message::Pending(news))) => pending = Some(news),
                Ok(Event::Signal(signal)) if bounds.heeds_interrupts && interrupted.is_none() => {
                    interrupted = Some(signal);
                    deadline = Some(Instant::now() + PATIENCE);
                    // A progress bar may be on the line.
                    eprintln!(
                        "\ninterrupted: the tool at work may end; a second interrupt ends at once"
                    );
                    self.send(worker::ASK);
                }
                Ok(Event::Signal(signal)) => break Cause::Interrupted(signal),
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => {
                    let signal = interrupted.or_else(|| self.signaled());
                    break self.ended_by_itself(signal, &most, bounds);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let used = memory::used(self.process.id()).unwrap_or_default();
            most = most.most(used);
            if bounds.memory.is_exceeded(&used) {
                break Cause::Memory(bounds.memory);
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                break match interrupted {
                    Some(signal) => Cause::Interrupted(signal),
                    None => {
                        let (limit, flag) = bounds.total.unwrap_or_default();
                        Cause::Time { limit, flag }
                    }
                };
            }
        };
        Ending::Stopped { cause, pending }
    }

    /// A signal that came with the worker's end, whichever of the two was noticed first.
    fn signaled(&self) -> Option<i32> {
        loop {
            match self.events.recv_timeout(POLL) {
                Ok(Event::Signal(signal)) => return Some(signal),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Why a worker ended without an answer.
    fn ended_by_itself(
        &mut self,
        signaled: Option<i32>,
        used: &memory::Used,
        bounds: &Bounds,
    ) -> Cause {
        let status = self.process.wait_timeout(FAREWELL).ok().flatten();
        if let Some(signal) = signaled {
            return Cause::Interrupted(signal);
        }
        match status.and_then(signal_of) {
            // Ended from outside: the system was out of memory.
            Some(9) => Cause::Memory(bounds.memory),
            // What fails to allocate aborts, or touches what it was not given.
            Some(_) if bounds.memory.is_nearly_used(used) => Cause::Memory(bounds.memory),
            _ => Cause::Died(status),
        }
    }

    /// Sends it a signal, if it has not ended.
    fn send(&mut self, signal: Signal) {
        let pid = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid.filter(|_| matches!(self.process.try_wait(), Ok(None))) {
            let _ = kill_process(pid, signal);
        }
    }

    /// Ends it, if it has not ended, and what it started.
    fn end(&mut self) {
        // It knows what it has started, and ends that first.
        self.send(worker::END);
        if !matches!(self.process.wait_timeout(FAREWELL), Ok(Some(_))) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

fn signal_of(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal()
}

/// Hands on what the worker says, line by line.
fn read(output: ChildStdout, send: &Sender<Event>) {
    for line in std::io::BufReader::new(output).lines().map_while(Result::ok) {
        // Output of libraries is ignored.
        if let Some(message) = Message::parse(&line)
            && send.send(Event::Message(message)).is_err()
        {
            return;
        }
    }
    let _ = send.send(Event::Closed);
}

/// Hands on the signals that ask for an end.
fn watch_signals(mut signals: Signals, send: &Sender<Event>) {
    for signal in signals.forever() {
        if send.send(Event::Signal(signal)).is_err() {
            return;
        }
    }
}
