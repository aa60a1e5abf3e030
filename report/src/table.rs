//! Tables and words as people read them.

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};
use laneproof_verify::Verdict;

use crate::page::Page;

/// An empty table with these headers: no lines but one below the headers.
pub fn table(page: &Page, headers: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(page.width.min(usize::from(u16::MAX)) as u16)
        .set_header(headers);
    if page.color {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// Text in a style, where standard output shows styles.
pub fn paint(page: &Page, style: Style, text: &str) -> String {
    if page.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// A number and a noun, in the singular or the plural.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The style of a verdict.
pub fn style_of(verdict: Verdict) -> Style {
    let color = match verdict {
        Verdict::Proved => AnsiColor::Green,
        Verdict::Refuted => AnsiColor::Red,
        Verdict::Unknown | Verdict::Vacuous => AnsiColor::Yellow,
    };
    Style::new().bold().fg_color(Some(color.into()))
}

/// A time in the unit that people read it in.
pub fn time(milliseconds: f64) -> String {
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1000.0)
    }
}

/// How many columns a word takes: escape sequences take none.
fn visible(word: &str) -> usize {
    let mut escaped = false;
    let shown = word.chars().filter(|&c| {
        let hidden = escaped || c == '\u{1b}';
        escaped = hidden && c != 'm';
        !hidden
    });
    shown.count()
}

/// A space at which no line is broken.
pub const FIRM_SPACE: char = '\u{a0}';

/// Appends text, its lines broken at the page's width and indented; further lines more.
pub fn wrap(out: &mut String, page: &Page, indent: usize, text: &str) {
    let mut column = 0;
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        let length = visible(word);
        if column > 0 && column + 1 + length <= page.width {
            out.push(' ');
            column += 1 + length;
        } else {
            let start = if column == 0 { indent } else { indent + 2 };
            if column > 0 {
                out.push('\n');
            }
            out.push_str(&" ".repeat(start));
            column = start + length;
        }
        out.extend(word.chars().map(|c| if c == FIRM_SPACE { ' ' } else { c }));
    }
    out.push('\n');
}
