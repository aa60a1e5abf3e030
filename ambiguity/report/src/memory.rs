//! What pointers and images of a witness lead to, as tables.

use std::fmt::Write as _;

use laneproof_ambiguity::{MemoryView, Witness};
use maud::{Markup, html};

/// More elements of a buffer or a row than this are not drawn.
const DRAWN: usize = 32;

/// A line for each buffer and each row of an image, for a terminal.
pub fn lines(witness: &Witness) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, view) in &witness.memory {
        match view {
            MemoryView::Buffer { address, elements, .. } => {
                lines.push(format!("{name} points to memory at {address}: | {} |", row(elements)));
            }
            MemoryView::Image { width, height, texel_bytes, rows } => {
                lines.push(format!("{name}: {}", size(*width, *height, *texel_bytes)));
                lines.extend(rows.iter().map(|words| format!("  | {} |", row(words))));
            }
        }
    }
    lines
}

fn size(width: u32, height: u32, bytes: u32) -> String {
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    let mut out = format!("{height} row{} of {width} element{}", plural(height), plural(width));
    let _ = write!(out, " of {bytes} byte{}, as words:", plural(bytes));
    out
}

fn row(cells: &[Option<String>]) -> String {
    let shown = cells.iter().take(DRAWN).map(cell);
    let mut out = shown.collect::<Vec<_>>().join(" | ");
    if cells.len() > DRAWN {
        let _ = write!(out, " | {} more", cells.len() - DRAWN);
    }
    out
}

fn cell(cell: &Option<String>) -> &str {
    cell.as_deref().unwrap_or("undefined")
}

/// A table for each operand, for a page.
pub fn tables(witness: &Witness) -> Markup {
    html! {
        @for (name, view) in &witness.memory {
            table.lanes {
                @match view {
                    MemoryView::Buffer { address, elements, .. } => {
                        caption { (name) " points to memory at " (address) }
                        tbody { tr {
                            @for it in elements.iter().take(DRAWN) { td { (cell(it)) } }
                        } }
                    }
                    MemoryView::Image { width, height, texel_bytes, rows } => {
                        caption { (name) ": " (size(*width, *height, *texel_bytes)) }
                        tbody {
                            @for (number, words) in rows.iter().enumerate() {
                                tr {
                                    th { "row " (number) }
                                    @for it in words.iter().take(DRAWN) { td { (cell(it)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
