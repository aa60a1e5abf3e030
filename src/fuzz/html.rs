//! A campaign as one page: what ran, what was found, and each finding with its report.

use laneproof_toolchains::{LocatedTool, Summary, ToolFinding};
use maud::{Markup, html};

use super::rendered::rendered;
use super::text::{NUMBERS, line, numbers, rate, version};

const STYLE: &str = include_str!("page.css");

/// The page.
pub fn page(summary: &Summary, found: &[LocatedTool]) -> String {
    let (readings, defects): (Vec<&ToolFinding>, Vec<&ToolFinding>) =
        summary.findings.iter().partition(|finding| finding.is_reading());
    let body = html! {
        h1 { "Fuzzing" }
        p { (line(summary)) "." }
        @if summary.interrupted { p { "The campaign was interrupted." } }
        (tools(summary, found))
        @if defects.is_empty() { h2 { "Findings" } p { "No findings." } }
        (section("Findings", &defects))
        (section("Explained by a reading", &readings))
        (corpus(summary))
        (coverage(summary))
    };
    laneproof_report::frame::page("Fuzzing", STYLE, &body).into_string()
}

fn tools(summary: &Summary, found: &[LocatedTool]) -> Markup {
    html! {
        h2 { "Tools" }
        table {
            thead { tr { th { "tool" } th { "version" } @for name in NUMBERS { th { (name) } } th { "rate" } } }
            tbody {
                @for (name, row) in &summary.rows {
                    tr {
                        td { (name) }
                        td { (version(summary, found, name)) }
                        @for number in numbers(row) {
                            td.number { (number) }
                        }
                        td.number { (rate(row)) }
                    }
                    @if let Some(failure) = &row.failure {
                        tr { td {} td colspan="9" { (failure) } }
                    }
                }
            }
        }
    }
}

fn section(title: &str, findings: &[&ToolFinding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            h2 { (title) }
            @for finding in findings {
                details {
                    summary {
                        b { (finding.subject()) } ": " (finding.line())
                        @if finding.times > 1 { " (" (finding.times) " modules)" }
                    }
                    p {
                        "Key " code { (finding.key) } ", seed " (finding.seed.0) ", module "
                        (finding.seed.1)
                        @if let Some(folder) = &finding.folder { ", in " code { (folder.display()) } }
                    }
                    (rendered(&finding.report()))
                }
            }
        }
    }
}

fn corpus(summary: &Summary) -> Markup {
    html! {
        @if !summary.of_corpus.wrong.is_empty() {
            h2 { "Modules of the corpus" }
            ul { @for line in &summary.of_corpus.wrong { li { (line) } } }
        }
    }
}

fn coverage(summary: &Summary) -> Markup {
    html! {
        h2 { "Coverage" }
        details {
            summary { (summary.covered.len()) " forms: instruction, group operation, type, shape" }
            ul.forms { @for form in &summary.covered { li { (form) } } }
        }
    }
}
