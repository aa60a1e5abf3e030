//! The part of memory in which source and target differ, or that they changed.

use comfy_table::{Attribute, Cell, Color};
use laneproof_verify::{Counterexample, MemoryRow};

use super::value;
use crate::lanes;
use crate::page::Page;
use crate::table;

/// More scalars than that do not help.
const MOST_ROWS: usize = 16;

/// The changed scalars, those that disagree first; empty if there are none.
pub fn table(found: &Counterexample, page: &Page) -> String {
    if found.memory.is_empty() {
        return String::new();
    }
    let (offending, others): (Vec<_>, Vec<_>) = found.memory.iter().partition(|row| row.offending);
    let rows: Vec<&MemoryRow> = offending.into_iter().chain(others).collect();
    let mut table = table::table(page, &["", "memory", "element", "before", "source", "target"]);
    for row in rows.iter().take(MOST_ROWS) {
        let target = Cell::new(text(row, row.target, row.open));
        table.add_row([
            Cell::new(if row.offending { lanes::ARROW } else { "" }),
            Cell::new(&row.memory),
            Cell::new(row.index),
            Cell::new(text(row, Some(row.before), false)),
            Cell::new(text(row, row.source, false)),
            match row.offending {
                true => target.fg(Color::DarkRed).add_attribute(Attribute::Bold),
                false => target,
            },
        ]);
    }
    let mut out = format!("{}\n", table.trim_fmt());
    if rows.len() > MOST_ROWS {
        out.push_str(&format!("   … {} more elements\n", rows.len() - MOST_ROWS));
    }
    out
}

fn text(row: &MemoryRow, bits: Option<Option<u64>>, open: bool) -> String {
    value::of_type(&row.ty, bits.as_ref().map(std::slice::from_ref), open)
}
