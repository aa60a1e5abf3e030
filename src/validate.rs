//! `laneproof validate`: whether an environment's documents allow a module.

mod list;
mod text;

use std::path::{Path, PathBuf};

use clap::Args;
use laneproof_environment::{Body, Device, Diagnostic, Environment, Severity, table, validate};
use laneproof_frontends::Source;
use laneproof_module::list_bytes;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;
use crate::sarif::{Sarif, SarifFinding, SarifRegion, SarifRule};
use crate::setting::Setting;

/// Check a module against the rules of an environment's documents
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
    /// Treat warnings and notes as errors
    #[arg(long)]
    strict: bool,
    /// List the rules by document, each with its status
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
        let name = &document::name(file);
        let bytes = module(file, self.environment)?;
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

/// A device file's facts, or those of a built-in one if there is no file of that name.
pub fn device(path: &Path) -> Result<Device, Failure> {
    let name = path.display().to_string();
    let text = match (document::text(path, MOST_TEXT), Device::built_in(&name)) {
        (Err(Failure::Unreadable { .. }), Some(built_in)) => built_in.to_owned(),
        (Err(Failure::Unreadable { name, source }), None) => {
            let help = format!("built-in ones are {}", Device::names().join(", "));
            return Err(Failure::NoDevice { name, source, help });
        }
        (text, _) => text?,
    };
    Device::parse(&text, &name).map_err(Failure::DeviceFile)
}

/// The bytes of a module. The rules are those of a module that an application hands over: what is
/// compiled for the other commands is another one.
fn module(file: &Path, environment: Environment) -> Result<Vec<u8>, Failure> {
    let source = Source::read(file)?;
    match source.language() {
        None => Ok(source.into_bytes()),
        Some(language) => Err(Failure::Uncompiled {
            name: document::name(file),
            language,
            help: format!(
                "compile it as your application does, or write the module that laneproof looks at: \
                 `laneproof compile {} -o module.spv`, then `laneproof validate --environment {} \
                 module.spv`",
                file.display(),
                environment.name(),
            ),
        }),
    }
}

/// The rules that something was found by, each once.
fn rules(found: &[Diagnostic]) -> Vec<SarifRule> {
    let mut rules: Vec<SarifRule> = Vec::new();
    for it in found {
        if rules.iter().all(|known| known.id != it.rule) {
            let (id, says) = (it.rule.clone(), it.citation.clone());
            rules.push(SarifRule { id, level: it.severity.name(), says });
        }
    }
    rules
}

fn findings(found: &[Diagnostic], file: &Path) -> Vec<SarifFinding> {
    let finding = |it: &Diagnostic| SarifFinding {
        rule: it.rule.clone(),
        level: Some(it.severity.name()),
        message: format!("{} ({})", it.message, it.citation),
        file: file.to_path_buf(),
        region: match (it.line, it.word) {
            (Some(line), _) => SarifRegion::Line(line as usize),
            (None, Some(word)) => SarifRegion::Byte(u64::from(word) * 4),
            (None, None) => SarifRegion::Line(1),
        },
    };
    found.iter().map(finding).collect()
}
