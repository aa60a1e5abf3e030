//! `laneproof prove`: the catalogue, or files like it, against the verdicts that they expect.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anstyle::Style;
use clap::Args;
use laneproof_proofs::{Catalogue, Outcome, Setup, Shard, run_all};
use laneproof_smt::Verdict;
use serde_json::json;

use crate::answer::{Answer, Exit};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::setting::{Setting, known_profile};
use crate::table::{paint, style_of, table, time};

/// Prove theorems and lowerings: the catalogue's, or your own files and folders of its form
#[derive(Args)]
pub struct Prove {
    /// Files or folders, or patterns of names in the catalogue [default: all of it]
    #[arg(value_name = "PATTERN|PATH")]
    what: Vec<String>,
    /// Run part I of N only
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// For each obligation
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::setting::seconds)]
    timeout: Duration,
    /// The profile of files that name none [default: by the module's kind]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
}

/// How many of the slowest are named.
const SLOWEST: usize = 5;

impl Prove {
    /// Runs them all.
    pub fn carry_out(&self, setting: &Setting<'_>) -> Result<Answer, Failure> {
        let started = Instant::now();
        // Once, and not for every entry.
        known_profile(self.profile.as_deref(), setting)?;
        let entries = Catalogue::gather(&self.what)?.shard(self.shard).entries;
        let setup = Setup {
            specification: &setting.specification,
            timeout: self.timeout,
            profile: self.profile.as_deref(),
            jobs: setting.jobs,
        };
        let progress = Progress::over(entries.len(), setting.terminal);
        let good = |result: &Result<Outcome, _>| {
            result.as_ref().is_ok_and(|outcome| outcome.unexpected.is_none())
        };
        let results = run_all(&entries, &setup, |result| progress.step(good(result)))?;
        progress.finish();
        let mut outcomes = Vec::new();
        let mut failures = Vec::new();
        for result in results {
            match result {
                Ok(outcome) => outcomes.push(outcome),
                Err(error) => failures.push(error.into()),
            }
        }
        if let Some(failure) = Failure::together(failures) {
            return Err(failure);
        }
        Ok(answer(&outcomes, started.elapsed().as_secs_f64(), setting))
    }
}

fn answer(outcomes: &[Outcome], seconds: f64, setting: &Setting<'_>) -> Answer {
    let as_expected = outcomes.iter().filter(|outcome| outcome.unexpected.is_none()).count();
    let good = !outcomes.is_empty() && as_expected == outcomes.len();
    Answer {
        exit: if good { Exit::Good } else { Exit::Bad },
        text: text(outcomes, as_expected, seconds, setting),
        json: json!({
            "obligations": outcomes.len(),
            "as_expected": as_expected,
            "seconds": (seconds * 1e3).round() / 1e3,
            "results": outcomes,
        }),
    }
}

fn text(outcomes: &[Outcome], as_expected: usize, seconds: f64, setting: &Setting<'_>) -> String {
    let terminal = setting.terminal;
    let mut out = String::new();
    let unexpected: Vec<_> = outcomes.iter().filter(|it| it.unexpected.is_some()).collect();
    if !unexpected.is_empty() {
        let mut table = table(terminal, &["unexpected", "what", "rung", "time", "reason"]);
        for outcome in &unexpected {
            table.add_row([
                outcome.name.clone(),
                outcome.unexpected.clone().unwrap_or_default(),
                outcome.rung.map_or("-".to_owned(), |rung| rung.to_string()),
                time(outcome.milliseconds),
                outcome.reason.clone().unwrap_or_default(),
            ]);
        }
        let _ = writeln!(out, "{}\n", table.trim_fmt());
    }
    let mut slowest: Vec<_> = outcomes.iter().collect();
    slowest.sort_by(|a, b| b.milliseconds.total_cmp(&a.milliseconds));
    slowest.truncate(SLOWEST);
    if outcomes.len() > SLOWEST {
        let mut table = table(terminal, &["slowest", "verdict", "rung", "time"]);
        for outcome in slowest {
            table.add_row([
                outcome.name.clone(),
                outcome.verdict.to_string(),
                outcome.rung.map_or("-".to_owned(), |rung| rung.to_string()),
                time(outcome.milliseconds),
            ]);
        }
        let _ = writeln!(out, "{}\n", table.trim_fmt());
    }
    let not = outcomes.len() - as_expected;
    let line = format!("{as_expected} obligations as expected, {not} not, {seconds:.1} s");
    let style = match (outcomes.len(), not) {
        (0, _) => Style::new(),
        (_, 0) => style_of(Verdict::Proved),
        _ => style_of(Verdict::Refuted),
    };
    let _ = writeln!(out, "{}", paint(terminal, style, &line));
    out
}
