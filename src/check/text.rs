//! The answer as people read it.

use anstyle::{AnsiColor, Style};
use laneproof_module::Program;
use laneproof_oracle::Observation;

use super::{Unexplained, possible};
use crate::run::named;
use crate::terminal::Terminal;
use laneproof_report::table::{paint, table, wrap};

/// More rows do not help.
const MOST_ROWS: usize = 16;

/// The verdict, and a table of what is not explained.
pub fn answer(
    verdict: &str,
    reason: &str,
    unexplained: &[Unexplained<'_>],
    (observation, program): (&Observation, &Program),
    terminal: &Terminal,
) -> String {
    let (words, color) = match verdict {
        "allowed" => ("allowed", AnsiColor::Green),
        "not-allowed" => ("not allowed", AnsiColor::Red),
        _ => ("unknown", AnsiColor::Yellow),
    };
    let words = paint(&terminal.page, Style::new().bold().fg_color(Some(color.into())), words);
    let mut out = String::new();
    wrap(&mut out, &terminal.page, 0, &format!("{words}: {reason}"));
    if unexplained.is_empty() {
        return out;
    }
    if verdict == "unknown" {
        out.push_str("\nNot explained so far:\n");
    }
    out.push('\n');
    let last = if verdict == "unknown" { "seen instead" } else { "allowed" };
    let mut rows = table(&terminal.page, &["", "", "observed", last]);
    for value in unexplained.iter().take(MOST_ROWS) {
        let by_lane = value.part.by_lane;
        let (values, words) = possible(value, observation, program);
        let allowed =
            values.map(|values| values.iter().map(short).collect::<Vec<_>>().join(" or "));
        rows.add_row([
            value.part.name.clone(),
            format!("{} {}", if by_lane { "lane" } else { "element" }, value.index),
            short(&value.observed),
            allowed.unwrap_or_else(|| words.join("; ")),
        ]);
    }
    out.push_str(&format!("{}\n", rows.trim_fmt()));
    if unexplained.len() > MOST_ROWS {
        out.push_str(&format!("   … {} more\n", unexplained.len() - MOST_ROWS));
    }
    out
}

/// A value in a few characters.
fn short(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => named(text),
        serde_json::Value::Null => "undefined".to_owned(),
        other => other.to_string(),
    }
}
