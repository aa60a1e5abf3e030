//! A module with other values for its specialization constants.

use std::collections::BTreeMap;

use laneproof_semantics::Scalar;

use crate::build::{self, Failure};
use crate::program::{Id, Program};

/// Why a module cannot be specialized so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecializeError {
    /// No constant has this `SpecId`.
    #[error("no specialization constant has the SpecId {0}")]
    Unknown(u32),
    /// With these values the module is invalid or too large.
    #[error("with these specialization constants the module is invalid: {0}")]
    Module(String),
}

impl Program {
    /// The scalar specialization constants: `SpecId`, type and `<id>`.
    pub fn specialization_constants(&self) -> impl Iterator<Item = (u32, Scalar, Id)> {
        self.constants
            .iter()
            .filter_map(|(&id, constant)| Some((constant.spec_id?, constant.ty.element()?, id)))
    }

    /// The same module with these values, by `SpecId`, as zero-extended bits; the others have their
    /// defaults. Ids, places and functions are the same.
    ///
    /// # Errors
    ///
    /// For a `SpecId` that no constant has, and if the module is invalid with these values.
    pub fn specialized(&self, values: &BTreeMap<u32, u64>) -> Result<Self, SpecializeError> {
        let known =
            |id: &&u32| self.specialization_constants().any(|(spec_id, ..)| spec_id == **id);
        if let Some(unknown) = values.keys().find(|id| !known(id)) {
            return Err(SpecializeError::Unknown(*unknown));
        }
        let Some(contents) = &self.contents else { return Ok(self.clone()) };
        let program = build::program(self.preamble.version, contents.clone(), values);
        let mut program = program.map_err(|failure| {
            let (Failure::TooLarge(_, reason) | Failure::Malformed(_, reason)) = failure;
            SpecializeError::Module(reason)
        })?;
        program.debug.source.clone_from(&self.debug.source);
        Ok(program)
    }
}
