//! The reference validator, for the universal environment.

use std::collections::HashSet;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use rspirv::spirv::Op;
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator, ValidatorOptions};

use crate::error::brief;
use crate::limits::MAX_VALIDATION;
use crate::text::in_known_words;
use crate::words::{Module, is};

/// Why a module does not pass.
pub(crate) enum Complaint {
    /// The message of the validator, and the ordinal of its instruction, from 0.
    Invalid(String, Option<usize>),
    /// The validator has not finished in [`MAX_VALIDATION`].
    TooLong,
    /// There was no room for its thread.
    NotStarted(std::io::Error),
}

/// Validates for the newest universal environment, which accepts every earlier version under
/// that version's own rules.
///
/// The validator's time can grow with the cube of the number of blocks, and nothing in it can
/// be interrupted: unless the module is small, it runs in a thread of its own, which is left behind
/// when time is up.
pub(crate) fn validate(module: &Module) -> Result<(), Complaint> {
    validate_as(module, TargetEnv::Universal_1_6, BlockLayouts::default())
}

/// Validates for one environment, and a device that has some layouts.
pub(crate) fn validate_as(
    module: &Module,
    environment: TargetEnv,
    layouts: BlockLayouts,
) -> Result<(), Complaint> {
    let (words, kept) = without_repeats(module);
    let original = |complaint| match complaint {
        Complaint::Invalid(message, ordinal) => {
            let ordinal = ordinal.map(|it| kept.get(it).copied().unwrap_or(module.len()));
            Complaint::Invalid(message, ordinal)
        }
        other => other,
    };
    let outcome = match module.len() <= SMALL {
        true => run(&words, environment, layouts),
        false => checked(words, environment, layouts),
    };
    outcome.map_err(original)
}

/// The words without decorations that say what another one has said already, which the LLVM
/// translator writes and the validator refuses; and the ordinals of the instructions that stay.
fn without_repeats(module: &Module) -> (Vec<u32>, Vec<usize>) {
    let (mut words, mut kept) = (module.header().to_vec(), Vec::with_capacity(module.len()));
    let mut seen = HashSet::new();
    for (ordinal, instruction) in module.instructions().enumerate() {
        if !is(instruction, Op::Decorate) || seen.insert(instruction) {
            words.extend_from_slice(&in_known_words(instruction));
            kept.push(ordinal);
        }
    }
    (words, kept)
}

fn checked(
    words: Vec<u32>,
    environment: TargetEnv,
    layouts: BlockLayouts,
) -> Result<(), Complaint> {
    let (sender, receiver) = channel();
    let worker = move || {
        // The receiver is gone after a time-out.
        let _ = sender.send(run(&words, environment, layouts));
    };
    let spawned = thread::Builder::new().name("validator".into()).stack_size(STACK).spawn(worker);
    if let Err(error) = spawned {
        return Err(Complaint::NotStarted(error));
    }
    match receiver.recv_timeout(MAX_VALIDATION) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Timeout) => Err(Complaint::TooLong),
        Err(RecvTimeoutError::Disconnected) => {
            Err(Complaint::Invalid("the validator ended without an answer".into(), None))
        }
    }
}

/// So many instructions need neither the time nor the stack for which there is a thread, which takes
/// longer to start than the validator for them.
const SMALL: usize = 512;

/// Bytes of stack: the validator follows types and constructs by recursion.
const STACK: usize = 64 << 20;

/// Layouts of blocks that a device has beside those of Vulkan 1.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockLayouts {
    /// A vector in a block begins at a multiple of its component's size.
    pub relaxed: bool,
    /// Uniform blocks may be laid out as storage blocks are.
    pub uniform: bool,
    /// Everything begins at a multiple of the size of its scalars.
    pub scalar: bool,
    /// The same in workgroup memory.
    pub workgroup: bool,
}

impl BlockLayouts {
    /// All that there are.
    pub const ALL: Self = Self { relaxed: true, uniform: true, scalar: true, workgroup: true };
}

/// Whose rules a module is to keep beside those of SPIR-V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidationEnvironment {
    /// Vulkan 1.3.
    Vulkan,
    /// OpenCL 2.2.
    OpenCl,
}

impl ValidationEnvironment {
    /// The validator's name for it, of a version that takes modules of this version of SPIR-V;
    /// `None` where it has none.
    pub(crate) fn target(self, version: (u8, u8)) -> Option<TargetEnv> {
        match (self, version) {
            (Self::Vulkan, (1, 0)) => Some(TargetEnv::Vulkan_1_0),
            (Self::Vulkan, (1, 1..=3)) => Some(TargetEnv::Vulkan_1_1),
            (Self::Vulkan, (1, 4)) => Some(TargetEnv::Vulkan_1_1_Spirv_1_4),
            (Self::Vulkan, (1, 5)) => Some(TargetEnv::Vulkan_1_2),
            (Self::Vulkan, (1, 6)) => Some(TargetEnv::Vulkan_1_3),
            (Self::OpenCl, (1, 0..=2)) => Some(TargetEnv::OpenCL_2_2),
            _ => None,
        }
    }
}

/// Whether an environment takes a small module; what the validator says where it does not.
///
/// # Errors
///
/// The validator's complaint.
pub fn validate_for(environment: ValidationEnvironment, words: &[u32]) -> Result<(), String> {
    let environment = match environment {
        ValidationEnvironment::Vulkan => TargetEnv::Vulkan_1_3,
        ValidationEnvironment::OpenCl => TargetEnv::OpenCL_2_2,
    };
    run(words, environment, BlockLayouts::default()).map_err(|complaint| match complaint {
        Complaint::Invalid(message, _) => message,
        Complaint::TooLong => "not validated in time".to_owned(),
        Complaint::NotStarted(error) => format!("the validator does not start: {error}"),
    })
}

fn run(words: &[u32], environment: TargetEnv, layouts: BlockLayouts) -> Result<(), Complaint> {
    // Without a word about it, relaxed layouts depend on the environment.
    let options = ValidatorOptions {
        relax_block_layout: layouts.relaxed.then_some(true),
        uniform_buffer_standard_layout: layouts.uniform,
        scalar_block_layout: layouts.scalar,
        ..ValidatorOptions::default()
    };
    let outcome = validated(words, environment, options.clone());
    match outcome {
        // The validator has no option for this: the layouts of other blocks are not checked then.
        Err(Complaint::Invalid(message, _)) if layouts.workgroup && is_of_workgroup(&message) => {
            validated(words, environment, ValidatorOptions { skip_block_layout: true, ..options })
        }
        outcome => outcome,
    }
}

fn is_of_workgroup(message: &str) -> bool {
    message.contains("in Workgroup storage class must follow")
}

fn validated(
    words: &[u32],
    environment: TargetEnv,
    options: ValidatorOptions,
) -> Result<(), Complaint> {
    let validator = val::create(Some(environment));
    validator.validate(words, Some(options)).map_err(|error| match error.diagnostic {
        Some(found) => {
            let notes = found.notes.trim();
            let message = if notes.is_empty() {
                brief(&found.message)
            } else {
                format!("{}\n  {}", brief(&found.message), brief(notes))
            };
            Complaint::Invalid(message, found.index.checked_sub(1))
        }
        None => Complaint::Invalid(error.inner.to_string(), None),
    })
}
