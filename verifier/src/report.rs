//! What came out, for people and for programs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use laneproof_report::verdict::{ReportContext, text};
use laneproof_report::{Page, json};
use laneproof_semantics::Specification;
use laneproof_verify::{
    Counterexample, NotCompared, Obligation, Options, Presumption, Unknown, Verdict,
};
use serde::{Serialize, Serializer};

/// The answer. It is displayed as the command line prints it, with the table of lanes of a
/// counterexample, and serialized as the document of `verify --json`.
#[derive(Clone, Debug)]
pub struct Report {
    report: laneproof_verify::VerificationReport,
    options: Options,
    specification: Arc<Specification>,
    property: bool,
    took: Duration,
}

impl Report {
    pub(crate) fn new(
        report: laneproof_verify::VerificationReport,
        options: Options,
        specification: Arc<Specification>,
        property: bool,
        took: Duration,
    ) -> Self {
        Self { report, options, specification, property, took }
    }

    /// Of all sizes together.
    pub fn verdict(&self) -> Verdict {
        self.report.verdict
    }

    /// Proved: every requested size has a state, and in every state the target refines the source.
    pub fn is_proved(&self) -> bool {
        self.verdict() == Verdict::Proved
    }

    /// Why it is undecided, where it is.
    pub fn unknown(&self) -> Option<&Unknown> {
        self.report.unknown.as_ref()
    }

    /// Size by size, or all of them at once.
    pub fn obligations(&self) -> &[Obligation] {
        &self.report.obligations
    }

    /// A state that refutes, replayed in the interpreter.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        self.report.counterexample.as_ref()
    }

    /// The readings that the verdict rests on, by name.
    pub fn rests_on(&self) -> &[String] {
        &self.report.rests_on
    }

    /// What it assumes of the states that it is about.
    pub fn presumes(&self) -> &[Presumption] {
        &self.report.presumes
    }

    /// What the functions may do that is not compared: what they leave in shared memory, say.
    pub fn not_compared(&self) -> &[NotCompared] {
        &self.report.not_compared
    }

    /// The time from the question to the answer.
    pub fn took(&self) -> Duration {
        self.took
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let question = ReportContext {
            options: &self.options,
            specification: &self.specification,
            property: self.property,
            took: self.took,
        };
        f.write_str(&text(&self.report, &question, &Page::default()))
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::report(&self.report).serialize(serializer)
    }
}
