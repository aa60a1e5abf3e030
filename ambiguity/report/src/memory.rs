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
                let bytes = |words: &Vec<_>| row_of_bytes(&bytes_of(words, width * texel_bytes));
                lines.extend(rows.iter().map(|words| format!("  | {} |", bytes(words))));
            }
        }
    }
    lines
}

fn size(width: u32, height: u32, bytes: u32) -> String {
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    let mut out = format!("{height} row{} of {width} element{}", plural(height), plural(width));
    let _ = write!(out, " of {bytes} byte{}, each byte in hexadecimal:", plural(bytes));
    out
}

/// The bytes of a row, whose words have their lowest byte first; the last word may reach beyond it.
fn bytes_of(words: &[Option<String>], bytes: u32) -> Vec<String> {
    let of_word = |word: &Option<String>| -> Vec<String> {
        let number = word
            .as_deref()
            .and_then(|it| u32::from_str_radix(it.trim_start_matches("0x"), 16).ok());
        match number {
            Some(number) => number.to_le_bytes().map(|byte| format!("{byte:02x}")).into(),
            None => vec!["undefined".to_owned(); 4],
        }
    };
    words.iter().flat_map(of_word).take(bytes as usize).collect()
}

fn row_of_bytes(bytes: &[String]) -> String {
    let mut out = bytes.iter().take(DRAWN).cloned().collect::<Vec<_>>().join(" ");
    if bytes.len() > DRAWN {
        let _ = write!(out, " and {} more", bytes.len() - DRAWN);
    }
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
                                    @for byte in bytes_of(words, width * texel_bytes).iter().take(DRAWN) {
                                        td { (byte) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
