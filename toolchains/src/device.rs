//! A device behind a child process, which runs jobs one after the other.
//!
//! The child first prints a line of JSON that says what it is: `{"device": "…", "subgroup_size":
//! 8, "capabilities": ["GroupNonUniform", …]}`, or `{"error": "…"}`. It then reads jobs from
//! standard input, a line each: the files of module, inputs and observation, separated by tabs. For
//! each it prints a line: `ok`, `unsupported REASON`, `refused REASON` or `failed REASON`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use laneproof_generator::Generated;
use rspirv::spirv::Capability;
use serde::Deserialize;
use serde_json::Value;

use crate::apply::{Files, bytes_of, program};
use crate::find::Places;
use crate::process::end;
use crate::tool::Tool;

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

/// What became of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What was left in memory.
    Memory(Value),
    /// The device does not support the module.
    Unsupported(String),
    /// The driver refuses a module of which it supports everything.
    Refused(String),
    /// It could not be tried.
    Failed(String),
    /// The child died.
    Crashed(String),
    /// It did not answer.
    Hung,
}

/// How long a device may take to be there: drivers are large, and machines are busy.
const START: Duration = Duration::from_secs(120);

/// A child with a device.
pub struct Device {
    tool: Tool,
    places: Places,
    child: Option<(Child, ChildStdin, Receiver<String>)>,
    /// What it is.
    pub about: About,
}

impl Device {
    /// Starts the child of a tool.
    ///
    /// # Errors
    ///
    /// Why there is no device.
    pub fn start(tool: &Tool, places: &Places, folder: &Path) -> Result<Self, String> {
        let about = About::default();
        let mut device = Self { tool: tool.clone(), places: places.clone(), child: None, about };
        device.about = device.restart(folder)?;
        Ok(device)
    }

    fn restart(&mut self, folder: &Path) -> Result<About, String> {
        self.stop();
        let step = self.tool.steps.first().ok_or("has no steps")?;
        let program = program(&self.tool, step, &[], &self.places, &Files { folder })
            .ok_or_else(|| format!("no program `{}`", step[0]))?;
        let mut command = program.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            end(&mut child);
            return Err("has no pipes".to_owned());
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // Nobody listens any more when the device was given up.
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let first = lines.recv_timeout(START);
        self.child = Some((child, stdin, lines));
        let first = match first {
            Ok(line) => line,
            Err(_) => {
                self.stop();
                return Err("the device's process says nothing".to_owned());
            }
        };
        let about: About = serde_json::from_str(&first).map_err(|error| error.to_string())?;
        match about.error {
            Some(reason) => {
                self.stop();
                Err(reason)
            }
            None => Ok(about),
        }
    }

    fn stop(&mut self) {
        if let Some((mut child, stdin, _)) = self.child.take() {
            drop(stdin);
            end(&mut child);
        }
    }

    /// Runs a module.
    pub fn run(&mut self, generated: &Generated, folder: &Path) -> Answer {
        if self.child.is_none()
            && let Err(reason) = self.restart(folder)
        {
            return Answer::Failed(reason);
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
        let Some((_, stdin, lines)) = &mut self.child else {
            return Answer::Failed("no child".to_owned());
        };
        let sent =
            writeln!(stdin, "{}\t{}\t{}", module.display(), inputs.display(), observed.display())
                .and_then(|()| stdin.flush());
        let answer = match sent {
            Ok(()) => lines.recv_timeout(time),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        match answer {
            Ok(line) => Self::answer(&line, &observed),
            Err(RecvTimeoutError::Timeout) => {
                self.stop();
                Answer::Hung
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.as_mut().and_then(|(child, ..)| child.wait().ok());
                self.stop();
                Answer::Crashed(status.map_or("ended".to_owned(), |status| status.to_string()))
            }
        }
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

impl Drop for Device {
    fn drop(&mut self) {
        self.stop();
    }
}
