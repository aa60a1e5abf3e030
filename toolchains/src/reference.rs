//! What a module must compute: the interpreter's runs, and the oracle.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use laneproof_generator::{Generated, Inputs};
use laneproof_interpreter::{
    Buffer, Choices, EntryCall, EntryMemory, KernelArgument, Readings, RunOptions, Stop, Zeros,
    run_entry,
};
use laneproof_module::{LoadError, Program, load_bytes};
use laneproof_oracle::{
    Blind, Observation, OracleVerdict, SearchClock, SearchLimits, judge, write_memory,
};
use laneproof_semantics::{ModuleKind, Specification};
use serde_json::Value;

use crate::apply::bytes_of;

/// A longer run is an endless loop; a campaign must end when it is interrupted.
const STEPS: u64 = 2_000_000;

/// How far the oracle may look for a choice, at most.
pub(crate) const ORACLE: SearchLimits = looking(1 << 16, Duration::from_secs(1));

/// The same in a reduction, which has many questions, and whose end must not depend on the machine: the number
/// of runs is the limit, and time only where each run is long.
pub(crate) const REDUCTION: SearchLimits = looking(1 << 11, Duration::from_secs(4));

const fn looking(runs: u64, time: Duration) -> SearchLimits {
    SearchLimits { runs, time, clock: SearchClock::Processor }
}

/// A module that can be run.
pub struct Subject {
    program: Program,
    given: Arc<Given>,
    workgroup: [u32; 3],
    subgroup: u32,
}

/// What a module is given to run on: the same for a module and for what a tool makes of it.
struct Given {
    inputs: Inputs,
    module_kind: ModuleKind,
    memory: EntryMemory,
    /// Nobody reads it of a result that is right at once.
    document: OnceLock<Value>,
}

impl Given {
    fn new(inputs: &Inputs, module_kind: ModuleKind) -> Self {
        let memory = memory_of(inputs, module_kind);
        Self { inputs: inputs.clone(), module_kind, memory, document: OnceLock::new() }
    }

    fn document(&self) -> &Value {
        self.document.get_or_init(|| self.inputs.document(self.module_kind))
    }
}

/// What the document of the inputs says, without writing and reading it.
fn memory_of(inputs: &Inputs, module_kind: ModuleKind) -> EntryMemory {
    let bytes = |words: &Vec<u32>| -> Buffer {
        words.iter().flat_map(|it| it.to_le_bytes()).map(Some).collect()
    };
    let buffers = inputs.buffers.iter().map(bytes);
    match module_kind {
        ModuleKind::Shader => EntryMemory {
            bindings: (0..).map(|binding| (0, binding)).zip(buffers).collect(),
            ..EntryMemory::default()
        },
        ModuleKind::Kernel => EntryMemory {
            arguments: buffers.map(KernelArgument::Buffer).collect(),
            ..EntryMemory::default()
        },
    }
}

/// What the oracle says of something that was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is allowed.
    Allowed,
    /// It is not.
    NotAllowed,
    /// It is not known.
    Unknown(String),
}

impl Subject {
    /// Loads a module, which includes its validation.
    ///
    /// # Errors
    ///
    /// Why it is not valid or not understood.
    pub fn load(words: &[u32], generated: &Generated) -> Result<Self, LoadError> {
        let program = load_bytes(&bytes_of(words), "module")?;
        Ok(Self::of(program, &generated.inputs, generated))
    }

    fn of(program: Program, inputs: &Inputs, generated: &Generated) -> Self {
        let target = generated.tree.target;
        let given = Arc::new(Given::new(inputs, target.module_kind));
        let workgroup = [target.workgroup, 1, 1];
        Self { program, given, workgroup, subgroup: target.subgroup_size }
    }

    /// Loads what a tool made of this module, for the same inputs.
    ///
    /// # Errors
    ///
    /// As [`Self::load`].
    pub fn load_result(&self, words: &[u32]) -> Result<Self, LoadError> {
        let program = load_bytes(&bytes_of(words), "module")?;
        let Self { workgroup, subgroup, .. } = *self;
        Ok(Self { program, given: Arc::clone(&self.given), workgroup, subgroup })
    }

    /// The module.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// The size that it runs at.
    pub(crate) fn subgroup(&self) -> u32 {
        self.subgroup
    }

    fn call(&self) -> Option<EntryCall<'_>> {
        let entry = self.program.entry_points.first()?;
        Some(EntryCall {
            program: &self.program,
            entry,
            workgroup: self.workgroup,
            subgroup: self.subgroup,
            max: self.subgroup,
        })
    }

    fn run_with(
        &self,
        options: &RunOptions<'_>,
        choices: &mut dyn Choices,
    ) -> Result<EntryMemory, Stop> {
        let none = || Stop::BadCall { reason: "the module has no entry point".to_owned() };
        let call = self.call().ok_or_else(none)?;
        run_entry(&call, self.given.memory.clone(), options, choices)
    }

    /// What it leaves in memory under the first of all choices.
    ///
    /// # Errors
    ///
    /// Undefined behavior, or what the interpreter does not know.
    pub fn run(&self) -> Result<EntryMemory, Stop> {
        let options =
            RunOptions { races: true, fences: true, step_limit: STEPS, ..RunOptions::default() };
        self.run_with(&options, &mut Zeros)
    }

    /// The same as readings say.
    pub(crate) fn run_under(&self, readings: Readings) -> Result<EntryMemory, Stop> {
        let options = RunOptions {
            readings,
            races: true,
            fences: true,
            step_limit: STEPS,
            ..RunOptions::default()
        };
        self.run_with(&options, &mut Zeros)
    }

    /// The same by the interpreter's long forms.
    pub(crate) fn run_in_full(&self) -> Result<EntryMemory, Stop> {
        let options = RunOptions {
            races: true,
            fences: true,
            in_full: true,
            step_limit: STEPS,
            ..RunOptions::default()
        };
        self.run_with(&options, &mut Zeros)
    }

    /// The document of what is in memory.
    pub fn written(&self, memory: &EntryMemory) -> Value {
        write_memory(memory, self.given.document())
    }

    /// Whether some choice leaves what was observed, as the readings say.
    pub fn judge(&self, observed: &Value, readings: Readings, limits: SearchLimits) -> Judgement {
        let observation = match Observation::of_memory(observed, self.given.document()) {
            Ok(observation) => observation,
            Err(error) => return Judgement::Unknown(error.to_string()),
        };
        let subject = |follow: bool, choices: &mut dyn Choices| {
            let options = RunOptions {
                readings,
                races: true,
                fences: true,
                step_limit: STEPS,
                follow,
                in_full: follow,
                ..RunOptions::default()
            };
            let left = self.run_with(&options, choices)?;
            Ok(observation.in_memory(&left))
        };
        match judge(&observation.cells(), &subject, Blind::of(&self.program), limits) {
            OracleVerdict::Allowed | OracleVerdict::Behavior(_) => Judgement::Allowed,
            OracleVerdict::NotAllowed { .. } => Judgement::NotAllowed,
            OracleVerdict::Undecided { reason, .. } | OracleVerdict::BadCall(reason) => {
                Judgement::Unknown(reason)
            }
        }
    }

    /// The readings, each one settled otherwise, under which what was observed is allowed.
    pub fn explained_by(&self, observed: &Value, limits: SearchLimits) -> Vec<String> {
        let mut found = Vec::new();
        for (name, reading) in &Specification::built_in().readings {
            if !Readings::NAMES.contains(&&**name) {
                continue;
            }
            for (alternative, _) in &reading.alternatives {
                let readings = Readings::default().with(name, alternative);
                if readings != Readings::default()
                    && self.judge(observed, readings, limits) == Judgement::Allowed
                {
                    found.push(format!("{name}={alternative}"));
                }
            }
        }
        found
    }
}

/// The bytes of all buffers.
fn buffers(memory: &EntryMemory) -> Vec<&Buffer> {
    let arguments = memory.arguments.iter().filter_map(|argument| match argument {
        KernelArgument::Buffer(buffer) => Some(buffer),
        _ => None,
    });
    memory.bindings.values().chain(arguments).collect()
}

/// Whether one memory is what the other is, wherever that is defined.
pub fn agrees(expected: &EntryMemory, observed: &EntryMemory) -> bool {
    let (expected, observed) = (buffers(expected), buffers(observed));
    expected.len() == observed.len()
        && expected.iter().zip(observed).all(|(expected, observed)| {
            expected.len() == observed.len()
                && expected
                    .iter()
                    .zip(observed)
                    .all(|(expected, observed)| expected.is_none() || expected == observed)
        })
}

/// How many bytes of the outputs are defined, and how many there are.
pub fn defined_share(memory: &EntryMemory) -> (u64, u64) {
    let outputs = buffers(memory);
    let Some(outputs) = outputs.get(1) else { return (0, 0) };
    let defined = outputs.iter().filter(|byte| byte.is_some()).count();
    (defined as u64, outputs.len() as u64)
}

#[cfg(test)]
mod tests {
    use laneproof_generator::{ModuleProfile, Request, generate_seeded};

    use super::*;

    #[test]
    fn memory_is_what_the_document_says() {
        for module_kind in [ModuleKind::Shader, ModuleKind::Kernel] {
            for seed in 0..8 {
                let request = Request::new(ModuleProfile::Memory, module_kind, 8);
                let Some(generated) = generate_seeded(&request, seed) else { continue };
                let given = Given::new(&generated.inputs, module_kind);
                let read = laneproof_oracle::read_memory(given.document()).ok();
                assert_eq!(read.as_ref(), Some(&given.memory), "{module_kind:?} {seed}");
                assert_eq!(buffers(&given.memory).len(), generated.inputs.buffers.len());
            }
        }
    }
}
