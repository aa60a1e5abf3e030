//! The shares decided, by kind, family and style, and how long it took.

use std::collections::BTreeMap;
use std::fmt;

use crate::row::{Outcome, Row};

/// A share: how many of a number of instances were decided as expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Decided rightly.
    pub decided: usize,
    /// All.
    pub all: usize,
}

impl Share {
    fn count(&mut self, decided: bool) {
        self.all += 1;
        self.decided += usize::from(decided);
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.all == 0 {
            return f.pad("");
        }
        let percent = 100.0 * self.decided as f64 / self.all as f64;
        write!(f, "{:>5} of {:>5} {percent:>5.1} %", self.decided, self.all)
    }
}

/// What was measured.
#[derive(Debug, Default)]
pub struct GeneratorReport {
    /// By key: right ones and wrong ones.
    shares: BTreeMap<String, [Share; 2]>,
    /// Of all.
    pub total: [Share; 2],
    /// Right ones and wrong ones.
    seconds: [Vec<f64>; 2],
    /// Only run.
    ran: [usize; 2],
    unknown: Vec<Row>,
    wrongly: Vec<Row>,
    misfits: Vec<Row>,
}

impl GeneratorReport {
    /// Adds an instance.
    pub fn add(&mut self, row: Row) {
        let side = usize::from(!row.right);
        match row.outcome {
            Outcome::Misfit(_) => return self.misfits.push(row),
            Outcome::Ran => return self.ran[side] += 1,
            _ => {}
        }
        let decided = row.outcome == Outcome::Decided;
        for key in &row.keys {
            self.shares.entry(key.clone()).or_default()[side].count(decided);
        }
        self.total[side].count(decided);
        self.seconds[side].push(row.seconds);
        match row.outcome {
            Outcome::Unknown(_) => self.unknown.push(row),
            Outcome::Wrongly(_) => self.wrongly.push(row),
            Outcome::Decided | Outcome::Ran | Outcome::Misfit(_) => {}
        }
    }

    /// No instance is decided wrongly.
    pub fn is_sound(&self) -> bool {
        self.wrongly.is_empty()
    }
}

/// Of how long it took: the median, the 90th and the 99th of a hundred.
fn percentiles(mut seconds: Vec<f64>) -> String {
    seconds.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        let place = (seconds.len() * percent / 100).min(seconds.len().saturating_sub(1));
        seconds.get(place).copied().unwrap_or(0.0)
    };
    format!("median {:.3}, p90 {:.3}, p99 {:.3}", at(50), at(90), at(99))
}

impl fmt::Display for GeneratorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ran != [0, 0] {
            let [right, wrong] = self.ran;
            writeln!(f, "run, and as they claim: {right} right ones, {wrong} wrong ones")?;
        }
        if !self.seconds.concat().is_empty() {
            self.shares(f)?;
        }
        self.failures(f)
    }
}

impl GeneratorReport {
    fn shares(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:44} {:>22} {:>22}", "", "proved", "refuted")?;
        for (key, [right, wrong]) in &self.shares {
            writeln!(f, "{key:44} {right:>22} {wrong:>22}")?;
        }
        let [right, wrong] = &self.total;
        writeln!(f, "{:44} {right:>22} {wrong:>22}", "all")?;
        let [of_right, of_wrong] = self.seconds.clone();
        writeln!(f, "seconds to a verdict: {}", percentiles(self.seconds.concat()))?;
        writeln!(f, "  of right ones: {}", percentiles(of_right))?;
        writeln!(f, "  of wrong ones: {}", percentiles(of_wrong))
    }

    fn failures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut unknown: Vec<_> = self.unknown.iter().collect();
        unknown.sort_by(|a, b| b.right.cmp(&a.right).then(b.seconds.total_cmp(&a.seconds)));
        for Row { name, seconds, outcome, .. } in unknown {
            let Outcome::Unknown(reason) = outcome else { continue };
            writeln!(f, "unknown after {seconds:.2} s: {name}: {reason}")?;
        }
        for Row { name, outcome, .. } in &self.wrongly {
            let Outcome::Wrongly(verdict) = outcome else { continue };
            writeln!(f, "WRONGLY DECIDED: {name}: {verdict}")?;
        }
        for Row { name, outcome, .. } in &self.misfits {
            let Outcome::Misfit(reason) = outcome else { continue };
            writeln!(f, "not as it claims: {name}: {reason}")?;
        }
        Ok(())
    }
}
