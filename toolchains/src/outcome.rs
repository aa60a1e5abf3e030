//! What is known of one module and one tool, and what is wrong with it.

use serde_json::Value;

/// In which way a tool is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// A defined value came out otherwise.
    WrongValue,
    /// The result has undefined behavior where the source has none.
    UndefinedBehavior,
    /// The prover refutes that the result refines the source, as runs of both show.
    Refuted,
    /// The module that came out is not valid.
    InvalidOutput,
    /// The tool ended by a signal or an assertion.
    Crash,
    /// The tool did not end in its time.
    Hang,
    /// The tool refuses a valid module.
    RejectedValid,
    /// The tool takes an invalid module.
    AcceptedInvalid,
}

impl FaultKind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WrongValue => "wrong value",
            Self::UndefinedBehavior => "undefined behavior",
            Self::Refuted => "refuted",
            Self::InvalidOutput => "invalid output",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::RejectedValid => "rejected valid",
            Self::AcceptedInvalid => "accepted invalid",
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolFault {
    /// In which way.
    pub kind: FaultKind,
    /// What the tool, the validator or the interpreter says.
    pub detail: String,
    /// What the module leaves in memory.
    pub expected: Option<Value>,
    /// What came out instead.
    pub observed: Option<Value>,
    /// The module that came out.
    pub output: Option<Vec<u32>>,
}

/// What is known of one module and one tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is right.
    Fine,
    /// The tool says that it does not support the module.
    Unsupported(String),
    /// It is not known whether it is right.
    Undecided(String),
    /// The module itself has no meaning to compare with.
    Discarded(String),
    /// The campaign ended first.
    Interrupted,
    /// It is wrong.
    Fault(Box<ToolFault>),
}

impl Outcome {
    pub(crate) fn fault(kind: FaultKind, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let (expected, observed, output) = (None, None, None);
        Self::Fault(Box::new(ToolFault { kind, detail, expected, observed, output }))
    }
}
