//! The width and style of output.

use serde::{Deserialize, Serialize};

/// What text is written for: a terminal, or anything else that shows text.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Page {
    /// Columns to fill.
    pub width: usize,
    /// Escape sequences for colors are shown.
    pub color: bool,
}

impl Default for Page {
    fn default() -> Self {
        Self { width: 100, color: false }
    }
}
