//! The shares decided, by family and by style, and how long it took.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use laneproof_verify::Verdict;

use crate::instance::LoweringInstance;
use crate::measure::Measured;

/// A share: how many of a number of instances were decided as expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Decided rightly.
    pub decided: usize,
    /// All.
    pub all: usize,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>4} of {:>4}", self.decided, self.all)
    }
}

/// What was measured.
#[derive(Debug, Default)]
pub struct GeneratorReport {
    /// By family, then by each word of a style: right ones and wrong ones.
    shares: BTreeMap<String, [Share; 2]>,
    /// Of all.
    pub total: [Share; 2],
    times: Vec<Duration>,
    /// Undecided: the time, the name and the reason.
    unknown: Vec<(Duration, String)>,
    /// Decided, and not as they should be.
    pub wrong: Vec<String>,
    /// Neither right nor wrong as they claim, or not taken.
    pub misfits: Vec<String>,
}

impl GeneratorReport {
    /// Adds an instance.
    pub fn add(&mut self, instance: &LoweringInstance, measured: &Measured) {
        let side = usize::from(instance.variant > 0);
        let expected = [Verdict::Proved, Verdict::Refuted][side];
        let decided = measured.verdict == expected;
        let words = instance.style.to_string();
        let keys = words.split('.').map(|word| format!("style {word}"));
        let operator = format!("with {}", instance.of);
        for key in keys.chain([format!("family {}", instance.family), operator]) {
            self.shares.entry(key).or_default()[side].count(decided);
        }
        self.total[side].count(decided);
        self.times.push(measured.took);
        match measured.verdict {
            _ if decided => {}
            Verdict::Unknown => {
                let stuck = measured.stuck.map_or(String::new(), |size| format!(" at {size}"));
                let reason = measured.reason.as_deref().unwrap_or("");
                self.unknown.push((measured.took, format!("{}{stuck}: {reason}", instance.name())));
            }
            other => self.wrong.push(format!("{}: {other:?}", instance.name())),
        }
    }

    fn percentile(&self, percent: usize) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, Duration::as_secs_f64)
    }
}

impl Share {
    fn count(&mut self, decided: bool) {
        self.all += 1;
        self.decided += usize::from(decided);
    }
}

impl fmt::Display for GeneratorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:44} {:>12} {:>12}", "", "proved", "refuted")?;
        for (key, [right, wrong]) in &self.shares {
            writeln!(f, "{key:44} {right:>12} {wrong:>12}")?;
        }
        let [right, wrong] = &self.total;
        writeln!(f, "{:44} {right:>12} {wrong:>12}", "all")?;
        writeln!(
            f,
            "seconds to a verdict: median {:.3}, p90 {:.3}, p99 {:.3}",
            self.percentile(50),
            self.percentile(90),
            self.percentile(99)
        )?;
        let mut unknown: Vec<_> = self.unknown.iter().collect();
        unknown.sort_by(|a, b| b.cmp(a));
        for (took, what) in unknown {
            writeln!(f, "unknown after {:.2} s: {what}", took.as_secs_f64())?;
        }
        for what in &self.wrong {
            writeln!(f, "WRONGLY DECIDED: {what}")?;
        }
        for what in &self.misfits {
            writeln!(f, "not as it claims: {what}")?;
        }
        Ok(())
    }
}
