//! The options of a verification.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use laneproof_module::{Function as ModuleFunction, Program};
use laneproof_outcome::{Limits, Slowdown};

use crate::abstraction::Abstraction;
use crate::report::VerificationReport;

/// The default abstractions.
const ABSTRACTIONS: [Abstraction; 5] = [
    Abstraction::Induction,
    Abstraction::Movement,
    Abstraction::Laws,
    Abstraction::Diagrams,
    Abstraction::Bits,
];

/// A function to be verified.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its module.
    pub program: &'a Program,
    /// The function.
    pub function: &'a ModuleFunction,
}

/// The states that the claim is about.
#[derive(Clone, Debug)]
pub struct States {
    /// Subgroup sizes, powers of two up to 128, ascending.
    pub sizes: Vec<u32>,
    /// No sizes were given: for whole workgroups, a few small ones are checked.
    pub any_size: bool,
    /// The numbers of subgroups of whole workgroups, each checked in turn. If empty, one subgroup is
    /// checked, unless some instruction has the scope Workgroup.
    pub subgroups: Vec<u32>,
    /// All existing lanes enter, instead of any nonempty set of them.
    pub all_active: bool,
    /// Fewer lanes may exist than SubgroupSize; in a workgroup, in its last subgroup.
    pub partial: bool,
    /// The subgroup may be any of its workgroup; else its `SubgroupId` is 0.
    pub any_subgroup: bool,
}

/// The options of a verification.
#[derive(Clone, Debug)]
pub struct Options {
    /// The states that the claim is about.
    pub states: States,
    /// Name of the profile; by default it follows from the module's kind.
    pub profile: Option<String>,
    /// Readings settled otherwise than by the profile.
    pub readings: Vec<(String, String)>,
    /// The time limit of each obligation.
    pub timeout: Duration,
    /// How busy the machine is: each obligation's limit of time is extended by that, and no limit of work.
    pub slowdown: Slowdown,
    /// The time limit of all obligations together.
    pub total_timeout: Option<Duration>,
    /// Goes on after the first refuted size.
    pub all: bool,
    /// Compares the final values of pointer parameters, also where the source language does not mark
    /// them as outputs.
    pub outputs: bool,
    /// Writes every query to the solver into this folder as SMT-LIB 2.
    pub smt2: Option<PathBuf>,
    /// Invariants of the loop, each a clause about any lane: used where they hold, always checked.
    pub invariants: Vec<String>,
    /// Receives the report so far whenever an obligation is decided. Its verdict is unknown if the
    /// remaining obligations may change it.
    pub settled: Option<Sender<VerificationReport>>,
    /// The abstractions that may be used.
    pub abstractions: AllowedAbstractions,
}

/// The abstractions that may be used; by default all. Exact bits always may, unless only induction is
/// requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedAbstractions {
    allowed: BTreeSet<Abstraction>,
    per_lane: bool,
}

impl Default for AllowedAbstractions {
    fn default() -> Self {
        Self::from(ABSTRACTIONS)
    }
}

impl<const N: usize> From<[Abstraction; N]> for AllowedAbstractions {
    fn from(allowed: [Abstraction; N]) -> Self {
        allowed.into_iter().collect()
    }
}

impl FromIterator<Abstraction> for AllowedAbstractions {
    fn from_iter<I: IntoIterator<Item = Abstraction>>(allowed: I) -> Self {
        Self { allowed: allowed.into_iter().collect(), per_lane: false }
    }
}

impl AllowedAbstractions {
    /// Lanes are encoded by one term each, as bits, one size at a time. The benchmarks compare the
    /// abstractions with this.
    #[must_use]
    pub fn per_lane(self, per_lane: bool) -> Self {
        Self { per_lane, ..self }
    }

    pub(crate) fn is_per_lane(&self) -> bool {
        self.per_lane
    }

    pub(crate) fn allowed(&self) -> &BTreeSet<Abstraction> {
        &self.allowed
    }

    pub(crate) fn contains(&self, abstraction: Abstraction) -> bool {
        self.allowed.contains(&abstraction)
    }
}

impl Default for States {
    fn default() -> Self {
        Self {
            sizes: vec![1, 2, 4, 8, 16, 32, 64, 128],
            any_size: false,
            subgroups: Vec::new(),
            all_active: false,
            partial: false,
            any_subgroup: false,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            states: States::default(),
            profile: None,
            readings: Vec::new(),
            timeout: Duration::from_secs(10),
            slowdown: Slowdown::NONE,
            total_timeout: None,
            all: false,
            outputs: false,
            smt2: None,
            invariants: Vec::new(),
            settled: None,
            abstractions: AllowedAbstractions::default(),
        }
    }
}

impl Options {
    /// The time limit of each obligation, on this machine's clock.
    pub(crate) fn on_the_clock(&self) -> Duration {
        self.slowdown.on_the_clock(self.timeout)
    }

    /// The limits as the first obligation begins, with this limit of all together.
    pub(crate) fn limits(&self, total: Option<Duration>) -> Limits {
        Limits::on_a_busy_machine(self.timeout, total, self.slowdown)
    }
}
