//! What a run left, as people read it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use laneproof_interpreter::Stop;
use laneproof_module::Program;
use serde_json::{Map, Value};

use crate::terminal::Terminal;
use laneproof_report::lanes::{OPEN, OPEN_MEANS, UNDEFINED, in_words};
use laneproof_report::table::{table, wrap};

/// The document of a run that came to its end: results by lane, memory by element.
pub fn document(document: &Value, inactive: &BTreeSet<u32>, terminal: &Terminal) -> String {
    let mut out = String::new();
    let none = Map::new();
    let outputs = document.get("outputs").and_then(Value::as_object).unwrap_or(&none);
    let result = document.get("result").map(|result| ("result".to_owned(), result));
    let named = outputs.iter().map(|(name, value)| (name.clone(), value));
    let lanes: Vec<(String, &Value)> = named.chain(result).collect();
    if !lanes.is_empty() {
        by_lane(&mut out, &lanes, inactive, terminal);
    }
    for (name, buffer) in document.get("bindings").and_then(Value::as_object).unwrap_or(&none) {
        elements(&mut out, &format!("binding {name}"), buffer, terminal);
    }
    if let Some(buffer) = document.get("push_constants") {
        elements(&mut out, "push constants", buffer, terminal);
    }
    let arguments = document.get("arguments").and_then(Value::as_array);
    for (index, argument) in arguments.into_iter().flatten().enumerate() {
        if let Some(buffer) = argument.get("buffer") {
            elements(&mut out, &format!("argument {index}"), buffer, terminal);
        }
    }
    if out.is_empty() {
        out.push_str("It ran to its end; it returns nothing, and was given no memory.\n");
    }
    out
}

fn by_lane(
    out: &mut String,
    columns: &[(String, &Value)],
    inactive: &BTreeSet<u32>,
    terminal: &Terminal,
) {
    let typed = |(name, value): &(String, &Value)| format!("{name}\n{}", type_of(value));
    let headers: Vec<String> = columns.iter().map(typed).collect();
    let headers = std::iter::once("lane").chain(headers.iter().map(String::as_str));
    let mut table = table(&terminal.page, &headers.collect::<Vec<_>>());
    let lists: Vec<Vec<String>> = columns.iter().map(|(_, value)| shown(value, "lanes")).collect();
    let count = lists.iter().map(Vec::len).max().unwrap_or(0);
    for lane in 0..count {
        let values = lists.iter().map(|list| match list.get(lane) {
            _ if inactive.contains(&(lane as u32)) => "-".to_owned(),
            value => value.cloned().unwrap_or_default(),
        });
        table.add_row(std::iter::once(lane.to_string()).chain(values).collect::<Vec<_>>());
    }
    let _ = writeln!(out, "{}", table.trim_fmt());
    if !inactive.is_empty() {
        out.push_str("-: the lane was not active, or was killed\n");
    }
    if columns.iter().any(|(_, value)| is_open(value)) {
        wrap(out, &terminal.page, 0, OPEN_MEANS);
    }
}

/// Some value of a list is one of several.
fn is_open(list: &Value) -> bool {
    list.get("open").is_some()
}

/// The values of a list, those that are one of several marked.
fn shown(list: &Value, key: &str) -> Vec<String> {
    let values = list.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let open = list.get("open").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_open = |place: usize| open.iter().any(|it| it.as_u64() == Some(place as u64));
    let mark = |place| if is_open(place) { OPEN } else { "" };
    let values = values.iter().enumerate();
    values.map(|(place, it)| format!("{}{}", value(it), mark(place))).collect()
}

fn elements(out: &mut String, name: &str, buffer: &Value, terminal: &Terminal) {
    let words = shown(buffer, "values");
    let _ = writeln!(out, "{name}, {} of {}:", words.len(), type_of(buffer));
    wrap(out, &terminal.page, 2, &words.join(" "));
    if is_open(buffer) {
        wrap(out, &terminal.page, 2, OPEN_MEANS);
    }
}

fn type_of(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or("?")
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => UNDEFINED.to_owned(),
        Value::String(text) => named(text),
        Value::Array(parts) if !parts.is_empty() && parts.iter().all(Value::is_null) => {
            UNDEFINED.to_owned()
        }
        Value::Array(parts) => {
            format!("({})", parts.iter().map(self::value).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A value that JSON has no number for: of those only a NaN is written by its bits.
pub fn named(text: &str) -> String {
    match text.starts_with("0x") {
        true => format!("NaN {text}"),
        false => text.to_owned(),
    }
}

/// Says that it is not known which values are the only ones.
pub fn not_followed(out: &mut String, stop: &Stop, terminal: &Terminal) {
    // What has a value here may have another elsewhere: that a use of it would be undefined behavior
    // where it had none says only that it decides.
    let why = match stop {
        Stop::UndefinedBehavior { instruction, .. } => {
            format!("what {instruction} does depends on a value that is left open")
        }
        _ => stop.to_string(),
    };
    let line = format!("Other values may be allowed, too; which, is not known: {why}.");
    wrap(out, &terminal.page, 0, &line);
}

/// Why a run did not come to its end.
pub fn stop(stop: &Stop, program: &Program, terminal: &Terminal) -> String {
    let mut out = String::new();
    wrap(&mut out, &terminal.page, 0, &why(stop, program));
    let text = word(stop).and_then(|word| program.debug.text(program.debug.lines.get(&word)?));
    if let Some(text) = text {
        wrap(&mut out, &terminal.page, 2, &text);
    }
    out
}

/// The word of the instruction that stopped a run.
fn word(stop: &Stop) -> Option<u32> {
    match stop {
        Stop::UndefinedBehavior { site, .. } | Stop::AssumptionFailed { site, .. } => {
            Some(site.word)
        }
        Stop::NotModelled { place, .. } => Some(place.word),
        _ => None,
    }
}

/// The same in a sentence.
pub fn why(stop: &Stop, program: &Program) -> String {
    let line = word(stop).and_then(|word| program.debug.lines.get(&word));
    let at = line.map_or_else(String::new, |line| format!(" at line {}", line.line));
    match stop {
        Stop::UndefinedBehavior { instruction, lanes, reason, .. } => {
            format!("undefined behavior in {instruction}{at}, {}: {reason}", in_words(lanes))
        }
        Stop::AssumptionFailed { lanes, .. } => format!(
            "undefined behavior in OpAssumeTrueKHR{at}, {}: the assumption is false",
            in_words(lanes)
        ),
        Stop::NotModelled { instruction, place, why } => {
            let at = match place.line {
                _ if line.is_some() => at,
                0 => format!(" at word {}", place.word),
                line => format!(" at line {line}"),
            };
            format!("unknown: {instruction}{at} is not supported: {why}")
        }
        _ => format!("unknown: {stop}"),
    }
}
