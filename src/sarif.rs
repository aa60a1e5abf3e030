//! Answers as SARIF 2.1.0, the form that code-scanning views read.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;

/// Where to write.
#[derive(Args)]
pub struct Sarif {
    /// Also write the findings to this file, as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
}

/// Something that a reader of the code should see.
pub struct SarifFinding {
    /// Which rule: one of [`RULES`], or of those that are written with it.
    pub rule: String,
    /// How bad it is, where that is not the rule's level.
    pub level: Option<&'static str>,
    /// What is wrong, in a sentence or two.
    pub message: String,
    /// The file that it is about.
    pub file: PathBuf,
    /// The line, from 1; in a binary the byte.
    pub region: SarifRegion,
}

/// Where in a file.
pub enum SarifRegion {
    /// A line, from 1.
    Line(usize),
    /// A byte of a binary, from 0.
    Byte(u64),
}

/// What findings are found by.
pub struct SarifRule {
    /// Its name.
    pub id: String,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// What it says.
    pub says: String,
}

/// The rules of verdicts, each with its level and what it says.
const RULES: [(&str, &str, &str); 5] = [
    ("refuted", "error", "The target does what the source cannot"),
    ("vacuous", "error", "No state meets the source's preconditions"),
    ("unknown", "warning", "Neither proved nor refuted"),
    ("unexpected", "error", "The verdict is not the one that the file expects"),
    ("unconfirmed", "warning", "A second solver does not confirm the proof"),
];

impl Sarif {
    /// Writes the findings, if a file is given.
    pub fn write(&self, findings: &[SarifFinding]) -> Result<(), Failure> {
        let rule = |(id, level, says): (&str, _, &str)| SarifRule {
            id: id.to_owned(),
            level,
            says: says.to_owned(),
        };
        self.write_rules(&RULES.map(rule), findings)
    }

    /// Writes the findings of these rules, if a file is given.
    pub fn write_rules(
        &self,
        rules: &[SarifRule],
        findings: &[SarifFinding],
    ) -> Result<(), Failure> {
        let Some(path) = &self.sarif else { return Ok(()) };
        let text = format!("{:#}\n", document(rules, findings));
        output::write(path, text.as_bytes())
    }
}

fn document(rules: &[SarifRule], findings: &[SarifFinding]) -> Value {
    let results: Vec<Value> = findings.iter().map(|finding| result(rules, finding)).collect();
    let described = |SarifRule { id, level, says }: &SarifRule| {
        json!({
            "id": id,
            "shortDescription": { "text": says },
            "defaultConfiguration": { "level": level },
        })
    };
    let rules: Vec<Value> = rules.iter().map(described).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "laneproof",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "results": results,
        }],
    })
}

fn result(rules: &[SarifRule], finding: &SarifFinding) -> Value {
    let rule = rules.iter().position(|rule| rule.id == finding.rule);
    let level = finding.level.or(rule.map(|rule| rules[rule].level)).unwrap_or("error");
    json!({
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&finding.file) },
            "region": match finding.region {
                SarifRegion::Line(line) => json!({ "startLine": line }),
                SarifRegion::Byte(byte) => json!({ "byteOffset": byte }),
            },
        }}],
    })
}

/// A path as a reference: slashes on every system, what has a meaning in one escaped.
fn uri(path: &Path) -> String {
    // Viewers look for the file by this very text: `./` in front of it is one more name for it.
    let path = path.strip_prefix(".").unwrap_or(path);
    let text = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    text.bytes().fold(String::new(), |uri, byte| match plain(byte) {
        true => uri + &char::from(byte).to_string(),
        false => uri + &format!("%{byte:02X}"),
    })
}

/// The line on which a module's text defines the function that a claim is about: `tgt`, or
/// `property`; the first line where it defines neither.
pub fn line_of_claim(text: &str) -> usize {
    let names = ["\"tgt\"", "\"property\""];
    let named = |line: &&str| {
        let mut words = line.split_whitespace();
        let is_name = words.next() == Some("OpName");
        is_name && names.contains(&words.nth(1).unwrap_or_default())
    };
    let id = text.lines().find(named).and_then(|line| line.split_whitespace().nth(1));
    let defines = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        matches!(words[..], [own, "=", "OpFunction"] if Some(own) == id)
    };
    text.lines().position(defines).map_or(1, |line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_one_of_sarifs() {
        assert!(RULES.iter().all(|(_, level, _)| ["error", "warning", "note"].contains(level)));
    }

    #[test]
    fn paths_are_references() {
        assert_eq!(uri(Path::new("a b/ü#.spvasm")), "a%20b/%C3%BC%23.spvasm");
    }
}
