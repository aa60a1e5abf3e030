//! The reference validator, for the universal environment.

use std::collections::HashSet;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use rspirv::spirv::Op;
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator};

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
/// be interrupted: it runs in a thread of its own, which is left behind when time is up.
pub(crate) fn validate(module: &Module) -> Result<(), Complaint> {
    validate_as(module, TargetEnv::Universal_1_6)
}

/// Validates for one environment.
pub(crate) fn validate_as(module: &Module, environment: TargetEnv) -> Result<(), Complaint> {
    let (words, kept) = without_repeats(module);
    let original = |complaint| match complaint {
        Complaint::Invalid(message, ordinal) => {
            let ordinal = ordinal.map(|it| kept.get(it).copied().unwrap_or(module.len()));
            Complaint::Invalid(message, ordinal)
        }
        other => other,
    };
    checked(words, environment).map_err(original)
}

/// The words without decorations that say what another one has said already, which the LLVM
/// translator writes and the validator refuses; and the ordinals of the instructions that stay.
fn without_repeats(module: &Module) -> (Vec<u32>, Vec<usize>) {
    let (mut words, mut kept) = (module.header().to_vec(), Vec::with_capacity(module.len()));
    let mut said = HashSet::new();
    for (ordinal, instruction) in module.instructions().enumerate() {
        if !is(instruction, Op::Decorate) || said.insert(instruction) {
            words.extend_from_slice(&in_known_words(instruction));
            kept.push(ordinal);
        }
    }
    (words, kept)
}

fn checked(words: Vec<u32>, environment: TargetEnv) -> Result<(), Complaint> {
    let (sender, receiver) = channel();
    let worker = move || {
        // The receiver is gone after a time-out.
        let _ = sender.send(run(&words, environment));
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

/// Bytes of stack: the validator follows types and constructs by recursion.
const STACK: usize = 64 << 20;

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
    run(words, environment).map_err(|complaint| match complaint {
        Complaint::Invalid(message, _) => message,
        Complaint::TooLong => "not validated in time".to_owned(),
        Complaint::NotStarted(error) => format!("the validator does not start: {error}"),
    })
}

fn run(words: &[u32], environment: TargetEnv) -> Result<(), Complaint> {
    let validator = val::create(Some(environment));
    validator.validate(words, None).map_err(|error| match error.diagnostic {
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
