//! The report as text for a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment};
use laneproof_ambiguity::{
    Accounted, Finding, FindingKind, Harmless, ReadingOutcome, SearchReport, SentencePlace, Witness,
};
use laneproof_report::Page;
use laneproof_report::table::{FIRM_SPACE, count, paint, table, wrap};

use crate::memory;
use crate::triage::Triage;

/// The report for a terminal.
pub fn text(report: &SearchReport, triage: &Triage, page: &Page) -> String {
    let mut out = String::new();
    for (heading, findings) in groups(report) {
        let heading = format!("{heading} ({})", findings.len());
        let _ = writeln!(out, "{}\n", paint(page, Style::new().bold(), &heading));
        for finding in findings {
            one(&mut out, finding, triage, page);
        }
    }
    if let Some(legend) = legend(&out) {
        wrap(&mut out, page, 0, legend);
        out.push('\n');
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
        count(harmless(report).len(), "harmless difference"),
    );
    wrap(&mut out, page, 0, &counts);
    if !report.harmless.is_empty() {
        let _ = writeln!(out, "\n{}", paint(page, Style::new().bold(), "Makes no difference"));
        for Harmless { place, question, proved } in harmless(report) {
            wrap(&mut out, page, 2, &format!("{place}: {question} (proved for: {proved})"));
        }
        out.push('\n');
    }
    let ids: Vec<&str> = report.findings.iter().map(|finding| finding.id.as_str()).collect();
    for id in triage.without(&ids) {
        wrap(&mut out, page, 0, &format!("{id}: triaged, but not found"));
    }
    if !report.ledger.is_empty() {
        out.push('\n');
        let _ = writeln!(out, "{}", paint(page, Style::new().bold(), "Sentences"));
        out.push_str(&sentences(&report.ledger, page));
    }
    if !report.unsearched.is_empty() {
        out.push('\n');
        let _ = writeln!(out, "{}", paint(page, Style::new().bold(), "Not searched"));
        for place in &report.unsearched {
            wrap(&mut out, page, 2, place);
        }
    }
    out
}

/// What makes no difference, each once: a sentence may ask the same in several places.
pub(crate) fn harmless(report: &SearchReport) -> Vec<&Harmless> {
    let mut all: Vec<&Harmless> = Vec::new();
    for it in &report.harmless {
        if !all.contains(&it) {
            all.push(it);
        }
    }
    all
}

/// How many findings were noted by whoever wrote a clause.
pub(crate) fn noted(report: &SearchReport) -> usize {
    report.findings.iter().filter(|finding| finding.evidence.noted).count()
}

/// Findings by kind, editorial errors behind all others.
pub(crate) fn groups(report: &SearchReport) -> Vec<(&'static str, Vec<&Finding>)> {
    let kinds = FindingKind::ALL.into_iter().map(|kind| {
        (kind.heading(), report.of(kind).filter(|finding| !finding.editorial).collect())
    });
    let slips = report.findings.iter().filter(|finding| finding.editorial).collect();
    let groups = kinds.chain([(SLIPS, slips)]);
    groups.filter(|(_, findings): &(_, Vec<&Finding>)| !findings.is_empty()).collect()
}

/// The place of sentences: `DOCUMENT, section "…", sentences 2, 3`.
pub(crate) fn place(place: &SentencePlace) -> String {
    let numbers: Vec<String> = place.sentences.iter().map(u32::to_string).collect();
    let word = if numbers.len() == 1 { "sentence" } else { "sentences" };
    let (section, again) = section(&place.section);
    let section = format!("{}, section \u{201c}{section}\u{201d}{again}", place.document);
    match numbers.is_empty() {
        true => section,
        false => format!("{section}, {word} {}", numbers.join(", ")),
    }
}

/// The path of headings, and which of several sections of one name it is.
fn section(title: &str) -> (&str, &'static str) {
    // A title that comes again has its count behind it.
    let again = [(" (2)", " (the second of this name)"), (" (3)", " (the third of this name)")];
    let counted = again.iter().find_map(|(mark, words)| Some((title.strip_suffix(mark)?, *words)));
    counted.unwrap_or((title, ""))
}

/// Whose words a paraphrase is: of a draft nothing is known but what its own file says.
pub(crate) fn whose_words(place: &SentencePlace) -> &'static str {
    if place.words.is_empty() { "In the file" } else { "In our words" }
}

/// The heading of what leaves no doubt about what is meant.
pub(crate) const SLIPS: &str = "Editorial errors";

/// A way of reading, as a reader knows it: what is read as silence is read as its words, and no more;
/// a sentence by its document, section and number.
pub(crate) fn way(read: &ReadingOutcome) -> String {
    if read.name == "silence" {
        return "nothing beyond its words".to_owned();
    }
    let numbers = |it: &str| it.chars().all(|c| c.is_ascii_digit() || c == ',');
    let parts = read.name.split_once('/');
    let parts = parts.and_then(|(document, rest)| Some((document, rest.rsplit_once('/')?)));
    match parts.filter(|(_, (_, sentences))| numbers(sentences)) {
        Some((document, (section, sentences))) => {
            let word = if sentences.contains(',') { "sentences" } else { "sentence" };
            let sentences = sentences.replace(',', ", ");
            let (section, again) = self::section(section);
            format!("{document}, section \u{201c}{section}\u{201d}{again}, {word} {sentences}")
        }
        None if read.name.contains('/') => read.name.clone(),
        None => read.name.replace('-', " "),
    }
}

/// What short names of types in a page stand for, where it has any.
pub(crate) fn legend(text: &str) -> Option<&'static str> {
    let is_type = |word: &str| {
        let (element, count) = word.split_once('x').unwrap_or((word, "2"));
        let width = element.strip_prefix(['u', 'i', 'f']);
        let number = |digits: &str| digits.parse::<u32>().is_ok();
        width.is_some_and(|it| ["8", "16", "32", "64"].contains(&it)) && number(count)
    };
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(is_type).then_some(
        "u32 stands for an integer of 32 bits, f32 for a floating-point number of 32 bits, u32x4 for \
         a vector of four integers; other widths and counts are written in the same way.",
    )
}

/// More places than this are counted and not shown.
const PLACES: usize = 4;

/// The headers of the table of the documents' sentences.
const SENTENCES: [&str; 6] =
    ["document", "sentences", "searched", "in part", "not about modules", "not searched"];

/// The status of each document's sentences, a line each.
fn sentences(ledger: &[Accounted], page: &Page) -> String {
    let mut table = table(page, &SENTENCES);
    for Accounted { document, shares } in ledger {
        let counts = [
            shares.sentences,
            shares.encoded(),
            shares.in_part,
            shares.informative,
            shares.not_encoded,
        ];
        let cells = counts.iter().map(|it| Cell::new(it).set_alignment(CellAlignment::Right));
        table.add_row([Cell::new(document)].into_iter().chain(cells));
    }
    table.trim_fmt() + "\n"
}

/// As many places as are shown, in their order: first of all one of each document.
fn shown(places: &[SentencePlace]) -> Vec<&SentencePlace> {
    let first = |at: &usize| !places[..*at].iter().any(|it| it.document == places[*at].document);
    let (firsts, others): (Vec<usize>, Vec<usize>) = (0..places.len()).partition(first);
    let mut chosen: Vec<usize> = firsts.into_iter().chain(others).take(PLACES).collect();
    chosen.sort_unstable();
    chosen.into_iter().map(|at| &places[at]).collect()
}

fn one(out: &mut String, finding: &Finding, triage: &Triage, page: &Page) {
    let id = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
    let note = triage.of(&finding.id).map(|note| format!("  [{}]", note.verdict));
    let _ = writeln!(
        out,
        "  {}{}{}",
        paint(page, id, &finding.id),
        if finding.evidence.noted { "  [noted]" } else { "" },
        note.as_deref().unwrap_or_default()
    );
    wrap(out, page, 4, &finding.summary);
    wrap(out, page, 4, &format!("what would settle it: {}", finding.remedy));
    if let Some(seen) = &finding.evidence.observed {
        wrap(out, page, 4, &format!("what a device does: {seen}"));
    }
    let instructions: Vec<&str> = finding.instructions.iter().map(String::as_str).collect();
    let named = match instructions.len() {
        0..=6 => instructions.join(", "),
        more => format!("{} and {} more", instructions[..5].join(", "), more - 5),
    };
    if !named.is_empty() {
        wrap(out, page, 4, &format!("in {named}"));
    }
    for it in shown(&finding.places) {
        let words = match it.words.as_slice() {
            // Of a draft its own words are known only as its file has them.
            [] if !it.paraphrase.is_empty() => format!(" (in the file: {})", it.paraphrase),
            [] => String::new(),
            [only] => format!(": \u{201c}{only}\u{201d}"),
            [first, .., last] => format!(": \u{201c}{first}\u{201d} to \u{201c}{last}\u{201d}"),
        };
        wrap(out, page, 4, &format!("at {}{words}", place(it)));
    }
    if finding.places.len() > PLACES {
        let more = finding.places.len() - PLACES;
        wrap(out, page, 4, &format!("and at {more} more places"));
    }
    if let Some(witness) = &finding.evidence.witness {
        wrap(out, page, 4, &state(witness));
        for line in memory::lines(witness) {
            wrap(out, page, 4, &line);
        }
        let ways: Vec<String> = finding.readings.iter().map(way).collect();
        let width = ways.iter().map(|way| way.chars().count()).max().unwrap_or(0);
        for (way, read) in ways.iter().zip(&finding.readings) {
            let column = format!("{way:width$}  ").replace(' ', &FIRM_SPACE.to_string());
            wrap(out, page, 6, &format!("{column}{}", read.outcome));
        }
    }
    if let Some(module) = finding.evidence.module.as_ref().filter(|it| !it.is_bare()) {
        wrap(out, page, 4, &module.lines().join("; "));
        for read in &finding.readings {
            wrap(out, page, 6, &format!("{}: {}", way(read), read.outcome));
        }
    }
    if let Some(folder) = &finding.evidence.litmus {
        wrap(out, page, 4, &format!("to be run: {folder}"));
    }
    if let Some(reason) = &finding.evidence.without_litmus {
        wrap(out, page, 4, &format!("no module to be run: {reason}"));
    }
    out.push('\n');
}

/// A witness in a line.
fn state(witness: &Witness) -> String {
    let Witness { instruction, form, subgroup_size, max_size, existing, lane, .. } = witness;
    let mut out = format!(
        "{instruction} ({form}): SubgroupSize {subgroup_size}, SubgroupMaxSize {max_size}, {} exist{}",
        count(*existing as usize, "invocation"),
        if *existing == 1 { "s" } else { "" }
    );
    if witness.active.len() < *existing as usize {
        let active: Vec<String> = witness.active.iter().map(u32::to_string).collect();
        let _ = write!(out, ", active: {}", active.join(", "));
    }
    let operands = witness.operands.iter().map(|(name, value)| operand(witness, name, value));
    for operand in operands {
        let _ = write!(out, "; {operand}");
    }
    if *existing > 1 {
        let _ = write!(out, "; it shows in invocation {lane}");
    }
    out
}

/// An operand of a witness: one value, or that of each invocation where they differ.
pub(crate) fn operand(witness: &Witness, name: &str, value: &serde_json::Value) -> String {
    let each = witness.lanes.get(name).and_then(|it| it.as_array());
    let Some(lanes) = each.filter(|lanes| lanes.iter().any(|it| it != value)) else {
        return format!("{name} = {}", held(witness, name, value));
    };
    let values = lanes.iter().enumerate();
    let values = values.map(|(lane, value)| format!("{} in {lane}", held(witness, name, value)));
    format!("{name} = {}", values.collect::<Vec<_>>().join(", "))
}

/// An operand's value, with the number that its bits are where they are those of a floating-point one.
pub(crate) fn held(witness: &Witness, name: &str, value: &serde_json::Value) -> String {
    let bits = value.as_str().and_then(|it| u64::from_str_radix(it.strip_prefix("0x")?, 16).ok());
    let number = bits.zip(witness.floats.get(name)).and_then(|(bits, width)| match width {
        32 => Some(f64::from(f32::from_bits(u32::try_from(bits).ok()?))),
        64 => Some(f64::from_bits(bits)),
        _ => None,
    });
    match number {
        Some(number) if number == 0.0 && number.is_sign_positive() => {
            format!("{} (+0)", word(value))
        }
        Some(number) => format!("{} ({number:?})", word(value)),
        None => word(value),
    }
}

/// A value of a witness in words.
pub(crate) fn word(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "undefined".to_owned(),
        other => other.to_string().replace('"', ""),
    }
}
