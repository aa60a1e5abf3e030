//! What the terminal can show.

use std::ffi::OsString;
use std::io::IsTerminal as _;

use clap::ColorChoice;
use laneproof_report::Page;
use serde::{Deserialize, Serialize};

/// What standard output and standard error can show.
#[derive(Clone, Serialize, Deserialize)]
pub struct Terminal {
    /// What `--color` says; the words of the command line say it again.
    #[serde(skip)]
    pub choice: ColorChoice,
    /// Colours on standard output, and columns to fill there.
    pub page: Page,
    /// Standard error is a terminal.
    pub attended: bool,
    /// Colours on standard error.
    pub error_color: bool,
}

/// The default number of columns.
const WIDTH: usize = 100;

impl Terminal {
    /// By the words of the command line: its mistakes are to be shown in the right colours too.
    pub fn of(given: &[OsString]) -> Self {
        let choice = color_choice(given);
        let wanted = |terminal: bool| match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                terminal && !refused && !dumb
            }
        };
        let attended = std::io::stderr().is_terminal();
        let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
        let width = terminal_size::terminal_size_of(std::io::stdout())
            .map(|(width, _)| usize::from(width.0))
            .or_else(columns)
            .unwrap_or(WIDTH);
        Self {
            choice,
            page: Page {
                width: width.clamp(40, 1000),
                color: wanted(std::io::stdout().is_terminal()),
            },
            attended,
            error_color: wanted(attended),
        }
    }
}

fn color_choice(given: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = given.iter().filter_map(|word| word.to_str()).collect();
    let at = words.iter().position(|word| *word == "--color" || word.starts_with("--color="));
    let value = at.and_then(|at| match words[at].split_once('=') {
        Some((_, value)) => Some(value),
        None => words.get(at + 1).copied(),
    });
    value.and_then(|value| value.parse().ok()).unwrap_or_default()
}
