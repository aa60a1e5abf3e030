//! `laneproof ambiguities`: where the documents' text gives no answer, two, or one that depends on
//! how it is read.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use laneproof_ambiguity::{Finding, Quotes, SearchOptions, SearchReport, extent, search};
use laneproof_ambiguity_report::{Triage, html, litmus, markdown, text};
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use crate::setting::{Setting, known_profile, size};
use crate::terminal::Terminal;
use crate::worker;
use laneproof_report::table::{paint, wrap};

/// Find where the documents' text gives no answer, two answers, or one that depends on how it is read
#[derive(Args)]
pub struct Ambiguities {
    /// Names of instructions, or parts of names; or, with `--assume`, of a document in the file
    #[arg(value_name = "INSTRUCTION", value_parser = NonEmptyStringValueParser::new())]
    names: Vec<String>,
    /// Leave out what this profile settles
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Add a file of sentences, and say which findings they close and which they open
    #[arg(long, value_name = "FILE")]
    assume: Vec<PathBuf>,
    /// Write a report to read in a browser, one page for each finding
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Write each finding as an issue in Markdown, in a file of its own
    #[arg(long, value_name = "DIR")]
    markdown: Option<PathBuf>,
    /// Show whole sentences, from the documents' plain text in this folder
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
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
        let quotes = self.quotes()?;
        let profile = profile.map(|it| &**it);
        let options = SearchOptions { names: &self.names, profile, litmus, quotes: Some(&quotes) };
        let triage = match &self.triage {
            Some(path) => {
                let text = document::text(path, MOST_TEXT)?;
                Triage::parse(&text, &path.display().to_string())
                    .map_err(|(name, reason)| Failure::Inputs { name, reason })?
            }
            None => Triage::default(),
        };
        let files = self.assumed()?;
        let base = match setting.files.is_empty() {
            true => Cow::Borrowed(AsWritten::built_in()),
            false => Cow::Owned(AsWritten::extended_with(setting.files.clone())?),
        };
        for name in &base.not_searched {
            eprintln!(
                "what a file adds to `{name}` is not searched: no text that is searched describes it"
            );
        }
        if let Some(texts) = self.new_text(&files, &base)? {
            let options = SearchOptions { names: &[], ..options };
            let mut report = searched(&texts, &options, setting)?;
            self.write(&texts, &mut report, &triage)?;
            return Ok(answer(&report, None, &triage, setting.terminal));
        }
        let mut before = searched(&base, &options, setting)?;
        if self.assume.is_empty() {
            self.write(&base, &mut before, &triage)?;
            return Ok(answer(&before, None, &triage, setting.terminal));
        }
        let texts = AsWritten::extended_with([setting.files.clone(), files].concat())?;
        let mut after = searched(&texts, &options, setting)?;
        self.write(&texts, &mut after, &triage)?;
        Ok(answer(&after, Some(&before), &triage, setting.terminal))
    }

    /// The files of sentences that are added.
    fn assumed(&self) -> Result<Vec<(String, String)>, Failure> {
        let read = |path: &PathBuf| {
            let name = path.display().to_string();
            Ok((name, document::text(path, MOST_TEXT)?))
        };
        self.assume.iter().map(read).collect()
    }

    /// Only the added files, if all requested names are instructions or documents of theirs.
    fn new_text(
        &self,
        files: &[(String, String)],
        base: &AsWritten,
    ) -> Result<Option<AsWritten>, Failure> {
        if files.is_empty() || self.names.is_empty() {
            return Ok(None);
        }
        let part_of = |name: &String, texts: &AsWritten| {
            let name = name.to_lowercase();
            texts.specification.instructions.keys().any(|it| it.to_lowercase().contains(&name))
        };
        if self.names.iter().any(|name| part_of(name, base)) {
            return Ok(None);
        }
        let texts = AsWritten::alone(files.to_vec())?;
        let documents = |texts: &AsWritten| -> Vec<String> {
            texts.specification.documents.iter().map(|it| it.name.to_lowercase()).collect()
        };
        let (known, new) = (documents(base), documents(&texts));
        let names_document = |name: &String| {
            let name = name.to_lowercase();
            new.contains(&name) && !known.contains(&name)
        };
        let own = |name: &String| part_of(name, &texts) || names_document(name);
        Ok(self.names.iter().all(own).then_some(texts))
    }

    /// The documents' own words: all of them if the documents are available.
    fn quotes(&self) -> Result<Quotes, Failure> {
        let quotes = match &self.documents {
            Some(folder) => Quotes::of_folder(folder).map(|(quotes, changed)| {
                for (document, new) in changed {
                    let new = match new.is_empty() {
                        true => "none is new".to_owned(),
                        false => format!("new are, by section, {new}"),
                    };
                    eprintln!(
                        "{document}: its sentences are not those that clauses were written from \
                         ({new}): it is searched as plain text, and findings in clauses show the \
                         first and last words only"
                    );
                }
                quotes
            }),
            None => Quotes::built_in(),
        };
        quotes.map_err(Failure::Documents)
    }

    /// Modules and pages, where they are wanted.
    fn write(
        &self,
        texts: &AsWritten,
        report: &mut SearchReport,
        triage: &Triage,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.litmus {
            for (name, text) in litmus::files(texts, report, folder) {
                written(&folder.join(name), &text)?;
            }
        }
        if let Some(folder) = &self.markdown {
            for (name, issue) in markdown::issues(report) {
                written(&folder.join(name), &issue)?;
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

/// Writes a file, in a folder that is created if necessary.
fn written(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        output::folder(folder)?;
    }
    output::write(path, text.as_bytes())
}

fn searched(
    texts: &AsWritten,
    options: &SearchOptions<'_>,
    setting: &Setting<'_>,
) -> Result<SearchReport, Failure> {
    let progress = Progress::over(extent(texts, options), setting.terminal);
    let report = worker::on(setting.jobs, || search(texts, options, || progress.step(true)))?;
    progress.finish();
    if report.instructions.is_empty() && !options.names.is_empty() {
        let name = options.names.join(", ");
        let help =
            "`laneproof ambiguities` without names searches all; name an instruction, or with \
                    `--assume FILE` a document of the file"
                .to_owned();
        return Err(Failure::NotSpecified { name, help });
    }
    Ok(report)
}

/// What is in one report and not in the other, by id.
fn beyond<'r>(one: &'r SearchReport, other: &SearchReport) -> Vec<&'r Finding> {
    let known = |finding: &&Finding| other.findings.iter().any(|it| it.id == finding.id);
    one.findings.iter().filter(|finding| !known(finding)).collect()
}

fn answer(
    report: &SearchReport,
    before: Option<&SearchReport>,
    triage: &Triage,
    terminal: &Terminal,
) -> Answer {
    let mut json = json!(report);
    let mut text = text(report, triage, &terminal.page);
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
            let _ = writeln!(text, "{}", paint(&terminal.page, Style::new().bold(), word));
            for finding in &findings {
                wrap(&mut text, &terminal.page, 2, &finding.id);
            }
            if findings.is_empty() {
                text.push_str("  nothing\n");
            }
        }
    }
    Answer { exit: Exit::Good, text, json }
}
