//! The options of a verification.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use laneproof_module::{Function as ModuleFunction, Program};

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
    /// Uses only these abstractions, and always exact bits, unless only induction is requested.
    pub abstractions: BTreeSet<Abstraction>,
    /// Uses no abstraction: one term per lane, as bits, one size at a time. The benchmarks compare the
    /// abstractions with this.
    pub per_lane: bool,
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
            total_timeout: None,
            all: false,
            outputs: false,
            smt2: None,
            invariants: Vec::new(),
            settled: None,
            abstractions: BTreeSet::from(ABSTRACTIONS),
            per_lane: false,
        }
    }
}
