//! `laneproof validate`: whether an environment's documents allow a module.

mod list;
mod text;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use laneproof_environment::{Body, Device, Diagnostic, Environment, Severity, table, validate};
use laneproof_module::list_bytes;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::sarif::{Finding, Region, Rule, Sarif};
use crate::setting::Setting;

/// Judge a module by the rules that an environment's documents have for modules
#[derive(Args)]
pub struct Validate {
    /// The module, SPIR-V binary or assembly; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The environment: vulkan, opencl or level-zero
    #[arg(long, value_name = "NAME")]
    environment: Environment,
    /// The device's facts: a file, or the name of a built-in one, as vulkan_full
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,
    /// Warnings and notes are bad, too
    #[arg(long)]
    strict: bool,
    /// List the rules by document, each with what becomes of it
    #[arg(long, conflicts_with_all = ["file", "sarif"])]
    list: bool,
    #[command(flatten)]
    sarif: Sarif,
}

impl Validate {
    /// Judges it, and says what was found.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let body = Body::new(self.environment, &setting.specification);
        let device = self.device.as_deref().map(device).transpose()?;
        let Some(file) = self.file.as_deref().filter(|_| !self.list) else {
            return Ok(list::answer(&table(&body), self.environment, setting.terminal));
        };
        let name = if file == Path::new("-") { "standard input" } else { &file.to_string_lossy() };
        let bytes = read(file, name)?;
        let listing =
            list_bytes(&bytes, name, self.environment.versions()).map_err(Failure::Load)?;
        let found = validate(&body, &listing, device.as_ref());
        self.sarif.write_rules(&rules(&found), &findings(&found, file))?;
        let valid = found.iter().all(|it| it.severity != Severity::Error);
        let good = if self.strict { found.is_empty() } else { valid };
        let undecided = valid && found.iter().any(Diagnostic::is_undecided);
        let exit = match (undecided, good) {
            (true, _) => Exit::Undecided,
            (_, true) => Exit::Good,
            _ => Exit::Bad,
        };
        Ok(Answer {
            exit,
            text: text::answer(&found, &bytes, name, self.environment, setting.terminal),
            json: json!({ "valid": valid, "diagnostics": found }),
        })
    }
}

/// A device file's facts, or those of a built-in one where no file of that name is at hand.
fn device(path: &Path) -> Result<Device, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .or_else(|source| Device::built_in(&name).map(str::to_owned).ok_or(source))
        .map_err(|source| Failure::NoDevice {
            name: name.clone(),
            source,
            help: format!("built-in ones are {}", Device::names().join(", ")),
        })?;
    Device::parse(&text, &name).map_err(Failure::DeviceFile)
}

fn read(file: &Path, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let limit = laneproof_module::limits::MAX_BYTES as u64 + 1;
    let read = match name == "standard input" && file == Path::new("-") {
        true => std::io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => std::fs::File::open(file).and_then(|it| it.take(limit).read_to_end(&mut bytes)),
    };
    read.map_err(|source| Failure::Unreadable { name: name.to_owned(), source })?;
    Ok(bytes)
}

/// The rules that something was found by, each once.
fn rules(found: &[Diagnostic]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for it in found {
        if rules.iter().all(|known| known.id != it.rule) {
            let (id, says) = (it.rule.clone(), it.citation.clone());
            rules.push(Rule { id, level: it.severity.name(), says });
        }
    }
    rules
}

fn findings(found: &[Diagnostic], file: &Path) -> Vec<Finding> {
    let finding = |it: &Diagnostic| Finding {
        rule: it.rule.clone(),
        level: Some(it.severity.name()),
        message: format!("{} ({})", it.message, it.citation),
        file: file.to_path_buf(),
        region: match (it.line, it.word) {
            (Some(line), _) => Region::Line(line as usize),
            (None, Some(word)) => Region::Byte(u64::from(word) * 4),
            (None, None) => Region::Line(1),
        },
    };
    found.iter().map(finding).collect()
}
