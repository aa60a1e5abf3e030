//! A tool that stays alive between modules: its `main` is called again and again in one process.
//! What keeps it alive is in `persistent/persistent.c`.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Ending, GLANCE, MOST, Running, ToolProgram};

/// The library; empty where none could be compiled.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/persistent.so"));

/// What the library says first.
const GREETING: [u8; 4] = *b"lpf1";

/// How long a program may take until it says so. One that does not know the library says something
/// else, or nothing.
const START: Duration = Duration::from_secs(5);

/// After this number of calls a new process is started: not every program frees its memory.
const CALLS: u32 = 2000;

/// A process that takes calls.
struct Live {
    running: Running,
    calls: ChildStdin,
    answers: Receiver<[u8; 4]>,
    taken: u32,
}

/// How waiting for an answer ended.
enum Heard {
    Word([u8; 4]),
    Ended,
    TooLong,
    Interrupted,
}

/// A program whose `main` can be called again.
pub(crate) struct Persistent {
    library: PathBuf,
    live: Option<Live>,
    /// It does not answer; each module gets a process of its own.
    absent: bool,
}

impl Persistent {
    /// Of a program that was not started yet, with the library in a folder.
    pub fn new(folder: &Path) -> Self {
        let library = folder.join("persistent.so");
        let absent = LIBRARY.is_empty() || fs::write(&library, LIBRARY).is_err();
        Self { library, live: None, absent }
    }

    /// Calls its `main` with the arguments of a program; `None`: it cannot be called so.
    pub fn run(
        &mut self,
        program: &ToolProgram,
        name: &str,
        folder: &Path,
        time: Duration,
        stop: &AtomicBool,
    ) -> Option<Ending> {
        if self.live.as_ref().is_none_or(|live| live.taken >= CALLS) {
            self.live = None;
            self.start(program, name, stop);
        }
        let live = self.live.as_mut()?;
        let [output, message] = ["output", "message"].map(|file| folder.join(file));
        let files = [&output, &message].map(|file| file.display().to_string());
        let words = files.iter().chain(&program.arguments);
        let bytes: Vec<u8> = words.flat_map(|word| [word.as_bytes(), &[0]].concat()).collect();
        let length = u32::try_from(bytes.len()).ok()?;
        let sent = live.calls.write_all(&[&length.to_le_bytes()[..], &bytes].concat());
        live.taken += 1;
        let heard = match sent {
            Ok(()) => heard(&live.answers, time, stop),
            Err(_) => Heard::Ended,
        };
        let (output, message) = (beginning(&output), beginning(&message));
        let ending = match heard {
            Heard::Word(status) => {
                // As a process would end with it.
                let status = i32::from(status[0]);
                return Some(Ending::of_status(status, output, message));
            }
            Heard::TooLong => Ending::TimedOut,
            Heard::Interrupted => Ending::Interrupted,
            Heard::Ended => match live.running.status() {
                Some(status) => match (status.code(), status.signal()) {
                    (Some(code), _) => Ending::of_status(code, output, message),
                    (None, signal) => Ending::Signaled { signal: signal.unwrap_or(0), message },
                },
                None => Ending::NotStarted("its process does not answer".to_owned()),
            },
        };
        self.live = None;
        Some(ending)
    }

    fn start(&mut self, program: &ToolProgram, name: &str, stop: &AtomicBool) {
        if self.absent {
            return;
        }
        let mut program = ToolProgram { arguments: Vec::new(), ..program.clone() };
        program.environment.extend([
            ("LD_PRELOAD".to_owned(), self.library.display().to_string()),
            ("LANEPROOF_PERSISTENT".to_owned(), name.to_owned()),
        ]);
        let started = program.start(|command| {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        });
        let Ok(mut running) = started else { return };
        let pipes = (running.child.stdin.take(), running.child.stdout.take());
        let (Some(calls), Some(stdout)) = pipes else { return };
        let answers = answers(stdout);
        match heard(&answers, START, stop) {
            Heard::Word(GREETING) => {
                self.live = Some(Live { running, calls, answers, taken: 0 });
            }
            Heard::Interrupted => {}
            _ => self.absent = true,
        }
    }
}

/// What a process says, four bytes each.
fn answers(mut stdout: ChildStdout) -> Receiver<[u8; 4]> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut word = [0; 4];
        while stdout.read_exact(&mut word).is_ok() && sender.send(word).is_ok() {}
    });
    receiver
}

fn heard(answers: &Receiver<[u8; 4]>, time: Duration, stop: &AtomicBool) -> Heard {
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match answers.recv_timeout(left.min(GLANCE)) {
            Ok(word) => return Heard::Word(word),
            Err(RecvTimeoutError::Disconnected) => return Heard::Ended,
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                return Heard::Interrupted;
            }
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Heard::TooLong,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// What a file holds, as far as it is read.
fn beginning(file: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(file) {
        let _ = file.take(MOST).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
