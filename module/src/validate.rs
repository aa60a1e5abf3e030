//! The reference validator, for the universal environment.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator};

use crate::error::brief;
use crate::limits::MAX_VALIDATION;

/// Why a module does not pass.
pub(crate) enum Complaint {
    /// What the validator says, and of which instruction (ordinal from 0).
    Invalid(String, Option<usize>),
    /// The validator has not finished in [`MAX_VALIDATION`].
    TooLong,
}

/// Validates for the newest universal environment, which accepts every earlier version under
/// that version's own rules.
///
/// The validator's time can grow with the cube of the number of blocks, and nothing in it can
/// be interrupted: it runs in a thread of its own, which is left behind when time is up.
pub(crate) fn validate(words: &[u32]) -> Result<(), Complaint> {
    let words = words.to_vec();
    let (sender, receiver) = channel();
    let worker = move || {
        // Nobody listens any more when time is up.
        let _ = sender.send(run(&words, TargetEnv::Universal_1_6));
    };
    let spawned = thread::Builder::new().name("validator".into()).stack_size(STACK).spawn(worker);
    if let Err(error) = spawned {
        return Err(Complaint::Invalid(format!("the validator does not start: {error}"), None));
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
pub enum Environment {
    /// Vulkan 1.3.
    Vulkan,
    /// OpenCL 2.2.
    OpenCl,
}

/// Whether an environment takes a small module; what the validator says where it does not.
///
/// # Errors
///
/// The validator's complaint.
pub fn validate_for(environment: Environment, words: &[u32]) -> Result<(), String> {
    let environment = match environment {
        Environment::Vulkan => TargetEnv::Vulkan_1_3,
        Environment::OpenCl => TargetEnv::OpenCL_2_2,
    };
    run(words, environment).map_err(|complaint| match complaint {
        Complaint::Invalid(message, _) => message,
        Complaint::TooLong => "not validated in time".to_owned(),
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
