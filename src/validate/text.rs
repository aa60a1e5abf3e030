//! Diagnostics as people read them: the place in the assembly, or the instruction and its word.

use std::fmt;

use laneproof_environment::{Diagnostic, Environment, Severity};
use miette::{
    Diagnostic as Report, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource,
    SourceCode,
};

use crate::terminal::Terminal;

/// A diagnostic beside the text that it is about.
#[derive(Debug)]
struct Shown<'a> {
    found: &'a Diagnostic,
    name: &'a str,
    source: Option<&'a NamedSource<String>>,
    text: Option<&'a str>,
}

/// All diagnostics, and how many there are.
pub fn answer(
    found: &[Diagnostic],
    bytes: &[u8],
    name: &str,
    environment: Environment,
    terminal: &Terminal,
) -> String {
    let text = std::str::from_utf8(bytes).ok().filter(|_| found.iter().any(|it| it.line.is_some()));
    let source = text.map(|text| NamedSource::new(name, text.to_owned()));
    let theme = match terminal.page.color {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(terminal.page.width)
        .with_context_lines(0);
    let mut out = String::new();
    for found in found {
        let shown = Shown { found, name, source: source.as_ref(), text };
        if handler.render_report(&mut out, &shown).is_err() {
            out.push_str(&format!("{}: {shown}", found.severity.name()));
        }
        out.push('\n');
    }
    let count = |severity, one: &str| {
        let number = found.iter().filter(|it| it.severity == severity).count();
        (number > 0).then(|| format!("{number} {one}{}", if number == 1 { "" } else { "s" }))
    };
    let counts = [
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
        count(Severity::Note, "note"),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let valid = found.iter().all(|it| it.severity != Severity::Error);
    let verdict = if valid { "valid" } else { "invalid" };
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    out.push_str(&format!("{name} is {verdict} in {environment}{counts}\n"));
    out
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.found.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Report for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.found.rule))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.found.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let mut lines = Vec::new();
        if let (Some(shown), Some(word)) = (&self.found.shown, self.found.word) {
            let place = if self.found.line.is_some() {
                String::new()
            } else {
                format!("{} at word {word}: ", self.name)
            };
            lines.push(format!("{place}{shown}"));
        }
        lines.push(format!("see {}", self.found.citation));
        lines.extend(self.found.reading.iter().map(|reading| format!("by the reading {reading}")));
        if !self.found.depends_on.is_empty() {
            lines.push("state it in a device file (`--device FILE`)".to_owned());
        }
        Some(Box::new(lines.join("\n")))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.found.line?;
        self.source.map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (start, length) = line_span(self.text?, self.found.line?)?;
        let label = LabeledSpan::new(Some("here".to_owned()), start, length);
        Some(Box::new(std::iter::once(label)))
    }
}

/// The bytes of a line, counted from 1, without the space around it: where it starts, how many.
fn line_span(text: &str, line: u32) -> Option<(usize, usize)> {
    let wanted = text.lines().nth(line.checked_sub(1)? as usize)?.trim();
    Some((wanted.as_ptr() as usize - text.as_ptr() as usize, wanted.len()))
}
