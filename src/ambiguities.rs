//! `laneproof ambiguities`: where the documents' text gives no answer, two, or one that depends on
//! how it is read.

mod html;
mod litmus;
mod markdown;
mod memory;
mod triage;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::Args;
use laneproof_ambiguity::{
    Accounted, Finding, FindingKind, Harmless, Quotes, ReadingOutcome, SearchOptions, SearchReport,
    SentencePlace, Witness, extent, search,
};
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use serde_json::json;

use crate::answer::{Answer, Exit, count};
use crate::document::{self, MOST_TEXT};
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use crate::setting::{Setting, known_profile, size};
use crate::terminal::Terminal;
use crate::worker;
use laneproof_report::table::{paint, wrap};

use triage::Triage;

/// Find where the documents' text gives no answer, two answers, or one that depends on how it is read
#[derive(Args)]
pub struct Ambiguities {
    /// Names of instructions, or parts of names; or, with `--assume`, of a document in the file
    #[arg(value_name = "INSTRUCTION")]
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
            Some(path) => Triage::read(path)?,
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

fn shown(report: &SearchReport, triage: &Triage, terminal: &Terminal) -> String {
    let mut out = String::new();
    for (heading, findings) in groups(report) {
        let heading = format!("{heading} ({})", findings.len());
        let _ = writeln!(out, "{}\n", paint(&terminal.page, Style::new().bold(), &heading));
        for finding in findings {
            one(&mut out, finding, triage, terminal);
        }
    }
    let noted = match noted(report) {
        0 => String::new(),
        some => format!(
            "; {some} of the findings were noted beside a sentence, all others found by queries"
        ),
    };
    let counts = format!(
        "{} in {}, {}; {}; {}{noted}",
        count(report.findings.len(), "finding"),
        count(report.instructions.len(), "instruction"),
        count(report.forms, "form"),
        count(report.choice_points, "choice point"),
        count(report.harmless.len(), "harmless difference"),
    );
    wrap(&mut out, &terminal.page, 0, &counts);
    if !report.harmless.is_empty() {
        let _ = writeln!(
            out,
            "\n{}",
            paint(&terminal.page, Style::new().bold(), "Makes no difference")
        );
        for Harmless { place, proved, .. } in &report.harmless {
            wrap(&mut out, &terminal.page, 2, &format!("{place}, proved for: {proved}"));
        }
        out.push('\n');
    }
    let ids: Vec<&str> = report.findings.iter().map(|finding| finding.id.as_str()).collect();
    for id in triage.without(&ids) {
        wrap(&mut out, &terminal.page, 0, &format!("{id}: triaged, but not found"));
    }
    if !report.ledger.is_empty() {
        out.push('\n');
        let _ = writeln!(out, "{}", paint(&terminal.page, Style::new().bold(), "Sentences"));
        out.push_str(&sentences(&report.ledger));
    }
    if !report.unsearched.is_empty() {
        out.push('\n');
        let _ = writeln!(out, "{}", paint(&terminal.page, Style::new().bold(), "Not searched"));
        for place in &report.unsearched {
            wrap(&mut out, &terminal.page, 2, place);
        }
    }
    out
}

/// How many findings were noted by whoever wrote a clause.
fn noted(report: &SearchReport) -> usize {
    report.findings.iter().filter(|finding| finding.evidence.noted).count()
}

/// Findings by kind, slips of the pen behind all others.
fn groups(report: &SearchReport) -> Vec<(&'static str, Vec<&Finding>)> {
    let kinds = FindingKind::ALL.into_iter().map(|kind| {
        (kind.heading(), report.of(kind).filter(|finding| !finding.editorial).collect())
    });
    let slips = report.findings.iter().filter(|finding| finding.editorial).collect();
    let groups = kinds.chain([(SLIPS, slips)]);
    groups.filter(|(_, findings): &(_, Vec<&Finding>)| !findings.is_empty()).collect()
}

/// The place of sentences: `DOCUMENT, section "…", sentences 2, 3`.
fn place(place: &SentencePlace) -> String {
    let numbers: Vec<String> = place.sentences.iter().map(u32::to_string).collect();
    let word = if numbers.len() == 1 { "sentence" } else { "sentences" };
    match numbers.is_empty() {
        true => format!("{}, section \u{201c}{}\u{201d}", place.document, place.section),
        false => format!(
            "{}, section \u{201c}{}\u{201d}, {word} {}",
            place.document,
            place.section,
            numbers.join(", ")
        ),
    }
}

/// The heading of what leaves no doubt about what is meant.
const SLIPS: &str = "Slips of the pen";

/// A way of reading, as a reader knows it: what is read as silence is read as its words, and no more;
/// a sentence by its document, section and number.
fn way(read: &ReadingOutcome) -> String {
    if read.name == "silence" {
        return "the words, and no more".to_owned();
    }
    let numbers = |it: &str| it.chars().all(|c| c.is_ascii_digit() || c == ',');
    let parts = read.name.split_once('/');
    let parts = parts.and_then(|(document, rest)| Some((document, rest.rsplit_once('/')?)));
    match parts.filter(|(_, (_, sentences))| numbers(sentences)) {
        Some((document, (section, sentences))) => {
            let word = if sentences.contains(',') { "sentences" } else { "sentence" };
            let sentences = sentences.replace(',', ", ");
            format!("{document}, section \u{201c}{section}\u{201d}, {word} {sentences}")
        }
        // `wrap-32` is one word, `all-the-same` are several.
        None if read.name.contains(|c: char| c.is_ascii_digit() || c == '/') => read.name.clone(),
        None => read.name.replace('-', " "),
    }
}

/// What short names of types in a page stand for, where it has any.
fn legend(page: &str) -> Option<&'static str> {
    let is_type = |word: &str| {
        let (element, count) = word.split_once('x').unwrap_or((word, "2"));
        let width = element.strip_prefix(['u', 'i', 'f']);
        let number = |digits: &str| digits.parse::<u32>().is_ok();
        width.is_some_and(|it| ["8", "16", "32", "64"].contains(&it)) && number(count)
    };
    let mut words = page.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(is_type).then_some(
        "u32 stands for an integer of 32 bits, f32 for a floating-point number of 32 bits, u32x4 for \
         a vector of four integers; other widths and counts are written in the same way.",
    )
}

/// More places than this are counted and not shown.
const PLACES: usize = 4;

/// The status of each document's sentences, a line each.
fn sentences(ledger: &[Accounted]) -> String {
    let width = ledger.iter().map(|it| it.document.len()).max().unwrap_or(0);
    let mut out = String::new();
    for Accounted { document, shares } in ledger {
        let _ = writeln!(
            out,
            "  {document:width$}  {:>3}: {:>3} searched, {:>2} in part, {:>2} say nothing of modules, \
             {:>3} not searched",
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
        "  {}{}{}",
        paint(&terminal.page, id, &finding.id),
        if finding.evidence.noted { "  [noted]" } else { "" },
        note.as_deref().unwrap_or_default()
    );
    wrap(out, &terminal.page, 4, &finding.summary);
    wrap(out, &terminal.page, 4, &format!("what would settle it: {}", finding.remedy));
    if let Some(seen) = &finding.evidence.observed {
        wrap(out, &terminal.page, 4, &format!("what a device does: {seen}"));
    }
    let instructions: Vec<&str> = finding.instructions.iter().map(String::as_str).collect();
    let named = match instructions.len() {
        0..=6 => instructions.join(", "),
        more => format!("{} and {} more", instructions[..5].join(", "), more - 5),
    };
    if !named.is_empty() {
        wrap(out, &terminal.page, 4, &format!("in {named}"));
    }
    for it in finding.places.iter().take(PLACES) {
        let words = match it.words.as_slice() {
            // Of a draft its own words are known only as its file has them.
            [] if !it.paraphrase.is_empty() => format!(" (in the file: {})", it.paraphrase),
            [] => String::new(),
            [only] => format!(": \u{201c}{only}\u{201d}"),
            [first, .., last] => format!(": \u{201c}{first}\u{201d} to \u{201c}{last}\u{201d}"),
        };
        wrap(out, &terminal.page, 4, &format!("at {}{words}", place(it)));
    }
    if finding.places.len() > PLACES {
        let more = finding.places.len() - PLACES;
        wrap(out, &terminal.page, 4, &format!("and at {more} more places"));
    }
    if let Some(witness) = &finding.evidence.witness {
        wrap(out, &terminal.page, 4, &state(witness));
        for line in memory::lines(witness) {
            wrap(out, &terminal.page, 4, &line);
        }
        let width = finding.readings.iter().map(|read| way(read).len()).max().unwrap_or(0);
        for read in &finding.readings {
            let _ = writeln!(out, "      {:width$}  {}", way(read), read.outcome);
        }
    }
    if let Some(module) = &finding.evidence.module {
        wrap(out, &terminal.page, 4, &module.lines().join("; "));
        for read in &finding.readings {
            wrap(out, &terminal.page, 6, &format!("{}: {}", way(read), read.outcome));
        }
    }
    if let Some(folder) = &finding.evidence.litmus {
        wrap(out, &terminal.page, 4, &format!("to be run: {folder}"));
    }
    if let Some(reason) = &finding.evidence.without_litmus {
        wrap(out, &terminal.page, 4, &format!("no module to be run: {reason}"));
    }
    out.push('\n');
}

/// A witness in a line.
fn state(witness: &Witness) -> String {
    let Witness { subgroup_size, max_size, existing, lane, .. } = witness;
    // What the instruction itself names, as its scope and its operation.
    let named: Vec<&str> = witness.form.split(", ").filter(|it| it.contains(" = ")).collect();
    let named = if named.is_empty() { String::new() } else { format!(", {}", named.join(", ")) };
    let mut out = format!(
        "{}{named}: SubgroupSize {subgroup_size}, SubgroupMaxSize {max_size}, {existing} existing",
        witness.instruction
    );
    if witness.active.len() < *existing as usize {
        let active: Vec<String> = witness.active.iter().map(u32::to_string).collect();
        let _ = write!(out, ", active {}", active.join(" "));
    }
    let operands = witness.operands.iter().map(|(name, value)| format!("{name} = {}", word(value)));
    let operands = operands.collect::<Vec<_>>().join(", ");
    let _ = write!(out, "; lane {lane} has {operands}");
    out
}

fn word(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "undefined".to_owned(),
        other => other.to_string().replace('"', ""),
    }
}
