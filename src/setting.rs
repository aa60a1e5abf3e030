//! The options of every command: the specification, the number of jobs.

use std::borrow::Cow;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ColorChoice};
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::{Specification, machine};
use laneproof_verify::VerifyError;

use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;
use crate::supervisor::Channel;
use crate::terminal::Terminal;

/// The heading of the flags that every command has, in its help.
const EVERY_COMMAND: &str = "Options of every command";

/// Flags of every command.
#[derive(Args)]
pub struct Shared {
    /// Print one JSON document and nothing else on standard output
    #[arg(long, global = true, help_heading = EVERY_COMMAND)]
    pub json: bool,
    /// Number of obligations to work on at a time [default: one for each processor]
    #[arg(long, global = true, help_heading = EVERY_COMMAND, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Add a specification file, or a built-in machine by its name (repeatable)
    #[arg(long, global = true, help_heading = EVERY_COMMAND, value_name = "FILE")]
    pub spec: Vec<PathBuf>,
    /// Memory limit for each obligation, in MiB
    #[arg(long, global = true, help_heading = EVERY_COMMAND, value_name = "MIB",
          default_value = "4096",
          value_parser = clap::value_parser!(u64).range(64..))]
    pub memory: u64,
    /// Use colors
    #[arg(long, global = true, help_heading = EVERY_COMMAND, value_name = "WHEN",
          default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// What every command knows.
pub struct Setting<'a> {
    /// The built-in specification, or that and the user's files.
    pub specification: Cow<'static, Specification>,
    /// The names and texts of the user's files.
    pub files: Vec<(String, String)>,
    /// How many threads; 0: one a processor.
    pub jobs: usize,
    /// Where answers and messages go.
    pub terminal: &'a Terminal,
    /// Takes what is settled before the end.
    pub channel: Channel,
}

impl Shared {
    /// How many obligations are worked on at a time.
    pub fn jobs(&self) -> u64 {
        let processors = || std::thread::available_parallelism().map_or(1, NonZero::get) as u64;
        self.jobs.map_or_else(processors, u64::from)
    }

    /// Reads the specification files.
    pub fn setting<'a>(&self, terminal: &'a Terminal) -> Result<Setting<'a>, Failure> {
        let mut specification = Cow::Borrowed(Specification::built_in());
        let mut files = Vec::new();
        for path in &self.spec {
            let name = path.display().to_string();
            let text = match (document::text(path, MOST_TEXT), machine(&name)) {
                (Err(Failure::Unreadable { .. }), Some(machine)) => machine.to_owned(),
                (text, _) => text?,
            };
            if text.trim().is_empty() {
                return Err(Failure::Empty { name });
            }
            specification = Cow::Owned(specification.extended_with(&name, &text)?);
            files.push((name, text));
        }
        if !specification.kinds.is_empty() {
            // Ways to read the texts stand beside those that the texts have.
            AsWritten::extended_with(files.clone())?;
        }
        let jobs = self.jobs.map_or(0, usize::from);
        Ok(Setting { specification, files, jobs, terminal, channel: Channel })
    }
}

/// A profile that `--profile` names is one that the specification has.
pub fn known_profile(name: Option<&str>, setting: &Setting<'_>) -> Result<(), Failure> {
    let profiles = &setting.specification.profiles;
    match name.filter(|name| !profiles.contains_key(*name)) {
        None => Ok(()),
        Some(name) => {
            let known = profiles.keys().map(ToString::to_string).collect();
            let source = VerifyError::Profile(name.to_owned(), known);
            Err(Failure::of_verify("--profile".to_owned(), source))
        }
    }
}

/// A subgroup size, as a flag gives it.
pub fn size(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size: &u32| size.is_power_of_two() && *size <= 128);
    size.ok_or_else(|| "expected a power of two up to 128".to_owned())
}

/// One of several subgroup sizes, as a flag gives them.
pub fn one_of_sizes(text: &str) -> Result<u32, String> {
    let all = "expected a power of two up to 128, or several with commas between them, as 4,8,16";
    size(text).map_err(|_| all.to_owned())
}

/// A number of subgroups of a workgroup, as a flag gives it.
pub fn subgroups(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=128).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 128".to_owned())
}

/// A reading and its alternative, as a flag gives them.
pub fn reading(text: &str) -> Result<(String, String), String> {
    let (name, alternative) = text.split_once('=').ok_or("expected NAME=ALTERNATIVE")?;
    Ok((name.trim().to_owned(), alternative.trim().to_owned()))
}

/// A time in seconds, as a flag gives it.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    // What Z3 counts in milliseconds fits 32 bits.
    let duration = seconds
        .filter(|seconds| *seconds > 0.0 && *seconds <= 4_000_000.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds above 0 and up to 4000000".to_owned())
}
