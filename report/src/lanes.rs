//! The counterexample lane by lane: those rows and columns that show what happens.

mod column;
pub mod memory;
mod value;

use std::collections::BTreeSet;

use comfy_table::{Attribute, Cell, Color};
use laneproof_verify::{ComparedFunction, Counterexample, LaneRow};

use crate::page::Page;
use crate::table;
use column::{Column, FittingColumns, chosen};

pub use value::{OPEN, OPEN_MEANS, UNDEFINED};

/// More lanes than that do not help, nor fit a screen.
const MOST_LANES: usize = 16;

/// How many offending lanes are shown where there are many.
const MOST_OFFENDING: usize = 6;

/// Lanes, what they are given and what they get.
pub fn table(found: &Counterexample, property: bool, page: &Page) -> String {
    let lanes = marked(found);
    let rows = interesting(&lanes);
    let FittingColumns { columns, hidden, same } = chosen(&rows, property, page.width);
    let headers: Vec<&str> = columns.iter().map(|column| column.header.as_str()).collect();
    let mut table = table::table(page, &headers);
    for (index, row) in rows.iter().enumerate() {
        table.add_row(columns.iter().map(|column| cell(column, index, row)).collect::<Vec<_>>());
    }
    let mut out = in_blocks(&table.trim_fmt(), &rows);
    let rest = found.lanes.len() - rows.len();
    if rest > 0 {
        let offending = |rows: &[&LaneRow]| rows.iter().filter(|row| row.offending).count();
        let all: Vec<&LaneRow> = lanes.iter().collect();
        let more = match offending(&all) - offending(&rows) {
            0 => String::new(),
            more => format!(", {more} of them disagree too"),
        };
        out.push_str(&format!("   … {rest} more lanes{more}\n"));
    }
    let lanes = if rest > 0 { "these lanes" } else { "every lane" };
    for (name, value) in same {
        table::wrap(&mut out, page, 3, &format!("{name} is {value} in {lanes}."));
    }
    sources(&mut out, &columns, property, page);
    if !hidden.is_empty() {
        let line = format!("Not shown: {} (all of it with --json).", hidden.join(", "));
        table::wrap(&mut out, page, 3, &line);
    }
    out
}

/// Marks what source and target disagree in.
pub const ARROW: &str = "→";

/// Something in it is marked as one of several values.
pub fn any_open(found: &Counterexample) -> bool {
    let shown = |row: &LaneRow| {
        let steps = row.steps.iter().map(|(_, shown)| shown);
        let outputs = row.outputs.iter().flat_map(|it| [&it.source, &it.target]);
        steps.chain([&row.source, &row.target]).chain(outputs).any(|shown| shown.open)
    };
    found.lanes.iter().any(shown) || found.memory.iter().any(|row| row.open)
}

/// The source lines that headers name.
fn sources(out: &mut String, columns: &[Column], property: bool, page: &Page) {
    let mut lines: Vec<(ComparedFunction, u32, &str)> = Vec::new();
    for (side, origin) in columns.iter().filter_map(|column| column.origin.as_ref()) {
        let Some(text) = &origin.text else { continue };
        let line = (*side, origin.line, text.as_str());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.sort_by_key(|(side, line, _)| (*side == ComparedFunction::Target, *line));
    if !lines.is_empty() {
        out.push('\n');
    }
    for (side, line, text) in lines {
        let whose = if property { String::new() } else { format!("{side}, ") };
        table::wrap(out, page, 2, &format!("{whose}line {line}: {text}"));
    }
}

/// A table whose rows are lines; those of each subgroup of a workgroup under its number.
fn in_blocks(table: &str, rows: &[&LaneRow]) -> String {
    let lines: Vec<&str> = table.lines().collect();
    let (header, body) = lines.split_at(lines.len().saturating_sub(rows.len()));
    let mut out: String = header.iter().map(|line| format!("{line}\n")).collect();
    let mut last = None;
    for (line, row) in body.iter().zip(rows) {
        if let Some(subgroup) = row.subgroup.filter(|it| last != Some(*it)) {
            out.push_str(&format!(" subgroup {subgroup}\n"));
            last = Some(subgroup);
        }
        out.push_str(&format!("{line}\n"));
    }
    out
}

/// The lanes; those in which undefined behavior shows disagree as much as any.
fn marked(found: &Counterexample) -> Vec<LaneRow> {
    let behavior = found.undefined_behavior.as_ref().map_or(&[][..], |it| &it.lanes);
    let mut lanes = found.lanes.clone();
    for row in &mut lanes {
        row.offending |= behavior.contains(&row.lane);
    }
    lanes
}

fn cell(column: &Column, index: usize, row: &LaneRow) -> Cell {
    let text = &column.cells[index];
    let cell = Cell::new(text);
    if column.undefined[index] {
        cell.fg(Color::DarkYellow)
    } else if row.offending && column.verdict {
        cell.fg(Color::DarkRed).add_attribute(Attribute::Bold)
    } else if !row.active {
        cell.add_attribute(Attribute::Dim)
    } else {
        cell
    }
}

/// All lanes where they are few; else those that disagree with their neighbours, those at either
/// end, and those that have undefined values.
fn interesting(lanes: &[LaneRow]) -> Vec<&LaneRow> {
    if lanes.len() <= MOST_LANES {
        return lanes.iter().collect();
    }
    let offending = lanes.iter().filter(|row| row.offending).take(MOST_OFFENDING);
    let undefined = |row: &&LaneRow| {
        let results = [&row.source, &row.target];
        let steps = row.steps.iter().map(|(_, shown)| shown);
        row.active && steps.chain(results).any(value::is_undefined)
    };
    let neighbours = offending.clone().flat_map(|row| [row.lane.wrapping_sub(1), row.lane + 1]);
    let ends = [0, 1, lanes.len() as u32 - 1];
    let wanted = offending
        .clone()
        .map(|row| row.lane)
        .chain(neighbours)
        .chain(ends)
        .chain(lanes.iter().filter(undefined).map(|row| row.lane));
    let mut shown = BTreeSet::new();
    for lane in wanted.filter(|lane| (*lane as usize) < lanes.len()) {
        if shown.len() < MOST_LANES {
            shown.insert(lane);
        }
    }
    lanes.iter().filter(|row| shown.contains(&row.lane)).collect()
}

/// "lane 3", "lanes 0 to 3", "lanes 0, 2 and 5".
pub fn in_words(lanes: &[u32]) -> String {
    let run = lanes.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match lanes {
        [] => "no lane".to_owned(),
        [only] => format!("lane {only}"),
        [first, .., last] if run && lanes.len() > 2 => format!("lanes {first} to {last}"),
        [before @ .., last] => {
            let words: Vec<String> = before.iter().map(u32::to_string).collect();
            format!("lanes {} and {last}", words.join(", "))
        }
    }
}
