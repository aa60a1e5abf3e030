//! How far a long command is, where somebody watches.

use indicatif::{ProgressBar, ProgressStyle};

use crate::setting::Setting;

/// A bar over `length` obligations, on standard error where that is a terminal.
pub fn bar(setting: &Setting<'_>, length: usize) -> ProgressBar {
    if !setting.terminal.attended {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_bar} {elapsed}") {
        bar.set_style(style);
    }
    bar
}
