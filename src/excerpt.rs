//! Messages and the lines that they quote, fit for a terminal: what was read may hold control
//! characters, and lines of any length.

use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

/// Bytes of a line that are shown at most; the rest of a longer one is left out.
const LONGEST: usize = 400;
/// Bytes of such a line before the place that is pointed to.
const BEFORE: usize = 40;

/// Text whose control characters but line feeds are written out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            c if misleads(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// An invisible character that acts on a terminal or reverses its neighbours.
fn misleads(c: char) -> bool {
    let direction =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line = matches!(c, '\u{2028}' | '\u{2029}');
    c.is_control() || direction || line
}

/// The same of text that has our own colours in it: sequences that set them stay.
pub fn escaped_but_colors(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        out.push_str(&escaped(&rest[..start]));
        let length = color(&rest[start..]);
        let end = start + length.unwrap_or(1);
        match length {
            Some(_) => out.push_str(&rest[start..end]),
            None => out.push_str(&escaped(&rest[start..end])),
        }
        rest = &rest[end..];
    }
    out + &escaped(rest)
}

/// Bytes of the sequence that sets a colour with which text begins, if it does.
fn color(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some(end + 3)
}

/// A diagnostic with an excerpt of its source.
#[derive(Debug)]
pub struct Excerpt<'d> {
    diagnostic: &'d dyn Diagnostic,
    quoted: Option<Quoted>,
    related: Vec<Self>,
}

impl<'d> Excerpt<'d> {
    /// Of any diagnostic.
    pub fn of(diagnostic: &'d dyn Diagnostic) -> Self {
        let labels: Vec<LabeledSpan> = diagnostic.labels().into_iter().flatten().collect();
        let source = diagnostic.source_code();
        let quoted = source.and_then(|source| Quoted::of(source, &labels));
        let related = diagnostic.related().into_iter().flatten().map(Self::of).collect();
        Self { diagnostic, quoted, related }
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(&self.diagnostic.to_string()))
    }
}

impl std::error::Error for Excerpt<'_> {}

impl Diagnostic for Excerpt<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.diagnostic.help()?.to_string();
        Some(Box::new(escaped(&help)))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let related = self.related.iter().map(|one| one as &dyn Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<dyn Iterator<Item = _>>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.quoted.as_ref().map(|quoted| quoted as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let quoted = self.quoted.as_ref()?;
        let within = quoted.start..=quoted.start + quoted.text.len();
        let fit = move |label: LabeledSpan| {
            let most = within.end().checked_sub(label.offset())?;
            let words = label.label().map(escaped);
            let length = label.len().min(most);
            within
                .contains(&label.offset())
                .then(|| LabeledSpan::new(words, label.offset(), length))
        };
        Some(Box::new(self.diagnostic.labels()?.filter_map(fit)))
    }
}

/// The lines around all labels; where one of them is too long, the part of a line around the first.
#[derive(Debug)]
struct Quoted {
    text: Vec<u8>,
    /// Where it begins: in bytes, as a line and as a column of that.
    start: usize,
    line: usize,
    column: usize,
    name: Option<String>,
}

impl Quoted {
    fn of(source: &dyn SourceCode, labels: &[LabeledSpan]) -> Option<Self> {
        let at = labels.first()?.offset();
        let first = labels.iter().map(LabeledSpan::offset).min()?;
        let last = labels.iter().map(|label| label.offset() + label.len()).max()?;
        let around = source.read_span(&SourceSpan::from((first, last - first)), 2, 2).ok()?;
        let (data, start) = (around.data(), around.span().offset());
        let whole = Self {
            text: plain(data),
            start,
            line: around.line(),
            column: around.column(),
            name: around.name().map(escaped),
        };
        let long = data.split(|byte| *byte == b'\n').any(|line| line.len() > LONGEST);
        if !long {
            return Some(whole);
        }
        let at = at.checked_sub(start)?.min(data.len());
        let begin = data[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |it| it + 1);
        let before = data[..begin].iter().filter(|byte| **byte == b'\n').count();
        let from = character(data, begin.max(at.saturating_sub(BEFORE)));
        let rest = &data[from..character(data, from + LONGEST)];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        Some(Self {
            text: plain(&rest[..length]),
            start: start + from,
            line: whole.line + before,
            column: if before == 0 { whole.column + from } else { from - begin },
            name: whole.name,
        })
    }
}

impl SourceCode for Quoted {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let offset = span.offset().checked_sub(self.start).ok_or(MietteError::OutOfBounds)?;
        let here = SourceSpan::from((offset, span.len()));
        let found = self.text.as_slice().read_span(&here, before, after)?;
        let span = SourceSpan::from((found.span().offset() + self.start, found.span().len()));
        let column = found.column() + if found.line() == 0 { self.column } else { 0 };
        let (line, count) = (found.line() + self.line, found.line_count());
        let data = found.data();
        Ok(Box::new(match &self.name {
            Some(name) => {
                MietteSpanContents::new_named(name.clone(), data, span, line, column, count)
            }
            None => MietteSpanContents::new(data, span, line, column, count),
        }))
    }
}

/// Where the character begins that a place in text lies in.
fn character(text: &[u8], mut place: usize) -> usize {
    place = place.min(text.len());
    while text.get(place).is_some_and(|byte| byte & 0xc0 == 0x80) && place > 0 {
        place -= 1;
    }
    place
}

/// The same bytes without control characters, each character at its place.
fn plain(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '\t' | '\r' => out.push(c as u8),
                c if misleads(c) => out.extend(std::iter::repeat_n(b'?', c.len_utf8())),
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        out.extend(std::iter::repeat_n(b'?', chunk.invalid().len()));
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_colors_survive() {
        let colored = "\u{1b}[1;32mproved\u{1b}[0m";
        assert_eq!(escaped_but_colors(colored), colored);
        assert_eq!(escaped("a\u{202e}b\u{2066}\u{2028}"), "a\\u{202e}b\\u{2066}\\u{2028}");
        assert_eq!(escaped("a\u{1b}[2Jb\u{7f}\u{9b}"), "a\\u{1b}[2Jb\\u{7f}\\u{9b}");
        for hostile in ["\u{1b}[2J", "\u{1b}]0;title\u{7}", "\u{1b}", "\u{1b}[", "\u{1b}[31"] {
            assert!(!escaped_but_colors(hostile).contains('\u{1b}'), "{hostile:?}");
        }
    }

    /// What is quoted of a text with a mark at one place.
    fn shown(text: &str, at: usize) -> String {
        let mark = LabeledSpan::new(Some("here".to_owned()), at, 1);
        let report = miette::MietteDiagnostic::new("planted").with_label(mark);
        let named = miette::NamedSource::new("file", text.to_owned());
        let report = miette::Report::from(report).with_source_code(named);
        let mut out = String::new();
        let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none());
        handler.render_report(&mut out, &Excerpt::of(report.as_ref())).unwrap();
        out
    }

    #[test]
    fn lines_of_any_length_are_quoted_around_the_place() {
        for at in [0, 1, 399, 400, 65_535, 65_536, 70_000, 99_999] {
            let line: String =
                (0..100_000).map(|place| if place == at { '!' } else { '.' }).collect();
            for before in ["", "first\n"] {
                let out = shown(&format!("{before}{line}\nlast"), before.len() + at);
                assert!(out.contains('!') && out.contains("here"), "{at}: {out}");
                assert!(out.lines().all(|line| line.len() < 600), "{at}");
                let place = format!("{}:{}", before.lines().count() + 1, at + 1);
                assert!(out.contains(&place), "{place}: {out}");
            }
        }
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        for character in ["é", "€", "𝄞"] {
            let line: String = character.repeat(400);
            for at in (0..line.len()).step_by(character.len()) {
                let out = shown(&line, at);
                assert!(!out.contains(['?', '\u{fffd}']), "{character} {at}: {out}");
            }
        }
    }

    #[test]
    fn quoted_lines_hold_no_control_characters() {
        let out = shown("a \u{1b}[2J \u{9b} \u{202e} b", 9);
        assert!(!out.contains(['\u{1b}', '\u{9b}', '\u{202e}']) && out.contains('b'), "{out}");
    }
}
