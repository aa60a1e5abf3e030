//! What is asked: two functions, and how.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use laneproof_module::{Function as ModuleFunction, Program};

use crate::abstraction::Abstraction;
use crate::report::VerificationReport;

/// What is tried unless less is asked for.
const LADDER: [Abstraction; 5] = [
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

/// Which states are looked at.
#[derive(Clone, Debug)]
pub struct States {
    /// Subgroup sizes, powers of two up to 128, ascending.
    pub sizes: Vec<u32>,
    /// The sizes were not named: of whole workgroups, a few small ones are looked at.
    pub any_size: bool,
    /// The question is about whole workgroups of so many subgroups, each number in turn. Where
    /// none is named it is about one subgroup, unless some instruction speaks of a workgroup.
    pub subgroups: Vec<u32>,
    /// All existing lanes enter, instead of any nonempty set of them.
    pub all_active: bool,
    /// Fewer lanes may exist than SubgroupSize; in a workgroup, in its last subgroup.
    pub partial: bool,
    /// The subgroup may be any of its workgroup; else its `SubgroupId` is 0.
    pub any_subgroup: bool,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which states are looked at.
    pub states: States,
    /// Name of the profile; by the module's kind where none is named.
    pub profile: Option<String>,
    /// Readings settled otherwise than by the profile.
    pub readings: Vec<(String, String)>,
    /// For each obligation.
    pub timeout: Duration,
    /// For all together.
    pub total_timeout: Option<Duration>,
    /// Goes on after the first refuted size.
    pub all: bool,
    /// Compares what is left in pointer parameters, also where the source language does not say
    /// that they are outputs.
    pub outputs: bool,
    /// Writes every question of the solver's there as SMT-LIB 2.
    pub smt2: Option<PathBuf>,
    /// Invariants of the loop, each a clause about any lane: used where they hold, always checked.
    pub invariants: Vec<String>,
    /// Takes the report as it stands whenever an obligation is settled: its verdict is the one that
    /// these obligations allow, and unknown where the others may change it.
    pub settled: Option<Sender<VerificationReport>>,
    /// Uses these abstractions only, the exact one always among them; unless induction is all
    /// that is asked for.
    pub abstractions: BTreeSet<Abstraction>,
    /// Abstracts from nothing: every lane has a term of its own, as bits, one size at a time. What the
    /// abstractions are measured against.
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
            abstractions: BTreeSet::from(LADDER),
            per_lane: false,
        }
    }
}
