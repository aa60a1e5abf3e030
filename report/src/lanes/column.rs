//! Which columns help: as many as fit, those in which lanes differ before others.

use laneproof_verify::{ComparedFunction, LaneRow, Origin, TypedValue};

use super::ARROW;
use super::value::{NONE, is_undefined, text};

/// A column of the table.
#[derive(Clone)]
pub struct Column {
    /// Its header: what it is, and whose.
    pub header: String,
    /// One text a lane.
    pub cells: Vec<String>,
    /// The lanes, by row, in which something of the value is undefined.
    pub undefined: Vec<bool>,
    /// What the two sides returned, or which lanes disagree.
    pub verdict: bool,
    /// Whose value it is and where that is computed, where the line of a source is known.
    pub origin: Option<(ComparedFunction, Origin)>,
}

/// Names are cut to no less than this.
const SHORT_NAME: usize = 12;

/// Columns between two neighbours.
const GAP: usize = 2;

impl Column {
    fn new(header: &str, rows: &[&LaneRow], cell: impl Fn(&LaneRow) -> String) -> Self {
        let cells = rows.iter().map(|row| cell(row)).collect();
        let undefined = vec![false; rows.len()];
        Self { header: header.to_owned(), cells, undefined, verdict: false, origin: None }
    }

    /// A value in each lane, `missing` where it has none.
    fn of_values<'r>(
        header: &str,
        rows: &[&'r LaneRow],
        missing: &str,
        value: impl Fn(&'r LaneRow) -> Option<&'r TypedValue>,
    ) -> Self {
        let values: Vec<_> = rows.iter().map(|row| value(row)).collect();
        let shown = |it: &Option<&TypedValue>| it.map_or_else(|| missing.to_owned(), text);
        Self {
            header: header.to_owned(),
            cells: values.iter().map(shown).collect(),
            undefined: values.iter().map(|it| it.is_some_and(is_undefined)).collect(),
            verdict: false,
            origin: None,
        }
    }

    fn width(&self) -> usize {
        let lines = self.header.lines().chain(self.cells.iter().map(String::as_str));
        lines.map(|line| line.chars().count()).max().unwrap_or(0) + GAP
    }

    /// The same under a shorter name, where its values need less room than its name.
    fn abbreviated(&self) -> Self {
        let cells = self.cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let room = cells.max(SHORT_NAME);
        let short = |line: &str| match line.chars().count() > room {
            true => line.chars().take(room - 1).chain(['…']).collect(),
            false => line.to_owned(),
        };
        let lines: Vec<String> = self.header.lines().map(short).collect();
        Self { header: lines.join("\n"), ..self.clone() }
    }

    /// How much it tells: undefined values where lanes disagree, any undefined value, differences.
    fn interest(&self, rows: &[&LaneRow]) -> u8 {
        let mut lanes = self.undefined.iter().zip(rows);
        if lanes.any(|(undefined, row)| row.offending && *undefined) {
            return 3;
        }
        if self.undefined.contains(&true) {
            return 2;
        }
        u8::from(self.cells.windows(2).any(|pair| pair[0] != pair[1]))
    }
}

/// The columns of a table that fit, and those that do not.
pub struct FittingColumns {
    /// The columns that fit.
    pub columns: Vec<Column>,
    /// The names of those that do not.
    pub hidden: Vec<String>,
    /// Inputs that do not fit, and are the same in every lane: name and value.
    pub same: Vec<(String, String)>,
}

/// The columns for these lanes that fit into `width`.
pub fn chosen(rows: &[&LaneRow], property: bool, width: usize) -> FittingColumns {
    let mark = |row: &LaneRow| if row.offending { ARROW.to_owned() } else { String::new() };
    let yes = |row: &LaneRow| if row.active { "yes" } else { "no" }.to_owned();
    let lane = Column::new("lane", rows, |row| row.lane.to_string());
    let first = [Column { verdict: true, ..Column::new("", rows, mark) }, lane];
    let active = Column::new("active", rows, yes);
    let last = results(rows, property);
    let inputs = inputs(rows);
    let steps = steps(rows, property, inputs.iter().chain(&last));
    let always = first.iter().chain([&active]).chain(&last);
    let mut left = width.saturating_sub(always.map(Column::width).sum());
    // Inputs before what is computed, the more telling before the less, the later before the
    // earlier: it is nearer to the result.
    let mut middle: Vec<(Column, bool)> = inputs
        .into_iter()
        .map(|it| (it, true))
        .chain(steps.into_iter().map(|it| (it, false)))
        .collect();
    let mut order: Vec<usize> = (0..middle.len()).collect();
    order.sort_by_key(|&index| {
        let (column, input) = &middle[index];
        let place = if *input { index } else { usize::MAX - index };
        (!input, u8::MAX - column.interest(rows), place)
    });
    let mut shown = vec![false; middle.len()];
    for index in order {
        if middle[index].0.width() > left {
            let short = middle[index].0.abbreviated();
            if short.width() > left {
                continue;
            }
            middle[index].0 = short;
        }
        left -= middle[index].0.width();
        shown[index] = true;
    }
    let mut columns: Vec<Column> = first.into();
    columns.push(active);
    let (mut hidden, mut same) = (Vec::new(), Vec::new());
    for ((column, input), shown) in middle.into_iter().zip(shown) {
        let name = column.header.replace('\n', " ");
        let one = column.cells.windows(2).all(|pair| pair[0] == pair[1]);
        if shown {
            columns.push(column);
        } else if let Some(value) = column.cells.first().filter(|_| input && one) {
            same.push((name, value.clone()));
        } else if input || column.interest(rows) > 0 {
            hidden.push(name);
        }
    }
    columns.extend(last);
    FittingColumns { columns, hidden, same }
}

/// What the functions returned.
fn results(rows: &[&LaneRow], property: bool) -> Vec<Column> {
    let result = |header: &str, of: fn(&LaneRow) -> &TypedValue| {
        let cells = Column::of_values(header, rows, NONE, |row| Some(of(row)));
        Column { verdict: true, ..cells }
    };
    if property {
        return vec![result("property", |row| &row.target)];
    }
    let both = vec![result("source", |row| &row.source), result("target", |row| &row.target)];
    // Functions that return nothing, and runs that no lane returned from.
    let empty = rows.iter().all(|it| it.source.leaves.is_none() && it.target.leaves.is_none());
    let mut columns = if empty { Vec::new() } else { both };
    columns.extend(outputs(rows));
    columns
}

/// What is left in the parameters that are outputs: all of a single one, of several those in which
/// the two disagree.
fn outputs(rows: &[&LaneRow]) -> Vec<Column> {
    let count = rows.first().map_or(0, |row| row.outputs.len());
    let differs = |index: &usize| rows.iter().any(|row| row.outputs[*index].offending);
    let column = |side: ComparedFunction, index: usize| {
        let name = &rows[0].outputs[index].source.name;
        let cells = Column::of_values(&format!("{side}\n{name} after"), rows, NONE, |row| {
            Some(match side {
                ComparedFunction::Source => &row.outputs[index].source,
                ComparedFunction::Target => &row.outputs[index].target,
            })
        });
        Column { verdict: true, ..cells }
    };
    let chosen = (0..count).filter(|index| count == 1 || differs(index));
    chosen
        .flat_map(|it| [column(ComparedFunction::Source, it), column(ComparedFunction::Target, it)])
        .collect()
}

fn inputs(rows: &[&LaneRow]) -> Vec<Column> {
    let Some(row) = rows.first() else { return Vec::new() };
    let of =
        |index: usize, name: &str| Column::of_values(name, rows, "", |row| row.inputs.get(index));
    row.inputs.iter().enumerate().map(|(index, input)| of(index, &input.name)).collect()
}

/// Values on the way that no other column shows already.
fn steps<'a, 'r>(
    rows: &[&'r LaneRow],
    property: bool,
    known: impl Iterator<Item = &'a Column>,
) -> Vec<Column> {
    let mut seen: Vec<Vec<String>> = known.map(|column| column.cells.clone()).collect();
    seen.push(rows.iter().map(|row| row.lane.to_string()).collect());
    let mut values: Vec<(ComparedFunction, &TypedValue)> = Vec::new();
    for (side, shown) in rows.iter().flat_map(|row| &row.steps) {
        if !values.iter().any(|(of, it)| of == side && it.name == shown.name) {
            values.push((*side, shown));
        }
    }
    let mut columns = Vec::new();
    for (side, value) in values {
        let step = |row: &'r LaneRow| {
            let found = row.steps.iter().find(|(of, it)| *of == side && it.name == value.name);
            found.map(|(_, shown)| shown)
        };
        let times = || rows.iter().filter_map(|row| Some(step(row)?.times)).filter(|it| *it > 0);
        let times = times().min().zip(times().max()).unwrap_or((1, 1));
        let mut column = Column::of_values(&header(side, value, times, property), rows, NONE, step);
        column.origin = value.origin.clone().map(|origin| (side, origin));
        if !seen.contains(&column.cells) {
            seen.push(column.cells.clone());
            columns.push(column);
        }
    }
    columns
}

/// Whose value, from which line, and which: its name, or the instruction where it has none that the
/// source's author would know; and of how many executions it is the last, least and most of a lane.
fn header(side: ComparedFunction, value: &TypedValue, times: (u32, u32), property: bool) -> String {
    let mut lines = Vec::new();
    if !property {
        lines.push(side.to_string());
    }
    match &value.origin {
        Some(origin) => {
            lines.push(format!("line {}", origin.line));
            lines.push(match value.name.starts_with('%') {
                true => brief(&origin.instruction).to_owned(),
                false => value.name.clone(),
            });
            lines.extend(origin.function.as_ref().map(|function| format!("in {function}")));
        }
        None => lines.push(value.name.clone()),
    }
    match times {
        (_, 1) => {}
        (least, most) if least == most => lines.push(format!("last of {most}")),
        (least, most) => lines.push(format!("last of {least}-{most}")),
    }
    lines.join("\n")
}

/// An instruction's name without what all of its kind have in common.
fn brief(instruction: &str) -> &str {
    let name = instruction.strip_prefix("Op").unwrap_or(instruction);
    name.strip_prefix("GroupNonUniform").unwrap_or(name)
}
