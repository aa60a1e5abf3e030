//! A module as the list of its instructions, for validation.

use std::collections::BTreeMap;

use crate::decode::{Contents, Decoded};
use crate::program::{Id, Place};
use crate::validate::{BlockLayouts, Complaint, ValidationEnvironment, validate, validate_as};
use crate::words::Module;

/// The instructions of a module in order, debug instructions left out; not validated.
#[derive(Clone, Debug)]
pub struct Listing {
    module: Module,
    places: Vec<Place>,
    contents: Contents,
    version_is_stated: bool,
}

/// The message of the reference validator, and its instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its words.
    pub message: String,
    /// The instruction's place, where it names one.
    pub place: Option<Place>,
    /// False where it did not come to an end in time.
    pub decided: bool,
}

impl Listing {
    pub(crate) fn new(
        module: Module,
        places: Vec<Place>,
        contents: Contents,
        version_is_stated: bool,
    ) -> Self {
        Self { module, places, contents, version_is_stated }
    }

    /// What the assembly calls an `<id>`, without the percent sign.
    pub fn written(&self, id: Id) -> Option<&str> {
        self.contents.debug.written.get(&id).map(String::as_str)
    }

    /// Version of SPIR-V.
    pub fn version(&self) -> (u8, u8) {
        self.module.version()
    }

    /// The module states its version: binaries do, and assembly with a comment that notes it.
    pub fn version_is_stated(&self) -> bool {
        self.version_is_stated
    }

    /// The instructions.
    pub fn instructions(&self) -> &[Decoded] {
        &self.contents.instructions
    }

    /// What `OpName` calls an `<id>`.
    pub fn name(&self, id: Id) -> Option<&str> {
        self.contents.debug.names.get(&id).map(String::as_str)
    }

    /// Names by `<id>`.
    pub fn names(&self) -> &BTreeMap<Id, String> {
        &self.contents.debug.names
    }

    /// The complaint of the reference validator, by the rules of SPIR-V alone or, beside these, by
    /// those of an environment and of a device's layouts; none where it has no such environment for
    /// this version.
    pub fn complaint(
        &self,
        environment: Option<ValidationEnvironment>,
        layouts: BlockLayouts,
    ) -> Option<Reference> {
        let outcome = match environment {
            None => validate(&self.module),
            Some(environment) => match environment.target(self.version()) {
                None => Ok(()),
                Some(target) => validate_as(&self.module, target, layouts),
            },
        };
        match outcome.err()? {
            Complaint::Invalid(message, ordinal) => {
                let place = ordinal.and_then(|ordinal| self.places.get(ordinal).copied());
                Some(Reference { message, place, decided: true })
            }
            Complaint::TooLong => Some(Reference {
                message: "the reference validator has not finished in time".to_owned(),
                place: None,
                decided: false,
            }),
            Complaint::NotStarted(error) => Some(Reference {
                message: format!("the reference validator does not start: {error}"),
                place: None,
                decided: false,
            }),
        }
    }
}
