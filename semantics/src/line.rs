//! Places in files that people write.

/// The line and the column, each from 1, of a byte of a text; columns count characters.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (1 + before.matches('\n').count(), 1 + before[start..].chars().count())
}
