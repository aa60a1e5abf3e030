//! A device behind a child process, which runs jobs one after the other.
//!
//! The child first prints a line of JSON that says what it is: `{"device": "…", "subgroup_size":
//! 8, "capabilities": ["GroupNonUniform", …]}`, or `{"error": "…"}`. It then reads jobs from
//! standard input, a line each: the files of module, inputs and observation, separated by tabs. For
//! each it prints a line: `ok`, `unsupported REASON`, `refused REASON` or `failed REASON`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use laneproof_generator::Generated;
use rspirv::spirv::Capability;
use serde::Deserialize;
use serde_json::Value;

use crate::apply::{Files, bytes_of, program, said as why};
use crate::find::{LocatedTool, Places};
use crate::process::{FAREWELL, GLANCE, Running, drain, signal_name};
use crate::tool::{Tool, ToolKind};

/// What a device is.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct About {
    /// Its name and its driver's version.
    #[serde(default)]
    pub device: String,
    /// The size of its subgroups.
    #[serde(default)]
    pub subgroup_size: u32,
    /// The capabilities that it takes.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Group instructions may work on 8-, 16- and 64-bit types.
    #[serde(default)]
    pub extended_types: bool,
    /// It knows `MaximallyReconvergesKHR`.
    #[serde(default)]
    pub maximal_reconvergence: bool,
    /// Why it cannot be used.
    #[serde(default)]
    pub error: Option<String>,
}

impl About {
    /// The capabilities that it takes.
    pub fn capabilities(&self) -> BTreeSet<Capability> {
        self.capabilities.iter().filter_map(|name| name.parse().ok()).collect()
    }
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What was left in memory.
    Memory(Value),
    /// The device does not support the module.
    Unsupported(String),
    /// The driver rejects a module although it supports everything in it.
    Refused(String),
    /// It could not be tried.
    Failed(String),
    /// The child died.
    Crashed(String),
    /// It did not answer.
    Hung,
    /// The campaign ended first.
    Interrupted,
}

/// Starts a device that was found, and records its name, or why it did not start.
pub fn start_to_list(found: &mut LocatedTool, places: &Places, stop: &AtomicBool) {
    if found.tool.kind != ToolKind::Execute || found.missing.is_some() {
        return;
    }
    let Ok(folder) = tempfile::tempdir() else { return };
    match Device::start(&found.tool, places, folder.path(), stop) {
        Ok(device) if device.about.device.is_empty() => {}
        Ok(device) => found.version = device.about.device.clone(),
        Err(reason) => found.missing = Some(reason),
    }
}

/// How long a device may take to be there: drivers are large, and machines are busy.
const START: Duration = Duration::from_secs(120);

/// Why a device is not there when the campaign ends.
const INTERRUPTED: &str = "interrupted";

/// A child that is at work.
struct Live {
    running: Running,
    jobs: ChildStdin,
    lines: Receiver<String>,
    /// What it has printed on standard error, once it has ended.
    message: Receiver<String>,
}

impl Live {
    /// How it died, in the middle of a job.
    fn end(&mut self) -> Answer {
        let status = self.running.status();
        let message = self.message.recv_timeout(FAREWELL).unwrap_or_default();
        match status {
            Some(status) => Answer::died(status, &why(&message, "")),
            None => Answer::Crashed("it ended".to_owned()),
        }
    }
}

/// A child with a device.
pub struct Device {
    tool: Tool,
    places: Places,
    child: Option<Live>,
    /// What it is.
    pub about: About,
}

impl Device {
    /// Starts the child of a tool.
    ///
    /// # Errors
    ///
    /// Why there is no device.
    pub fn start(
        tool: &Tool,
        places: &Places,
        folder: &Path,
        stop: &AtomicBool,
    ) -> Result<Self, String> {
        let about = About::default();
        let mut device = Self { tool: tool.clone(), places: places.clone(), child: None, about };
        device.about = device.restart(folder, stop)?;
        Ok(device)
    }

    fn restart(&mut self, folder: &Path, stop: &AtomicBool) -> Result<About, String> {
        self.child = None;
        let step = self.tool.commands.steps.first().ok_or("has no steps")?;
        let program = program(&self.tool, step, &[], &self.places, &Files { folder })
            .ok_or_else(|| format!("no program `{}`", step[0]))?;
        let started = program.start(|command| {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        let mut running = started.map_err(|error| error.to_string())?;
        let pipes = (running.child.stdin.take(), running.child.stdout.take());
        let (Some(jobs), Some(stdout)) = pipes else { return Err("has no pipes".to_owned()) };
        let message = drain(running.child.stderr.take());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // The receiver is gone if the device was given up.
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let first = match said(&lines, START, stop) {
            Said::Line(line) => line,
            Said::Ended => return Err("the device's process says nothing".to_owned()),
            Said::Nothing => {
                return Err(format!("says nothing in {} seconds", START.as_secs()));
            }
            Said::Interrupted => return Err(INTERRUPTED.to_owned()),
        };
        let about: About = serde_json::from_str(&first)
            .map_err(|error| format!("does not say what it is in JSON: {error}"))?;
        match about.error {
            Some(reason) => Err(reason),
            None => {
                self.child = Some(Live { running, jobs, lines, message });
                Ok(about)
            }
        }
    }

    /// Runs a module.
    pub fn run(&mut self, generated: &Generated, folder: &Path, stop: &AtomicBool) -> Answer {
        if self.child.is_none()
            && let Err(reason) = self.restart(folder, stop)
        {
            return match stop.load(Ordering::Relaxed) {
                true => Answer::Interrupted,
                false => Answer::Failed(reason),
            };
        }
        let [module, inputs, observed] =
            ["module.spv", "inputs.json", "observed.json"].map(|name| folder.join(name));
        let _ = fs::remove_file(&observed);
        let document = generated.inputs.document(generated.tree.target.flavor).to_string();
        let written = fs::write(&module, bytes_of(&generated.words))
            .and_then(|()| fs::write(&inputs, document));
        if let Err(error) = written {
            return Answer::Failed(error.to_string());
        }
        let time = self.tool.limits.time();
        let Some(Live { jobs, lines, .. }) = &mut self.child else {
            return Answer::Failed("no child".to_owned());
        };
        let sent =
            writeln!(jobs, "{}\t{}\t{}", module.display(), inputs.display(), observed.display())
                .and_then(|()| jobs.flush());
        let answer = match sent {
            Ok(()) => said(lines, time, stop),
            Err(_) => Said::Ended,
        };
        let silent = match answer {
            Said::Line(line) => return Self::answer(&line, &observed),
            Said::Nothing => Answer::Hung,
            Said::Interrupted => Answer::Interrupted,
            Said::Ended => match &mut self.child {
                Some(live) => live.end(),
                None => Answer::Crashed("it ended".to_owned()),
            },
        };
        self.child = None;
        silent
    }

    fn answer(line: &str, observed: &Path) -> Answer {
        let (word, reason) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "ok" => match fs::read(observed).map(|bytes| serde_json::from_slice(&bytes)) {
                Ok(Ok(document)) => Answer::Memory(document),
                _ => Answer::Failed("no observation was written".to_owned()),
            },
            "unsupported" => Answer::Unsupported(reason.to_owned()),
            "refused" => Answer::Refused(reason.to_owned()),
            _ => Answer::Failed(reason.to_owned()),
        }
    }
}

impl Answer {
    /// Of a child that has ended in the middle of a job.
    fn died(status: ExitStatus, message: &str) -> Self {
        let with = |how: String| match message {
            "" => Self::Crashed(how),
            message => Self::Crashed(format!("{how}: {message}")),
        };
        match status.signal() {
            // The terminal, or a system without memory: not what the device does.
            Some(signal @ (1 | 2 | 9 | 15)) => {
                Self::Failed(format!("ended from outside by {}", signal_name(signal)))
            }
            Some(signal) => with(signal_name(signal)),
            None => with(format!("it ended with {status}")),
        }
    }
}

/// What a device's process said.
enum Said {
    Line(String),
    /// Nothing, in its time.
    Nothing,
    /// Nothing, and it never will.
    Ended,
    /// The campaign ended first.
    Interrupted,
}

/// The next line, unless `stop` is set first.
fn said(lines: &Receiver<String>, time: Duration, stop: &AtomicBool) -> Said {
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left.min(GLANCE)) {
            Ok(line) => return Said::Line(line),
            Err(RecvTimeoutError::Disconnected) => return Said::Ended,
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                return Said::Interrupted;
            }
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Said::Nothing,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
