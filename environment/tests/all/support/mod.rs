//! Modules that rules are tried on: cases as they are written, and sweeps made of them.

pub mod sweep;

use std::path::Path;

use laneproof_environment::{Body, Device, Diagnostic, judge};
use laneproof_module::{Listing, list_bytes};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub environment: String,
    pub device: String,
    pub base: String,
    /// Instructions that a sweep has besides.
    pub more: String,
    pub case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub rule: String,
    /// `none` where nothing must be said by this rule.
    #[serde(default = "error")]
    pub severity: String,
    /// What the citation must have.
    pub cites: Option<String>,
    /// What the message must have.
    pub says: Option<String>,
    /// The name of a built-in device, or the text of a device file.
    pub device: Option<String>,
    pub change: [String; 2],
    pub also: Option<[String; 2]>,
    /// Where three places are one: a type, a value of it, and what it is used for.
    #[serde(default)]
    pub besides: Vec<[String; 2]>,
    /// The citation of the rule that decides: without it, nothing would be said, or something of the
    /// module before the change, which has what stands in `also` and `besides`.
    pub decided_by: Option<String>,
}

fn error() -> String {
    "error".to_owned()
}

/// A module beside the device on which it is judged.
pub struct Prepared {
    pub listing: Listing,
    pub device: Option<Device>,
}

pub fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        toml::from_str(&std::fs::read_to_string(path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.iter().map(read).collect()
}

pub fn prepared(text: &str, device: &str) -> Prepared {
    let listing =
        list_bytes(text.as_bytes(), "case", &[]).unwrap_or_else(|error| panic!("{error}"));
    let text = Device::built_in(device).unwrap_or(device);
    let device = (!device.is_empty()).then(|| Device::parse(text, device).unwrap());
    Prepared { listing, device }
}

impl Case {
    /// The module of the case, made from its file's base.
    pub fn text(&self, file: &File) -> String {
        match self.decided_by {
            Some(_) => self.changed(self.before(file), [&self.change]),
            None => {
                let all = std::iter::once(&self.change).chain(&self.also).chain(&self.besides);
                self.changed(file.base.clone(), all)
            }
        }
    }

    /// The module before the change.
    pub fn before(&self, file: &File) -> String {
        self.changed(file.base.clone(), self.also.iter().chain(&self.besides))
    }

    fn changed<'c>(
        &self,
        mut text: String,
        changes: impl IntoIterator<Item = &'c [String; 2]>,
    ) -> String {
        for [from, to] in changes {
            assert!(text.contains(from.as_str()), "{}: no `{from}`", self.rule);
            text = text.replacen(from.as_str(), to, 1);
        }
        text
    }
}

pub fn found(body: &Body<'_>, module: &Prepared) -> Vec<Diagnostic> {
    judge(body, &module.listing, module.device.as_ref())
}

/// What rules alone say of a module: mistakes are planted in rules, and not in clauses.
pub fn by_rules(body: &Body<'_>, module: &Prepared) -> Vec<Diagnostic> {
    laneproof_environment::by_rules(body, &module.listing, module.device.as_ref())
}

pub fn lines(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|it| format!("{} {}: {}", it.severity.name(), it.rule, it.message)).collect()
}
