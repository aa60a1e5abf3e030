//! What is written of each instance, so that several processes share a measurement.

use std::collections::BTreeSet;
use std::fmt;

use laneproof_verify::Verdict;
use serde::{Deserialize, Serialize};

use crate::instance::LoweringInstance;
use crate::measure::{MeasureError, Measured};

/// How an instance came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As it should.
    Decided,
    /// Only run, and as it claims.
    Ran,
    /// Not decided, with the least size that is not and the reason.
    Unknown(String),
    /// Decided, and not as it should be.
    Wrongly(String),
    /// Neither right nor wrong as it claims, or not taken.
    Misfit(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided => f.write_str("decided"),
            Self::Ran => f.write_str("ran"),
            Self::Unknown(reason) => write!(f, "unknown ({reason})"),
            Self::Wrongly(verdict) => write!(f, "wrongly {verdict}"),
            Self::Misfit(reason) => write!(f, "not as it claims ({reason})"),
        }
    }
}

/// One instance, measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// A right one.
    pub right: bool,
    /// What it is counted under: kinds, the family, words of the style, operator and type.
    pub keys: BTreeSet<String>,
    /// Seconds to the verdict.
    pub seconds: f64,
    /// How it came out.
    pub outcome: Outcome,
}

impl Row {
    /// Of an instance and its measurement.
    pub fn new(instance: &LoweringInstance, measured: &Result<Measured, MeasureError>) -> Self {
        let right = instance.variant == 0;
        let expected = if right { Verdict::Proved } else { Verdict::Refuted };
        let outcome = match measured {
            Err(error) => Outcome::Misfit(error.to_string()),
            Ok(measured) if measured.verdict == Some(expected) => Outcome::Decided,
            Ok(Measured { verdict: None, .. }) => Outcome::Ran,
            Ok(Measured { verdict: Some(Verdict::Unknown), stuck, reason, .. }) => {
                let stuck = stuck.map_or(String::new(), |size| format!("at {size}: "));
                Outcome::Unknown(stuck + reason.as_deref().unwrap_or(""))
            }
            Ok(Measured { verdict: Some(verdict), .. }) => {
                Outcome::Wrongly(word(*verdict).to_owned())
            }
        };
        let style = instance.style.to_string();
        let mut keys: BTreeSet<String> = style.split('.').map(|it| format!("style {it}")).collect();
        keys.extend(instance.kinds.iter().map(|kind| format!("kind {kind}")));
        keys.insert(format!("family {}", instance.family));
        keys.insert(format!("with {}", instance.of));
        let seconds = measured.as_ref().map_or(0.0, |it| it.took.as_secs_f64());
        Self { name: instance.name(), right, keys, seconds, outcome }
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Vacuous => "vacuous",
        Verdict::Unknown => "unknown",
        Verdict::Refuted => "refuted",
    }
}
