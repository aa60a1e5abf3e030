//! Tools as data: what a description file says.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use include_dir::{Dir, include_dir};
use laneproof_semantics::{ModuleKind, line_and_column};
use rspirv::spirv::Capability;
use serde::Deserialize;

use crate::error::ToolError;

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tools");

/// What a tool does with a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolKind {
    /// SPIR-V in, SPIR-V out.
    Transform,
    /// SPIR-V to another language, and back by another compiler.
    Translate,
    /// Runs it.
    Execute,
    /// Says whether it is valid.
    Accept,
}

impl ToolKind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Translate => "translate",
            Self::Execute => "execute",
            Self::Accept => "accept",
        }
    }
}

/// Which modules a tool takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Gate {
    /// `shader`, `kernel`; by default both.
    pub module_kinds: Vec<String>,
    /// The only capabilities that group instructions and types may need; by default all.
    pub capabilities: Vec<String>,
    /// Opcodes, without `Op`, that it does not take.
    pub without: Vec<String>,
    /// The SPIR-V version to write.
    pub version: Option<String>,
    /// Modules must not declare maximal reconvergence.
    pub no_maximal_reconvergence: bool,
    /// Group instructions on types of 32 bits and Booleans only.
    pub plain_types: bool,
    /// Group instructions on scalars only.
    pub scalar_types: bool,
    /// No function-local memory, atomics or barriers.
    pub no_memory: bool,
}

/// How much a tool may use.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ToolLimits {
    /// Seconds for each step.
    pub seconds: f64,
    /// Address space, in MiB.
    pub memory_mib: u64,
}

impl Default for ToolLimits {
    fn default() -> Self {
        Self { seconds: 10.0, memory_mib: 4096 }
    }
}

impl ToolLimits {
    /// The time for each step.
    pub fn time(self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::from_secs(10))
    }
}

/// What a tool needs, and how it is found.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Requirements {
    /// The programs that it needs; `laneproof` is this program itself.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Alternative files that it needs; one must exist. `{folder}` is the private folder.
    #[serde(default)]
    pub files: Vec<String>,
    /// The command that prints its version.
    #[serde(default)]
    pub version: Vec<String>,
    /// How to get it.
    #[serde(default)]
    pub get: String,
}

/// The commands of a tool.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Commands {
    /// What to put in the place of `{variant}`, one of them for each module: a list of words each.
    #[serde(default)]
    pub variants: Vec<Vec<String>>,
    /// Its commands. `{in}` and `{out}` are files, `{1}`, `{2}`, … files between steps; a step
    /// of an executing tool reads jobs from standard input.
    #[serde(default)]
    pub steps: Vec<Vec<String>>,
    /// The `main` of its one step's program can be called again and again in one process, which
    /// saves starting one for each module. A wrong result is confirmed in a process of its own.
    #[serde(default)]
    pub persistent: bool,
    /// Environment variables of its commands.
    #[serde(default)]
    pub environment: std::collections::BTreeMap<String, String>,
}

/// A tool, as a description file states it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tool {
    /// Its name on the command line.
    pub name: String,
    /// What it does.
    pub kind: ToolKind,
    /// One sentence about it.
    #[serde(default)]
    pub about: String,
    /// What a tool needs, and how it is found.
    #[serde(flatten)]
    pub requirements: Requirements,
    /// What it takes.
    #[serde(default)]
    pub gate: Gate,
    /// What it may use.
    #[serde(default)]
    pub limits: ToolLimits,
    /// Its commands.
    #[serde(flatten)]
    pub commands: Commands,
    /// Parts of messages by which it says that it does not support a module.
    #[serde(default)]
    pub unsupported: Vec<String>,
    /// It is a part of this program.
    #[serde(default)]
    pub built_in: Option<BuiltInTool>,
    /// Keys that no description has.
    #[serde(flatten)]
    unknown: std::collections::BTreeMap<String, toml::Value>,
}

/// Tools without a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuiltInTool {
    /// Reads and writes a module with rspirv.
    Rspirv,
    /// This project's own engines against each other.
    Engines,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tool: Vec<Tool>,
}

/// The tools that this project describes.
///
/// # Errors
///
/// A description that does not read.
pub fn built_in() -> Result<Vec<Tool>, ToolError> {
    let mut files: Vec<_> = BUILT_IN.files().collect();
    files.sort_by_key(|file| file.path());
    let mut tools = Vec::new();
    for file in files {
        let name = file.path().display().to_string();
        tools.extend(parse(file.contents_utf8().unwrap_or_default(), &name)?);
    }
    Ok(tools)
}

/// The tools that a file describes.
///
/// # Errors
///
/// A file that cannot be read, or that describes no tools.
pub fn read(path: &Path) -> Result<Vec<Tool>, ToolError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|source| ToolError::Unreadable { name: name.clone(), source })?;
    parse(&text, &name)
}

fn parse(text: &str, name: &str) -> Result<Vec<Tool>, ToolError> {
    let malformed = |reason: String| ToolError::Malformed {
        name: name.to_owned(),
        reason: reason.trim().to_owned(),
    };
    let file: File = toml::from_str(text).map_err(|error| {
        let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
        let (name, reason) = (format!("{name}:{line}:{column}"), error.message().to_owned());
        ToolError::Malformed { name, reason }
    })?;
    for tool in &file.tool {
        tool.checked().map_err(|reason| malformed(format!("tool `{}`: {reason}", tool.name)))?;
    }
    for (at, tool) in file.tool.iter().enumerate() {
        if file.tool[..at].iter().any(|it| it.name == tool.name) {
            let (file, name) = (name.to_owned(), tool.name.clone());
            return Err(ToolError::NamedTwice { file, name });
        }
    }
    Ok(file.tool)
}

impl Tool {
    /// What the description's grammar does not show.
    fn checked(&self) -> Result<(), String> {
        if let Some(key) = self.unknown.keys().next() {
            return Err(format!("unknown field `{key}`"));
        }
        if self.commands.steps.iter().any(Vec::is_empty) {
            return Err("a step has no words".to_owned());
        }
        if self.commands.steps.is_empty() && self.built_in.is_none() {
            return Err("has no steps".to_owned());
        }
        if self.commands.persistent
            && (self.commands.steps.len() != 1 || self.kind == ToolKind::Execute)
        {
            return Err("is persistent, which takes one step that executes no modules".to_owned());
        }
        for name in &self.gate.capabilities {
            if name.parse::<Capability>().is_err() {
                return Err(format!("`{name}` is no capability"));
            }
        }
        for module_kind in &self.gate.module_kinds {
            if module_kind != "shader" && module_kind != "kernel" {
                return Err(format!(
                    "`{module_kind}` is not a kind of module; expected `shader` or `kernel`"
                ));
            }
        }
        match self.gate.version() {
            Some(version) if !((1, 3)..=(1, 6)).contains(&version) => {
                Err("the SPIR-V version must be 1.3 to 1.6".to_owned())
            }
            None if self.gate.version.is_some() => Err("no version is `MAJOR.MINOR`".to_owned()),
            _ => Ok(()),
        }
    }
}

impl Gate {
    /// The kinds of modules that pass.
    pub fn module_kinds(&self) -> Vec<ModuleKind> {
        let all = [(ModuleKind::Shader, "shader"), (ModuleKind::Kernel, "kernel")];
        let passes = |name: &str| {
            self.module_kinds.is_empty() || self.module_kinds.iter().any(|it| it == name)
        };
        all.into_iter()
            .filter(|(_, name)| passes(name))
            .map(|(module_kind, _)| module_kind)
            .collect()
    }

    /// The version to write, if one is stated.
    pub fn version(&self) -> Option<(u8, u8)> {
        let (major, minor) = self.version.as_ref()?.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }

    /// The capabilities that may be used; `None`: any.
    pub fn capabilities(&self) -> Option<BTreeSet<Capability>> {
        if self.capabilities.is_empty() {
            return None;
        }
        Some(self.capabilities.iter().filter_map(|name| name.parse().ok()).collect())
    }
}
