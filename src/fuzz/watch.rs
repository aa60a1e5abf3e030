//! The progress of a campaign, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use laneproof_toolchains::CampaignEvent;

use crate::excerpt::escaped;
use crate::terminal::Terminal;

/// A line on standard error that tells how far it is, above it what is found.
pub struct Watch {
    bar: ProgressBar,
    attended: bool,
}

impl Watch {
    /// Only findings are printed if standard error is not a terminal.
    pub fn new(terminal: &Terminal) -> Self {
        let bar = match terminal.attended {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}: {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, attended: terminal.attended }
    }

    /// Shows that modules are read: a corpus may be large.
    pub fn reading(&self) {
        self.bar.set_message("reading the modules whose functions are called");
    }

    /// Shows what happened.
    pub fn see(&self, event: CampaignEvent<'_>) {
        match event {
            // It quotes what a tool printed.
            CampaignEvent::Line(line) if self.attended => self.bar.println(escaped(line)),
            CampaignEvent::Line(line) => eprintln!("{}", escaped(line)),
            CampaignEvent::Tried { modules, wrong, findings } => self.bar.set_message(format!(
                "modules tried: {modules}, wrong: {wrong}, findings: {findings}"
            )),
            CampaignEvent::Reached(_) => {}
        }
    }

    /// Leaves no trace.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
