//! Which tools this machine has.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::process::{Ending, ToolProgram, run};
use crate::tool::{Tool, ToolLimits};

/// A tool that was looked for.
#[derive(Clone, Debug)]
pub struct LocatedTool {
    /// What its description says.
    pub tool: Tool,
    /// What is missing; `None`: it can be used.
    pub missing: Option<String>,
    /// What it says of its version.
    pub version: String,
}

/// What takes longer than this part of a limit, and than a moment, may hang.
const HASTY: f64 = 0.1;
const MOMENT: f64 = 0.5;

impl LocatedTool {
    /// The same with less time, for what only may hang.
    pub(crate) fn hasty(&self) -> Self {
        let mut hasty = self.clone();
        let seconds = self.tool.limits.seconds;
        hasty.tool.limits.seconds = (seconds * HASTY).max(MOMENT).min(seconds);
        hasty
    }
}

/// The variable that says where the private folder with toolchains is.
pub(crate) const TOOLCHAINS: &str = "LANEPROOF_TOOLCHAINS";

/// Where programs are looked for.
#[derive(Clone, Debug)]
pub struct Places {
    /// Where `cargo xtask toolchains` puts them.
    pub folder: PathBuf,
    /// This program.
    pub own: PathBuf,
}

impl Places {
    /// `LANEPROOF_TOOLCHAINS`, or a folder among the user's data.
    pub fn new() -> Self {
        let folder = env::var_os(TOOLCHAINS).map(PathBuf::from).or_else(|| {
            let project = directories::ProjectDirs::from("", "", "laneproof")?;
            Some(project.data_local_dir().join("toolchains"))
        });
        Self {
            folder: folder.unwrap_or_else(|| "toolchains".into()),
            own: env::current_exe().unwrap_or_else(|_| "laneproof".into()),
        }
    }

    /// The file of a program.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        if name == "laneproof" {
            return Some(self.own.clone());
        }
        if name.contains('/') {
            return Some(PathBuf::from(name)).filter(|path| path.is_file());
        }
        let own = self.folder.join("bin").join(name);
        let path = env::var_os("PATH").unwrap_or_default();
        let listed = env::split_paths(&path).map(|folder| folder.join(name));
        std::iter::once(own).chain(listed).find(|path| path.is_file())
    }

    /// A word of a description, with its placeholders filled in.
    pub fn word(&self, word: &str) -> String {
        let word = word.replace("{self}", &self.own.display().to_string());
        word.replace("{folder}", &self.folder.display().to_string())
    }

    /// The environment variables of a tool's description, with placeholders filled in.
    pub(crate) fn environment(&self, tool: &Tool) -> Vec<(String, String)> {
        let variables = tool.commands.environment.iter();
        variables.map(|(name, value)| (name.clone(), self.word(value))).collect()
    }
}

impl Default for Places {
    fn default() -> Self {
        Self::new()
    }
}

/// A version, or the text for a missing one.
pub fn stated(version: &str) -> &str {
    if version.is_empty() { "not stated" } else { version }
}

/// Looks for a tool.
pub fn find(tool: &Tool, places: &Places, stop: &AtomicBool) -> LocatedTool {
    // What it calls it needs as well, whether its description says so or not.
    let called = tool.commands.steps.iter().filter_map(|step| step.first());
    let called = called.map(|word| places.word(word)).filter(|word| !word.contains('{'));
    let mut needed = tool.requirements.programs.iter().cloned().chain(called);
    let lacks = needed.find(|name| places.program(name).is_none());
    let mut missing = lacks.map(|name| format!("no program `{name}`"));
    if missing.is_none() && !tool.requirements.files.is_empty() {
        let exists = |file: &String| Path::new(&places.word(file)).exists();
        if !tool.requirements.files.iter().any(exists) {
            missing = Some(format!("no file `{}`", places.word(&tool.requirements.files[0])));
        }
    }
    let version = if missing.is_none() { version(tool, places, stop) } else { String::new() };
    LocatedTool { tool: tool.clone(), missing, version }
}

/// The version of a tool: the first line with a digit in the output of its version command.
fn version(tool: &Tool, places: &Places, stop: &AtomicBool) -> String {
    if tool.built_in.is_some() {
        return format!("as linked into laneproof {}", env!("CARGO_PKG_VERSION"));
    }
    let Some((name, arguments)) = tool.requirements.version.split_first() else {
        return String::new();
    };
    let Some(file) = places.program(name) else { return String::new() };
    let program = ToolProgram {
        file,
        arguments: arguments.iter().map(|word| places.word(word)).collect(),
        environment: places.environment(tool),
        limits: ToolLimits { seconds: 20.0, ..tool.limits },
    };
    let stated_version = match run(&program, Duration::from_secs(20), stop) {
        Ending::Exited { output, message, .. } => {
            let text = format!("{output}\n{message}");
            let numbered = |line: &&str| line.chars().any(|letter| letter.is_ascii_digit());
            text.lines().map(str::trim).find(numbered).unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    // What was unpacked into the private folder has a package's version.
    let package = std::fs::read_to_string(places.folder.join("versions").join(name));
    match package {
        Ok(package) if stated_version.is_empty() => package.trim().to_owned(),
        Ok(package) => format!("{stated_version} ({})", package.trim()),
        Err(_) => stated_version,
    }
}
