//! What `fuzz` answers: the tools, and the summary of a campaign.

use std::collections::BTreeMap;

use laneproof_toolchains::{LocatedTool, OfCorpus, Summary, ToolRow, stated};
use serde_json::{Value, json};

use crate::answer::{Answer, Exit};
use crate::excerpt::escaped;
use crate::terminal::Terminal;
use laneproof_report::table::{table, wrap};

/// The tools, found or not.
pub fn list(found: &[LocatedTool], terminal: &Terminal) -> Answer {
    let mut rows = table(&terminal.page, &["tool", "kind", "version", "takes"]);
    for it in found.iter().filter(|it| it.missing.is_none()) {
        let version = stated(&it.version).to_owned();
        rows.add_row([it.tool.name.clone(), it.tool.kind.name().to_owned(), version, gates(it)]);
    }
    let text = format!("{}\n{}", rows.trim_fmt(), not_found(found, terminal));
    let json = json!({ "tools": found.iter().map(|it| json!({
        "name": it.tool.name,
        "kind": it.tool.kind.name(),
        "about": it.tool.about,
        "found": it.missing.is_none(),
        "missing": it.missing,
        "version": it.version,
        "get": it.tool.requirements.get,
        "takes": gates(it),
    })).collect::<Vec<_>>() });
    Answer { exit: Exit::Good, text, json }
}

/// The tools that were not found: what is missing, and how to get it. Tools that lack the same are
/// listed together.
fn not_found(found: &[LocatedTool], terminal: &Terminal) -> String {
    let mut by_reason: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for it in found {
        let Some(missing) = &it.missing else { continue };
        let get = it.tool.requirements.get.as_str();
        let same = by_reason.iter_mut().find(|of| of.0 == missing && of.1 == get);
        match same {
            Some((.., names)) => names.push(&it.tool.name),
            None => by_reason.push((missing, get, vec![&it.tool.name])),
        }
    }
    let mut text = String::new();
    if !by_reason.is_empty() {
        text.push_str("\nNot found\n");
    }
    for (missing, get, names) in by_reason {
        wrap(&mut text, &terminal.page, 1, &names.join(", "));
        wrap(&mut text, &terminal.page, 3, missing);
        if !get.is_empty() {
            wrap(&mut text, &terminal.page, 3, &format!("to get: {get}"));
        }
    }
    text
}

/// What a tool takes, in a line.
fn gates(found: &LocatedTool) -> String {
    let gate = &found.tool.gate;
    let mut parts = Vec::new();
    parts.push(match gate.module_kinds.as_slice() {
        [] => "shaders and kernels".to_owned(),
        module_kinds => {
            module_kinds.iter().map(|it| format!("{it}s")).collect::<Vec<_>>().join(" and ")
        }
    });
    parts.extend(gate.version.as_ref().map(|version| format!("SPIR-V {version}")));
    if !gate.capabilities.is_empty() {
        parts.push(match gate.capabilities.len() {
            1 => "1 capability".to_owned(),
            count => format!("{count} capabilities"),
        });
    }
    if !gate.without.is_empty() {
        parts.push(format!("without {}", counted(gate.without.len(), "opcode")));
    }
    parts.join(", ")
}

/// The columns of a summary's numbers.
pub const NUMBERS: [&str; 7] =
    ["modules", "right", "wrong", "known", "unsupported", "undecided", "discarded"];

/// The numbers of a tool, by column.
pub fn numbers(row: &ToolRow) -> [u64; NUMBERS.len()] {
    let ToolRow { modules, fine, wrong, known, unsupported, undecided, discarded, .. } = *row;
    [modules, fine, wrong, known, unsupported, undecided, discarded]
}

/// Modules per second, in the tool and the oracle.
pub fn rate(row: &ToolRow) -> String {
    let busy = (row.time.tool + row.time.oracle).as_secs_f64();
    let rate = if busy > 0.0 { row.modules as f64 / busy } else { 0.0 };
    format!("{rate:.0}/s")
}

/// A tool's version: a device's is known once it has started.
pub fn version<'v>(summary: &'v Summary, found: &'v [LocatedTool], name: &str) -> &'v str {
    let of_device = summary.rows.get(name).map_or("", |row| &row.version);
    let of_tool = found.iter().find(|it| it.tool.name == name).map_or("", |it| &it.version);
    stated(if of_device.is_empty() { of_tool } else { of_device })
}

/// What a campaign found, beside what the runs before it did.
pub fn summary(
    summary: &Summary,
    found: &[LocatedTool],
    earlier: &BTreeMap<String, bool>,
    terminal: &Terminal,
) -> Answer {
    let mut headers = vec!["tool"];
    headers.extend(NUMBERS);
    headers.push("rate");
    let mut rows = table(&terminal.page, &headers);
    for (name, row) in &summary.rows {
        let mut cells = vec![name.clone()];
        cells.extend(numbers(row).map(|number| number.to_string()));
        cells.push(match &row.failure {
            Some(reason) => reason.clone(),
            None => rate(row),
        });
        rows.add_row(cells);
    }
    let mut text = format!("{}\n\n", rows.trim_fmt());
    for reason in reasons(summary) {
        wrap(&mut text, &terminal.page, 0, &reason);
    }
    let defects = defects(summary);
    if let Some(line) = corpus_line(&summary.of_corpus) {
        wrap(&mut text, &terminal.page, 0, &line);
    }
    for line in &summary.of_corpus.wrong {
        text += &format!("{line}\n");
    }
    for finding in &summary.findings {
        text += &format!("{}: {}\n", finding.subject(), finding.line());
        if let Some(folder) = &finding.folder {
            text += &format!("  {}\n", folder.display());
        }
    }
    wrap(&mut text, &terminal.page, 0, &line(summary));
    if summary.unreduced > 0 {
        let not_reduced = format!(
            "not reduced: {}, each wrong in a way of which several modules gave nothing new",
            counted(summary.unreduced as usize, "module")
        );
        wrap(&mut text, &terminal.page, 0, &not_reduced);
    }
    let (old, old_readings) = (of_kind(earlier, true), of_kind(earlier, false));
    if !earlier.is_empty() {
        text += &format!(
            "runs before this one: {}, {old_readings} more that a reading explains\n",
            counted(old, "finding")
        );
    }
    for reason in &summary.unwritten {
        text += &format!("{reason}\n");
    }
    let exit = match (defects + old + summary.of_corpus.wrong.len(), summary.interrupted) {
        (0, _) if !summary.unwritten.is_empty() => Exit::Unusable,
        (0, true) => Exit::Interrupted,
        (0, false) if nothing_decided(summary) => Exit::Undecided,
        (0, false) => Exit::Good,
        _ => Exit::Bad,
    };
    Answer { exit, text, json: document(summary, found, earlier) }
}

/// Whether no tool was right or wrong on any module.
fn nothing_decided(summary: &Summary) -> bool {
    let sum = |of: fn(&ToolRow) -> u64| summary.rows.values().map(of).sum::<u64>();
    sum(|row| row.modules) > 0 && sum(|row| row.fine + row.wrong) == 0
}

/// The most frequent reason why modules are undecided, and, of a tool that took none, why not: a line each.
fn reasons(summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, row) in &summary.rows {
        let took_none = row.fine + row.wrong == 0;
        for (word, count) in [
            ("undecided", row.undecided),
            ("unsupported", if took_none { row.unsupported } else { 0 }),
        ] {
            let of_word = row.reasons.iter().filter_map(|(reason, times)| {
                Some((times, reason.strip_prefix(word)?.strip_prefix(": ")?))
            });
            // The first of equally frequent ones.
            let most = of_word.rev().max_by_key(|(times, _)| **times);
            if let (1.., Some((times, reason))) = (count, most) {
                let reason = escaped(reason);
                lines.push(format!("{name}: {times} of {count} {word}: {reason}"));
            }
        }
    }
    lines
}

/// How many files of the user's corpus were tried, where it has some.
fn corpus_line(corpus: &OfCorpus) -> Option<String> {
    let OfCorpus { modules, others, .. } = corpus;
    let modules = counted(*modules as usize, "module");
    match others {
        0 if corpus.modules == 0 => None,
        0 => Some(format!("corpus: {modules}")),
        others => {
            let files = counted(*others as usize, "file");
            Some(format!("corpus: {modules}; passed over, as not a valid module: {files}"))
        }
    }
}

fn of_kind(earlier: &BTreeMap<String, bool>, defect: bool) -> usize {
    earlier.values().filter(|it| **it == defect).count()
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The findings that no reading explains.
fn defects(summary: &Summary) -> usize {
    summary.findings.iter().filter(|finding| !finding.is_reading()).count()
}

/// A campaign in a line.
pub fn line(summary: &Summary) -> String {
    let ((asked, came), defects) = (summary.generated, defects(summary));
    // Modules for a validator are not run.
    let defined = share(summary.defined).map_or_else(String::new, |share| {
        format!(", {:.0} % of output bytes defined", 100.0 * share)
    });
    format!(
        "{}, {} more that a reading explains; {came} of {asked} modules generated, {} forms of \
         group instructions{defined}, {:.1} s",
        counted(defects, "finding"),
        summary.findings.len() - defects,
        summary.covered.len(),
        summary.time.as_secs_f64(),
    )
}

fn share((part, all): (u64, u64)) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

fn document(summary: &Summary, found: &[LocatedTool], earlier: &BTreeMap<String, bool>) -> Value {
    let tools = summary.rows.iter().map(|(name, row)| {
        json!({
            "name": name,
            "version": version(summary, found, name),
            "modules": row.modules,
            "right": row.fine,
            "wrong": row.wrong,
            "known": row.known,
            "unsupported": row.unsupported,
            "undecided": row.undecided,
            "discarded": row.discarded,
            "reasons": row.reasons,
            "tool_seconds": row.time.tool.as_secs_f64(),
            "oracle_seconds": row.time.oracle.as_secs_f64(),
            "prover_seconds": row.time.prover.as_secs_f64(),
            "asked_prover": row.prover.asked,
            "decided_by_prover": row.prover.decided,
            "failure": row.failure,
        })
    });
    let (readings, findings): (Vec<_>, Vec<_>) =
        summary.findings.iter().partition(|finding| finding.is_reading());
    json!({
        "findings": findings.iter().map(|it| it.json()).collect::<Vec<_>>(),
        "readings": readings.iter().map(|it| it.json()).collect::<Vec<_>>(),
        "tools": tools.collect::<Vec<_>>(),
        "not_reduced": summary.unreduced,
        "corpus": summary.of_corpus.wrong,
        "corpus_files": {
            "modules": summary.of_corpus.modules,
            "others": summary.of_corpus.others,
        },
        "earlier": earlier.keys().collect::<Vec<_>>(),
        "unwritten": summary.unwritten,
        "coverage": summary.covered.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "generated": summary.generated.1,
        "asked": summary.generated.0,
        "defined": share(summary.defined),
        "seconds": summary.time.as_secs_f64(),
        "next": summary.next.values().max(),
        "interrupted": summary.interrupted,
    })
}
