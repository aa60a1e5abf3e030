//! The instruction whose clauses are read, and how it is to be read.

use std::sync::Arc;

use super::instance::{DenoteError, Instance, Settled};
use crate::Specification;
use crate::language::ast::SpecInstruction;

/// What is read, and how it is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstructionContext<'a> {
    pub specification: &'a Specification,
    pub settled: &'a Settled,
    pub instruction: &'a SpecInstruction,
    pub instance: &'a Instance,
}

/// Which alternative of an instruction's choice point is settled.
pub(super) fn chosen<T>(
    settled: &Settled,
    instruction: &SpecInstruction,
    reading: &Arc<str>,
    alternatives: &[(Arc<str>, T)],
) -> Result<usize, DenoteError> {
    let Some(settled) = settled.alternative(reading) else {
        let names = alternatives.iter().map(|(name, _)| name.clone()).collect();
        return Err(DenoteError::Unsettled(reading.clone(), names));
    };
    match alternatives.iter().position(|(name, _)| name == settled) {
        Some(chosen) => Ok(chosen),
        None => Err(DenoteError::Specification(format!(
            "reading {reading} is settled as `{settled}`, which {} does not offer",
            instruction.name
        ))),
    }
}
