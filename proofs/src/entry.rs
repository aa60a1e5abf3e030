//! One file of the catalogue.

use std::borrow::Cow;
use std::path::PathBuf;

use laneproof_frontends::{Compilers, Source};
use laneproof_module::Program;
use laneproof_semantics::Specification;

use crate::header::{Header, HeaderError};
use crate::run_error::RunError;

/// A specification file that an entry names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name, as the entry's header gives it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A theorem or a lowering: a module, and what is claimed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Folder and file name without extension, as `rotate/as-shuffle`.
    pub name: String,
    /// Its path: on disk, or within the compiled-in catalogue.
    pub path: PathBuf,
    /// The whole file, header and all: SPIR-V assembly, GLSL or WGSL by its extension.
    pub text: String,
    /// What its header says.
    pub header: Header,
    /// The specification files that its header names, read.
    pub attachments: Vec<Attachment>,
}

impl Entry {
    /// Reads an entry; `path` is what errors call it. Attachments are the caller's to add.
    ///
    /// # Errors
    ///
    /// Its header does not read.
    pub(crate) fn parse(path: PathBuf, name: String, text: String) -> Result<Self, HeaderError> {
        let header = Header::parse(&path.display().to_string(), &text)?;
        Ok(Self { name, path, text, header, attachments: Vec::new() })
    }

    /// Its module.
    ///
    /// # Errors
    ///
    /// It does not compile or load.
    pub fn program(&self, compilers: &Compilers<'_>) -> Result<Program, RunError> {
        Ok(self.source()?.program(compilers)?)
    }

    /// The file as the front ends take it.
    pub(crate) fn source(&self) -> Result<Source, RunError> {
        Ok(Source::of_text(&self.path, self.text.clone())?)
    }

    /// A specification with what this entry adds to it.
    ///
    /// # Errors
    ///
    /// What it adds does not read.
    pub fn specification<'s>(
        &self,
        specification: &'s Specification,
    ) -> Result<Cow<'s, Specification>, RunError> {
        let mut specification = Cow::Borrowed(specification);
        for attachment in &self.attachments {
            let name = self.path.with_file_name(&attachment.name).display().to_string();
            let extended = specification.extended_with(&name, &attachment.text);
            let extended = extended.map_err(|error| RunError::Specification(Box::new(error)))?;
            specification = Cow::Owned(extended);
        }
        Ok(specification)
    }

    /// The name of the entry that this one breaks in one place.
    pub fn original(&self) -> Option<String> {
        let original = self.header.mutant_of.as_ref()?;
        Some(match self.name.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{original}"),
            None => original.clone(),
        })
    }
}
