//! The report as static pages: an index, and one page a finding with its state drawn lane by lane.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use laneproof_ambiguity::{Finding, LaneOperand, LaneView, ReadingOutcome, SearchReport, Witness};
use maud::{Markup, PreEscaped, html};

use crate::triage::Triage;
use crate::{memory, text};
use laneproof_report::table::count;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// More lanes than this are not drawn.
const DRAWN: u32 = 32;

/// Every page by its file name. Litmus tests that were written are linked from `folder`, where the pages go.
pub fn pages(report: &SearchReport, triage: &Triage, folder: &Path) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    pages.insert("index.html".to_owned(), index(report, triage).into_string());
    // In the order of the index.
    let order: Vec<&Finding> = text::groups(report).into_iter().flat_map(|it| it.1).collect();
    for (at, finding) in order.iter().enumerate() {
        let neighbours = Neighbours {
            before: at.checked_sub(1).map(|before| order[before]),
            after: order.get(at + 1).copied(),
        };
        let page = page(finding, &neighbours, triage, folder);
        pages.insert(file_name(finding), page.into_string());
    }
    pages
}

/// The findings before and after one in the index.
struct Neighbours<'a> {
    before: Option<&'a Finding>,
    after: Option<&'a Finding>,
}

impl Neighbours<'_> {
    fn links(&self) -> Markup {
        html! {
            nav {
                a href="index.html" { "All findings" }
                @if let Some(before) = self.before {
                    a rel="prev" href=(file_name(before)) title=(before.summary) { "Previous" }
                }
                @if let Some(after) = self.after {
                    a rel="next" href=(file_name(after)) title=(after.summary) { "Next" }
                }
            }
        }
    }
}

fn file_name(finding: &Finding) -> String {
    format!("{}.html", finding.file_stem())
}

fn index(report: &SearchReport, triage: &Triage) -> Markup {
    laneproof_report::frame::page(
        "Ambiguities",
        STYLE,
        &html! {
            h1 { "Ambiguities" }
            (introduction(report))
            (counts(report))
            (sentences(report))
            input #search type="search" placeholder="Search" aria-label="Search the findings";
            @for (heading, findings) in text::groups(report) {
                section {
                    h2 { (heading) }
                    ul.findings {
                        @for finding in findings {
                            li {
                                a href=(file_name(finding)) { (finding.summary) }
                                @if let Some(note) = triage.of(&finding.id) {
                                    span.triage { (note.verdict) }
                                }
                                @if finding.evidence.noted { span.triage { "noted" } }
                                @if finding.evidence.observed.is_some() { span.triage { "seen on a device" } }
                                p.quiet { (list(&finding.instructions)) }
                                p.id { (finding.id) }
                            }
                        }
                    }
                }
            }
            @if !report.harmless.is_empty() {
                section {
                    h2 { "Makes no difference" }
                    p {
                        "These places can be read in several ways, and every way gives the same, "
                        "alone and beside any one other way to read another place. That is proved "
                        "in the states that are named."
                    }
                    table.harmless {
                        thead { tr { th { "Place" } th { "Question" } th { "Proved for" } } }
                        tbody {
                            @for it in text::harmless(report) {
                                tr { td { (it.place) } td { (it.question) } td { (it.proved) } }
                            }
                        }
                    }
                }
            }
            @if !report.unsearched.is_empty() {
                section {
                    h2 { "Not searched" }
                    ul.quiet { @for place in &report.unsearched { li { (place) } } }
                }
            }
            script { (PreEscaped(SCRIPT)) }
        },
    )
}

/// What the page is, and how much was searched.
fn introduction(report: &SearchReport) -> Markup {
    let noted = text::noted(report);
    let summaries = report.findings.iter().map(|it| it.summary.as_str());
    let summaries = summaries.collect::<Vec<_>>().join("\n");
    html! {
        p {
            (count(report.findings.len(), "finding")) ": places where a text gives no answer, two "
            "answers, or one that depends on how it is read, and editorial errors. Each sentence was "
            "written down as a formula and in other words; quotations \u{201c}in our words\u{201d} are "
            "these. All texts are asked the same questions, and none is made for one instruction: they "
            "found " (report.findings.len() - noted) " of the findings. "
            @if noted > 0 {
                "The " (noted) " that are marked \u{201c}noted\u{201d} were seen by whoever wrote the "
                "formulas."
            }
        }
        p {
            (count(report.instructions.len(), "instruction"))
            @if report.instructions.len() == 1 { " was" } @else { " were" }
            " searched, in "
            (count(report.forms, "combination")) " of operands and types. "
            (count(report.choice_points, "place")) " can be read in several ways. "
            @if !report.harmless.is_empty() {
                "Of what was compared, " (text::harmless(report).len())
                " make no difference; they are listed at the end."
            }
        }
        @if let Some(legend) = text::legend(&summaries) { p.quiet { (legend) } }
    }
}

/// The status of each document's sentences.
fn sentences(report: &SearchReport) -> Markup {
    html! {
        @if !report.ledger.is_empty() {
            table.counts {
                thead {
                    tr {
                        @for head in ["Document", "sentences", "searched", "searched in part",
                                      "not about modules", "not searched"] {
                            th { (head) }
                        }
                    }
                }
                tbody {
                    @for it in &report.ledger {
                        tr {
                            th { (breakable(&it.document)) }
                            @for count in [it.shares.sentences, it.shares.encoded(),
                                           it.shares.in_part, it.shares.informative,
                                           it.shares.not_encoded] {
                                td { (count) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Findings by group and document: a row each of the groups, as there are more of them.
fn counts(report: &SearchReport) -> Markup {
    let documents: BTreeSet<&String> =
        report.findings.iter().flat_map(|finding| &finding.documents).collect();
    let of = |findings: &[&Finding], document: &String| {
        findings.iter().filter(|it| it.documents.contains(document)).count()
    };
    html! {
        table.counts {
            thead {
                tr {
                    th { "Kind of finding" }
                    @for document in &documents { th { (breakable(document)) } }
                }
            }
            tbody {
                @for (heading, findings) in text::groups(report) {
                    tr {
                        th { (heading) }
                        @for document in &documents { td { (of(&findings, document)) } }
                    }
                }
            }
        }
    }
}

/// A name that may go on in the next line after each underscore.
fn breakable(name: &str) -> Markup {
    html! { @for part in name.split_inclusive('_') { (part) wbr; } }
}

/// Where something lies, as a page in `folder` names it.
fn link(folder: &Path, to: &str) -> Option<String> {
    let [folder, to] = [folder, Path::new(to)].map(|it| std::path::absolute(it).ok());
    let (folder, to) = (folder?, to?);
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

fn page(finding: &Finding, neighbours: &Neighbours<'_>, triage: &Triage, folder: &Path) -> Markup {
    let form = finding.evidence.witness.as_ref().map_or("", |it| it.form.as_str());
    let facts = finding.evidence.module.as_ref().map(|it| it.lines().join(" "));
    let words = format!("{} {form} {}", finding.summary, facts.unwrap_or_default());
    laneproof_report::frame::page(
        &finding.id,
        STYLE,
        &html! {
            (neighbours.links())
            h1 { (if finding.editorial { text::SLIPS } else { finding.kind.heading() }) }
            p.id { (finding.id) }
            p.summary { (finding.summary) }
            @if finding.evidence.noted {
                p.quiet { "Noted beside the sentence by whoever wrote its clause; no query found it." }
            }
            p { strong { "What would settle it: " } (finding.remedy) }
            @if let Some(seen) = &finding.evidence.observed {
                p { strong { "What a device does: " } (seen) }
            }
            @if let Some(note) = triage.of(&finding.id) {
                p.triage { (note.verdict) @if let Some(why) = &note.note { ": " (why) } }
            }
            dl {
                @if !finding.instructions.is_empty() {
                    dt { "Instructions" } dd { (list(&finding.instructions)) }
                }
                dt { "Documents" } dd { (list(&finding.documents)) }
                @if !finding.places.is_empty() {
                    dt { "Where" }
                    dd {
                        ul {
                            @for place in &finding.places {
                                li {
                                    (text::place(place))
                                    @for words in &place.words { blockquote { (words) } }
                                    @if !place.paraphrase.is_empty() {
                                        p.quiet { (text::whose_words(place)) ": " (place.paraphrase) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if let Some(place) = finding.evidence.litmus.as_deref().and_then(|it| link(folder, it)) {
                p { "To be run: " a href=(format!("{place}/README.md")) { (place) } }
            }
            @if let Some(reason) = &finding.evidence.without_litmus {
                p.quiet { "No module to be run: " (reason) "." }
            }
            @if let Some(witness) = &finding.evidence.witness {
                h2 { "The smallest state that shows it" }
                (state(witness))
                p.quiet {
                    "A lane is an invocation of the subgroup, by its SubgroupLocalInvocationId. Green lanes "
                    "execute the instruction, gray ones do not, dashed ones do not exist."
                    @if finding.readings.iter().any(reads) {
                        " An arrow leads from the lane whose operand is read to the lane that gets it as its "
                        "result."
                    }
                }
                @for read in &finding.readings { (drawn(witness, read)) }
            }
            @if let Some(module) = finding.evidence.module.as_ref().filter(|it| !it.is_bare()) {
                h2 { "A module that shows it" }
                ul { @for fact in module.lines() { li { (fact) } } }
                @if !finding.readings.is_empty() { (verdicts(finding)) }
            }
            @if let Some(legend) = text::legend(&words) { p.quiet { (legend) } }
        },
    )
}

/// What each sentence says of a module.
fn verdicts(finding: &Finding) -> Markup {
    html! {
        table.verdicts {
            thead { tr { th { "Where" } th { "What is said of it" } } }
            tbody {
                @for read in &finding.readings {
                    tr { td { (text::way(read)) } td { (read.outcome) } }
                }
            }
        }
    }
}

fn list(names: &std::collections::BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn state(witness: &Witness) -> Markup {
    html! {
        dl.state {
            dt { "Instruction" } dd { (witness.instruction) }
            dt { "Form" } dd { (witness.form) }
            dt { "SubgroupSize" } dd { (witness.subgroup_size) }
            dt { "SubgroupMaxSize" } dd { (witness.max_size) }
            dt { "Invocations that exist" } dd { (witness.existing) }
            dt { "It shows in" } dd { "lane " (witness.lane) }
        }
        table.lanes {
            thead {
                tr {
                    th { "Operand" }
                    @for lane in 0..witness.existing.min(DRAWN) { th { "lane " (lane) } }
                }
            }
            tbody {
                @for (name, own) in &witness.operands {
                    tr {
                        th { (name) }
                        @for lane in 0..witness.existing.min(DRAWN) {
                            td {
                                (text::held(witness, name, witness.lanes.get(name)
                                    .and_then(|lanes| lanes.get(lane as usize)).unwrap_or(own)))
                            }
                        }
                    }
                }
            }
        }
        (memory::tables(witness))
    }
}

/// Width of a lane in the drawing.
const STEP: u32 = 56;

/// Some lane reads another one's operand, or its own.
fn reads(read: &ReadingOutcome) -> bool {
    read.lanes.iter().any(|view| !view.reads.is_empty())
}

/// The lanes in a row, and arrows from the lanes that are read to those that read.
fn drawn(witness: &Witness, read: &ReadingOutcome) -> Markup {
    if read.lanes.is_empty() {
        return html! { p { strong { (text::way(read)) } ": " (read.outcome) } };
    }
    let sources = read.lanes.iter().flat_map(|view| &view.reads).map(|it| it.lane);
    let furthest = sources.filter(|&it| it < DRAWN);
    let shown = furthest.max().map_or(0, |lane| lane + 1).max(witness.max_size).min(DRAWN);
    let beyond = |lane: &u32| *lane >= shown;
    let middle = |lane: u32| lane.min(shown) * STEP + STEP / 2;
    let width = (shown + 1) * STEP;
    // A lane that reads is drawn below the lane that it reads, if any lane reads.
    let reads = reads(read);
    let height = if reads { 150 } else { 46 };
    let missing = read.lanes.iter().any(|view| view.reads.iter().any(|it| beyond(&it.lane)));
    html! {
        figure {
            figcaption { strong { (text::way(read)) } ", lane " (witness.lane) ": " (read.outcome) }
            svg viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img"
                aria-label=(format!("lanes read under {}", text::way(read))) {
                defs {
                    marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10"
                        markerHeight="10" markerUnits="userSpaceOnUse" orient="auto" {
                        path d="M0,0 L8,4 L0,8 z" class="tip" {}
                    }
                }
                @for lane in 0..shown {
                    (lane_box(witness, lane, middle(lane), 8))
                    @if reads { (lane_box(witness, lane, middle(lane), 112)) }
                }
                @if missing {
                    text.quiet x=(middle(shown)) y="28" text-anchor="middle" { "none" }
                }
                @for LaneView { lane, reads, .. } in &read.lanes {
                    @for from in reads {
                        line.gone[beyond(&from.lane)] .own[*lane == witness.lane]
                            x1=(middle(from.lane)) y1="38" x2=(middle(*lane)) y2="110"
                            marker-end="url(#tip)" {
                            title { (read_from(from)) }
                        }
                    }
                }
            }
            @if reads || read.lanes.len() > 1 { (each_lane(witness, read)) }
        }
    }
}

/// What a lane gets: the witness's what the caption says.
fn outcome<'r>(witness: &Witness, read: &'r ReadingOutcome, view: &'r LaneView) -> &'r str {
    if view.lane == witness.lane { &read.outcome } else { &view.outcome }
}

/// What each lane reads and gets.
fn each_lane(witness: &Witness, read: &ReadingOutcome) -> Markup {
    html! {
        table.lanes {
            tbody {
                @for view in &read.lanes {
                    tr.own[view.lane == witness.lane] {
                        th { "lane " (view.lane) }
                        td {
                            @if !view.reads.is_empty() {
                                "reads "
                                (view.reads.iter().map(read_from)
                                    .collect::<Vec<_>>().join(", "))
                            }
                        }
                        td { (outcome(witness, read, view)) }
                    }
                }
            }
        }
    }
}

/// `Data of lane 3`.
fn read_from(source: &LaneOperand) -> String {
    match &source.operand {
        Some(operand) => format!("{operand} of lane {}", source.lane),
        None => format!("lane {}", source.lane),
    }
}

fn lane_box(witness: &Witness, lane: u32, middle: u32, top: u32) -> Markup {
    let class = if lane >= witness.existing {
        "missing"
    } else if witness.active.contains(&lane) {
        "active"
    } else {
        "inactive"
    };
    html! {
        rect class=(class) x=(middle - 20) y=(top) width="40" height="30" rx="4" {}
        text x=(middle) y=(top + 20) text-anchor="middle" { (lane) }
    }
}
