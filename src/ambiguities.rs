//! `laneproof ambiguities`: where the documents' text gives no answer, two, or one that hangs on
//! how it is read.

mod html;
mod litmus;
mod memory;
mod triage;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::Args;
use laneproof_ambiguity::{
    Accounted, Finding, FindingKind, Harmless, Options, Report, Witness, extent, search,
};
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::setting::{Setting, Terminal, known_profile, size};
use crate::table::{paint, wrap};
use crate::worker;

use triage::Triage;

/// Find where the documents' text gives no answer, two answers, or one that hangs on how it is read
#[derive(Args)]
pub struct Ambiguities {
    /// Names of instructions, or parts of names
    #[arg(value_name = "INSTRUCTION")]
    names: Vec<String>,
    /// Leave out what this profile settles
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Add a file of sentences, and tell what they close and what they open
    #[arg(long, value_name = "FILE")]
    assume: Vec<PathBuf>,
    /// Write a report to read in a browser, one page a finding
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// What readers have said of findings: TOML, a table with `verdict` and `note` for each id
    #[arg(long, value_name = "FILE")]
    triage: Option<PathBuf>,
    /// Write a module for each finding, with inputs and with what each reading predicts: a run
    /// tells which one an implementation takes
    #[arg(long, value_name = "DIR")]
    litmus: Option<PathBuf>,
    /// The lanes of a subgroup for which modules are written
    #[arg(long, value_name = "N", value_parser = size, default_value = "32", requires = "litmus")]
    litmus_size: u32,
}

impl Ambiguities {
    /// Searches.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        known_profile(self.profile.as_deref(), setting)?;
        let profiles = &Specification::built_in().profiles;
        let profile = self.profile.as_deref().and_then(|name| profiles.get(name));
        let litmus = self.litmus.is_some().then_some(self.litmus_size);
        let options = Options { names: &self.names, profile: profile.map(|it| &**it), litmus };
        let triage = match &self.triage {
            Some(path) => Triage::read(path)?,
            None => Triage::default(),
        };
        let texts = AsWritten::built_in();
        let mut before = searched(texts, &options, setting)?;
        if self.assume.is_empty() {
            self.write(texts, &mut before, &triage)?;
            return Ok(answer(&before, None, &triage, setting.terminal));
        }
        let mut files = Vec::new();
        for path in &self.assume {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|source| Failure::Unreadable { name: name.clone(), source })?;
            files.push((name, text));
        }
        let texts = AsWritten::extended_with(files)?;
        let mut after = searched(&texts, &options, setting)?;
        self.write(&texts, &mut after, &triage)?;
        Ok(answer(&after, Some(&before), &triage, setting.terminal))
    }

    /// Modules and pages, where they are wanted.
    fn write(
        &self,
        texts: &AsWritten,
        report: &mut Report,
        triage: &Triage,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.litmus {
            for (name, text) in litmus::files(texts, report, folder) {
                written(&folder.join(name), &text)?;
            }
        }
        if let Some(folder) = &self.html {
            for (name, page) in html::pages(report, triage, folder) {
                written(&folder.join(name), &page)?;
            }
        }
        Ok(())
    }
}

/// A file, in a folder that is made where there is none.
fn written(path: &Path, text: &str) -> Result<(), Failure> {
    let unwritable = |source| Failure::Unwritable { name: path.display().to_string(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(unwritable)?;
    }
    std::fs::write(path, text).map_err(unwritable)
}

fn searched(
    texts: &AsWritten,
    options: &Options<'_>,
    setting: &Setting<'_>,
) -> Result<Report, Failure> {
    let progress = Progress::over(extent(texts, options), setting.terminal);
    let report = worker::on(setting.jobs, || search(texts, options, || progress.step(true)))?;
    progress.finish();
    if report.instructions.is_empty() {
        let name = options.names.join(", ");
        let help = "`laneproof ambiguities` without names searches all".to_owned();
        return Err(Failure::NotSpecified { name, help });
    }
    Ok(report)
}

/// What is in one report and not in the other, by id.
fn beyond<'r>(one: &'r Report, other: &Report) -> Vec<&'r Finding> {
    let known = |finding: &&Finding| other.findings.iter().any(|it| it.id == finding.id);
    one.findings.iter().filter(|finding| !known(finding)).collect()
}

fn answer(
    report: &Report,
    before: Option<&Report>,
    triage: &Triage,
    terminal: &Terminal,
) -> Answer {
    let mut json = json!(report);
    let mut text = shown(report, triage, terminal);
    for finding in json["findings"].as_array_mut().into_iter().flatten() {
        if let Some(note) = finding["id"].as_str().and_then(|id| triage.of(id)) {
            finding["triage"] = json!({ "verdict": note.verdict, "note": note.note });
        }
    }
    if let Some(before) = before {
        let ids = |findings: &[&Finding]| -> Vec<String> {
            findings.iter().map(|finding| finding.id.clone()).collect()
        };
        let (closed, opened) = (beyond(before, report), beyond(report, before));
        json["closed"] = ids(&closed).into();
        json["opened"] = ids(&opened).into();
        for (word, findings) in [("Closed", closed), ("Newly opened", opened)] {
            let _ = writeln!(text, "{}", paint(terminal, Style::new().bold(), word));
            for finding in &findings {
                wrap(&mut text, terminal, 2, &finding.id);
            }
            if findings.is_empty() {
                text.push_str("  nothing\n");
            }
        }
    }
    Answer { exit: Exit::Good, text, json }
}

fn shown(report: &Report, triage: &Triage, terminal: &Terminal) -> String {
    let mut out = String::new();
    for kind in FindingKind::ALL {
        let findings: Vec<&Finding> = report.of(kind).collect();
        if findings.is_empty() {
            continue;
        }
        let heading = format!("{} ({})", kind.heading(), findings.len());
        let _ = writeln!(out, "{}\n", paint(terminal, Style::new().bold(), &heading));
        for finding in findings {
            one(&mut out, finding, triage, terminal);
        }
    }
    let counts = format!(
        "{} findings in {} instructions, {} forms; {} choice points; {} differences that are harmless",
        report.findings.len(),
        report.instructions.len(),
        report.forms,
        report.choice_points,
        report.harmless.len(),
    );
    wrap(&mut out, terminal, 0, &counts);
    if !report.harmless.is_empty() {
        let _ = writeln!(out, "\n{}", paint(terminal, Style::new().bold(), "Makes no difference"));
        for Harmless { place, proved, .. } in &report.harmless {
            wrap(&mut out, terminal, 2, &format!("{place}, proved for: {proved}"));
        }
        out.push('\n');
    }
    let ids: Vec<&str> = report.findings.iter().map(|finding| finding.id.as_str()).collect();
    for id in triage.without(&ids) {
        wrap(&mut out, terminal, 0, &format!("{id}: triaged, but not found"));
    }
    if !report.ledger.is_empty() {
        out.push('\n');
        let _ = writeln!(out, "{}", paint(terminal, Style::new().bold(), "Sentences"));
        out.push_str(&sentences(&report.ledger));
    }
    if !report.unsearched.is_empty() {
        out.push('\n');
        let _ = writeln!(out, "{}", paint(terminal, Style::new().bold(), "Not searched"));
        for place in &report.unsearched {
            wrap(&mut out, terminal, 2, place);
        }
    }
    out
}

/// What became of the sentences of each document, a line each.
fn sentences(ledger: &[Accounted]) -> String {
    let width = ledger.iter().map(|it| it.document.len()).max().unwrap_or(0);
    let mut out = String::new();
    for Accounted { document, shares } in ledger {
        let _ = writeln!(
            out,
            "  {document:width$}  {:>3}: {:>3} carried, {:>2} in part, {:>2} say nothing to execute, \
             {:>3} not encoded",
            shares.sentences,
            shares.encoded(),
            shares.in_part,
            shares.informative,
            shares.not_encoded,
        );
    }
    out
}

fn one(out: &mut String, finding: &Finding, triage: &Triage, terminal: &Terminal) {
    let id = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
    let note = triage.of(&finding.id).map(|note| format!("  [{}]", note.verdict));
    let _ = writeln!(
        out,
        "  {}{}",
        paint(terminal, id, &finding.id),
        note.as_deref().unwrap_or_default()
    );
    wrap(out, terminal, 4, &finding.summary);
    wrap(out, terminal, 4, &format!("would settle it: {}", finding.remedy));
    let instructions: Vec<&str> = finding.instructions.iter().map(String::as_str).collect();
    let named = match instructions.len() {
        0..=6 => instructions.join(", "),
        more => format!("{} and {} more", instructions[..5].join(", "), more - 5),
    };
    if !named.is_empty() {
        wrap(out, terminal, 4, &format!("in {named}"));
    }
    if let Some(witness) = &finding.witness {
        wrap(out, terminal, 4, &state(witness));
        for line in memory::lines(witness) {
            wrap(out, terminal, 4, &line);
        }
        let width = finding.readings.iter().map(|read| read.name.len()).max().unwrap_or(0);
        for read in &finding.readings {
            let _ = writeln!(out, "      {:width$}  {}", read.name, read.outcome);
        }
    }
    if let Some(module) = &finding.module {
        wrap(out, terminal, 4, &module.lines().join("; "));
        for read in &finding.readings {
            wrap(out, terminal, 6, &format!("{}: {}", read.name, read.outcome));
        }
    }
    if let Some(folder) = &finding.litmus {
        wrap(out, terminal, 4, &format!("to be run: {folder}"));
    }
    if let Some(reason) = &finding.without_litmus {
        wrap(out, terminal, 4, &format!("no module to be run: {reason}"));
    }
    out.push('\n');
}

/// A witness in a line.
fn state(witness: &Witness) -> String {
    let Witness { subgroup_size, max_size, existing, lane, .. } = witness;
    let mut out = format!(
        "{}: SubgroupSize {subgroup_size}, SubgroupMaxSize {max_size}, {existing} existing",
        witness.instruction
    );
    if witness.active.len() < *existing as usize {
        let active: Vec<String> = witness.active.iter().map(u32::to_string).collect();
        let _ = write!(out, ", active {}", active.join(" "));
    }
    let _ = write!(out, "; lane {lane} has");
    for (name, value) in &witness.operands {
        let _ = write!(out, " {name} = {}", word(value));
    }
    out
}

fn word(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "undefined".to_owned(),
        other => other.to_string().replace('"', ""),
    }
}
