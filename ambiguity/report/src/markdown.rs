//! One issue for each finding, ready to be pasted into a specification's tracker.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use laneproof_ambiguity::{Finding, SearchReport, SentencePlace, Witness};

use crate::{memory, text};
use laneproof_report::table::count;

/// Every issue by its file name, in the order in which they are read.
pub fn issues(report: &SearchReport) -> BTreeMap<String, String> {
    let file = |(number, finding): (usize, &Finding)| {
        (format!("{number:03}-{}.md", finding.file_stem()), issue(finding))
    };
    (1..).zip(&report.findings).map(file).collect()
}

fn issue(finding: &Finding) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# {}\n", title(finding));
    let heading = if finding.editorial { text::SLIPS } else { finding.kind.heading() };
    let _ = writeln!(out, "*{heading}.* {}\n", finding.summary);
    if !finding.places.is_empty() {
        out.push_str("## Where\n\n");
        finding.places.iter().for_each(|place| out.push_str(&cited(place)));
        out.push('\n');
    }
    if !finding.instructions.is_empty() {
        let names: Vec<String> = finding.instructions.iter().map(|it| format!("`{it}`")).collect();
        let _ = writeln!(out, "Instructions: {}\n", names.join(", "));
    }
    if let Some(witness) = &finding.evidence.witness {
        out.push_str("## The smallest state that shows it\n\n");
        out.push_str(&state(witness));
    }
    let bare = finding.evidence.module.as_ref().is_some_and(|it| it.is_bare());
    if let Some(module) = finding.evidence.module.as_ref().filter(|_| !bare) {
        out.push_str("## A module that shows it\n\n");
        for fact in module.lines() {
            let _ = writeln!(out, "- {fact}");
        }
        out.push('\n');
    }
    if !finding.readings.is_empty() && !bare {
        let heads = match finding.evidence.module {
            Some(_) => "| where | what is said of it |",
            None => "| read as | gives |",
        };
        let _ = writeln!(out, "{heads}\n| --- | --- |");
        for read in &finding.readings {
            let _ = writeln!(out, "| {} | {} |", cell(&text::way(read)), cell(&read.outcome));
        }
        out.push('\n');
    }
    if let Some(seen) = &finding.evidence.observed {
        let _ = writeln!(out, "## What a device does\n\n{seen}\n");
    }
    let _ = writeln!(out, "## What would settle it\n\n{}", finding.remedy);
    if let Some(legend) = text::legend(&out) {
        let _ = writeln!(out, "\n*{legend}*");
    }
    out
}

/// The title of an issue: the documents whose sentences are to be changed, and the summary's question,
/// or the summary up to the length of a title.
fn title(finding: &Finding) -> String {
    let of_places: BTreeSet<&str> = finding.places.iter().map(|it| it.document.as_str()).collect();
    let all = || finding.documents.iter().map(String::as_str).collect();
    let documents = if of_places.is_empty() { all() } else { of_places };
    let summary = OPEN.iter().fold(finding.summary.as_str(), |summary, open| {
        summary.split_once(open).map_or(summary, |(before, _)| before)
    });
    let question = summary.split_once("? ").map(|(question, _)| format!("{question}?"));
    let summary = question.as_deref().unwrap_or(summary);
    let mut short = String::new();
    for word in summary.trim_end_matches('.').split_whitespace() {
        if short.len() + word.len() > TITLE {
            short.push('\u{2026}');
            break;
        }
        let blank = if short.is_empty() { "" } else { " " };
        let _ = write!(short, "{blank}{word}");
    }
    format!("{}: {short}", documents.into_iter().collect::<Vec<_>>().join(", "))
}

/// The length of a title in letters.
const TITLE: usize = 110;
/// What the body says and the title need not.
const OPEN: [&str; 4] =
    [": nothing ", ": no sentence says", " (\u{201c}", " (in our words: \u{201c}"];

/// A place, with the paraphrase marked as ours.
fn cited(place: &SentencePlace) -> String {
    let mut out = format!("- {}\n", text::place(place));
    for words in &place.words {
        let _ = writeln!(out, "  > {words}");
    }
    if !place.paraphrase.is_empty() {
        let _ = writeln!(out, "\n  {}: {}", text::whose_words(place), place.paraphrase);
    }
    out
}

fn state(witness: &Witness) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "- {}: {}", witness.instruction, witness.form);
    let _ = writeln!(
        out,
        "- SubgroupSize {}, SubgroupMaxSize {}, {} exist{}",
        witness.subgroup_size,
        witness.max_size,
        count(witness.existing as usize, "invocation"),
        if witness.existing == 1 { "s" } else { "" }
    );
    let active: Vec<String> = witness.active.iter().map(u32::to_string).collect();
    let _ = writeln!(out, "- active: {}", active.join(", "));
    let _ = writeln!(out, "- it shows in invocation {}", witness.lane);
    for (name, value) in &witness.operands {
        let _ = writeln!(out, "- {}", text::operand(witness, name, value));
    }
    for line in memory::lines(witness) {
        let _ = writeln!(out, "- {line}");
    }
    out.push('\n');
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
