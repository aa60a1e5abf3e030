//! The progress of a long command, on a terminal.

use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::Terminal;

/// A bar on standard error where that is a terminal.
pub struct Progress {
    bar: ProgressBar,
    unexpected: AtomicUsize,
}

impl Progress {
    /// A bar for this number of obligations.
    pub fn over(length: usize, terminal: &Terminal) -> Self {
        let bar = match terminal.attended {
            true => ProgressBar::new(length as u64),
            false => ProgressBar::hidden(),
        };
        let color = if terminal.error_color { ".green" } else { "" };
        let template = format!("{{pos}}/{{len}} {{bar:40{color}}} {{elapsed}}{{msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Self { bar, unexpected: AtomicUsize::new(0) }
    }

    /// One more is done.
    pub fn step(&self, as_expected: bool) {
        if !as_expected {
            let count = 1 + self.unexpected.fetch_add(1, Ordering::Relaxed);
            self.bar.set_message(format!(", {count} not as expected"));
        }
        self.bar.inc(1);
    }

    /// Sets the number of finished obligations.
    pub fn reach(&self, done: usize) {
        self.bar.set_position(done as u64);
    }

    /// Leaves no trace.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
